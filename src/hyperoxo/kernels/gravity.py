"""Exact alpha-beta for two players under gravity, on bitboards of one word a colour.

Cells lie column by column, each a bit above the one it rests on, so that all lines of one
direction are the same shifts of a word. Where the bits suffice, a guard bit tops every column.

A score is 0 for a draw. A player who has won when e of the N cells are filled scores
(N - e) // 2 + 1, the other the negative: sooner wins are greater. As the winner tells whether e
is odd, a score tells e. All searches ask whether a score exceeds a threshold (windows without
width), and `best_score` closes in on it.

References
----------
J. Tromp, "John's Connect Four playground", tromp.github.io/c4/c4.html; P. Pons, "Solving Connect
4: how to build a perfect AI", blog.gamesolver.org, 2015; C. Steininger, "c4", github.com, 2025:
masks, moves that do not lose at once, threats as order, forced replies followed without storing
them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs, Words
from hyperoxo.kernels.cell_sets import popcount, signed
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.table import HASH_1

UNKNOWN = 127
"""The score of a search that was ended."""

REST_BITS = 56
"""Bits of a key that an entry of the table holds, above the 8 bits of a bound; the slot tells the
others."""

_ONE, _ZERO, _BYTE = np.uint64(1), np.uint64(0), np.uint64(255)
_HALF, _SHIFT, _REST = np.uint64(32), np.uint64(8), np.uint64(REST_BITS)
_REST_MASK = np.uint64((1 << REST_BITS) - 1)
_LOWER, _UPPER = 192, 64
"""Middles of the codes of lower and of upper bounds, which differ from them by up to 63."""


class Grid(NamedTuple):
    """A board as masks of bits, and how lines run."""

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


class Keys(NamedTuple):
    """Masks and symmetries that make the key of a position."""

    floor: np.uint64
    room: np.uint64
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
    """Return the cells that complete a line with these stones; some of them may be taken.

    In a line that misses one stone, that cell is the one without a stone.
    """
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
def _has_line(lines: Words, length: int, cells: np.uint64) -> bool:
    """Test a bitboard for a full line."""
    for d in range(len(lines)):
        step = lines[d, 1]
        rest, whole = cells, lines[d, 0] & cells
        for _ in range(1, length):
            rest >>= step
            whole &= rest
        if whole:
            return True
    return False


class Levels(NamedTuple):
    """The stack: an entry or a row for each position with a choice on the way to this one."""

    own: Words
    rival: Words
    """Stones of the player to move and of the other."""
    free: Longs
    turned: Longs
    """1 where the player to move is not the one at the root."""
    moves: Words
    dangers: Words
    """Cells that are dangerous for the other after each move, ``[levels, columns]``."""
    orders: Longs
    """Room to sort moves, ``[columns]``."""
    counts: Longs
    nexts: Longs
    bests: Longs
    keys: Words
    """``[levels, 2]``."""


@njit(**NO_REFCOUNT)
def _key(keys: Keys, own: np.uint64, taken: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the stones of one player with a bit above each stack; and the full columns apart.

    In each column the highest bit tells its height, and the bits below tell the owners, so no two
    positions have the same key.
    """
    above = ((taken << _ONE) | keys.floor) & ~taken & keys.room
    full = _ZERO
    for i in range(len(keys.tops)):
        full = (full << _ONE) | ((taken >> np.uint64(keys.tops[i])) & _ONE)
    return own | above, full


@njit(**NO_REFCOUNT)
def image(keys: Keys, g: int, cells: np.uint64) -> np.uint64:
    """Return the image of a set of cells under a symmetry, which takes columns to columns."""
    image = _ZERO
    for c in range(len(keys.masks)):
        shift, column = keys.images[g, c], cells & keys.masks[c]
        image |= column << np.uint64(shift) if shift >= 0 else column >> np.uint64(-shift)
    return image


