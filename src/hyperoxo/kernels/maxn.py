"""Max^n: all players take the move that is best for themselves, the lowest of equal cells.

References
----------
C. Luckhardt and K. Irani, "An algorithmic solution of N-person games", AAAI 1986.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import njit
from hyperoxo.kernels.alphabeta import SHADOW, undo_both
from hyperoxo.kernels.arrays import Floats, Ints, Longs, copy, fill
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.evaluation import Weighed, by_lines, finished
from hyperoxo.kernels.state import PLAYABLE, PLAYERS, PLIES, RESULT, legal_moves, play


@njit(nogil=True)
def search_maxn(t: Ints, s: Ints, leaves: Weighed, depth: int, control: Longs, out: Floats) -> bool:
    """Search `depth` plies and write the value to each player into `out`.

    Leaves are evaluated by :func:`hyperoxo.kernels.evaluation.by_lines`. Returns False when a
    limit ended the search; the state is restored all the same.
    """
    # bests[k]: the vector of values, one per player, of the best move at level k so far. Nothing is
    # pruned: max^n allows no deep cutoffs (R. Korf, "Multi-player alpha-beta pruning",
    # Artificial Intelligence 48, 1991).
    players, shadow = t[PLAYERS], control[SHADOW] != 0
    moves = np.empty((depth + 1, t[PLAYABLE]), np.int32)
    counts = np.zeros(depth + 1, np.int64)
    nexts = np.zeros(depth + 1, np.int64)
    bests = np.empty((depth + 1, players), np.float64)
    level = 0
    entering = True
    while True:
        if entering:
            # 1. A limit: the state goes back as it was.
            if visit(control):
                for _ in range(level):
                    undo_both(t, s, leaves, shadow)
                return False
            # 2. A leaf and its value, or the moves of a position: the list of free cells is in an
            #    order that depends on how the position arose.
            counts[level] = nexts[level] = 0
            if s[RESULT] != 0:
                for player in range(players):
                    bests[level, player] = finished(s, player)
            elif level == depth:
                by_lines(t, leaves, bests[level])
            else:
                counts[level] = legal_moves(t, s, moves[level])
                moves[level, : counts[level]].sort()
                fill(bests[level], -np.inf)
        # 3. One move deeper.
        if nexts[level] < counts[level]:
            nexts[level] += 1
            play(t, s, moves[level, nexts[level] - 1])
            if shadow:
                play(leaves.tables, leaves.stones, moves[level, nexts[level] - 1])
            level += 1
            entering = True
            continue
        # 4. Back up: the mover takes the vector that is better for them, of equal ones the first,
        #    which is the lowest cell.
        if level == 0:
            copy(out, bests[0])
            return True
        undo_both(t, s, leaves, shadow)
        level -= 1
        mover = s[PLIES] % players
        if bests[level + 1, mover] > bests[level, mover]:
            copy(bests[level], bests[level + 1])
        entering = False
