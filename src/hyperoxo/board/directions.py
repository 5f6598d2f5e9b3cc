"""The directions in which lines leave a cell, and the classes of cells that they distinguish.

A published program for n^d boards gives every cell all directions of {-1, 0, 1}^d and cuts off
those that lead out of the board; here they follow from the lines, so blocked cells and lines
shorter than the board are taken into account.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from hyperoxo.board.board import Board
from hyperoxo.errors import LimitError, SpecError, quoted

MOST_CELLS = 20_000
MOST_AXES = 4

Step = tuple[int, ...]

_KINDS = ("corner", "edge", "face", "facet")
"""By the dimension of the side of the board on which a cell lies."""


@dataclass(frozen=True)
class Ray:
    """A direction in which at least one line leaves a cell."""

    step: Step
    end: int


@dataclass(frozen=True)
class CellClass:
    """Cells of one kind with the same directions up to symmetries of the cube."""

    kind: str
    cell: int
    cells: int
    lines: int
    rays: tuple[Ray, ...]


def cell_kind(board: Board, cell: int) -> str:
    """Return the kind of side of the board on which a cell lies."""
    shape = _shape_of(board)
    free = sum(
        0 < x < length - 1 or length == 1
        for x, length in zip(board.coordinates(cell), shape, strict=True)
    )
    return "inner" if free == len(shape) else _KINDS[free]


def rays(board: Board, cell: int) -> tuple[Ray, ...]:
    """Return the directions in which lines leave a cell."""
    shape, here = _shape_of(board), board.coordinates(cell)
    lines = board.lines[board.lines_through(cell)]
    others = lines[lines != cell]
    moved = np.array(np.unravel_index(others, shape)).T - here
    # The farthest cell of each direction comes last.
    order = np.argsort(abs(moved).max(axis=1))
    steps = map(tuple, np.sign(moved[order]).tolist())
    ends: dict[Step, int] = dict(zip(steps, others[order].tolist(), strict=True))
    return tuple(Ray(step, end) for step, end in sorted(ends.items()))


def inward(board: Board, cell: int, cells: int = 2) -> tuple[Step, ...]:
    """Return the directions in which `cells` cells, this one counted, stay on the board.

    With 2 the directions that lead to a neighbour, whether or not a line takes them.
    """
    shape = _shape_of(board)
    here, far = board.coordinates(cell), cells - 1

    def stays(step: Step) -> bool:
        return all(0 <= x + far * s < n for x, s, n in zip(here, step, shape, strict=True))

    steps = product((-1, 0, 1), repeat=len(shape))
    return tuple(step for step in steps if any(step) and stays(step))


def starts(board: Board, step: Step) -> tuple[int, ...]:
    """Return the cells in which lines start that run in a direction, such as ``(-1, 0)``."""
    shape = _check_step(board, step)
    low, high = board.lines[:, :1].ravel(), board.lines[:, -1:].ravel()
    places = np.array([np.unravel_index(cells, shape) for cells in (low, high)])
    runs = np.sign(places[1] - places[0]).T
    there, back = (runs == step).all(axis=1), (runs == np.negative(step)).all(axis=1)
    return tuple(sorted({*low[there].tolist(), *high[back].tolist()}))


def offset(board: Board, step: Step) -> int:
    """Return the difference of cell numbers of one step in a direction."""
    shape = _check_step(board, step)
    total = 0
    for length, moved in zip(shape, step, strict=True):
        total = total * length + moved
    return total


def _check_step(board: Board, step: Step) -> tuple[int, ...]:
    shape = _shape_of(board)
    if len(step) != len(shape) or not any(step) or not set(step) <= {-1, 0, 1}:
        shown = ",".join(map(str, step))
        raise SpecError(
            f"a direction on this board is {len(shape)} numbers of -1, 0 and 1, not all 0, "
            f"not {quoted(shown)}"
        )
    return shape


def limit_cells(board: Board, axis: int) -> tuple[int, ...]:
    """Return the cells that are the last ones of the board along an axis, on either side."""
    shape = _shape_of(board)
    places = np.unravel_index(np.arange(board.cell_count), shape)[axis]
    return tuple(np.flatnonzero(np.isin(places, (0, shape[axis] - 1))).tolist())


def cell_classes(board: Board) -> tuple[CellClass, ...]:
    """Return the classes of cells by kind and directions."""
    _shape_of(board)
    if board.cell_count > MOST_CELLS:
        raise LimitError(
            f"cells are sorted into classes on boards of up to {MOST_CELLS:,} cells, "
            f"and this one has {board.cell_count:,}"
        )
    classes: dict[tuple[str, tuple[Step, ...]], list[int]] = {}
    turned: dict[tuple[Step, ...], tuple[Step, ...]] = {}
    for cell in board.playable.tolist():
        steps = tuple(ray.step for ray in rays(board, cell))
        if steps not in turned:
            turned[steps] = _turned(steps)
        classes.setdefault((cell_kind(board, cell), turned[steps]), []).append(cell)
    order = ("inner", *reversed(_KINDS))
    found = [
        CellClass(
            kind, cells[0], len(cells), len(board.lines_through(cells[0])), rays(board, cells[0])
        )
        for (kind, _), cells in classes.items()
    ]
    return tuple(sorted(found, key=lambda one: (order.index(one.kind), -len(one.rays), one.cell)))


def _shape_of(board: Board) -> tuple[int, ...]:
    if board.shape is None:
        raise SpecError("this board is a free hypergraph: its lines have no directions")
    if board.wrap:
        raise SpecError(
            "directions are shown on boards whose lines end at the edge, not on a torus"
        )
    if len(board.shape) > MOST_AXES:
        raise SpecError(
            f"directions are shown on boards of up to {MOST_AXES} dimensions, "
            f"and this one has {len(board.shape)}"
        )
    return board.shape


def _turned(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the canonical form of a set of steps: its least image under the cube group."""
    if not steps:
        return ()
    count = len(steps[0])
    return min(
        tuple(sorted(tuple(sign * step[axis] for axis, sign in zip(axes, signs, strict=True))
                     for step in steps))
        for axes in permutations(range(count))
        for signs in product((1, -1), repeat=count)
    )  # fmt: skip
