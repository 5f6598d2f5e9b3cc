"""Leaf tests of the key-plan search, with their look-ups in the transposition tables.

A state that is met is entered in a table, with a lower bound on the rounds that win it.
"""
# By lines there are two relaxations, and both are tried before the state itself:
# - the *easy* game has stones that are only counted and none near a rich line, and any one good
#   reply to a stone is enough. Not won there, not won here.
# - the *wide* state allows any place of the stones. Won there, won here.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs, Words, copy
from hyperoxo_research.kernels.key_plan_lines import Sets, sets_pass
from hyperoxo_research.kernels.key_plan_rules import (
    RICH,
    Matching,
    PlanBoard,
    bits,
    is_leaf,
    spare_cells,
)
from hyperoxo_research.kernels.key_plan_states import (
    BREAKER,
    MAKER,
    NUMBERS,
    WARM,
    all_stones,
    is_open,
    is_wide,
    make_wide,
    unfold,
)
from hyperoxo_research.kernels.key_plan_stones import Stones
from hyperoxo_research.kernels.key_plan_table import (
    KEYS_ALONE,
    NEVER,
    PlanTable,
    enter,
    general_place,
    list_general,
    place,
)

MOST_KEYS = 56
QUICK = 8
"""Poor lines that a leaf test by lines tries in the search; the proof tries all of them."""
OPEN = 255
"""Rounds of a state that is not won so far."""
# A leaf needs no `lost`, so by lines that entry says how far it was tested: ALL_LINES, else only by
# some lines. Leaves of the easy game are tested as wide states, and have 0 before that.
SOME_LINES, ALL_LINES, NOT_WIDE = range(1, 4)
"""Leaf tests passed: by `QUICK` poor lines, by all, or failed as a wide state."""
LEAVES, CONTROL = 3, 4
"""Leaves tested: the entry of `control` after those of all searches."""
_FEW, _SELDOM = 16, 32
_ONE = np.uint64(1)


class PlanScratch(NamedTuple):
    """Scratch arrays of one thread; functions name those they overwrite by use."""

    matching: Matching
    sets: Sets
    stones: Stones
    child: Words
    other: Words
    easy: Words
    wide: Words
    parent: Words
    general: Words
    trial: Words
    sorted: Longs
    order: Longs
    kinds: Longs


class PlanTables(NamedTuple):
    """The states of the search and those of the easy game."""

    main: PlanTable
    easy: PlanTable
    wide: Longs
    """Wide states searched, and won, by Maker's keys and stones, ``[2, keys + 1, stones + 1]``."""


class Work(NamedTuple):
    """Arrays of one searching thread."""

    scratch: PlanScratch
    tables: PlanTables
    control: Longs
    found: Words
    """Scratch for a canonical form."""


@njit(**NO_REFCOUNT)
def enter_state(board: PlanBoard, state: Words, easy: bool, work: Work) -> int:
    """Return the table index of a state; a new one is tested as a leaf and entered."""
    tables, scratch, found = work.tables, work.scratch, work.found
    table = tables.easy if easy else tables.main
    at = place(board, state, table, found)
    if at < 0:
        at = enter(table, found, OPEN, 1)
        won = _is_leaf(board, state, work)
        cells = len(scratch.matching.owner)
        if won:
            table.won[at], table.lost[at] = 0, 0
        else:
            rounds = _rounds_needed(board, state[MAKER], state[BREAKER], cells)
            table.lost[at] = max(int(table.lost[at]), 1 + rounds)
    return at


@njit(**NO_REFCOUNT)
def make_easy(state: Words, easy: Words) -> None:
    """Write the easy state with the same keys and as many stones."""
    easy[MAKER], easy[BREAKER] = state[MAKER], state[BREAKER]
    easy[NUMBERS] = np.uint64(all_stones(state))
    easy[WARM] = easy[WARM + 1] = np.uint64(0)


@njit(**NO_REFCOUNT)
def _is_leaf(board: PlanBoard, state: Words, work: Work) -> bool:
    """Return whether a state is a leaf; no stone of the easy game is near a rich line."""
    # A wide state is tested by `try_wide_leaf`, once its easy state is known to be a leaf.
    tables, scratch, control = work.tables, work.scratch, work.control
    if is_wide(state):
        return False
    if not board.regions.moved.shape[1]:
        return bool(_is_leaf_by_counts(board, state, tables.main, work))
    control[LEAVES] += 1
    return bool(is_leaf_by_lines(board, state, QUICK, scratch))


