"""The search for a plan of Breaker's: which states of the key cells are won by matchings alone.

A state is Maker's and Breaker's stones on the keys, a bit each, and the number of Maker's counted
stones elsewhere, or how they lie by lines, Maker to move. It is won where it is a leaf, or where
every key that Maker may take has a reply that leads to a won state, and the replies to stones
elsewhere hit all that such a stone can endanger. `docs/breaker.md` has the rules and their proofs.

`search` looks to a given number of rounds, with a stack and a table of its own, and can be taken up
again; the table keeps, for each state, the fewest rounds that win it and the most that do not. By
lines it looks at no state where Breaker fails in an *easy* game of which it has a second table:
there any one good reply is enough, stones are only counted, and none is near a rich line. Then it
looks at the *wide* state with as many stones, and where that is not won at the state itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.kernels.arrays import Longs, Words, copy
from hyperoxo.kernels.breaker_lines import decided_bear
from hyperoxo.kernels.breaker_look import (
    PlanRoom,
    PlanTables,
    answer_anywhere,
    is_won,
    is_won_anywhere,
    look,
    make_easy,
    place_of_wide,
    settles_widely,
    sort_keys,
)
from hyperoxo.kernels.breaker_rules import RICH, PlanBoard, bits, is_mended
from hyperoxo.kernels.breaker_states import (
    BREAKER,
    MAKER,
    NUMBERS,
    STATE,
    all_stones,
    is_wide,
    make_normal,
    make_wide,
    unfold,
)
from hyperoxo.kernels.breaker_stones import (
    NO_EVENT,
    add_stone,
    event_of,
    is_enough,
    kinds_of_stones,
    region_of,
    worth,
)
from hyperoxo.kernels.breaker_table import NEVER, PlanTable, least, place, table_is_full
from hyperoxo.kernels.control import expired
from hyperoxo.kernels.lean import lean

DONE, STOPPED, FULL = range(3)
_ANSWERED, _NOT, _NEVER = -3, -2, -1
_EASIER, _WIDER = 1 << 20, 1 << 21

_R, _KEY, _REPLY, _PHASE, _CHILD, _EASY, _KINDS, _ASKED, FRAME = range(9)
_KEYS_PHASE, _PASS_PHASE = range(2)
_FAILS, _HOLDS, _ANYWHERE, _NOWHERE, TESTED = range(5)
_ONE = np.uint64(1)


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
    wherever it is, and those that win nowhere; `_ASKED` tells whether these are known."""
    depth: Longs
    """The frame in use; below 0 where the search is done."""
    reverse: int
    """Whether conditions are looked at from the last, so that two threads meet halfway."""


@lean
def _open_frame(
    board: PlanBoard, state: Words, easy: bool, rounds: int, stack: PlanStack, depth: int
) -> None:
    frame, kept = stack.fields[depth], stack.states[depth]
    copy(kept, state)
    make_normal(board, kept)
    unfold(board, kept)
    frame[_R], frame[_KEY], frame[_REPLY], frame[_EASY] = rounds, 0, -1, easy
    few = (bits(state[MAKER]) <= 1 and not easy) != (stack.reverse == 1)
    frame[_PHASE] = _PASS_PHASE if few else _KEYS_PHASE
    frame[_CHILD] = 2 if few else 0
    frame[_KINDS], frame[_ASKED] = 1, 0
    if board.regions.moved.shape[1] and not easy:
        frame[_KINDS] = kinds_of_stones(board, kept, stack.kinds[depth])
    sort_keys(board, kept[MAKER] | kept[BREAKER], kept[BREAKER], stack.order[depth])


@lean
def search(
    board: PlanBoard,
    tables: PlanTables,
    stack: PlanStack,
    room: PlanRoom,
    control: Longs,
    found: Words,
) -> int:
    """Search the state of the lowest frame to its number of rounds, or resume that search."""
    while stack.depth[0] >= 0:
        if expired(control):
            return STOPPED
        if table_is_full(tables.main):
            return FULL
        if table_is_full(tables.easy):
            return FULL
        depth = stack.depth[0]
        frame = stack.fields[depth]
        easy = bool(frame[_EASY])
        table = tables.easy if easy else tables.main
        if frame[_KINDS] < 0:
            verdict = -1
        elif frame[_PHASE] == _PASS_PHASE:
            verdict = _passes(board, tables, stack, room, control, found, depth)
        else:
            verdict = _keys(board, tables, table, stack, room, control, found, depth)
        if verdict == 0:
            continue
        first = frame[_CHILD] >> 1
        if verdict > 0 and frame[_PHASE] == (_KEYS_PHASE if not first else _PASS_PHASE):
            # The other half of the conditions.
            frame[_PHASE] = _KEYS_PHASE if first else _PASS_PHASE
            frame[_KEY], frame[_REPLY] = 0, -1
            continue
        copy(room.child, stack.states[depth])
        at = place(board, room.child, table, found)
        if verdict > 0:
            table.won[at] = min(int(table.won[at]), frame[_R])
        elif verdict == -2:
            table.lost[at] = NEVER
        else:
            table.lost[at] = max(int(table.lost[at]), frame[_R] + 1)
        stack.depth[0] -= 1
    return DONE


