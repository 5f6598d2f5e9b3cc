"""AND/OR search for a key plan: depth-first, to a number of rounds, with transposition tables.

A state is Maker's and Breaker's stones on the keys, one bit each, and the number of Maker's counted
stones elsewhere, or their numbers by lines, with Maker to move. It is won if it is a leaf, or if
every key that Maker may take has a reply that leads to a won state, and the replies to stones
elsewhere hit all that such a stone can endanger. `docs/key-plans.md` has the rules with proofs.

`search` is resumable, for it has its own stack; the table keeps the fewest rounds known to win each
state and the most known not to. By lines it skips states that Breaker loses in an *easy* game with
a separate table: there any one good reply is enough, stones are only counted, and none is near a
rich line. Then it tries the *wide* state with as many stones, and last the state itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs, Words, copy
from hyperoxo.kernels.control import expired
from hyperoxo_research.kernels.key_plan_leaves import (
    PlanScratch,
    Work,
    answer_anywhere,
    count_wide,
    enter_state,
    is_promising,
    is_won,
    is_won_anywhere,
    make_easy,
    may_be_wide,
    place_of_wide,
    sort_keys,
    try_wide_leaf,
)
from hyperoxo_research.kernels.key_plan_replies import (
    answer_stone,
    answers_to,
    generalise,
    is_met,
    passes_decided,
    promising_first,
    rank,
    sort_replies,
)
from hyperoxo_research.kernels.key_plan_rules import PlanBoard, bits
from hyperoxo_research.kernels.key_plan_states import (
    BREAKER,
    MAKER,
    STATE,
    answer_key,
    is_wide,
    make_normal,
    make_wide,
    unfold,
)
from hyperoxo_research.kernels.key_plan_stones import kinds_of_stones, region_of
from hyperoxo_research.kernels.key_plan_table import (
    NEVER,
    PlanTable,
    general_place,
    least,
    place,
    table_is_full,
)

# Fields of a frame: rounds left; the condition at hand, an index into `order` (keys) or `kinds`
# (stones); the reply that is searched, or -1 before the first; keys or stones; 2 if stones came
# first, else 0; the game; the number of kinds of stones, below 0 if they are too many; and whether
# the masks ANYWHERE and NOWHERE of this frame are up to date.
ROUNDS, KEY, REPLY, PHASE, CHILD, EASY, KINDS, ASKED, FRAME = range(9)
KEYS_PHASE, PASS_PHASE = range(2)
FAILS, HOLDS, ANYWHERE, NOWHERE, TESTED = range(5)
_ONE, _HIGH, _GOLDEN = np.uint64(1), np.uint64(40), np.uint64(0x9E3779B97F4A7C15)
_STONES = 64
"""The stones of the first region among conditions, after all keys."""
DONE, STOPPED, FULL = range(3)
# A reply that must be searched is one number: the key in bits 0-7, its rounds from bit 8 on, and a
# flag if the easy or the wide state must be searched first.
_ANSWERED, _NOT, _NEVER = -3, -2, -1
_EASIER, _WIDER = 1 << 20, 1 << 21


class PlanStack(NamedTuple):
    """Frames of the search; the arrays down to `tested` are indexed by depth first."""

    fields: Longs
    states: Words
    # The free keys, best first, -1 after them: both Maker's moves and Breaker's replies.
    order: Longs
    # Canonical forms after each of Maker's keys so far, STATE words each, to skip equivalent ones.
    classes: Words
    kinds: Longs
    # FAILS and HOLDS: for a key, replies that fail or pass the test of decided lines; for a stone,
    # replies that cannot win in the rounds left, or win. ANYWHERE and NOWHERE: replies to any stone
    # that win in the wide state after it, or with which no state after it is known to be won.
    tested: Words
    """Masks of replies, ``[depth, TESTED]``."""
    depth: Longs
    """The frame in use; below 0 when the search is done."""
    # Entry: Maker's keys; Breaker's keys and a bit for the easy game; then, plus one, the key that
    # Maker took, or _STONES and the region of a stone.
    failed: Words
    """Killer table: the condition that failed last, by keys, ``[entries, 3]``."""
    reverse: int
    """True if conditions are tried from the last, so that two threads meet halfway."""


@njit(**NO_REFCOUNT)
def open_frame(
    board: PlanBoard, state: Words, easy: bool, rounds: int, stack: PlanStack, depth: int
) -> None:
    """Make a frame for a state; the killer condition of its keys comes first."""
    frame, copied = stack.fields[depth], stack.states[depth]
    copy(copied, state)
    make_normal(board, copied)
    unfold(board, copied)
    frame[ROUNDS], frame[KEY], frame[REPLY], frame[EASY] = rounds, 0, -1, easy
    frame[KINDS], frame[ASKED] = 1, 0
    if board.regions.moved.shape[1] and not easy:
        frame[KINDS] = kinds_of_stones(board, copied, stack.kinds[depth])
    sort_keys(board, copied[MAKER] | copied[BREAKER], copied[BREAKER], stack.order[depth])
    # All conditions must hold, so the order is free: the one most likely to fail goes first.
    stones_first = (bits(state[MAKER]) <= 1 and not easy) != (stack.reverse == 1)
    last = _failed_last(stack, copied, easy)
    if last >= 0:
        stones_first = last >= _STONES
        _put_first(stack, depth, last)
    frame[PHASE] = PASS_PHASE if stones_first else KEYS_PHASE
    frame[CHILD] = 2 if stones_first else 0


@njit(**NO_REFCOUNT)
def _failed_slot(stack: PlanStack, state: Words, easy: bool) -> int:
    """Return the slot of the killer table for the keys of a state."""
    mixed = (state[MAKER] * _GOLDEN ^ (state[BREAKER] << _ONE | np.uint64(easy))) * _GOLDEN
    return int(np.int64(mixed >> _HIGH) & np.int64(stack.failed.shape[0] - 1))


@njit(**NO_REFCOUNT)
def _failed_last(stack: PlanStack, state: Words, easy: bool) -> int:
    """Return the killer condition of a state's keys, or -1."""
    entry = stack.failed[_failed_slot(stack, state, easy)]
    if entry[0] != state[MAKER] or entry[1] != state[BREAKER] << _ONE | np.uint64(easy):
        return -1
    return int(np.int64(entry[2])) - 1


