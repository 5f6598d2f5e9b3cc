"""2-matchings of lines into cells, by shortest augmenting paths.

A cell is *held* by at most one line. A line that seeks one more cell takes a free one on it, or one
that another line holds and that finds a further cell in turn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import njit_or_python as njit
from hyperoxo_research.proof.keyplan.board import Flags, Lines, Longs

FREE, CLOSED = -1, -2
_BIT = np.uint64(1)


class Scratch(NamedTuple):
    """Scratch arrays; each line holds the cells, all of them its own, that `holder` says."""

    holder: Longs
    """Of each cell the line that holds it, FREE or CLOSED, ``[cells]``."""
    tried: Longs
    """1 for each cell that no path need lead through again, ``[cells]``."""
    queue: Longs
    """The lines that a search reaches, the seeking one first, ``[cells + 1]``."""
    by: Longs
    """Of each of them the cell that it holds, by which the search came, ``[cells + 1]``."""
    before: Longs
    """Of each of them the place in the queue of the line from which it came, ``[cells + 1]``."""


def scratch_for(cells: int) -> Scratch:
    """Return scratch arrays for a board of `cells` cells; no path tries a cell twice."""
    return Scratch(*np.zeros((2, cells), np.int64), *np.zeros((3, cells + 1), np.int64))


@njit(nogil=True)
def close(lines: Lines, taken: np.uint64, room: Scratch) -> None:
    """Free all cells, and close the keys that are taken."""
    room.holder[:] = FREE
    for key in range(len(lines.keys)):
        if taken >> np.uint64(key) & _BIT:
            room.holder[lines.keys[key]] = CLOSED


@njit(nogil=True)
def augment(lines: Lines, begins: int, room: Scratch) -> bool:
    """Let a line hold one more cell, by way of cells not tried yet; all others hold as many."""
    holder, tried, queue, by, before = room
    queue[0], length, step = begins, 1, 0
    while step < length:
        line = queue[step]
        for at in range(lines.starts[line], lines.starts[line + 1]):
            cell = lines.cells[at]
            # 1. A free cell ends a shortest path: each line on it, the last one first, takes a cell
            #    and gives the one by which the path came to it.
            if holder[cell] == FREE:
                while step > 0:
                    holder[cell], cell, step = queue[step], by[step], before[step]
                holder[cell] = begins
                return True
            # 2. A cell that a line holds is a step to that line, which then seeks one instead.
            if not tried[cell] and holder[cell] != CLOSED:
                tried[cell] = 1
                queue[length], by[length], before[length] = holder[cell], cell, step
                length += 1
        step += 1
    return False


@njit(nogil=True)
def spare_with(lines: Lines, line: int, held: int, most: int, closed: Longs, room: Scratch) -> int:
    """Return the cells beside two each that some lines can hold with one more, at most `most`."""
    # By Hall's theorem these are the least spare cells of a set with all of them. They hold `held`
    # already and can hold no other: no path leads out of the closed cells, those that were tried
    # for them. So only the new line can hold more, and they cannot when it does. If that is not
    # enough, those tried are closed.
    while True:
        room.tried[:] = closed
        if held == most or not augment(lines, line, room):
            return held
        held += 1


@njit(nogil=True)
def have_two_each(lines: Lines, wanted: Flags, room: Scratch) -> bool:
    """Let each of the wanted lines hold two cells; return whether they can."""
    none = np.zeros_like(room.tried)
    for line in range(len(wanted)):
        if wanted[line] and spare_with(lines, line, 0, 2, none, room) < 2:
            return False
    return True


@njit(nogil=True)
def can_have_more(lines: Lines, among: Flags, room: Scratch) -> Flags:
    """Return which of some lines can hold one more cell, if others change theirs."""
    # Those that asked before and can hold no more give none away either, for no path leads on from
    # them. The cells that lines hold are all held by such as these.
    holder, able = room.holder, np.zeros(len(among), np.bool_)
    grew = True
    while grew:
        grew = False
        for line in range(len(among)):
            if able[line] or not among[line]:
                continue
            for at in range(lines.starts[line], lines.starts[line + 1]):
                held = holder[lines.cells[at]]
                if held == FREE or (held != CLOSED and able[held]):
                    able[line] = grew = True
    return able


@njit(nogil=True)
def tightest_with(
    lines: Lines, among: Flags, asking: Flags, able: Flags, room: Scratch
) -> tuple[Flags, Flags]:
    """Return the largest set with those that ask and the fewest spare cells, and its cells."""
    # None of those that ask can have one more cell. A line is not in the set if it can, or if it is
    # not connected with them.
    holder = room.holder
    found, reached = asking.copy(), np.zeros(len(holder), np.bool_)
    grew = True
    while grew:
        grew = False
        for line in range(len(among)):
            for at in range(lines.starts[line], lines.starts[line + 1]):
                found[line] |= reached[lines.cells[at]] and among[line] and not able[line]
            if found[line]:
                for at in range(lines.starts[line], lines.starts[line + 1]):
                    cell = lines.cells[at]
                    if holder[cell] != CLOSED and not reached[cell]:
                        reached[cell] = grew = True
    return found, reached
