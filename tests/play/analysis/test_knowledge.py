"""What an analysis keeps of what several searches prove."""

from __future__ import annotations

import pytest

from hyperoxo.play.analysis.knowledge import DRAW, LOSS, WIN, Move


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
    move = Move(4)
    move.settle(WIN, WIN, first)
    move.settle(WIN, WIN, then)
    assert (move.low, move.high, move.source) == (WIN, WIN, kept)


def test_a_bound_that_decides_nothing_itself_is_no_better_source() -> None:
    move = Move(4)
    move.settle(DRAW, DRAW, "theorem")
    move.settle(LOSS, DRAW, "table")
    assert move.source == "theorem"


def test_two_bounds_that_meet_decide() -> None:
    move = Move(4)
    move.settle(DRAW, WIN, "search")
    assert (move.decided, move.source) == (False, "none")
    move.settle(LOSS, DRAW, "threats")
    assert (move.decided, move.source) == (True, "threats")
    with pytest.raises(AssertionError, match="cell 4: table contradicts threats"):
        move.settle(WIN, WIN, "table")