@njit(**NO_REFCOUNT)
def is_leaf_by_lines(board: PlanBoard, state: Words, most: int, scratch: PlanScratch) -> bool:
    """Return whether a state by lines is a leaf (R5); at most `most` poor lines are tried."""
    maker = state[MAKER]
    if not is_leaf(board, maker, state[BREAKER], 0, scratch.matching):
        return False
    copy(scratch.other, state)
    unfold(board, scratch.other)
    return bool(sets_pass(board, scratch.other, maker, most, scratch.matching.owner, scratch.sets))


@njit(**NO_REFCOUNT)
def _is_leaf_by_counts(board: PlanBoard, state: Words, table: PlanTable, work: Work) -> bool:
    """Return whether a state by counts is a leaf (R1); bounds on its stones are kept by keys."""
    # Fewer stones are no harder, so one entry for the keys holds the answers for all numbers.
    scratch, control, found = work.scratch, work.control, work.found
    maker, breaker, other, count = state[MAKER], state[BREAKER], scratch.other, all_stones(state)
    copy(other, state)
    other[NUMBERS] = np.uint64(KEYS_ALONE)
    at = place(board, other, table, found)
    if at < 0:
        at = enter(table, found, 0, KEYS_ALONE)
    if count < table.won[at]:
        return True
    if count >= table.lost[at]:
        return False
    control[LEAVES] += 1
    won = is_leaf(board, maker, breaker, count, scratch.matching)
    if won:
        table.won[at] = count + 1
    else:
        table.lost[at] = count
    return bool(won)


@njit(**NO_REFCOUNT)
def _rounds_needed(board: PlanBoard, maker: np.uint64, breaker: np.uint64, cells: int) -> int:
    """Return a number of rounds that is too few, by counting cells and live lines."""
    # A leaf has two cells for each live line.
    # In a round two keys are taken, and Breaker's ends at most `best` live lines. If Maker always
    # takes the key on the most lines that are live now, Breaker gets the second, fourth, ... of
    # the sorted list at most. `degrees` holds the keys used up.
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


@njit(**NO_REFCOUNT)
def place_of_leaf(board: PlanBoard, state: Words, work: Work) -> int:
    """Return the index in the easy table of a state that is a leaf as a wide state, or -1."""
    tables, scratch, found = work.tables, work.scratch, work.found
    make_easy(state, scratch.easy)
    at = place(board, scratch.easy, tables.easy, found)
    return at if at >= 0 and is_wide_leaf(tables, at) else -1


@njit(**NO_REFCOUNT)
def is_wide_leaf(tables: PlanTables, at: int) -> bool:
    """Return whether a state of the easy game is known to be a leaf as a wide state."""
    lost = tables.easy.lost[at]
    return bool(tables.easy.won[at] == 0 and lost in (SOME_LINES, ALL_LINES))


@njit(**NO_REFCOUNT)
def try_wide_leaf(board: PlanBoard, at: int, work: Work) -> bool:
    """Return whether a leaf of the easy game is one as a wide state; the answer is kept."""
    tables, scratch, control = work.tables, work.scratch, work.control
    if not tables.easy.lost[at]:
        make_wide(tables.easy.states[at], scratch.wide)
        control[LEAVES] += 1
        holds = is_leaf_by_lines(board, scratch.wide, QUICK, scratch)
        tables.easy.lost[at] = SOME_LINES if holds else NOT_WIDE
    return is_wide_leaf(tables, at)


@njit(**NO_REFCOUNT)
def answer_anywhere(state: Words, key: int, child: Words) -> None:
    """Write the wide state after a stone that is answered with a key."""
    make_wide(state, child)
    child[NUMBERS] += _ONE
    child[BREAKER] |= _ONE << np.uint64(key)


@njit(**NO_REFCOUNT)
def place_of_wide(board: PlanBoard, state: Words, work: Work) -> int:
    """Return the index of the wide state with the same keys and as many stones, or -1."""
    tables, scratch, found = work.tables, work.scratch, work.found
    make_wide(state, scratch.wide)
    return int(place(board, scratch.wide, tables.main, found))


