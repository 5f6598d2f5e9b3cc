"""A board: cells, lines and the two incidence tables between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board.symmetry import Symmetry
from hyperoxo.errors import SpecError


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """Cells 0..N-1 and lines, which are sets of cells.

    Boards are immutable and compare by content. They are made by
    :func:`hyperoxo.hypercube`, :func:`hyperoxo.hypergraph` and :func:`hyperoxo.mnk`.

    Attributes
    ----------
    cell_count : int
        N, the number of cells of the full board, blocked ones included.
    side, dim : int or None
        Size of an n^d board with its full lines; None for any other.
    shape : tuple of int or None
        Length of every axis: ``(side,) * dim``, or (rows, columns) of an (m,n,k)
        board; None for a free hypergraph.
    spelling : str or None
        How a game spec names the board before blocking: ``"4^3"``, ``"7,6,4"``;
        None for a free hypergraph.
    connect : int or None
        Cells in a line where they are fewer than the side of an n^d board.
    wrap : tuple of int
        Axes along which lines continue over the edge.
    blocked : tuple of int
        Cells that cannot be played, ascending. No line passes through them.
    names : tuple of str or None
        Names of the cells where the board was read from a file.
    line_ptr, line_cells : ndarray of int64 ``[L+1]`` and int32
        Line ``i`` holds the cells ``line_cells[line_ptr[i]:line_ptr[i+1]]``, ascending.
    cell_ptr, cell_lines : ndarray of int64 ``[N+1]`` and int32
        Cell ``c`` lies on the lines ``cell_lines[cell_ptr[c]:cell_ptr[c+1]]``, ascending.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> board = ox.hypercube(3, 2)
    >>> board.lines_through(4).tolist()
    [2, 3, 4, 6]
    >>> board.lines[board.lines_through(4)].tolist()
    [[0, 4, 8], [1, 4, 7], [2, 4, 6], [3, 4, 5]]
    """

    cell_count: int
    line_ptr: NDArray[np.int64]
    line_cells: NDArray[np.int32]
    _: KW_ONLY
    side: int | None = None
    dim: int | None = None
    shape: tuple[int, ...] | None = None
    spelling: str | None = None
    connect: int | None = None
    wrap: tuple[int, ...] = ()
    blocked: tuple[int, ...] = ()
    names: tuple[str, ...] | None = None
    cell_ptr: NDArray[np.int64] = field(init=False)
    cell_lines: NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        """Complete the tables; the lines are distinct, and each names distinct cells in order."""
        cells = np.ascontiguousarray(self.line_cells, dtype=np.int32)
        pointers = np.ascontiguousarray(self.line_ptr, dtype=np.int64)
        line_of = np.repeat(np.arange(len(pointers) - 1, dtype=np.int32), np.diff(pointers))
        # Numbers of 16 bits are sorted digit by digit, in half the time.
        narrow = cells.astype(np.uint16) if self.cell_count <= 2**16 else cells
        order = np.argsort(narrow, kind="stable")
        cell_ptr = np.zeros(self.cell_count + 1, dtype=np.int64)
        np.cumsum(np.bincount(cells, minlength=self.cell_count), out=cell_ptr[1:])
        arrays: dict[str, NDArray[Any]] = {
            "line_ptr": pointers,
            "line_cells": cells,
            "cell_ptr": cell_ptr,
            "cell_lines": line_of[order],
        }
        for name, array in arrays.items():
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self is other or (
            self._key() == other._key()
            and np.array_equal(self.line_ptr, other.line_ptr)
            and np.array_equal(self.line_cells, other.line_cells)
        )

    def __hash__(self) -> int:
        return hash((self._key(), self.line_cells.tobytes()))

    def _key(self) -> tuple[object, ...]:
        return self.cell_count, self.shape, self.spelling, self.connect, self.wrap, self.blocked

    def __repr__(self) -> str:
        size = self.spelling or f"{self.cell_count} cells"
        without = f" without {len(self.blocked)}" if self.blocked else ""
        return f"<Board {size}{without}, {self.line_count} lines>"

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Board, **self._parts()), (self.cell_count, self.line_ptr, self.line_cells)

    def _parts(self) -> dict[str, Any]:
        """All but cells and lines."""
        return {
            one.name: getattr(self, one.name) for one in fields(self) if one.kw_only and one.init
        }

    @property
    def line_count(self) -> int:
        """Number of lines L."""
        return len(self.line_ptr) - 1

    @cached_property
    def line_sizes(self) -> NDArray[np.int32]:
        """Cells on each line, int32 ``[L]``."""
        return np.diff(self.line_ptr).astype(np.int32)

    @cached_property
    def degrees(self) -> NDArray[np.int32]:
        """Lines through each cell, int32 ``[N]``."""
        return np.diff(self.cell_ptr).astype(np.int32)

    @cached_property
    def playable(self) -> NDArray[np.int32]:
        """Cells that are not blocked, ascending, int32."""
        mask = np.ones(self.cell_count, dtype=bool)
        mask[list(self.blocked)] = False
        return np.flatnonzero(mask).astype(np.int32)

    @cached_property
    def lines(self) -> NDArray[np.int32]:
        """Lines as rows, int32 ``[L, width]``, shorter ones padded with -1."""
        width = int(self.line_sizes.max(initial=0))
        if len(self.line_cells) == self.line_count * width:
            return self.line_cells.reshape(self.line_count, width)
        rows = np.full((self.line_count, width), -1, dtype=np.int32)
        rows[np.arange(width) < self.line_sizes[:, None]] = self.line_cells
        rows.flags.writeable = False
        return rows

    def line(self, number: int) -> NDArray[np.int32]:
        """Return the cells of one line, ascending.

        Parameters
        ----------
        number : int
            Number of the line, from 0.

        Returns
        -------
        ndarray of int32
            Numbers of its cells.
        """
        return self.line_cells[self.line_ptr[number] : self.line_ptr[number + 1]]

    def lines_through(self, cell: int) -> NDArray[np.int32]:
        """Return the numbers of the lines through `cell`, ascending.

        Parameters
        ----------
        cell : int
            Number of the cell.

        Returns
        -------
        ndarray of int32
            Numbers of the lines.
        """
        return self.cell_lines[self.cell_ptr[cell] : self.cell_ptr[cell + 1]]

    def coordinates(self, cell: int) -> tuple[int, ...]:
        """Return the 0-based coordinates of a cell.

        Parameters
        ----------
        cell : int
            Number of the cell.

        Returns
        -------
        tuple of int
            One coordinate for each axis.

        Raises
        ------
        SpecError
            If the board has no coordinates or no such cell.

        Examples
        --------
        >>> import hyperoxo as ox
        >>> ox.hypercube(4, 3).coordinates(27)
        (1, 2, 3)
        """
        shape = self._shape()
        if not 0 <= cell < self.cell_count:
            raise SpecError(f"there is no cell {cell}; cells are 0 to {self.cell_count - 1}")
        result = []
        for length in reversed(shape):
            cell, coordinate = divmod(cell, length)
            result.append(coordinate)
        return tuple(reversed(result))

    def cell(self, coordinates: Sequence[int]) -> int:
        """Return the number of the cell at 0-based `coordinates`.

        Parameters
        ----------
        coordinates : sequence of int
            One coordinate for each axis.

        Returns
        -------
        int
            Number of the cell.

        Raises
        ------
        SpecError
            If the board has no coordinates, or they are too few, too many or out of range.

        Examples
        --------
        >>> import hyperoxo as ox
        >>> ox.hypercube(4, 3).cell((1, 2, 3))
        27
        """
        shape = self._shape()
        if len(coordinates) != len(shape) or not all(
            0 <= x < length for x, length in zip(coordinates, shape, strict=True)
        ):
            text = ",".join(map(str, coordinates))
            ranges = " x ".join(f"0..{length - 1}" for length in shape)
            raise SpecError(f"({text}) is not a cell; coordinates are {ranges}")
        number = 0
        for coordinate, length in zip(coordinates, shape, strict=True):
            number = number * length + coordinate
        return number

    def _shape(self) -> tuple[int, ...]:
        if self.shape is None:
            raise SpecError("this board is a free hypergraph and has no coordinates")
        return self.shape

    def without(self, cells: Iterable[int]) -> Board:
        """Return the board with `cells` blocked, and every line through them gone.

        Parameters
        ----------
        cells : iterable of int
            Cells to block, besides those that are blocked already.

        Returns
        -------
        Board
            Board with the same numbering of cells.

        Raises
        ------
        SpecError
            If a cell does not exist, or none would be left.

        Examples
        --------
        >>> import hyperoxo as ox
        >>> ox.hypercube(3, 4).without([40]).line_count
        232
        """
        chosen = sorted({*self.blocked, *cells})
        if chosen and not 0 <= chosen[0] <= chosen[-1] < self.cell_count:
            wrong = next(cell for cell in chosen if not 0 <= cell < self.cell_count)
            raise SpecError(f"there is no cell {wrong}; cells are 0 to {self.cell_count - 1}")
        if len(chosen) == self.cell_count:
            raise SpecError("every cell is blocked; at least one must stay free")
        alive = np.ones(self.line_count, dtype=bool)
        for cell in chosen:
            alive[self.lines_through(cell)] = False
        sizes = self.line_sizes[alive]
        pointers = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
        cells_left = self.line_cells[np.repeat(alive, self.line_sizes)]
        parts = self._parts() | {"blocked": tuple(int(cell) for cell in chosen)}
        return Board(self.cell_count, pointers, cells_left, **parts)

    @cached_property
    def symmetry(self) -> Symmetry:
        """Automorphism group of the board (without gravity)."""
        return Symmetry(self)
