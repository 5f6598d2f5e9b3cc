"""Counts of forced wins in many positions, for the benchmark of the threat search."""

from __future__ import annotations

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Ints, Longs, Words
from hyperoxo.kernels.cell_sets import CellSet, get, words_in
from hyperoxo.kernels.threat_bits import FOREVER, find_win_bits


@njit(**NO_REFCOUNT)
def count_wins(
    board: Words, work: Words, control: Longs, stones: Words, like: CellSet, line: Ints
) -> int:
    """Search positions, given as pairs of sets, mover first; return the number of wins.

    `like` is any set of cells of the board.
    """
    size = words_in(like)
    wins = 0
    for at in range(0, len(stones), 2 * size):
        own, other = get(stones, at, like), get(stones, at + size, like)
        wins += find_win_bits(board, work, control, own, other, FOREVER, line) > 0
    return wins