@njit(**NO_REFCOUNT)
def place_of_general(board: PlanBoard, state: Words, rounds: int, work: Work) -> int:
    """Return the index of a state that stands for a state and wins in `rounds`, or -1."""
    tables = work.tables
    wide = place_of_wide(board, state, work)
    return int(general_place(board, state, rounds, wide, tables.main)) if wide >= 0 else -1


@njit(**NO_REFCOUNT)
def is_promising(board: PlanBoard, state: Words, work: Work) -> bool:
    """Return whether a state with open regions, these keys and as many stones is known won."""
    tables = work.tables
    wide = place_of_wide(board, state, work)
    return bool(wide >= 0 and tables.main.first[wide])


@njit(**NO_REFCOUNT)
def enter_general(board: PlanBoard, rounds: int, work: Work) -> None:
    """Enter the won state in `scratch.general`, if it has an open region."""
    tables, scratch, found = work.tables, work.scratch, work.found
    regions, says_less = board.regions.moved.shape[1], False
    for region in range(regions):
        says_less |= is_open(scratch.general, region)
    if not says_less:
        return
    table = tables.main
    at = place(board, scratch.general, table, found)
    if at < 0:
        at = enter(table, found, OPEN, 1)
    if rounds == 0:
        table.won[at] = table.lost[at] = 0
    table.won[at] = min(int(table.won[at]), rounds)
    make_wide(scratch.general, scratch.wide)
    list_general(table, at, enter_state(board, scratch.wide, False, work))


@njit(**NO_REFCOUNT)
def count_wide(state: Words, won: bool, tables: PlanTables) -> None:
    """Record the result of the search of a wide state."""
    keys, stones = bits(state[MAKER]), min(all_stones(state), MOST_KEYS)
    tables.wide[0, keys, stones] += 1
    tables.wide[1, keys, stones] += won


@njit(**NO_REFCOUNT)
def may_be_wide(state: Words, tables: PlanTables) -> bool:
    """Return whether wide states with as many keys and stones are worth a search."""
    # Yes until 16 were tried, and then as long as one in 32 was won.
    keys, stones = bits(state[MAKER]), min(all_stones(state), MOST_KEYS)
    tried = tables.wide[0, keys, stones]
    return bool(tried < _FEW or _SELDOM * tables.wide[1, keys, stones] >= tried)


@njit(**NO_REFCOUNT)
def is_won_anywhere(board: PlanBoard, state: Words, rounds: int, work: Work) -> int:
    """Return 1 if a state is known won in `rounds` as a wide state, else 0 or less.

    Below 0 it cannot be known won at all: only states won in the easy game are searched.
    """
    tables, scratch, found = work.tables, work.scratch, work.found
    make_easy(state, scratch.easy)
    known = place(board, scratch.easy, tables.easy, found)
    if known < 0 or tables.easy.won[known] > rounds:
        return -1
    if is_wide_leaf(tables, known):
        return 1
    wide = place_of_wide(board, state, work)
    return int(wide >= 0 and tables.main.won[wide] <= rounds)


@njit(**NO_REFCOUNT)
def is_won(board: PlanBoard, state: Words, easy: bool, rounds: int, work: Work) -> bool:
    """Return whether a state is known to be won in `rounds`, by itself or by one for it."""
    tables, found = work.tables, work.found
    # Cheapest first: as a wide state, then itself, then states with some open regions.
    if board.regions.moved.shape[1] and not easy:
        verdict = is_won_anywhere(board, state, rounds, work)
        if verdict or is_wide(state):
            return verdict > 0
    table = tables.easy if easy else tables.main
    at = place(board, state, table, found)
    if at >= 0 and table.won[at] <= rounds:
        return True
    if easy or not board.regions.moved.shape[1]:
        return False
    return place_of_general(board, state, rounds, work) >= 0


@njit(**NO_REFCOUNT)
def sort_keys(board: PlanBoard, taken: np.uint64, breaker: np.uint64, order: Longs) -> None:
    """List the free keys, those on most live lines first, and -1 after them.

    Rich lines that Maker has begun count a third more.
    """
    # Insertion sort of ``weight << 8 | key``; ties stay in the order of the keys.
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
