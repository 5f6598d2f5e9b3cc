"""Forced wins by threats on boards without gravity: one set of cells per player.

The attacker is the player to move. A threat move leaves a line with one free cell and the
attacker's stones on all others; the defender must answer in that cell. Two such cells win. When the
answer leaves the defender such a line, the attacker's next move must fill its free cell and
threaten as well; on a board where only the attacker's lines count, it never does. Such a
win depends only on the two sets of stones, so failures are remembered by
both words in full.

It is incremental: a position's *pairs*, the lines without a defender's stone that miss two
cells, are inherited from the position before the last two moves, less those touched by them;
only the lines through the attacker's new stone can add pairs, and only those through the
defender's can threaten the attacker. Both are read in blocks of eight masks, which vectorise.

Sets of cells are those of `hyperoxo.kernels.cell_sets`: of one word on boards of up to 64 cells,
of several on others; arrays hold them word by word.

Arrays, all allocated by the caller and reusable for any number of searches of one board:

``board`` (uint64, from `bit_board`, read only)
    cells N, lines L rounded up to a multiple of 8, lines per cell W (a multiple of 8), whether the
    defender's lines count, L line masks, then W masks of the lines through each cell; rows are
    filled up with empty sets.
``work`` (uint64, from `new_bit_work`)
    the memory of failures, kept from search to search, and the stack. One a thread.
``control`` (int64 ``[3]``)
    as in `control`.
``line`` (int32 ``[N + 2]``)
    receives the winning line, attacker and defender alternating.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Ints, Longs, Words, fill
from hyperoxo.kernels.cell_sets import (
    CellSet,
    get,
    hashed,
    lowest,
    nothing,
    popcount,
    put,
    signed,
    trailing_zeros,
    words_for,
    words_in,
)
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.kernels.table import HASH_1, HASH_2, hash_of_two

# Literature: L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, "Go-Moku solved by new search
# techniques", Computational Intelligence 12, 1996. Unlike there, each threat has exactly one answer
# here, so a position is an exchange and the search needs no OR/AND levels.
# `threats` does the same on line counters, for gravity; `proof_moves` builds on this module.
NONE, STOPPED, CUT = 0, -1, -2
"""Answers other than the length of a winning line: there is no forced win; the node limit or the
stop flag ended the search; there is none within the limit on the number of threats."""

FOREVER = 1 << 30
"""More threats than any game has; in the memory: failed whatever the limit."""

# A level in `work` from its offset on: number of pairs, next and last child, whether a move was cut
# by the limit, the attack and the answer that lead on, the attacker's set, the defender's set, the
# pairs. Child 2 i attacks on the lower cell of pair i, child 2 i + 1 on the higher one.
_CHECK_EVERY = 1024
_HEADER = 4
_MEMO_AT = 8
_COUNT, _NEXT, _LAST, _WAS_CUT, _ATTACK, _ANSWER, _OWN = range(7)
_OPEN = -3
_ONE, _TWO = np.uint64(1), np.uint64(2)


def bit_board(cells: int, lines: Sequence[Sequence[int]], *, attacker_only: bool = False) -> Words:
    """Lay out a board; with `attacker_only` the defender's lines do not count."""
    masks = [sum(1 << int(cell) for cell in line) for line in lines]
    through = [[mask for mask in masks if mask >> cell & 1] for cell in range(cells)]
    width = _rounded(max(map(len, through), default=0))
    total = _rounded(len(masks))
    size = words_for(cells)
    rows = np.zeros((total + cells * width, size), np.uint64)
    for at, mask in enumerate(masks):
        rows[at] = _words(mask, size)
    for cell, row in enumerate(through):
        for at, mask in enumerate(row, total + cell * width):
            rows[at] = _words(mask, size)
    return np.append(np.array([cells, total, width, not attacker_only], np.uint64), rows)


def _words(mask: int, size: int) -> list[int]:
    return [mask >> 64 * i & (1 << 64) - 1 for i in range(size)]


