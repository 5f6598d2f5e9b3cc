"""The states that a search for a plan of Breaker's has found to prove where it begins."""

from __future__ import annotations

import numpy as np

from hyperoxo.kernels.arrays import Bytes, Longs, Words
from hyperoxo.kernels.breaker import OPEN, PlanRoom, has_cells, is_met, sort_keys
from hyperoxo.kernels.breaker_counts import one_stone_more
from hyperoxo.kernels.breaker_rules import PlanBoard
from hyperoxo.kernels.breaker_table import PlanTable, place
from hyperoxo.kernels.lean import lean

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
