"""Gathering: the values of an array in the order that a list of places gives."""

from __future__ import annotations

import numpy as np

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Bytes, Longs


@njit(cache=True, nogil=True)
def gather(board: Bytes, places: Longs) -> Bytes:
    """Return uint8[N], ``board[places[i]]`` for each i."""
    out = np.empty(len(places), dtype=np.uint8)
    for i in range(len(places)):
        out[i] = board[places[i]]
    return out


@njit(cache=True, nogil=True)
def gather_rows(boards: Bytes, places: Longs) -> Bytes:
    """Return uint8[B, N], the same for each row."""
    out = np.empty((len(boards), len(places)), dtype=np.uint8)
    for row in range(len(boards)):
        for i in range(len(places)):
            out[row, i] = boards[row, places[i]]
    return out