@lean
def _descend(board: PlanBoard, state: Words, easy: bool, rounds: int, stack: PlanStack) -> None:
    stack.depth[0] += 1
    _open_frame(board, state, easy, rounds, stack, int(stack.depth[0]))


@lean
def _go_on(
    board: PlanBoard,
    state: Words,
    lower: int,
    easy: bool,
    stack: PlanStack,
    room: PlanRoom,
) -> None:
    """Open a frame for a state that must be searched, or for the one that comes before it."""
    if lower & _EASIER:
        make_easy(state, room.easy)
        _descend(board, room.easy, True, (lower & ~_EASIER) >> 8, stack)
    elif lower & _WIDER:
        make_wide(state, room.wide)
        _descend(board, room.wide, False, (lower & ~_WIDER) >> 8, stack)
    else:
        _descend(board, state, easy, lower >> 8, stack)


@lean
def _keys(
    board: PlanBoard,
    tables: PlanTables,
    table: PlanTable,
    stack: PlanStack,
    room: PlanRoom,
    control: Longs,
    found: Words,
    depth: int,
) -> int:
    """Answer the keys that Maker may take: 1 all answered, 0 a frame was opened, below 0 not.

    -2 says that no number of rounds helps.
    """
    frame, state, order = stack.fields[depth], stack.states[depth], stack.order[depth]
    child = room.child
    while order[frame[_KEY]] >= 0:
        key = order[frame[_KEY]]
        bit = _ONE << np.uint64(key)
        if frame[_REPLY] < 0:
            # 1. Keys that symmetries move to one another need one answer.
            copy(child, state)
            child[MAKER] |= bit
            least(board, child, table, found)
            known, classes = False, stack.classes[depth]
            for at in range(frame[_KEY]):
                same = True
                for part in range(STATE):
                    same &= classes[STATE * at + part] == found[part]
                known |= same
            for part in range(STATE):
                classes[STATE * frame[_KEY] + part] = found[part]
            stack.tested[depth, _FAILS] = stack.tested[depth, _HOLDS] = np.uint64(0)
            if known:
                frame[_KEY] += 1
                continue
        # 2. An answer that is known, or one that must be searched.
        lower = _reply(board, tables, stack, room, control, found, depth, bit)
        if lower == _ANSWERED:
            frame[_KEY] += 1
            frame[_REPLY] = -1
        elif lower < 0:
            return -2 if lower == _NEVER else -1
        else:
            frame[_REPLY] = lower & 255
            copy(child, state)
            child[MAKER] |= bit
            child[BREAKER] |= _ONE << np.uint64(lower & 255)
            _go_on(board, child, lower, bool(frame[_EASY]), stack, room)
            return 0
    return 1


@lean
def holds_for_decided(board: PlanBoard, before: Words, after: Words, room: PlanRoom) -> bool:
    """Tell whether lines that are decided once keys were taken bear what they must."""
    if not board.regions.moved.shape[1]:
        return True
    make_normal(board, after)
    unfold(board, after)
    return bool(decided_bear(board, after, before[MAKER], room.sets))


@lean
def _holds(
    board: PlanBoard,
    before: Words,
    after: Words,
    by_lines: bool,
    reply: np.uint64,
    tested: Words,
    room: PlanRoom,
) -> bool:
    """Tell whether decided lines allow a reply to a key; what was found is noted.

    That takes long, and is asked of replies that win alone, or may be searched.
    """
    if by_lines and not (tested[_HOLDS] | tested[_FAILS]) & reply:
        holds = holds_for_decided(board, before, after, room)
        tested[_HOLDS if holds else _FAILS] |= reply
    return not tested[_FAILS] & reply


