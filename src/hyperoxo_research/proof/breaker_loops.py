"""Compiled loops of the checker of Breaker's plans: matchings, images of states, and the rules.

A cell is *held* by at most one line. A line that seeks one more cell may take a free one on it, or
one that another line holds and that finds a further cell in turn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import njit_or_python as njit

Longs = NDArray[np.int64]
Words = NDArray[np.uint64]

FREE, CLOSED = -1, -2
MAIN, RICH, POOR = range(3)
"""Lines of keys alone, of keys and other cells, and without a key."""
HOLDS, LEAF, KEY, PASS, NOT_LEAST = range(5)
"""What `examine` finds: nothing wrong, pairs that do not hold, a key without an answer, a stone off
the keys without one, a state that is not written in its form."""

_BIT = np.uint64(1)
_EIGHT = np.uint64(255)


class PlanLines(NamedTuple):
    """The lines of a plan."""

    starts: Longs
    cells: Longs
    """The cells of line i are those from ``starts[i]`` to ``starts[i + 1]``."""
    kinds: Longs
    keys_on: Words
    """The keys on each line, a bit each."""
    keys: Longs
    """The cells of the keys."""


class Room(NamedTuple):
    """Room for matchings: who holds each cell, cells tried, and the way there."""

    holder: Longs
    tried: Longs
    lines: Longs
    at: Longs


def room_for(cells: int) -> Room:
    """Return room for matchings on a board of `cells` cells, none of which a path tries twice."""
    return Room(*(np.zeros(count, np.int64) for count in (cells, cells, cells + 1, cells + 1)))


@njit(nogil=True)
def reach(lines: PlanLines, begins: int, room: Room) -> bool:
    """Let a line hold one more cell, by way of cells not tried yet; all others hold as many."""
    holder, tried, way, at = room
    way[0], at[0], depth, entered = begins, lines.starts[begins], 0, True
    while depth >= 0:
        line = way[depth]
        # 1. A free cell ends the way.
        for place in range(lines.starts[line], lines.starts[line + 1] if entered else 0):
            if holder[lines.cells[place]] == FREE:
                holder[lines.cells[place]] = line
                for step in range(depth):
                    holder[lines.cells[at[step] - 1]] = way[step]
                return True
        # 2. One that another line holds is a step on it.
        entered = False
        if at[depth] == lines.starts[line + 1]:
            depth -= 1
            continue
        cell = lines.cells[at[depth]]
        at[depth] += 1
        if not tried[cell] and holder[cell] != CLOSED:
            tried[cell] = 1
            depth += 1
            way[depth], at[depth] = holder[cell], lines.starts[holder[cell]]
            entered = True
    return False


@njit(nogil=True)
def take(lines: PlanLines, one: int, two: int, room: Room) -> bool:
    """Let a line, or one of two, hold one more cell."""
    for cell in range(len(room.tried)):
        room.tried[cell] = 0
    return reach(lines, one, room) or (two >= 0 and reach(lines, two, room))


@njit(nogil=True)
def spare(lines: PlanLines, one: int, two: int, wanted: int, room: Room) -> bool:
    """Tell whether a line, or two together, could hold so many cells besides two each.

    So it is exactly where all sets of lines with this line, or with both, have so many cells more
    than two for each of them (Hall). Afterwards each holds two again.
    """
    found = 0
    while found < wanted and take(lines, one, two, room):
        found += 1
    for line in (one, two):
        kept = 0
        for place in range(lines.starts[line], lines.starts[line + 1]) if line >= 0 else range(0):
            if room.holder[lines.cells[place]] == line:
                kept += 1
                if kept > 2:
                    room.holder[lines.cells[place]] = FREE
    return found == wanted


@njit(nogil=True)
def two_each(lines: PlanLines, wanted: NDArray[np.bool_], room: Room) -> bool:
    """Let each of the wanted lines hold two cells; return whether they can."""
    for line in range(len(lines.kinds)):
        if wanted[line] and not (take(lines, line, -1, room) and take(lines, line, -1, room)):
            return False
    return True


@njit(nogil=True)
def close(lines: PlanLines, taken: np.uint64, room: Room) -> None:
    """Let no line hold anything, and close the keys that are taken."""
    for cell in range(len(room.holder)):
        room.holder[cell] = FREE
    for key in range(len(lines.keys)):
        if taken >> np.uint64(key) & _BIT:
            room.holder[lines.keys[key]] = CLOSED


@njit(nogil=True)
def meet(lines: PlanLines, one: int, two: int) -> bool:
    """Tell whether two lines share a cell."""
    for here in range(lines.starts[one], lines.starts[one + 1]):
        for there in range(lines.starts[two], lines.starts[two + 1]):
            if lines.cells[here] == lines.cells[there]:
                return True
    return False


@njit(nogil=True)
def pairs_hold(
    lines: PlanLines, maker: np.uint64, breaker: np.uint64, counted: int, room: Room
) -> bool:
    """Check a leaf.

    Live lines have two cells each, and every connected set of lines, one of them poor and one rich,
    has `counted` cells more. Such a set holds a poor and a rich line that share a cell.
    """
    live = (lines.keys_on & breaker) == 0
    close(lines, maker | breaker, room)
    if not two_each(lines, live, room):
        return False
    for poor in range(len(live)):
        # A poor line that has enough with any others needs no second look.
        if lines.kinds[poor] != POOR or spare(lines, poor, -1, counted, room):
            continue
        for rich in range(len(live)):
            crosses = lines.kinds[rich] == RICH and live[rich] and meet(lines, poor, rich)
            if crosses and not spare(lines, poor, rich, counted, room):
                return False
    return True


@njit(nogil=True)
def stone_is_met(
    lines: PlanLines,
    maker: np.uint64,
    breaker: np.uint64,
    replies: np.uint64,
    counted: int,
    room: Room,
) -> bool:
    """Check the replies to a stone off the keys.

    There must be one, and every set of live rich lines that none of them hits, with a line that has
    a free key, must have more than `counted` cells off the keys besides two for each line.
    """
    if replies == 0:
        return False
    unhit = (lines.kinds == RICH) & ((lines.keys_on & (breaker | replies)) == 0)
    undecided = unhit & ((lines.keys_on & ~maker) != 0)
    if not undecided.any():
        return True
    close(lines, ~np.uint64(0), room)
    if not two_each(lines, unhit, room):
        return False
    for line in range(len(undecided)):
        if undecided[line] and not spare(lines, line, -1, counted + 1, room):
            return False
    return True


@njit(nogil=True)
def image(table: Words, symmetry: int, stones: np.uint64) -> np.uint64:
    """Return the image of some keys, by a table of the images of eight at a time."""
    found = np.uint64(0)
    for eight in range(table.shape[1]):
        found |= table[symmetry, eight, stones >> np.uint64(8 * eight) & _EIGHT]
    return found


@njit(nogil=True)
def form_of(table: Words, maker: np.uint64, breaker: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the greatest image of a state: of Maker's keys first, then of Breaker's."""
    first, second = image(table, 0, maker), image(table, 0, breaker)
    for symmetry in range(1, table.shape[0]):
        one = image(table, symmetry, maker)
        if one < first:
            continue
        two = image(table, symmetry, breaker)
        if one > first or two > second:
            first, second = one, two
    return first, second


