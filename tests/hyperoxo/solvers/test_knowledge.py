"""All sources of knowledge, in any order and with any limit, against the trying of every move."""

from __future__ import annotations

import random

import pytest

from hyperoxo.game import Value
from hyperoxo.solvers import solve
from hyperoxo.solvers.knowledge import SOLVING, SOURCES, learn
from hyperoxo.solvers.move_values import MoveValues, move_values
from hyperoxo.solvers.record import Found, Inquiry, Knowledge
from hyperoxo.solvers.solution import Question
from hyperoxo.task import Task
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
    monkeypatch.setattr("hyperoxo.solvers.proofsearch.driver.PROOF_CELLS", 1)
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
def test_move_values_are_what_the_sources_say_of_every_move(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By search and by table, with plies and without."""
    rng = random.Random("move values")
    for game in games("move values", count, 6):
        positions = some_positions(game, rng)
        known = [Knowledge(position) for position in positions]
        for one in known:
            learn(Inquiry(one, Question.EVERY_MOVE, Task()), SOLVING)
        for plies in (True, False):
            _compare(known, move_values(positions, remoteness=plies), plies=plies)
        with monkeypatch.context() as patch:
            patch.setattr("hyperoxo.solvers.move_values._worth_it", lambda *_: False)
            patch.setattr("hyperoxo.solvers.move_values.table_of", lambda *_, **__: None)
            for plies in (True, False):
                _compare(known, move_values(positions, remoteness=plies), plies=plies)


def _compare(known: list[Knowledge], found: MoveValues, *, plies: bool) -> None:
    for number, one in enumerate(known):
        judge, several = judge_of(one.game), one.game.players > 2
        assert found.of(number).keys() == one.class_of.keys()
        for cell, (value, remoteness) in found.of(number).items():
            assert value == one.of(cell).known.value
            assert value.sign == judge.after(one.position, cell)[0]
            assert remoteness in ((None,) if several else (None, one.of(cell).remoteness))
            assert remoteness is not None or several or not plies
