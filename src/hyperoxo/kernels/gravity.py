"""Exact alpha-beta for two players under gravity, on bitboards of one word a colour.

Cells lie column by column, each a bit above the one it rests on, so that all lines of one
direction are the same shifts of a word. If there are enough bits, a guard bit tops every column.

A score is 0 for a draw. A player who has won when e of the N cells are filled scores
(N - e) // 2 + 1, the other the negative: sooner wins are greater. As the winner tells whether e
is odd, a score tells e. All searches ask whether a score exceeds a threshold (windows without
width), and `best_score` closes in on it.

References
----------
J. Tromp, "John's Connect Four playground", tromp.github.io/c4/c4.html; P. Pons, "Solving Connect
4: how to build a perfect AI", blog.gamesolver.org, 2015; C. Steininger, "c4", github.com, 2025:
masks, moves that do not lose at once, threats as order, forced replies followed without storing
them, all children looked up first. V. Allis, Connect-Four thesis, Amsterdam, 1988: claimeven.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs, Words
from hyperoxo.kernels.cell_sets import popcount, signed
from hyperoxo.kernels.control import NODES, expired
from hyperoxo.kernels.table import HASH_1

UNKNOWN = 127
"""The score of a search that was ended."""

REST_BITS = 56
"""Bits of a key that an entry of the table holds, above the 8 bits of a bound; the slot tells the
others."""

# Bits of a board of 4 columns and 3 rows; bits 3, 7, 11 and 15 are the guards, in which keys mark
# the height of a full column. Neighbours on lines are 1, 4, 5 or 3 bits apart.
#
#     3  7 11 15
#     2  6 10 14
#     1  5  9 13
#     0  4  8 12
_ONE, _ZERO, _BYTE = np.uint64(1), np.uint64(0), np.uint64(255)
_HALF, _SHIFT, _REST = np.uint64(32), np.uint64(8), np.uint64(REST_BITS)
_REST_MASK = np.uint64((1 << REST_BITS) - 1)
_LOWER, _UPPER = 192, 64
"""Middles of the codes of lower and of upper bounds, which differ from them by up to 63."""
_PROBED = 14
"""Free cells above which all children are looked up before one is searched."""


class Grid(NamedTuple):
    """A board as bit masks, and the shifts of its lines."""

    lines: Words
    """For each direction the lowest bits of its lines, and the distance of neighbours on them,
    ``[directions, 2]``."""
    length: int
    """Cells of a line."""
    columns: Words
    """Cells of each column that blocked cells do not part, those on most lines first."""
    field: np.uint64
    """All cells."""
    floor: np.uint64
    """Cells where a stone rests on no other."""
    misere: int
    """1 in misère play, else 0."""
    uppers: np.uint64
    """Cells with an even number of cells above them, up to a blocked cell or the top."""
    rises: Words
    """For each direction the lowest bits of those lines with no cell on the floor."""
    deep: Words
    """At index k the cells with at least 2(k - 1) cells above them, ``[N + 1]``."""


class Keys(NamedTuple):
    """Masks and symmetries that make the key of a position."""

    floor: np.uint64
    space: np.uint64
    """All cells, and the bits above the highest of each column as far as there are such bits."""
    tops: Longs
    """Bits of the highest cells of columns without such a bit."""
    masks: Words
    """Bits of each column, lowest column first."""
    images: Longs
    """Shifts to the left that take each column to its image under each symmetry but the
    identity, ``[G - 1, columns]``."""


# Arrays are passed alone where that is enough: a call copies the fields of all that it passes.


@njit(**NO_REFCOUNT)
def _spots(lines: Words, length: int, stones: np.uint64) -> np.uint64:
    """Return the cells that complete a line with these stones; some of them may be taken."""
    # In a line that misses one stone, that cell is the one without a stone.
    # Bit-parallel over the lowest bits of all lines of a direction: `whole` has those whose first k
    # cells all have stones, `short` those that miss exactly one of them. At the end each line that
    # misses one is spread over all its cells; those with stones are taken out.
    found = _ZERO
    for d in range(len(lines)):
        starts, step = lines[d, 0], lines[d, 1]
        cells = stones
        whole = starts & cells
        short = starts ^ whole
        for _ in range(1, length):
            cells >>= step
            short = (short & cells) | (whole & ~cells)
            whole &= cells
        for _ in range(1, length):
            short |= short << step
        found |= short
    return found & ~stones


@njit(**NO_REFCOUNT)
def _full_lines(starts: np.uint64, step: np.uint64, length: int, cells: np.uint64) -> np.uint64:
    """Return the lowest bits of the full lines of one direction."""
    whole = starts & cells
    for _ in range(1, length):
        cells >>= step
        whole &= cells
    return whole


@njit(**NO_REFCOUNT)
def has_line(lines: Words, length: int, cells: np.uint64) -> bool:
    """Return whether a bitboard has a full line."""
    found = _ZERO
    for d in range(len(lines)):
        found |= _full_lines(lines[d, 0], lines[d, 1], length, cells)
    return bool(found)


@njit(**NO_REFCOUNT)
def outlives(lines: Words, rises: Words, length: int, sure: np.uint64, others: np.uint64) -> bool:
    """Return whether every line among `others` lies straight above a line among `sure`.

    Then no line among `others` is complete before all cells below are filled, and with them a line
    of those that are sure to come.
    """
    # `below` climbs from the sure lines row by row, up to the highest lines of the direction.
    for d in range(len(lines)):
        starts, step = lines[d, 0], lines[d, 1]
        whole = _full_lines(starts, step, length, others)
        below = _full_lines(starts, step, length, sure) if whole else _ZERO
        while below:
            below = (below << _ONE) & rises[d]
            whole &= ~below
        if whole:
            return False
    return True


class Levels(NamedTuple):
    """The stack: a row for each position with a choice on the way to this one.

    Children are numbered as columns; their stones, keys, free cells and safe moves are those after
    forced replies.
    """

    keys: Words
    """``[levels, 2]``."""
    bests: Longs
    counts: Longs
    nexts: Longs
    turned: Longs
    """1 if the player to move is not the one at the root, ``[levels]``."""
    stones: Words
    """Of the player to move and of the other, ``[levels, columns, 2]``."""
    child_keys: Words
    """``[levels, columns, 2]``."""
    safe: Words
    """``[levels, columns]``."""
    free: Longs
    """``[levels, columns]``."""
    order: Longs
    """Children by descending move-ordering score, ``[levels, columns]``."""
    worth: Longs
    """Move-ordering score of each child, ``[columns]``."""


@njit(**NO_REFCOUNT)
def _full(tops: Longs, taken: np.uint64) -> np.uint64:
    """Return a bit for each of these cells that is taken."""
    full = _ZERO
    for i in range(len(tops)):
        full = (full << _ONE) | ((taken >> np.uint64(tops[i])) & _ONE)
    return full


@njit(**NO_REFCOUNT)
def image(keys: Keys, g: int, cells: np.uint64) -> np.uint64:
    """Return the image of a set of cells under a symmetry, which takes columns to columns."""
    image = _ZERO
    for c in range(len(keys.masks)):
        shift, column = keys.images[g, c], cells & keys.masks[c]
        image |= column << np.uint64(shift) if shift >= 0 else column >> np.uint64(-shift)
    return image


@njit(**NO_REFCOUNT)
def _key(keys: Keys, own: np.uint64, rival: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the least key among the images of a position."""
    # A key holds the stones of one player with a bit above each stack; and the full columns apart.
    # In each column the highest bit tells its height, and the bits below tell the owners, so no two
    # positions have the same key.
    taken = own | rival
    # Above each stack one bit: (taken << 1 | floor) without the stones, as far as there is space.
    first = own | (((taken << _ONE) | keys.floor) & ~taken & keys.space)
    second, code = _full(keys.tops, taken), first
    for g in range(len(keys.images)):
        one, two = image(keys, g, code), _ZERO
        if len(keys.tops) and one <= first:
            two = _full(keys.tops, image(keys, g, taken))
        if one < first or (one == first and two < second):
            first, second = one, two
    return first, second


