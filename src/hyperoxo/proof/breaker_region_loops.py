"""Compiled loops of the checker of Breaker's plans that count stones by regions: the rules.

They follow ``docs/breaker.md``. Matchings are those of :mod:`hyperoxo.proof.breaker_loops`.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.kept_code import njit
from hyperoxo.proof.breaker_loops import (
    CLOSED,
    FREE,
    HOLDS,
    KEY,
    LEAF,
    NOT_LEAST,
    PASS,
    POOR,
    RICH,
    Longs,
    PlanLines,
    Room,
    Words,
    close,
    meet,
    reach,
    spare,
    two_each,
)
from hyperoxo.proof.breaker_region_forms import (
    Flags,
    Regions,
    ask,
    form_of,
    open_ones,
    place_of,
)

_BIT = np.uint64(1)


@njit(nogil=True)
def seek(lines: PlanLines, asking: Flags, room: Room) -> bool:
    """Let one of the lines that ask hold one more cell; all others hold as many."""
    room.tried[:] = 0
    found = False
    for line in range(len(asking)):
        if asking[line] and not found:
            found = reach(lines, line, room)
    return found


@njit(nogil=True)
def full_with(lines: PlanLines, live: Flags, asking: Flags, room: Room) -> tuple[Flags, Flags]:
    """Return the largest set with those that ask and no cell to spare, and its cells.

    None of those that ask can have one more cell. A line is not in the set if it can, or if it does
    not hang together with them.
    """
    holder = room.holder
    able = ~live
    grew = True
    while grew:
        grew = False
        for line in range(len(live)):
            if able[line]:
                continue
            for at in range(lines.starts[line], lines.starts[line + 1]):
                held = holder[lines.cells[at]]
                if held == FREE or (held != CLOSED and able[held]):
                    able[line] = grew = True
    found, reached = asking.copy(), np.zeros(len(holder), np.bool_)
    grew = True
    while grew:
        grew = False
        for line in range(len(live)):
            for at in range(lines.starts[line], lines.starts[line + 1]):
                found[line] |= reached[lines.cells[at]] and not able[line]
            if found[line]:
                for at in range(lines.starts[line], lines.starts[line + 1]):
                    cell = lines.cells[at]
                    if holder[cell] != CLOSED and not reached[cell]:
                        reached[cell] = grew = True
    return found, reached


@njit(nogil=True)
def cells_of(lines: PlanLines, regions: Regions, chosen: Flags, kind: int, but: int) -> Flags:
    """Return the cells off the keys of the chosen lines of a kind (-1: of all), one left out."""
    found = np.zeros(len(regions.of_cell), np.bool_)
    for line in range(len(chosen)):
        if chosen[line] and line != but and kind in (-1, lines.kinds[line]):
            for at in range(lines.starts[line], lines.starts[line + 1]):
                cell = lines.cells[at]
                found[cell] = regions.of_cell[cell] >= 0
    return found


@njit(nogil=True)
def rooms_of(regions: Regions, opened: Flags, cells: Flags) -> Longs:
    """Count cells off the keys by regions."""
    rooms = np.zeros(len(opened), np.int64)
    for cell in range(len(cells)):
        if cells[cell]:
            rooms[place_of(opened, regions.of_cell[cell])] += 1
    return rooms


@njit(nogil=True)
def by_regions(
    lines: PlanLines,
    regions: Regions,
    opened: Flags,
    counts: Longs,
    chosen: Flags,
    cells: Flags,
    but: int,
) -> int:
    """Return how many stones there can be on some cells, with the cells of chosen rich lines.

    Each of these lines, one left out, leaves two of its cells without.
    """
    rooms = rooms_of(regions, opened, cells)
    for line in range(len(chosen)):
        if chosen[line] and lines.kinds[line] == RICH and line != but:
            rooms[place_of(opened, regions.of_line[line])] -= 2
    return int(np.minimum(rooms, counts).sum())


@njit(nogil=True)
def most_stones(
    lines: PlanLines, regions: Regions, opened: Flags, counts: Longs, chosen: Flags, wanted: int
) -> int:
    """Return a bound on the stones that there can be on some lines, or one that is `wanted`."""
    every = cells_of(lines, regions, chosen, -1, -1)
    best = by_regions(lines, regions, opened, counts, chosen, every, -1)
    if best <= wanted:
        return best
    rich_cells = cells_of(lines, regions, chosen, RICH, -1)
    poor = int((chosen & (lines.kinds == POOR)).sum())
    poor_spare = int(cells_of(lines, regions, chosen, POOR, -1).sum()) - 2 * poor
    others = by_regions(lines, regions, opened, counts, chosen, rich_cells, -1)
    best = min(best, poor_spare + others)
    if best <= wanted:
        return best
    for one in range(len(chosen)):
        if not chosen[one] or lines.kinds[one] != POOR:
            continue
        poor_spare = int(cells_of(lines, regions, chosen, POOR, one).sum()) - 2 * (poor - 1)
        for two in range(len(chosen)):
            if chosen[two] and lines.kinds[two] == RICH and meet(lines, one, two):
                rich_cells = cells_of(lines, regions, chosen, RICH, two)
                others = by_regions(lines, regions, opened, counts, chosen, rich_cells, two)
                best = min(best, pair_spare(lines, regions, one, two) + poor_spare + others)
                if best <= wanted:
                    return best
    return best


@njit(nogil=True)
def pair_spare(lines: PlanLines, regions: Regions, one: int, two: int) -> int:
    """Return the cells off the keys of two lines, less two for each."""
    both = np.zeros(len(lines.kinds), np.bool_)
    both[one] = both[two] = True
    return int(cells_of(lines, regions, both, -1, -1).sum()) - 4


@njit(nogil=True)
def pairs_hold(
    lines: PlanLines,
    regions: Regions,
    maker: np.uint64,
    breaker: np.uint64,
    counts: Longs,
    room: Room,
) -> bool:
    """Check a leaf by regions: two cells for each live line, and enough to spare."""
    live = (lines.keys_on & breaker) == 0
    close(lines, maker | breaker, room)
    if not two_each(lines, live, room):
        return False
    opened, total = open_ones(lines, regions, maker, breaker), counts.sum()
    begun = room.holder.copy()
    for poor in range(len(live)):
        if lines.kinds[poor] != POOR:
            continue
        for rich in range(len(live)):
            if lines.kinds[rich] == RICH and live[rich] and meet(lines, poor, rich):
                room.holder[:] = begun
                if not sets_bear(lines, regions, opened, counts, live, poor, rich, total, room):
                    return False
    return True


@njit(nogil=True)
def sets_bear(
    lines: PlanLines,
    regions: Regions,
    opened: Flags,
    counts: Longs,
    live: Flags,
    poor: int,
    rich: int,
    total: int,
    room: Room,
) -> bool:
    """Check every connected set with two lines: it has as many cells to spare as can be stones.

    With some lines fixed, all sets with the fewest spare cells are parts of one. If there are not
    too many stones on that one, all its parts are in order. Others hold a line outside it, which is
    fixed next; then there are more spare cells, until there are enough for all stones.
    """
    # A row for each step: the lines fixed, the largest set, spare cells, holders, the next line.
    steps = total + 1
    fixed, whole = np.zeros((steps, len(live)), np.bool_), np.zeros((steps, len(live)), np.bool_)
    holders, spares = np.zeros((steps, len(room.holder)), np.int64), np.zeros(steps, np.int64)
    nexts, reached = np.zeros(steps, np.int64), np.zeros((steps, len(room.holder)), np.bool_)
    fixed[0, poor] = fixed[0, rich] = True
    depth, fresh = 0, True
    while depth >= 0:
        if fresh:
            found = spares[depth]
            while found < total and seek(lines, fixed[depth], room):
                found += 1
            spares[depth] = found
            if found == total:
                depth, fresh = depth - 1, False
                continue
            whole[depth], reached[depth] = full_with(lines, live, fixed[depth], room)
            if most_stones(lines, regions, opened, counts, whole[depth], found) > found:
                return False
            holders[depth], nexts[depth] = room.holder, 0
        line, fresh = nexts[depth], False
        if line == len(live):
            depth -= 1
            continue
        nexts[depth] += 1
        touches = False
        if live[line] and not whole[depth, line]:
            for at in range(lines.starts[line], lines.starts[line + 1]):
                touches |= reached[depth, lines.cells[at]]
        if touches:
            room.holder[:] = holders[depth]
            fixed[depth + 1] = fixed[depth]
            fixed[depth + 1, line] = True
            spares[depth + 1] = spares[depth]
            depth, fresh = depth + 1, True
    return True


@njit(nogil=True)
def match_rich(lines: PlanLines, regions: Regions, region: int, hit: np.uint64, room: Room) -> bool:
    """Let each rich line of a region that is not hit hold two cells off the keys."""
    close(lines, ~np.uint64(0), room)
    return two_each(lines, (regions.of_line == region) & ((lines.keys_on & hit) == 0), room)


@njit(nogil=True)
def stone_is_met(
    lines: PlanLines,
    regions: Regions,
    maker: np.uint64,
    breaker: np.uint64,
    replies: np.uint64,
    counts: Longs,
    region: int,
    room: Room,
) -> bool:
    """Check the replies to a stone in a region that is open, or elsewhere."""
    if replies == 0:
        return False
    undecided = (lines.keys_on & breaker) == 0
    undecided &= (lines.kinds == RICH) & ((lines.keys_on & ~maker) != 0)
    unhit = undecided & ((lines.keys_on & replies) == 0)
    # 1. Sets of rich lines of the region.
    asking = unhit & (regions.of_line == region)
    if asking.any():
        if not match_rich(lines, regions, region, breaker | replies, room):
            return False
        for line in range(len(asking)):
            if asking[line] and not spare(lines, line, -1, counts[region] + 1, room):
                return False
    # 2. Pairs that the stone endangers, which must be hit, and apart from whatever else it does.
    opened = open_ones(lines, regions, maker, breaker)
    after = counts.copy()
    after[region] += 1
    poors, riches = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for poor in range(len(unhit)):
        for rich in range(len(unhit)):
            if lines.kinds[poor] != POOR or not undecided[rich] or not meet(lines, poor, rich):
                continue
            if endangered(lines, regions, opened, after, region, poor, rich):
                if unhit[rich]:
                    return False
                if not alone(lines, regions, opened, counts, breaker, region, poor, rich, room):
                    return False
                poors, riches = np.append(poors, poor), np.append(riches, rich)
    for one in range(len(poors)):
        for two in range(one):
            if riches[one] != riches[two]:
                united = np.zeros(len(unhit), np.bool_)
                united[poors[one]] = united[poors[two]] = True
                united[riches[one]] = united[riches[two]] = True
                cells = cells_of(lines, regions, united, -1, -1)
                rooms = rooms_of(regions, opened, cells)
                if cells.sum() - 2 * united.sum() < np.minimum(rooms, counts).sum():
                    return False
    return True


@njit(nogil=True)
def poor_and_rich(
    lines: PlanLines, regions: Regions, opened: Flags, poor: int, rich: int
) -> tuple[Longs, Longs, int, int]:
    """Return the cells of two lines by regions: those of the poor one, and of it alone.

    Then the cells off the keys of the rich one, and the spare cells of both.
    """
    one, two = np.zeros(len(lines.kinds), np.bool_), np.zeros(len(lines.kinds), np.bool_)
    one[poor] = two[rich] = True
    first = cells_of(lines, regions, one, -1, -1)
    second = cells_of(lines, regions, two, -1, -1)
    return (
        rooms_of(regions, opened, first),
        rooms_of(regions, opened, first & ~second),
        int(second.sum()),
        int((first | second).sum()) - 4,
    )


@njit(nogil=True)
def endangered(
    lines: PlanLines,
    regions: Regions,
    opened: Flags,
    counts: Longs,
    region: int,
    poor: int,
    rich: int,
) -> bool:
    """Tell whether two lines that cross can have more stones than spare cells, one in the region.

    The rich line alone has no more stones than spare cells, and so has the poor one.
    """
    on_poor, beside, off, spares = poor_and_rich(lines, regions, opened, poor, rich)
    home = regions.of_line[rich]
    if on_poor[region] == 0:
        return False
    beside[home] += off - 2
    if np.minimum(beside, counts).sum() <= spares:
        return False
    stones = min(np.minimum(on_poor, counts).sum(), on_poor.sum() - 2)
    return bool(stones + counts[home] > spares)


@njit(nogil=True)
def alone(
    lines: PlanLines,
    regions: Regions,
    opened: Flags,
    counts: Longs,
    breaker: np.uint64,
    region: int,
    poor: int,
    rich: int,
    room: Room,
) -> bool:
    """Tell whether no set of rich lines of the region can be in danger together with a pair.

    No rich line is elsewhere, so that none is in danger there.
    """
    on_poor, beside, off, spares = poor_and_rich(lines, regions, opened, poor, rich)
    home = regions.of_line[rich]
    limits = np.minimum(on_poor, counts)
    limits[region] = 0
    stones = min(limits.sum(), on_poor.sum() - 2)
    needed = counts[region] + 1
    if home == region:
        # Sets that hold the rich line and another: what is left to others must be enough.
        more = stones - (on_poor.sum() - 2 - on_poor[region])
        if more <= 0:
            return True
        needed = counts[region] + more
    else:
        # All stones of the pair are outside the region, but for those on other cells of the poor.
        beside[home] += off - 2
        limits = np.minimum(beside, counts)
        limits[region] = 0
        if limits.sum() + on_poor[region] <= spares:
            return True
    if not match_rich(lines, regions, region, breaker, room):
        return False
    for line in range(len(lines.kinds)):
        if regions.of_line[line] != region or lines.keys_on[line] & breaker or line == rich:
            continue
        if home == region:
            if not spare(lines, rich, line, needed, room):
                return False
        elif meet(lines, poor, line) and not spare(lines, line, -1, needed, room):
            return False
    return True


@njit(nogil=True)
def follows(
    lines: PlanLines,
    regions: Regions,
    table: Words,
    makers: Words,
    breakers: Words,
    counts: Longs,
    asked: Flags,
    maker: np.uint64,
    breaker: np.uint64,
    given: Longs,
) -> bool:
    """Tell whether a state that follows another is listed, and note the demand."""
    place = ask(lines, regions, table, makers, breakers, counts, maker, breaker, given)
    if place >= 0:
        asked[place] = True
    return place >= 0


@njit(nogil=True)
def examine(
    lines: PlanLines,
    regions: Regions,
    table: Words,
    makers: Words,
    breakers: Words,
    counts: Longs,
    leaves: Flags,
    asked: Flags,
    room: Room,
    place: int,
) -> tuple[int, int]:
    """Check one listed state by the rules; return what is wrong with it, and with which key.

    With a stone that is not met, that is the region, or their number for stones elsewhere.
    """
    maker, breaker, given = makers[place], breakers[place], counts[place]
    one, two, three = form_of(table, regions, maker, breaker, given)
    if one != maker or two != breaker or (three != given).any():
        return NOT_LEAST, 0
    if leaves[place]:
        holds = pairs_hold(lines, regions, maker, breaker, given, room)
        return (HOLDS if holds else LEAF), 0
    taken, width = maker | breaker, len(lines.keys)
    # 1. Free keys.
    for key in range(width):
        bit = _BIT << np.uint64(key)
        if taken & bit:
            continue
        answered = False
        for other in range(width):
            reply = _BIT << np.uint64(other)
            if not answered and not (taken | bit) & reply:
                answered = follows(
                    *(lines, regions, table, makers, breakers, counts, asked),
                    *(maker | bit, breaker | reply, given),
                )
        if not answered:
            return KEY, key
    # 2. Stones in regions that are open, and elsewhere, where there are cells.
    opened = open_ones(lines, regions, maker, breaker)
    rooms = rooms_of(regions, opened, regions.of_cell >= 0)
    for region in range(len(given)):
        if rooms[region] == 0:
            continue
        after = given.copy()
        after[region] += 1
        replies = np.uint64(0)
        for other in range(width):
            reply = _BIT << np.uint64(other)
            if not taken & reply and follows(
                *(lines, regions, table, makers, breakers, counts, asked),
                *(maker, breaker | reply, after),
            ):
                replies |= reply
        if not stone_is_met(lines, regions, maker, breaker, replies, given, region, room):
            return PASS, region
    return HOLDS, 0
