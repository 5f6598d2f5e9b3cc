"""States of plans of Breaker's by lines: their forms, and where they are listed.

A row has the number of all counted stones, then for each region that of its stones, 3 for three or
more, and then for each region its warm lines as a number with a bit for each line. Nothing is said
of the stones of an *open* region: 4 stands for any number of them, and all live lines are warm. In
a *wide* state all regions are open.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import njit_or_python as njit
from hyperoxo_research.proof.breaker_loops import Longs, PlanLines, Words, image

Flags = NDArray[np.bool_]
MANY, ANY = 3, 4


class Blocks(NamedTuple):
    """Sets of poor and rich lines that bear no more stones than they have spare cells."""

    inside: Flags
    """The lines of each, ``[blocks, lines]``."""
    keys: Words
    """The keys on its lines, a bit each."""
    spare: Longs
    """Its cells, less two for each of its lines."""
    shared: Longs
    """How many cells off the keys it has of each line, ``[blocks, lines]``."""
    common: Longs
    """Most stones on it and on each set of lines of a region, ``[blocks, regions, sets]``."""
    between: Longs
    """How many cells off the keys two of them share, ``[blocks, blocks]``."""


class Regions(NamedTuple):
    """Where stones are counted, and what is known of the sets of lines of each region."""

    of_line: Longs
    """Of each rich line its region, else -1."""
    bit: Longs
    """Of each rich line its bit among those of its region."""
    members: Longs
    """The lines of each region by their bits, -1 where there is none, ``[regions, bits]``."""
    off: Longs
    """Of each line, its cells off the keys."""
    is_key: Flags
    of_cell: Longs
    """Of each cell its region, else -1."""
    on_cell: Longs
    """Of each cell, the lines of its region through it."""
    spare: Longs
    """Of each set of lines, cells off the keys less two for each, ``[regions, sets]``."""
    apart: Longs
    """Of each set, its lines less X, the cells on several of them."""
    loose: Longs
    """v: the greatest `apart` of a part of each set."""
    crossing: Longs
    """Poor and rich lines that share cells off the keys, and how many, ``[pairs, 3]``."""
    least: int
    """u: the least spare cells of two pairs of crossing lines with different rich lines."""
    moved: Longs
    """Where each symmetry moves each region, ``[symmetries, regions]``."""
    moved_bits: Longs
    """Where each symmetry moves the lines of each region, ``[symmetries, regions, bits]``."""
    blocks: Blocks


@njit(nogil=True)
def live_in(lines: PlanLines, regions: Regions, breaker: np.uint64, region: int) -> int:
    """Return the lines of a region that have none of Breaker's keys."""
    found = 0
    for bit, line in enumerate(regions.members[region]):
        if line >= 0 and lines.keys_on[line] & breaker == 0:
            found |= 1 << bit
    return found


@njit(nogil=True)
def make_normal(lines: PlanLines, regions: Regions, breaker: np.uint64, row: Longs) -> None:
    """Forget regions without a live line, and warm lines that are not live."""
    count = len(regions.members)
    for region in range(count):
        live = live_in(lines, regions, breaker, region)
        if live == 0:
            row[1 + region] = 0
        row[1 + count + region] &= live


@njit(nogil=True)
def before(one: Longs, two: Longs) -> bool:
    """Tell whether a row comes before another."""
    for place in range(len(one)):
        if one[place] != two[place]:
            return bool(one[place] < two[place])
    return False


@njit(nogil=True)
def greatest(table: Words, maker: np.uint64) -> tuple[np.uint64, Longs]:
    """Return the greatest image of Maker's keys, and the symmetries that give it."""
    best, length = np.uint64(0), 0
    found = np.zeros(table.shape[0], np.int64)
    for symmetry in range(table.shape[0]):
        one = image(table, symmetry, maker)
        if one > best:
            best, length = one, 0
        if one == best:
            found[length] = symmetry
            length += 1
    return best, found[:length]


@njit(nogil=True)
def greatest_of(table: Words, some: Longs, breaker: np.uint64) -> np.uint64:
    """Return the greatest image of Breaker's keys under some symmetries."""
    best = np.uint64(0)
    for symmetry in some:
        best = max(best, image(table, symmetry, breaker))
    return best


@njit(nogil=True)
def moved_row(regions: Regions, symmetry: int, row: Longs, into: Longs) -> None:
    """Write the image of a row."""
    count = len(regions.members)
    into[0] = row[0]
    for region in range(count):
        there, warm = regions.moved[symmetry, region], 0
        for bit in range(regions.members.shape[1]):
            if row[1 + count + region] >> bit & 1:
                warm |= 1 << regions.moved_bits[symmetry, region, bit]
        into[1 + there], into[1 + count + there] = row[1 + region], warm


