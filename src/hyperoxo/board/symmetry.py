"""Symmetry of a board: its automorphism group, orbits of cells, canonical forms of positions.

A symmetry is a permutation of the playable cells that maps lines to lines and, under gravity,
keeps what rests on what. ``perm[c]`` is the image of cell c, and the image of a position x is the
position y with ``y[perm[c]] == x[c]``. The quarter turn of 3^2 has

    0 1 2        2 5 8                              1 2 .        . 1 .
    3 4 5   ->   1 4 7    perm = 2 5 8 1 4 7 0 3 6    . 1 .   ->   . 1 2
    6 7 8        0 3 6                              . . .        . . .
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

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
    from hyperoxo.board.board import Board
    from hyperoxo.kernels.canonical import CanonicalPlan

MAX_ELEMENTS = 100_000
"""Largest group whose elements are listed, and under which canonical forms are given."""

_MEMORY_LIMIT = 1 << 29
_MANY_DIGITS = 30


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
        """The order in print: its digits, or a product of factorials where they would be many."""
        if self._group.exceeds(10**_MANY_DIGITS):
            return self._group.order_text()
        return str(self.order)

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
        """For each cell the least that symmetries which keep all colours take it to, int32 ``[N]``.

        The colours are owners of cells, say. No list of symmetries is needed, however many there
        are.
        """
        if (colours == colours[0]).all():
            return self.representatives
        cells = np.arange(self._board.cell_count, dtype=np.int32)
        return merge_orbits(cells, _find_group(self._board, self._below, colours).moves)

    def orbits(self) -> list[tuple[int, ...]]:
        """Orbits of the playable cells, each ascending, sorted by their least cells."""
        playable = self._board.playable
        labels = self.representatives[playable]
        cells = playable[np.argsort(labels, kind="stable")]
        ends = np.cumsum(np.unique(labels, return_counts=True)[1])[:-1]
        return [tuple(orbit.tolist()) for orbit in np.split(cells, ends)]

    def permutations(self) -> NDArray[np.int32]:
        """All symmetries, one a row: int32 ``[order, N]``, the identity first, read-only."""
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
        # An element is known by its images of the cells where, read in order, two can part.
        base = np.unique(firsts)
        return rows[np.lexsort(rows[:, base[::-1]].T)] if len(base) else rows

    def _size_text(self) -> str:
        size = self.order_text
        return f"{int(size):,} elements" if size.isdigit() else f"{size} elements"

    @cached_property
    def _plan(self) -> CanonicalPlan:
        from hyperoxo.kernels.canonical import canonical_plan

        if self._group.exceeds(MAX_ELEMENTS):
            raise LimitError(
                f"canonical forms need the whole group; this one has {self._size_text()}, "
                f"over {MAX_ELEMENTS:,}"
            )
        return canonical_plan(self._inverses())

    def canonical(self, owners: NDArray[np.uint8] | bytes) -> NDArray[np.uint8]:
        """Canonical forms of positions: of all images the lexicographically greatest."""
        return self._walk(owners)[0]

    def canonical_with(
        self, owners: NDArray[np.uint8] | bytes
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Canonical forms, and which symmetry leads to each."""
        forms, index, _ = self._walk(owners)
        return forms, index

    def stabiliser_order(self, owners: NDArray[np.uint8] | bytes) -> NDArray[np.int64]:
        """Number of symmetries that leave each position unchanged, int64 ``[...]``.

        The position has ``order // stabiliser_order`` different images.
        """
        return self._walk(owners)[2]

    def _walk(
        self, owners: NDArray[np.uint8] | bytes
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
        from hyperoxo.kernels.canonical import canonical_forms_with

        plan = self._plan
        if isinstance(owners, bytes):
            # Kernels are compiled once more for arrays that cannot be written to.
            owners = np.frombuffer(bytearray(owners), np.uint8)
        count = self._board.cell_count
        if owners.ndim == 0 or owners.shape[-1] != count:
            given = owners.shape[-1] if owners.ndim else 0
            raise SpecError(f"a position of this board has {count:,} cells, not {given:,}")
        rows = np.ascontiguousarray(owners, np.uint8).reshape(-1, count)
        forms, index, stabiliser = canonical_forms_with(rows, plan)
        shape = owners.shape[:-1]
        return forms.reshape(owners.shape), index.reshape(shape), stabiliser.reshape(shape)


def _find_group(
    board: Board, below: NDArray[np.int32] | None, colours: NDArray[np.int64] | None = None
) -> Group:
    side, dim, cells = board.side, board.dim, board.cell_count
    degenerate = side is not None and dim is not None and (side <= 2 or dim == 1)
    if degenerate or not board.line_count:
        same = np.zeros(cells, np.int64) if colours is None else colours
        return chain_group(cells, board.playable, below, same)
    if side is not None and dim is not None and not board.blocked and colours is None:
        if below is None:
            return geometric_group(side, dim)
        axis = gravity_axis(side, dim, below)
        if axis is not None:
            return geometric_group(side, dim, gravity=axis)
    lines = (board.line_ptr, board.line_cells)
    return automorphism_group(cells, board.playable, *lines, below, colours=colours)


def _memory_text(rows: int, cells: int) -> str:
    size = f"{4 * rows * cells / 2**20:,.0f} MiB"
    return f"would take {size} as permutations, over {_MEMORY_LIMIT // 2**20} MiB"