@njit(**NO_REFCOUNT)
def _class_key(keys: Keys, own: np.uint64, rival: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the least key among the images of a position."""
    taken = own | rival
    first, second = _key(keys, own, taken)
    for g in range(len(keys.images)):
        one, two = _key(keys, image(keys, g, own), image(keys, g, taken))
        if one < first or (one == first and two < second):
            first, second = one, two
    return first, second


@njit(**NO_REFCOUNT)
def _slot(table: Words, first: np.uint64, second: np.uint64) -> np.uint64:
    """Return the place of a key: with the low bits that an entry holds, it tells the high ones."""
    mixed = (first & _REST_MASK) * HASH_1
    high = (first >> _REST) | (second << _SHIFT)
    return (mixed ^ (mixed >> _HALF) ^ high) & np.uint64(len(table) - 1)


@njit(**NO_REFCOUNT)
def _answers(landing: np.uint64, danger: np.uint64, floor: np.uint64, misere: int) -> np.uint64:
    """Return the moves after which the mover does not lose with the next stone; 0 if there is none.

    In normal play a cell must be filled where the rival could complete a line at once, and none
    may be filled below such a cell. In misère play the mover must not complete a line. So the
    cells in `danger` complete lines of the rival, in misère play of the mover.
    """
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
) -> tuple[bool, int, np.uint64, np.uint64, int, np.uint64, np.uint64]:
    """Follow forced moves; return whether the score is known, and a bound, or the position.

    The player to move cannot win at once. A returned score is for the player to move at the
    returned number of free cells, as are the stones; then come the cells where a stone may land
    and the safe ones of these.
    """
    while True:
        taken = own | rival
        empty = grid.field & ~taken
        landing = ((taken << _ONE) | grid.floor) & empty
        safe = _answers(landing, danger, grid.floor, grid.misere)
        # 1. Every move loses with the next stone, or with this one in misère play.
        if not safe:
            return True, -((free + grid.misere) // 2), own, rival, free, landing, safe
        # 2. A line can end the game before the board is full only with two stones more (one in
        #    misère play); a safe move of the last two cells leaves no line for the other.
        if free <= 2 - grid.misere:
            return True, 0, own, rival, free, landing, safe
        # 3. Neither wins with the next two stones, so scores are limited.
        low, high = -((free - 2 + grid.misere) // 2), (free - 1 + grid.misere) // 2
        if low > threshold or high <= threshold:
            return True, low if low > threshold else high, own, rival, free, landing, safe
        # 4. A player with no line left completes none: the other does not lose by one.
        mine = (threshold >= 0) != grid.misere
        if not _has_line(grid.lines, grid.length, (own if mine else rival) | empty):
            return True, 0, own, rival, free, landing, safe
        # 5. A single safe move is played here: all others lose sooner than it can.
        if safe & (safe - _ONE):
            return False, 0, own, rival, free, landing, safe
        own, rival = rival, own | safe
        free, threshold = free - 1, -threshold - 1
        danger = _spots(grid.lines, grid.length, own if grid.misere else rival)


@njit(**NO_REFCOUNT)
def _list_moves(
    grid: Grid,
    levels: Levels,
    level: int,
    own: np.uint64,
    rival: np.uint64,
    landing: np.uint64,
    safe: np.uint64,
) -> int:
    """List the safe moves, the most promising first; -1 if one wins with the stone after next.

    In normal play those come first that leave most cells to complete a line, in misère play those
    that leave fewest. A move wins if the other then has no safe answer.
    """
    empty = grid.field & ~(own | rival)
    moves, dangers, orders = levels.moves[level], levels.dangers[level], levels.orders
    theirs = _spots(grid.lines, grid.length, rival) if grid.misere else _ZERO
    count = 0
    for c in range(len(grid.columns)):
        move = safe & grid.columns[c]
        if not move:
            continue
        mine = _spots(grid.lines, grid.length, own | move)
        danger = theirs if grid.misere else mine
        next_landing = (landing ^ move) | ((move << _ONE) & grid.field & ~grid.floor)
        if not _answers(next_landing, danger, grid.floor, grid.misere):
            return -1
        order = signed(popcount(mine & empty))
        if grid.misere:
            order = -order
        at = count
        while at > 0 and orders[at - 1] < order:
            orders[at], moves[at], dangers[at] = orders[at - 1], moves[at - 1], dangers[at - 1]
            at -= 1
        orders[at], moves[at], dangers[at] = order, move, danger
        count += 1
    return count


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
    """Return a bound that tells whether the score exceeds a threshold; `UNKNOWN` if ended.

    A bound above the threshold is at most the score, another is at least the score. The player to
    move cannot win at once.
    """
    root, level, turned = threshold, -1, 0
    danger = _spots(grid.lines, grid.length, own if grid.misere else rival)
    while True:
        # 1. Enter a position: what needs no table and no choice is known at once.
        if visit(control):
            return UNKNOWN
        before = free
        known, score, own, rival, free, landing, safe = _follow(
            grid, own, rival, free, threshold, danger
        )
        turned ^= (before - free) & 1
        threshold = -root - 1 if turned else root
        if not known:
            # 2. Look it up; only positions with a choice are in the table.
            first, second = _class_key(keys, own, rival)
            entry = table[_slot(table, first, second)]
            if entry >> _SHIFT == first & _REST_MASK and entry & _BYTE:
                code = signed(entry & _BYTE)
                score = code - (_LOWER if code > 128 else _UPPER)
                known = score > threshold if code > 128 else score <= threshold
        if not known:
            # 3. List the moves, unless one wins as soon as is possible.
            level += 1
            count = _list_moves(grid, levels, level, own, rival, landing, safe)
            if count < 0:
                level -= 1
                known, score = True, (free - 1 + grid.misere) // 2
            else:
                levels.own[level], levels.rival[level] = own, rival
                levels.free[level], levels.turned[level] = free, turned
                levels.counts[level], levels.nexts[level] = count, 0
                levels.bests[level] = -UNKNOWN
                levels.keys[level, 0], levels.keys[level, 1] = first, second
        # 4. Give the score to the positions above, as long as it settles them.
        while known:
            if level < 0:
                return -score if turned else score
            score = score if turned == levels.turned[level] else -score
            turned = levels.turned[level]
            threshold = -root - 1 if turned else root
            levels.bests[level] = max(levels.bests[level], score)
            score = levels.bests[level]
            if score <= threshold and levels.nexts[level] < levels.counts[level]:
                break
            first, second = levels.keys[level, 0], levels.keys[level, 1]
            code = score + (_LOWER if score > threshold else _UPPER)
            entry = ((first & _REST_MASK) << _SHIFT) | np.uint64(code)
            table[_slot(table, first, second)] = entry
            level -= 1
        # 5. Try the next move.
        at = levels.nexts[level]
        levels.nexts[level] = at + 1
        own, rival = levels.rival[level], levels.own[level] | levels.moves[level, at]
        free, danger = levels.free[level] - 1, levels.dangers[level, at]
        turned, threshold = turned ^ 1, -threshold - 1


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
    taken = own | rival
    landing = ((taken << _ONE) | grid.floor) & grid.field & ~taken
    if not grid.misere and landing & _spots(grid.lines, grid.length, own):
        return (free + 1) // 2
    least, most = -((free + grid.misere) // 2), (free - 1 + grid.misere) // 2
    if low >= most or high <= least:
        return most if low >= most else least
    low, high = max(low, least), min(high, most)
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
