"""Matchings of lines and cells, by which the search for plans of Breaker's judges a state.

`docs/breaker.md` has the rules and their proofs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Ints, Longs, Words, copy, fill

MAIN, RICH, POOR = range(3)
"""Lines of keys alone, of keys and other cells, and without a key."""

NOBODY, TAKEN = -1, -2
_ONE = np.uint64(1)


class Regions(NamedTuple):
    """Rich lines that hang together by cells off the keys.

    A set of lines of a region is a number with a bit for each of its lines.
    """

    home: Longs
    """Of each rich line its region, else -1."""
    bit: Longs
    """Of each rich line, which of the lines of its region it is."""
    lines: Longs
    """The lines of each region, -1 after them, ``[regions, MOST_LINES]``."""
    off: Longs
    """Of each line, its cells off the keys."""
    on_cell: Longs
    """Of each cell off the keys, the lines through it of the region that it is in."""
    cell_home: Longs
    """Of each cell off the keys its region, else -1."""
    thread_ptr: Longs
    threads: Longs
    """Of each region, the sets of lines through its cells."""
    shared: Longs
    """How many cells off the keys two lines of a region share, ``[regions, lines, lines]``."""
    spare: Ints
    """Spare cells off the keys of each set, ``[regions, sets]``."""
    apart: Ints
    """Of each set, its lines less the cells that several share: |A| - X(A)."""
    slack: Ints
    """Most that any part of a set has of these."""
    poor_ptr: Longs
    poor: Longs
    poor_shared: Longs
    """Of each rich line, the poor ones that share cells with it, and how many."""
    poor_in: Longs
    """How many cells of each line each region has, ``[lines, regions]``."""
    moved: Longs
    """The images of the regions under each symmetry, ``[symmetries, regions]``."""
    moved_lines: Ints
    """Images of eight lines at a time, ``[symmetries, regions, 2, 256]``."""
    limits: Longs
    """Least spare cells of two pairs of a poor and a rich line that cross, with different rich
    lines, and of a single pair."""


class Blocks(NamedTuple):
    """Sets of poor and rich lines that bear no more stones than they have spare cells."""

    lines: Words
    """The lines of each, ``[blocks, words]``."""
    size: Longs
    keys: Words
    """The keys on its lines."""
    spare: Longs
    """Its cells less two for each line."""
    poor: Longs
    """The same for its poor lines."""
    away: Longs
    """Cells of its poor lines on none of its rich ones."""
    rich: Longs
    """Its rich lines by regions, ``[blocks, regions]``."""
    beside: Longs
    """Cells of its poor lines in each region on none of its rich ones, ``[blocks, regions]``."""
    on_line: Longs
    """How many cells off the keys it shares with each line, ``[blocks, lines]``."""
    on_set: Longs
    """Most stones that may be on it and on sets of rich lines, ``[blocks, regions, sets]``."""
    on_block: Longs
    """How many cells off the keys two share, ``[blocks, blocks]``."""


class PlanBoard(NamedTuple):
    """Lines, keys and the symmetries of the keys, as arrays."""

    numbers: Longs
    """Of each line, its number on the board of the game."""
    line_ptr: Longs
    line_cells: Longs
    kinds: Longs
    """Of each line: `MAIN`, `RICH` or `POOR`."""
    masks: Words
    """The keys on each line."""
    keys: Longs
    """Cells of the keys."""
    images: Words
    """Images of eight keys at a time under each symmetry, ``[eights, 256, symmetries]``."""
    crossing_ptr: Longs
    crossing: Longs
    """Of each poor line, the rich ones that share a cell with it."""
    through_ptr: Longs
    through: Longs
    """Of each cell, the lines through it."""
    through_bits: Words
    """The same as sets of lines, ``[cells, words]``."""
    regions: Regions
    """Where stones are told apart; no region where they are only counted."""
    blocks: Blocks


class Matching(NamedTuple):
    """Cells that lines own, and room for the search of more."""

    owner: Longs
    via: Longs
    entered: Longs
    seen: Longs
    queue: Longs
    held: Longs
    """Of each line, how many cells it owns when a leaf is begun."""
    base: Longs
    """Owners of the cells when a leaf was tested last."""
    sides: Words
    """Keys that were taken then."""
    first: Longs
    """The poor line where a leaf failed last."""


@njit(**NO_REFCOUNT)
def bits(word: np.uint64) -> int:
    """Count the bits of a word."""
    count = 0
    while word:
        word &= word - _ONE
        count += 1
    return count


@njit(**NO_REFCOUNT)
def one_more(board: PlanBoard, line: int, other: int, state: Matching) -> bool:
    """Give a line, or another one with it (-1: none), one more cell; others may change theirs."""
    owner, via, entered, seen, queue = state[:5]
    fill(seen, 0)
    queue[0] = line
    seen[line], entered[line] = 1, -1
    length = 1
    if other >= 0:
        queue[1], seen[other], entered[other] = other, 1, -1
        length = 2
    done = 0
    while done < length:
        here = queue[done]
        done += 1
        for at in range(board.line_ptr[here], board.line_ptr[here + 1]):
            cell = board.line_cells[at]
            holder = owner[cell]
            if holder in (TAKEN, here):
                continue
            if holder == NOBODY:
                taker = here
                while cell >= 0:
                    owner[cell] = taker
                    cell = entered[taker]
                    if cell >= 0:
                        taker = via[cell]
                return True
            if not seen[holder]:
                seen[holder], entered[holder], via[cell] = 1, cell, here
                queue[length] = holder
                length += 1
    return False


@njit(**NO_REFCOUNT)
def extra(board: PlanBoard, line: int, other: int, most: int, state: Matching) -> int:
    """Count the further cells that a line, or two together, could own, up to `most`.

    A line that seeks a cell gives none away. The matching is left with two cells for each of them.
    """
    count = 0
    while count < most and one_more(board, line, other, state):
        count += 1
    for one in (line, other):
        kept = 0
        if one >= 0:
            for at in range(board.line_ptr[one], board.line_ptr[one + 1]):
                if state.owner[board.line_cells[at]] == one:
                    kept += 1
                    if kept > 2:
                        state.owner[board.line_cells[at]] = NOBODY
    return count


@njit(**NO_REFCOUNT)
def clear(board: PlanBoard, taken: np.uint64, state: Matching) -> None:
    """Take all cells from the lines; keys that are taken can be had by none."""
    fill(state.owner, NOBODY)
    for key in range(len(board.keys)):
        if taken >> np.uint64(key) & _ONE:
            state.owner[board.keys[key]] = TAKEN


@njit(**NO_REFCOUNT)
def _rebuild(board: PlanBoard, taken: np.uint64, breaker: np.uint64, state: Matching) -> bool:
    """Give two cells to each live line, beginning with those that lines had the last time."""
    owner, held = state.owner, state.held
    copy(owner, state.base)
    for key in range(len(board.keys)):
        bit, cell = _ONE << np.uint64(key), board.keys[key]
        if taken & bit:
            owner[cell] = TAKEN
        elif state.sides[0] & bit:
            owner[cell] = NOBODY
    fill(held, 0)
    for cell in range(len(owner)):
        if owner[cell] >= 0:
            if board.masks[owner[cell]] & breaker:
                owner[cell] = NOBODY
            else:
                held[owner[cell]] += 1
    found = True
    for line in range(len(board.kinds)):
        while found and held[line] < 2 and not board.masks[line] & breaker:
            found = one_more(board, line, -1, state)
            held[line] += 1
    copy(state.base, owner)
    state.sides[0] = taken
    return found


@njit(**NO_REFCOUNT)
def spare_cells(board: PlanBoard, maker: np.uint64, breaker: np.uint64, cells: int) -> int:
    """Return the cells that are not taken, less two for each live line."""
    spare = cells - bits(maker | breaker)
    for line in range(len(board.kinds)):
        if not board.masks[line] & breaker:
            spare -= 2
    return spare


@njit(**NO_REFCOUNT)
def is_leaf(
    board: PlanBoard, maker: np.uint64, breaker: np.uint64, counted: int, state: Matching
) -> bool:
    """Tell whether pairs win: two cells for each line, and enough to spare where kinds meet."""
    if spare_cells(board, maker, breaker, len(state.owner)) < 0:
        return False
    if not _rebuild(board, maker | breaker, breaker, state):
        return False
    if counted == 0:
        return True
    for step in range(len(board.kinds)):
        # Where a leaf failed last, another may fail too.
        line = (step + state.first[0]) % len(board.kinds)
        if board.kinds[line] != POOR:
            continue
        if extra(board, line, -1, counted, state) == counted:
            continue
        for at in range(board.crossing_ptr[line], board.crossing_ptr[line + 1]):
            rich = board.crossing[at]
            if board.masks[rich] & breaker:
                continue
            if extra(board, line, rich, counted, state) < counted:
                state.first[0] = line
                return False
    return True


@njit(**NO_REFCOUNT)
def is_mended(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    replies: np.uint64,
    counted: int,
    state: Matching,
) -> bool:
    """Tell whether replies hit all rich lines that one more stone off the keys can endanger."""
    if not replies:
        return False
    hit = breaker | replies
    undecided = False
    for line in range(len(board.kinds)):
        if board.kinds[line] == RICH and not board.masks[line] & hit and board.masks[line] & ~maker:
            undecided = True
    if not undecided:
        return True
    clear(board, ~np.uint64(0), state)
    for line in range(len(board.kinds)):
        if board.kinds[line] != RICH or board.masks[line] & hit:
            continue
        for _ in range(2):
            if not one_more(board, line, -1, state):
                return False
    for line in range(len(board.kinds)):
        if board.kinds[line] != RICH or board.masks[line] & hit or not board.masks[line] & ~maker:
            continue
        if extra(board, line, -1, counted + 1, state) <= counted:
            return False
    return True
