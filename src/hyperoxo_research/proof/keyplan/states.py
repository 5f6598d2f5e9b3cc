"""A state of a plan, its greatest image, and the listed state that stands for it.

A state is Maker's keys and Breaker's, one bit each, and a *row*: the number p of all counted
stones, then for each region the number of its stones, 3 for three or more, and then for each region
its warm lines as a number with a bit for each line. Nothing is known of the stones of an *open*
region: 4 stands for any number of them, and all live lines are warm. In a *wide* state all regions
are open. By counts a row is p alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import njit_or_python as njit
from hyperoxo_research.proof.keyplan.board import Board, Flags, Longs, Regions, Words

MANY, ANY = 3, 4
_BIT, _EIGHT = np.uint64(1), np.uint64(255)


class State(NamedTuple):
    """The keys of both players and the row."""

    maker: np.uint64
    breaker: np.uint64
    row: Longs


class Images(NamedTuple):
    """The greatest image of Maker's keys, and the symmetries that give it."""

    maker: np.uint64
    symmetries: Longs


class Listed(NamedTuple):
    """The states of a plan, ascending by Maker's keys, Breaker's, and the row, ``[states]``."""

    makers: Words
    breakers: Words
    rows: Longs
    """Their rows, ``[states, 1 + 2 * regions]``."""
    leaves: Flags
    """True where pairs settle the state."""
    asked: Longs
    """The most stones for which each is asked for, -1 where it is for none."""


@njit(nogil=True)
def without(board: Board, keys: np.uint64, region: int) -> int:
    """Return the lines of a region with none of some keys."""
    found = 0
    for bit, line in enumerate(board.regions.members[region]):
        if line >= 0 and board.lines.keys_on[line] & keys == 0:
            found |= 1 << bit
    return found


@njit(nogil=True)
def undecided_in(board: Board, state: State, region: int) -> int:
    """Return the live lines of a region that have a free key."""
    live = without(board, state.breaker, region)
    return int(live & ~without(board, ~state.maker, region))


@njit(nogil=True)
def make_normal(board: Board, state: State) -> None:
    """Forget regions without a live line, and warm lines that are not live."""
    row, count = state.row, len(board.regions.members)
    for region in range(count):
        live = without(board, state.breaker, region)
        if live == 0:
            row[1 + region] = 0
        row[1 + count + region] &= live


@njit(nogil=True)
def open_up(board: Board, state: State) -> bool:
    """Write the warm lines of open regions, all that are live; return whether the state is wide."""
    row, count, wide = state.row, len(board.regions.members), True
    for region in range(count):
        live = without(board, state.breaker, region)
        wide &= live == 0 or row[1 + region] == ANY
        if row[1 + region] == ANY:
            row[1 + region] = ANY if live else 0
            row[1 + count + region] = live
    return wide


@njit(nogil=True)
def open_all(board: Board, listed: Listed) -> Flags:
    """Write the warm lines of open regions of each state; return which states are wide."""
    found = np.zeros(len(listed.rows), np.bool_)
    for place in range(len(found)):
        state = State(listed.makers[place], listed.breakers[place], listed.rows[place])
        found[place] = open_up(board, state)
    return found


@njit(nogil=True)
def image(images: Words, symmetry: int, stones: np.uint64) -> np.uint64:
    """Return the image of some keys, by a table of the images of eight at a time."""
    found = np.uint64(0)
    for eight in range(images.shape[1]):
        found |= images[symmetry, eight, stones >> np.uint64(8 * eight) & _EIGHT]
    return found


@njit(nogil=True)
def images_of(images: Words, maker: np.uint64) -> Images:
    """Return the greatest image of Maker's keys, and the symmetries that give it."""
    best, length = np.uint64(0), 0
    found = np.zeros(images.shape[0], np.int64)
    for symmetry in range(images.shape[0]):
        one = image(images, symmetry, maker)
        if one > best:
            best, length = one, 0
        if one == best:
            found[length] = symmetry
            length += 1
    return Images(best, found[:length])


@njit(nogil=True)
def greatest_of(images: Words, symmetries: Longs, breaker: np.uint64) -> np.uint64:
    """Return the greatest image of Breaker's keys under some symmetries."""
    best = np.uint64(0)
    for symmetry in symmetries:
        best = max(best, image(images, symmetry, breaker))
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
def is_before(one: Longs, two: Longs) -> bool:
    """Return whether a row comes before another."""
    for place in range(len(one)):
        if one[place] != two[place]:
            return bool(one[place] < two[place])
    return False


@njit(nogil=True)
def form_of(board: Board, state: State) -> State:
    """Return the greatest image of a state: of Maker's keys, of Breaker's, then of the row."""
    those = images_of(board.images, state.maker)
    breaker = greatest_of(board.images, those.symmetries, state.breaker)
    best, moved = np.full(len(state.row), -1, np.int64), state.row.copy()
    for symmetry in those.symmetries:
        if image(board.images, symmetry, state.breaker) == breaker:
            moved_row(board.regions, symmetry, state.row, moved)
            if is_before(best, moved):
                best[:] = moved
    return State(those.maker, breaker, best)


@njit(nogil=True)
def stands_for(one: Longs, row: Longs) -> bool:
    """Return whether a row stands for another of the same keys."""
    # It is of as many stones, and says no more. Where there are three stones or more, it may have
    # more warm lines.
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
def first_from(listed: Listed, maker: np.uint64, breaker: np.uint64) -> int:
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
def find(board: Board, listed: Listed, those: Images, state: State) -> int:
    """Return the index of a listed state that stands for another, or -1; the row is made normal."""
    # It is the last one that does so under the first symmetry under which one does. `those` are the
    # images of Maker's keys.
    make_normal(board, state)
    # 1. Those of the same keys.
    breaker = greatest_of(board.images, those.symmetries, state.breaker)
    first = first_from(listed, those.maker, breaker)
    last = first_from(listed, those.maker, breaker + _BIT)
    if first == last:
        return -1
    # 2. In any image in which it has these keys.
    moved = state.row.copy()
    for symmetry in those.symmetries:
        if image(board.images, symmetry, state.breaker) == breaker:
            moved_row(board.regions, symmetry, state.row, moved)
            for place in range(last - 1, first - 1, -1):
                if stands_for(listed.rows[place], moved):
                    return place
    return -1


@njit(nogil=True)
def demand(listed: Listed, place: int, stones: int) -> None:
    """Note that a state is asked for with this many stones."""
    listed.asked[place] = max(listed.asked[place], stones)