@njit(nogil=True)
def find(makers: Words, breakers: Words, maker: np.uint64, breaker: np.uint64) -> int:
    """Return the place of a form in the ascending list, or -1."""
    low, high = 0, len(makers)
    while low < high:
        middle = (low + high) // 2
        here = makers[middle]
        if here < maker or (here == maker and breakers[middle] < breaker):
            low = middle + 1
        else:
            high = middle
    if low < len(makers) and makers[low] == maker and breakers[low] == breaker:
        return low
    return -1


@njit(nogil=True)
def ask(
    table: Words,
    makers: Words,
    breakers: Words,
    counts: Longs,
    asked: Longs,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
) -> bool:
    """Tell whether a state is listed, for as many counted stones or more, and note the demand."""
    one, two = form_of(table, maker, breaker)
    place = find(makers, breakers, one, two)
    if place < 0 or counts[place] < counted:
        return False
    asked[place] = max(asked[place], counted)
    return True


@njit(nogil=True)
def examine(
    lines: PlanLines,
    table: Words,
    makers: Words,
    breakers: Words,
    counts: Longs,
    leaves: NDArray[np.bool_],
    asked: Longs,
    room: Room,
    place: int,
) -> tuple[int, int]:
    """Check one listed state by the rules; return what is wrong with it, and with which key."""
    maker, breaker, counted = makers[place], breakers[place], counts[place]
    one, two = form_of(table, maker, breaker)
    if one != maker or two != breaker:
        return NOT_LEAST, 0
    if leaves[place]:
        return (HOLDS if pairs_hold(lines, maker, breaker, counted, room) else LEAF), 0
    replies = np.uint64(0)
    taken = maker | breaker
    for key in range(len(lines.keys)):
        bit = _BIT << np.uint64(key)
        if taken & bit:
            continue
        answered = False
        for other in range(len(lines.keys)):
            reply = _BIT << np.uint64(other)
            if other == key or taken & reply or answered:
                continue
            answered = ask(
                table, makers, breakers, counts, asked, maker | bit, breaker | reply, counted
            )
        if not answered:
            return KEY, key
        if ask(table, makers, breakers, counts, asked, maker, breaker | bit, counted + 1):
            replies |= bit
    if not stone_is_met(lines, maker, breaker, replies, counted, room):
        return PASS, 0
    return HOLDS, 0


@njit(nogil=True)
def answers(
    lines: PlanLines, table: Words, makers: Words, breakers: Words, place: int, found: Longs
) -> None:
    """Write the places of all states that follow a state into `found`, -1 where none is listed.

    Row k is for Maker's key k, with a column for each reply; the last row for a stone elsewhere.
    """
    maker, breaker = makers[place], breakers[place]
    taken = maker | breaker
    last = len(lines.keys)
    for key in range(last + 1):
        bit = _BIT << np.uint64(key) if key < last else np.uint64(0)
        for other in range(last):
            reply = _BIT << np.uint64(other)
            found[key, other] = -1
            if not taken & (bit | reply) and bit != reply:
                one, two = form_of(table, maker | bit, breaker | reply)
                found[key, other] = find(makers, breakers, one, two)
