"""States whose stones are counted by regions: their forms, and where they are listed.

A region is *open* while a live line of it has a free key; cells of other regions, and those of
none, are elsewhere. Counts are one for each region, and one for stones elsewhere, which comes last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.kept_code import njit
from hyperoxo.proof.breaker_loops import RICH, Longs, PlanLines, Words, image

Flags = NDArray[np.bool_]


class Regions(NamedTuple):
    """Where stones are counted."""

    of_line: Longs
    """Of each rich line its region, else -1."""
    of_cell: Longs
    """Of each cell its region, their number where it is in none, and -1 for keys."""
    images: Longs
    """Where each symmetry moves each region, ``[symmetries, regions]``."""


@njit(nogil=True)
def open_ones(lines: PlanLines, regions: Regions, maker: np.uint64, breaker: np.uint64) -> Flags:
    """Tell which regions have a live line with a free key; that of stones elsewhere is open."""
    found = np.zeros(regions.images.shape[1] + 1, np.bool_)
    found[-1] = True
    for line in range(len(lines.kinds)):
        keys = lines.keys_on[line]
        if lines.kinds[line] == RICH and keys & breaker == 0 and keys & ~maker != 0:
            found[regions.of_line[line]] = True
    return found


@njit(nogil=True)
def normal(opened: Flags, counts: Longs) -> Longs:
    """Count the stones of regions that are not open elsewhere."""
    found = counts.copy()
    for region in range(len(opened)):
        if not opened[region]:
            found[-1] += found[region]
            found[region] = 0
    return found


@njit(nogil=True)
def place_of(opened: Flags, region: int) -> int:
    """Return where the stones of a region are counted."""
    return region if opened[region] else len(opened) - 1


@njit(nogil=True)
def form_of(
    table: Words, regions: Regions, maker: np.uint64, breaker: np.uint64, counts: Longs
) -> tuple[np.uint64, np.uint64, Longs]:
    """Return the greatest image of a state: of Maker's keys, then Breaker's, then the counts."""
    first, second, third = np.uint64(0), np.uint64(0), np.full(len(counts), -1, np.int64)
    for symmetry in range(table.shape[0]):
        one = image(table, symmetry, maker)
        if one < first:
            continue
        two = image(table, symmetry, breaker)
        if one == first and two < second:
            continue
        moved = counts.copy()
        for region in range(len(counts) - 1):
            moved[regions.images[symmetry, region]] = counts[region]
        if one > first or two > second or before(third, moved):
            first, second, third = one, two, moved
    return first, second, third


@njit(nogil=True)
def before(one: Longs, two: Longs) -> bool:
    """Tell whether some counts come before others."""
    for place in range(len(one)):
        if one[place] != two[place]:
            return bool(one[place] < two[place])
    return False


@njit(nogil=True)
def find(
    makers: Words,
    breakers: Words,
    counts: Longs,
    maker: np.uint64,
    breaker: np.uint64,
    given: Longs,
) -> int:
    """Return the place of a form in the ascending list, or -1."""
    low, high = 0, len(makers)
    while low < high:
        middle = (low + high) // 2
        one, two = makers[middle], breakers[middle]
        smaller = one < maker or (one == maker and two < breaker)
        if smaller or (one == maker and two == breaker and before(counts[middle], given)):
            low = middle + 1
        else:
            high = middle
    here = low < len(makers) and makers[low] == maker and breakers[low] == breaker
    return low if here and (counts[low] == given).all() else -1


@njit(nogil=True)
def ask(
    lines: PlanLines,
    regions: Regions,
    table: Words,
    makers: Words,
    breakers: Words,
    counts: Longs,
    maker: np.uint64,
    breaker: np.uint64,
    given: Longs,
) -> int:
    """Return the place of a state in the list, or -1."""
    opened = open_ones(lines, regions, maker, breaker)
    one, two, three = form_of(table, regions, maker, breaker, normal(opened, given))
    return find(makers, breakers, counts, one, two, three)
