"""Frames of the search for a plan of Breaker's, one for each round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs, Words, copy
from hyperoxo_research.kernels.breaker_look import sort_keys
from hyperoxo_research.kernels.breaker_rules import PlanBoard, bits
from hyperoxo_research.kernels.breaker_states import BREAKER, MAKER, make_normal, unfold
from hyperoxo_research.kernels.breaker_stones import kinds_of_stones, region_of

ROUNDS, KEY, REPLY, PHASE, CHILD, EASY, KINDS, ASKED, FRAME = range(9)
KEYS_PHASE, PASS_PHASE = range(2)
FAILS, HOLDS, ANYWHERE, NOWHERE, TESTED = range(5)
_ONE, _HIGH, _GOLDEN = np.uint64(1), np.uint64(40), np.uint64(0x9E3779B97F4A7C15)
_STONES = 64
"""The stones of the first region among conditions, after all keys."""


class PlanStack(NamedTuple):
    """Frames of the search, one for each round."""

    fields: Longs
    states: Words
    order: Longs
    classes: Words
    kinds: Longs
    tested: Words
    """Replies to a key that fail the test of decided lines, and that pass it; those to a stone that
    cannot win in the rounds that are left, and that win. Then the replies to any stone that win
    wherever it is, and those that win nowhere; `ASKED` tells whether these are known."""
    depth: Longs
    """The frame in use; below 0 where the search is done."""
    failed: Words
    """Which condition failed last with some keys, one that is looked at first next time: Maker's
    keys, Breaker's and a mark of the easy game, and the key that Maker takes or the region of a
    stone, ``[entries, 3]``."""
    reverse: int
    """Whether conditions are looked at from the last, so that two threads meet halfway."""


@njit(**NO_REFCOUNT)
def open_frame(
    board: PlanBoard, state: Words, easy: bool, rounds: int, stack: PlanStack, depth: int
) -> None:
    """Make a frame for a state; the condition that failed last with its keys comes first."""
    frame, kept = stack.fields[depth], stack.states[depth]
    copy(kept, state)
    make_normal(board, kept)
    unfold(board, kept)
    frame[ROUNDS], frame[KEY], frame[REPLY], frame[EASY] = rounds, 0, -1, easy
    frame[KINDS], frame[ASKED] = 1, 0
    if board.regions.moved.shape[1] and not easy:
        frame[KINDS] = kinds_of_stones(board, kept, stack.kinds[depth])
    sort_keys(board, kept[MAKER] | kept[BREAKER], kept[BREAKER], stack.order[depth])
    stones_first = (bits(state[MAKER]) <= 1 and not easy) != (stack.reverse == 1)
    last = _failed_last(stack, kept, easy)
    if last >= 0:
        stones_first = last >= _STONES
        _put_first(stack, depth, last)
    frame[PHASE] = PASS_PHASE if stones_first else KEYS_PHASE
    frame[CHILD] = 2 if stones_first else 0


@njit(**NO_REFCOUNT)
def _failed_slot(stack: PlanStack, state: Words, easy: bool) -> int:
    """Return the entry of `failed` for the keys of a state."""
    mixed = (state[MAKER] * _GOLDEN ^ (state[BREAKER] << _ONE | np.uint64(easy))) * _GOLDEN
    return int(np.int64(mixed >> _HIGH) & np.int64(stack.failed.shape[0] - 1))


@njit(**NO_REFCOUNT)
def _failed_last(stack: PlanStack, state: Words, easy: bool) -> int:
    """Return the condition that failed last with the keys of a state, or -1."""
    entry = stack.failed[_failed_slot(stack, state, easy)]
    if entry[0] != state[MAKER] or entry[1] != state[BREAKER] << _ONE | np.uint64(easy):
        return -1
    return int(np.int64(entry[2])) - 1


@njit(**NO_REFCOUNT)
def note_failed(stack: PlanStack, depth: int) -> None:
    """Note which condition of the lowest state failed."""
    frame, state = stack.fields[depth], stack.states[depth]
    easy = bool(frame[EASY])
    if frame[PHASE] == KEYS_PHASE:
        condition = stack.order[depth, frame[KEY]]
    else:
        condition = _STONES
        if frame[KINDS] > 1:
            at = abs(frame[KEY] - (frame[KINDS] - 1) * stack.reverse)
            condition += region_of(stack.kinds[depth, at])
    entry = stack.failed[_failed_slot(stack, state, easy)]
    entry[0], entry[1] = state[MAKER], state[BREAKER] << _ONE | np.uint64(easy)
    entry[2] = np.uint64(condition + 1)


@njit(**NO_REFCOUNT)
def _put_first(stack: PlanStack, depth: int, condition: int) -> None:
    """Let a condition come first: a key, or the stones of a region."""
    order, kinds, count = stack.order[depth], stack.kinds[depth], stack.fields[depth, KINDS]
    if condition < _STONES:
        at = 0
        while order[at] >= 0 and order[at] != condition:
            at += 1
        if order[at] == condition:
            for place in range(at, 0, -1):
                order[place] = order[place - 1]
            order[0] = condition
        return
    # From the last one on, if they are looked at in this order.
    front = 0
    for number in range(count if count > 1 else 0):
        at = count - 1 - number if stack.reverse else number
        if region_of(kinds[at]) == condition - _STONES:
            to = count - 1 - front if stack.reverse else front
            kinds[at], kinds[to] = kinds[to], kinds[at]
            front += 1


@njit(**NO_REFCOUNT)
def begin(board: PlanBoard, state: Words, rounds: int, stack: PlanStack) -> None:
    """Make ready to search a state to a number of rounds."""
    stack.depth[0] = 0
    open_frame(board, state, False, rounds, stack, 0)
