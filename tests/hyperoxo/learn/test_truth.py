"""Marks of agents, against going through the positions one by one."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.errors import LimitError, NotSupportedError, SpecError
from hyperoxo.game import Game, Position, Positions
from hyperoxo.intervals import wilson_interval
from hyperoxo.learn.splits import SPLITS, splits_of
from hyperoxo.learn.truth import _drawn, _some, exam, quick_exam, random_positions, truth
from hyperoxo.solvers.states.layers import bounds_by_ply
from tests.judge import forced, judge_of
from tests.states_oracle import walk
from tests.strategies import games, running_positions

GREEDY = ox.agent("greedy:ties=lowest")


def small(game: Game) -> bool:
    return sum(bounds_by_ply(game)) < 2_000


def keepers(position: Position) -> set[int]:
    """Moves after which the player to move can force as much as before."""
    values = {cell: forced(position.play(cell), position.to_move) for cell in position.legal_moves}
    return {cell for cell, value in values.items() if value == max(values.values())}


@settings(max_examples=25)
@given(games(hypercubes=("1^1", "3^1", "2^2", "2^3"), new_rules=True).filter(small))
def test_every_position_counts_by_its_class(game: Game) -> None:
    made = exam(game)
    every = [p for layer in walk(game).layers for p in layer.values() if not p.is_over]
    telling = Counter(p.ply for p in every if keepers(p) != {*p.legal_moves})
    assert made.count == telling.total()
    assert made.left_out == len(every) - telling.total()
    mark = made.mark("random")
    assert {share.ply: share.positions for share in mark.by_ply} == telling
    for number, position in enumerate(made.positions):
        assert set(np.flatnonzero(made.keeps[number])) == keepers(position)


@pytest.mark.parametrize(
    ("spec", "sample"),
    [("3^2", None), ("3^2:misere", 60), ("3,2,2:gravity", None), ("3^2:players=3", 50), ("3^3", 9)],
)
def test_shares_are_those_of_the_moves_one_by_one(spec: str, sample: int | None) -> None:
    made = exam(spec, sample, seed=5)
    mark = made.mark(GREEDY)
    kept = [
        bool(made.keeps[number, GREEDY.choose(position)])
        for number, position in enumerate(made.positions)
    ]
    weights = made.weights
    assert mark.kept == pytest.approx(np.average(kept, weights=weights))
    for share in mark.by_ply:
        here = made.positions.plies == share.ply
        assert share.kept == pytest.approx(np.average(np.array(kept)[here], weights=weights[here]))
        assert share.positions == weights[here].sum()
    if sample is None:
        assert mark.interval is None
        assert mark.kept_by_class == pytest.approx(np.mean(kept))
    else:
        assert made.count + made.left_out == sample
        assert mark.interval == wilson_interval(sum(kept), len(kept))
        assert mark.kept_by_class is None


def test_perfect_play_keeps_everything_and_the_opposite_nothing() -> None:
    result = truth("3^2", "minimax", "random", seed=1)
    assert result.marks[0].kept == 1.0
    assert result.exam.count == 3_191
    data = result.as_data()
    assert data["positions"] == 3_191
    assert data["left_out"] == 4_520 - 3_191
    assert data["classes"] == 431
    assert [mark["agent"] for mark in data["agents"]] == ["minimax", "random"]
    assert 0.3 < data["agents"][1]["kept"] < 0.5
    again = truth("3^2", "random", seed=1).marks[0]
    assert again.kept == result.marks[1].kept != truth("3^2", "random", seed=2).marks[0].kept


def test_a_game_in_which_no_move_matters_has_no_share() -> None:
    mark = truth("2^2", "random").marks[0]
    assert mark.kept is None
    assert mark.by_ply == ()


@pytest.mark.more
@given(st.integers(0, 2**32), games(hypercubes=("3^2", "2^3", "3^3"), others=False))
def test_a_position_is_in_the_part_of_all_its_images(seed: int, game: Game) -> None:
    assume(game.cells >= 2 and game.symmetry.order <= 2_000)
    position = exam(game, 1, seed=seed).positions if small(game) else Positions.of([game.start()])
    assume(len(position) > 0)
    images = game.symmetry.permutations()
    if game.opening is not None:
        inside = np.isin(np.arange(game.board.cell_count), sorted(game.opening))
        images = images[(inside[images] == inside).all(axis=1)]
    turned = Positions(game, position.owners[0][images])
    assert len(set(splits_of(turned).tolist())) == 1


def test_parts_are_eight_one_and_one_of_ten_and_leave_nothing_out() -> None:
    whole = exam("3^2")
    splits = [exam("3^2", split=split) for split in SPLITS]
    assert sum(split.count for split in splits) == whole.count
    assert [len(split.positions) for split in splits] == pytest.approx([345, 43, 43], abs=20)
    drawn = exam("3^3", 20, split="test", seed=1)
    assert set(splits_of(drawn.positions).tolist()) == {2}
    assert drawn.count + drawn.left_out == 20


SCORED = st.sampled_from(["4,3,3:gravity", "5,3,3:gravity", "3^2", "2^3:gravity=1"]).map(Game)


@settings(max_examples=50)
@given(running_positions(SCORED), st.integers(-2, 2))
def test_a_score_counts_the_stones_that_the_winner_has_left(
    position: ox.Position, error: int
) -> None:
    value, plies = judge_of(position.game)(position)
    winner = position.to_move if value > 0 else 3 - position.to_move
    rest = range(position.ply + plies - 1, position.game.cells)
    exact = value * sum(position.game.turns.mover(ply) == winner for ply in rest)
    found = ox.check_scores([ox.Record.of(position, tags={"Score": str(exact + error)})], [7])
    assert found.compared == 1
    assert [(one.line, one.score, one.exact) for one in found.wrong] == (
        [(7, exact + error, exact)] if error else []
    )


def test_positions_that_are_given() -> None:
    given = [Game("3^2").position(f"moves:{text}") for text in ("4", "4,1", "0,3,1,4,2")]
    test = exam("3^2", given)
    assert [len(test.positions), test.left_out, test.given] == [2, 0, True]
    assert test.mark("minimax").kept == 1.0
    with pytest.raises(SpecError, match=r"the positions belong to 3\^2, not to 4\^2"):
        exam("4^2", given)
    with pytest.raises(SpecError, match="scores are of one game, not of 2"):
        ox.check_scores([ox.Record(Game("3^2")), ox.Record(Game("4^2"))])


def test_bad_input() -> None:
    with pytest.raises(LimitError, match="a number of positions gives a sample of them"):
        truth("3^3", "random")
    with pytest.raises(NotSupportedError, match="one cell a turn"):
        truth("3^2:bias=2+1", "greedy")
    with pytest.raises(SpecError, match="must be positive"):
        exam("3^2", 0)
    own = ox.agent("greedy", heuristic=ox.line_heuristic(lambda own, rivals: float(own)))
    with pytest.raises(SpecError, match="completely, so it plays with one worker only"):
        truth("3^2", own, workers=2)
    with pytest.raises(SpecError, match="a split is train, validation, test, not 'all'"):
        exam("3^2", split="all")
    with pytest.raises(LimitError, match="rarely lead to positions of split"):
        exam("1^1", 1, split="train" if splits_of(Positions("1^1", [[0]]))[0] else "test")
    game = Game("2^2:convention=maker-breaker")  # no position of it is of the test split
    with patch("hyperoxo.learn.truth._drawn", wraps=_drawn) as drawn, pytest.raises(LimitError):
        random_positions(game, 1000, "test", np.random.default_rng(0))
    assert drawn.call_count == 1


def test_it_can_be_stopped_and_tells_how_far_it_is(stop: threading.Event) -> None:
    told: list[str | tuple[int, int]] = []
    truth(
        "3^2", "random", begun=told.append, progress=lambda done, total: told.append((done, total))
    )
    assert told == ["exact values", (627, 627), "random", (431, 431)]
    with pytest.raises(KeyboardInterrupt):
        exam("3^2").mark("random", stop=stop)


def test_a_quick_exam_of_many_positions_is_drawn_by_what_each_stands_for() -> None:
    whole = exam("3^2")
    assert quick_exam(whole.positions.game).count == whole.count  # type: ignore[union-attr]
    assert quick_exam(Game("4^3")) is None
    # The first position stands for as many as all the others together.
    weights = whole.weights.copy()
    weights[0] = weights[1:].sum()
    drawn = _some(replace(whole, weights=weights), 400)
    assert (drawn.sampled, drawn.count, len(drawn.positions)) == (True, 400, 400)
    numbers = {row.tobytes(): number for number, row in enumerate(whole.positions.owners)}
    found = [numbers[row.tobytes()] for row in drawn.positions.owners]
    assert np.array_equal(drawn.keeps, whole.keeps[found])
    assert 160 < found.count(0) < 240
    assert len(set(found)) > 100
