"""Replies of the key-plan search: successors, sufficient sets, generalisation, proof extraction."""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes, Longs, Words, copy
from hyperoxo_research.kernels.atomic import claim
from hyperoxo_research.kernels.key_plan_leaves import (
    ALL_LINES,
    NOT_WIDE,
    OPEN,
    QUICK,
    PlanScratch,
    PlanTables,
    Work,
    answer_anywhere,
    enter_general,
    is_leaf_by_lines,
    is_promising,
    is_won,
    is_won_anywhere,
    place_of_general,
    place_of_leaf,
    place_of_wide,
    sort_keys,
)
from hyperoxo_research.kernels.key_plan_lines import decided_pass
from hyperoxo_research.kernels.key_plan_rules import RICH, PlanBoard, is_mended
from hyperoxo_research.kernels.key_plan_states import (
    BREAKER,
    MAKER,
    NUMBERS,
    SEVERAL,
    all_stones,
    answer_key,
    forget,
    is_wide,
    make_normal,
    make_wide,
    stones_in,
    unfold,
)
from hyperoxo_research.kernels.key_plan_stones import (
    NO_EVENT,
    add_stone,
    blocks_are_met,
    blocks_pass,
    event_of,
    is_enough,
    kinds_of_stones,
    region_of,
    reply_priority,
)
from hyperoxo_research.kernels.key_plan_table import place

_ONE = np.uint64(1)
# Entries of `counts` in `follow`, and ranks before any number of rounds.
_LISTED, _LACKING = range(2)
_CHOSEN, _KNOWN = -2, -1


@njit(**NO_REFCOUNT)
def passes_decided(board: PlanBoard, before: Words, after: Words, scratch: PlanScratch) -> bool:
    """Return whether a reply to a key passes R6: blocks, and the test of decided lines."""
    if not board.regions.moved.shape[1]:
        return True
    make_normal(board, after)
    unfold(board, after)
    fine = blocks_pass(board, before, after)
    return bool(fine and decided_pass(board, after, before[MAKER], scratch.sets))


@njit(**NO_REFCOUNT)
def answer_stone(board: PlanBoard, state: Words, kind: int, reply: np.uint64, child: Words) -> None:
    """Write the state after a stone that a key answers; a kind below 0 is only counted."""
    copy(child, state)
    if board.regions.moved.shape[1] and kind >= 0:
        add_stone(board, child, kind)
    else:
        child[NUMBERS] += _ONE
    child[BREAKER] |= reply


@njit(**NO_REFCOUNT)
def is_met(
    board: PlanBoard, state: Words, good: np.uint64, kind: int, easy: bool, scratch: PlanScratch
) -> bool:
    """Return whether replies are enough after a stone: by R7 by lines, else by R4."""
    if easy:
        return bool(good != 0)
    if board.regions.moved.shape[1]:
        given = board, state, good, kind, scratch.stones
        return bool(is_enough(*given) and blocks_are_met(*given))
    counted = all_stones(state)
    return bool(is_mended(board, state[MAKER], state[BREAKER], good, counted, scratch.matching))


@njit(**NO_REFCOUNT)
def answers_to(board: PlanBoard, kind: int) -> np.uint64:
    """Return the keys that may answer a kind of stone: in an event, those on its line alone."""
    if kind < 0 or not board.regions.moved.shape[1] or event_of(kind) == NO_EVENT:
        return ~np.uint64(0)
    return np.uint64(board.masks[board.regions.lines[region_of(kind), event_of(kind)]])


