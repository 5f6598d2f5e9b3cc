"""Retrograde analysis of two-player games, layer by layer, and look-up of values.

A value is one byte. Its low two bits are LOST, DRAWN or WON for the player whose turn it is, or
would be had the game not ended; the upper six are the remoteness, the plies left under best play:
winners hasten, losers delay, and drawn games run to the full board.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes, Ints, Longs, Words, copy, fill
from hyperoxo.kernels.classes import BITS, DRAW, Code, canonical, child_of, legal_cells

# A layer holds the classes of one ply, as sorted keys uint64 ``[K, W]`` of `classes`. Every move
# leads to the next layer, so one pass from the last layer to the first gives all values. Six bits
# of remoteness are enough for boards of up to 63 cells.
LOST, DRAWN, WON = range(3)


@njit(**NO_REFCOUNT)
def index_of(keys: Words, key: Words) -> int:
    """Return the index of a key in sorted keys by bisection, or -1."""
    # Keys compare word by word, the first word first.
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) >> 1
        w = 0
        while w < len(key) and keys[middle, w] == key[w]:
            w += 1
        if w == len(key):
            return middle
        if keys[middle, w] < key[w]:
            low = middle + 1
        else:
            high = middle
    return -1


@njit(nogil=True)
def indices_of(owners: Bytes, code: Code, keys: Words, starts: Longs, places: Longs) -> None:
    """Write the index among keys of each position, owners uint8 ``[K, N]``, or -1.

    The keys are sorted within each ply; those of ply k go from ``starts[k]`` to ``starts[k + 1]``.
    """
    key = np.empty(keys.shape[1], np.uint64)
    row = np.empty(code.images.shape[1:], np.uint64)
    for i in range(len(owners)):
        ply = pack(owners[i], code.cells, code.where, code.shift, key)
        places[i] = -1
        if ply + 1 < len(starts):
            canonical(key, code.images, code.where, code.shift, code.rules[BITS], row)
            place = index_of(keys[starts[ply] : starts[ply + 1]], key)
            places[i] = starts[ply] + place if place >= 0 else -1


@njit(**NO_REFCOUNT)
def pack(owners: Bytes, cells: Longs, where: Longs, shift: Words, key: Words) -> int:
    """Write the key of a position, not canonical yet; return the number of stones."""
    fill(key, 0)
    ply = 0
    for i in range(len(cells)):
        owner = owners[cells[i]]
        ply += owner != 0
        key[where[i]] |= np.uint64(owner) << shift[i]
    return ply


@njit(nogil=True)
def link(
    code: Code, keys: Words, results: Ints, ply: int, nexts: Words, ends: Longs, targets: Longs,
    moves: Ints,
) -> None:  # fmt: skip
    """Write the indices of all children among the sorted keys `nexts` of the next layer.

    Position i has its children, in the order of the moves, from ``ends[i]`` to
    ``ends[i + 1]`` in `targets` and `moves`; `ends` is filled in here.
    """
    # CSR form. Finished positions have no children; equivalent moves stay separate entries.
    row = np.empty(code.images.shape[1:], np.uint64)
    child = np.empty(keys.shape[1], np.uint64)
    cells = np.empty(len(code.cells), np.int32)
    at = 0
    ends[0] = 0
    for i in range(len(keys)):
        if results[i] == 0:
            for place in range(legal_cells(keys[i], code, ply, cells)):
                child_of(keys[i], code, ply, cells[place], row, child)
                targets[at] = index_of(nexts, child)
                moves[at] = cells[place]
                at += 1
        ends[i + 1] = at


@njit(**NO_REFCOUNT)
def back_up(
    results: Ints, ends: Longs, targets: Longs, nexts: Bytes, ply: int, cells: int, out: Bytes
) -> None:
    """Write the values of one layer, given its results and the values of the next layer."""
    mover = ply % 2 + 1
    for i in range(len(results)):
        result = results[i]
        if result == DRAW:
            out[i] = DRAWN
        elif result != 0:
            winner = result if result > 0 else 3 + result
            out[i] = WON if winner == mover else LOST
        else:
            out[i] = best_child(nexts, targets, ends[i], ends[i + 1], cells - ply)


@njit(**NO_REFCOUNT)
def best_child(nexts: Bytes, targets: Longs, first: int, last: int, left: int) -> int:
    """Return the value of a position from those of its children."""
    # A child's value is that of the other player: a child LOST in the fewest plies is the best,
    # then a draw, with all `left` cells still free, then the child WON in the most.
    soonest, latest = 1 << 8, -1
    draw = False
    for at in range(first, last):
        value = nexts[targets[at]]
        remoteness = (value >> 2) + 1
        if value & 3 == LOST:
            soonest = min(soonest, remoteness)
        elif value & 3 == DRAWN:
            draw = True
        else:
            latest = max(latest, remoteness)
    if soonest < 1 << 8:
        return soonest << 2 | WON
    if draw:
        return left << 2 | DRAWN
    return latest << 2 | LOST


@njit(nogil=True)
def values_of_moves(
    owners: Bytes, code: Code, keys: Words, starts: Longs, found: Bytes, values: Any, plies: Any
) -> int:
    """Write the value of every legal move of positions, owners uint8 ``[K, N]``.

    `values` int8 ``[K, N]`` gets 1 for a win of the player who moves, 0 for a draw, -1 for a loss,
    `plies` int16 ``[K, N]`` the plies to the end, the move included; cells that are not legal moves
    are left as they are. Returns the first position that is not among the keys, or -1.
    """
    key = np.empty(keys.shape[1], np.uint64)
    child = np.empty(keys.shape[1], np.uint64)
    row = np.empty(code.images.shape[1:], np.uint64)
    moves = np.empty(len(code.cells), np.int32)
    for i in range(len(owners)):
        # 1. The position itself must be in the table; with a remoteness of 0 the game is over.
        ply = pack(owners[i], code.cells, code.where, code.shift, key)
        if ply + 1 >= len(starts):
            return i
        copy(child, key)
        canonical(child, code.images, code.where, code.shift, code.rules[BITS], row)
        place = index_of(keys[starts[ply] : starts[ply + 1]], child)
        if place < 0:
            return i
        if found[starts[ply] + place] >> 2 == 0:
            continue
        # 2. A child's value is for the other player, from one ply later.
        nexts = keys[starts[ply + 1] : starts[ply + 2]]
        for j in range(legal_cells(key, code, ply, moves)):
            child_of(key, code, ply, moves[j], row, child)
            byte = found[starts[ply + 1] + index_of(nexts, child)]
            cell = code.cells[moves[j]]
            values[i, cell] = DRAWN - (byte & 3)
            plies[i, cell] = (byte >> 2) + 1
    return -1
