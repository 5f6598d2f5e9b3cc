"""What an analysis keeps of what several searches prove."""

from __future__ import annotations

import pytest

from hyperoxo.game import Bounds, Game, Value
from hyperoxo.play.analysis.findings import MoveAnalysis
from hyperoxo.play.analysis.knowledge import Knowledge

WON, DRAWN = Bounds.exactly(Value.WIN), Bounds.exactly(Value.DRAW)


@pytest.mark.parametrize(
    ("first", "then", "kept"),
    [
        ("theorem", "threats", "threats"),
        ("threats", "search", "search"),
        ("search", "table", "table"),
        ("table", "search", "table"),
        ("search", "threats", "search"),
        ("proof", "theorem", "proof"),
    ],
)
def test_the_better_source_of_a_known_value_is_named(first: str, then: str, kept: str) -> None:
    move = MoveAnalysis(4).settle(WON, first).settle(WON, then)
    assert (move.known, move.source) == (WON, kept)


def test_a_bound_that_decides_nothing_itself_is_no_better_source() -> None:
    move = MoveAnalysis(4).settle(DRAWN, "theorem").settle(Bounds(high=Value.DRAW), "table")
    assert move.source == "theorem"


def test_two_bounds_that_meet_decide() -> None:
    move = MoveAnalysis(4).settle(Bounds(low=Value.DRAW), "search")
    assert (move.proved, move.source) == (False, "none")
    move = move.settle(Bounds(high=Value.DRAW), "threats")
    assert (move.proved, move.source) == (True, "threats")
    with pytest.raises(AssertionError, match="cell 4: table contradicts threats"):
        move.settle(WON, "table")


def test_what_is_proved_of_a_move_is_proved_of_those_alike() -> None:
    known = Knowledge.of(Game("3^2").position("moves:4"))
    known.settle(6, DRAWN, "search", remoteness=8)
    proved = {cell: move.remoteness for cell, move in known.moves.items() if move.proved}
    assert proved == dict.fromkeys((0, 2, 6, 8), 8)