@njit(**NO_REFCOUNT)
def note_failed(stack: PlanStack, depth: int) -> None:
    """Record the failed condition of the frame in use as its killer."""
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
    """Move a condition to the front: a key, or the stones of a region."""
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
    # The front is the end if kinds are tried in reverse.
    front = 0
    for number in range(count if count > 1 else 0):
        at = count - 1 - number if stack.reverse else number
        if region_of(kinds[at]) == condition - _STONES:
            to = count - 1 - front if stack.reverse else front
            kinds[at], kinds[to] = kinds[to], kinds[at]
            front += 1


@njit(**NO_REFCOUNT)
def begin(board: PlanBoard, state: Words, rounds: int, stack: PlanStack) -> None:
    """Open the root frame of a search to a number of rounds."""
    stack.depth[0] = 0
    open_frame(board, state, False, rounds, stack, 0)


@njit(**NO_REFCOUNT)
def search(board: PlanBoard, stack: PlanStack, work: Work) -> int:
    """Search the root frame to its number of rounds, or resume; `DONE`, `STOPPED` or `FULL`."""
    # `verdict`: 1 all conditions of the phase hold, 0 a frame was opened below, -1 one fails in
    # these rounds, -2 one fails in any number of rounds.
    tables, scratch, control, found = work.tables, work.scratch, work.control, work.found
    while stack.depth[0] >= 0:
        # 1. Stop between steps only: the stack is then complete, and the call can be repeated.
        if expired(control):
            return STOPPED
        if table_is_full(tables.main):
            return FULL
        if table_is_full(tables.easy):
            return FULL
        depth = stack.depth[0]
        frame = stack.fields[depth]
        easy = bool(frame[EASY])
        table = tables.easy if easy else tables.main
        # 2. One phase of the frame; too many kinds of stones count as a failure.
        if frame[KINDS] < 0:
            verdict = -1
        elif frame[PHASE] == PASS_PHASE:
            verdict = _passes(board, stack, work, depth)
        else:
            verdict = _keys(board, table, stack, work, depth)
        if verdict == 0:
            continue
        first = frame[CHILD] >> 1
        if verdict > 0 and frame[PHASE] == (KEYS_PHASE if not first else PASS_PHASE):
            # 3. The other half of the conditions.
            frame[PHASE] = KEYS_PHASE if first else PASS_PHASE
            frame[KEY], frame[REPLY] = 0, -1
            continue
        # 4. Decided: note it in the table, where the frame above finds it when it asks again.
        copy(scratch.child, stack.states[depth])
        at = place(board, scratch.child, table, found)
        if is_wide(scratch.child):
            count_wide(scratch.child, verdict > 0, tables)
        if verdict < 0 and frame[KINDS] > 0:
            note_failed(stack, depth)
        if verdict > 0:
            table.won[at] = min(int(table.won[at]), frame[ROUNDS])
            if board.regions.moved.shape[1] and not easy and not is_wide(scratch.child):
                generalise(board, stack.states[depth], frame[ROUNDS], work)
        elif verdict == -2:
            table.lost[at] = NEVER
        else:
            table.lost[at] = max(int(table.lost[at]), frame[ROUNDS] + 1)
        stack.depth[0] -= 1
    return DONE


