from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hyperoxo.game import Game, Layout, fitted_layout, layout_of

CASES = json.loads((Path(__file__).parents[2] / "layouts.json").read_text(encoding="utf-8"))

SPECS = ["3^2", "4^3", "5^3:gravity", "3^4", "2^5", "3^1", "7,6,4:gravity", "2^6", "5{0+1}"]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("across", [None, 1, 2, 3])
def test_no_two_cells_overlap_and_the_plan_just_holds_them(spec: str, across: int | None) -> None:
    game = Game(spec)
    plan = layout_of(game, across)
    for number, (x, y) in enumerate(plan.corners):
        for a, b in plan.corners[:number]:
            assert max(abs(x - a), abs(y - b)) >= 1
    assert min(x for x, _ in plan.corners) == min(y for _, y in plan.corners) == 0
    assert max(y for _, y in plan.corners) + 1 == pytest.approx(plan.height)
    assert max(x for x, _ in plan.corners) + 1 <= plan.width + 1e-9


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['spec']} {case['space']}")
def test_the_plan_is_that_of_the_pages(case: dict[str, Any]) -> None:
    """`geometry.mjs` replays the same cases."""
    game = Game(case["spec"])
    width, height = case["space"]
    plan = fitted_layout(game, width / 1000, height / 1000)
    assert (game.gravity, plan.heads) == (case["gravity"], case["heads"])
    assert [round(plan.width, 2), round(plan.height, 2)] == case["size"]
    shape = game.board.shape or ()
    step = shape[-1] * shape[-2] if len(shape) > 2 else game.board.cell_count
    corners = [*plan.corners[::step], plan.corners[-1]]
    assert [[round(x, 2), round(y, 2)] for x, y in corners] == case["corners"]


@pytest.mark.parametrize("spec", ["3^3", "4^3", "5^3:gravity", "7^3"])
@pytest.mark.parametrize("space", [(1.44, 0.8), (0.39, 0.6), (0.8, 0.3), (0.3, 0.9)])
def test_no_arrangement_of_layers_has_larger_cells(spec: str, space: tuple[float, float]) -> None:
    game = Game(spec)

    def unit(plan: Layout) -> float:
        return min(space[0] / plan.width, space[1] / plan.height)

    best = unit(fitted_layout(game, *space))
    for across in range(1, game.board.shape[0] + 1):  # type: ignore[index]
        for heads in ("above", "aside"):
            assert unit(layout_of(game, across, heads)) <= best * 1.001


def test_the_floor_is_at_the_bottom() -> None:
    game = Game("7,6,4:gravity")
    plan = layout_of(game)
    lowest = game.start().legal_moves
    assert {plan.corners[cell][1] for cell in lowest} == {plan.height - 1}


def test_cubes_stand_side_by_side_and_layer_1_of_each_is_the_lowest() -> None:
    plan = layout_of(Game("3^4"))
    x, y = zip(*(plan.corners[cell] for cell in (0, 9, 27)), strict=True)
    assert x[0] == x[1] < x[2]
    assert y[0] == y[2] > y[1]
    falling = layout_of(Game("3^4:gravity"))
    assert falling.corners[0][1] > falling.corners[27][1]


@pytest.mark.parametrize("shape", ["3^3", "4^3", "5^3"])
@pytest.mark.parametrize("across", [1, 2, 3])
def test_layers_are_read_from_below_with_gravity_as_without(shape: str, across: int) -> None:
    plain, falling = (layout_of(Game(shape + option), across) for option in ("", ":gravity"))
    assert plain == falling
    sides = Game(shape).board.shape or ()
    firsts = plain.corners[:: sides[1] * sides[2]]
    assert list(firsts) == sorted(firsts, key=lambda corner: (-corner[1], corner[0]))
