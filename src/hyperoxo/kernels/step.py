"""One move of a game for callers in Python: legality, step and observation in a call each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Ints
from hyperoxo.kernels.state import may_play, play

OVER, ILLEGAL = -1, -2


@njit(**NO_REFCOUNT)
def allowed(t: Ints, s: Ints, cell: int) -> bool:
    """Return whether a number is a legal move, if the game is not over."""
    if cell < 0 or cell >= t[state.CELLS] or s[t[state.S_OWNER] + cell]:
        return False
    return may_play(t, s, cell, 0)


@njit(**NO_REFCOUNT)
def step(t: Ints, s: Ints, cell: int) -> int:
    """Play a cell if it is legal; return the next player (from 0), OVER or ILLEGAL."""
    if s[state.RESULT] or not allowed(t, s, cell):
        return ILLEGAL
    play(t, s, cell)
    return OVER if s[state.RESULT] else int(t[t[state.T_MOVERS] + s[state.PLIES]])


@njit(**NO_REFCOUNT)
def observe(
    t: Ints, s: Ints, observer: int, planes: NDArray[np.int8], mask: NDArray[np.int8]
) -> None:
    """Add a player's observation to zeros: stones ``[N, q]``, legal moves ``[N]`` if to move.

    Plane 0 holds the stones of the observer, plane k those of the player k seats after them.
    """
    players = t[state.PLAYERS]
    to_move = not s[state.RESULT] and t[t[state.T_MOVERS] + s[state.PLIES]] == observer
    for cell in range(t[state.CELLS]):
        owner = s[t[state.S_OWNER] + cell]
        if owner:
            planes[cell, (owner - 1 - observer + players) % players] = 1
        elif to_move and may_play(t, s, cell, 0):
            mask[cell] = 1
