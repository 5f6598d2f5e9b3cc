"""Threat search over many positions in one call."""

from __future__ import annotations

from numba import njit

from hyperoxo.kernels.arrays import Ints, Longs, Words
from hyperoxo.kernels.threat_bits import FOREVER, find_win_bits

__all__ = ["count_wins"]


@njit(cache=True, nogil=True)
def count_wins(
    board: Words, work: Words, control: Longs, own: Words, other: Words, line: Ints
) -> int:
    """Search positions given as words, one after the other; return how many are won."""
    wins = 0
    for i in range(len(own)):
        wins += find_win_bits(board, work, control, own[i], other[i], FOREVER, line) > 0
    return wins
