"""Cells and lines of boards with coordinates: n^d boards, (m,n,k) boards, shorter lines, tori.

Cells are numbered in C order, coordinates 0-based; on 3^2::

    0 1 2        (0,0) (0,1) (0,2)
    3 4 5   =    (1,0) (1,1) (1,2)
    6 7 8        (2,0) (2,1) (2,2)

and 3^3 is three such layers, cells 0-8, 9-17 and 18-26.

Along a line every coordinate is constant, counts up or counts down, and at least one
moves. Fixing the first moving coordinate to count up names each line of the n^d board
once, which gives ((n+2)^d - n^d)/2 lines for n >= 2 [1]_. Lines shorter than the side
are all runs of that length; where an axis wraps, its last coordinate is followed by 0.

References
----------
.. [1] S. W. Golomb and A. W. Hales, "Hypercube tic-tac-toe", More Games of No
   Chance, MSRI Publications 42 (2002), 167-182.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board.board import Board
from hyperoxo.board.limits import MAX_CELLS, check_memory
from hyperoxo.errors import LimitError, SpecError

Shape = tuple[int, ...]


def hypercube(
    side: int,
    dim: int,
    *,
    connect: int | None = None,
    wrap: bool | Sequence[int] = False,
    exact: bool = False,
    memory_budget: int | None = None,
) -> Board:
    """Build the n^d board.

    Parameters
    ----------
    side : int
        Cells along one axis, n >= 1.
    dim : int
        Number of axes, d >= 1.
    connect : int, optional
        Cells in a line, 1 to n; n unless given.
    wrap : bool or sequence of int
        Axes along which lines continue over the edge; True for all.
    exact : bool
        Whether longer rows than a line do not count.
    memory_budget : int, optional
        Bytes that building may take; default 2 GiB or ``HYPEROXO_MEMORY``.

    Returns
    -------
    Board
        Board with lines in lexicographic order. Its `side` and `dim` are set where the lines
        are those of the n^d board, neither shorter nor wrapped.

    Raises
    ------
    SpecError
        If a size is not a positive integer, `connect` or `wrap` is out of range, or `exact` goes
        with lines of one cell or with wrapping ones.
    LimitError
        If the board would need more memory than the budget; the message gives the size it
        would have needed.

    Examples
    --------
    >>> board = hypercube(3, 3)
    >>> board.cell_count, board.line_count, board.lines.shape
    (27, 49, (49, 3))
    >>> board.lines[0].tolist()
    [0, 1, 2]
    >>> hypercube(5, 2, connect=4).line_count, hypercube(4, 2, wrap=True).line_count
    (28, 16)
    """
    for name, value in (("side", side), ("dimension", dim)):
        if type(value) is not int or value < 1:
            raise SpecError(f"{name} must be a positive integer, not {value!r}")
    spec = f"{side}^{dim}"
    if side == 1 and dim > MAX_CELLS.bit_length():
        raise LimitError(f"board {spec} has {dim:,} axes; the limit is {MAX_CELLS.bit_length()}")
    # Comparing exponents first keeps 9^999999999 from being computed.
    if (side > 1 and dim > MAX_CELLS.bit_length()) or side**dim > MAX_CELLS:
        digits = dim * np.log10(side)
        cells = f"about 10^{digits:.0f}" if digits > 15 else f"{side**dim:,}"
        raise LimitError(f"board {spec} has {cells} cells; the limit is {MAX_CELLS:,}")
    if connect is not None and not 1 <= connect <= side:
        raise SpecError(f"connect must be 1 to {side}, not {connect}")
    axes = _axes(wrap, dim)
    plain = connect in (None, side) and not axes
    return grid(
        (side,) * dim,
        side if connect is None else connect,
        axes,
        spelling=spec,
        side=side if plain else None,
        connect=None if connect == side else connect,
        exact=exact,
        memory_budget=memory_budget,
    )


def mnk(
    columns: int,
    rows: int,
    length: int,
    *,
    wrap: bool | Sequence[int] = False,
    exact: bool = False,
) -> Board:
    """Make the board of an (m,n,k) game: `length` in a row on a grid.

    Parameters
    ----------
    columns, rows : int
        Size of the grid, m and n. Cell ``r * columns + c`` is column c of row r.
    length : int
        Cells in a line, k >= 1.
    wrap : bool or sequence of int
        Axes along which lines continue over the edge: 0 from the last row to the first, 1 from
        the last column to the first; True for both.
    exact : bool
        Whether longer rows than a line do not count.

    Returns
    -------
    Board
        Board with rows, columns and diagonals of exactly k cells as lines.

    Raises
    ------
    SpecError
        If a size is not positive, `wrap` names another axis, or `exact` goes with lines of one cell
        or with wrapping ones.

    Examples
    --------
    >>> mnk(3, 3, 3).line_count, mnk(15, 15, 5).line_count, mnk(7, 6, 4, wrap=[1]).line_count
    (8, 572, 105)
    """
    if min(columns, rows, length) < 1:
        raise SpecError(f"({columns},{rows},{length}) is not a board; all three must be positive")
    if columns * rows > MAX_CELLS:
        raise LimitError(f"board has {columns * rows:,} cells; the limit is {MAX_CELLS:,}")
    spelling = f"{columns},{rows},{length}"
    return grid((rows, columns), length, _axes(wrap, 2), spelling=spelling, exact=exact)


def most_lines(shape: Shape, length: int, wrap: Sequence[int] = ()) -> int:
    """Return an upper bound of the number of lines before they are built.

    It is exact unless different directions give the same line.
    """
    if length <= 1:
        return math.prod(shape)
    # Numbers of runs as `_runs` makes them, by the cells after which their directions come back.
    runs: dict[float, int] = {0: 1}
    for axis, side in enumerate(shape):
        further: dict[float, int] = {}
        for cycle, count in runs.items():
            for motion in _motions(side, wraps=axis in wrap):
                if motion < 0 and not cycle:
                    continue  # the first axis that moves counts up
                if not motion:
                    there, starts = cycle, side
                elif axis in wrap:
                    there = math.inf if cycle == math.inf else math.lcm(int(cycle) or 1, side)
                    starts = side
                else:
                    there, starts = math.inf, max(0, side - length + 1)
                further[there] = further.get(there, 0) + count * starts
        runs = further
    return sum(
        count // (length if cycle == length else 1)
        for cycle, count in runs.items()
        if cycle >= length
    )


def _motions(side: int, *, wraps: bool) -> tuple[int, ...]:
    """Steps of runs along an axis; both ways round two cells are one."""
    return (0, 1) if wraps and side == 2 else (0, 1, -1)


def _axes(wrap: bool | Sequence[int], dim: int) -> Shape:
    axes = tuple(range(dim)) if wrap is True else tuple(sorted({*(wrap or ())}))
    if axes and not 0 <= axes[0] <= axes[-1] < dim:
        wrong = next(axis for axis in axes if not 0 <= axis < dim)
        raise SpecError(f"wrap: there is no axis {wrong}; axes are 0 to {dim - 1}")
    return axes


def grid(
    shape: Shape,
    length: int,
    wrap: Shape,
    *,
    spelling: str,
    side: int | None = None,
    connect: int | None = None,
    exact: bool = False,
    memory_budget: int | None = None,
) -> Board:
    """Build the board whose lines are all runs of `length` cells."""
    if exact and length < 2:
        raise SpecError(f"exact needs lines of at least 2 cells, not of {length}")
    if exact and wrap:
        raise SpecError("exact needs lines that end, and lines that wrap do not")
    cells, most = math.prod(shape), most_lines(shape, length, wrap)
    check_memory(spelling, most * length, cells, memory_budget)
    if not most:  # `length` may be any number then
        lines = np.empty((0, 1), dtype=np.int32)
    elif length == 1:
        lines = np.arange(cells, dtype=np.int32)[:, None]
    elif wrap:
        none = np.empty((0, length), dtype=np.int32)
        runs = [_runs(shape, length, wrap, *one) for one in _directions(shape, length, wrap)]
        # As bytes, the highest first, rows of any width are compared at once.
        found = np.sort(np.concatenate([none, *runs]), axis=1).astype(">i4")
        rows = np.unique(found.view(f"V{4 * length}")).view(">i4")
        lines = rows.reshape(-1, length).astype(np.int32)
    else:
        lines = _straight_runs(shape, length)
    return Board(
        cells,
        np.arange(len(lines) + 1, dtype=np.int64) * length,
        lines.ravel(),
        side=side,
        dim=None if side is None else len(shape),
        shape=shape,
        spelling=spelling,
        connect=connect,
        wrap=wrap,
        exact=exact and length < max(shape),
    )


def _straight_runs(shape: Shape, length: int) -> NDArray[np.int32]:
    """Return all runs of a grid without wrapping, in lexicographic order."""
    # 1. Axis by axis, where runs begin and the step from cell to cell; 0 until an axis moves.
    cells = math.prod(shape)
    starts, steps = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int32)
    stride = cells
    for side in shape:
        stride //= side
        places = np.arange(side, dtype=np.int32) * np.int32(stride)
        low, high = places[: max(0, side - length + 1)], places[length - 1 :]
        down = steps > 0
        further = [
            (starts, places, steps),
            (starts, low, steps + np.int32(stride)),
            (starts[down], high, steps[down] - np.int32(stride)),
        ]
        starts = np.concatenate([(old[:, None] + new).ravel() for old, new, _ in further])
        steps = np.concatenate([np.repeat(step, len(new)) for _, new, step in further])
    # 2. A run is known by its first two cells, and has the first and the step for a key.
    moving = steps > 0
    keys = starts[moving].astype(np.int64) * cells + steps[moving]
    keys.sort()
    first, step = (part.astype(np.int32)[:, None] for part in np.divmod(keys, cells))
    return (first + step * np.arange(length, dtype=np.int32)).astype(np.int32, copy=False)


def _directions(shape: Shape, length: int, wrap: Shape) -> Iterator[tuple[Shape, float]]:
    """Yield the motion along each axis of every direction in which runs go, and its cycle."""
    # A cycle is the number of different cells along a direction: infinite where an axis without
    # wrap moves.
    ways = [_motions(side, wraps=axis in wrap) for axis, side in enumerate(shape)]
    for motions in product(*ways):
        moving = [axis for axis, motion in enumerate(motions) if motion]
        # The first axis that moves counts up.
        if not moving or motions[moving[0]] < 0:
            continue
        straight = [shape[axis] for axis in moving if axis not in wrap]
        cycle = math.inf if straight else math.lcm(*(shape[axis] for axis in moving))
        if cycle >= length and all(side >= length for side in straight):
            yield motions, cycle


def _runs(
    shape: Shape, length: int, wrap: Shape, motions: Shape, cycle: float
) -> NDArray[np.int32]:
    """Return the runs along one direction; those that go round a whole cycle only once."""
    # Each cell of such a run begins it again, and only the result may need memory. So of the
    # longest axis that moves it begins at place 0, where it comes by every `side` steps, at its
    # first cell of these.
    ranges = [
        range(side) if not motion or axis in wrap
        else range(side - length + 1) if motion > 0
        else range(length - 1, side)
        for axis, (side, motion) in enumerate(zip(shape, motions, strict=True))
    ]  # fmt: skip
    if cycle == length:
        side, turning = max((side, axis) for axis, side in enumerate(shape) if motions[axis])
        ranges[turning] = range(1)
    starts = np.arange(math.prod(map(len, ranges)), dtype=np.int32)

    def cells_after(steps: NDArray[np.int32]) -> NDArray[np.int32]:
        cells = np.zeros((len(starts), len(steps)), dtype=np.int32)
        inner, stride = 1, 1
        for axis in reversed(range(len(shape))):
            first = starts // np.int32(inner) % np.int32(len(ranges[axis])) + ranges[axis].start
            place = first[:, None] + motions[axis] * steps
            if axis in wrap:
                place %= shape[axis]
            place *= stride
            cells += place
            inner *= len(ranges[axis])
            stride *= shape[axis]
        return cells

    if cycle == length > side:
        again = cells_after(np.arange(0, length, side, dtype=np.int32))
        starts = starts[again[:, 0] == again.min(axis=1)]
    return cells_after(np.arange(length, dtype=np.int32))