@njit(**NO_REFCOUNT)
def _descend(board: PlanBoard, state: Words, easy: bool, rounds: int, stack: PlanStack) -> None:
    stack.depth[0] += 1
    open_frame(board, state, easy, rounds, stack, int(stack.depth[0]))


@njit(**NO_REFCOUNT)
def _go_on(
    board: PlanBoard,
    state: Words,
    lower: int,
    easy: bool,
    stack: PlanStack,
    scratch: PlanScratch,
) -> None:
    """Open a frame for a state that must be searched, or for its easy or wide state first."""
    if lower & _EASIER:
        make_easy(state, scratch.easy)
        _descend(board, scratch.easy, True, (lower & ~_EASIER) >> 8, stack)
    elif lower & _WIDER:
        make_wide(state, scratch.wide)
        _descend(board, scratch.wide, False, (lower & ~_WIDER) >> 8, stack)
    else:
        _descend(board, state, easy, lower >> 8, stack)


@njit(**NO_REFCOUNT)
def _keys(board: PlanBoard, table: PlanTable, stack: PlanStack, work: Work, depth: int) -> int:
    """Find a reply to each key that Maker may take; return a verdict of `search`."""
    scratch, found = work.scratch, work.found
    frame, state, order = stack.fields[depth], stack.states[depth], stack.order[depth]
    child = scratch.child
    while order[frame[KEY]] >= 0:
        key = order[frame[KEY]]
        bit = _ONE << np.uint64(key)
        if frame[REPLY] < 0:
            # 1. Keys in one orbit of the state's symmetries need one answer: their canonical forms
            #    with Maker's new key are the same.
            copy(child, state)
            child[MAKER] |= bit
            least(board, child, table, found)
            known, classes = False, stack.classes[depth]
            for at in range(frame[KEY]):
                same = True
                for part in range(STATE):
                    same &= classes[STATE * at + part] == found[part]
                known |= same
            for part in range(STATE):
                classes[STATE * frame[KEY] + part] = found[part]
            stack.tested[depth, FAILS] = stack.tested[depth, HOLDS] = np.uint64(0)
            if known:
                frame[KEY] += 1
                continue
        # 2. A reply that is known to win, or one that must be searched; after that search this
        #    frame asks again, for the table has the result.
        lower = _reply(board, stack, work, depth, bit)
        if lower == _ANSWERED:
            frame[KEY] += 1
            frame[REPLY] = -1
        elif lower < 0:
            return -2 if lower == _NEVER else -1
        else:
            frame[REPLY] = lower & 255
            answer_key(state, bit, _ONE << np.uint64(lower & 255), child)
            _go_on(board, child, lower, bool(frame[EASY]), stack, scratch)
            return 0
    return 1


@njit(**NO_REFCOUNT)
def _is_allowed(
    board: PlanBoard,
    before: Words,
    after: Words,
    by_lines: bool,
    reply: np.uint64,
    tested: Words,
    scratch: PlanScratch,
) -> bool:
    """Return whether decided lines allow a reply to a key (R6); the answer is kept in `tested`."""
    # This test is slow, so it is left to replies that win or will be searched next.
    if by_lines and not (tested[HOLDS] | tested[FAILS]) & reply:
        holds = passes_decided(board, before, after, scratch)
        tested[HOLDS if holds else FAILS] |= reply
    return not tested[FAILS] & reply


