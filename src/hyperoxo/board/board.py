"""A board: cells, lines, the two incidence tables between them, and its automorphism group.

A symmetry is a permutation of the playable cells that maps lines to lines and, under gravity,
keeps what rests on what. ``perm[c]`` is the image of cell c, and the image of a position x is the
position y with ``y[perm[c]] == x[c]``. The quarter turn of 3^2 has

    0 1 2        2 5 8                              1 2 .        . 1 .
    3 4 5   ->   1 4 7    perm = 2 5 8 1 4 7 0 3 6    . 1 .   ->   . 1 2
    6 7 8        0 3 6                              . . .        . . .
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board.automorphisms import automorphism_group
from hyperoxo.board.groups import (
    Group,
    chain_group,
    geometric_group,
    gravity_axis,
    merge_orbits,
    multiply,
)
from hyperoxo.errors import LimitError, SpecError

if TYPE_CHECKING:
    from hyperoxo.kernels.canonical import Canonicalizer

MAX_ELEMENTS = 100_000
"""Largest group whose elements are listed, and under which canonical forms are given."""

_FEW_IMAGES = 1 << 14
"""Cells times symmetries up to which all symmetries are tried on colours, rather than sought."""

_MEMORY_LIMIT = 1 << 29
_MANY_DIGITS = 30


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
        Name of the board in a game spec, before blocking: ``"4^3"``, ``"7,6,4"``;
        None for a free hypergraph.
    connect : int or None
        Cells in a line where they are fewer than the side of an n^d board.
    wrap : tuple of int
        Axes along which lines continue over the edge.
    exact : bool
        Whether longer rows than a line do not count, and there may be such rows.
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
    exact: bool = False
    blocked: tuple[int, ...] = ()
    names: tuple[str, ...] | None = None
    cell_ptr: NDArray[np.int64] = field(init=False)
    cell_lines: NDArray[np.int32] = field(init=False)
    # Cells of the lines through each cell that was played, as lists for the interpreter.
    _lines_at: dict[int, list[list[int]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Complete the tables; the lines are distinct, and each names distinct cells in order."""
        # Both incidence tables are compressed rows: the cells of line l are
        # `line_cells[line_ptr[l]:line_ptr[l + 1]]`, the lines through cell c are
        # `cell_lines[cell_ptr[c]:cell_ptr[c + 1]]`. The second is the first sorted by cells; as the
        # sort is stable, lines are ascending in each row.
        cells = np.ascontiguousarray(self.line_cells, dtype=np.int32)
        pointers = np.ascontiguousarray(self.line_ptr, dtype=np.int64)
        line_of = np.repeat(np.arange(len(pointers) - 1, dtype=np.int32), np.diff(pointers))
        # NumPy sorts 16-bit integers by radix, in half the time.
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
        named = self.spelling, self.connect, self.wrap, self.exact
        return self.cell_count, self.shape, self.blocked, *named

    def __repr__(self) -> str:
        size = self.spelling or f"{self.cell_count} cells"
        without = f" without {len(self.blocked)}" if self.blocked else ""
        return f"<Board {size}{without}, {self.line_count} lines>"

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Board, **self._parts()), (self.cell_count, self.line_ptr, self.line_cells)

    def _parts(self) -> dict[str, Any]:
        """Constructor arguments other than cells and lines."""
        names = (one.name for one in fields(self) if one.kw_only and one.init)
        return {name: getattr(self, name) for name in names}

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

    @cached_property
    def beyond(self) -> NDArray[np.int32]:
        """Playable cells by which each line could be longer, -1 for none, int32 ``[L, 2]``.

        If longer rows count, nothing is beyond a line, and the shape is ``[L, 0]``.
        """
        if not self.exact or not self.line_count:
            return np.empty((self.line_count, 0), dtype=np.int32)
        shape = self._shape()
        first, second, last = (
            np.stack(np.unravel_index(self.lines[:, at], shape), axis=1) for at in (0, 1, -1)
        )
        found = np.full((self.line_count, 2), -1, dtype=np.int32)
        for end, place in enumerate((2 * first - second, last + second - first)):
            inside = ((place >= 0) & (place < shape)).all(axis=1)
            found[inside, end] = np.ravel_multi_index(tuple(place[inside].T), shape)
        found[np.isin(found, self.blocked)] = -1
        found.flags.writeable = False
        return found

    def count_full(self, owners: bytearray, cell: int) -> int:
        """Count the full lines that the owner of a cell gained by it; losses count as negative.

        Parameters
        ----------
        owners : bytearray
            Owner of each cell.
        cell : int
            Number of the cell.

        Returns
        -------
        int
            Number of the lines.
        """
        lines = self._lines_at.get(cell)
        if lines is None:
            lines = [self.line(line).tolist() for line in self.lines_through(cell).tolist()]
            self._lines_at[cell] = lines
        owner, full = owners[cell], 0
        for line in lines:
            for other in line:
                if owners[other] != owner:
                    break
            else:
                full += 1
        if full and self.exact:
            before = owners.copy()
            before[cell] = 0
            full = len(full_lines(self, owners, owner)) - len(full_lines(self, before, owner))
        return full

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


