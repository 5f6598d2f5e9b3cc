"""The search for a plan of Breaker's: which states of the key cells are won by matchings alone.

A state is Maker's and Breaker's stones on the keys, a bit each, and the number of Maker's counted
stones elsewhere, Maker to move. It is won where it is a leaf, or where every key that Maker may
take has a reply that leads to a won state, and the replies to a stone elsewhere hit all that such a
stone can endanger. `docs/breaker.md` has the rules and their proofs.

`search` looks to a given number of rounds, with a stack and a table of its own, and can be taken up
again; the table keeps, for each state, the fewest rounds that win it and the most that do not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.kernels.arrays import Bytes, Longs, Words
from hyperoxo.kernels.breaker_rules import Matching, PlanBoard, bits, is_leaf, is_mended
from hyperoxo.kernels.control import NODES, expired
from hyperoxo.kernels.lean import lean

MOST_KEYS = 56
NEVER = 254
"""Rounds of a state that no number of rounds wins."""
OPEN = 255
"""Rounds of a state that is not won so far."""
LEAVES, DEPTH, ROUNDS, RUNNING = 3, 4, 5, 6
"""Entries of `control` after those of all searches: leaves tested, frames in use, the rounds of
the search, and whether it is under way."""
CONTROL = 7
DONE, STOPPED, FULL = range(3)

_P, _R, _KEY, _REPLY, _PHASE, _CHILD, FRAME = range(7)
_KEYS_PHASE, _PASS_PHASE = range(2)
_M, _B, _GOOD, SIDES = range(4)
_ONE = np.uint64(1)
_SHIFT = np.uint64(MOST_KEYS)
_LOW = np.uint64(255)
_GOLDEN, _SILVER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_FOLD = np.uint64(31)


class PlanTable(NamedTuple):
    """States that were met, by an image that stands for all of them."""

    makers: Words
    breakers: Words
    """With the number of counted stones above the keys."""
    used: Bytes
    won: Bytes
    lost: Bytes
    """Most rounds that do not win it plus one, or `NEVER`."""


class PlanStack(NamedTuple):
    """Frames of the search, one for each round."""

    fields: Longs
    sides: Words
    order: Longs
    classes: Words


@lean
def least(board: PlanBoard, maker: np.uint64, breaker: np.uint64, found: Words) -> None:
    """Write the least image of a state under the symmetries of the keys into `found`."""
    best_maker, best_breaker = ~np.uint64(0), ~np.uint64(0)
    eights = board.images.shape[1]
    for symmetry in range(board.images.shape[0]):
        image = np.uint64(0)
        for eight in range(eights):
            image |= board.images[symmetry, eight, maker >> np.uint64(8 * eight) & _LOW]
        if image > best_maker:
            continue
        other = np.uint64(0)
        for eight in range(eights):
            other |= board.images[symmetry, eight, breaker >> np.uint64(8 * eight) & _LOW]
        if image < best_maker or other < best_breaker:
            best_maker, best_breaker = image, other
    found[0], found[1] = best_maker, best_breaker


@lean
def place(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
    table: PlanTable,
    found: Words,
) -> int:
    """Return the place of a state in the table, or of the gap where it belongs."""
    least(board, maker, breaker, found)
    found[1] |= np.uint64(counted) << _SHIFT
    mask = np.int64(len(table.used) - 1)
    mixed = found[0] * _GOLDEN ^ found[1] * _SILVER
    at = np.int64(mixed ^ mixed >> _FOLD) & mask
    while table.used[at] and (table.makers[at] != found[0] or table.breakers[at] != found[1]):
        at = (at + 1) & mask
    return int(at)


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
        table.used[at] = 1
        table.makers[at], table.breakers[at] = found[0], found[1]
        control[NODES] += 1
        control[LEAVES] += 1
        won = is_leaf(board, maker, breaker, counted, state)
        table.won[at] = 0 if won else OPEN
        table.lost[at] = 0 if won else 1
    return at


@lean
def _sort_keys(board: PlanBoard, taken: np.uint64, breaker: np.uint64, order: Longs) -> None:
    """List the free keys, those on most live lines first, and -1 after them."""
    length = 0
    for key in range(len(board.keys)):
        if taken >> np.uint64(key) & _ONE:
            continue
        lines = 0
        for line in range(len(board.kinds)):
            on = board.masks[line] >> np.uint64(key) & _ONE
            lines += bool(on) and not board.masks[line] & breaker
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
    sides[_M], sides[_B], sides[_GOOD] = maker, breaker, np.uint64(0)
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
    maker, breaker, rounds = sides[_M], sides[_B], frame[_R] - 1
    while order[frame[_KEY]] >= 0:
        key = order[frame[_KEY]]
        taken = maker | _ONE << np.uint64(key)
        if frame[_REPLY] < 0:
            least(board, taken, breaker, found)
            known = False
            for at in range(frame[_KEY]):
                same = stack.classes[depth, 2 * at] == found[0]
                known |= same and stack.classes[depth, 2 * at + 1] == found[1]
            stack.classes[depth, 2 * frame[_KEY]] = found[0]
            stack.classes[depth, 2 * frame[_KEY] + 1] = found[1]
            if known:
                frame[_KEY] += 1
                continue
        answered, lower, never = False, -1, True
        at = 0
        while order[at] >= 0 and not answered:
            if order[at] != key:
                reply = breaker | _ONE << np.uint64(order[at])
                slot = look(board, taken, reply, frame[_P], table, state, control, found)
                answered = table.won[slot] <= rounds
                never &= table.lost[slot] == NEVER
                if lower < 0 and not answered and table.lost[slot] <= rounds:
                    lower = order[at]
            at += 1
        if answered:
            frame[_KEY] += 1
            frame[_REPLY] = -1
        elif lower < 0:
            return -2 if never else -1
        else:
            frame[_REPLY] = lower
            reply = breaker | _ONE << np.uint64(lower)
            _descend(board, taken, reply, frame[_P], rounds, stack, control)
            return 0
    return 1


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
    maker, breaker, rounds = sides[_M], sides[_B], frame[_R] - 1
    good, lower, never = np.uint64(0), -1, True
    at = 0
    while order[at] >= 0:
        reply = breaker | _ONE << np.uint64(order[at])
        slot = look(board, maker, reply, frame[_P] + 1, table, state, control, found)
        if table.won[slot] <= rounds:
            good |= _ONE << np.uint64(order[at])
        else:
            never &= table.lost[slot] == NEVER
            if lower < 0 and table.lost[slot] <= rounds:
                lower = order[at]
        at += 1
    if good != sides[_GOOD] or frame[_REPLY] < 0:
        sides[_GOOD] = good
        if is_mended(board, maker, breaker, good, frame[_P], state):
            return 1
    if lower < 0:
        return -2 if never else -1
    frame[_REPLY] = lower
    reply = breaker | _ONE << np.uint64(lower)
    _descend(board, maker, reply, frame[_P] + 1, rounds, stack, control)
    return 0


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
def move_over(old: PlanTable, new: PlanTable) -> None:
    """Copy all states into a larger table."""
    mask = np.int64(len(new.used) - 1)
    for slot in range(len(old.used)):
        if old.used[slot]:
            mixed = old.makers[slot] * _GOLDEN ^ old.breakers[slot] * _SILVER
            at = np.int64(mixed ^ mixed >> _FOLD) & mask
            while new.used[at]:
                at = (at + 1) & mask
            new.used[at] = 1
            new.makers[at], new.breakers[at] = old.makers[slot], old.breakers[slot]
            new.won[at], new.lost[at] = old.won[slot], old.lost[slot]


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
    low = (_ONE << _SHIFT) - _ONE
    while done < length:
        here = listed[done]
        done += 1
        if table.won[here] == 0:
            continue
        maker, breaker = table.makers[here], table.breakers[here] & low
        counted = int(table.breakers[here] >> _SHIFT)
        _sort_keys(board, maker | breaker, breaker, order)
        at = 0
        while order[at] >= 0:
            taken = maker | _ONE << np.uint64(order[at])
            best = _best_reply(board, table, taken, breaker, counted, order, chosen, found)
            if not chosen[best]:
                chosen[best] = 1
                listed[length] = best
                length += 1
            at += 1
        length = _follow_passes(
            board, table, state, listed, length, chosen, found, order, maker, breaker, counted
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
