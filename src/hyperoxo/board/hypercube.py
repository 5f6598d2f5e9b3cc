"""Cells and lines of the n^d board, from the geometry.

Cells are numbered in C order, coordinates 0-based; on 3^2::

    0 1 2        (0,0) (0,1) (0,2)
    3 4 5   =    (1,0) (1,1) (1,2)
    6 7 8        (2,0) (2,1) (2,2)

and 3^3 is three such layers, cells 0-8, 9-17 and 18-26.

A line has n cells. Along it every coordinate stands still, counts up or counts
down, and at least one moves. Fixing the first moving coordinate to count up names
each line once, which gives ((n+2)^d - n^d)/2 lines for n >= 2 [1]_.

References
----------
.. [1] S. W. Golomb and A. W. Hales, "Hypercube tic-tac-toe", More Games of No
   Chance, MSRI Publications 42 (2002), 167-182.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board.board import Board
from hyperoxo.board.limits import MAX_CELLS, check_memory
from hyperoxo.errors import LimitError, SpecError

__all__ = ["hypercube", "line_count"]


def line_count(side: int, dim: int) -> int:
    """Number of lines of the n^d board.

    Parameters
    ----------
    side : int
        Cells along one axis, n >= 1.
    dim : int
        Number of axes, d >= 1.

    Returns
    -------
    int
        ((n+2)^d - n^d)/2 for n >= 2; one line for n = 1.

    Examples
    --------
    >>> line_count(3, 2), line_count(4, 3), line_count(3, 4)
    (8, 76, 272)
    """
    return 1 if side == 1 else int(((side + 2) ** dim - side**dim) // 2)


def hypercube(side: int, dim: int, *, memory_budget: int | None = None) -> Board:
    """Build the n^d board.

    Parameters
    ----------
    side : int
        Cells along one axis, n >= 1.
    dim : int
        Number of axes, d >= 1.
    memory_budget : int, optional
        Bytes that building may take; default 2 GiB or ``HYPEROXO_MEMORY``.

    Returns
    -------
    Board
        Board with `side` and `dim` set, lines in lexicographic order.

    Raises
    ------
    SpecError
        If a size is not a positive integer.
    LimitError
        If the board has more than 10^6 cells or would need more memory than the
        budget; the message gives the size it would have needed.

    Examples
    --------
    >>> board = hypercube(3, 3)
    >>> board.cell_count, board.line_count, board.lines.shape
    (27, 49, (49, 3))
    >>> board.lines[0].tolist()
    [0, 1, 2]
    """
    _check_size(side, dim, memory_budget)
    if side == 1:
        lines = np.zeros((1, 1), dtype=np.int32)
    else:
        lines = np.concatenate(list(_lines_by_direction(side, dim)))
        lines = lines[np.argsort(lines[:, 0].astype(np.int64) * side**dim + lines[:, 1])]
    count, width = lines.shape
    pointers = np.arange(0, (count + 1) * width, width, dtype=np.int64)
    return Board.from_incidence(
        side**dim,
        pointers,
        lines.ravel(),
        side=side,
        dim=dim,
        shape=(side,) * dim,
        spelling=f"{side}^{dim}",
    )


def _check_size(side: int, dim: int, memory_budget: int | None) -> None:
    for name, value in (("side", side), ("dimension", dim)):
        if type(value) is not int or value < 1:
            raise SpecError(f"{name} must be a positive integer, not {value!r}")
    spec = f"{side}^{dim}"
    if side == 1 and dim > MAX_CELLS.bit_length():
        raise LimitError(f"board {spec} has {dim:,} axes; the limit is {MAX_CELLS.bit_length()}")
    # Comparing exponents first keeps 9^999999999 from being computed.
    if (side > 1 and dim > MAX_CELLS.bit_length()) or side**dim > MAX_CELLS:
        raise LimitError(f"board {spec} has {_cells_text(side, dim)}; the limit is {MAX_CELLS:,}")
    check_memory(spec, line_count(side, dim) * side, side**dim, memory_budget)


def _cells_text(side: int, dim: int) -> str:
    if dim * np.log10(side) > 15:
        return f"about 10^{dim * np.log10(side):.0f} cells"
    return f"{side**dim:,} cells"


def _lines_by_direction(side: int, dim: int) -> Iterator[NDArray[np.int32]]:
    """Yield, for every direction up to sign, the lines along it, shape ``(k, side)``."""
    strides = np.array([side ** (dim - 1 - axis) for axis in range(dim)], dtype=np.int64)
    along = np.arange(side, dtype=np.int64)
    for first in range(dim):
        for code in range(3 ** (dim - 1 - first)):
            digits = code
            starts = np.zeros(1, dtype=np.int64)
            step = strides[first]
            for axis in range(dim):
                if axis < first:
                    motion = 0
                elif axis == first:
                    motion = 1
                else:
                    digits, motion = divmod(digits, 3)  # 0 stands, 1 counts up, 2 counts down
                if motion == 0:
                    starts = (starts[:, None] + strides[axis] * along).ravel()
                elif motion == 2:
                    starts = starts + strides[axis] * (side - 1)
                    step = step - strides[axis]
                elif axis != first:
                    step = step + strides[axis]
            yield (starts[:, None] + step * along).astype(np.int32)
