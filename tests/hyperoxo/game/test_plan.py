from __future__ import annotations

import pytest

from hyperoxo.game import Game, fitted_plan, plan_of

SPECS = ["3^2", "4^3", "5^3:gravity", "3^4", "2^5", "3^1", "7,6,4:gravity", "2^6", "5{0+1}"]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("across", [None, 1, 2, 3])
def test_no_two_cells_overlap_and_the_plan_just_holds_them(spec: str, across: int | None) -> None:
    game = Game(spec)
    plan = plan_of(game, across)
    for number, (x, y) in enumerate(plan.corners):
        for a, b in plan.corners[:number]:
            assert max(abs(x - a), abs(y - b)) >= 1
    assert min(x for x, _ in plan.corners) == min(y for _, y in plan.corners) == 0
    assert max(y for _, y in plan.corners) + 1 == pytest.approx(plan.height)
    assert max(x for x, _ in plan.corners) + 1 <= plan.width + 1e-9


def test_layers_are_wrapped_where_that_makes_cells_larger() -> None:
    qubic = Game("4^3")
    assert fitted_plan(qubic, 10, 10) == plan_of(qubic, 2)
    assert fitted_plan(qubic, 40, 10) == plan_of(qubic, 4) == plan_of(qubic)
    assert fitted_plan(qubic, 5, 40) == plan_of(qubic, 1)
    assert fitted_plan(Game("3^3"), 10, 7.5) == plan_of(Game("3^3"))
    assert fitted_plan(Game("3^4"), 100, 5) == plan_of(Game("3^4"))


def test_the_floor_is_at_the_bottom() -> None:
    game = Game("7,6,4:gravity")
    plan = plan_of(game)
    lowest = game.start().legal_moves
    assert {plan.corners[cell][1] for cell in lowest} == {plan.height - 1}
