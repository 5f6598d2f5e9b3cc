"""Avoider-Enforcer search against brute force, with any bias, target, start and blocked cells."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import NotSupportedError
from hyperoxo.game import FREE, Game
from hyperoxo.proof import verify
from hyperoxo.solvers import solve
from hyperoxo.solvers.makers.bounds import MakerSettings
from hyperoxo.solvers.makers.search import MakerSearch
from hyperoxo.task import Task
from tests.hyperoxo.solvers.makers.test_search import GAMES, brute, drawn

AVOIDERS = GAMES.map(lambda spec: spec.replace("maker-breaker", "avoider-enforcer"))


@pytest.mark.more
@settings(max_examples=150)
@given(AVOIDERS, st.data())
def test_search_agrees_with_brute_force(spec: str, data: st.DataObject) -> None:
    position = drawn(data, spec)
    found = MakerSearch(position.game, 1).find(position)
    assert found.maker_wins is not brute(position, {})


@pytest.mark.more
@settings(max_examples=150)
@given(AVOIDERS, st.data())
def test_moves_on_fewer_lines_are_no_worse(spec: str, data: st.DataObject) -> None:
    position = drawn(data, spec)
    board, owners = position.game.board, position.owners
    lines = [set(board.line(number).tolist()) for number in range(board.line_count)]
    live = [line for line in lines if all(owners[cell] in (FREE, 1) for cell in line)]
    through = {
        cell: {number for number, line in enumerate(live) if cell in line}
        for cell in position.legal_moves
    }
    known: dict[bytes, bool] = {}
    worth = {cell: brute(position.play(cell), known) for cell in through}
    for cell, other in itertools.permutations(through, 2):
        if through[cell] <= through[other]:
            wins = (position.to_move == 1) == worth[cell]
            assert wins or worth[cell] == worth[other]


@pytest.mark.parametrize(
    ("spec", "wins"),
    [
        ("3^2", False), ("4^2", True), ("4^2:bias=1+2", True), ("4^2:bias=2+1", False),
        ("4,4,3", False), ("5,4,4", True), ("3,3,2:target=2", False),
    ],
)  # fmt: skip
def test_known_games(spec: str, wins: bool) -> None:
    game = Game(f"{spec}{',' if ':' in spec else ':'}convention=avoider-enforcer")
    assert MakerSearch(game, 1).find(game.start(), Task.within(60)).maker_wins is not wins


@pytest.mark.more
def test_what_solve_says(tmp_path: Path) -> None:
    path = tmp_path / "x"
    game = "4^2:convention=avoider-enforcer,bias=2+1"
    found = solve(game, makers=MakerSettings(checkpoint=str(path)))
    assert (found.value, found.complete, path.exists()) == ("loss", True, True)
    assert found.evidence[0].startswith("Avoider-Enforcer search: player 1 is forced to the target")


def test_what_is_not_supported() -> None:
    with pytest.raises(NotSupportedError):
        MakerSearch(Game("3^3:convention=avoider-enforcer,gravity"), 1)
    with pytest.raises(NotSupportedError, match="do not count"):
        MakerSearch(Game("3^2:convention=avoider-enforcer"), 2)


def test_a_strategy_is_written(tmp_path: Path) -> None:
    found = solve("3^2:convention=avoider-enforcer,bias=1+2", proof=tmp_path / "proof")
    verdict = verify(tmp_path / "proof")
    assert verdict.proved
    assert verdict.claim == f"player {found.winner} wins {found.position.game}"