def _rounded(count: int) -> int:
    return -(-count // 8) * 8


def new_bit_work(board: Words, memo_bits: int = 14) -> Words:
    """Allocate memory and stack; ``2**memo_bits`` entries of 24 bytes, or more on wide boards.

    Small is quick: the memory should fit the second-level cache.
    """
    entries = 1 << memo_bits
    size = words_for(int(board[0]))
    levels = int(board[0]) // 2 + 2
    level = _OWN + size * (2 + int(board[1]))
    work = np.zeros(_MEMO_AT + (2 * size + 1) * entries + levels * level, np.uint64)
    work[:2] = entries, size
    return work


@njit(**NO_REFCOUNT)
def forget_bits(work: Words) -> None:
    """Empty the memory of failures."""
    fill(work[_MEMO_AT : _MEMO_AT + (2 * signed(work[1]) + 1) * signed(work[0])], 0)


@njit(**NO_REFCOUNT)
def board_line(board: Words, number: int, like: CellSet) -> CellSet:
    """Return a line mask by its number; those of the lines through cell c begin at L + W c."""
    return get(board, _HEADER + number * words_in(like), like)


@njit(**NO_REFCOUNT)
def _one_missing(board: Words, at: int, blocks: int, own: CellSet, other: CellSet) -> CellSet:
    """Return the cells that complete one of the lines from `at` on for the owner of `own`."""
    none = nothing(own)
    cells = none
    for block in range(blocks):
        start = at + 8 * block
        for j in range(8):
            mask = board_line(board, start + j, own)
            rest = mask & ~own
            cells |= rest if (mask & other) == none and popcount(rest) == _ONE else none
    return cells


@njit(**NO_REFCOUNT)
def completions(board: Words, own: CellSet, other: CellSet) -> CellSet:
    """Return the set of cells that complete a line for the owner of `own`."""
    return _one_missing(board, 0, signed(board[1]) >> 3, own, other)


@njit(**NO_REFCOUNT)
def _pair_at(level: int, number: int, like: CellSet) -> int:
    """Return the offset of a pair of a level in `work`, after the stones of both players."""
    return level + _OWN + (2 + number) * words_in(like)


@njit(**NO_REFCOUNT)
def _add_pairs(
    board: Words,
    at: int,
    blocks: int,
    own: CellSet,
    other: CellSet,
    work: Words,
    level: int,
    once: CellSet,
    twice: CellSet,
) -> tuple[CellSet, CellSet]:
    """Add the pairs among the lines from `at` on; return the cells in one, and in two pairs."""
    none = nothing(own)
    # Most blocks have no pair: a first pass without branches finds out, and only then a second one
    # lists them. `once` and `twice` are what the double threats are read from.
    count = signed(work[level + _COUNT])
    for block in range(blocks):
        start = at + 8 * block
        found = none
        for j in range(8):
            mask = board_line(board, start + j, own)
            rest = mask & ~own
            found |= rest if (mask & other) == none and popcount(rest) == _TWO else none
        if found == none:
            continue
        for j in range(8):
            mask = board_line(board, start + j, own)
            rest = mask & ~own
            if (mask & other) != none or popcount(rest) != _TWO:
                continue
            met = once & rest
            if met == rest:
                # Overlapping lines may miss the same two cells: that is one threat, not two.
                known = False
                for i in range(count):
                    known = known or get(work, _pair_at(level, i, own), own) == rest
                if known:
                    continue
            twice |= met
            once |= rest
            put(work, _pair_at(level, count, own), rest)
            count += 1
    work[level + _COUNT] = count
    return once, twice


@njit(**NO_REFCOUNT)
def _set_children(work: Words, level: int, forced: CellSet) -> None:
    """Set the range of moves to try: two a pair, or the only one that fills `forced`."""
    # A forced cell is in one pair only: in two it would have been a double threat.
    work[level + _WAS_CUT] = 0
    work[level + _LAST] = 0
    work[level + _NEXT] = np.uint64(2) * work[level + _COUNT]
    if forced:
        place = 0
        while not get(work, _pair_at(level, place, forced), forced) & forced:
            place += 1
        pair = get(work, _pair_at(level, place, forced), forced)
        child = 2 * place + (1 if forced != lowest(pair) else 0)
        work[level + _LAST] = child
        work[level + _NEXT] = child + 1


@njit(**NO_REFCOUNT)
def _write_line(work: Words, first: int, stride: int, level: int, good: CellSet, line: Ints) -> int:
    """Write the moves up to `level`, a double threat, a block and the last stone."""
    # The line ends with the stone that is in two pairs, the answer in one and the win in the other.
    length = 0
    at = first
    while at < level:
        line[length] = work[at + _ATTACK]
        line[length + 1] = work[at + _ANSWER]
        length += 2
        at += stride
    bit = lowest(good)
    line[length] = trailing_zeros(bit)
    length += 1
    written = 0
    for i in range(signed(work[level + _COUNT])):
        pair = get(work, _pair_at(level, i, bit), bit)
        if pair & bit:
            line[length] = trailing_zeros(pair ^ bit)
            length += 1
            written += 1
            if written == 2:
                break
    return length


@njit(**NO_REFCOUNT)
def _slot(work: Words, own: CellSet, other: CellSet) -> int:
    """Return the offset of the memory entry of two sets of stones."""
    mixed = hash_of_two(hashed(own, HASH_1), hashed(other, HASH_2))
    index = signed(mixed & (work[0] - _ONE))
    return _MEMO_AT + (2 * words_in(own) + 1) * index


@njit(**NO_REFCOUNT)
def _failed_within(work: Words, slot: int, own: CellSet, other: CellSet) -> int:
    """Return the number of threats within which a position is known to fail, or 0."""
    size = words_in(own)
    if get(work, slot, own) == own and get(work, slot + size, own) == other:
        return signed(work[slot + 2 * size])
    return signed(0)


@njit(**NO_REFCOUNT)
def _remember(work: Words, level: int, own: CellSet, remaining: int) -> bool:
    """Store that a position fails, for good if no move was cut; return whether one was."""
    size = words_in(own)
    own, other = get(work, level + _OWN, own), get(work, level + _OWN + size, own)
    slot = _slot(work, own, other)
    put(work, slot, own)
    put(work, slot + size, other)
    was_cut = work[level + _WAS_CUT] != np.uint64(0)
    work[slot + 2 * size] = remaining if was_cut else FOREVER
    return bool(was_cut)


@njit(**NO_REFCOUNT)
def _begin(
    board: Words,
    work: Words,
    control: Longs,
    own: CellSet,
    other: CellSet,
    limit: int,
    line: Ints,
    first: int,
) -> int:
    """Solve a position that needs no search, or set the first level and return _OPEN."""
    none = nothing(own)
    # 1. A line completed now, or threats in two cells at a time.
    at_once = completions(board, own, other)
    if at_once:
        line[0] = trailing_zeros(at_once)
        return 1
    forced = completions(board, other, own) if board[3] else none
    if popcount(forced) > _ONE:
        return NONE
    # 2. The first position counts as a node, as all do whose pairs are listed.
    if control[STOP] or (control[NODE_LIMIT] and control[NODES] >= control[NODE_LIMIT]):
        return STOPPED
    control[NODES] += 1
    # 3. Its pairs, from all lines; a cell in two pairs is a double threat.
    work[first + _COUNT] = 0
    once, twice = _add_pairs(board, 0, signed(board[1]) >> 3, own, other, work, first, none, none)
    if once == none or (forced & ~once) != none:
        return NONE
    if limit < 1:
        return CUT
    good = twice & forced if forced else twice
    if good:
        return _write_line(work, first, 0, first, good, line)
    if limit == 1:
        return CUT
    # 4. Failed before, within as many threats?
    known = _failed_within(work, _slot(work, own, other), own, other)
    if known >= limit:
        return NONE if known == FOREVER else CUT
    put(work, first + _OWN, own)
    put(work, first + _OWN + words_in(own), other)
    _set_children(work, first, forced)
    return _OPEN


@njit(**NO_REFCOUNT)
def _inherit(
    board: Words,
    work: Words,
    level: int,
    child: int,
    own: CellSet,
    other: CellSet,
    pair: CellSet,
    attack_cell: int,
) -> tuple[CellSet, CellSet]:
    """List the pairs after an exchange on `pair`; return the cells in one, and in two of them."""
    # Pairs are inherited unless the exchange touches them; only lines through the new stone can add
    # any. So no position but the first is read as a whole.
    once = nothing(own)
    twice = nothing(own)
    count = 0
    for i in range(signed(work[level + _COUNT])):
        inherited = get(work, _pair_at(level, i, own), own)
        if not inherited & pair:
            twice |= once & inherited
            once |= inherited
            put(work, _pair_at(child, count, own), inherited)
            count += 1
    work[child + _COUNT] = count
    width = signed(board[2])
    at = signed(board[1]) + attack_cell * width
    return _add_pairs(board, at, width >> 3, own, other, work, child, once, twice)


@njit(**NO_REFCOUNT)
def find_win_bits(
    board: Words,
    work: Words,
    control: Longs,
    own: CellSet,
    other: CellSet,
    limit: int,
    line: Ints,
) -> int:
    """Search a forced win of the owner of `own`, who is to move."""
    # Depth first with a stack; `remaining` is the limit on threats from the present level on, and
    # `forced` the cell that the defender threatens there. Steps 1 to 4 are those of `_begin`.
    none = nothing(own)
    size = words_in(own)
    first = _MEMO_AT + (2 * size + 1) * signed(work[0])
    result = _begin(board, work, control, own, other, limit, line, first)
    if result != _OPEN:
        return result
    most = control[NODE_LIMIT] or signed(1) << 62
    nodes = control[NODES]
    stride = _OWN + size * (2 + signed(board[1]))
    both = bool(board[3])
    cells_at = signed(board[1])
    width = signed(board[2])
    blocks = width >> 3
    level = first
    remaining = signed(limit)
    forced = none
    result = NONE
    while True:
        # 5. Both cells of every pair were tried: the position fails and is stored, and the one
        #    above goes on. If the limit cut it, the one above is cut too.
        choice = signed(work[level + _NEXT])
        if choice == signed(work[level + _LAST]):
            was_cut = _remember(work, level, own, remaining)
            if level == first:
                result = CUT if was_cut else NONE
                break
            level -= stride
            remaining += 1
            work[level + _WAS_CUT] |= was_cut
            continue
        # 6. The next exchange: a stone on one cell of a pair, the answer on the other.
        choice -= 1
        work[level + _NEXT] = choice
        pair = get(work, _pair_at(level, choice >> 1, own), own)
        low = lowest(pair)
        attack = pair ^ low if choice & 1 else low
        answer = pair ^ attack
        attack_cell = trailing_zeros(attack)
        answer_cell = trailing_zeros(answer)
        own = get(work, level + _OWN, own) | attack
        other = get(work, level + _OWN + size, own) | answer
        nodes += 1
        if nodes > most or (nodes % _CHECK_EVERY == 0 and control[STOP]):
            nodes -= 1
            result = STOPPED
            break
        # 7. Only lines through the answer can threaten back, since an earlier threat would have
        #    been forced then; two such cells refute the move.
        if both:
            forced = _one_missing(board, cells_at + answer_cell * width, blocks, other, own)
            if popcount(forced) > _ONE:
                continue
        # 8. The pairs of the new position: without any, or with none on a forced cell, it fails.
        child = level + stride
        once, twice = _inherit(board, work, level, child, own, other, pair, attack_cell)
        if once == none or (forced & ~once) != none:
            continue
        # 9. A double threat wins; if a cell must be blocked, only one on that cell.
        good = twice & forced if forced else twice
        if good:
            work[level + _ATTACK] = attack_cell
            work[level + _ANSWER] = answer_cell
            result = _write_line(work, first, stride, child, good, line)
            break
        # 10. No deeper if the limit is reached or the memory has a failure; what the limit cuts is
        #     not stored as failing for good.
        if remaining == 2:
            work[level + _WAS_CUT] = 1
            continue
        known = _failed_within(work, _slot(work, own, other), own, other)
        if known >= remaining - 1:
            if known != FOREVER:
                work[level + _WAS_CUT] = 1
            continue
        # 11. One exchange deeper.
        work[level + _ATTACK] = attack_cell
        work[level + _ANSWER] = answer_cell
        put(work, child + _OWN, own)
        put(work, child + _OWN + size, other)
        _set_children(work, child, forced)
        level = child
        remaining -= 1
    control[NODES] = nodes
    return result