@njit(**NO_REFCOUNT)
def _reply(board: PlanBoard, stack: PlanStack, work: Work, depth: int, key: np.uint64) -> int:
    """Return `_ANSWERED`, a reply that must be searched with its rounds, `_NOT` or `_NEVER`."""
    scratch = work.scratch
    frame, state, order = stack.fields[depth], stack.states[depth], stack.order[depth]
    tested, child, rounds = stack.tested[depth], scratch.child, frame[ROUNDS] - 1
    easy = bool(frame[EASY])
    by_lines = board.regions.moved.shape[1] > 0 and not easy
    # 1. Replies known to win, by look-up alone: any one is enough.
    at = 0
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        at += 1
        if bit == key or tested[FAILS] & bit:
            continue
        answer_key(state, key, bit, child)
        won = is_won(board, child, easy, rounds, work)
        if won and _is_allowed(board, state, child, by_lines, bit, tested, scratch):
            return _ANSWERED
    # 2. Leaves, else a reply to search. By lines, replies come first that lead to keys with which
    #    some state is won, and the first open one is searched. By counts it is the one with the
    #    least bound on its rounds, and it gets no more rounds than these: so a reply that needs
    #    many is not refuted at length while another needs few.
    never, at, lower, fewest = not by_lines, 0, -1, rounds + 1
    first_pass = by_lines and not is_wide(state)
    first = first_pass
    while first or order[at] >= 0:
        if order[at] < 0:
            first, at = False, 0
        bit = _ONE << np.uint64(order[at])
        at += 1
        if bit == key or tested[FAILS] & bit:
            continue
        answer_key(state, key, bit, child)
        if first_pass and is_promising(board, child, work) != first:
            continue
        needs = _needed(board, child, easy, rounds, work)
        if needs != NEVER and not _is_allowed(board, state, child, by_lines, bit, tested, scratch):
            continue
        if needs >= _EASIER:
            return int(needs | rounds << 8 | order[at - 1])
        if needs == 0:
            return _ANSWERED
        never &= needs == NEVER
        if needs < fewest:
            fewest, lower = needs, int(order[at - 1])
            if by_lines or easy:
                return int(rounds << 8 | lower)
    if lower >= 0:
        return int(fewest << 8 | lower)
    return _NEVER if never else _NOT


@njit(**NO_REFCOUNT)
def _needed(board: PlanBoard, state: Words, easy: bool, rounds: int, work: Work) -> int:
    """Return a lower bound on the rounds of a state: 0 if it is won, `NEVER` if none help."""
    # By lines, `NEVER` also stands for more rounds than are left. With `_EASIER` the easy state
    # must be searched first, with `_WIDER` the wide one.
    tables, scratch, found = work.tables, work.scratch, work.found
    fresh = False
    # A leaf needs none, but there may be fewer than none left.
    # By lines, from the cheapest test on:
    if board.regions.moved.shape[1] and not easy:
        # 1. The easy state. A leaf there may be one wherever the stones are, which is best of all;
        #    a state that is lost there is lost here.
        make_easy(state, scratch.easy)
        known = enter_state(board, scratch.easy, True, work)
        leaf = tables.easy.won[known] == 0
        if leaf and try_wide_leaf(board, known, work):
            return 0 if rounds >= 0 else 1
        if not leaf and tables.easy.lost[known] > rounds:
            return NEVER
        # 2. Results in the tables: for the wide state, the state itself, and those that stand for
        #    it.
        wide = -1
        if not is_wide(state):
            wide = place_of_wide(board, state, work)
            if wide >= 0 and tables.main.won[wide] <= rounds:
                return 0
        at = place(board, state, tables.main, found)
        if at >= 0 and tables.main.won[at] <= rounds:
            return 0
        if at >= 0 and tables.main.lost[at] > rounds:
            return NEVER
        if wide >= 0 and general_place(board, state, rounds, wide, tables.main) >= 0:
            return 0
        # 3. Nothing is known: search the easy state, then the wide one if that promises success.
        if tables.easy.won[known] > rounds:
            return _EASIER
        if is_wide(state):
            # Its leaf test has failed in step 1.
            if rounds <= 0:
                return NEVER
        elif rounds > 0:
            wide = enter_state(board, scratch.wide, False, work)
            if tables.main.lost[wide] <= rounds and may_be_wide(state, tables):
                return _WIDER
        elif not leaf:
            return NEVER
        fresh = at < 0
    # 4. The state itself; `enter_state` tests a new one as a leaf. A new leaf is generalised.
    table = tables.easy if easy else tables.main
    at = enter_state(board, state, easy, work)
    if fresh and table.won[at] == 0:
        generalise(board, state, 0, work)
    return 0 if table.won[at] <= rounds else max(1, int(table.lost[at]))


@njit(**NO_REFCOUNT)
def _passes(board: PlanBoard, stack: PlanStack, work: Work, depth: int) -> int:
    """Find enough replies to each kind of stone; return a verdict of `search`."""
    frame = stack.fields[depth]
    while frame[KEY] < frame[KINDS]:
        verdict = _pass(board, stack, work, depth)
        if verdict <= 0:
            # The search below may prove wide states, so the two masks must be made again.
            frame[ASKED] = 0
            return verdict
        frame[KEY] += 1
        frame[REPLY] = -1
    return 1


