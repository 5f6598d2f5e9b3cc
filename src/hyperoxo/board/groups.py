"""Groups of cell permutations as products: exact orders, generators, orbits, elements.

Closed forms for whole n^d boards and for boards with trivial lines; see also `automorphisms`.
"""
# A group is never listed unless asked for. It is held as a chain of coset representatives
# (`factors`): every element is a product of one row from each factor, in exactly one way, so
# the order is the product of the numbers of rows and large groups cost no memory.

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


def geometric_group(side: int, dim: int, *, gravity: int | None = None) -> Group:
    """Automorphism group of the whole n^d board, n >= 3 and d >= 2."""
    # Three kinds of maps keep lines: permuting axes (d!), reversing single axes (2^d), and renaming
    # the values of all axes alike by a permutation that commutes with reversal, h! 2^h of them
    # with h = n // 2. Reversing all axes is also such a renaming, so the order is
    # d! 2^(d-1) h! 2^h; 192 on 4^3. Under gravity its axis stays, and so do all values.
    half = side // 2
    axes = [axis for axis in range(dim) if axis != gravity]
    index = 2 ** (dim - 1) * math.factorial(len(axes))
    if gravity is None:
        index *= 2**half
    orders = [_reordered(dim, axes, order) for order in _generators(len(axes))]
    maps = [_map(side, dim, order=order) for order in orders]
    maps.append(_map(side, dim, reversed_axes=axes[:1]))
    if gravity is None:
        still = (False,) * half
        ways = [([*range(half)], (True, *still[1:]))]
        ways += [(order, still) for order in _generators(half)]
        maps += [_map(side, dim, values=_mirrored(side, *way)) for way in ways]

    def factors() -> Iterator[Cells]:
        orders = itertools.permutations(range(len(axes)))
        yield np.array([_map(side, dim, order=_reordered(dim, axes, order)) for order in orders])
        # Reversing all axes is a renaming of the values too, so one axis is never reversed alone.
        for axis in axes[1:] if gravity is None else axes:
            yield np.array([_map(side, dim), _map(side, dim, reversed_axes=[axis])])
        if gravity is None:
            yield np.array([_map(side, dim, values=values) for values in value_maps(side)])

    degrees = (half,) if gravity is None and half > 1 else ()
    return Group(index, degrees, tuple(map(_moved, maps)), factors)


def chain_group(
    board_cells: int, playable: Cells, below: Cells | None, colours: NDArray[np.int64]
) -> Group:
    """Group of all permutations of the playable cells that keep colours and supports (`below`).

    Valid on boards whose lines every permutation of the cells preserves: side 1 or 2 (all pairs
    of cells are lines), one dimension (the only line is the whole board), no lines at all.
    """
    # Without gravity cells of one colour are interchangeable. With gravity columns are: a
    # permutation carries a column to one with the same colours from the bottom up.
    if below is None:
        kinds = np.unique(colours[playable])
        alike = [playable[colours[playable] == kind] for kind in kinds]
        return block_group(board_cells, [cells[:, None] for cells in alike])
    above = {int(below[cell]): int(cell) for cell in playable if below[cell] >= 0}
    columns: dict[tuple[int, ...], list[list[int]]] = {}
    for cell in playable[below[playable] < 0]:
        column = [int(cell)]
        while column[-1] in above:
            column.append(above[column[-1]])
        columns.setdefault(tuple(colours[column].tolist()), []).append(column)
    return block_group(board_cells, [np.array(rows, np.int32) for rows in columns.values()])


