"""Gathering: the values of an array in the order that a list of places gives."""

from __future__ import annotations

import numpy as np

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Bytes, Longs

__all__ = ["gather", "gather_rows"]


@njit(cache=True, nogil=True)
def gather(board: Bytes, places: Longs) -> Bytes:
    """Return uint8[N], ``board[places[i]]`` for each i.

    Examples
    --------
    >>> gather(np.array([7, 8, 9], dtype=np.uint8), np.array([2, 0, 1])).tolist()
    [9, 7, 8]
    """
    out = np.empty(len(places), dtype=np.uint8)
    for i in range(len(places)):
        out[i] = board[places[i]]
    return out


@njit(cache=True, nogil=True)
def gather_rows(boards: Bytes, places: Longs) -> Bytes:
    """Return uint8[B, N], the same for each row.

    Examples
    --------
    >>> gather_rows(np.array([[7, 8], [1, 2]], dtype=np.uint8), np.array([1, 0])).tolist()
    [[8, 7], [2, 1]]
    """
    out = np.empty((len(boards), len(places)), dtype=np.uint8)
    for row in range(len(boards)):
        for i in range(len(places)):
            out[row, i] = boards[row, places[i]]
    return out