@lean
def _reply(
    board: PlanBoard,
    tables: PlanTables,
    stack: PlanStack,
    room: PlanRoom,
    control: Longs,
    found: Words,
    depth: int,
    key: np.uint64,
) -> int:
    """Seek an answer to a key; if none is known, return one to be searched, and its rounds.

    Where stones are only counted, it is the one that may need the fewest rounds, and is searched to
    these alone: one that needs many is not refuted for long where another needs few.
    """
    frame, state, order = stack.fields[depth], stack.states[depth], stack.order[depth]
    tested, child, rounds = stack.tested[depth], room.child, frame[_R] - 1
    easy = bool(frame[_EASY])
    by_lines = board.regions.moved.shape[1] > 0 and not easy
    # 1. What is known.
    at = 0
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        at += 1
        if bit == key or tested[_FAILS] & bit:
            continue
        copy(child, state)
        child[MAKER] |= key
        child[BREAKER] |= bit
        won = is_won(board, child, easy, rounds, tables, room, found)
        if won and _holds(board, state, child, by_lines, bit, tested, room):
            return _ANSWERED
    # 2. What is a leaf, or must be searched.
    never, at, lower, fewest = not by_lines, 0, -1, rounds + 1
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        at += 1
        if bit == key or tested[_FAILS] & bit:
            continue
        copy(child, state)
        child[MAKER] |= key
        child[BREAKER] |= bit
        needs = _needed(board, child, easy, rounds, tables, room, control, found)
        if needs != NEVER and not _holds(board, state, child, by_lines, bit, tested, room):
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


@lean
def _needed(
    board: PlanBoard,
    state: Words,
    easy: bool,
    rounds: int,
    tables: PlanTables,
    room: PlanRoom,
    control: Longs,
    found: Words,
) -> int:
    """Return how many rounds a state needs at least: 0 if it is won, `NEVER` if none help.

    By lines, `NEVER` also stands for one that is not won in the rounds left, by what is known or
    by the easy game. `_EASIER` says that this must be searched first, and `_WIDER` the wide state.
    """
    # A leaf needs none, but there may be fewer than none left.
    if board.regions.moved.shape[1] and not easy:
        make_easy(state, room.easy)
        known = look(board, room.easy, True, tables, room, control, found)
        leaf = tables.easy.won[known] == 0
        if leaf and settles_widely(board, known, tables, room, control):
            return 0 if rounds >= 0 else 1
        if not leaf and tables.easy.lost[known] > rounds:
            return NEVER
        if not is_wide(state):
            wide = place_of_wide(board, state, tables, room, found)
            if wide >= 0 and tables.main.won[wide] <= rounds:
                return 0
        at = place(board, state, tables.main, found)
        if at >= 0 and tables.main.won[at] <= rounds:
            return 0
        if at >= 0 and tables.main.lost[at] > rounds:
            return NEVER
        if tables.easy.won[known] > rounds:
            return _EASIER
        if is_wide(state):
            if rounds <= 0:
                return NEVER
        elif rounds > 0:
            wide = look(board, room.wide, False, tables, room, control, found)
            if tables.main.lost[wide] <= rounds:
                return _WIDER
        elif not leaf:
            return NEVER
    table = tables.easy if easy else tables.main
    at = look(board, state, easy, tables, room, control, found)
    return 0 if table.won[at] <= rounds else max(1, int(table.lost[at]))


@lean
def _passes(
    board: PlanBoard,
    tables: PlanTables,
    stack: PlanStack,
    room: PlanRoom,
    control: Longs,
    found: Words,
    depth: int,
) -> int:
    """Answer all kinds of stones off the keys; see `_keys` for what is returned."""
    frame = stack.fields[depth]
    while frame[_KEY] < frame[_KINDS]:
        verdict = _pass(board, tables, stack, room, control, found, depth)
        if verdict <= 0:
            # What is searched now may be known after it.
            frame[_ASKED] = 0
            return verdict
        frame[_KEY] += 1
        frame[_REPLY] = -1
    return 1


@lean
def _ask_anywhere(
    board: PlanBoard,
    tables: PlanTables,
    stack: PlanStack,
    room: PlanRoom,
    found: Words,
    depth: int,
) -> None:
    """Find the replies that win wherever a stone is, and those that win nowhere."""
    frame, state, order = stack.fields[depth], stack.states[depth], stack.order[depth]
    tested, child, at = stack.tested[depth], room.child, 0
    frame[_ASKED] = 1
    tested[_ANYWHERE] = tested[_NOWHERE] = np.uint64(0)
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        answer_anywhere(state, order[at], child)
        verdict = is_won_anywhere(board, child, frame[_R] - 1, tables, room, found)
        if verdict > 0:
            tested[_ANYWHERE] |= bit
        elif verdict < 0 or is_wide(state):
            tested[_NOWHERE] |= bit
        at += 1


@lean
def count_stone(board: PlanBoard, state: Words, kind: int) -> None:
    """Count a stone; of some kind where regions are told apart, unless it is below 0."""
    if board.regions.moved.shape[1] and kind >= 0:
        add_stone(board, state, kind)
    else:
        state[NUMBERS] += _ONE


@lean
def is_met(
    board: PlanBoard, state: Words, good: np.uint64, kind: int, easy: bool, room: PlanRoom
) -> bool:
    """Tell whether replies are enough after a stone."""
    if easy:
        return bool(good != 0)
    if board.regions.moved.shape[1]:
        return bool(is_enough(board, state, good, kind, room.stones))
    counted = all_stones(state)
    return bool(is_mended(board, state[MAKER], state[BREAKER], good, counted, room.matching))


