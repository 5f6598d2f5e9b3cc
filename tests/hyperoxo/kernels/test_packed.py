"""Packed counters say the same as the counters of the state."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.game import Game, Position
from hyperoxo.kernels.packed import (
    completes,
    copy_packed,
    near_line,
    pack,
    packed_playout,
    play_packed,
)
from hyperoxo.kernels.playout import random_playout
from hyperoxo.kernels.state import PLIES, RESULT, S_OWNER
from hyperoxo.solvers.arrays import packed_increments, state_of, tables_of
from tests.strategies import positions, running_positions

NOTHING = np.zeros((0, 1), dtype=np.uint64)


def packed_words(position: Position) -> tuple[np.ndarray, np.ndarray]:
    increments = packed_increments(position.game)
    words = np.zeros((position.game.players, increments.shape[1]), dtype=np.uint64)
    pack(tables_of(position.game), state_of(position), increments, words)
    return increments, words


def reaches_target(position: Position, player: int, cell: int) -> bool:
    board = position.game.board
    owners = list(position.owners)
    owners[cell] = player
    full = sum(
        all(owners[c] == player for c in board.line(line)) for line in range(board.line_count)
    )
    return full >= position.game.target


@pytest.mark.more
@given(running_positions())
def test_completes_is_reaching_the_target_for_every_player(position: Position) -> None:
    t, s = tables_of(position.game), state_of(position)
    increments, words = packed_words(position)
    for player in range(1, position.game.players + 1):
        reached = [reaches_target(position, player, cell) for cell in position.legal_moves]
        for counters in {len(NOTHING): NOTHING, len(increments): increments}.values():
            assert reached == [
                completes(t, s, counters, words, player - 1, cell) for cell in position.legal_moves
            ]
            assert near_line(t, s, counters, words, player - 1) or not any(reached)


@pytest.mark.more
@given(running_positions(), st.integers(0, 2**64 - 1))
def test_packed_random_games_are_the_random_games(position: Position, seed: int) -> None:
    game = position.game
    increments, words = packed_words(position)
    if not len(increments):
        return
    t, root = tables_of(game), state_of(position)
    flat, packed = root.copy(), np.zeros_like(root)
    copy_packed(t, root, packed)
    scratch = np.empty(game.cells, dtype=np.int32)
    left = random_playout(t, flat, scratch, np.uint64(seed))
    assert packed_playout(t, packed, increments, words, scratch, np.uint64(seed)) == left
    assert packed[RESULT] == flat[RESULT]
    assert packed[PLIES] == flat[PLIES]
    owners = slice(t[S_OWNER], t[S_OWNER] + game.board.cell_count)
    assert packed[owners].tolist() == flat[owners].tolist()


@pytest.mark.more
@given(positions(finished=True))
def test_packed_play_finds_the_results_of_the_rules(position: Position) -> None:
    game = position.game
    if not len(packed_increments(game)):
        return
    start = game.start()
    increments, words = packed_words(start)
    t, s = tables_of(game), state_of(start)
    for cell in position.history:
        assert s[RESULT] == 0
        play_packed(t, s, increments, words, cell)
    assert s[RESULT] == state_of(position)[RESULT]


@pytest.mark.parametrize("spec", ["3^2:target=2", "8^2", "5^4"])
def test_games_that_packed_counters_do_not_serve(spec: str) -> None:
    assert len(packed_increments(Game(spec))) == 0
