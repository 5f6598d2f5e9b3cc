"""Playouts of a heuristic Maker against a pairing strategy.

Owners are 0 for a free cell and the numbers of the two players.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes, Floats, Longs, Words, fill
from hyperoxo.kernels.rng import advance, below, fraction, mix
from hyperoxo_research.kernels.incidence import Incidence

Flags = NDArray[np.bool_]


@njit(**NO_REFCOUNT)
def line_values(
    lines: Incidence, wanted: Flags, owners: Bytes, mover: int, more: float, worth: Floats
) -> None:
    """Write the value of each free cell to a player: the sum over its wanted lines.

    A line without stones of others is worth 1, and `more` times as much with each own stone.
    """
    fill(worth, 0.0)
    cells = lines.cells
    for line in range(len(lines.ptr) - 1):
        value = 1.0 if wanted[line] else 0.0
        for at in range(lines.ptr[line], lines.ptr[line + 1]):
            owner = owners[cells[at]]
            if owner == mover:
                value *= more
            elif owner != 0:
                value = 0.0
        if value > 0.0:
            for at in range(lines.ptr[line], lines.ptr[line + 1]):
                if owners[cells[at]] == 0:
                    worth[cells[at]] += value


@njit(**NO_REFCOUNT)
def best_cell(worth: Floats, state: Words) -> int:
    """Return the cell of greatest value after 20 % noise; -1 if all values are 0."""
    best, most = -1, 0.0
    for cell in range(len(worth)):
        if worth[cell] > 0.0:
            state[0] = advance(state[0])
            value = worth[cell] * (0.8 + 0.4 * fraction(mix(state[0])))
            if value > most:
                best, most = cell, value
    return best


@njit(**NO_REFCOUNT)
def any_cell(owners: Bytes, free: int, state: Words) -> int:
    """Return one of the free cells, of which there are `free`, at random."""
    state[0] = advance(state[0])
    left = int(below(mix(state[0]), free))
    for cell in range(len(owners)):
        if owners[cell] == 0:
            if left == 0:
                return cell
            left -= 1
    return -1


@njit(**NO_REFCOUNT)
def completes(lines: Incidence, owners: Bytes, cell: int) -> bool:
    """Return whether the owner of a cell owns a whole line through it."""
    for place in range(lines.cell_ptr[cell], lines.cell_ptr[cell + 1]):
        line = lines.cell_lines[place]
        whole = True
        for at in range(lines.ptr[line], lines.ptr[line + 1]):
            if owners[lines.cells[at]] != owners[cell]:
                whole = False
                break
        if whole:
            return True
    return False


@njit(**NO_REFCOUNT)
def play_pairs(
    lines: Incidence,
    wanted: Flags,
    every: Flags,
    more: float,
    partners: Longs,
    seat: int,
    owners: Bytes,
    worth: Floats,
    moves: Longs,
    ply: int,
    state: Words,
) -> int:
    """Play to the end against the pairing player on `seat`; return the winner, 0 for a draw.

    Maker, to move, takes the best cell by the wanted lines, then by all, then any; with `more` of 0
    any cell at once. Moves are written from place `ply` on; -1 follows the last.
    """
    # partners[cell] is the other cell of its pair, or -1. The pairing player answers there, and
    # plays anywhere if it is taken: an additional stone never harms Breaker.
    free = 0
    for cell in range(len(owners)):
        free += owners[cell] == 0
    winner, mover, last = 0, 3 - seat, -1
    while free > 0 and winner == 0:
        cell = -1
        if mover == seat:
            cell = partners[last]
            if cell >= 0 and owners[cell] != 0:
                cell = -1
        elif more > 0.0:
            line_values(lines, wanted, owners, mover, more, worth)
            cell = best_cell(worth, state)
            if cell < 0:
                line_values(lines, every, owners, mover, more, worth)
                cell = best_cell(worth, state)
        if cell < 0:
            cell = any_cell(owners, free, state)
        owners[cell] = mover
        moves[ply] = last = cell
        ply += 1
        free -= 1
        if completes(lines, owners, cell):
            winner = mover
        mover = 3 - mover
    if ply < len(moves):
        moves[ply] = -1
    return winner
