"""The search for a plan of Breaker's: which states of the key cells are won by matchings alone.

A state is Maker's and Breaker's stones on the keys, a bit each, and the number of Maker's counted
stones elsewhere, Maker to move. It is won where it is a leaf, or where
every key that Maker may take has a reply that leads to a won state, and the replies to a stone
elsewhere hit all that such a stone can endanger. `docs/breaker.md` has the rules and their proofs.

`search` looks to a given number of rounds, with a stack and a table of its own, and can be taken up
again; the table keeps, for each state, the fewest rounds that win it and the most that do not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.kernels.arrays import Bytes, Longs, Words
from hyperoxo.kernels.breaker_rules import (
    RICH,
    Matching,
    PlanBoard,
    bits,
    is_leaf,
    is_mended,
    spare_cells,
)
from hyperoxo.kernels.breaker_table import KEYS_ALONE, NEVER, PlanTable, enter, least, place
from hyperoxo.kernels.control import NODES, expired
from hyperoxo.kernels.lean import lean

MOST_KEYS = 56
OPEN = 255
"""Rounds of a state that is not won so far."""
LEAVES, DEPTH, ROUNDS, RUNNING = 3, 4, 5, 6
"""Entries of `control` after those of all searches: leaves tested, frames in use, the rounds of
the search, and whether it is under way."""
CONTROL = 7
DONE, STOPPED, FULL = range(3)
_ANSWERED, _NOT, _NEVER = -3, -2, -1

_P, _R, _KEY, _REPLY, _PHASE, _CHILD, FRAME = range(7)
_KEYS_PHASE, _PASS_PHASE = range(2)
_M, _B, SIDES = range(3)
_ONE = np.uint64(1)


class PlanStack(NamedTuple):
    """Frames of the search, one for each round."""

    fields: Longs
    sides: Words
    order: Longs
    classes: Words


@lean
def look(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
    table: PlanTable,
    state: Matching,
    control: Longs,
    found: Words,
) -> int:
    """Return the place of a state; one that is met for the first time is tested as a leaf."""
    at = place(board, maker, breaker, counted, table, found)
    if not table.used[at]:
        enter(table, at, found, control)
        won = _settles(board, maker, breaker, counted, table, state, control, found)
        table.won[at] = 0 if won else OPEN
        table.lost[at] = 0 if won else 1 + _rounds_needed(board, maker, breaker, len(state.owner))
    return at


@lean
def _settles(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
    table: PlanTable,
    state: Matching,
    control: Longs,
    found: Words,
) -> bool:
    """Tell whether a state is a leaf; how many stones keys bear, or do not, is kept for each."""
    at = place(board, maker, breaker, KEYS_ALONE, table, found)
    if not table.used[at]:
        enter(table, at, found, control)
        table.won[at], table.lost[at] = 0, KEYS_ALONE
    count = counted
    if count < table.won[at]:
        return True
    if count >= table.lost[at]:
        return False
    control[LEAVES] += 1
    won = is_leaf(board, maker, breaker, counted, state)
    if won:
        table.won[at] = count + 1
    else:
        table.lost[at] = count
    return won


@lean
def _rounds_needed(board: PlanBoard, maker: np.uint64, breaker: np.uint64, cells: int) -> int:
    """Return rounds that are too few, since some cells are left to no line in any leaf.

    Maker takes the keys on the most live lines, and Breaker the next; a leaf has two cells for each
    live line.
    """
    spare, rounds = spare_cells(board, maker, breaker, cells), 0
    degrees = np.uint64(0)
    while spare < 0 and rounds < len(board.keys):
        best = 0
        for _ in range(2):
            best, chosen = -1, 0
            for key in range(len(board.keys)):
                bit = _ONE << np.uint64(key)
                if (maker | breaker | degrees) & bit:
                    continue
                lines = 0
                for line in range(len(board.kinds)):
                    lines += board.masks[line] & bit != 0 and not board.masks[line] & breaker
                if lines > best:
                    best, chosen = lines, key
            if best < 0:
                return NEVER - 1
            degrees |= _ONE << np.uint64(chosen)
        spare += 2 * best - 2
        rounds += 1
    return max(rounds - 1, 0)


@lean
def _is_won(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
    rounds: int,
    table: PlanTable,
    found: Words,
) -> bool:
    """Tell whether a state is known to be won within some rounds."""
    at = place(board, maker, breaker, counted, table, found)
    return bool(table.used[at] and table.won[at] <= rounds)


@lean
def _sort_keys(board: PlanBoard, taken: np.uint64, breaker: np.uint64, order: Longs) -> None:
    """List the free keys, those on most live lines first, and -1 after them.

    Rich lines that Maker has begun count a third more.
    """
    length = 0
    for key in range(len(board.keys)):
        if taken >> np.uint64(key) & _ONE:
            continue
        lines = 0
        for line in range(len(board.kinds)):
            on = board.masks[line] >> np.uint64(key) & _ONE
            if on and not board.masks[line] & breaker:
                begun = board.kinds[line] == RICH and board.masks[line] & taken & ~breaker
                lines += 4 if begun else 3
        at = length
        while at > 0 and order[at - 1] >> 8 < lines:
            order[at] = order[at - 1]
            at -= 1
        order[at] = lines << 8 | key
        length += 1
    for at in range(length):
        order[at] &= 255
    order[length] = -1


@lean
def _open_frame(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
    rounds: int,
    stack: PlanStack,
    depth: int,
) -> None:
    frame, sides = stack.fields[depth], stack.sides[depth]
    frame[_P], frame[_R], frame[_KEY], frame[_REPLY] = counted, rounds, 0, -1
    sides[_M], sides[_B] = maker, breaker
    few = bits(maker) <= 1
    frame[_PHASE] = _PASS_PHASE if few else _KEYS_PHASE
    frame[_CHILD] = 2 if few else 0
    _sort_keys(board, maker | breaker, breaker, stack.order[depth])


@lean
def search(
    board: PlanBoard,
    table: PlanTable,
    stack: PlanStack,
    state: Matching,
    control: Longs,
    found: Words,
) -> int:
    """Search the state of the lowest frame to its number of rounds, or resume that search."""
    capacity = len(table.used)
    while control[DEPTH] >= 0:
        if expired(control):
            return STOPPED
        # Room for all that one step can add.
        if 4 * (control[NODES] + 4096) > 3 * capacity:
            return FULL
        depth = control[DEPTH]
        frame, sides = stack.fields[depth], stack.sides[depth]
        if frame[_PHASE] == _PASS_PHASE:
            verdict = _passes(board, table, stack, state, control, found, depth)
        else:
            verdict = _keys(board, table, stack, state, control, found, depth)
        if verdict == 0:
            continue
        first = frame[_CHILD] >> 1
        if verdict > 0 and frame[_PHASE] == (_KEYS_PHASE if not first else _PASS_PHASE):
            # The other half of the conditions.
            frame[_PHASE] = _KEYS_PHASE if first else _PASS_PHASE
            frame[_KEY], frame[_REPLY] = 0, -1
            continue
        at = place(board, sides[_M], sides[_B], frame[_P], table, found)
        if verdict > 0:
            table.won[at] = min(int(table.won[at]), frame[_R])
        elif verdict == -2:
            table.lost[at] = NEVER
        else:
            table.lost[at] = max(int(table.lost[at]), frame[_R] + 1)
        control[DEPTH] -= 1
    return DONE


@lean
def _descend(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
    rounds: int,
    stack: PlanStack,
    control: Longs,
) -> None:
    control[DEPTH] += 1
    _open_frame(board, maker, breaker, counted, rounds, stack, control[DEPTH])


@lean
def _keys(
    board: PlanBoard,
    table: PlanTable,
    stack: PlanStack,
    state: Matching,
    control: Longs,
    found: Words,
    depth: int,
) -> int:
    """Answer the keys that Maker may take: 1 all answered, 0 a frame was opened, below 0 not.

    -2 says that no number of rounds helps.
    """
    frame, sides, order = stack.fields[depth], stack.sides[depth], stack.order[depth]
    maker, breaker, rounds, counted = sides[_M], sides[_B], frame[_R] - 1, frame[_P]
    while order[frame[_KEY]] >= 0:
        key = order[frame[_KEY]]
        bit = _ONE << np.uint64(key)
        taken = maker | bit
        if frame[_REPLY] < 0:
            # 1. Keys that symmetries move to one another need one answer.
            least(board, taken, breaker, table, found)
            known = False
            for at in range(frame[_KEY]):
                same = stack.classes[depth, 2 * at] == found[0]
                known |= same and stack.classes[depth, 2 * at + 1] == found[1]
            stack.classes[depth, 2 * frame[_KEY]] = found[0]
            stack.classes[depth, 2 * frame[_KEY] + 1] = found[1]
            if known:
                frame[_KEY] += 1
                continue
        # 2. An answer that is known, or one that must be searched.
        verdict = _reply(
            board, table, state, control, found, order, maker, breaker, bit, counted, rounds
        )
        answered, lower, never = verdict == _ANSWERED, verdict, verdict == _NEVER
        if answered:
            frame[_KEY] += 1
            frame[_REPLY] = -1
        elif lower < 0:
            return -2 if never else -1
        else:
            frame[_REPLY] = lower
            reply = breaker | _ONE << np.uint64(lower)
            _descend(board, taken, reply, counted, rounds, stack, control)
            return 0
    return 1


@lean
def _reply(
    board: PlanBoard,
    table: PlanTable,
    state: Matching,
    control: Longs,
    found: Words,
    order: Longs,
    maker: np.uint64,
    breaker: np.uint64,
    key: np.uint64,
    counted: int,
    rounds: int,
) -> int:
    """Seek an answer to a key; if none is known, return one to be searched."""
    taken = maker | key
    # 1. What is known.
    at = 0
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        if bit != key and _is_won(board, taken, breaker | bit, counted, rounds, table, found):
            return _ANSWERED
        at += 1
    # 2. What is a leaf, or must be searched.
    never, at = True, 0
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        if bit != key:
            slot = look(board, taken, breaker | bit, counted, table, state, control, found)
            if table.won[slot] <= rounds:
                return _ANSWERED
            never &= table.lost[slot] == NEVER
            if table.lost[slot] <= rounds:
                return int(order[at])
        at += 1
    return _NEVER if never else _NOT


@lean
def _passes(
    board: PlanBoard,
    table: PlanTable,
    stack: PlanStack,
    state: Matching,
    control: Longs,
    found: Words,
    depth: int,
) -> int:
    """Answer a stone off the keys; see `_keys` for what is returned."""
    frame, sides, order = stack.fields[depth], stack.sides[depth], stack.order[depth]
    maker, breaker, rounds, counted = sides[_M], sides[_B], frame[_R] - 1, frame[_P]
    # 1. Replies that are known to be good.
    good, at = np.uint64(0), 0
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        if _is_won(board, maker, breaker | bit, counted + 1, rounds, table, found):
            good |= bit
        at += 1
    mended = is_mended(board, maker, breaker, good, counted, state)
    # 2. Others on rich lines that none of them hits; where there are none, any.
    lower, never = -1, True
    for rest in range(2):
        at = 0
        while order[at] >= 0 and not mended and lower < 0 and not (rest and good):
            bit = _ONE << np.uint64(order[at])
            if not good & bit and _hits(board, breaker | good, bit) != rest:
                slot = look(board, maker, breaker | bit, counted + 1, table, state, control, found)
                if table.won[slot] <= rounds:
                    good |= bit
                    mended = is_mended(board, maker, breaker, good, counted, state)
                else:
                    never &= table.lost[slot] == NEVER
                    if table.lost[slot] <= rounds:
                        lower = order[at]
            at += 1
    if mended:
        return 1
    if lower < 0:
        return -2 if never else -1
    _descend(board, maker, breaker | _ONE << np.uint64(lower), counted + 1, rounds, stack, control)
    return 0


@lean
def _hits(board: PlanBoard, hit: np.uint64, bit: np.uint64) -> bool:
    """Tell whether a key is on a rich line that none of `hit` is on."""
    for line in range(len(board.kinds)):
        mask = board.masks[line]
        if mask & bit and not mask & hit and board.kinds[line] == RICH:
            return True
    return False


@lean
def begin(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
    rounds: int,
    stack: PlanStack,
    control: Longs,
) -> None:
    """Make ready to search a state to a number of rounds."""
    control[DEPTH] = 0
    _open_frame(board, maker, breaker, counted, rounds, stack, 0)


@lean
def follow(
    board: PlanBoard,
    table: PlanTable,
    state: Matching,
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
        maker, breaker, counted = table.makers[here], table.breakers[here], table.counts[here]
        _sort_keys(board, maker | breaker, breaker, order)
        at = 0
        while order[at] >= 0:
            bit = _ONE << np.uint64(order[at])
            best = _best_reply(
                board, table, maker | bit, breaker, int(counted), order, chosen, found
            )
            if best >= 0 and not chosen[best]:
                chosen[best] = 1
                listed[length] = best
                length += 1
            at += 1
        length = _follow_passes(
            board, table, state, listed, length, chosen, found, order, maker, breaker, int(counted)
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
    state: Matching,
    listed: Longs,
    length: int,
    chosen: Bytes,
    found: Words,
    order: Longs,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
) -> int:
    """Choose replies to a stone off the keys until they are enough; those chosen before first."""
    good = np.uint64(0)
    for wanted in range(-1, OPEN):
        at = 0
        while order[at] >= 0:
            bit = _ONE << np.uint64(order[at])
            at += 1
            slot = place(board, maker, breaker | bit, counted + 1, table, found)
            if good & bit or not table.used[slot] or table.won[slot] == OPEN:
                continue
            if not chosen[slot] if wanted < 0 else table.won[slot] != wanted:
                continue
            good |= bit
            if not chosen[slot]:
                chosen[slot] = 1
                listed[length] = slot
                length += 1
            if wanted >= 0 and is_mended(board, maker, breaker, good, counted, state):
                return length
        if wanted < 0 and is_mended(board, maker, breaker, good, counted, state):
            return length
    return length
