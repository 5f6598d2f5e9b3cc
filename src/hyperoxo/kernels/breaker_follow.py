"""The states that a search for a plan of Breaker's has found to prove where it begins."""

from __future__ import annotations

import numpy as np

from hyperoxo.kernels.arrays import Bytes, Longs, Words
from hyperoxo.kernels.breaker import OPEN, PlanRoom, has_cells, is_met, sort_keys
from hyperoxo.kernels.breaker_counts import all_stones, one_stone_more, open_regions
from hyperoxo.kernels.breaker_regions import settles_by_regions
from hyperoxo.kernels.breaker_rules import PlanBoard, is_leaf
from hyperoxo.kernels.breaker_table import KEYS_ALONE, NO_LEAF, PlanTable, note_leaf, place
from hyperoxo.kernels.lean import lean

SURE = 1
"""Rounds that do not win a leaf, where all of its lines were looked at; else 0."""
_ONE = np.uint64(1)


@lean
def follow(
    board: PlanBoard,
    table: PlanTable,
    room: PlanRoom,
    listed: Longs,
    chosen: Bytes,
    found: Words,
    order: Longs,
) -> int:
    """List the places of states that prove the first of `listed`; return how many.

    `chosen` is a flag for each place of the table.
    """
    length, done = 1, 0
    chosen[listed[0]] = 1
    while done < length:
        here = listed[done]
        done += 1
        if table.won[here] == 0:
            continue
        maker, breaker = table.makers[here], table.breakers[here]
        counted = int(np.int64(table.counts[here]))
        sort_keys(board, maker | breaker, breaker, order)
        at = 0
        while order[at] >= 0:
            bit = _ONE << np.uint64(order[at])
            best = _best_reply(board, table, maker | bit, breaker, counted, order, chosen, found)
            if best >= 0 and not chosen[best]:
                chosen[best] = 1
                listed[length] = best
                length += 1
            at += 1
        for region in range(board.moved.shape[1] + 1):
            if has_cells(board, maker, breaker, region):
                length = _follow_passes(
                    *(board, table, room, listed, length, chosen, found, order),
                    *(maker, breaker, counted, region),
                )
    return length


@lean
def no_leaves(
    board: PlanBoard,
    table: PlanTable,
    room: PlanRoom,
    listed: Longs,
    length: int,
    found: Words,
) -> int:
    """Look at all lines of the leaves that are listed, and open those that fail; return how many.

    What rests on one of them is unknown then: if there is any, no state but leaves stays won.
    """
    failed, sets = 0, room.sets
    for at in range(length):
        here = listed[at]
        if table.won[here] or table.lost[here] == SURE:
            continue
        maker, breaker = table.makers[here], table.breakers[here]
        counted = int(np.int64(table.counts[here]))
        total, lines = all_stones(board, counted), len(board.kinds)
        if is_leaf(board, maker, breaker, 0, room.matching) and settles_by_regions(
            *(board, open_regions(board, maker, breaker), breaker, counted, total, lines),
            *(room.matching.owner, sets),
        ):
            table.lost[here] = SURE
            continue
        failed += 1
        table.won[here], table.lost[here] = OPEN, max(1, int(table.lost[here]))
        # What was noted of these keys may come from the same oversight.
        alone = place(board, maker, breaker, KEYS_ALONE, table, found)
        table.first[alone] = 0
        note_leaf(board, table, room.leaves, alone, sets.bounds[0], NO_LEAF)
    for at in range(len(table.used) if failed else 0):
        if table.used[at] and table.counts[at] != KEYS_ALONE and table.won[at]:
            table.won[at] = OPEN
    return failed


@lean
def _best_reply(
    board: PlanBoard,
    table: PlanTable,
    taken: np.uint64,
    breaker: np.uint64,
    counted: int,
    order: Longs,
    chosen: Bytes,
    found: Words,
) -> int:
    """Return the place of a reply that is chosen already, or that wins in the fewest rounds."""
    best, at = -1, 0
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        at += 1
        if taken & bit:
            continue
        slot = place(board, taken, breaker | bit, counted, table, found)
        if not table.used[slot] or table.won[slot] == OPEN:
            continue
        if chosen[slot]:
            return slot
        if best < 0 or table.won[slot] < table.won[best]:
            best = slot
    return best


@lean
def _follow_passes(
    board: PlanBoard,
    table: PlanTable,
    room: PlanRoom,
    listed: Longs,
    length: int,
    chosen: Bytes,
    found: Words,
    order: Longs,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
    region: int,
) -> int:
    """Choose replies to a stone off the keys until they are enough; those chosen before first."""
    good = np.uint64(0)
    for wanted in range(-1, OPEN):
        at = 0
        while order[at] >= 0:
            bit = _ONE << np.uint64(order[at])
            at += 1
            slot = place(board, maker, breaker | bit, one_stone_more(counted, region), table, found)
            if good & bit or not table.used[slot] or table.won[slot] == OPEN:
                continue
            if not chosen[slot] if wanted < 0 else table.won[slot] != wanted:
                continue
            good |= bit
            if not chosen[slot]:
                chosen[slot] = 1
                listed[length] = slot
                length += 1
            if wanted >= 0 and is_met(board, maker, breaker, good, counted, region, room):
                return length
        if wanted < 0 and is_met(board, maker, breaker, good, counted, region, room):
            return length
    return length
