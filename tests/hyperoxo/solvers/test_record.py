"""Bounds of several sources in one record."""

from __future__ import annotations

import pytest

from hyperoxo.game import Bounds, Game, Value
from hyperoxo.solvers.record import Found, FoundMove, Knowledge
from hyperoxo.solvers.theorems import bounds_by_theorems

WON, DRAWN = Bounds.exactly(Value.WIN), Bounds.exactly(Value.DRAW)


def move_to(cell: int) -> FoundMove:
    return FoundMove(cell=cell, after=Game("3^2").start().play(cell), known=Bounds())


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
    found = Found(known=Bounds())
    found.settle(WON, first)
    found.settle(WON, then)
    assert (found.known, found.source) == (WON, kept)


def test_a_bound_that_decides_nothing_itself_is_no_better_source() -> None:
    found = Found(known=Bounds())
    found.settle(DRAWN, "theorem")
    found.settle(Bounds(high=Value.DRAW), "table")
    assert found.source == "theorem"


def test_two_bounds_that_meet_decide() -> None:
    move = move_to(4)
    move.settle(Bounds(low=Value.DRAW), "search")
    assert (move.known.decided, move.source) == (False, "none")
    move.settle(Bounds(high=Value.DRAW), "threats")
    assert (move.known.decided, move.source) == (True, "threats")
    with pytest.raises(AssertionError, match=r"table contradicts .*threats.* cell=4"):
        move.settle(WON, "table")


def test_what_decides_nothing_gives_no_value_its_name() -> None:
    move = move_to(0)
    move.settle(WON, "threats", within=5)
    move.settle(Bounds(), "search")
    assert (move.source, move.within) == ("threats", 5)
    move.settle(WON, "search", remoteness=3)
    assert (move.source, move.remoteness) == ("search", 3)


def test_what_is_proved_of_a_move_is_proved_of_those_alike() -> None:
    known = Knowledge(Game("3^2").position("moves:4"))
    known.settle(6, DRAWN, "search", remoteness=8)
    proved = {cell: known.of(cell).remoteness for cell in known.class_of}
    assert {cell for cell, plies in proved.items() if plies == 8} == {0, 2, 6, 8}
    assert {*proved.values()} == {8, None}


@pytest.mark.parametrize(("depth", "plies"), [(0, None), (2, None), (4, None), (6, 7), (24, 7)])
def test_plies_of_a_win_wait_for_moves_that_may_win_sooner(depth: int, plies: int | None) -> None:
    known = Knowledge(Game("3^3").start(), class_of={13: 13, 0: 0})
    known.settle(13, WON, "search", remoteness=7)
    known.moves[0].depth = depth
    known.join()
    assert (known.own.known.value, known.plies()) == ("win", (plies, None if plies else 7))


def test_moves_that_end_the_game_are_known_before_anything_is_asked() -> None:
    known = Knowledge(Game("3^2").position("moves:0,3,1,4"))
    assert (known.of(2).known, known.of(2).remoteness, known.of(2).source) == (WON, 1, "threats")
    known.join()
    assert (known.own.known.value, known.plies()) == ("win", (1, None))


def test_each_reason_is_kept_once() -> None:
    known = Knowledge(Game("5^2").start())
    for _ in range(2):
        known.bound(bounds_by_theorems(known.position), "theorem")
    assert len(known.evidence) == len(set(map(str, known.evidence))) > 1
