"""The table of the search for a plan of Breaker's: states by an image that stands for all of them.

A state is Maker's and Breaker's stones on the keys, a bit each, and the number of Maker's counted
stones elsewhere, or a word with their numbers by regions. The symmetries that give Maker's keys
their least image are remembered, and so is where states were found last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.kernels.arrays import Bytes, Ints, Longs, Words
from hyperoxo.kernels.breaker_counts import settled, stones_in, word_moved
from hyperoxo.kernels.breaker_rules import PlanBoard
from hyperoxo.kernels.control import NODES
from hyperoxo.kernels.lean import lean

NEVER = 254
"""Rounds of a state that no number of rounds wins."""
KEYS_ALONE = 255
"""Counted in entries that are of the keys alone; see `PlanTable`."""
NO_LEAF = 255
"""Total of `Leaves` where there is none."""

_LOW = np.uint64(255)
_GOLDEN, _SILVER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_FOLD, _HALF = np.uint64(29), np.uint64(32)


class PlanTable(NamedTuple):
    """States that were met, by an image that stands for all of them."""

    makers: Words
    breakers: Words
    counts: Words
    """Counted stones."""
    used: Bytes
    won: Bytes
    lost: Bytes
    """Most rounds that do not win it plus one, or `NEVER`.

    With `KEYS_ALONE` counted, an entry is of all states with these keys: it is a leaf for fewer
    counted stones than `won`, and for `lost` or more it is none.
    """
    first: Ints
    """Of an entry with `KEYS_ALONE`, the last that `Leaves` has of it."""
    recent: Words
    """States asked for, in any image, and their places, ``[entries, 4]``."""
    cosets: Words
    """Maker's keys, their least image, and where `pool` lists the symmetries that give it."""
    pool: Longs
    """Symmetries from place 1 on; the length is at place 0."""


class Leaves(NamedTuple):
    """Which counts of stones are known to make a leaf of some keys, or to make none."""

    bounds: Words
    """Counts: at most these make one, or at least these make none; the number in use is at 0."""
    totals: Bytes
    """Most stones of a leaf, or `NO_LEAF`."""
    others: Ints
    """The next of the same keys; 0 where there is no other."""


@lean
def known_leaf(board: PlanBoard, leaves: Leaves, first: int, counted: int, count: int) -> int:
    """Tell whether it is known that some counts make a leaf, 1, or that they make none, 0; else -1.

    `first` is where the list of the keys begins.
    """
    at = first
    while at:
        bound, none = int(np.int64(leaves.bounds[at])), leaves.totals[at] == NO_LEAF
        fits = none or count <= leaves.totals[at]
        for region in range(board.moved.shape[1] + 1):
            here, there = stones_in(board, counted, region), stones_in(board, bound, region)
            fits &= here >= there if none else here <= there
        if fits:
            return 0 if none else 1
        at = int(leaves.others[at])
    return -1


@lean
def note_leaf(
    board: PlanBoard, table: PlanTable, leaves: Leaves, at: int, bounds: Longs, total: int
) -> None:
    """Note bounds of counts for the keys of an entry, if there is room; see `Leaves`."""
    length = int(leaves.bounds[0]) + 1
    if length == len(leaves.bounds):
        return
    word = 0
    for region in range(board.moved.shape[1] + 1):
        word += bounds[region] << 4 * region
    leaves.bounds[0] = np.uint64(length)
    leaves.bounds[length], leaves.totals[length] = np.uint64(word), total
    leaves.others[length] = table.first[at]
    table.first[at] = length


@lean
def _coset(board: PlanBoard, maker: np.uint64, table: PlanTable) -> int:
    """Return the entry of `cosets` with the symmetries that give Maker's keys their least image."""
    cosets, pool, images = table.cosets, table.pool, board.images
    mixed = (maker ^ maker >> _HALF) * _GOLDEN
    at = int(np.int64(mixed >> _HALF) & np.int64(cosets.shape[0] - 1))
    if cosets[at, 0] == maker and cosets[at, 3]:
        return at
    eights, count = images.shape[0], images.shape[2]
    least_image = ~np.uint64(0)
    for symmetry in range(count):
        image = np.uint64(0)
        for eight in range(eights):
            image |= images[eight, maker >> np.uint64(8 * eight) & _LOW, symmetry]
        least_image = min(least_image, image)
    if int(pool[0]) + count >= len(pool):
        # No more room: forget all of them.
        pool[0] = 1
        for entry in range(cosets.shape[0]):
            cosets[entry, 3] = 0
    first = int(pool[0])
    length = first
    for symmetry in range(count):
        image = np.uint64(0)
        for eight in range(eights):
            image |= images[eight, maker >> np.uint64(8 * eight) & _LOW, symmetry]
        if image == least_image:
            pool[length] = symmetry
            length += 1
    pool[0] = length
    cosets[at, 0], cosets[at, 1] = maker, least_image
    cosets[at, 2], cosets[at, 3] = np.uint64(first), np.uint64(length)
    return at


