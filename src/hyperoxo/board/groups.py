"""Groups of cell permutations as products: exact orders, generators, orbits, elements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int32]
Move = tuple[Cells, Cells]
"""A permutation by the cells it moves and, beside them, their images."""


@dataclass(frozen=True)
class Group:
    """A permutation group, as much of it as is cheap to hold."""

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
        """Tell whether the order is above `limit`, without multiplying huge numbers."""
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
    moves = []
    for blocks in families:
        count = len(blocks)
        places = np.arange(count)
        if count > 1:
            moves.append(permuted_blocks(blocks, np.r_[1, 0, places[2:]]))
        if count > 2:
            moves.append(permuted_blocks(blocks, np.roll(places, -1)))

    def factors() -> Iterator[Cells]:
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
    """Orbits after some more permutations."""
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
