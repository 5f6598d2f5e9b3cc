"""Thresholds of bias: bounds by counting against search and brute force."""

from __future__ import annotations

import pytest

from hyperoxo.game import Game
from hyperoxo.proof import check_proof
from hyperoxo.solvers.makers.search import MakerSearch
from hyperoxo_research.study.thresholds import by_theorems, spelled, threshold
from tests.hyperoxo.solvers.makers.test_search import brute


@pytest.mark.parametrize(("side", "dim", "least"), [(2, 1, 1), (2, 2, 3), (2, 3, 7), (3, 2, 2)])
def test_small_boards_by_brute_force(side: int, dim: int, least: int) -> None:
    found = threshold(side, dim)
    assert (found.low, found.high) == (least, least)
    for bias in range(1, least + 1):
        assert brute(Game(spelled(side, dim, bias)).start(), {}) == (bias < least)


@pytest.mark.parametrize(("side", "dim"), [(3, 2), (3, 3), (4, 2), (5, 2), (4, 3)])
def test_counting_is_never_refuted_by_search(side: int, dim: int) -> None:
    found = by_theorems(side, dim)
    for bias in {found.low - 1, found.high} - {0}:
        game = Game(spelled(side, dim, bias))
        wins = MakerSearch(game, 1).find(game.start(), nodes=2_000).maker_wins
        assert wins in (None, bias < found.low)


@pytest.mark.parametrize(
    ("side", "dim", "bounds"),
    [
        (3, 5, (3, 14)), (4, 4, (2, 4)), (8, 3, (1, 1)), (8, 6, (1, 4)), (11, 4, (1, 2)),
        (30, 4, (1, 1)), (26, 3, (1, 1)), (3, 12, (16, 668)),
    ],
)  # fmt: skip
def test_bounds_by_counting(side: int, dim: int, bounds: tuple[int, int]) -> None:
    found = by_theorems(side, dim)
    assert (found.low, found.high) == bounds


def test_proofs_of_what_was_searched() -> None:
    found = threshold(3, 2)
    assert (found.why_low, found.why_high) == ("search", "weights")
    assert [check_proof(plan).claim for plan in found.plans] == [
        "player 1 wins 3^2:convention=maker-breaker"
    ]


@pytest.mark.more
def test_fewer_dimensions_and_key_cells() -> None:
    below = threshold(3, 2)
    above = threshold(3, 6, below, seconds=0)
    assert above.low >= below.low
    assert threshold(4, 3, seconds=0).why_low == "the stored proof of the ordinary game"
    six = threshold(6, 3, seconds=0)
    assert (six.low, six.high, six.why_high) == (1, 1, "the stored plan of the ordinary game")
    assert threshold(11, 4, seconds=0).why_high == "pairs"
