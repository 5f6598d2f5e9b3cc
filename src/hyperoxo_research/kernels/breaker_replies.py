"""Replies of plans of Breaker's: what they lead to, and when they are enough."""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs, Words, copy
from hyperoxo_research.kernels.breaker_blocks import blocks_are_met, blocks_bear
from hyperoxo_research.kernels.breaker_lines import decided_bear
from hyperoxo_research.kernels.breaker_look import (
    QUICK,
    PlanRoom,
    Work,
    answer_anywhere,
    is_promising,
    is_won,
    is_won_anywhere,
    keep_general,
    leaf_holds,
    sort_keys,
)
from hyperoxo_research.kernels.breaker_rules import RICH, PlanBoard, is_mended
from hyperoxo_research.kernels.breaker_states import (
    BREAKER,
    MAKER,
    NUMBERS,
    SEVERAL,
    all_stones,
    answer_key,
    forget,
    is_wide,
    make_normal,
    stones_in,
    unfold,
)
from hyperoxo_research.kernels.breaker_stones import (
    NO_EVENT,
    add_stone,
    event_of,
    is_enough,
    kinds_of_stones,
    region_of,
    worth,
)

_ONE = np.uint64(1)


@njit(**NO_REFCOUNT)
def holds_for_decided(board: PlanBoard, before: Words, after: Words, room: PlanRoom) -> bool:
    """Tell whether blocks and lines that are decided bear what they must once keys were taken."""
    if not board.regions.moved.shape[1]:
        return True
    make_normal(board, after)
    unfold(board, after)
    fine = blocks_bear(board, before, after)
    return bool(fine and decided_bear(board, after, before[MAKER], room.sets))


@njit(**NO_REFCOUNT)
def answer_stone(board: PlanBoard, state: Words, kind: int, reply: np.uint64, child: Words) -> None:
    """Write the state after a stone that is answered with a key.

    The stone is of some kind where regions are told apart, unless that is below 0.
    """
    copy(child, state)
    if board.regions.moved.shape[1] and kind >= 0:
        add_stone(board, child, kind)
    else:
        child[NUMBERS] += _ONE
    child[BREAKER] |= reply


@njit(**NO_REFCOUNT)
def is_met(
    board: PlanBoard, state: Words, good: np.uint64, kind: int, easy: bool, room: PlanRoom
) -> bool:
    """Tell whether replies are enough after a stone."""
    if easy:
        return bool(good != 0)
    if board.regions.moved.shape[1]:
        given = board, state, good, kind, room.stones
        return bool(is_enough(*given) and blocks_are_met(*given))
    counted = all_stones(state)
    return bool(is_mended(board, state[MAKER], state[BREAKER], good, counted, room.matching))


@njit(**NO_REFCOUNT)
def answers_to(board: PlanBoard, kind: int) -> np.uint64:
    """Return the keys that may answer a kind of stone: in an event, those on its line alone."""
    if kind < 0 or not board.regions.moved.shape[1] or event_of(kind) == NO_EVENT:
        return ~np.uint64(0)
    return np.uint64(board.masks[board.regions.lines[region_of(kind), event_of(kind)]])


@njit(**NO_REFCOUNT)
def follows(board: PlanBoard, state: Words, rounds: int, work: Work) -> bool:
    """Tell whether a state that is no leaf is won by states that are won within some rounds."""
    room = work.room
    child, order, kinds = room.child, room.order, room.kinds
    # 1. Keys.
    sort_keys(board, state[MAKER] | state[BREAKER], state[BREAKER], order)
    first = 0
    while order[first] >= 0:
        key, at, answered = _ONE << np.uint64(order[first]), 0, False
        while order[at] >= 0 and not answered:
            bit = _ONE << np.uint64(order[at])
            at += 1
            if bit != key:
                answer_key(state, key, bit, child)
                won = is_won(board, child, False, rounds, work)
                answered = won and holds_for_decided(board, state, child, room)
        if not answered:
            return False
        first += 1
    # 2. Replies that win wherever a stone is.
    anywhere, at = np.uint64(0), 0
    while order[at] >= 0:
        answer_anywhere(state, order[at], child)
        if is_won_anywhere(board, child, rounds, work) > 0:
            anywhere |= _ONE << np.uint64(order[at])
        at += 1
    # 3. Stones.
    count = kinds_of_stones(board, state, kinds)
    for number in range(count):
        kind, at = kinds[number], 0
        good = anywhere & answers_to(board, kind)
        met = good != 0 and is_met(board, state, good, kind, False, room)
        while order[at] >= 0 and not met:
            bit = _ONE << np.uint64(order[at])
            at += 1
            if good & bit or is_wide(state) or not answers_to(board, kind) & bit:
                continue
            answer_stone(board, state, kind, bit, child)
            if is_won(board, child, False, rounds, work):
                good |= bit
                met = is_met(board, state, good, kind, False, room)
        if not met:
            return False
    return count >= 0


@njit(**NO_REFCOUNT)
def generalise(board: PlanBoard, state: Words, rounds: int, work: Work) -> None:
    """Keep the state that says least of where stones are, and is won in as many rounds.

    Without rounds it is a leaf, as the given one is.
    """
    room = work.room
    general, trial = room.general, room.trial
    copy(general, state)
    for near in range(SEVERAL, -1, -1):
        for region in range(board.regions.moved.shape[1]):
            copy(trial, general)
            if stones_in(state, region) != near or not forget(board, trial, region):
                continue
            if rounds == 0:
                holds = leaf_holds(board, trial, QUICK, room)
            else:
                holds = follows(board, trial, rounds - 1, work)
            if holds:
                copy(general, trial)
    keep_general(board, rounds, work)


@njit(**NO_REFCOUNT)
def sort_replies(board: PlanBoard, state: Words, kind: int, order: Longs, into: Longs) -> int:
    """List the keys that may answer a stone, those first that hit most; return how many."""
    length, at = 0, 0
    while order[at] >= 0:
        key = order[at]
        at += 1
        if not answers_to(board, kind) >> np.uint64(key) & _ONE:
            continue
        value = worth(board, state, kind, key) if kind >= 0 else 0
        here = length
        while here > 0 and into[here - 1] >> 8 < value:
            into[here] = into[here - 1]
            here -= 1
        into[here] = value << 8 | key
        length += 1
    for here in range(length):
        into[here] &= 255
    return length


@njit(**NO_REFCOUNT)
def promising_first(board: PlanBoard, state: Words, kind: int, length: int, work: Work) -> None:
    """Move those replies to the front that lead to keys with which other states are won."""
    room = work.room
    into, child, front = room.sorted, room.child, 0
    for here in range(length):
        key = into[here]
        answer_stone(board, state, kind, _ONE << np.uint64(key), child)
        if is_promising(board, child, work):
            for place in range(here, front, -1):
                into[place] = into[place - 1]
            into[front] = key
            front += 1


@njit(**NO_REFCOUNT)
def rank(board: PlanBoard, hit: np.uint64, bit: np.uint64) -> int:
    """Tell whether a key is on a rich line that none of `hit` is on, 0, or not, 1."""
    for line in range(len(board.kinds)):
        mask = board.masks[line]
        if mask & bit and not mask & hit and board.kinds[line] == RICH:
            return 0
    return 1
