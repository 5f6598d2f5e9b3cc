"""Tuning of line tables."""

from __future__ import annotations

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.agents.scored import GreedyAgent
from hyperoxo.errors import SpecError
from hyperoxo.game import Game
from hyperoxo.heuristics import kutner_heuristic
from hyperoxo.lab.guide import guide
from hyperoxo.learn.td import Gains, TdLearner, losing_leaves, next_by_games, next_on_tree
from tests.learners import learned


def _learned(game: str, seed: int, **options: object) -> TdLearner:
    return learned(TdLearner(Game(game), seed, **options))  # type: ignore[arg-type]


@pytest.mark.more
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_learned_tables_lose_no_more_leaves_of_3_2_than_they_must(seed: int) -> None:
    one = _learned("3^2", seed, games=2000, generations=5).agent()
    by_class = _learned("3^2", seed, games=2000, classes="on").agent()
    for seat, least in ((1, 0), (2, 16)):
        assert guide(Game("3^2"), seat, one, every_tie=True, losing_lines=0).losses == least
        assert guide(Game("3^2"), seat, by_class, every_tie=True, losing_lines=0).losses == 0


def test_a_learned_table_wins_every_leaf_of_3_3_as_first_player() -> None:
    tree = guide(Game("3^3"), 1, _learned("3^3", 0).agent(), every_tie=True, losing_lines=0)
    assert (tree.draws, tree.losses) == (0, 0)


def test_losing_leaves_are_those_of_both_guided_trees() -> None:
    game, player = Game("3^2"), ox.agent("greedy")
    assert isinstance(player, GreedyAgent)
    both = [guide(game, seat, player, every_tie=True, losing_lines=0).losses for seat in (1, 2)]
    assert losing_leaves(game, kutner_heuristic()) == sum(both) > 0


@pytest.mark.parametrize(
    ("game", "classes", "stages"), [("3^2", "orbits", 2), ("4^3", "", 1), ("5,4,3", "axes", 3)]
)
def test_gains_and_tables_say_the_same(game: str, classes: str, stages: int) -> None:
    learner = TdLearner(
        Game(game), 0, classes=classes or "off", stages=stages, games=20, tune="off"
    )
    rng = np.random.default_rng(1)
    weights = rng.normal(size=learner.weights().shape)
    vectors = Gains(Game(game), learner.classes, weights, stages)
    gains = vectors.of_table()
    assert np.sqrt((gains**2).mean()) == pytest.approx(1.0)
    again = vectors.table(gains)
    assert np.array_equal(again[:, 0], weights[:, 0])
    assert Gains(Game(game), learner.classes, again, stages).of_table() == pytest.approx(gains)


def test_children_on_the_tree_never_lose_more() -> None:
    def losses(gains: np.ndarray[tuple[int], np.dtype[np.float64]]) -> int:
        return int(100 * abs(gains[0]))

    gains, rng = np.array([1.0, 1.0]), np.random.default_rng(1)
    for _ in range(5):
        after = next_on_tree(gains, losses, rng, 20)
        assert losses(after) <= losses(gains)
        gains = after
    assert losses(gains) < 10
    assert np.array_equal(next_on_tree(np.zeros(2), losses, rng, 20), np.zeros(2))


def test_generations_on_games_climb() -> None:
    gains = np.array([1.0, 0.0, 0.0])
    for number in range(30):
        rng = np.random.default_rng(number)
        gains = next_by_games(gains, lambda child: float(child[2]), rng, 16, number / 30)
    assert gains[2] > 1.5


def test_the_guided_tree_is_for_small_games() -> None:
    with pytest.raises(SpecError, match="tune=tree is for two players on up to 9 cells"):
        TdLearner(Game("4^3"), 0, tune="tree")
    assert TdLearner(Game("4^3"), 0).tune == "games"
    assert TdLearner(Game("3^3"), 0).tune == "off"
    assert TdLearner(Game("3^2:players=3"), 0).tune == "games"
    assert TdLearner(Game("3^2"), 0, tune="off").steps == 20
