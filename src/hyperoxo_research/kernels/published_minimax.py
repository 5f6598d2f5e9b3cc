"""Alpha-beta of a published C++ program, faithful to the letter: no table, no depth limit.

Player 2 maximises and player 1 minimises. A value is only taken over when it beats the best so
far, and then it is kept less (for player 1: plus) ten times the depth; so the next move is held
against a value that is smaller than the one its own was, and below the root a later move of the
same value wins over an earlier one.

References
----------
``minimax_optimization`` of the report (github.com/Rao-mi/Tic_Tac_Toe), section 3.1.
"""

from __future__ import annotations

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Ints, Longs
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.state import CELLS, DRAW, RESULT, S_OWNER, may_play, play, undo

WORTH = 100_000
"""The program's value of a win."""
STEP = 10
"""Discount per ply."""


@njit(**NO_REFCOUNT)
def published_search(
    t: Ints, s: Ints, depth: int, alpha: int, beta: int, second: bool, best: Longs, control: Longs
) -> int:
    """Return the value of a position; `best[0]` gets the move at the root, if one is taken.

    `second`: player 2 is to move. The search ends early when `control` stops it.
    """
    result = s[RESULT]
    if visit(control) or result == DRAW:
        return 0
    if result != 0:
        return WORTH if result in (2, -1) else -WORTH
    value = -WORTH if second else WORTH
    for cell in range(t[CELLS]):
        if s[t[S_OWNER] + cell] != 0 or not may_play(t, s, cell, 0):
            continue
        play(t, s, cell)
        found = published_search(t, s, depth + 1, alpha, beta, not second, best, control)
        undo(t, s)
        if (found > value) if second else (found < value):
            # The program's fault is kept: `value` and the window have the penalty of this depth,
            # while `found` of the next move has not, so the two are not on one scale.
            value = found - STEP * depth if second else found + STEP * depth
            if depth == 0:
                best[0] = cell
            if second:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if beta <= alpha:
                break
    return value