@njit(**NO_REFCOUNT)
def _fill_anywhere(board: PlanBoard, stack: PlanStack, work: Work, depth: int) -> None:
    """Fill the masks ANYWHERE and NOWHERE, which serve all kinds of stones of a frame."""
    scratch = work.scratch
    frame, state, order = stack.fields[depth], stack.states[depth], stack.order[depth]
    tested, child, at = stack.tested[depth], scratch.child, 0
    frame[ASKED] = 1
    tested[ANYWHERE] = tested[NOWHERE] = np.uint64(0)
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        answer_anywhere(state, order[at], child)
        verdict = is_won_anywhere(board, child, frame[ROUNDS] - 1, work)
        if verdict > 0:
            tested[ANYWHERE] |= bit
        elif verdict < 0 or is_wide(state):
            tested[NOWHERE] |= bit
        at += 1


@njit(**NO_REFCOUNT)
def _pass(board: PlanBoard, stack: PlanStack, work: Work, depth: int) -> int:
    """Find enough replies to one kind of stone; return a verdict of `search`."""
    # Unlike a key, a stone needs a set of replies: together they must hit all that it may endanger,
    # and the player picks one when the stone is there.
    scratch = work.scratch
    frame, state, order = stack.fields[depth], stack.states[depth], stack.order[depth]
    child, rounds, easy = scratch.child, frame[ROUNDS] - 1, bool(frame[EASY])
    by_lines = board.regions.moved.shape[1] > 0 and not easy
    last = frame[KINDS] - 1
    kind = stack.kinds[depth, abs(frame[KEY] - last * stack.reverse)] if by_lines else -1
    # 1. At the first visit: all replies known to win, those for any place of the stone first.
    tested = stack.tested[depth]
    if frame[REPLY] < 0:
        tested[FAILS] = tested[HOLDS] = np.uint64(0)
        if by_lines and not frame[ASKED]:
            _fill_anywhere(board, stack, work, depth)
        asked = np.uint64(0)
        if by_lines:
            asked = tested[ANYWHERE] | tested[NOWHERE]
            tested[HOLDS] = tested[ANYWHERE] & answers_to(board, kind)
            if tested[HOLDS] and is_met(board, state, tested[HOLDS], kind, easy, scratch):
                return 1
        at = 0
        while order[at] >= 0:
            bit = _ONE << np.uint64(order[at])
            at += 1
            if not asked & bit and answers_to(board, kind) & bit:
                answer_stone(board, state, kind, bit, child)
                if is_won(board, child, easy, rounds, work):
                    tested[HOLDS] |= bit
        if tested[HOLDS] & ~asked and is_met(board, state, tested[HOLDS], kind, easy, scratch):
            return 1
    # 2. Not enough yet. Only a reply on a rich line that no winning reply hits can help, so these
    #    are tried first; any other is tried only while no reply wins at all.
    length = sort_replies(board, state, kind, order, scratch.sorted)
    if by_lines and not is_wide(state):
        promising_first(board, state, kind, length, work)
    lower, never, fewest = -1, not by_lines, rounds + 1
    for rest in range(2):
        for here in range(length):
            key = scratch.sorted[here]
            bit, good = _ONE << np.uint64(key), tested[HOLDS]
            if rest and (good or lower >= 0):
                break
            if (good | tested[FAILS]) & bit or rest != rank(board, state[BREAKER] | good, bit):
                continue
            answer_stone(board, state, kind, bit, child)
            needs = _needed(board, child, easy, rounds, work)
            if needs >= _EASIER:
                frame[REPLY] = key
                _go_on(board, child, needs | rounds << 8, easy, stack, scratch)
                return 0
            if needs == 0:
                tested[HOLDS] |= bit
                if is_met(board, state, tested[HOLDS], kind, easy, scratch):
                    return 1
                continue
            if needs == NEVER:
                tested[FAILS] |= bit
                continue
            # 3. Open: by lines search it now; by counts seek the one with the least bound.
            never = False
            if needs < fewest:
                fewest, lower = needs, int(key)
                if by_lines or easy:
                    frame[REPLY] = key
                    _go_on(board, child, rounds << 8, easy, stack, scratch)
                    return 0
    if lower < 0:
        return -2 if never else -1
    answer_stone(board, state, kind, _ONE << np.uint64(lower), child)
    frame[REPLY] = lower
    _go_on(board, child, fewest << 8, easy, stack, scratch)
    return 0
