"""States of plans by lines that are not listed: the checker itself sees whether pairs settle them.

They are wide, so that they stand for all with their keys and no more stones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import njit_or_python as njit
from hyperoxo_research.proof.breaker_line_forms import ANY, Regions, greatest_of, open_up
from hyperoxo_research.proof.breaker_line_loops import pairs_hold
from hyperoxo_research.proof.breaker_loops import Longs, PlanLines, Room, Words

Shorts = NDArray[np.int16]

_BIT = np.uint64(1)
_MANY = 1 << 14
_MIXED = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


class Settled(NamedTuple):
    """Which wide states pairs settle, as far as known; a place has one state at a time."""

    makers: Words
    breakers: Words
    holds: Shorts
    """The most stones with which pairs settle it, -1 where none are known."""
    fails: Shorts
    """The fewest stones with which they do not."""


def nothing_settled(states: int) -> Settled:
    """Return room to remember what pairs settle, for a plan of this many states."""
    places = 1 << min(22, 8 + states.bit_length())
    makers, breakers = np.zeros((2, places), np.uint64)
    holds, fails = np.full(places, -1, np.int16), np.full(places, _MANY, np.int16)
    return Settled(makers, breakers, holds, fails)


@njit(nogil=True)
def settles(
    lines: PlanLines,
    regions: Regions,
    table: Words,
    settled: Settled,
    room: Room,
    maker: np.uint64,
    some: Longs,
    breaker: np.uint64,
    stones: int,
) -> bool:
    """Tell whether pairs settle a wide state.

    `maker` is the greatest image of Maker's keys, which `some` symmetries give.
    """
    # 1. Its form, for which more stones or fewer may have been looked at.
    best = greatest_of(table, some, breaker)
    place = (maker * _MIXED ^ best) * _MIXED >> _HALF
    place &= np.uint64(len(settled.makers) - 1)
    if settled.makers[place] != maker or settled.breakers[place] != best:
        settled.makers[place], settled.breakers[place] = maker, best
        settled.holds[place], settled.fails[place] = -1, _MANY
    if stones <= settled.holds[place]:
        return True
    if stones >= settled.fails[place]:
        return False
    # 2. Else its pairs.
    row = np.full(1 + 2 * len(regions.members), ANY)
    row[0] = stones
    open_up(lines, regions, best, row)
    if pairs_hold(lines, regions, maker, best, row, room):
        settled.holds[place] = stones
        return True
    settled.fails[place] = stones
    return False


@njit(nogil=True)
def lines_through(lines: PlanLines, maker: np.uint64, breaker: np.uint64) -> Longs:
    """Return how many live lines have each free key; -1 where a key is taken."""
    found = np.zeros(len(lines.keys), np.int64)
    for key in range(len(lines.keys)):
        bit = _BIT << np.uint64(key)
        if (maker | breaker) & bit:
            found[key] = -1
            continue
        for on in lines.keys_on:
            found[key] += on & bit != 0 and on & breaker == 0
    return found