@njit(**NO_REFCOUNT)
def follows(board: PlanBoard, state: Words, rounds: int, work: Work) -> bool:
    """Return whether states known to be won in `rounds` prove a state that is not a leaf."""
    scratch = work.scratch
    child, order, kinds = scratch.child, scratch.order, scratch.kinds
    # 1. Each free key has one winning reply that passes the test of decided lines.
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
                answered = won and passes_decided(board, state, child, scratch)
        if not answered:
            return False
        first += 1
    # 2. Replies that win in the wide state after a stone serve all kinds; find them once.
    anywhere, at = np.uint64(0), 0
    while order[at] >= 0:
        answer_anywhere(state, order[at], child)
        if is_won_anywhere(board, child, rounds, work) > 0:
            anywhere |= _ONE << np.uint64(order[at])
        at += 1
    # 3. Each kind of stone has enough of them, or gets more replies one by one until it has.
    #    A wide state has only wide successors, which step 2 has found.
    count = kinds_of_stones(board, state, kinds)
    for number in range(count):
        kind, at = kinds[number], 0
        good = anywhere & answers_to(board, kind)
        met = good != 0 and is_met(board, state, good, kind, False, scratch)
        while order[at] >= 0 and not met:
            bit = _ONE << np.uint64(order[at])
            at += 1
            if good & bit or is_wide(state) or not answers_to(board, kind) & bit:
                continue
            answer_stone(board, state, kind, bit, child)
            if is_won(board, child, False, rounds, work):
                good |= bit
                met = is_met(board, state, good, kind, False, scratch)
        if not met:
            return False
    return count >= 0


@njit(**NO_REFCOUNT)
def generalise(board: PlanBoard, state: Words, rounds: int, work: Work) -> None:
    """Open as many regions of a won state as still win in `rounds`, and enter the result."""
    # Greedy, regions with most stones first: a state with more open regions stands for more states,
    # much as a learned clause is shortened in a SAT solver. A leaf must stay a leaf.
    scratch = work.scratch
    general, trial = scratch.general, scratch.trial
    copy(general, state)
    for near in range(SEVERAL, -1, -1):
        for region in range(board.regions.moved.shape[1]):
            copy(trial, general)
            if stones_in(state, region) != near or not forget(board, trial, region):
                continue
            if rounds == 0:
                holds = is_leaf_by_lines(board, trial, QUICK, scratch)
            else:
                holds = follows(board, trial, rounds - 1, work)
            if holds:
                copy(general, trial)
    enter_general(board, rounds, work)


@njit(**NO_REFCOUNT)
def sort_replies(board: PlanBoard, state: Words, kind: int, order: Longs, into: Longs) -> int:
    """List the keys that may answer a stone, by `reply_priority`; return their number."""
    length, at = 0, 0
    while order[at] >= 0:
        key = order[at]
        at += 1
        if not answers_to(board, kind) >> np.uint64(key) & _ONE:
            continue
        value = reply_priority(board, state, kind, key) if kind >= 0 else 0
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
    """Move replies to the front whose successor's keys have a won state with open regions."""
    scratch = work.scratch
    into, child, front = scratch.sorted, scratch.child, 0
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
    """Return 0 for a key on a rich line without any of `hit`, else 1."""
    for line in range(len(board.kinds)):
        mask = board.masks[line]
        if mask & bit and not mask & hit and board.kinds[line] == RICH:
            return 0
    return 1


@njit(**NO_REFCOUNT)
def place_of_won_anywhere(board: PlanBoard, state: Words, work: Work) -> int:
    """Return the index of a won wide state that stands for a state, or -1.

    Leaves are kept in the easy table; its indices follow those of the main table.
    """
    tables = work.tables
    if not board.regions.moved.shape[1]:
        return -1
    at = place_of_leaf(board, state, work)
    if at >= 0:
        return len(tables.main.used) + at
    at = place_of_wide(board, state, work)
    return at if at >= 0 and tables.main.won[at] != OPEN else -1


@njit(**NO_REFCOUNT)
def place_of_won(board: PlanBoard, state: Words, work: Work) -> int:
    """Return the index of a won state that stands for a state, or -1."""
    # The most general ones first: they are asked for most often, so proofs list fewer states.
    tables, found = work.tables, work.found
    at = place_of_won_anywhere(board, state, work)
    if at >= 0 or is_wide(state):
        return at
    if board.regions.moved.shape[1]:
        at = place_of_general(board, state, OPEN - 1, work)
        if at >= 0:
            return at
    at = place(board, state, tables.main, found)
    return at if at >= 0 and tables.main.won[at] != OPEN else -1