@njit(nogil=True)
def form_of(
    table: Words, regions: Regions, some: Longs, breaker: np.uint64, row: Longs
) -> tuple[np.uint64, Longs]:
    """Return the greatest image of Breaker's keys, then of a row, under some symmetries."""
    first, best, moved = np.uint64(0), np.full(len(row), -1, np.int64), row.copy()
    for symmetry in some:
        one = image(table, symmetry, breaker)
        if one < first:
            continue
        moved_row(regions, symmetry, row, moved)
        if one > first or before(best, moved):
            first = one
            best[:] = moved
    return first, best


class Listed(NamedTuple):
    """The states of a plan, those of the same keys together."""

    makers: Words
    breakers: Words
    rows: Longs
    leaves: Flags
    asked: Longs
    """The most stones for which each is asked for, -1 where it is for none."""


@njit(nogil=True)
def open_up(lines: PlanLines, regions: Regions, breaker: np.uint64, row: Longs) -> None:
    """Write the warm lines of open regions, all that are live; without such lines none is open."""
    count = len(regions.members)
    for region in range(count):
        live = live_in(lines, regions, breaker, region)
        if row[1 + region] == ANY:
            row[1 + region] = ANY if live else 0
            row[1 + count + region] = live


@njit(nogil=True)
def open_all(lines: PlanLines, regions: Regions, breakers: Words, rows: Longs) -> Flags:
    """Write the warm lines of open regions of each row; return which rows are wide."""
    found = np.ones(len(rows), np.bool_)
    for place in range(len(rows)):
        open_up(lines, regions, breakers[place], rows[place])
        for region in range(len(regions.members)):
            live = live_in(lines, regions, breakers[place], region)
            found[place] &= live == 0 or rows[place, 1 + region] == ANY
    return found


@njit(nogil=True)
def stands_for(one: Longs, row: Longs) -> bool:
    """Tell whether a row stands for another of the same keys: it says no more, of as many stones.

    Where there are three stones or more, it may have more warm lines.
    """
    count = len(row) // 2
    if row[0] > one[0]:
        return False
    for region in range(1, 1 + count):
        near, warm, other = one[region], one[count + region], row[count + region]
        if near == ANY:
            continue
        if near != row[region] or (other & ~warm if near == MANY else other != warm):
            return False
    return True


@njit(nogil=True)
def find(
    table: Words,
    regions: Regions,
    listed: Listed,
    maker: np.uint64,
    some: Longs,
    breaker: np.uint64,
    row: Longs,
) -> int:
    """Return the place of a listed state that stands for another, or -1.

    It is the last one that does so under the first symmetry under which one does. `maker` is the
    greatest image of Maker's keys, which `some` symmetries give.
    """
    # 1. Those of the same keys.
    best = greatest_of(table, some, breaker)
    first = lower(listed, maker, best)
    last = first
    while last < len(listed.makers) and has_keys(listed, last, maker, best):
        last += 1
    # 2. In any image in which it has these keys.
    moved = row.copy()
    for symmetry in some:
        if image(table, symmetry, breaker) == best:
            moved_row(regions, symmetry, row, moved)
            for place in range(last - 1, first - 1, -1):
                if stands_for(listed.rows[place], moved):
                    return place
    return -1


@njit(nogil=True)
def has_keys(listed: Listed, place: int, maker: np.uint64, breaker: np.uint64) -> bool:
    """Tell whether a listed state has some keys."""
    return bool(listed.makers[place] == maker and listed.breakers[place] == breaker)


@njit(nogil=True)
def lower(listed: Listed, maker: np.uint64, breaker: np.uint64) -> int:
    """Return the first place with some keys or later ones."""
    low, high = 0, len(listed.makers)
    while low < high:
        middle = (low + high) // 2
        one, two = listed.makers[middle], listed.breakers[middle]
        if one < maker or (one == maker and two < breaker):
            low = middle + 1
        else:
            high = middle
    return low


@njit(nogil=True)
def demand(listed: Listed, place: int, stones: int) -> None:
    """Note that a state is asked for with this many stones."""
    listed.asked[place] = max(listed.asked[place], stones)


@njit(nogil=True)
def ask(
    lines: PlanLines,
    regions: Regions,
    table: Words,
    listed: Listed,
    maker: np.uint64,
    some: Longs,
    breaker: np.uint64,
    row: Longs,
) -> int:
    """Return the place of a state in the list, or -1; see `find`. The row is made normal.

    `maker` is the greatest image of Maker's keys, which `some` symmetries give.
    """
    make_normal(lines, regions, breaker, row)
    return find(table, regions, listed, maker, some, breaker, row)