@njit(**NO_REFCOUNT)
def _slot(table: Words, first: np.uint64, second: np.uint64) -> np.uint64:
    """Return the slot of a key; with the low bits in the entry it determines the high ones."""
    mixed = (first & _REST_MASK) * HASH_1
    high = (first >> _REST) | (second << _SHIFT)
    return (mixed ^ (mixed >> _HALF) ^ high) & np.uint64(len(table) - 1)


@njit(**NO_REFCOUNT)
def _answers(landing: np.uint64, danger: np.uint64, floor: np.uint64, misere: int) -> np.uint64:
    """Return the moves after which the mover does not lose with the next stone; 0 if none."""
    # In normal play a cell must be filled where the rival could complete a line at once, and none
    # may be filled below such a cell. In misère play the mover must not complete a line. So the
    # cells in `danger` complete lines of the rival, in misère play of the mover.
    if misere:
        return landing & ~danger
    safe = landing & ~((danger & ~floor) >> _ONE)
    block = landing & danger
    if block & (block - _ONE):
        return _ZERO
    return safe & block if block else safe


@njit(**NO_REFCOUNT)
def _follow(
    grid: Grid, own: np.uint64, rival: np.uint64, free: int, threshold: int, danger: np.uint64
) -> tuple[bool, int, np.uint64, np.uint64, int, np.uint64]:
    """Follow forced moves; return whether the score is known, and a bound, or the position."""
    # The player to move cannot win at once. A returned score is for the player to move at the
    # returned number of free cells, as are the stones; the safe moves come last.
    # Each step gives a bound on the score. It is returned if it settles the threshold: a lower
    # bound above it, or an upper bound not above it.
    while True:
        taken = own | rival
        empty = grid.field & ~taken
        landing = ((taken << _ONE) | grid.floor) & empty
        safe = _answers(landing, danger, grid.floor, grid.misere)
        # 1. Every move loses with the next stone, or with this one in misère play.
        if not safe:
            return True, -((free + grid.misere) // 2), own, rival, free, safe
        # 2. A line can end the game before the board is full only with two stones more (one in
        #    misère play); a safe move of the last two cells leaves no line for the other.
        if free <= 2 - grid.misere:
            return True, 0, own, rival, free, safe
        # 3. Neither wins with the next two stones, so scores are limited.
        low, high = -((free - 2 + grid.misere) // 2), (free - 1 + grid.misere) // 2
        if low > threshold or high <= threshold:
            return True, low if low > threshold else high, own, rival, free, safe
        # 4. Claimeven: with an even number of cells free, the other can answer each move above it,
        #    and a move with nothing above by another such move. So the mover gets the lower cells
        #    of all pairs, the other the upper ones, and cells that pair with none may go to
        #    either. The bound holds if no line that this leaves for a win of the mover comes before
        #    one of the other's.
        mine, other = (rival, own) if grid.misere else (own, rival)
        if free & 1 == 0:
            pairs = empty & (~grid.uppers if grid.misere else grid.uppers & ~landing)
            if outlives(
                grid.lines, grid.rises, grid.length, other | pairs, mine | (empty & ~pairs)
            ):
                if threshold >= 0:
                    return True, 0, own, rival, free, safe
                # While such a line is open, one of its pairs and all above are free.
                late = other | (pairs & grid.deep[-threshold])
                if has_line(grid.lines, grid.length, late):
                    return True, threshold, own, rival, free, safe
        # 5. A player with no line left completes none: the other does not lose by one. Where the
        #    first is the mover and cells are even in number, this was part of step 4.
        needed = mine if threshold >= 0 else other
        if (threshold < 0 or free & 1) and not has_line(grid.lines, grid.length, needed | empty):
            return True, 0, own, rival, free, safe
        # 6. A single safe move is played here: all others lose sooner than it can.
        if safe & (safe - _ONE):
            return False, 0, own, rival, free, safe
        own, rival = rival, own | safe
        free, threshold = free - 1, -threshold - 1
        danger = _spots(grid.lines, grid.length, own if grid.misere else rival)


@njit(**NO_REFCOUNT)
def _look_up(table: Words, first: np.uint64, second: np.uint64, threshold: int) -> int:
    """Return a bound from the table that settles a threshold, else `UNKNOWN`."""
    # An entry holds one bound as a byte, a lower bound around 192 or an upper one around 64; a free
    # entry has 0.
    entry = table[_slot(table, first, second)]
    if entry >> _SHIFT == first & _REST_MASK and entry & _BYTE:
        code = signed(entry & _BYTE)
        score = code - (_LOWER if code > 128 else _UPPER)
        if score > threshold if code > 128 else score <= threshold:
            return score
    return UNKNOWN


@njit(**NO_REFCOUNT)
def _expand(
    grid: Grid,
    keys: Keys,
    levels: Levels,
    level: int,
    own: np.uint64,
    rival: np.uint64,
    free: int,
    safe: np.uint64,
    threshold: int,
    table: Words,
) -> int:
    """List the children that need a search, the most promising first; return the number visited."""
    # The best score of the others is kept: it settles the position if it is above the threshold, or
    # if no child is listed.
    taken = own | rival
    empty = grid.field & ~taken
    landing = ((taken << _ONE) | grid.floor) & empty
    order, worth = levels.order[level], levels.worth
    theirs = _spots(grid.lines, grid.length, rival)
    # A cell above one that the other needs is worth nothing: to reach it, that one is filled.
    useful = empty & ~((theirs << _ONE) & ~grid.floor)
    best, count, visits = -UNKNOWN, 0, 0
    for c in range(len(grid.columns)):
        move = safe & grid.columns[c]
        if not move:
            continue
        # 1. Follow forced replies; look the position up as long as a large tree is below it. The
        #    child has the score of the other player unless an odd number of replies was forced.
        visits += 1
        mine = _spots(grid.lines, grid.length, own | move)
        danger = theirs if grid.misere else mine
        known, score, one, two, left, answers = _follow(
            grid, rival, own | move, free - 1, -threshold - 1, danger
        )
        same = (free - left) & 1 == 0
        if not known and left > _PROBED:
            first, second = _key(keys, one, two)
            levels.child_keys[level, c, 0], levels.child_keys[level, c, 1] = first, second
            score = _look_up(table, first, second, threshold if same else -threshold - 1)
            known = score != UNKNOWN
        if known:
            best = max(best, score if same else -score)
            if best > threshold:
                break
            continue
        # 2. List the child by its cells that complete a line of the mover and may be reached: they
        #    count 3 straight above a landing cell, 2 one row higher, else 1. In misère play the
        #    fewer, the better.
        levels.stones[level, c, 0], levels.stones[level, c, 1] = one, two
        levels.free[level, c], levels.safe[level, c] = left, answers
        spots = mine & useful
        next_row = (((landing ^ move) | (move << _ONE)) << _ONE) & ~grid.floor
        value = signed(popcount(spots)) + 2 * signed(popcount(spots & next_row))
        value += signed(popcount(spots & (next_row << _ONE) & ~grid.floor))
        if grid.misere:
            value = -value
        at = count
        while at > 0 and worth[at - 1] < value:
            worth[at], order[at] = worth[at - 1], order[at - 1]
            at -= 1
        worth[at], order[at] = value, c
        count += 1
    levels.counts[level], levels.nexts[level], levels.bests[level] = count, 0, best
    return visits


@njit(**NO_REFCOUNT)
def _search(
    grid: Grid,
    keys: Keys,
    own: np.uint64,
    rival: np.uint64,
    free: int,
    threshold: int,
    levels: Levels,
    table: Words,
    control: Longs,
) -> int:
    """Null-window search: return a bound on the score that settles a threshold, or `UNKNOWN`."""
    # Above the threshold it is a lower bound of the score, else an upper one. The player to move
    # cannot win at once.
    # The stack holds positions with a choice only. Forced replies are skipped, so the level does
    # not give the player to move: `turned` is 1 if it is not the root's. Scores then change sign,
    # and the threshold t becomes -t - 1 (score > t for one is score <= -t - 1 for the other).
    start, root, level = free, threshold, -1
    control[NODES] += 1
    danger = _spots(grid.lines, grid.length, own if grid.misere else rival)
    known, score, own, rival, free, safe = _follow(grid, own, rival, free, threshold, danger)
    turned = (start - free) & 1
    if known:
        return -score if turned else score
    first, second = _key(keys, own, rival)
    while True:
        # 1. Enter a position with a choice. List its children, unless the table settles it.
        threshold = -root - 1 if turned else root
        if expired(control):
            return UNKNOWN
        score = _look_up(table, first, second, threshold)
        known = score != UNKNOWN
        if not known:
            level += 1
            levels.keys[level, 0], levels.keys[level, 1] = first, second
            levels.turned[level] = turned
            control[NODES] += _expand(
                grid, keys, levels, level, own, rival, free, safe, threshold, table
            )
        # 2. Back up: the score goes to the positions above as long as it settles them, that is, if
        #    it is above the threshold or the last child is done.
        while True:
            if known:
                if level < 0:
                    return -score if turned else score
                score = score if turned == levels.turned[level] else -score
                levels.bests[level] = max(levels.bests[level], score)
            turned, score = levels.turned[level], levels.bests[level]
            threshold = -root - 1 if turned else root
            if score <= threshold and levels.nexts[level] < levels.counts[level]:
                break
            first, second = levels.keys[level, 0], levels.keys[level, 1]
            if levels.nexts[level]:  # what took no search is not stored
                code = score + (_LOWER if score > threshold else _UPPER)
                entry = ((first & _REST_MASK) << _SHIFT) | np.uint64(code)
                table[_slot(table, first, second)] = entry
            level, known = level - 1, True
        # 3. Descend into the next child in move order. Near the leaves, keys are made only here,
        #    for the children that are searched.
        at = levels.nexts[level]
        levels.nexts[level] = at + 1
        c = levels.order[level, at]
        own, rival = levels.stones[level, c, 0], levels.stones[level, c, 1]
        first, second = levels.child_keys[level, c, 0], levels.child_keys[level, c, 1]
        free, safe = levels.free[level, c], levels.safe[level, c]
        if free <= _PROBED:
            first, second = _key(keys, own, rival)
        turned = (start - free) & 1


@njit(**NO_REFCOUNT)
def best_score(
    grid: Grid,
    keys: Keys,
    own: np.uint64,
    rival: np.uint64,
    free: int,
    low: int,
    high: int,
    levels: Levels,
    table: Words,
    control: Longs,
) -> int:
    """Return the score of a running position if it is between `low` and `high`, else a bound.

    A bound at most `low` is at least the score, one of `high` or more is at most the score.
    `UNKNOWN` if the search was ended. Thresholds lie nearer to the ends than to 0: the sooner a
    win must come, the smaller is the search for it.
    """
    # 1. A line that can be completed now, which `_search` takes for excluded.
    taken = own | rival
    landing = ((taken << _ONE) | grid.floor) & grid.field & ~taken
    if not grid.misere and landing & _spots(grid.lines, grid.length, own):
        return (free + 1) // 2
    # 2. The soonest loss and the soonest other win bound the score.
    least, most = -((free + grid.misere) // 2), (free - 1 + grid.misere) // 2
    if low >= most or high <= least:
        return most if low >= most else least
    low, high = max(low, least), min(high, most)
    # 3. Null-window searches close in on the score; a bound beyond the threshold skips the values
    #    between.
    score = low
    while low < high:
        threshold = (low + high) // 2
        threshold = min(threshold, -(-low // 2)) if threshold <= 0 else max(threshold, high // 2)
        score = _search(grid, keys, own, rival, free, threshold, levels, table, control)
        if score == UNKNOWN:
            return UNKNOWN
        if score > threshold:
            low = score
        else:
            high = score
    return score
