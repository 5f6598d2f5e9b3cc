"""Perft: the number of legal move sequences by length."""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Ints, Longs
from hyperoxo.kernels.state import legal_moves, place_of_result, play, undo


@njit(nogil=True)
def count_sequences(
    t: Ints, s: Ints, plies: int, sequences: Longs, finished: Longs, stop: Longs
) -> None:
    """Count the legal move sequences of up to `plies` plies from state `s`.

    `sequences` int64 ``[plies + 1]`` gains the sequences of each length; `finished` int64
    ``[plies + 1, 2q + 1]`` those that end the game there, by result as in random games. A
    number other than 0 in `stop` int64 ``[1]`` ends the count where it is.
    """
    players = t[state.PLAYERS]
    moves = np.empty((plies + 1, t[state.PLAYABLE]), np.int32)
    counts = np.zeros(plies + 1, np.int64)
    nexts = np.zeros(plies + 1, np.int64)
    level = 0
    entering = True
    while True:
        # 1. A new position is one more sequence of its length; it has moves unless it is over or at
        #    the limit.
        if entering:
            if stop[0]:
                return
            sequences[level] += 1
            result = s[state.RESULT]
            nexts[level] = 0
            counts[level] = 0
            if result != 0:
                finished[level, place_of_result(result, players)] += 1
            elif level < plies:
                counts[level] = legal_moves(t, s, moves[level])
        # 2. Down by the next move, or up.
        if nexts[level] < counts[level]:
            nexts[level] += 1
            play(t, s, moves[level, nexts[level] - 1])
            level += 1
            entering = True
            continue
        if level == 0:
            return
        undo(t, s)
        level -= 1
        entering = False