@njit(**NO_REFCOUNT)
def rounds_of(tables: PlanTables, at: int) -> int:
    """Return the rounds that win the state at an index."""
    return int(tables.main.won[at]) if at < len(tables.main.used) else 0


@njit(**NO_REFCOUNT)
def rank_of(tables: PlanTables, at: int, chosen: Bytes, known: Bytes) -> int:
    """Return the rank of an answer: chosen already, then known to hold, then by its rounds."""
    if chosen[at]:
        return _CHOSEN
    return _KNOWN if known[at] else rounds_of(tables, at)


@njit(**NO_REFCOUNT)
def follow(
    board: PlanBoard,
    work: Work,
    rows: Longs,
    into: Longs,
    counts: Longs,
    chosen: Bytes,
    known: Bytes,
    order: Longs,
    kinds: Longs,
    slots: Longs,
    wide: Longs,
) -> None:
    """Extract one level of a proof: list the states that prove `rows` and are not listed so far.

    `chosen` marks the places of both tables that are listed, for all threads, and `known` those to
    prefer. `counts` are the length of `into` and the number of rows that are not proved; these are
    set to open.
    """
    tables, scratch = work.tables, work.scratch
    for here in rows:
        if rounds_of(tables, here) == 0:
            counts[_LACKING] += not stays_won(board, here, work)
            continue
        proved = True
        # 1. One reply to each key; one that is listed already costs nothing.
        state = scratch.parent
        copy(state, tables.main.states[here])
        unfold(board, state)
        sort_keys(board, state[MAKER] | state[BREAKER], state[BREAKER], order)
        at = 0
        while order[at] >= 0:
            bit = _ONE << np.uint64(order[at])
            best = best_reply(board, work, state, bit, order, slots, chosen, known)
            proved &= best >= 0
            if best >= 0:
                _choose(best, chosen, into, counts)
            at += 1
        # 2. Enough replies to each kind of stone, rank by rank. All listed ones count at once, for
        #    they are free; others are added one at a time until the set is enough. A leaf that was
        #    tested by some lines is tested by all before it counts.
        count = kinds_of_stones(board, state, kinds)
        _find_anywhere(board, work, state, order, wide)
        for number in range(count):
            kind = kinds[number]
            _find(board, work, state, kind, order, slots, wide)
            good, met = np.uint64(0), False
            for wanted in range(_CHOSEN, OPEN):
                if met:
                    break
                more = False
                for key in range(len(board.keys)):
                    slot, bit = slots[key], _ONE << np.uint64(key)
                    if slot < 0 or good & bit:
                        continue
                    if rank_of(tables, slot, chosen, known) > wanted:
                        more = True
                        continue
                    if not stays_won(board, slot, work):
                        slots[key] = -1
                        continue
                    good |= bit
                    if wanted != _CHOSEN:
                        _choose(slot, chosen, into, counts)
                        met = is_met(board, state, good, kind, False, scratch)
                        if met:
                            break
                if wanted == _CHOSEN and good:
                    met = is_met(board, state, good, kind, False, scratch)
                if not more:
                    break
            proved &= met
        # 3. The search took a state for a leaf that is none by all lines: search this one again.
        if not proved:
            counts[_LACKING] += 1
            tables.main.won[here] = OPEN


@njit(**NO_REFCOUNT)
def _choose(at: int, chosen: Bytes, into: Longs, counts: Longs) -> None:
    """List an index, unless another thread has done so."""
    if claim(chosen, at):
        into[counts[_LISTED]] = at
        counts[_LISTED] += 1


