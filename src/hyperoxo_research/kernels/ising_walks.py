"""The Ising agent of a published program: walks over the board with steps that double.

A walk is a start and the cells met from there, in order. For a player the energy of a walk is
``table[k]`` for k own stones: the start counts if it is own and may be empty, then own stones
count up to the first empty cell; a rival's stone that is met before makes it 0. Players are 1 and
2, owners of cells int8 with 0 for free. `walks` are those of energies, `won` those of wins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Floats, Longs, fill
from hyperoxo.kernels.rng import advance, below, mix, stream
from hyperoxo_research.kernels.incidence import Incidence

Owners = NDArray[np.int8]

TOLERANCE = 1e-9
"""Energies this close, relative to the greatest, count as equal; the program compares exactly."""


@njit(**NO_REFCOUNT)
def _energy(
    walks: Incidence, table: Floats, owners: Owners, walk: int, player: int, placed: int
) -> float:
    """Energy of one walk to `player`, with one more own stone on `placed` (-1 for none)."""
    own = 0
    for at in range(walks.ptr[walk], walks.ptr[walk + 1]):
        cell = walks.cells[at]
        owner = owners[cell]
        if cell == placed or owner == player:
            own += 1
        elif owner != 0:
            return 0.0
        elif at > walks.ptr[walk]:
            break
    return float(table[own])


@njit(**NO_REFCOUNT)
def walk_candidates(
    walks: Incidence,
    table: Floats,
    owners: Owners,
    mover: int,
    bias: float,
    values: Floats,
    chosen: Longs,
) -> int:
    """Write the cells among which the program draws its move; return their number.

    `values` float64 ``[N]`` gets the energy of each free cell: the mover's after moving there
    plus `bias` times the rival's after moving there instead; `chosen` int64 ``[N]`` the cells.
    """
    # 1. Energies of both players before the move.
    rival = 3 - mover
    before, theirs = 0.0, 0.0
    for walk in range(len(walks.ptr) - 1):
        before += _energy(walks, table, owners, walk, mover, -1)
        theirs += _energy(walks, table, owners, walk, rival, -1)
    # 2. After each move only the walks over its cell change, and none meets a cell twice.
    free = 0
    best = -np.inf
    for cell in range(len(owners)):
        if owners[cell] != 0:
            continue
        free += 1
        mine, other = before, theirs
        for i in range(walks.cell_ptr[cell], walks.cell_ptr[cell + 1]):
            walk = walks.cell_lines[i]
            mine += _energy(walks, table, owners, walk, mover, cell)
            mine -= _energy(walks, table, owners, walk, mover, -1)
            other += _energy(walks, table, owners, walk, rival, cell)
            other -= _energy(walks, table, owners, walk, rival, -1)
        values[cell] = mine + bias * other
        best = max(best, values[cell])
        chosen[0] = cell
    # 3. The last free cell is not judged; else the best cells, or what the program takes if none
    #    is better than before.
    if free == 1:
        return 1
    near = TOLERANCE * max(1.0, abs(best), abs(before))
    if best > before + near:
        return _greatest(owners, values, best - near, chosen)
    return _leftovers(owners, values, -before * before, near, chosen)


@njit(**NO_REFCOUNT)
def _greatest(owners: Owners, values: Floats, least: float, chosen: Longs) -> int:
    count = 0
    for cell in range(len(owners)):
        if owners[cell] == 0 and values[cell] >= least:
            chosen[count] = cell
            count += 1
    return count


@njit(**NO_REFCOUNT)
def _leftovers(owners: Owners, values: Floats, low: float, near: float, chosen: Longs) -> int:
    """Write the cells that the program's second loop keeps if no move raises the energy."""
    # Once the greatest value so far is there it keeps every later cell, whatever its value.
    # `low` is the running maximum: after a new one the list begins again, and until the next one
    # each cell is added, for the program compares `low`, not the cell's value, with what it kept.
    stored = np.nan
    count = 0
    for cell in range(len(owners)):
        if owners[cell] != 0:
            continue
        low = max(low, values[cell])
        if count == 0 or abs(stored - low) > near:
            stored = low
            count = 0
        chosen[count] = cell
        count += 1
    return count


@njit(**NO_REFCOUNT)
def _wins(walks: Incidence, side: int, owners: Owners, cell: int) -> bool:
    """Return whether a walk over the cell begins with exactly `side` stones of its owner."""
    player = owners[cell]
    for i in range(walks.cell_ptr[cell], walks.cell_ptr[cell + 1]):
        walk = walks.cell_lines[i]
        own = 0
        for at in range(walks.ptr[walk], walks.ptr[walk + 1]):
            if owners[walks.cells[at]] != player:
                break
            own += 1
        if own == side:
            return True
    return False


@njit(nogil=True)
def walk_games(
    walks: Incidence,
    won: Incidence,
    side: int,
    table: Floats,
    biases: Floats,
    games: int,
    seed: np.uint64,
    number: int,
    skipped: int,
    results: Longs,
    lengths: Longs,
) -> None:
    """Play games of two players of the program.

    Random choices are those of stream `number` after `skipped` plies, those of earlier games.
    `biases` float64 ``[2]`` has the bias of each, or -1 for random play. `results` int64
    ``[games]`` gets 1 or 2 for the winner, 0 for a draw, `lengths` the plies.
    """
    count = len(walks.cell_ptr) - 1
    owners = np.zeros(count, np.int8)
    values = np.zeros(count, np.float64)
    chosen = np.zeros(count, np.int64)
    # Each ply takes one number of the stream, random or not, so a game depends on those before it
    # only by their length: games of one stream can be resumed after any of them.
    random = stream(seed, number)
    for _ in range(skipped):
        random = advance(random)
    for game in range(games):
        fill(owners, 0)
        results[game] = 0
        lengths[game] = count
        for ply in range(count):
            mover = ply % 2 + 1
            random = advance(random)
            if biases[mover - 1] < 0:
                some = 0
                for cell in range(count):
                    if owners[cell] == 0:
                        chosen[some] = cell
                        some += 1
            else:
                bias = biases[mover - 1]
                some = walk_candidates(walks, table, owners, mover, bias, values, chosen)
            cell = chosen[np.int64(below(mix(random), some))]
            owners[cell] = mover
            if _wins(won, side, owners, cell):
                results[game] = mover
                lengths[game] = ply + 1
                break
