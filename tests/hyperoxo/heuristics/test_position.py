"""Heuristics that are compiled functions of the whole position."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import hyperoxo as ox
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.heuristics import position_heuristic
from hyperoxo.solvers.exact.minimax import MinimaxSearch
from tests.expect import require
from tests.judge import plain_minimax
from tests.strategies import running_positions

Array = NDArray[np.int32]


def open_lines(owners: Array, counts: Array, sizes: Array, player: int) -> float:
    """Lines that only the player has begun, each by the square of their stones."""
    total = 0.0
    for line in range(len(sizes)):
        own = counts[line, player - 1]
        if own == counts[line].sum():
            total += own * own / sizes[line]
    return total + 0.01 * float((owners == player).sum())


OPEN_LINES = position_heuristic(open_lines)


def by_hand(position: Position, player: int) -> float:
    game = position.game
    stones = np.array([0 if owner == 255 else owner for owner in position.owners], dtype=np.int32)
    counts = np.array(
        [
            [sum(stones[cell] == p for cell in game.board.line(line)) for p in range(1, 3)]
            for line in range(game.board.line_count)
        ],
        dtype=np.int32,
    ).reshape(-1, 2)
    return float(open_lines(stones, counts, game.board.line_sizes, player))


def difference(position: Position) -> float:
    mover = position.ply % 2 + 1
    value = by_hand(position, mover) - by_hand(position, 3 - mover)
    return -value if position.game.misere else value


undecided = running_positions(
    st.sampled_from([Game("3^2"), Game("3^2:misere"), Game("3^2:gravity"), Game("2^3:blocked=0")])
)


@pytest.mark.more
@given(undecided, st.integers(1, 3))
@settings(max_examples=40)
def test_minimax_searches_with_it(position: Position, depth: int) -> None:
    found = require(MinimaxSearch(position, OPEN_LINES).run(depth))
    best = plain_minimax(position, depth, difference)
    assert max(found.values) == pytest.approx(best)


@pytest.mark.more
@given(undecided)
@settings(max_examples=20)
def test_a_bias_weighs_the_rival(position: Position) -> None:
    found = require(MinimaxSearch(position, OPEN_LINES, bias=0.25).run(1))
    sign, mover = -1 if position.game.misere else 1, position.to_move
    for cell, value in zip(found.moves, found.values, strict=True):
        after = position.play(cell)
        if not after.is_over:
            own, rival = by_hand(after, mover), by_hand(after, 3 - mover)
            assert value == pytest.approx(sign * (own - 0.25 * rival))


@pytest.mark.more
@given(undecided)
@settings(max_examples=40)
def test_greedy_maximises_it(position: Position) -> None:
    chosen = ox.agent("greedy", heuristic=OPEN_LINES).choose(position, 0)
    mover = position.to_move
    sign = -1 if position.game.misere else 1

    def worth(cell: int) -> float:
        after = position.play(cell)
        if after.outcome is not None and after.outcome.winner is not None:
            return 1e15 if after.outcome.winner == mover else -1e15
        return sign * by_hand(after, mover)

    assert worth(chosen) == pytest.approx(max(worth(cell) for cell in position.legal_moves))


@pytest.mark.more
def test_it_plays_whole_matches() -> None:
    minimax = ox.agent("minimax", depth=2, heuristic=OPEN_LINES)
    assert ox.match("3^3", [minimax, "random"], games=20, seed=3).wins[0] == 20
    assert minimax.spec == "minimax:depth=2,heuristic=open_lines"


def test_it_is_for_two_players_in_minimax() -> None:
    agent = ox.agent("minimax", heuristic=OPEN_LINES)
    with pytest.raises(AgentError, match="two players"):
        agent.check(Game("3^2:players=3"))


@pytest.mark.parametrize(
    "function",
    [
        lambda owners, counts, sizes, player: _UNKNOWN,  # type: ignore[name-defined]  # noqa: F821
        lambda owners, counts, sizes, player: "much",
        lambda owners: 1.0,
    ],
)
def test_what_cannot_be_compiled_is_one_clear_error(function: Callable[..., object]) -> None:
    with pytest.raises(SpecError, match="heuristic 'heuristic'") as caught:
        ox.agent("greedy", heuristic=position_heuristic(function)).choose(Game("3^2").start(), 0)
    assert "\n" not in str(caught.value)
