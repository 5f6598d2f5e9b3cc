"""Canonical forms of positions under a group of cell permutations.

The canonical form of a position is its lexicographically greatest image, read in cell order. It
is found without making the images: the inverse permutations, sorted, are a tree in which two
permutations part at the first cell they fill from different places,

    3^2, inverse permutations sorted      cell 0 filled from   cell 1 filled from
    012345678  036147258                        0         ->        1 | 3
    210543876  258147036                        2         ->        1 | 5
    630741852  678345012                        6         ->        3 | 7
    852741630  876543210                        8         ->        5 | 7

and one walk down the tree, cell by cell, keeps the branches that put the greatest stone on that
cell. Since the permutations are a group, all branches of one level have the same number of leaves,
so a branch is one number: its place among the branches of its level.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import njit
from hyperoxo.kernels.arrays import fill


class Canonicalizer(NamedTuple):
    """Tables for the canonical forms under one group of G permutations of N cells."""

    # A level is a cell that some permutation moves. All branches of a level have the same number
    # of leaves (they are cosets of the subgroup that fixes the cells so far), so branch b of a
    # level begins at permutation b * leaves[level].
    #
    # sources: the cell from which each branch fills the level's cell, level by level.
    # starts: where each level begins in `sources`.
    # leaves: permutations in a branch of each level; the last entry, G, is the root's.
    # cells: the cell of each level; fixed: cells that no permutation moves.
    # orbit: the number of each cell's orbit.
    sources: NDArray[np.uint16] | NDArray[np.uint32]
    starts: NDArray[np.int64]
    leaves: NDArray[np.int64]
    cells: NDArray[np.int64]
    fixed: NDArray[np.int64]
    orbit: NDArray[np.int64]


def canonicalizer_of(inverses: NDArray[np.int32]) -> Canonicalizer:
    """Build the tables of `canonical_forms` from the sorted inverses of all permutations."""
    count, width = inverses.shape
    moved = inverses != np.arange(width, dtype=inverses.dtype)
    active = moved.any(axis=0)
    first_moved = np.where(moved.any(axis=1), moved.argmax(axis=1), width)
    # The permutations that fix cells 0..c are one branch at c; all other branches are as large.
    ending = np.bincount(first_moved, minlength=width + 1)
    branch = count - np.cumsum(ending[:width])
    cells = np.flatnonzero(active)
    leaves = np.append(branch[cells], count).astype(np.int64)
    sizes = count // leaves[:-1]
    starts = np.zeros(len(cells), np.int64)
    np.cumsum(sizes[:-1], out=starts[1:])
    total = int(sizes.sum())
    sources: NDArray[np.uint16] | NDArray[np.uint32] = (
        np.empty(total, np.uint16) if width <= 1 << 16 else np.empty(total, np.uint32)
    )
    for cell, start, size, step in zip(cells, starts, sizes, leaves, strict=False):
        sources[start : start + size] = inverses[::step, cell]
    _, orbit = np.unique(inverses.min(axis=0), return_inverse=True)
    fixed = np.flatnonzero(~active)
    return Canonicalizer(sources, starts, leaves, cells, fixed, orbit.astype(np.int64))


def canonical_forms(owners: NDArray[np.uint8], plan: Canonicalizer) -> NDArray[np.uint8]:
    """Return the lexicographically greatest images of a batch of positions."""
    return canonical_forms_with(owners, plan)[0]


def canonical_forms_with(
    owners: NDArray[np.uint8], plan: Canonicalizer
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Return canonical forms, a permutation that leads to each, and the number that do."""
    batch = len(owners)
    forms = np.empty_like(owners)
    index = np.empty(batch, np.int64)
    stabiliser = np.empty(batch, np.int64)
    walk_down(owners, plan, forms, index, stabiliser)
    return forms, index, stabiliser


@njit(nogil=True)
def walk_down(
    owners: NDArray[np.uint8],
    plan: Canonicalizer,
    forms: NDArray[np.uint8],
    index: NDArray[np.int64],
    stabiliser: NDArray[np.int64],
) -> None:
    """Find canonical forms, a permutation that leads to each, and the number that do."""
    sources, starts, leaves, cells, _, orbit = plan
    levels = np.uint64(len(cells))
    group = np.uint64(leaves[levels])
    here = np.empty(group + np.uint64(1), np.uint64)
    there = np.empty(group + np.uint64(1), np.uint64)
    waiting = np.zeros(len(orbit) + 1, np.int64)
    for b in range(len(owners)):
        x = owners[b]
        y = forms[b]
        # 1. Count the stones that can move: once all are placed, the rest of the form is empty.
        stones = np.int64(0)
        for c in range(len(x)):
            y[c] = x[c]
            stones += np.int64(x[c] != 0)
        for c in plan.fixed:
            stones -= np.int64(x[c] != 0)
        # 2. With few stones most orbits hold none: their cells stay free at no cost. `waiting`
        #    counts the stones of each orbit that are not placed yet.
        sparse = stones * 4 < len(x)
        if sparse:
            fill(waiting, 0)
            for c in range(len(x)):
                waiting[orbit[c]] += np.int64(x[c] != 0)
        # 3. Walk down, until one permutation is left or no stone: `here` has the `count` branches
        #    kept so far, with `size` leaves each.
        size = group
        here[0] = np.uint64(0)
        count = np.uint64(1)
        level = np.uint64(0)
        while level < levels and stones > 0 and (count > 1 or size > 1):
            # 4. A level may be skipped without refining the branches: all of them put nothing on
            #    the cell, and the next level divides by both.
            cell = np.uint64(cells[level])
            if sparse and waiting[orbit[cell]] == 0:
                y[cell] = 0
                level += np.uint64(1)
                continue
            # 5. Each branch splits into `split` smaller ones; those that put the greatest stone on
            #    the cell are kept. Writing first and counting after avoids a conditional jump.
            part = np.uint64(leaves[level])
            split = np.uint64(1) if part == size else size // part
            start = np.uint64(starts[level])
            best = np.uint8(0)
            ties = np.uint64(0)
            for i in range(count):
                first = here[i] * split
                for branch in range(first, first + split):
                    stone = x[sources[start + branch]]
                    if stone > best:
                        best = stone
                        ties = np.uint64(0)
                    there[ties] = branch
                    ties += np.uint64(stone == best)
            here, there = there, here
            count = ties
            size = part
            y[cell] = best
            if best > 0:
                stones -= 1
                if sparse:
                    waiting[orbit[cell]] -= 1
            level += np.uint64(1)
        # 6. The permutations left all lead to the form: as many as its stabiliser has. The cells
        #    below the last level are filled by the only branch, or empty.
        index[b] = here[0] * size
        stabiliser[b] = count * size
        if stones > 0:
            for t in range(level, levels):
                y[cells[t]] = x[sources[np.uint64(starts[t]) + here[0]]]
        else:
            for t in range(level, levels):
                y[cells[t]] = 0