@njit(**NO_REFCOUNT)
def stays_won(board: PlanBoard, at: int, work: Work) -> bool:
    """Return whether a won state is not a leaf, or a leaf by all lines; else set it to open."""
    # The search tests a leaf by `QUICK` poor lines. Leaves in the easy table stand for wide states.
    tables, scratch = work.tables, work.scratch
    easy = at >= len(tables.main.used)
    table = tables.easy if easy else tables.main
    here = at - len(tables.main.used) if easy else at
    if not board.regions.moved.shape[1] or table.won[here] != 0 or table.lost[here] == ALL_LINES:
        return True
    copy(scratch.trial, table.states[here])
    if easy:
        make_wide(scratch.trial, scratch.trial)
    if is_leaf_by_lines(board, scratch.trial, len(board.kinds), scratch):
        table.lost[here] = ALL_LINES
        return True
    table.lost[here] = NOT_WIDE if easy else 1
    if not easy:
        table.won[here] = OPEN
    return False


@njit(**NO_REFCOUNT)
def open_others(board: PlanBoard, rows: Longs, work: Work) -> None:
    """Set states to open that the won ones no longer prove."""
    tables, scratch = work.tables, work.scratch
    for at in rows:
        state = scratch.parent
        copy(state, tables.main.states[at])
        unfold(board, state)
        if not follows(board, state, OPEN - 1, work):
            tables.main.won[at] = OPEN


@njit(**NO_REFCOUNT)
def best_reply(
    board: PlanBoard,
    work: Work,
    state: Words,
    key: np.uint64,
    order: Longs,
    slots: Longs,
    chosen: Bytes,
    known: Bytes,
) -> int:
    """Return the index of the best winning reply to a key by `rank_of`, or -1."""
    # The test of decided lines takes longest, so it is made of one candidate at a time.
    tables, scratch = work.tables, work.scratch
    child, length = scratch.child, 0
    # 1. One that is listed already; meanwhile note the indices of the others.
    while order[length] >= 0:
        slots[length] = -1
        bit = _ONE << np.uint64(order[length])
        if bit != key:
            answer_key(state, key, bit, child)
            slot = place_of_won(board, child, work)
            if slot >= 0 and chosen[slot]:
                if passes_decided(board, state, child, scratch):
                    return slot
            else:
                slots[length] = slot
        length += 1
    # 2. The best of the others that passes both tests.
    while True:
        best, least = -1, 0
        for at in range(length):
            slot = slots[at]
            if slot < 0:
                continue
            rank = rank_of(tables, slot, chosen, known)
            if best < 0 or rank < least:
                best, least = at, rank
        if best < 0:
            return -1
        answer_key(state, key, _ONE << np.uint64(order[best]), child)
        if passes_decided(board, state, child, scratch) and stays_won(board, slots[best], work):
            return int(slots[best])
        slots[best] = -1


@njit(**NO_REFCOUNT)
def _find_anywhere(board: PlanBoard, work: Work, state: Words, order: Longs, wide: Longs) -> None:
    """Write for each reply the index of a won wide state that serves any stone, or -1."""
    scratch = work.scratch
    child, at = scratch.child, 0
    wide[:] = -1
    while order[at] >= 0:
        answer_anywhere(state, order[at], child)
        wide[order[at]] = place_of_won_anywhere(board, child, work)
        at += 1


@njit(**NO_REFCOUNT)
def _find(
    board: PlanBoard, work: Work, state: Words, kind: int, order: Longs, slots: Longs, wide: Longs
) -> None:
    """Write for each reply to a stone the index of the won state after it, or -1."""
    # If the wide ones are enough, no others are looked up.
    scratch = work.scratch
    child, good, at = scratch.child, np.uint64(0), 0
    for key in range(len(board.keys)):
        bit = _ONE << np.uint64(key)
        slots[key] = wide[key] if answers_to(board, kind) & bit else -1
        good |= bit if slots[key] >= 0 else np.uint64(0)
    if is_wide(state) or (good and is_met(board, state, good, kind, False, scratch)):
        return
    while order[at] >= 0:
        key = order[at]
        bit = _ONE << np.uint64(key)
        at += 1
        if slots[key] >= 0 or not answers_to(board, kind) & bit:
            continue
        answer_stone(board, state, kind, bit, child)
        slots[key] = place_of_won(board, child, work)