def gravity_axis(side: int, dim: int, below: Cells) -> int | None:
    """Gravity axis of the whole n^d board with these supports, or None."""
    cells = np.arange(side**dim, dtype=np.int32)
    for axis in range(dim):
        stride = side ** (dim - 1 - axis)
        if np.array_equal(below, np.where(cells // stride % side > 0, cells - stride, -1)):
            return axis
    return None


def _map(
    side: int,
    dim: int,
    *,
    order: list[int] | None = None,
    reversed_axes: list[int] | None = None,
    values: NDArray[np.int32] | None = None,
) -> Cells:
    """Permutation of all cells: coordinate ``order[a]`` goes to axis a, reversed or renamed."""
    cells = np.arange(side**dim, dtype=np.int32)
    image = np.zeros(side**dim, np.int32)
    for axis, source in enumerate(order or range(dim)):
        coordinate = cells // side ** (dim - 1 - source) % side
        if reversed_axes and axis in reversed_axes:
            coordinate = side - 1 - coordinate
        if values is not None:
            coordinate = values[coordinate]
        image += coordinate * np.int32(side ** (dim - 1 - axis))
    return image


def _moved(image: Cells) -> Move:
    cells = np.flatnonzero(image != np.arange(len(image), dtype=np.int32)).astype(np.int32)
    return cells, image[cells]


def _reordered(dim: int, axes: list[int], order: list[int] | tuple[int, ...]) -> list[int]:
    result = list(range(dim))
    for axis, place in zip(axes, order, strict=True):
        result[axis] = axes[place]
    return result


def _mirrored(side: int, images: list[int], flips: tuple[bool, ...]) -> NDArray[np.int32]:
    """Values v < n//2 go to ``images[v]``, or opposite it; the upper half follows by reversal."""
    values = np.arange(side, dtype=np.int32)
    for value, (image, flip) in enumerate(zip(images, flips, strict=True)):
        target = side - 1 - image if flip else image
        values[value], values[side - 1 - value] = target, side - 1 - target
    return values


def _generators(count: int) -> list[list[int]]:
    """Generators of the symmetric group of degree `count`: a transposition and a cycle."""
    return [[1, 0, *range(2, count)], [*range(1, count), 0]][: max(0, count - 1)]


def value_maps(side: int) -> Iterator[NDArray[np.int32]]:
    """Yield the permutations of the values of a coordinate that commute with reversal."""
    half = side // 2
    for images in itertools.permutations(range(half)):
        for flips in itertools.product((False, True), repeat=half):
            yield _mirrored(side, list(images), flips)


Cells = NDArray[np.int32]
Move = tuple[Cells, Cells]
"""A sparse permutation: the cells it moves, and their images."""


@dataclass(frozen=True)
class Group:
    """A permutation group; its order is `index` times the factorials of `degrees`."""

    index: int
    degrees: tuple[int, ...]
    moves: tuple[Move, ...]
    factors: Callable[[], Iterator[Cells]]

    def order(self) -> int:
        """Return the exact order, however large."""
        return self.index * math.prod(map(math.factorial, self.degrees))

    def order_text(self) -> str:
        """Return the order, its large factorials written as such: ``"40320"``, ``"2 * 100!"``."""
        small = [degree for degree in self.degrees if degree <= 12]
        large = sorted(degree for degree in self.degrees if degree > 12)
        index = self.index * math.prod(map(math.factorial, small))
        parts = [f"{degree}!" for degree in large]
        return " * ".join(parts if parts and index == 1 else [str(index), *parts])

    def exceeds(self, limit: int) -> bool:
        """Return True if the order is above `limit`, without multiplying huge numbers."""
        total = self.index
        for degree in self.degrees:
            for number in range(2, degree + 1):
                total *= number
                if total > limit:
                    return True
        return total > limit


def permuted_blocks(blocks: Cells, images: NDArray[np.intp]) -> Move:
    """Permutation that carries block ``i`` onto block ``images[i]``, cell by cell."""
    moved = np.flatnonzero(images != np.arange(len(blocks)))
    return blocks[moved].ravel(), blocks[images[moved]].ravel()


def block_group(cell_count: int, families: Sequence[Cells]) -> Group:
    """Direct product of the symmetric groups that permute the blocks of each family."""
    moves = [
        permuted_blocks(blocks, np.array(order))
        for blocks in families
        for order in _generators(len(blocks))
    ]

    def factors() -> Iterator[Cells]:
        # The symmetric group of k blocks as (k)(k-1)...(2): a place is exchanged with itself or
        # with a later one, as in a Fisher-Yates shuffle.
        for blocks in families:
            for first in range(len(blocks) - 1):
                rows = np.tile(np.arange(cell_count, dtype=np.int32), (len(blocks) - first, 1))
                for row, other in enumerate(range(first + 1, len(blocks)), start=1):
                    rows[row, blocks[first]], rows[row, blocks[other]] = (
                        blocks[other],
                        blocks[first],
                    )
                yield rows

    degrees = tuple(len(blocks) for blocks in families if len(blocks) > 1)
    return Group(1, degrees, tuple(moves), factors)


def multiply(cell_count: int, factors: Iterable[Cells]) -> Cells:
    """All products of one row from each factor, int32 ``[product of k, N]``."""
    rows = np.arange(cell_count, dtype=np.int32)[None]
    for factor in factors:
        rows = rows[:, factor].reshape(-1, cell_count)
    return rows


def merge_orbits(labels: NDArray[np.int32], moves: Iterable[Move]) -> NDArray[np.int32]:
    """Coarsen orbits by further permutations (parallel union-find)."""
    # `labels[c]` is the least cell of the orbit of c, a fixed point of `labels`.
    labels = labels.copy()
    pairs = list(moves)
    for cells, images in itertools.chain(pairs, pairs):
        while True:
            ours, theirs = labels[cells], labels[images]
            if np.array_equal(ours, theirs):
                break
            np.minimum.at(labels, np.maximum(ours, theirs), np.minimum(ours, theirs))
            # Hooking roots onto smaller ones leaves chains; halving them ends in a few rounds.
            while not np.array_equal(labels, shorter := labels[labels]):
                labels = shorter
    return labels
