"""Rules R6 and R7 by lines: the stones off the keys that need an answer, and enough replies.

`docs/key-plans.md` has the rules and proofs; comments here name their terms. A *kind* of stone is a
number: its region, or the number of regions for a stone elsewhere, then the lines that become warm,
and the line of an event.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs, Words
from hyperoxo_research.kernels.key_plan_lines import borne_by, has_line, most_on, shared_by
from hyperoxo_research.kernels.key_plan_rules import PlanBoard, bits
from hyperoxo_research.kernels.key_plan_states import (
    BREAKER,
    MAKER,
    MOST_LINES,
    SEVERAL,
    add_warm,
    all_stones,
    is_open,
    lines_in,
    live_in,
    one_stone_more,
    stones_in,
    undecided_in,
    warm_in,
)

# A kind: bits 0-3 the region, 4-19 the newly warm lines of that region, from 20 on the event.
MOST_KINDS = 4096
NO_EVENT = 31
_ONE = np.uint64(1)
_NO_STONE = 15
"""A kind of stone in no region, with no line that becomes warm."""


class Stones(NamedTuple):
    """Scratch arrays."""

    pairs: Longs
    """Poor and rich lines of pairs at risk, ``[2, pairs]``."""
    marks: Longs
    """Membership of cells in the set at hand, ``[cells]``, 0 between calls."""


@njit(**NO_REFCOUNT)
def region_of(kind: int) -> int:
    """Return the region of a kind of stone; the number of regions for a stone elsewhere."""
    return kind & 15


@njit(**NO_REFCOUNT)
def newly_warm(kind: int) -> int:
    """Return the lines that become warm."""
    return kind >> 4 & 0xFFFF


@njit(**NO_REFCOUNT)
def event_of(kind: int) -> int:
    """Return the line of an event, or `NO_EVENT`."""
    return kind >> 20


@njit(**NO_REFCOUNT)
def add_stone(board: PlanBoard, state: Words, kind: int) -> None:
    """Count a stone of some kind."""
    region = region_of(kind)
    if region == board.regions.moved.shape[1]:
        one_stone_more(state, -1)
        return
    one_stone_more(state, region)
    add_warm(state, region, newly_warm(kind))


@njit(**NO_REFCOUNT)
def kinds_of_stones(board: PlanBoard, state: Words, kinds: Longs) -> int:
    """List the kinds of stones that R7 wants answered; return their number, or -1 if too many."""
    regions = board.regions
    count, length = regions.moved.shape[1], 0
    for region in range(count):
        live = live_in(board, state, region)
        if not live:
            continue
        undecided, warm = undecided_in(board, state, region), warm_in(state, region)
        # 1. Events at warm undecided lines, and last the other stones of the region.
        for event in range(MOST_LINES + 1):
            plain = event == MOST_LINES
            if not plain:
                # Not warm, so not full; or decided, and a full line is then tight: R3 answers.
                if not (undecided & warm) >> event & 1:
                    continue
                # A full line bears e stones, which cannot be more than there are.
                if regions.off[regions.lines[region, event]] - 2 > all_stones(state):
                    continue
            length = _sets_of(board, state, region, event, live, warm, kinds, length)
            if length < 0:
                return -1
    # 2. A stone elsewhere, even if no cell is: R7 asks for it.
    if length == len(kinds):
        return -1
    kinds[length] = NO_EVENT << 20 | count
    return length + 1


@njit(**NO_REFCOUNT)
def _sets_of(
    board: PlanBoard,
    state: Words,
    region: int,
    event: int,
    live: int,
    warm: int,
    kinds: Longs,
    begin: int,
) -> int:
    """List the sets N of lines that a stone may fill; only maximal ones from two stones on."""
    # 1. By classes of cells: those with the same lines give the same sets.
    regions, near, ends = board.regions, stones_in(state, region), begin
    plain = event == MOST_LINES
    base = region | (NO_EVENT if plain else event) << 20
    for at in range(regions.thread_ptr[region], regions.thread_ptr[region + 1]):
        through = regions.threads[at] & live
        if not through or (not plain and not through >> event & 1):
            continue
        # With fewer than three stones a warm line is full: that stone is an event, or R3 answers.
        if plain and near < SEVERAL and through & warm:
            continue
        # 2. The subsets of its cold lines, the whole set first and the empty one last.
        cold = through & ~warm
        part = cold
        while True:
            if _is_possible(board, region, event, near, part):
                # 3. Keep it unless it is listed or, from two stones on, within one that is.
                lines, covered, here = part, False, begin
                while here < ends:
                    other = newly_warm(kinds[here])
                    if other == lines or (near >= 2 and other & lines == lines):
                        covered = True
                    elif near >= 2 and other & lines == other:
                        # A smaller one goes.
                        ends -= 1
                        kinds[here] = kinds[ends]
                        continue
                    here += 1
                if not covered:
                    if ends == len(kinds):
                        return -1
                    kinds[ends] = base | lines << 4
                    ends += 1
                # Everything is possible then, so the whole set covers its subsets.
                if near == SEVERAL:
                    break
            if not part:
                break
            part = (part - 1) & cold
    return ends


@njit(**NO_REFCOUNT)
def _is_possible(board: PlanBoard, region: int, event: int, near: int, part: int) -> bool:
    """Return whether a stone may fill these lines through it at once."""
    # Before this stone each line has e - 1 of the region's `near` stones, and a full line e. Two of
    # them have as many together, less those on cells they share.
    if near == SEVERAL:
        return True
    regions = board.regions
    for one in range(MOST_LINES):
        if not part >> one & 1:
            continue
        own = regions.off[regions.lines[region, one]] - 2
        if own - 1 > near:
            return False
        if event < MOST_LINES:
            full = regions.off[regions.lines[region, event]] - 2
            if full + own - regions.shared[region, event, one] > near:
                return False
        for two in range(one):
            if part >> two & 1:
                other = regions.off[regions.lines[region, two]] - 2
                if own + other - 1 - regions.shared[region, one, two] > near:
                    return False
    return True


@njit(**NO_REFCOUNT)
def is_set_at_risk(
    board: PlanBoard, region: int, lines: int, undecided: int, warm: int, around: int, apart: int
) -> bool:
    """Return whether a set of live lines of a region is at risk (R7).

    `apart` is 1, or 0 for a set without a line of Q; `around` is c of the rule.
    """
    regions = board.regions
    return bool(
        lines & undecided
        and lines & (lines - 1)
        and regions.spare[region, lines] < around
        and regions.apart[region, lines] < apart + regions.slack[region, lines & warm]
    )


@njit(**NO_REFCOUNT)
def is_enough(
    board: PlanBoard, state: Words, replies: np.uint64, kind: int, stones: Stones
) -> bool:
    """Return whether replies are enough by 1 to 3 of R7; those to an event are on its line."""
    if not replies:
        return False
    regions = board.regions
    count, region, event = regions.moved.shape[1], region_of(kind), event_of(kind)
    fresh, total = newly_warm(kind), all_stones(state)
    live = undecided = warm = around = 0
    if region < count:
        live, warm = live_in(board, state, region), warm_in(state, region)
        undecided = undecided_in(board, state, region)
        near = stones_in(state, region)
        around = near + 1 if near < SEVERAL else total + 1
    # 1. Replies hit each set at risk; not in an event, where all of them are on the full line.
    if region < count and event == NO_EVENT:
        unhit = live & ~lines_in(board, region, np.uint64(0), replies)
        wanted, touched = undecided & unhit, fresh | (warm & ~undecided)
        for one in range(MOST_LINES):
            # `touched` is Q. A warm line for which all stones are too few has no event, and this
            # stone may be the one that fills it.
            line = regions.lines[region, one]
            if line >= 0 and regions.off[line] - 2 > total:
                touched |= warm & 1 << one
        lines = unhit
        while lines and wanted:
            apart = 1 if lines & touched else 0
            if is_set_at_risk(board, region, lines, wanted, warm, around, apart):
                return False
            lines = (lines - 1) & unhit
    # 2. Replies hit the rich line of each pair at risk. Above u + 1 stones pairs are not kept
    #    clear any more (invariant e), and with few stones each pair has enough cells to spare.
    if total > regions.limits[0] or total + 1 <= regions.limits[1]:
        return True
    length = pairs_at_risk(board, state, replies, kind, stones)
    if length < 0:
        return False
    if not length or region == count:
        return True
    # 3. One key answers one threat: a full line or set at risk must have enough spare cells
    #    together with each pair at risk that all stones cannot violate both.
    if event != NO_EVENT:
        for at in range(length):
            other = stones.pairs[1, at] != regions.lines[region, event]
            if other and _spare_with(board, region, 1 << event, at, stones) < total:
                return False
        return True
    lines = live
    while lines:
        if is_set_at_risk(board, region, lines, undecided, warm, around, 1):
            for at in range(length):
                if _spare_with(board, region, lines, at, stones) < total:
                    return False
        lines = (lines - 1) & live
    return True


@njit(**NO_REFCOUNT)
def pairs_at_risk(
    board: PlanBoard, state: Words, replies: np.uint64, kind: int, stones: Stones
) -> int:
    """List the pairs at risk (R7); return their number, or -1 if replies do not hit all of them."""
    regions = board.regions
    count, total, length = regions.moved.shape[1], all_stones(state) + 1, 0
    for home in range(count):
        undecided, warm = undecided_in(board, state, home), warm_in(state, home)
        if home == region_of(kind):
            warm |= newly_warm(kind)
        for place in range(MOST_LINES):
            if not undecided >> place & 1:
                continue
            rich = regions.lines[home, place]
            most = most_on(board, rich, warm)
            for at in range(regions.poor_ptr[rich], regions.poor_ptr[rich + 1]):
                # 1. By the lines: at most e and a(l) stones are on them.
                poor, shared = regions.poor[at], regions.poor_shared[at]
                spare = regions.off[poor] + regions.off[rich] - shared - 4
                if regions.off[poor] - 2 + most <= spare:
                    continue
                # 2. By places: stones of a region beyond what fits on its part of the pair are on
                #    neither line. Open regions do not record their stones.
                beside = 0
                for other in range(count):
                    if is_open(state, other):
                        continue
                    near = stones_in(state, other)
                    if other == region_of(kind) and near < SEVERAL:
                        near += 1
                    spare_cells = regions.poor_in[poor, other]
                    if other == home:
                        spare_cells += most - shared
                    if near > spare_cells and live_in(board, state, other):
                        beside += near - spare_cells
                if total - beside <= spare:
                    continue
                # 3. In an event the replies are on the full line, and need not hit pairs.
                if event_of(kind) == NO_EVENT and not board.masks[rich] & replies:
                    return -1
                stones.pairs[0, length], stones.pairs[1, length] = poor, rich
                length += 1
    return length


@njit(**NO_REFCOUNT)
def _spare_with(board: PlanBoard, region: int, lines: int, at: int, stones: Stones) -> int:
    """Return f0 of the union of some lines of a region and the pair at index `at`."""
    # The lines by table; then the rich line, if it is not in the region, without cells of the poor
    # one; then the poor line without cells that the lines have. No cell counts twice.
    regions, marks = board.regions, stones.marks
    poor, rich = stones.pairs[0, at], stones.pairs[1, at]
    if regions.home[rich] == region:
        lines |= 1 << regions.bit[rich]
    spare = int(regions.spare[region, lines])
    for place in range(board.line_ptr[poor], board.line_ptr[poor + 1]):
        marks[board.line_cells[place]] = 1
    if regions.home[rich] != region:
        spare -= 2
        for place in range(board.line_ptr[rich], board.line_ptr[rich + 1]):
            cell = board.line_cells[place]
            spare += regions.on_cell[cell] >= 0 and not marks[cell]
    spare -= 2
    for place in range(board.line_ptr[poor], board.line_ptr[poor + 1]):
        cell = board.line_cells[place]
        spare += not (regions.cell_home[cell] == region and regions.on_cell[cell] & lines)
        marks[cell] = 0
    return spare


@njit(**NO_REFCOUNT)
def reply_priority(board: PlanBoard, state: Words, kind: int, key: int) -> int:
    """Return the priority of a reply in move ordering: lines hit first, then their stones."""
    regions, bit, found = board.regions, _ONE << np.uint64(key), 0
    cell = board.keys[key]
    for at in range(board.through_ptr[cell], board.through_ptr[cell + 1]):
        line = board.through[at]
        home = regions.home[line]
        if home < 0 or board.masks[line] & state[BREAKER]:
            continue
        warm = warm_in(state, home)
        here = home == region_of(kind)
        if here:
            warm |= newly_warm(kind)
        found += 20 + 3 * stones_in(state, home) + 4 * here
        if warm >> regions.bit[line] & 1:
            found += 8
        if here and regions.bit[line] == event_of(kind) and board.masks[line] & bit:
            found += 100
    return found


@njit(**NO_REFCOUNT)
def block_spare(board: PlanBoard, state: Words, block: int) -> int:
    """Return f of a live block."""
    blocks = board.blocks
    return int(blocks.spare[block] - bits(blocks.keys[block] & state[MAKER]))


@njit(**NO_REFCOUNT)
def most_on_block(board: PlanBoard, state: Words, block: int, kind: int, total: int) -> int:
    """Return m(block) of R6: the most stones on it, of `total` with one of some kind."""
    # `away` ends as the stones of no region, p less all z: on the block they are on cells of its
    # poor lines that no rich line of it has. To them each region adds its own stones, as far as
    # its rich lines and such cells hold them.
    blocks, away, found = board.blocks, total, 0
    for region in range(board.regions.moved.shape[1]):
        near, warm = stones_in(state, region), warm_in(state, region)
        known = not is_open(state, region)
        if region == region_of(kind):
            near += known and near < SEVERAL
            warm |= newly_warm(kind)
        if known:
            away -= near
        borne = borne_by(board, region, blocks.rich[block, region], warm)
        borne += blocks.beside[block, region]
        found += min(borne, near) if near < SEVERAL else borne
    return int(min(total, found + min(away, blocks.poor[block], blocks.away[block])))


@njit(**NO_REFCOUNT)
def is_in_danger(board: PlanBoard, state: Words, block: int, kind: int, total: int) -> bool:
    """Return whether a block is live and at risk: m(block) > f(block)."""
    if board.blocks.keys[block] & state[BREAKER]:
        return False
    spare = block_spare(board, state, block)
    return bool(total > spare and most_on_block(board, state, block, kind, total) > spare)


@njit(**NO_REFCOUNT)
def blocks_pass(board: PlanBoard, before: Words, after: Words) -> bool:
    """Return whether m <= f for live blocks with a key that Maker just took (R6)."""
    for block in range(len(board.blocks.keys)):
        fresh = board.blocks.keys[block] & after[MAKER] & ~before[MAKER]
        if fresh and is_in_danger(board, after, block, _NO_STONE, all_stones(after)):
            return False
    return True


@njit(**NO_REFCOUNT)
def blocks_are_met(
    board: PlanBoard, state: Words, replies: np.uint64, kind: int, stones: Stones
) -> bool:
    """Return whether replies are enough by 4 of R7: no block at risk with another threat."""
    blocks, regions, total = board.blocks, board.regions, all_stones(state) + 1
    region, event, length = region_of(kind), event_of(kind), -1
    for block in range(len(blocks.keys)):
        if not is_in_danger(board, state, block, kind, total):
            continue
        spare = block_spare(board, state, block)
        # 1. In an event the reply is on the full line: a block without that line must not be
        #    violated together with it.
        if event != NO_EVENT:
            line = regions.lines[region, event]
            shared = blocks.on_line[block, line]
            if not has_line(board, block, line) and spare + regions.off[line] - shared <= total:
                return False
            continue
        # 2. Replies hit the block, and two blocks have too many spare cells for all stones.
        if not blocks.keys[block] & replies:
            return False
        for other in range(block):
            if is_in_danger(board, state, other, kind, total):
                both = spare + block_spare(board, state, other) - blocks.on_block[block, other]
                if both + 2 <= total:
                    return False
        # 3. So have the block and a set or pair at risk, but for a pair whose line is its own: a
        #    key on that line hits both.
        if region < regions.moved.shape[1] and _meets_a_set(
            board, state, block, region, spare + 2, total
        ):
            return False
        if length < 0 and total <= regions.limits[0] + 1:
            length = pairs_at_risk(board, state, ~np.uint64(0), kind, stones)
        for at in range(length):
            poor, rich = stones.pairs[0, at], stones.pairs[1, at]
            pair = regions.off[poor] + regions.off[rich] - shared_by(board, poor, rich) - 4
            shared = blocks.on_line[block, poor] + blocks.on_line[block, rich]
            if not has_line(board, block, rich) and spare + pair + 2 - shared <= total:
                return False
    return True


@njit(**NO_REFCOUNT)
def _meets_a_set(
    board: PlanBoard, state: Words, block: int, region: int, spare: int, total: int
) -> bool:
    """Return whether all stones may violate a block and a set of lines of a region."""
    live, undecided = live_in(board, state, region), undecided_in(board, state, region)
    warm, near, lines = warm_in(state, region), stones_in(state, region), live
    around = near + 1 if near < SEVERAL else total
    while lines:
        if (
            is_set_at_risk(board, region, lines, undecided, warm, around, 1)
            and spare + board.regions.spare[region, lines]
            <= total + board.blocks.on_set[block, region, lines]
        ):
            return True
        lines = (lines - 1) & live
    return False