@lean
def least(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
    table: PlanTable,
    found: Words,
) -> None:
    """Write the least image of a state under the symmetries of the keys into `found`."""
    at = _coset(board, maker, table)
    best, eights, images = ~np.uint64(0), board.images.shape[0], board.images
    given = np.uint64(counted)
    # Stones by regions are moved too; those elsewhere, or alone, stay what they are.
    below = np.uint64((1 << 4 * board.moved.shape[1]) - 1)
    by_regions = counted != KEYS_ALONE and given & below != 0
    word = ~np.uint64(0) if by_regions else given
    for place in range(int(table.cosets[at, 2]), int(table.cosets[at, 3])):
        symmetry = table.pool[place]
        other = np.uint64(0)
        for eight in range(eights):
            other |= images[eight, breaker >> np.uint64(8 * eight) & _LOW, symmetry]
        if other > best:
            continue
        if by_regions:
            image = word_moved(board, given, symmetry)
            word = image if other < best else min(word, image)
        best = other
    found[0], found[1], found[2] = table.cosets[at, 1], best, word


@lean
def place(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
    table: PlanTable,
    found: Words,
) -> int:
    """Return the place of a state in the table, or of the gap where it belongs.

    Its least image is written into `found`. Where states were found last is remembered.
    """
    # 1. A state that was asked for not long ago.
    given, kept = np.uint64(counted), table.recent
    slot = np.int64(_mixed(maker, breaker, given)) & np.int64(kept.shape[0] - 1)
    if kept[slot, 0] == maker and kept[slot, 1] == breaker and kept[slot, 2] == given:
        at = np.int64(kept[slot, 3])
        found[0], found[1], found[2] = table.makers[at], table.breakers[at], table.counts[at]
        return int(at)
    # 2. By its least image, with the stones of regions that are settled counted elsewhere.
    if counted != KEYS_ALONE:
        counted = settled(board, maker, breaker, counted)
    least(board, maker, breaker, counted, table, found)
    mask = np.int64(len(table.used) - 1)
    at = np.int64(_mixed(found[0], found[1], found[2])) & mask
    while table.used[at] and (
        table.makers[at] != found[0]
        or table.breakers[at] != found[1]
        or table.counts[at] != found[2]
    ):
        at = (at + 1) & mask
    if table.used[at]:
        kept[slot, 0], kept[slot, 1], kept[slot, 2] = maker, breaker, given
        kept[slot, 3] = np.uint64(at)
    return int(at)


@lean
def _mixed(maker: np.uint64, breaker: np.uint64, counted: np.uint64) -> np.uint64:
    """Mix the words of a state, each bit into all others."""
    mixed = maker
    for word in (breaker, counted, np.uint64(0)):
        mixed = (mixed ^ mixed >> _HALF) * _GOLDEN
        mixed = (mixed ^ mixed >> _FOLD) * _SILVER ^ word
    return mixed ^ mixed >> _HALF


@lean
def enter(table: PlanTable, at: int, found: Words, control: Longs) -> None:
    """Enter a state, whose least image is `found`, at its place, and count it."""
    table.used[at] = 1
    table.makers[at], table.breakers[at], table.counts[at] = found[0], found[1], found[2]
    control[NODES] += 1


@lean
def move_over(old: PlanTable, new: PlanTable) -> None:
    """Copy all states into a larger table."""
    mask = np.int64(len(new.used) - 1)
    for slot in range(len(old.used)):
        if old.used[slot]:
            maker, breaker, counted = old.makers[slot], old.breakers[slot], old.counts[slot]
            at = np.int64(_mixed(maker, breaker, counted)) & mask
            while new.used[at]:
                at = (at + 1) & mask
            new.used[at] = 1
            new.makers[at], new.breakers[at], new.counts[at] = maker, breaker, counted
            new.won[at], new.lost[at] = old.won[slot], old.lost[slot]
            new.first[at] = old.first[slot]
