"""2-matchings of lines into cells (two private cells per line) for rules R1 and R4 of key plans.

Found by augmenting paths. `docs/key-plans.md` has the rules and their proofs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Ints, Longs, Words, copy, fill

MAIN, RICH, POOR = range(3)
"""Lines of keys alone, of keys and other cells, and without a key."""

UNHELD, TAKEN = -1, -2
_ONE = np.uint64(1)


class Regions(NamedTuple):
    """Components of rich lines that share cells off the keys.

    A set of lines of a region is a number with a bit for each of its lines.
    """

    home: Longs
    """Region of each rich line, else -1, ``[lines]``."""
    bit: Longs
    """Index of each rich line within its region, else -1, ``[lines]``."""
    lines: Longs
    """The lines of each region, -1 after them, ``[regions, MOST_LINES]``."""
    off: Longs
    """Number of cells of each line off the keys, ``[lines]``."""
    on_cell: Longs
    """Set of the lines through each cell in its region, -1 on keys, ``[cells]``."""
    cell_home: Longs
    """Region of each cell off the keys, else -1, ``[cells]``."""
    # Stones on cells with the same lines are alike, so rules try one cell of each such class:
    # threads[thread_ptr[r] : thread_ptr[r + 1]] are the distinct values of `on_cell` in region r.
    thread_ptr: Longs
    threads: Longs
    """Distinct sets of lines through the cells of each region."""
    shared: Longs
    """Cells off the keys that two lines of a region share, ``[regions, lines, lines]``."""
    # The next three are indexed by sets of lines and computed once for all 2^lines of them.
    spare: Ints
    """f0(A) of each set A: its cells off the keys less two per line, ``[regions, sets]``."""
    apart: Ints
    """|A| - X(A) of each set A: its lines less the repetitions of cells, ``[regions, sets]``."""
    slack: Ints
    """Maximum of `apart` over the subsets of each set, v(A) in R7, ``[regions, sets]``."""
    # poor[poor_ptr[l] : poor_ptr[l + 1]] for a rich line l, `poor_shared` in parallel.
    poor_ptr: Longs
    poor: Longs
    poor_shared: Longs
    """Poor lines that cross each rich line, and the number of cells they share."""
    poor_in: Longs
    """Number of cells of each line in each region, ``[lines, regions]``."""
    moved: Longs
    """The images of the regions under each symmetry, ``[symmetries, regions]``."""
    moved_lines: Ints
    """Images of eight lines at a time, ``[symmetries, regions, 2, 256]``."""
    limits: Longs
    """Least f0 of two crossing pairs with different rich lines (u in R5), and of one pair."""


class Blocks(NamedTuple):
    """Blocks: sets of lines that hold at most f(block) counted stones (invariant f)."""

    lines: Words
    """The lines of each, ``[blocks, words]``."""
    size: Longs
    keys: Words
    """The keys on its lines."""
    spare: Longs
    """Its cells, keys included, less two per line: f before Maker takes any of its keys."""
    poor: Longs
    """f0 of its poor lines alone."""
    away: Longs
    """Cells of its poor lines on none of its rich ones, d in R6."""
    rich: Longs
    """Its rich lines by regions, ``[blocks, regions]``."""
    beside: Longs
    """The cells of `away` in each region, c in R6, ``[blocks, regions]``."""
    on_line: Longs
    """Cells off the keys that it shares with each line, ``[blocks, lines]``."""
    on_set: Longs
    """Bound on stones it shares with sets of rich lines, s in R7, ``[blocks, regions, sets]``."""
    on_block: Longs
    """Cells off the keys that two blocks share, ``[blocks, blocks]``."""


class PlanBoard(NamedTuple):
    """Lines, keys and the symmetries of the keys, as arrays."""

    # Lines that Breaker hit off the keys before the search began are left out and not numbered.
    numbers: Longs
    """Number of each line on the board of the game, ``[lines]``."""
    line_ptr: Longs
    line_cells: Longs
    kinds: Longs
    """`MAIN`, `RICH` or `POOR`, ``[lines]``."""
    masks: Words
    """The keys on each line, bit k for ``keys[k]``, ``[lines]``."""
    keys: Longs
    """Cells of the keys, at most 56."""
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
    """Regions of a search by lines; empty if stones are only counted."""
    blocks: Blocks


class Matching(NamedTuple):
    """A matching of lines to cells, and scratch arrays for augmenting paths."""

    # owner[cell] is a line, UNHELD, or TAKEN for a key that no line may own. The breadth-first
    # search enters line `l` by the cell entered[l], -1 at a root, and via[cell] is the line that
    # asks for that cell: the two are the parent pointers of the alternating path.
    owner: Longs
    via: Longs
    entered: Longs
    seen: Longs
    queue: Longs
    held: Longs
    """Number of cells each line owns when a leaf test begins, ``[lines]``."""
    # Leaves tested in succession differ in few keys, so each repairs the last matching.
    base: Longs
    """`owner` after the last leaf test."""
    sides: Words
    """The keys that were taken then."""
    first: Longs
    """The poor line at which the last test failed."""


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
    """Augment: `line` or `other` (-1: none) gets one more cell; the rest may exchange theirs."""
    owner, via, entered, seen, queue = state[:5]
    # 1. The roots are seen from the start, so they never give a cell away.
    fill(seen, 0)
    queue[0] = line
    seen[line], entered[line] = 1, -1
    length = 1
    if other >= 0:
        queue[1], seen[other], entered[other] = other, 1, -1
        length = 2
    done = 0
    # 2. Breadth first: a line can take a cell that is free, or one whose owner finds another.
    while done < length:
        here = queue[done]
        done += 1
        for at in range(board.line_ptr[here], board.line_ptr[here + 1]):
            cell = board.line_cells[at]
            holder = owner[cell]
            if holder in (TAKEN, here):
                continue
            if holder == UNHELD:
                # 3. Flip the path: each line takes the cell and passes its own to the one before.
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
    """Return the least f(S) over the sets S of matched lines with these two, at most `most`.

    That is, the further cells that they could own together. Each is left with two cells.
    """
    # By Hall's theorem with their demand raised by k: feasible if and only if f(S) >= k for all S.
    count = 0
    while count < most and one_more(board, line, other, state):
        count += 1
    for one in (line, other):
        own = 0
        if one >= 0:
            for at in range(board.line_ptr[one], board.line_ptr[one + 1]):
                if state.owner[board.line_cells[at]] == one:
                    own += 1
                    if own > 2:
                        state.owner[board.line_cells[at]] = UNHELD
    return count


@njit(**NO_REFCOUNT)
def clear(board: PlanBoard, taken: np.uint64, state: Matching) -> None:
    """Empty the matching, and mark the taken keys as `TAKEN`."""
    fill(state.owner, UNHELD)
    for key in range(len(board.keys)):
        if taken >> np.uint64(key) & _ONE:
            state.owner[board.keys[key]] = TAKEN


@njit(**NO_REFCOUNT)
def _rebuild(board: PlanBoard, taken: np.uint64, breaker: np.uint64, state: Matching) -> bool:
    """Repair the last 2-matching for these keys; return whether there is one of all live lines."""
    owner, held = state.owner, state.held
    # 1. Keys taken since then leave the matching; keys taken only then are free again.
    copy(owner, state.base)
    for key in range(len(board.keys)):
        bit, cell = _ONE << np.uint64(key), board.keys[key]
        if taken & bit:
            owner[cell] = TAKEN
        elif state.sides[0] & bit:
            owner[cell] = UNHELD
    # 2. Lines with one of Breaker keys are no longer live and give their cells back.
    fill(held, 0)
    for cell in range(len(owner)):
        if owner[cell] >= 0:
            if board.masks[owner[cell]] & breaker:
                owner[cell] = UNHELD
            else:
                held[owner[cell]] += 1
    # 3. Augment. A line without an augmenting path has none later either, so one failure decides.
    #    Pairs matched until then are kept: the next repair begins there.
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
    """Return f(all live lines) or more: cells not taken, less two per live line."""
    spare = cells - bits(maker | breaker)
    for line in range(len(board.kinds)):
        if not board.masks[line] & breaker:
            spare -= 2
    return spare


@njit(**NO_REFCOUNT)
def is_leaf(
    board: PlanBoard, maker: np.uint64, breaker: np.uint64, counted: int, state: Matching
) -> bool:
    """Return whether pairs win (R1): a 2-matching, and f(S) >= counted where kinds meet."""
    # 1. (i) of R1, after a necessary condition that needs no matching.
    if spare_cells(board, maker, breaker, len(state.owner)) < 0:
        return False
    if not _rebuild(board, maker | breaker, breaker, state):
        return False
    if counted == 0:
        return True
    # 2. (ii) of R1. A connected set with a poor and a rich line holds two such lines that cross, so
    #    it is enough to test each crossing pair, and none with a poor line that can own `counted`
    #    cells more by itself: every set with it has as many to spare.
    for step in range(len(board.kinds)):
        # Begin with the line at which the last leaf failed: it often refutes the next one too.
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
    """Return whether replies are enough after a stone that is only counted (R4)."""
    if not replies:
        return False
    hit = breaker | replies
    # 1. Sets at risk hold an undecided line that no reply hits; without one, none is left.
    undecided = False
    for line in range(len(board.kinds)):
        if board.kinds[line] == RICH and not board.masks[line] & hit and board.masks[line] & ~maker:
            undecided = True
    if not undecided:
        return True
    # 2. A 2-matching of these rich lines off the keys: f0 counts no key, so all are taken.
    clear(board, ~np.uint64(0), state)
    for line in range(len(board.kinds)):
        if board.kinds[line] != RICH or board.masks[line] & hit:
            continue
        for _ in range(2):
            if not one_more(board, line, -1, state):
                return False
    # 3. f0(A) > counted for each set A with an undecided line.
    for line in range(len(board.kinds)):
        if board.kinds[line] != RICH or board.masks[line] & hit or not board.masks[line] & ~maker:
            continue
        if extra(board, line, -1, counted + 1, state) <= counted:
            return False
    return True
