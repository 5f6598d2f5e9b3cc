"""The search for a plan of Breaker's: which states of the key cells are won by matchings alone.

A state is Maker's and Breaker's stones on the keys, a bit each, and the number of Maker's counted
stones elsewhere, or a word with their numbers by regions, Maker to move. It is won where it is a
leaf, or where every key that Maker may take has a reply that leads to a won state, and the replies
to a stone elsewhere hit all that such a stone can endanger. `docs/breaker.md` has the rules and
their proofs.

`search` looks to a given number of rounds, with a stack and a table of its own, and can be taken up
again; the table keeps, for each state, the fewest rounds that win it and the most that do not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.kernels.arrays import Longs, Words
from hyperoxo.kernels.breaker_counts import (
    MOST_STONES,
    all_stones,
    one_stone_more,
    open_regions,
    settled,
    stones_in,
)
from hyperoxo.kernels.breaker_regions import Sets, settles_by_regions, stone_is_met
from hyperoxo.kernels.breaker_rules import (
    RICH,
    Matching,
    PlanBoard,
    bits,
    is_leaf,
    is_mended,
    spare_cells,
)
from hyperoxo.kernels.breaker_table import (
    KEYS_ALONE,
    NEVER,
    NO_LEAF,
    Leaves,
    PlanTable,
    enter,
    known_leaf,
    least,
    note_leaf,
    place,
)
from hyperoxo.kernels.control import NODES, expired
from hyperoxo.kernels.lean import lean

MOST_KEYS = 56
QUICK = 8
"""Poor lines that are looked at in the search, where stones are counted by regions."""
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


class PlanRoom(NamedTuple):
    """Room for matchings, for the search for sets of lines, and for what was found of leaves."""

    matching: Matching
    sets: Sets
    leaves: Leaves


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
    room: PlanRoom,
    control: Longs,
    found: Words,
) -> int:
    """Return the place of a state; one that is met for the first time is tested as a leaf."""
    at = place(board, maker, breaker, counted, table, found)
    if not table.used[at]:
        enter(table, at, found, control)
        won = _settles(board, maker, breaker, counted, table, room, control, found)
        table.won[at] = 0 if won else OPEN
        table.lost[at] = (
            0 if won else 1 + _rounds_needed(board, maker, breaker, len(room.matching.owner))
        )
    return at


@lean
def _settles(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    counted: int,
    table: PlanTable,
    room: PlanRoom,
    control: Longs,
    found: Words,
) -> bool:
    """Tell whether a state is a leaf; how many stones keys bear, or do not, is kept for each.

    By regions not all lines are looked at: those where leaves fail show that nearly always.
    """
    at = place(board, maker, breaker, KEYS_ALONE, table, found)
    if not table.used[at]:
        enter(table, at, found, control)
        table.won[at], table.lost[at] = 0, KEYS_ALONE
    regions = board.moved.shape[1]
    count = all_stones(board, counted)
    if count < table.won[at]:
        return True
    if count >= table.lost[at]:
        return False
    control[LEAVES] += 1
    if not regions:
        won = is_leaf(board, maker, breaker, count, room.matching)
        if won:
            table.won[at] = count + 1
        else:
            table.lost[at] = count
        return won
    counted, leaves = settled(board, maker, breaker, counted), room.leaves
    known = known_leaf(board, leaves, int(table.first[at]), counted, count)
    if known >= 0:
        return known == 1
    if not is_leaf(board, maker, breaker, 0, room.matching):
        table.lost[at] = 0
        return False
    opened, owner, sets = open_regions(board, maker, breaker), room.matching.owner, room.sets
    won = settles_by_regions(board, opened, breaker, counted, count, QUICK, owner, sets)
    # Upper bounds would be too generous where not all lines were looked at.
    note_leaf(board, table, leaves, at, sets.bounds[0], count if won else NO_LEAF)
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
def sort_keys(board: PlanBoard, taken: np.uint64, breaker: np.uint64, order: Longs) -> None:
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
    frame[_P], frame[_R] = settled(board, maker, breaker, counted), rounds
    frame[_KEY], frame[_REPLY] = 0, -1
    sides[_M], sides[_B] = maker, breaker
    few = bits(maker) <= 1
    frame[_PHASE] = _PASS_PHASE if few else _KEYS_PHASE
    frame[_CHILD] = 2 if few else 0
    sort_keys(board, maker | breaker, breaker, stack.order[depth])


@lean
def search(
    board: PlanBoard,
    table: PlanTable,
    stack: PlanStack,
    room: PlanRoom,
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
            verdict = _passes(board, table, stack, room, control, found, depth)
        else:
            verdict = _keys(board, table, stack, room, control, found, depth)
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
    room: PlanRoom,
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
            least(board, taken, breaker, counted, table, found)
            known = False
            for at in range(frame[_KEY]):
                same = True
                for word in range(3):
                    same &= stack.classes[depth, 3 * at + word] == found[word]
                known |= same
            for word in range(3):
                stack.classes[depth, 3 * frame[_KEY] + word] = found[word]
            if known:
                frame[_KEY] += 1
                continue
        # 2. An answer that is known, or one that must be searched.
        verdict = _reply(
            board, table, room, control, found, order, maker, breaker, bit, counted, rounds
        )
        answered, lower, never = verdict == _ANSWERED, verdict, verdict == _NEVER
        if answered:
            frame[_KEY] += 1
            frame[_REPLY] = -1
        elif lower < 0:
            return -2 if never else -1
        else:
            frame[_REPLY] = lower & 255
            reply = breaker | _ONE << np.uint64(lower & 255)
            _descend(board, taken, reply, counted, lower >> 8, stack, control)
            return 0
    return 1


@lean
def _reply(
    board: PlanBoard,
    table: PlanTable,
    room: PlanRoom,
    control: Longs,
    found: Words,
    order: Longs,
    maker: np.uint64,
    breaker: np.uint64,
    key: np.uint64,
    counted: int,
    rounds: int,
) -> int:
    """Seek an answer to a key; if none is known, return one to be searched, and its rounds.

    It is the one that may need the fewest rounds, and is searched to these alone: one that needs
    many is not refuted for long where another needs few.
    """
    taken = maker | key
    # 1. What is known.
    at = 0
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        if bit != key and _is_won(board, taken, breaker | bit, counted, rounds, table, found):
            return _ANSWERED
        at += 1
    # 2. What is a leaf, or must be searched.
    never, at, lower, fewest = True, 0, -1, rounds + 1
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        if bit != key:
            slot = look(board, taken, breaker | bit, counted, table, room, control, found)
            if table.won[slot] <= rounds:
                return _ANSWERED
            never &= table.lost[slot] == NEVER
            if table.lost[slot] < fewest:
                fewest, lower = int(table.lost[slot]), int(order[at])
        at += 1
    if lower >= 0:
        return fewest << 8 | lower
    return _NEVER if never else _NOT


@lean
def _passes(
    board: PlanBoard,
    table: PlanTable,
    stack: PlanStack,
    room: PlanRoom,
    control: Longs,
    found: Words,
    depth: int,
) -> int:
    """Answer a stone off the keys; see `_keys` for what is returned."""
    frame, sides = stack.fields[depth], stack.sides[depth]
    maker, breaker = sides[_M], sides[_B]
    # Stones in each region by themselves, and elsewhere.
    while frame[_KEY] <= board.moved.shape[1]:
        verdict = 1
        if has_cells(board, maker, breaker, frame[_KEY]):
            verdict = _pass(board, table, stack, room, control, found, depth, frame[_KEY])
        if verdict <= 0:
            return verdict
        frame[_KEY] += 1
    return 1


@lean
def has_cells(board: PlanBoard, maker: np.uint64, breaker: np.uint64, region: int) -> bool:
    """Tell whether a region is open, or whether there are cells elsewhere."""
    regions, opened = board.moved.shape[1], open_regions(board, maker, breaker)
    if region < regions or opened + 1 < 1 << regions:
        return region == regions or bool(opened >> region & 1)
    elsewhere = False
    for cell in range(len(board.cell_region)):
        elsewhere |= board.cell_region[cell] == regions
    return elsewhere


@lean
def is_met(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    good: np.uint64,
    counted: int,
    region: int,
    room: PlanRoom,
) -> bool:
    """Tell whether replies are enough after a stone in a region."""
    if not board.moved.shape[1]:
        return is_mended(board, maker, breaker, good, counted, room.matching)
    return stone_is_met(board, maker, breaker, good, counted, region, room.matching, room.sets)


@lean
def _pass(
    board: PlanBoard,
    table: PlanTable,
    stack: PlanStack,
    room: PlanRoom,
    control: Longs,
    found: Words,
    depth: int,
    region: int,
) -> int:
    """Answer a stone off the keys in a region; see `_keys` for what is returned."""
    frame, sides, order = stack.fields[depth], stack.sides[depth], stack.order[depth]
    maker, breaker, rounds, counted = sides[_M], sides[_B], frame[_R] - 1, frame[_P]
    if region < board.moved.shape[1] and stones_in(board, counted, region) == MOST_STONES:
        return -2
    more = one_stone_more(counted, region)
    # 1. Replies that are known to be good.
    good, at = np.uint64(0), 0
    while order[at] >= 0:
        bit = _ONE << np.uint64(order[at])
        if _is_won(board, maker, breaker | bit, more, rounds, table, found):
            good |= bit
        at += 1
    mended = is_met(board, maker, breaker, good, counted, region, room)
    # 2. Others on rich lines that none of them hits: as in `_reply`, and of equal ones first those
    # in the region; if there are none, any.
    lower, never, fewest = -1, True, 2 * rounds + 2
    for rest in range(3):
        at = 0
        while order[at] >= 0 and not mended and not (rest == 2 and (good or lower >= 0)):
            bit = _ONE << np.uint64(order[at])
            if not good & bit and rest == _rank(board, breaker | good, bit, region):
                slot = look(board, maker, breaker | bit, more, table, room, control, found)
                if table.won[slot] <= rounds:
                    good |= bit
                    mended = is_met(board, maker, breaker, good, counted, region, room)
                else:
                    never &= table.lost[slot] == NEVER
                    if 2 * int(table.lost[slot]) + (rest == 1) < fewest:
                        fewest, lower = 2 * int(table.lost[slot]) + (rest == 1), order[at]
            at += 1
    if mended:
        return 1
    if lower < 0:
        return -2 if never else -1
    _descend(board, maker, breaker | _ONE << np.uint64(lower), more, fewest >> 1, stack, control)
    return 0


@lean
def _rank(board: PlanBoard, hit: np.uint64, bit: np.uint64, region: int) -> int:
    """Tell whether a key is on a rich line that none of `hit` is on: of the region 0, or another 1.

    Else 2.
    """
    best = 2
    for line in range(len(board.kinds)):
        mask = board.masks[line]
        if mask & bit and not mask & hit and board.kinds[line] == RICH:
            best = min(best, 0 if board.line_region[line] in (region, -1) else 1)
    return best


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
