"""Gather kernels (``out[i] = a[index[i]]``), and scans of one position, for benchmarks."""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes, Ints, Longs


@njit(nogil=True)
def gather(board: Bytes, places: Longs) -> Bytes:
    """Return uint8[N], ``board[places[i]]`` for each i."""
    out = np.empty(len(places), dtype=np.uint8)
    for i in range(len(places)):
        out[i] = board[places[i]]
    return out


@njit(**NO_REFCOUNT)
def winner_of(board: Bytes, lines: Ints) -> int:
    """Return the player who owns a whole line int32[L, n] of a board, 0 for none."""
    for i in range(len(lines)):
        owner = board[lines[i][0]]
        for cell in lines[i]:
            if board[cell] != owner:
                owner = 0
        if owner != 0:
            return int(owner)
    return 0


@njit(**NO_REFCOUNT)
def score_of(board: Bytes, lines: Ints, player: int, players: int) -> float:
    """Return 1/d for each line with stones of the player only, less 1/(d (q - 1)) for a rival's."""
    total = 0.0
    for i in range(len(lines)):
        owner = 0
        free = 0
        for cell in lines[i]:
            if board[cell] == 0:
                free += 1
            elif owner == 0 or board[cell] == owner:
                owner = board[cell]
            else:
                owner = -1
                break
        if owner > 0 and free > 0:
            total += 1 / free if owner == player else -1 / (free * (players - 1))
    return total


@njit(**NO_REFCOUNT)
def least_image(board: Bytes, perms: Ints) -> int:
    """Return the index of the permutation int32[g, N] with the lexicographically least image."""
    best = 0
    for g in range(1, len(perms)):
        for cell in range(len(board)):
            one = board[perms[g][cell]]
            two = board[perms[best][cell]]
            if one != two:
                if one < two:
                    best = g
                break
    return best


@njit(nogil=True)
def gather_rows(boards: Bytes, places: Longs) -> Bytes:
    """Return uint8[B, N], `gather` of each row."""
    out = np.empty((len(boards), len(places)), dtype=np.uint8)
    for row in range(len(boards)):
        for i in range(len(places)):
            out[row, i] = boards[row, places[i]]
    return out
