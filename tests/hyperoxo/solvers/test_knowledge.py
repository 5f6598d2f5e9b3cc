"""All sources of knowledge, in any order and with any limit, against the trying of every move."""

from __future__ import annotations

import random

import pytest

from hyperoxo.errors import LimitError
from hyperoxo.game import Bounds, Game, Value
from hyperoxo.solvers import solve
from hyperoxo.solvers.knowledge import SOURCES, learn
from hyperoxo.solvers.move_values import move_values
from hyperoxo.solvers.record import Found, FoundMove, Inquiry, Knowledge
from hyperoxo.solvers.solution import Question
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.task import Task
from tests.expect import message_of
from tests.hyperoxo.solvers.test_all_ways import games, some_positions
from tests.judge import Judge, judge_of


def check(known: Knowledge, judge: Judge) -> None:
    """Compare all that is claimed with what is true."""
    truth = judge(known.position, known.mover)
    remoteness, within = known.plies()
    holds(known.own, truth)
    assert remoteness in (None, truth[1])
    assert within is None or within >= truth[1]
    for move in known.moves.values():
        value, plies = judge(move.after, known.mover)
        holds(move, (value, plies + 1))


def holds(found: Found, truth: tuple[int, int]) -> None:
    value, plies = truth
    assert found.known.low.sign <= value <= found.known.high.sign
    assert found.remoteness in (None, plies)
    assert found.within is None or found.within >= plies
    assert (found.source == "none") or found.known.decided


@pytest.mark.parametrize("count", [10, pytest.param(1_000, marks=pytest.mark.slow)])
def test_any_sources_in_any_order_claim_only_what_is_true(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On small boards too; proof search and depths are for large ones."""
    rng = random.Random("any order")
    monkeypatch.setattr("hyperoxo.solvers.knowledge.PROOF_MEGABYTES", 1)
    monkeypatch.setattr("hyperoxo.solvers.limits.PROOF_CELLS", 1)
    monkeypatch.setattr("hyperoxo.solvers.knowledge.SHALLOW", 2)
    for game in games("any order", count, 6):
        for position in some_positions(game, rng):
            question, nodes = rng.choice([*Question]), rng.choice([0, 0, 1, 5, 50])
            inquiry = Inquiry(Knowledge(position), question, Task(), nodes)
            for source in rng.sample(SOURCES, len(SOURCES)):
                learn(inquiry, {source: 1.0})
                check(inquiry.known, judge_of(game))
            if not nodes:
                assert inquiry.known.answers(question)


@pytest.mark.parametrize("count", [20, pytest.param(2_000, marks=pytest.mark.slow)])
def test_a_question_that_is_answered_ends_the_search(count: int) -> None:
    """Less is never more work, and what is left open is open."""
    rng = random.Random("answered")
    for game in games("answered", count, 6):
        position = rng.choice(some_positions(game, rng))
        truth, nodes = judge_of(game)(position), []
        for value_only, moves in ((True, None), (False, False), (False, True)):
            found = solve(position, seconds=None, value_only=value_only, moves=moves)
            assert found.complete
            assert found.value == Value.of(truth[0], least=Value.least(game.players))
            assert found.remoteness == truth[1] or (value_only and found.remoteness is None)
            nodes.append(found.nodes)
        assert nodes == sorted(nodes)


@pytest.mark.parametrize("count", [20, pytest.param(1_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("tabled", [True, False])
def test_move_values_are_true(count: int, tabled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """By table and by search, with plies and without."""
    if not tabled:
        monkeypatch.setattr("hyperoxo.solvers.move_values.has_at_most", lambda *_: False)
        monkeypatch.setattr("hyperoxo.solvers.move_values.table_of", lambda *_, **__: None)
    for number, game in enumerate(games("move values", count, 6)):
        positions, plies = some_positions(game, random.Random(number)), number % 2 > 0
        found = move_values(positions, remoteness=plies)
        for row, position in enumerate(positions):
            assert found.of(row).keys() == {*position.legal_moves}
            for cell, (value, end) in found.of(row).items():
                sign, ends = judge_of(game).after(position, cell)
                assert (value.sign, end) in ((sign, ends), (sign, None))
                assert end == ends or not plies or game.players > 2


# Bounds of several sources in one record.


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
    found.tighten(WON, first)
    found.tighten(WON, then)
    assert (found.known, found.source) == (WON, kept)


def test_a_bound_that_decides_nothing_itself_is_no_better_source() -> None:
    found = Found(known=Bounds())
    found.tighten(DRAWN, "theorem")
    found.tighten(Bounds(high=Value.DRAW), "table")
    assert found.source == "theorem"


def test_two_bounds_that_meet_decide() -> None:
    move = move_to(4)
    move.tighten(Bounds(low=Value.DRAW), "search")
    assert (move.known.decided, move.source) == (False, "none")
    move.tighten(Bounds(high=Value.DRAW), "threats")
    assert (move.known.decided, move.source) == (True, "threats")
    with pytest.raises(AssertionError, match=r"table contradicts .*threats.* cell=4"):
        move.tighten(WON, "table")


def test_what_decides_nothing_gives_no_value_its_name() -> None:
    move = move_to(0)
    move.tighten(WON, "threats", within=5)
    move.tighten(Bounds(), "search")
    assert (move.source, move.within) == ("threats", 5)
    move.tighten(WON, "search", remoteness=3)
    assert (move.source, move.remoteness) == ("search", 3)


def test_what_is_proved_of_a_move_is_proved_of_those_alike() -> None:
    known = Knowledge(Game("3^2").position("moves:4"))
    known.tighten(6, DRAWN, "search", remoteness=8)
    proved = {cell: known.of(cell).remoteness for cell in known.class_of}
    assert {cell for cell, plies in proved.items() if plies == 8} == {0, 2, 6, 8}
    assert {*proved.values()} == {8, None}


@pytest.mark.parametrize(("depth", "plies"), [(0, None), (2, None), (4, None), (6, 7), (24, 7)])
def test_plies_of_a_win_wait_for_moves_that_may_win_sooner(depth: int, plies: int | None) -> None:
    known = Knowledge(Game("3^3").start(), class_of={13: 13, 0: 0})
    known.tighten(13, WON, "search", remoteness=7)
    known.moves[0].depth = depth
    known.join()
    assert (known.own.known.value, known.plies()) == ("win", (plies, None if plies else 7))


def test_moves_that_end_the_game_are_known_before_anything_is_asked() -> None:
    known = Knowledge(Game("3^2").position("moves:0,3,1,4"))
    assert (known.of(2).known, known.of(2).remoteness, known.of(2).source) == (WON, 1, "threats")
    known.join()
    assert (known.own.known.value, known.plies()) == ("win", (1, None))


def test_a_record_of_too_many_moves_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    start = Game("20^2").start()
    monkeypatch.setenv("HYPEROXO_MEMORY", "799")  # two classes of moves
    assert "all moves of 20^2" in message_of(LimitError, Knowledge, start)


def test_each_reason_is_kept_once() -> None:
    known = Knowledge(Game("5^2").start())
    for _ in range(2):
        known.bound(bounds_by_theorems(known.position), "theorem")
    assert len(known.evidence) == len(set(map(str, known.evidence))) > 1
