"""Compiled loops of the checker of plans by lines: stones off the keys, and a state as a whole.

They follow ``docs/breaker.md``.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import njit_or_python as njit
from hyperoxo_research.proof.breaker_line_blocks import (
    block_with_a_set,
    blocks_are_met,
    blocks_hold,
    blocks_in_danger,
)
from hyperoxo_research.proof.breaker_line_forms import (
    ANY,
    MANY,
    Listed,
    Regions,
    ask,
    demand,
    form_of,
    greatest,
    live_in,
    make_normal,
)
from hyperoxo_research.proof.breaker_line_leaves import Settled, lines_through, settles
from hyperoxo_research.proof.breaker_line_loops import decided_hold, most_on, pairs_hold
from hyperoxo_research.proof.breaker_loops import (
    HOLDS,
    KEY,
    LEAF,
    NOT_LEAST,
    PASS,
    Longs,
    PlanLines,
    Room,
    Words,
)

_BIT = np.uint64(1)
_NONE = -1


@njit(nogil=True)
def undecided_in(
    lines: PlanLines, regions: Regions, maker: np.uint64, breaker: np.uint64, region: int
) -> int:
    """Return the live lines of a region that have a free key."""
    found = 0
    for bit, line in enumerate(regions.members[region]):
        if line >= 0 and lines.keys_on[line] & breaker == 0 and lines.keys_on[line] & ~maker != 0:
            found |= 1 << bit
    return found


@njit(nogil=True)
def shared_off(lines: PlanLines, regions: Regions, one: int, two: int) -> int:
    """Return how many cells off the keys two lines share."""
    found = 0
    for here in range(lines.starts[one], lines.starts[one + 1]):
        for there in range(lines.starts[two], lines.starts[two + 1]):
            cell = lines.cells[here]
            found += cell == lines.cells[there] and not regions.is_key[cell]
    return found


@njit(nogil=True)
def may_be_full(
    lines: PlanLines, regions: Regions, region: int, stones: int, some: int, full: int
) -> bool:
    """Tell whether lines through a stone may become full by it, with another that is (-1: none)."""
    if stones >= MANY:
        return True
    members = regions.members[region]
    for one in range(len(members)):
        if not some >> one & 1:
            continue
        bears = regions.off[members[one]] - 2
        if bears - 1 > stones:
            return False
        if full >= 0:
            both = shared_off(lines, regions, members[full], members[one])
            if regions.off[members[full]] - 2 + bears - both > stones:
                return False
        for two in range(one):
            if some >> two & 1:
                both = shared_off(lines, regions, members[one], members[two])
                if bears + regions.off[members[two]] - 2 - 1 - both > stones:
                    return False
    return True


@njit(nogil=True)
def sets_to_answer(
    lines: PlanLines, regions: Regions, breaker: np.uint64, row: Longs, region: int, event: int
) -> Longs:
    """Return the sets of lines that must be answered, on a line of an event or without one."""
    live = live_in(lines, regions, breaker, region)
    stones, warm = row[1 + region], row[1 + len(regions.members) + region]
    found = np.zeros(regions.spare.shape[1], np.bool_)
    # 1. Those that are possible at some cell.
    for cell in range(len(regions.of_cell)):
        through = regions.on_cell[cell] & live
        if regions.of_cell[cell] != region or through == 0:
            continue
        if not through >> event & 1 if event >= 0 else stones < MANY and through & warm != 0:
            continue
        some = cold = through & ~warm
        while True:
            if may_be_full(lines, regions, region, stones, some, event if stones < MANY else _NONE):
                found[some] = True
            if some == 0:
                break
            some = (some - 1) & cold
    # 2. From two stones on, those that are part of no other one.
    sets = np.nonzero(found)[0]
    if stones >= MANY - 1:
        for one in sets:
            for two in sets:
                if one != two and one & two == one:
                    found[one] = False
        sets = np.nonzero(found)[0]
    return sets


@njit(nogil=True)
def pairs_at_risk(
    lines: PlanLines,
    regions: Regions,
    maker: np.uint64,
    breaker: np.uint64,
    after: Longs,
) -> Longs:
    """Return the poor and undecided lines that may have a stone too many, ``[pairs, 2]``.

    `after` is the row with the stone.
    """
    count = len(regions.members)
    found, length = np.zeros((len(regions.crossing), 2), np.int64), 0
    total = after[0]
    for at in range(len(regions.crossing) if total <= regions.least + 1 else 0):
        poor, rich, shared = regions.crossing[at]
        keys = lines.keys_on[rich]
        if keys & breaker != 0 or keys & ~maker == 0:
            continue
        most = most_on(regions, after, rich)
        spare = regions.off[poor] + regions.off[rich] - shared - 4
        if regions.off[poor] - 2 + most <= spare:
            continue
        # Cells of the poor line by regions, without those on the rich one.
        rooms = np.zeros(count, np.int64)
        for place in range(lines.starts[poor], lines.starts[poor + 1]):
            cell = lines.cells[place]
            if regions.of_cell[cell] >= 0:
                rooms[regions.of_cell[cell]] += 1
        rooms[regions.of_line[rich]] += most - shared
        beside = 0
        for region in range(count):
            if live_in(lines, regions, breaker, region) and after[1 + region] != ANY:
                beside += max(0, after[1 + region] - rooms[region])
        if total - beside > spare:
            found[length, 0], found[length, 1] = poor, rich
            length += 1
    return found[:length]


@njit(nogil=True)
def spare_with_pairs(
    lines: PlanLines, regions: Regions, region: int, some: int, pairs: Longs, but: int, wanted: int
) -> bool:
    """Tell whether some lines of a region have enough spare cells off the keys with any one pair.

    Pairs with one rich line are left out (-1: none).
    """
    # Cells of those lines have the first mark, and those of each pair the next.
    marks, mark = np.zeros(len(regions.is_key), np.int64), 1
    inside = np.zeros(len(lines.kinds), np.bool_)
    for bit, line in enumerate(regions.members[region]):
        if some >> bit & 1:
            inside[line] = True
            for at in range(lines.starts[line], lines.starts[line + 1]):
                marks[lines.cells[at]] = mark
    for pair in pairs:
        spare, mark = regions.spare[region, some], mark + 1
        for line in pair:
            spare -= 0 if inside[line] else 2
            for at in range(lines.starts[line], lines.starts[line + 1]):
                cell = lines.cells[at]
                if not regions.is_key[cell] and marks[cell] not in (1, mark):
                    marks[cell] = mark
                    spare += 1
        if pair[1] != but and spare < wanted:
            return False
    return True


@njit(nogil=True)
def hit_by(lines: PlanLines, regions: Regions, replies: np.uint64, region: int) -> int:
    """Return the lines of a region that have one of some keys."""
    found = 0
    for bit, line in enumerate(regions.members[region]):
        if line >= 0 and lines.keys_on[line] & replies != 0:
            found |= 1 << bit
    return found


@njit(nogil=True)
def are_enough(
    lines: PlanLines,
    regions: Regions,
    maker: np.uint64,
    breaker: np.uint64,
    replies: np.uint64,
    row: Longs,
    after: Longs,
    region: int,
    new: int,
    event: int,
) -> bool:
    """Check the replies to a stone in a region, or elsewhere if it is their number.

    `row` is that before the stone, and `after` with it; `new` are the lines that become warm.
    """
    if replies == 0:
        return False
    count = len(regions.members)
    pairs = pairs_at_risk(lines, regions, maker, breaker, after)
    full = regions.members[region, event] if event >= 0 else _NONE
    # 1. Pairs, and blocks.
    if event < 0:
        for _, rich in pairs:
            if lines.keys_on[rich] & replies == 0:
                return False
    elif len(pairs) and not spare_with_pairs(
        lines, regions, region, 1 << event, pairs, full, row[0]
    ):
        return False
    danger = blocks_in_danger(lines, regions, maker, breaker, after)
    if not blocks_are_met(regions, maker, replies, after[0], danger, pairs, full):
        return False
    # 2. Sets of lines of the region.
    if event >= 0 or region == count:
        return True
    given = lines, regions, maker, breaker, replies, row
    return bool(sets_are_met(*given, region, new, pairs, danger))


@njit(nogil=True)
def sets_are_met(
    lines: PlanLines,
    regions: Regions,
    maker: np.uint64,
    breaker: np.uint64,
    replies: np.uint64,
    row: Longs,
    region: int,
    new: int,
    pairs: Longs,
    danger: Longs,
) -> bool:
    """Check that replies hit sets at risk, none of them at once with a pair or a block."""
    live = live_in(lines, regions, breaker, region)
    undecided = undecided_in(lines, regions, maker, breaker, region)
    hit = hit_by(lines, regions, replies, region)
    warm = row[1 + len(regions.members) + region]
    meeting = new | (warm & ~undecided)
    for bit, line in enumerate(regions.members[region]):
        # Such a line may become full by this stone, and no event is answered at it.
        if warm >> bit & 1 and regions.off[line] - 2 > row[0]:
            meeting |= 1 << bit
    most = row[1 + region] + 1 if row[1 + region] < MANY else row[0] + 1
    some = live
    while some > 0:
        lacks = regions.apart[region, some] - regions.loose[region, some & warm]
        several = some & undecided != 0 and some & (some - 1) != 0
        if several and most > regions.spare[region, some] and lacks < 1:
            if some & hit == 0 and lacks < (1 if some & meeting != 0 else 0):
                return False
            if len(pairs) and not spare_with_pairs(
                *(lines, regions, region, some, pairs, _NONE, row[0])
            ):
                return False
            if block_with_a_set(regions, maker, row[0] + 1, danger, region, some):
                return False
        some = (some - 1) & live
    return True


@njit(nogil=True)
def listed_replies(
    lines: PlanLines,
    regions: Regions,
    table: Words,
    listed: Listed,
    place: int,
    form: np.uint64,
    some: Longs,
    among: np.uint64,
    after: Longs,
) -> np.uint64:
    """Return those of some keys that lead to listed states from a row; these are asked for."""
    maker, breaker, replies = listed.makers[place], listed.breakers[place], np.uint64(0)
    for key in range(len(lines.keys)):
        bit = _BIT << np.uint64(key)
        if among & ~(maker | breaker) & bit:
            here = ask(lines, regions, table, listed, form, some, breaker | bit, after.copy())
            if here >= 0:
                demand(listed, here, after[0])
                replies |= bit
    return replies


@njit(nogil=True)
def stone_is_met(
    lines: PlanLines,
    regions: Regions,
    table: Words,
    listed: Listed,
    settled: Settled,
    room: Room,
    place: int,
    form: np.uint64,
    some: Longs,
    elsewhere: np.uint64,
    left: Longs,
    pairs: Words,
    region: int,
    new: int,
    event: int,
) -> bool:
    """Check the answers to a stone: in a region or elsewhere, with lines that become full.

    `elsewhere` are the listed replies to a stone elsewhere; they are those in an open region too.
    `pairs` are replies to any stone, to states that are not listed and that pairs settle; where
    they are not enough, more are looked for among those `left`, on most lines first.
    """
    maker, breaker, row = listed.makers[place], listed.breakers[place], listed.rows[place]
    count, among, replies = len(regions.members), ~np.uint64(0), elsewhere
    after = row.copy()
    after[0] += 1
    if event >= 0:
        among = lines.keys_on[regions.members[region, event]]
    if region < count and row[1 + region] != ANY:
        after[1 + region] += after[1 + region] < MANY
        after[1 + count + region] |= new
        given = lines, regions, table, listed, place, form, some
        replies = listed_replies(*given, among, after)
    before = lines, regions, maker, breaker
    while not are_enough(*before, (replies | pairs[0]) & among, row, after, region, new, event):
        known = pairs[0]
        while pairs[0] == known:
            key = int(np.argmax(left))
            if left[key] < 0:
                return False
            left[key], bit = _NONE, _BIT << np.uint64(key)
            asked = lines, regions, table, settled, room, form, some, breaker | bit, after[0]
            if settles(*asked):
                pairs[0] |= bit
    return True


@njit(nogil=True)
def examine(
    lines: PlanLines,
    regions: Regions,
    table: Words,
    listed: Listed,
    settled: Settled,
    room: Room,
    place: int,
) -> tuple[int, int]:
    """Check one listed state by the rules; return what is wrong with it, and with which key.

    With a stone that is not met, that is the region, or their number for stones elsewhere.
    """
    maker, breaker, row = listed.makers[place], listed.breakers[place], listed.rows[place]
    # 1. It is written in its form.
    form, some = greatest(table, maker)
    plain = row.copy()
    make_normal(lines, regions, breaker, plain)
    two, three = form_of(table, regions, some, breaker, plain)
    if form != maker or two != breaker or (three != row).any():
        return NOT_LEAST, 0
    if listed.leaves[place]:
        return (HOLDS if pairs_hold(lines, regions, maker, breaker, row, room) else LEAF), 0
    # 2. Free keys.
    for key in range(len(lines.keys)):
        free = (maker | breaker) >> np.uint64(key) & _BIT == 0
        if free and not key_is_answered(lines, regions, table, listed, settled, room, place, key):
            return KEY, key
    return stones_are_met(lines, regions, table, listed, settled, room, place, form, some)


@njit(nogil=True)
def key_is_answered(
    lines: PlanLines,
    regions: Regions,
    table: Words,
    listed: Listed,
    settled: Settled,
    room: Room,
    place: int,
    key: int,
) -> bool:
    """Check that there is an answer to a key."""
    earlier, breaker = listed.makers[place], listed.breakers[place]
    maker = earlier | _BIT << np.uint64(key)
    first, those = greatest(table, maker)
    # 1. To a listed state.
    for other in range(len(lines.keys)):
        reply = breaker | _BIT << np.uint64(other)
        if (maker | breaker) >> np.uint64(other) & _BIT:
            continue
        after = listed.rows[place].copy()
        here = ask(lines, regions, table, listed, first, those, reply, after)
        if here >= 0 and lines_hold(lines, regions, earlier, maker, reply, after, room):
            demand(listed, here, after[0])
            return True
    # 2. To one that pairs settle, by the key on most lines first.
    left = lines_through(lines, maker, breaker)
    while left.max() >= 0:
        other = int(np.argmax(left))
        left[other], reply = _NONE, breaker | _BIT << np.uint64(other)
        after = listed.rows[place].copy()
        make_normal(lines, regions, reply, after)
        asked = lines, regions, table, settled, room, first, those, reply, after[0]
        if lines_hold(lines, regions, earlier, maker, reply, after, room) and settles(*asked):
            return True
    return False


@njit(nogil=True)
def lines_hold(
    lines: PlanLines,
    regions: Regions,
    earlier: np.uint64,
    maker: np.uint64,
    breaker: np.uint64,
    row: Longs,
    room: Room,
) -> bool:
    """Check blocks and decided lines after a key, which Maker had not `earlier`, and its answer."""
    given = lines, regions, earlier, maker, breaker, row
    return bool(blocks_hold(*given) and decided_hold(*given, room))


@njit(nogil=True)
def stones_are_met(
    lines: PlanLines,
    regions: Regions,
    table: Words,
    listed: Listed,
    settled: Settled,
    room: Room,
    place: int,
    form: np.uint64,
    some: Longs,
) -> tuple[int, int]:
    """Check stones in regions with a live line, and elsewhere; see `examine`."""
    maker, breaker, row = listed.makers[place], listed.breakers[place], listed.rows[place]
    count, after = len(regions.members), row.copy()
    after[0] += 1
    elsewhere = listed_replies(
        *(lines, regions, table, listed, place, form, some), ~np.uint64(0), after
    )
    left, pairs = lines_through(lines, maker, breaker), np.zeros(1, np.uint64)
    given = lines, regions, table, listed, settled, room, place, form, some, elsewhere, left, pairs
    for region in range(count):
        undecided = undecided_in(lines, regions, maker, breaker, region)
        for event in range(-1, regions.members.shape[1]):
            if event >= 0 and not (undecided & row[1 + count + region]) >> event & 1:
                continue
            # A full line bears no more than all stones.
            if event >= 0 and regions.off[regions.members[region, event]] - 2 > row[0]:
                continue
            if live_in(lines, regions, breaker, region) == 0:
                continue
            for new in sets_to_answer(lines, regions, breaker, row, region, event):
                if not stone_is_met(*given, region, new, event):
                    return PASS, region
    if not stone_is_met(*given, count, 0, _NONE):
        return PASS, count
    return HOLDS, 0
