"""Random games: packed line counters for the common rules, line counters for all others.

Packed counters keep four bits per line and 16 lines per word; every player has
separate words, which start at 8 minus the size of each line, so that a full line sets the top
bit of its field. A move adds the cell's row of increments and looks at the top bits.

Games are played in chunks with a random stream each, so results depend on the seed
alone and not on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Ints, Longs, Words, copy
from hyperoxo.kernels.rng import advance, below, mix, stream
from hyperoxo.kernels.state import legal_moves, new_state, place_of_result, play, reset

PACKED_WIDTHS = (1, 2, 3, 4, 8, 16, 24)
"""Words a player for which a packed kernel is compiled; 24 words hold 384 lines."""

_TOP_BITS = np.uint64(0x8888888888888888)


@njit(**NO_REFCOUNT)
def random_playout(t: Ints, s: Ints, scratch: Ints, random: np.uint64) -> np.uint64:
    """Play random moves from state `s` to the end of the game; return the random state."""
    while s[state.RESULT] == 0:
        # Only the opening needs the list of legal moves; later every landing cell is one.
        random = advance(random)
        if s[state.PLIES] < t[state.OPENING_PLIES]:
            cell = scratch[below(mix(random), legal_moves(t, s, scratch))]
        else:
            cell = s[np.uint64(t[state.S_LEGAL]) + below(mix(random), s[state.LEGAL])]
        play(t, s, cell)
    return random


@njit(nogil=True)
def random_games(
    t: Ints, games: int, seed: np.uint64, number: int, results: Longs, lengths: Longs
) -> None:
    """Play `games` random games with line counters; any rules.

    `results` int64 ``[2q+1]`` gains one in entry p (player p wins alone), q + p (player p
    loses alone) or 2q (draw) a game; `lengths` int64 ``[M+1]`` one at the game's length.
    """
    players = t[state.PLAYERS]
    s = new_state(t)
    scratch = np.empty(t[state.PLAYABLE], np.int32)
    random = stream(seed, number)
    for _ in range(games):
        reset(t, s)
        random = random_playout(t, s, scratch, random)
        results[place_of_result(s[state.RESULT], players)] += 1
        lengths[s[state.PLIES]] += 1


@cache
def packed_games(width: int) -> Callable[..., None]:
    """Return the packed kernel for `width` words per player; target 1, no opening.

    The kernel takes ``increments`` uint64 ``[N * width]``, ``start`` uint64 ``[width]``,
    ``landing`` and ``above`` as in the tables (int16), the number of playable
    cells and of players, then games, seed, stream number, results and lengths as above;
    it counts in the first q entries who completed a line, whatever that means.
    """

    @njit(nogil=True)
    def kernel(
        increments: Words,
        start: Words,
        landing: NDArray[np.int16],
        above: NDArray[np.int16],
        playable: int,
        players: int,
        games: int,
        seed: np.uint64,
        number: int,
        results: Longs,
        lengths: Longs,
    ) -> None:
        # `width` is a constant of the compiled kernel, so the loops over words are unrolled.
        legal = np.empty_like(landing)
        counters = np.empty(players * width, np.uint64)
        random = stream(seed, number)
        for _ in range(games):
            for player in range(players):
                for i in range(width):
                    counters[player * width + i] = start[i]
            copy(legal, landing)
            free = np.uint64(len(landing))
            base = np.uint64(0)
            player = 0
            plies = 0
            winner = 2 * players
            # 1. A random landing cell, replaced by the cell above it or by the last of the list.
            while plies < playable:
                random = advance(random)
                place = below(mix(random), free)
                cell = legal[place]
                next_cell = above[np.uint64(cell)]
                if next_cell >= 0:
                    legal[place] = next_cell
                else:
                    free -= np.uint64(1)
                    legal[place] = legal[free]
                # 2. One more on all lines through it, sixteen at a time; a top bit is a full line.
                full = np.uint64(0)
                row = np.uint64(cell) * np.uint64(width)
                for i in range(width):
                    fields = counters[base + np.uint64(i)] + increments[row + np.uint64(i)]
                    counters[base + np.uint64(i)] = fields
                    full |= fields
                plies += 1
                if full & _TOP_BITS:
                    winner = player
                    break
                # 3. The next player: no remainders in this loop.
                player += 1
                base += np.uint64(width)
                if player == players:
                    player = 0
                    base = np.uint64(0)
            results[winner] += 1
            lengths[plies] += 1

    compiled: Callable[..., None] = kernel
    return compiled
