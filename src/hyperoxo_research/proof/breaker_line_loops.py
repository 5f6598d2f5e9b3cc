"""Compiled loops of the checker of plans by lines: the test for sets of lines.

They follow ``docs/breaker.md``. Matchings are those of
:mod:`hyperoxo_research.proof.breaker_loops`.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import njit_or_python as njit
from hyperoxo_research.proof.breaker_line_forms import ANY, MANY, Flags, Regions
from hyperoxo_research.proof.breaker_loops import (
    CLOSED,
    FREE,
    MAIN,
    POOR,
    RICH,
    Longs,
    PlanLines,
    Room,
    close,
    reach,
    two_each,
)


@njit(nogil=True)
def spare_with(
    lines: PlanLines, line: int, held: int, total: int, closed: Longs, room: Room
) -> int:
    """Return how many cells beside two each some lines can hold with one more, at most so many.

    They hold some already and can hold no other: no way leads out of the closed cells, those that
    were tried for them. So only the new line can hold more, and they cannot when it does. If that
    is not enough, those tried are closed.
    """
    while True:
        room.tried[:] = closed
        if held == total or not reach(lines, line, room):
            return held
        held += 1


@njit(nogil=True)
def can_have_more(lines: PlanLines, among: Flags, room: Room) -> Flags:
    """Return which of some lines can hold one more cell, if others change theirs.

    Those that asked before and can hold no more give none away either, for no way leads on from
    them. The cells that lines hold are all held by such as these.
    """
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
def full_with(
    lines: PlanLines, among: Flags, asking: Flags, able: Flags, room: Room
) -> tuple[Flags, Flags]:
    """Return the largest set with those that ask and no cell to spare, and its cells.

    None of those that ask can have one more cell. A line is not in the set if it can, or if it does
    not hang together with them.
    """
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


@njit(nogil=True)
def spare_off(lines: PlanLines, regions: Regions, chosen: Flags, but: int) -> int:
    """Return the cells off the keys of the chosen lines, less two for each, one left out."""
    seen = np.zeros(len(regions.is_key), np.bool_)
    found = 0
    for line in range(len(chosen)):
        if chosen[line] and line != but:
            found -= 2
            for at in range(lines.starts[line], lines.starts[line + 1]):
                cell = lines.cells[at]
                found += not regions.is_key[cell] and not seen[cell]
                seen[cell] = True
    return found


@njit(nogil=True)
def most_on(regions: Regions, row: Longs, line: int) -> int:
    """Return a(l): how many stones a live rich line bears at most."""
    warm = row[1 + len(regions.members) + regions.of_line[line]] >> regions.bit[line] & 1
    return int(regions.off[line] - 2 - (1 - warm))


@njit(nogil=True)
def most_on_rich(regions: Regions, row: Longs, chosen: Flags, but: int) -> int:
    """Return B(R): how many stones there are on the chosen rich lines at most, one left out."""
    count = len(regions.members)
    sets, borne = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for line in range(len(chosen)):
        region = regions.of_line[line]
        if chosen[line] and region >= 0 and line != but:
            sets[region] |= 1 << regions.bit[line]
            borne[region] += most_on(regions, row, line)
    found = 0
    for region in range(count):
        bound = min(borne[region], regions.spare[region, sets[region]])
        if row[1 + region] < MANY:
            bound = min(bound, row[1 + region])
        found += bound
    return found


@njit(nogil=True)
def cells_on_rich(lines: PlanLines, regions: Regions, some: Flags) -> Flags:
    """Return the cells on rich lines of some."""
    found = np.zeros(len(regions.is_key), np.bool_)
    for line in range(len(some)):
        if some[line] and lines.kinds[line] == RICH:
            for at in range(lines.starts[line], lines.starts[line + 1]):
                found[lines.cells[at]] = True
    return found


@njit(nogil=True)
def most_of_places(row: Longs, most: Longs, elsewhere: int) -> int:
    """Return the most stones there can be, given the most in each region and elsewhere."""
    away, found = row[0], 0
    for region in range(len(most)):
        near = row[1 + region]
        if near != ANY:
            away -= near
        found += min(most[region], near) if near < MANY else most[region]
    return int(found + min(elsewhere, away))


@njit(nogil=True)
def most_by_places(
    lines: PlanLines, regions: Regions, row: Longs, alive: Flags, chosen: Flags
) -> int:
    """Return a bound on the stones on a set of lines by those elsewhere and of each region.

    `alive` are the cells on live rich lines.
    """
    count = len(regions.members)
    # 1. What its rich lines bear, whatever their regions have.
    sets, most = np.zeros(count, np.int64), np.zeros(count, np.int64)
    on_rich = cells_on_rich(lines, regions, chosen)
    for line in range(len(chosen)):
        region = regions.of_line[line]
        if chosen[line] and region >= 0:
            sets[region] |= 1 << regions.bit[line]
            most[region] += most_on(regions, row, line)
    for region in range(count):
        most[region] = min(most[region], regions.spare[region, sets[region]])
    # 2. Cells of its poor lines: beside those rich ones in each region, and on no live one.
    seen, dead = np.zeros(len(on_rich), np.bool_), 0
    for line in range(len(chosen)):
        if not chosen[line] or lines.kinds[line] != POOR:
            continue
        for at in range(lines.starts[line], lines.starts[line + 1]):
            cell = lines.cells[at]
            if not seen[cell]:
                region = regions.of_cell[cell]
                if region >= 0 and not on_rich[cell]:
                    most[region] += 1
                seen[cell], dead = True, dead + (not alive[cell])
    return int(most_of_places(row, most, dead))


@njit(nogil=True)
def is_block(regions: Regions, chosen: Flags) -> bool:
    """Tell whether some lines are a block."""
    inside = regions.blocks.inside
    for block in range(len(inside)):
        line = 0
        while line < len(chosen) and inside[block, line] == chosen[line]:
            line += 1
        if line == len(chosen):
            return True
    return False


@njit(nogil=True)
def most_stones(
    lines: PlanLines,
    regions: Regions,
    row: Longs,
    alive: Flags,
    chosen: Flags,
    decided: Flags,
    wanted: int,
) -> int:
    """Return the bound on the stones on a set of lines, or one that is at most `wanted`.

    (c) is known for the decided ones; `alive` are the cells on live rich lines.
    """
    poor, rich = chosen & (lines.kinds == POOR), chosen & (lines.kinds == RICH)
    # 1. All stones; poor and rich lines; decided ones and others; those of each place.
    best = row[0]
    if best > wanted:
        best = min(best, spare_off(lines, regions, poor, -1) + most_on_rich(regions, row, rich, -1))
    if best > wanted:
        others = most_on_rich(regions, row, rich & ~decided, -1)
        best = min(best, spare_off(lines, regions, chosen & decided, -1) + others)
    if best > wanted:
        best = min(best, most_by_places(lines, regions, row, alive, chosen))
    # 2. A pair that cross, and the others.
    for at in range(len(regions.crossing) if row[0] <= regions.least + 1 else 0):
        one, two, shared = regions.crossing[at]
        if best > wanted and poor[one] and rich[two]:
            pair = regions.off[one] + regions.off[two] - shared - 4
            rest = spare_off(lines, regions, poor, one) + most_on_rich(regions, row, rich, two)
            best = min(best, pair + rest)
    return int(best)


@njit(nogil=True)
def test_holds(
    lines: PlanLines,
    regions: Regions,
    row: Longs,
    alive: Flags,
    among: Flags,
    decided: Flags,
    room: Room,
) -> bool:
    """Check the test for some lines, which hold two cells each; some of them are decided.

    `alive` are the cells on live rich lines. Every connected set with a poor and a rich line has a
    poor and a rich one that cross.
    """
    begun, none = room.holder.copy(), np.zeros_like(room.tried)
    asking = np.zeros(len(among), np.bool_)
    for rich in range(len(among)):
        if not among[rich] or lines.kinds[rich] != RICH:
            continue
        # 1. What the rich line can hold, whatever is beside it.
        asking[rich] = True
        alone = spare_with(lines, rich, 0, row[0], none, room)
        held, closed = room.holder.copy(), room.tried.copy()
        looked, able = np.zeros((2, len(among)), np.bool_)
        # One cell more is enough with a line that can have it.
        if alone + 1 == row[0]:
            able = can_have_more(lines, among, room)
        # 2. All sets with it and a line that crosses it, but none before, where that is not
        #    enough.
        for at in range(len(regions.crossing) if alone < row[0] else 0):
            poor, crossed, _ = regions.crossing[at]
            if crossed == rich and among[poor]:
                room.holder[:] = held
                asking[poor] = True
                both = row[0]
                if not able[poor]:
                    both = spare_with(lines, poor, alone, row[0], closed, room)
                given = lines, regions, row, alive, among, decided
                if both < row[0] and not sets_bear(*given, asking, looked, both, room):
                    return False
                asking[poor], looked[poor] = False, True
        asking[rich] = False
        room.holder[:] = begun
    return True


@njit(nogil=True)
def sets_bear(
    lines: PlanLines,
    regions: Regions,
    row: Longs,
    alive: Flags,
    among: Flags,
    decided: Flags,
    asking: Flags,
    looked: Flags,
    spare: int,
    room: Room,
) -> bool:
    """Check every connected set with some lines: it has as many cells to spare as can be stones.

    These have fewer, and hold them; those that they tried are closed. Sets with a line that was
    looked at are left out. With some lines fixed, all sets with the fewest spare cells are parts of
    one. If there are not too many stones on that one, all its parts are in order. Others hold a
    line outside it, which is fixed next, and left out afterwards; then there are more spare cells,
    until there are enough for all stones.
    """
    # A row for each step: the lines fixed and those left out, the largest set and its cells, spare
    # cells, holders, closed cells, and the next line.
    size = len(among)
    steps = row[0] - spare
    fixed, done, whole = np.zeros((3, steps, size), np.bool_)
    reached = np.zeros((steps, len(room.holder)), np.bool_)
    holders, closed = np.zeros((2, steps, len(room.holder)), np.int64)
    spares, nexts = np.zeros((2, steps), np.int64)
    fixed[0], done[0], spares[0] = asking, looked, spare
    depth, fresh = 0, True
    while depth >= 0:
        if fresh:
            able = can_have_more(lines, among, room)
            whole[depth], reached[depth] = full_with(lines, among, fixed[depth], able, room)
            given = lines, regions, row, alive, whole[depth], decided
            # A block bears no more stones than it has spare cells.
            if not is_block(regions, whole[depth]) and (
                most_stones(*given, spares[depth]) > spares[depth]
            ):
                return False
            # A line that shares a cell with the set and is not in it can have one more.
            first = size if spares[depth] + 1 == row[0] else 0
            holders[depth], closed[depth], nexts[depth] = room.holder, room.tried, first
        line, fresh = nexts[depth], False
        if line == size:
            depth -= 1
            continue
        nexts[depth] += 1
        touches = False
        if among[line] and not whole[depth, line] and not done[depth, line]:
            for at in range(lines.starts[line], lines.starts[line + 1]):
                touches |= reached[depth, lines.cells[at]]
        if touches:
            room.holder[:], done[depth, line] = holders[depth], True
            found = spare_with(lines, line, spares[depth], row[0], closed[depth], room)
            if found < row[0]:
                fixed[depth + 1], spares[depth + 1] = fixed[depth], found
                fixed[depth + 1, line], done[depth + 1] = True, done[depth]
                depth, fresh = depth + 1, True
    return True


@njit(nogil=True)
def pairs_hold(
    lines: PlanLines,
    regions: Regions,
    maker: np.uint64,
    breaker: np.uint64,
    row: Longs,
    room: Room,
) -> bool:
    """Check a leaf: two cells for each live line, and the test."""
    live = (lines.keys_on & breaker) == 0
    close(lines, maker | breaker, room)
    if not two_each(lines, live, room):
        return False
    decided = live & ((lines.keys_on & ~maker) == 0) & (lines.kinds != MAIN)
    alive = cells_on_rich(lines, regions, live)
    return bool(test_holds(lines, regions, row, alive, live, decided, room))


@njit(nogil=True)
def decided_hold(
    lines: PlanLines,
    regions: Regions,
    earlier: np.uint64,
    maker: np.uint64,
    breaker: np.uint64,
    row: Longs,
    room: Room,
) -> bool:
    """Check the lines that are decided after a key, which Maker had not `earlier`."""
    live = ((lines.keys_on & breaker) == 0) & (lines.kinds != MAIN)
    now = live & ((lines.keys_on & ~maker) == 0)
    then = live & ((lines.keys_on & ~earlier) == 0)
    if (now == then).all():
        return True
    close(lines, ~np.uint64(0), room)
    alive = cells_on_rich(lines, regions, live)
    return bool(
        two_each(lines, now, room) and test_holds(lines, regions, row, alive, now, then, room)
    )
