"""States of plans of Breaker's by lines: their forms, and where they are listed.

A row has the number of all counted stones, then for each region that of its stones, 3 for three or
more, and then for each region its warm lines as a number with a bit for each line. A *wide* state
says nothing of where stones are: 4 stands for any number of them in a region, and all live lines
are warm.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.kept_code import njit
from hyperoxo.proof.breaker_loops import Longs, PlanLines, Words, image

Flags = NDArray[np.bool_]
MANY, ANY = 3, 4


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
    """The states of a plan, those of the same keys together, and a wide one before the others."""

    makers: Words
    breakers: Words
    rows: Longs
    leaves: Flags
    wide: Flags
    asked: Longs
    """The most stones for which each is asked for, -1 where it is for none."""


@njit(nogil=True)
def widen(lines: PlanLines, regions: Regions, breaker: np.uint64, row: Longs) -> None:
    """Write what a wide state has for its regions."""
    count = len(regions.members)
    for region in range(count):
        live = live_in(lines, regions, breaker, region)
        row[1 + region] = ANY if live else 0
        row[1 + count + region] = live


@njit(nogil=True)
def find(listed: Listed, maker: np.uint64, breaker: np.uint64, row: Longs) -> int:
    """Return the place of a form in the list, or of a wide state that stands for it, or -1."""
    first = lower(listed, maker, breaker, row, any_row=True)
    if first == len(listed.makers) or not has_keys(listed, first, maker, breaker):
        return -1
    if listed.wide[first] and listed.rows[first, 0] >= row[0]:
        return first
    # The row of a wide state with fewer stones comes before.
    place = lower(listed, maker, breaker, row, any_row=False)
    if place == len(listed.makers) or not has_keys(listed, place, maker, breaker):
        return -1
    return place if (listed.rows[place] == row).all() else -1


@njit(nogil=True)
def has_keys(listed: Listed, place: int, maker: np.uint64, breaker: np.uint64) -> bool:
    """Tell whether a listed state has some keys."""
    return bool(listed.makers[place] == maker and listed.breakers[place] == breaker)


@njit(nogil=True)
def lower(listed: Listed, maker: np.uint64, breaker: np.uint64, row: Longs, any_row: bool) -> int:
    """Return the first place with some keys, and this row or a later one, or where it would be."""
    low, high = 0, len(listed.makers)
    while low < high:
        middle = (low + high) // 2
        one, two = listed.makers[middle], listed.breakers[middle]
        smaller = one < maker or (one == maker and two < breaker)
        if not any_row and one == maker and two == breaker:
            smaller = before(listed.rows[middle], row)
        if smaller:
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
    two, three = form_of(table, regions, some, breaker, row)
    return find(listed, maker, two, three)
