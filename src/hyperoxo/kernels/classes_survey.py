"""How many random games are still running after so many plies."""

from __future__ import annotations

import numpy as np

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Ints, Longs
from hyperoxo.kernels.rng import advance, below, mix, stream
from hyperoxo.kernels.state import PLAYABLE, RESULT, legal_moves, new_state, play, reset


@njit(cache=True, nogil=True)
def survivors(t: Ints, games: int, plies: int, seed: int, alive: Longs) -> None:
    """Play random games; `alive` int64 ``[plies + 1]`` gains those that reach each ply."""
    s = new_state(t)
    moves = np.empty(t[PLAYABLE], np.int32)
    rng = stream(np.uint64(seed), 0)
    for _ in range(games):
        reset(t, s)
        for ply in range(plies + 1):
            alive[ply] += 1
            if s[RESULT] or ply == plies:
                break
            number = legal_moves(t, s, moves)
            rng = advance(rng)
            play(t, s, moves[np.int64(below(mix(rng), number))])
