"""The reading ``doubled`` of Ising: the walks along which a published program counts stones.

On boards n^d its scan starts at a cell, adds a step u and then doubles it (``u += u``), so it looks
at 1, 2, 4, 8, ... steps from the start. It ends at a cell that lies at the end of an axis along
which the step leads, and where cell numbers end. With n = 3 that is a line; with n > 3 a scan
leaves its line, runs on into other rows and misses its own cells. Energies are counted from
cells on the surface of the board: from corners in all directions, from other cells straight inwards
only, so that beyond two dimensions some lines do not count. Wins are sought from every cell in
every direction, and a scan wins that finds exactly n stones; so a full row of 4^2 is not a win.

References
----------
``line_energy``, ``Energy``, ``hyper_constrains`` and ``line_check`` of the program of the report
(github.com/Rao-mi/Tic_Tac_Toe).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.base import moves_of
from hyperoxo.agents.scored import IsingAgent
from hyperoxo.errors import AgentError
from hyperoxo.game import Game, Position
from hyperoxo.heuristics.ising import line_energy
from hyperoxo_research.kernels.incidence import Incidence
from hyperoxo_research.kernels.ising_walks import walk_candidates


def walks_of(walks: Sequence[Sequence[int]], cell_count: int) -> Incidence:
    """Make the tables from lists of cells."""
    sizes = [len(walk) for walk in walks]
    cells = np.array([cell for walk in walks for cell in walk], dtype=np.int64)
    walk_of = np.repeat(np.arange(len(walks), dtype=np.int64), sizes)
    counts = np.bincount(cells, minlength=cell_count)
    return Incidence(
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        cells,
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        walk_of[np.argsort(cells, kind="stable")],
    )


def cells_of_walks(walks: Incidence) -> list[list[int]]:
    """Return the cells of each walk."""
    return [cells.tolist() for cells in np.split(walks.cells, walks.ptr[1:-1])]


def energies_of(walks: Incidence, side: int, c: float | None = None) -> NDArray[np.float64]:
    """Return the energy of a walk by the stones counted on it, k! * c^k."""
    longest = int(np.diff(walks.ptr).max(initial=0))
    return np.array([line_energy(own, side, c) for own in range(longest + 1)])


@lru_cache(maxsize=32)
def energy_walks(side: int, dim: int) -> Incidence:
    """Return the walks along which energies are counted."""
    found = []
    for start, here in enumerate(product(range(side), repeat=dim)):
        ends = [x in (0, side - 1) for x in here]
        if not any(ends):
            continue
        found += [_walk(start, step, side) for step in _inwards(here, side)]
    return walks_of(found, side**dim)


@lru_cache(maxsize=32)
def win_walks(side: int, dim: int) -> Incidence:
    """Return the walks on which the program looks for wins, those that may have n cells."""
    found = []
    for start, here in enumerate(product(range(side), repeat=dim)):
        for step in product((-1, 0, 1), repeat=dim):
            leaves = any(
                (x == 0 and s < 0) or (x == side - 1 and s > 0)
                for x, s in zip(here, step, strict=True)
            )
            if not leaves and any(step):
                walk = _walk(start, step, side)
                if len(walk) >= side:
                    found.append(walk)
    return walks_of(found, side**dim)


def _inwards(here: tuple[int, ...], side: int) -> Iterator[tuple[int, ...]]:
    """Yield the directions of a start: all inward ones from a corner, else along one axis."""
    last = side - 1
    if all(x in (0, last) for x in here):
        choices = [(0, 1 if x == 0 else -1) for x in here]
        yield from (step for step in product(*choices) if any(step))
        return
    for axis, x in enumerate(here):
        if x in (0, last):
            step = [0] * len(here)
            step[axis] = 1 if x == 0 else -1
            yield tuple(step)


def _walk(start: int, step: tuple[int, ...], side: int) -> list[int]:
    """Return the cells of a scan; the first axis counts most in the number of a cell."""
    # As in the program, the only test is for cells on the far side of an axis and for the range of
    # numbers: with doubled steps a scan can wrap around into another row.
    dim = len(step)
    count = side**dim
    weights = [side ** (dim - 1 - axis) for axis in range(dim)]
    walk, ahead = [start], sum(s * weight for s, weight in zip(step, weights, strict=True))
    while 0 <= start + ahead < count:
        cell = start + ahead
        walk.append(cell)
        places = [cell // weight % side for weight in weights]
        if any(
            (s > 0 and x == side - 1) or (s < 0 and x == 0)
            for s, x in zip(step, places, strict=True)
        ):
            break
        ahead += ahead
    return walk


class DoubledIsing(IsingAgent):
    """Minimises the energy of the published program, under the rules of the game."""

    def check(self, game: Game) -> None:
        """Refuse boards on which doubled steps make no sense."""
        super().check(game)
        board = game.board
        if game.players != 2 or board.side is None or board.side < 2 or board.blocked:
            raise AgentError("ising:reading=doubled plays n^d of two players without blocked cells")

    def seat(self, game: Game) -> None:
        """Return None: compiled games know lines alone."""

    def _values(self, position: Position) -> NDArray[np.float64]:
        self.check(position.game)
        board = position.game.board
        assert board.side is not None
        assert board.dim is not None
        walks = energy_walks(board.side, board.dim)
        owners = np.frombuffer(position.owners, dtype=np.int8).copy()
        values, chosen = np.zeros(len(owners)), np.zeros(len(owners), dtype=np.int64)
        energies, mover = energies_of(walks, board.side, self.c), position.to_move
        walk_candidates(walks, energies, owners, mover, self.bias, values, chosen)
        found: NDArray[np.float64] = values[np.array(moves_of(position))]
        return -found if position.game.misere else found
