"""Depth-limited alpha-beta search for two players over line tables.

Values are from the point of view of the player to move. ``difference`` float64
``[K, W, W]`` gives, by kind of line, stones of player 1 and stones of player 2, what a line
is worth to player 1 minus what it is worth to player 2; the evaluation is its sum over
lines, kept up to date by the lines through each move.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from hyperoxo.kernels.arrays import Floats, Ints, Longs
from hyperoxo.kernels.state import (
    DRAW,
    LINES,
    MISERE,
    PLAYABLE,
    PLIES,
    RESULT,
    S_COUNT,
    T_CELL_LINES,
    T_CELL_PTR,
    legal_moves,
    play,
    undo,
)

__all__ = ["NODES", "NODE_LIMIT", "STOP", "WIN", "evaluate", "search"]

WIN = 1e15
"""Value of a won game, less the ply on which it is won."""

NODES, NODE_LIMIT, STOP = range(3)
"""Entries of the control array, int64: nodes so far, most nodes allowed (0: no limit), and
a flag that any thread may set to end the search."""

_CHECK_EVERY = 1024


@njit(cache=True, nogil=True)
def evaluate(t: Ints, s: Ints, difference: Floats, kinds: Ints) -> float:
    """Return the sum of line differences of a position, for player 1."""
    total = 0.0
    for line in range(t[LINES]):
        at = t[S_COUNT] + 2 * line
        total += difference[kinds[line], s[at], s[at + 1]]
    return total


@njit(cache=True, nogil=True)
def _change(t: Ints, s: Ints, difference: Floats, kinds: Ints, cell: int) -> float:
    """Return the change of the evaluation when the player to move plays `cell`."""
    first, second = (1, 0) if s[PLIES] % 2 == 0 else (0, 1)
    total = 0.0
    start = t[T_CELL_LINES] + t[t[T_CELL_PTR] + cell]
    end = t[T_CELL_LINES] + t[t[T_CELL_PTR] + cell + 1]
    for j in range(start, end):
        at = t[S_COUNT] + 2 * t[j]
        kind = kinds[t[j]]
        a, b = s[at], s[at + 1]
        total += difference[kind, a + first, b + second] - difference[kind, a, b]
    return total


@njit(cache=True, nogil=True)
def _expand(
    t: Ints,
    s: Ints,
    difference: Floats,
    kinds: Ints,
    sign: float,
    moves: Ints,
    keys: Floats,
    ordered: bool,
) -> int:
    """Write the legal moves, best change first when `ordered`; return how many."""
    count = legal_moves(t, s, moves)
    for i in range(count):
        keys[i] = sign * _change(t, s, difference, kinds, moves[i])
    if ordered:
        for i in range(1, count):
            move, key = moves[i], keys[i]
            j = i
            while j > 0 and keys[j - 1] < key:
                moves[j], keys[j] = moves[j - 1], keys[j - 1]
                j -= 1
            moves[j], keys[j] = move, key
    return count


@njit(cache=True, nogil=True)
def _finished(s: Ints, mover: int) -> float:
    """Return the value of a finished game to `mover`, 0 or 1."""
    result = s[RESULT]
    if result == DRAW:
        return 0.0
    winner = result - 1 if result > 0 else 2 + result
    value = float(WIN - s[PLIES])
    return value if winner == mover else -value


@njit(cache=True, nogil=True)
def search(
    t: Ints,
    s: Ints,
    difference: Floats,
    kinds: Ints,
    depth: int,
    alpha: float,
    beta: float,
    line: Ints,
    control: Longs,
) -> float:
    """Search `depth` plies and return the value of state `s` for the player to move.

    Fail-soft: with score the exact depth-limited value, ``returned <= alpha`` implies
    ``score <= returned``, ``returned >= beta`` implies ``score >= returned``, and otherwise
    they are equal. Needs ``alpha < beta``; the state is restored, whatever happens. NaN
    when the node limit or the stop flag ended the search.

    `line` int32 ``[depth + 1]`` receives the principal variation, ended by -1.
    """
    top = depth + 1
    moves = np.empty((top, t[PLAYABLE]), np.int32)
    keys = np.empty((top, t[PLAYABLE]), np.float64)
    counts = np.zeros(top, np.int64)
    nexts = np.zeros(top, np.int64)
    bests = np.empty(top, np.float64)
    alphas = np.empty(top, np.float64)
    betas = np.empty(top, np.float64)
    values = np.empty(top, np.float64)
    lines = np.full((top + 1, top + 1), -1, np.int32)
    values[0] = evaluate(t, s, difference, kinds)
    direction = -1.0 if t[MISERE] else 1.0
    alphas[0], betas[0] = alpha, beta
    level = 0
    entering = True
    while True:
        if entering:
            control[NODES] += 1
            if control[NODES] % _CHECK_EVERY == 0 and control[STOP]:
                _rewind(t, s, level)
                return np.nan
            if control[NODE_LIMIT] and control[NODES] > control[NODE_LIMIT]:
                _rewind(t, s, level)
                return np.nan
            mover = s[PLIES] % 2
            lines[level, level] = -1
            leaf = True
            returned = 0.0
            sign = direction if mover == 0 else -direction
            if s[RESULT] != 0:
                returned = _finished(s, mover)
            elif level == depth:
                returned = sign * values[level]
            else:
                leaf = False
                counts[level] = _expand(
                    t,
                    s,
                    difference,
                    kinds,
                    sign,
                    moves[level],
                    keys[level],
                    depth - level > 1,
                )
                nexts[level] = 0
                bests[level] = -np.inf
        elif nexts[level] < counts[level] and bests[level] < betas[level]:
            leaf = False
        else:
            leaf = True
            returned = bests[level]
        if leaf:
            if level == 0:
                break
            undo(t, s)
            level -= 1
            if -returned > bests[level]:
                bests[level] = -returned
                if -returned > alphas[level]:
                    alphas[level] = -returned
                    lines[level, level] = moves[level, nexts[level] - 1]
                    for i in range(level + 1, top + 1):
                        lines[level, i] = lines[level + 1, i]
                        if lines[level, i] < 0:
                            break
            entering = False
            continue
        i = nexts[level]
        nexts[level] += 1
        mover_sign = direction if s[PLIES] % 2 == 0 else -direction
        values[level + 1] = values[level] + mover_sign * keys[level, i]
        alphas[level + 1] = -betas[level]
        betas[level + 1] = -alphas[level]
        play(t, s, moves[level, i])
        level += 1
        entering = True
    for i in range(min(len(line), top + 1)):
        line[i] = lines[0, i]
        if line[i] < 0:
            break
    return returned


@njit(cache=True, nogil=True)
def _rewind(t: Ints, s: Ints, level: int) -> None:
    for _ in range(level):
        undo(t, s)