@lean
def answers_to(board: PlanBoard, kind: int) -> np.uint64:
    """Return the keys that may answer a kind of stone: in an event, those on its line alone."""
    if kind < 0 or not board.regions.moved.shape[1] or event_of(kind) == NO_EVENT:
        return ~np.uint64(0)
    return np.uint64(board.masks[board.regions.lines[region_of(kind), event_of(kind)]])


@lean
def _pass(
    board: PlanBoard,
    tables: PlanTables,
    stack: PlanStack,
    room: PlanRoom,
    control: Longs,
    found: Words,
    depth: int,
) -> int:
    """Answer one kind of stones off the keys; see `_keys` for what is returned."""
    frame, state, order = stack.fields[depth], stack.states[depth], stack.order[depth]
    child, rounds, easy = room.child, frame[_R] - 1, bool(frame[_EASY])
    by_lines = board.regions.moved.shape[1] > 0 and not easy
    last = frame[_KINDS] - 1
    kind = stack.kinds[depth, abs(frame[_KEY] - last * stack.reverse)] if by_lines else -1
    # 1. Replies that are known to be good, when the stone is looked at first.
    tested = stack.tested[depth]
    if frame[_REPLY] < 0:
        tested[_FAILS] = tested[_HOLDS] = np.uint64(0)
        if by_lines and not frame[_ASKED]:
            _ask_anywhere(board, tables, stack, room, found, depth)
        asked = np.uint64(0)
        if by_lines:
            asked = tested[_ANYWHERE] | tested[_NOWHERE]
            tested[_HOLDS] = tested[_ANYWHERE] & answers_to(board, kind)
            if tested[_HOLDS] and is_met(board, state, tested[_HOLDS], kind, easy, room):
                return 1
        at = 0
        while order[at] >= 0:
            bit = _ONE << np.uint64(order[at])
            at += 1
            if not asked & bit and answers_to(board, kind) & bit:
                copy(child, state)
                count_stone(board, child, kind)
                child[BREAKER] |= bit
                if is_won(board, child, easy, rounds, tables, room, found):
                    tested[_HOLDS] |= bit
        if tested[_HOLDS] & ~asked and is_met(board, state, tested[_HOLDS], kind, easy, room):
            return 1
    # 2. Others on rich lines that none of them hits; if there are none, any.
    length = _sort_replies(board, state, kind, order, room.sorted)
    lower, never, fewest = -1, not by_lines, rounds + 1
    for rest in range(2):
        for here in range(length):
            key = room.sorted[here]
            bit, good = _ONE << np.uint64(key), tested[_HOLDS]
            if rest and (good or lower >= 0):
                break
            if (good | tested[_FAILS]) & bit or rest != _rank(board, state[BREAKER] | good, bit):
                continue
            copy(child, state)
            count_stone(board, child, kind)
            child[BREAKER] |= bit
            needs = _needed(board, child, easy, rounds, tables, room, control, found)
            if needs >= _EASIER:
                frame[_REPLY] = key
                _go_on(board, child, needs | rounds << 8, easy, stack, room)
                return 0
            if needs == 0:
                tested[_HOLDS] |= bit
                if is_met(board, state, tested[_HOLDS], kind, easy, room):
                    return 1
                continue
            if needs == NEVER:
                tested[_FAILS] |= bit
                continue
            never = False
            if needs < fewest:
                fewest, lower = needs, int(key)
                if by_lines or easy:
                    frame[_REPLY] = key
                    _go_on(board, child, rounds << 8, easy, stack, room)
                    return 0
    if lower < 0:
        return -2 if never else -1
    copy(child, state)
    count_stone(board, child, kind)
    child[BREAKER] |= _ONE << np.uint64(lower)
    frame[_REPLY] = lower
    _go_on(board, child, fewest << 8, easy, stack, room)
    return 0


@lean
def _sort_replies(board: PlanBoard, state: Words, kind: int, order: Longs, into: Longs) -> int:
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


@lean
def _rank(board: PlanBoard, hit: np.uint64, bit: np.uint64) -> int:
    """Tell whether a key is on a rich line that none of `hit` is on, 0, or not, 1."""
    for line in range(len(board.kinds)):
        mask = board.masks[line]
        if mask & bit and not mask & hit and board.kinds[line] == RICH:
            return 0
    return 1


@lean
def begin(board: PlanBoard, state: Words, rounds: int, stack: PlanStack) -> None:
    """Make ready to search a state to a number of rounds."""
    stack.depth[0] = 0
    _open_frame(board, state, False, rounds, stack, 0)