def full_lines(board: Board, owners: bytes | bytearray, player: int) -> NDArray[np.intp]:
    """Return the numbers of the full lines of a player (1..q) that count, ascending."""
    return np.flatnonzero(line_owners(board, owners) == player)


def line_owners(
    board: Board, owners: bytes | bytearray, *, longer: bool = False
) -> NDArray[np.uint8]:
    """Return the owner of each full line that counts, or of each one in a longer row, else 0."""
    there, lines = np.frombuffer(owners, np.uint8), board.lines
    owner = there[lines[:, :1]]
    full = ((there[lines] == owner) | (lines < 0)).all(axis=1)
    if board.exact:
        full &= ((there[board.beyond] == owner) & (board.beyond >= 0)).any(axis=1) == longer
    return np.where(full, owner.ravel(), 0)


def cells_beyond(board: Board, line: int) -> list[int]:
    """Return the playable cells by which a line could be longer, where that must not be."""
    return [cell for cell in board.beyond[line].tolist() if cell >= 0]


class Symmetry:
    """Automorphism group of a board, found when first used; `below` is that of the game's gravity.

    Examples
    --------
    >>> import numpy as np
    >>> from hyperoxo.board import hypercube
    >>> symmetry = hypercube(3, 2).symmetry
    >>> symmetry.order, symmetry.orbits()
    (8, [(0, 2, 6, 8), (1, 3, 5, 7), (4,)])
    >>> symmetry.canonical(np.array([0, 0, 0, 2, 1, 0, 0, 0, 0], np.uint8)).tolist()
    [0, 2, 0, 0, 1, 0, 0, 0, 0]
    """

    def __init__(self, board: Board, below: NDArray[np.int32] | None = None) -> None:
        self._board = board
        self._below = below

    def __repr__(self) -> str:
        return f"<Symmetry of {self._board!r}{'' if self._below is None else ', with gravity'}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Symmetry, (self._board, self._below)

    @cached_property
    def _group(self) -> Group:
        return _find_group(self._board, self._below)

    @cached_property
    def order(self) -> int:
        """Exact number of symmetries, however large."""
        return self._group.order()

    @property
    def order_text(self) -> str:
        """The order in print: its digits, or if they are many a product of factorials."""
        many = self._group.exceeds(10**_MANY_DIGITS)
        return self._group.order_text() if many else str(self.order)

    @cached_property
    def generators(self) -> NDArray[np.int32]:
        """Permutations that generate the group, int32 ``[g, N]``, read-only."""
        moves = self._group.moves
        count = self._board.cell_count
        if 4 * len(moves) * count > _MEMORY_LIMIT:
            raise LimitError(f"the generators of this group {_memory_text(len(moves), count)}")
        rows = np.tile(np.arange(count, dtype=np.int32), (len(moves), 1))
        for row, (cells, images) in zip(rows, moves, strict=True):
            row[cells] = images
        rows.flags.writeable = False
        return rows

    @cached_property
    def representatives(self) -> NDArray[np.int32]:
        """For each cell the least cell of its orbit, -1 for blocked cells; int32 ``[N]``."""
        cells = np.arange(self._board.cell_count, dtype=np.int32)
        labels = merge_orbits(cells, self._group.moves)
        labels[list(self._board.blocked)] = -1
        labels.flags.writeable = False
        return labels

    def representatives_of(self, colours: NDArray[np.int64]) -> NDArray[np.int32]:
        """For each cell the least cell of its orbit under colour-preserving symmetries, ``[N]``.

        The colours are owners of cells, say. No list of symmetries is needed, however many there
        are.
        """
        if (colours == colours[0]).all():
            return self.representatives
        if self.order * len(colours) <= _FEW_IMAGES:
            rows = self.permutations()
            least: NDArray[np.int32] = rows[(colours[rows] == colours).all(axis=1)].min(axis=0)
            return least
        cells = np.arange(self._board.cell_count, dtype=np.int32)
        return merge_orbits(cells, _find_group(self._board, self._below, colours).moves)

    def orbits(self) -> list[tuple[int, ...]]:
        """Orbits of the playable cells, each ascending, sorted by smallest cell."""
        playable = self._board.playable
        labels = self.representatives[playable]
        cells = playable[np.argsort(labels, kind="stable")]
        ends = np.cumsum(np.unique(labels, return_counts=True)[1])[:-1]
        return [tuple(orbit.tolist()) for orbit in np.split(cells, ends)]

    def permutations(self) -> NDArray[np.int32]:
        """All symmetries, one per row: int32 ``[order, N]``, the identity first, read-only."""
        return self._permutations

    @cached_property
    def _permutations(self) -> NDArray[np.int32]:
        if self._group.exceeds(MAX_ELEMENTS):
            raise LimitError(f"the list of all symmetries is too long: {self._size_text()}")
        inverses = self._inverses()
        rows = np.empty_like(inverses)
        np.put_along_axis(rows, inverses, np.arange(rows.shape[1], dtype=np.int32)[None], axis=1)
        rows.flags.writeable = False
        return rows

    def _inverses(self) -> NDArray[np.int32]:
        """Inverses of all symmetries, sorted; as a set they are the symmetries themselves."""
        count = self._board.cell_count
        if 4 * self.order * count > _MEMORY_LIMIT:
            raise LimitError(f"the symmetries of this board {_memory_text(self.order, count)}")
        rows = multiply(count, self._group.factors())
        moved = rows != np.arange(count, dtype=np.int32)
        firsts = moved.argmax(axis=1)[moved.any(axis=1)]
        # These cells form a base: an element other than the identity first moves one of them, so
        # two elements that agree on all of them are equal. Sorting by them is enough.
        base = np.unique(firsts)
        return rows[np.lexsort(rows[:, base[::-1]].T)] if len(base) else rows

    def _size_text(self) -> str:
        size = self.order_text
        return f"{int(size):,} elements" if size.isdigit() else f"{size} elements"

    @cached_property
    def _canonicalizer(self) -> Canonicalizer:
        from hyperoxo.kernels.canonical import canonicalizer_of

        if self._group.exceeds(MAX_ELEMENTS):
            raise LimitError(
                f"canonical forms need the whole group; this one has {self._size_text()}, "
                f"over {MAX_ELEMENTS:,}"
            )
        return canonicalizer_of(self._inverses())

    def canonical(self, owners: NDArray[np.uint8] | bytes) -> NDArray[np.uint8]:
        """Canonical forms of positions: of all images the lexicographically greatest."""
        return self.canonical_with(owners)[0]

    def canonical_with(
        self, owners: NDArray[np.uint8] | bytes
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Canonical forms, with the numbers of the symmetries that lead to them."""
        from hyperoxo.kernels.canonical import canonical_forms_with

        plan = self._canonicalizer
        if isinstance(owners, bytes):
            # Kernels are compiled once more for arrays that cannot be written to.
            owners = np.frombuffer(bytearray(owners), np.uint8)
        count = self._board.cell_count
        if (given := owners.shape[-1] if owners.ndim else 0) != count:
            raise SpecError(f"a position of this board has {count:,} cells, not {given:,}")
        rows = np.ascontiguousarray(owners, np.uint8).reshape(-1, count)
        forms, index, _ = canonical_forms_with(rows, plan)
        return forms.reshape(owners.shape), index.reshape(owners.shape[:-1])


def _find_group(
    board: Board, below: NDArray[np.int32] | None, colours: NDArray[np.int64] | None = None
) -> Group:
    # Closed forms first: boards whose lines say nothing, then whole n^d boards, with gravity along
    # an axis or without. Only other boards, and coloured ones, need a search.
    side, dim, cells = board.side, board.dim, board.cell_count
    degenerate = side is not None and dim is not None and (side <= 2 or dim == 1)
    if degenerate or not board.line_count:
        same = np.zeros(cells, np.int64) if colours is None else colours
        return chain_group(cells, board.playable, below, same)
    if side is not None and dim is not None and not board.blocked and colours is None:
        if below is None:
            return geometric_group(side, dim)
        if (axis := gravity_axis(side, dim, below)) is not None:
            return geometric_group(side, dim, gravity=axis)
    return automorphism_group(with_longer_rows(board), below, colours=colours)


def with_longer_rows(board: Board) -> Board:
    """Return a board whose symmetries also preserve the cells beyond each line.

    Its lines are those of the board and, where longer rows do not count, the rows of one cell more:
    the only lines in such a row are those at its ends.
    """
    rows = [np.column_stack((board.lines, beyond))[beyond >= 0] for beyond in board.beyond.T]
    if not rows:
        return board
    longer = np.unique(np.sort(np.concatenate(rows), axis=1), axis=0)
    sizes = np.repeat((*board.lines.shape[1:], *longer.shape[1:]), (board.line_count, len(longer)))
    cells = np.concatenate((board.line_cells, longer.ravel()))
    return Board(board.cell_count, np.r_[0, np.cumsum(sizes)], cells, blocked=board.blocked)


def _memory_text(rows: int, cells: int) -> str:
    size = f"{4 * rows * cells / 2**20:,.0f} MiB"
    return f"would take {size} as permutations, over {_MEMORY_LIMIT // 2**20} MiB"
