"""The states that a search for a plan of Breaker's has found to prove where it begins."""

from __future__ import annotations

import numpy as np

from hyperoxo.kernels.arrays import Bytes, Longs, Words, copy
from hyperoxo.kernels.breaker import count_stone, holds_for_decided, is_met, may_answer
from hyperoxo.kernels.breaker_lines import sets_bear
from hyperoxo.kernels.breaker_look import OPEN, PlanRoom, sort_keys
from hyperoxo.kernels.breaker_rules import PlanBoard, is_leaf
from hyperoxo.kernels.breaker_states import BREAKER, MAKER, widen
from hyperoxo.kernels.breaker_stones import kinds_of_stones
from hyperoxo.kernels.breaker_table import PlanTable, place
from hyperoxo.kernels.lean import lean

SURE, WIDE = 1, 2
"""Rounds that do not win a leaf, where all of its lines were looked at: for its stones, or for as
many anywhere; else 0."""
_ONE = np.uint64(1)


@lean
def follow(
    board: PlanBoard,
    table: PlanTable,
    room: PlanRoom,
    listed: Longs,
    length: int,
    chosen: Bytes,
    found: Words,
    order: Longs,
    kinds: Longs,
    slots: Longs,
    done: int,
    most: int,
) -> int:
    """List the places of states that prove those listed from `done` on; return how many.

    `chosen` is a flag for each place of the table. At most some number of states are followed at
    once, so that a caller can look at the time.
    """
    ends = min(length, done + most)
    while done < ends:
        here = listed[done]
        done += 1
        if table.won[here] == 0:
            continue
        # 1. Keys.
        state = table.states[here]
        sort_keys(board, state[MAKER] | state[BREAKER], state[BREAKER], order)
        at = 0
        while order[at] >= 0:
            bit = _ONE << np.uint64(order[at])
            best = best_reply(board, table, room, state, bit, order, chosen, found)
            if best >= 0 and not chosen[best]:
                chosen[best] = 1
                listed[length] = best
                length += 1
            at += 1
        # 2. Stones off the keys.
        count = kinds_of_stones(board, state, kinds)
        for number in range(count):
            kind = kinds[number]
            _find(board, table, room, state, kind, order, found, slots)
            good, met = np.uint64(0), False
            for wanted in range(-1, OPEN):
                if met:
                    break
                more = False
                for key in range(len(board.keys)):
                    slot = slots[key]
                    if slot < 0:
                        continue
                    more |= table.won[slot] > wanted
                    if not chosen[slot] if wanted < 0 else table.won[slot] != wanted:
                        continue
                    bit = _ONE << np.uint64(key)
                    if good & bit:
                        continue
                    good |= bit
                    if wanted >= 0:
                        if not chosen[slot]:
                            chosen[slot] = 1
                            listed[length] = slot
                            length += 1
                        met = is_met(board, state, good, kind, False, room)
                        if met:
                            break
                if wanted < 0 and good:
                    met = is_met(board, state, good, kind, False, room)
                if not more:
                    break
    return length


@lean
def stands(
    board: PlanBoard,
    table: PlanTable,
    room: PlanRoom,
    state: Words,
    found: Words,
    order: Longs,
    kinds: Longs,
    slots: Longs,
    chosen: Bytes,
) -> bool:
    """Tell whether the states that are won prove one that is no leaf."""
    sort_keys(board, state[MAKER] | state[BREAKER], state[BREAKER], order)
    at = 0
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        if best_reply(board, table, room, state, bit, order, chosen, found) < 0:
            return False
        at += 1
    for number in range(kinds_of_stones(board, state, kinds)):
        _find(board, table, room, state, kinds[number], order, found, slots)
        good = np.uint64(0)
        for key in range(len(board.keys)):
            if slots[key] >= 0:
                good |= _ONE << np.uint64(key)
        if not is_met(board, state, good, kinds[number], False, room):
            return False
    return True


@lean
def leaf_holds(board: PlanBoard, state: Words, room: PlanRoom) -> int:
    """Tell whether a state is a leaf, by all of its lines: `WIDE`, `SURE`, or 0 if it is none."""
    owner = room.matching.owner
    if not is_leaf(board, state[MAKER], state[BREAKER], 0, room.matching):
        return 0
    widen(board, state, room.other)
    given = ~np.uint64(0), state[MAKER], len(board.kinds), owner, room.sets
    if sets_bear(board, room.other, *given):
        return WIDE
    return SURE if sets_bear(board, state, *given) else 0


@lean
def has_keys(one: Words, two: Words) -> bool:
    """Tell whether states have the same keys."""
    return bool(one[MAKER] == two[MAKER] and one[BREAKER] == two[BREAKER])


@lean
def look_at_leaves(board: PlanBoard, table: PlanTable, rows: Longs, room: PlanRoom) -> int:
    """Look at leaves by all of their lines, and open those that are none; return how many.

    Those with the same keys stand together, and first the one with the most stones: if it holds
    wherever its stones are, it stands for all.
    """
    failed, wide = 0, -1
    for at in rows:
        state = table.states[at]
        if table.lost[at] != SURE and table.lost[at] != WIDE:
            same = wide >= 0 and has_keys(state, table.states[wide])
            table.lost[at] = WIDE if same else leaf_holds(board, state, room)
        if table.lost[at] == WIDE:
            wide = at
        elif table.lost[at] != SURE:
            table.won[at], table.lost[at] = OPEN, 1
            failed += 1
    return failed


@lean
def open_others(
    board: PlanBoard,
    table: PlanTable,
    rows: Longs,
    room: PlanRoom,
    found: Words,
    order: Longs,
    kinds: Longs,
    slots: Longs,
    chosen: Bytes,
) -> None:
    """Open the states that those which are won do not prove any more."""
    for at in rows:
        state = table.states[at]
        if not stands(board, table, room, state, found, order, kinds, slots, chosen):
            table.won[at] = OPEN


@lean
def best_reply(
    board: PlanBoard,
    table: PlanTable,
    room: PlanRoom,
    state: Words,
    key: np.uint64,
    order: Longs,
    chosen: Bytes,
    found: Words,
) -> int:
    """Return the place of a reply that is chosen already, or that wins in the fewest rounds."""
    best, at, child = -1, 0, room.child
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        at += 1
        if bit == key:
            continue
        copy(child, state)
        child[MAKER] |= key
        child[BREAKER] |= bit
        slot = place(board, child, table, found)
        if slot < 0 or table.won[slot] == OPEN:
            continue
        if best >= 0 and not chosen[slot] and table.won[slot] >= table.won[best]:
            continue
        if not holds_for_decided(board, state, child, room):
            continue
        if chosen[slot]:
            return slot
        best = slot
    return best


@lean
def _find(
    board: PlanBoard,
    table: PlanTable,
    room: PlanRoom,
    state: Words,
    kind: int,
    order: Longs,
    found: Words,
    slots: Longs,
) -> None:
    """Write for each key the place of the won state after it answers a stone, or -1."""
    child, at = room.child, 0
    for key in range(len(board.keys)):
        slots[key] = -1
    while order[at] >= 0:
        key = order[at]
        bit = _ONE << np.uint64(key)
        at += 1
        if not may_answer(board, kind, bit):
            continue
        copy(child, state)
        count_stone(board, child, kind)
        child[BREAKER] |= bit
        slot = place(board, child, table, found)
        if slot >= 0 and table.won[slot] != OPEN:
            slots[key] = slot
