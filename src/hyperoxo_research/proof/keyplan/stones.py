"""Rule *stones elsewhere*: R4 by counts, R7 by lines with its conditions 1 to 4."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import njit_or_python as njit
from hyperoxo_research.proof.keyplan.blocks import (
    are_blocks_apart,
    are_blocks_apart_from_event,
    blocks_at_risk,
)
from hyperoxo_research.proof.keyplan.board import RICH, Board, Longs
from hyperoxo_research.proof.keyplan.matching import Scratch, close, have_two_each, spare_with
from hyperoxo_research.proof.keyplan.pairs import max_on_line, spare_of_pair
from hyperoxo_research.proof.keyplan.states import ANY, MANY, State, undecided_in, without


class Stone(NamedTuple):
    """A stone in a region, or elsewhere if that is their number.

    `new` are the lines N that become warm; `event` is the bit of the line of an event, or -1.
    """

    region: int
    new: int
    event: int


@njit(nogil=True)
def are_enough_by_counts(board: Board, state: State, replies: np.uint64, room: Scratch) -> bool:
    """R4: return whether replies are enough for a stone off the keys."""
    # There must be one, and f₀(A) > p for every set A of live rich lines that none of them hits,
    # with a line that has a free key.
    lines = board.lines
    unhit = (lines.kinds == RICH) & ((lines.keys_on & (state.breaker | replies)) == 0)
    undecided = unhit & ((lines.keys_on & ~state.maker) != 0)
    if replies == 0 or not undecided.any():
        return bool(replies != 0)
    close(lines, ~np.uint64(0), room)
    if not have_two_each(lines, unhit, room):
        return False
    begun, none = room.holder.copy(), np.zeros_like(room.tried)
    for line in range(len(undecided)):
        if undecided[line]:
            if spare_with(lines, line, 0, state.row[0] + 1, none, room) <= state.row[0]:
                return False
            room.holder[:] = begun
    return True


@njit(nogil=True)
def is_possible(board: Board, region: int, stones: int, some: int, full: int) -> bool:
    """Return whether lines through a stone may become full, with another that is (-1: none)."""
    if stones >= MANY:
        return True
    members = board.regions.members[region]
    for one in range(len(members)):
        if not some >> one & 1:
            continue
        bears = board.off[members[one]] - 2
        if bears - 1 > stones:
            return False
        if full >= 0:
            both = board.off[members[full]] - 2 + bears
            if both - board.shared[members[full], members[one]] > stones:
                return False
        for two in range(one):
            if some >> two & 1:
                both = bears + board.off[members[two]] - 2 - 1
                if both - board.shared[members[one], members[two]] > stones:
                    return False
    return True


@njit(nogil=True)
def sets_to_answer(board: Board, state: State, region: int, event: int) -> Longs:
    """Return 𝒩, the sets of lines that must be answered, or 𝒩_w for the line of an event."""
    regions, live = board.regions, without(board, state.breaker, region)
    stones, warm = state.row[1 + region], state.row[1 + len(regions.members) + region]
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
            if is_possible(board, region, stones, some, event):
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
def row_after(board: Board, row: Longs, stone: Stone) -> Longs:
    """Return the row with a stone; an open region stays, as all its live lines are warm."""
    after, region, count = row.copy(), stone.region, len(board.regions.members)
    after[0] += 1
    if region < count:
        after[1 + region] += after[1 + region] < MANY
        after[1 + count + region] |= stone.new
    return after


@njit(nogil=True)
def sets_at_risk(board: Board, state: State, region: int) -> Longs:
    """Return the sets A of lines of a region at risk; none for a stone elsewhere."""
    regions, row, count = board.regions, state.row, len(board.regions.members)
    found, length = np.zeros(regions.spare.shape[1], np.int64), 0
    if region == count:
        return found[:0]
    live, undecided = without(board, state.breaker, region), undecided_in(board, state, region)
    warm = row[1 + count + region]
    most = row[1 + region] + 1 if row[1 + region] < MANY else row[0] + 1
    some = live
    while some > 0:
        several = some & undecided != 0 and some & (some - 1) != 0
        lacks = regions.apart[region, some] - regions.loose[region, some & warm]
        if several and most > regions.spare[region, some] and lacks < 1:
            found[length] = some
            length += 1
        some = (some - 1) & live
    return found[:length]


@njit(nogil=True)
def pairs_at_risk(board: Board, after: State) -> Longs:
    """Return the pairs of a poor and a rich line at risk in the state with the stone."""
    regions, lines, count = board.regions, board.lines, len(board.regions.members)
    found, length, total = np.zeros_like(board.crossing), 0, after.row[0]
    for at in range(len(board.crossing) if total <= board.least + 1 else 0):
        poor, rich = board.crossing[at]
        keys = lines.keys_on[rich]
        if keys & after.breaker != 0 or keys & ~after.maker == 0:
            continue
        most, spare = max_on_line(board, after.row, rich), spare_of_pair(board, poor, rich)
        if board.off[poor] - 2 + most <= spare:
            continue
        # In each region, the most stones on the pair.
        rooms = np.zeros(count, np.int64)
        for place in range(lines.starts[poor], lines.starts[poor + 1]):
            if regions.of_cell[lines.cells[place]] >= 0:
                rooms[regions.of_cell[lines.cells[place]]] += 1
        rooms[regions.of_line[rich]] += most - board.shared[poor, rich]
        beside = 0
        for region in range(count):
            near = after.row[1 + region]
            if near != ANY:
                beside += max(0, near - rooms[region])
        if total - beside > spare:
            found[length, 0], found[length, 1] = poor, rich
            length += 1
    return found[:length]


@njit(nogil=True)
def are_sets_hit(board: Board, state: State, stone: Stone, replies: np.uint64, sets: Longs) -> bool:
    """R7.1: return whether each set at risk with |A| - X(A) < [Q meets A] + v is hit."""
    regions, region = board.regions, stone.region
    warm = state.row[1 + len(regions.members) + region]
    unhit = without(board, replies, region)
    meeting = stone.new | (warm & ~undecided_in(board, state, region))
    for bit, line in enumerate(regions.members[region]):
        # Such a line may become full by this stone, and no event is answered at it.
        if warm >> bit & 1 and board.off[line] - 2 > state.row[0]:
            meeting |= 1 << bit
    for some in sets:
        lacks = regions.apart[region, some] - regions.loose[region, some & warm]
        if some & ~unhit == 0 and lacks < (1 if some & meeting != 0 else 0):
            return False
    return True


@njit(nogil=True)
def are_pairs_hit(board: Board, replies: np.uint64, pairs: Longs) -> bool:
    """R7.2: return whether the rich line of every pair at risk is hit."""
    return bool((board.lines.keys_on[pairs[:, 1]] & replies != 0).all())


@njit(nogil=True)
def are_pairs_apart(
    board: Board, region: int, sets: Longs, pairs: Longs, event: int, stones: int
) -> bool:
    """R7.3: return whether f₀ of every set with every pair is at least as many stones."""
    # In an event its line is the only set, and pairs with it are left out.
    lines, regions = board.lines, board.regions
    for some in sets:
        # 1. The cells of the set and the keys, which add nothing to f₀ of the set.
        inside = board.is_key | ((regions.of_cell == region) & (regions.on_cell & some != 0))
        # 2. Each further cell of a pair adds one, and each further line takes two.
        last = np.full(len(inside), -1)
        for number, (poor, rich) in enumerate(pairs):
            has_rich = regions.of_line[rich] == region and some >> regions.bit[rich] & 1
            spare = regions.spare[region, some] - 2 - 2 * (not has_rich)
            for line in (poor, rich):
                for at in range(lines.starts[line], lines.starts[line + 1]):
                    cell = lines.cells[at]
                    spare += not inside[cell] and last[cell] != number
                    last[cell] = number
            if rich != event and spare < stones:
                return False
    return True


@njit(nogil=True)
def are_blocks_hit(board: Board, replies: np.uint64, risky: Longs) -> bool:
    """R7.4: return whether every block at risk is hit."""
    return bool((board.blocks.keys[risky] & replies != 0).all())


@njit(nogil=True)
def are_enough(board: Board, state: State, stone: Stone, replies: np.uint64) -> bool:
    """R7: return whether replies are enough for a stone; in an event they are on its line."""
    if replies == 0:
        return False
    maker, region, stones = state.maker, stone.region, state.row[0]
    after = State(maker, state.breaker, row_after(board, state.row, stone))
    pairs, risky = pairs_at_risk(board, after), blocks_at_risk(board, after)
    if stone.event >= 0:
        line, sets = board.regions.members[region, stone.event], np.full(1, 1 << stone.event)
        return bool(
            are_pairs_apart(board, region, sets, pairs, line, stones)
            and are_blocks_apart_from_event(board, maker, stones + 1, risky, line)
        )
    if not are_pairs_hit(board, replies, pairs) or not are_blocks_hit(board, replies, risky):
        return False
    sets = sets_at_risk(board, state, region)
    return bool(
        (len(sets) == 0 or are_sets_hit(board, state, stone, replies, sets))
        and are_pairs_apart(board, region, sets, pairs, -1, stones)
        and are_blocks_apart(board, maker, stones + 1, risky, pairs, sets, region)
    )
