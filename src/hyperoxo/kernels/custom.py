"""Evaluations that a user wrote, compiled with what calls them.

The evaluation takes ``(owners, counts, sizes, player)``: int32 ``[N]`` owners of the cells,
int32 ``[L, q]`` stones of each player on each line, int32 ``[L]`` line sizes, and the player
1..q to whom it gives a value. These kernels are compiled anew for every evaluation and are
not kept on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.errors import NumbaError

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Floats, Ints
from hyperoxo.kernels.minimax import WIN
from hyperoxo.kernels.state import (
    LINES,
    MISERE,
    PLAYERS,
    PLIES,
    RESULT,
    S_COUNT,
    S_OWNED,
    S_OWNER,
    T_LANDING,
    T_SIZES,
    play,
    undo,
)

CompilationError = NumbaError
"""What the compiler raises for a function it cannot take."""


def compile_evaluation(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiled form of an evaluation; compilation happens at the first call."""
    compiled: Callable[..., Any] = njit(nogil=True)(function)
    return compiled


@njit(nogil=True)
def worth(t: Ints, s: Ints, evaluation: Callable[..., float], player: int) -> float:
    """Return what a position is worth to a player, counted from 0."""
    owners = s[t[S_OWNER] : t[S_COUNT]]
    counts = s[t[S_COUNT] : t[S_OWNED]].reshape((t[LINES], t[PLAYERS]))
    sizes = t[t[T_SIZES] : t[T_LANDING]]
    return float(evaluation(owners, counts, sizes, player + 1))


@njit(nogil=True)
def custom_values(
    t: Ints, s: Ints, evaluation: Callable[..., float], cells: Ints, values: Floats
) -> None:
    """Write the value to the player to move after each possible move; misère turns the sign."""
    mover = s[PLIES] % t[PLAYERS]
    sign = -1.0 if t[MISERE] else 1.0
    for i in range(len(cells)):
        play(t, s, cells[i])
        if s[RESULT] == mover + 1:
            values[i] = WIN
        elif s[RESULT] == -(mover + 1):
            values[i] = -WIN
        else:
            values[i] = sign * worth(t, s, evaluation, mover)
        undo(t, s)
