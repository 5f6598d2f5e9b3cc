"""Search with an evaluation that a user wrote, compiled together with it.

The evaluation takes ``(owners, counts, sizes, player)``: int32 ``[N]`` owners of the cells,
int32 ``[L, q]`` stones of each player on each line, int32 ``[L]`` line sizes, and the player
1..q to whom it gives a value. These kernels are compiled anew for every evaluation and are
not kept on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Floats, Ints, Longs
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.minimax import WIN
from hyperoxo.kernels.state import (
    DRAW,
    LINES,
    MISERE,
    PLAYABLE,
    PLAYERS,
    PLIES,
    RESULT,
    S_COUNT,
    S_OWNED,
    S_OWNER,
    T_LANDING,
    T_SIZES,
    legal_moves,
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
def _worth(t: Ints, s: Ints, evaluation: Callable[..., float], player: int) -> float:
    owners = s[t[S_OWNER] : t[S_COUNT]]
    counts = s[t[S_COUNT] : t[S_OWNED]].reshape((t[LINES], t[PLAYERS]))
    sizes = t[t[T_SIZES] : t[T_LANDING]]
    return float(evaluation(owners, counts, sizes, player + 1))


@njit(nogil=True)
def custom_values(
    t: Ints, s: Ints, evaluation: Callable[..., float], cells: Ints, values: Floats
) -> None:
    """Write the value to the player to move after each of his moves; misère turns the sign."""
    mover = s[PLIES] % t[PLAYERS]
    sign = -1.0 if t[MISERE] else 1.0
    for i in range(len(cells)):
        play(t, s, cells[i])
        if s[RESULT] == mover + 1:
            values[i] = WIN
        elif s[RESULT] == -(mover + 1):
            values[i] = -WIN
        else:
            values[i] = sign * _worth(t, s, evaluation, mover)
        undo(t, s)


@njit(nogil=True)
def custom_search(
    t: Ints,
    s: Ints,
    evaluation: Callable[..., float],
    depth: int,
    alpha: float,
    beta: float,
    control: Longs,
) -> float:
    """Search `depth` plies of a two-player game by alpha-beta; see `minimax.search`.

    Leaves are worth the evaluation of the player to move less that of his rival.
    """
    moves = np.empty((depth + 1, t[PLAYABLE]), np.int32)
    counts = np.zeros(depth + 1, np.int64)
    nexts = np.zeros(depth + 1, np.int64)
    bests = np.empty(depth + 1, np.float64)
    alphas = np.empty(depth + 1, np.float64)
    betas = np.empty(depth + 1, np.float64)
    alphas[0], betas[0] = alpha, beta
    level = 0
    entering = True
    while True:
        leaf = False
        returned = 0.0
        if entering:
            if visit(control):
                for _ in range(level):
                    undo(t, s)
                return np.nan
            mover = s[PLIES] % 2
            counts[level] = nexts[level] = 0
            bests[level] = -np.inf
            if s[RESULT] != 0:
                leaf = True
                if s[RESULT] != DRAW:
                    winner = s[RESULT] - 1 if s[RESULT] > 0 else 2 + s[RESULT]
                    value = WIN - s[PLIES]
                    returned = value if winner == mover else -value
            elif level == depth:
                leaf = True
                mine = _worth(t, s, evaluation, mover)
                his = _worth(t, s, evaluation, 1 - mover)
                returned = his - mine if t[MISERE] else mine - his
            else:
                counts[level] = legal_moves(t, s, moves[level])
        if not leaf and nexts[level] < counts[level] and bests[level] < betas[level]:
            nexts[level] += 1
            alphas[level + 1] = -betas[level]
            betas[level + 1] = -alphas[level]
            play(t, s, moves[level, nexts[level] - 1])
            level += 1
            entering = True
            continue
        if not leaf:
            returned = bests[level]
        if level == 0:
            return returned
        undo(t, s)
        level -= 1
        bests[level] = max(bests[level], -returned)
        alphas[level] = max(alphas[level], bests[level])
        entering = False
