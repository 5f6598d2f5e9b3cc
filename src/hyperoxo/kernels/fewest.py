"""Minimum size of a proof tree, in listed moves: iterative deepening on cost in an AND/OR tree.

A position in which the attacker must choose costs one more than the sum over the relevant replies,
for the move that makes this least; one where they must block costs no more than the sum; forced
wins cost nothing. Positions that are images of each other after one move count once, others that
are reached twice count twice. The search tests growing bounds on the cost; lower bounds and exact
costs go into a table. A reply after which the attacker must choose costs at least 1 (an admissible
heuristic), so most moves fail at once.

The table is that of `proof_table`: the proof number is a lower bound of the cost, the disproof
number 1 if the bound is exact, and 2 if the cost may be more.
"""

from __future__ import annotations

from typing import NamedTuple

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs, Words
from hyperoxo.kernels.cell_sets import (
    CellSet,
    get,
    lowest,
    nothing,
    put,
    signed,
    single,
    trailing_zeros,
    words_in,
)
from hyperoxo.kernels.control import NODES
from hyperoxo.kernels.proof_children import (
    Images,
    Search,
    _pack_row,
    _same,
    _unpack,
    canonical_words,
)
from hyperoxo.kernels.proof_moves import ABORTED, LOST, promising_moves, replies_of
from hyperoxo.kernels.proof_table import (
    MOST,
    NO_MOVE,
    best_of,
    disproof_of,
    fetch,
    log_of,
    pack,
    proof_of,
    store,
)
from hyperoxo.kernels.threat_bits import completions

STOPPED = -4
"""The limit on nodes ended the search."""

_EXACT, _OPEN = 1, 2
_UNSEEN, _BEGUN, _DEEPER = -1, -2, -3
_BOUND, _LOW, _PRICE, _LEAST, _CELL, _VALUE, _COUNT, _CHILD, _BEFORE = range(9)
FRAME = 9
SETS = 4


class Levels(NamedTuple):
    """The stack of a search, by level."""

    # frames ``[levels, FRAME]``: bound asked for, bound of this round, price of the move itself,
    # least lower bound seen, move in progress, sum of its replies' costs, number of its children,
    # child in progress, nodes before.
    frames: Longs
    # sets ``[levels * SETS * k]``: attacker, defender, all moves, moves left in this round.
    sets: Words
    # replies ``[levels * N * k]``, lows ``[levels * N]``: by move, the relevant replies and a lower
    # bound of what they cost.
    replies: Words
    lows: Longs
    # keys ``[levels * N * 2 k]``, costs ``[levels * N]``: children of the move in progress.
    keys: Words
    costs: Longs
    images: Images


@njit(**NO_REFCOUNT)
def _relevant_replies(
    search: Search, stack: Levels, level: int, own: CellSet, other: CellSet, cell: int
) -> int:
    """Find the relevant replies to a move; return a lower bound of their cost, or STOPPED."""
    board, images = search.field.board, stack.images
    own |= single(cell, own)
    status, replies = replies_of(search.field, own, other)
    if status == ABORTED:
        return STOPPED
    if status == LOST:
        return MOST
    put(stack.replies, (level * signed(board[0]) + cell) * words_in(own), replies)
    # 1. A surviving reply leaves no forced win, so the attacker must choose after it, at a cost of
    #    1; but replies that threaten leave a block, which costs nothing by itself.
    choices = 0
    rest = replies
    while rest:
        bit = lowest(rest)
        rest ^= bit
        choices += not completions(board, other | bit, own)
    if choices > 1:
        # 2. Equivalent children count once. Their replies are images under a symmetry of the
        #    attacker's stones, so a class has at most as many as these have symmetries.
        _unpack(own, nothing(own), signed(board[0]), images.owners[0])
        canonical_words(search.plan, images, 1)
        same = images.stabiliser[0]
        choices = (choices + same - 1) // same
    return choices


@njit(**NO_REFCOUNT)
def _list_children(
    search: Search, stack: Levels, level: int, own: CellSet, other: CellSet, cell: int
) -> tuple[int, int]:
    """List the positions after the replies to a move, with a lower bound of the cost of each."""
    # Returns their number and the sum. An exact cost c is written as -1 - c.
    board = search.field.board
    cells = signed(board[0])
    size = words_in(own)
    own |= single(cell, own)
    rest = get(stack.replies, (level * cells + cell) * size, own)
    # 1. The canonical child of each reply.
    count = 0
    while rest:
        bit = lowest(rest)
        rest ^= bit
        _unpack(own, other | bit, cells, stack.images.owners[count])
        count += 1
    canonical_words(search.plan, stack.images, count)
    begin = level * cells * 2 * size
    distinct, total = 0, 0
    for i in range(count):
        here = begin + 2 * size * distinct
        _pack_row(stack.images.forms[i], cells, stack.keys, here, own)
        known = False
        for j in range(distinct):
            known = known or _same(stack.keys, begin + 2 * size * j, here, own)
        if known:
            continue
        # 2. One of each class, with its bound from the table, or 1 unless the attacker must block.
        mine, theirs = get(stack.keys, here, own), get(stack.keys, here + size, own)
        numbers, _ = fetch(search.table, mine, theirs, -1)
        if numbers:
            low = proof_of(numbers)
            exact = disproof_of(numbers) == _EXACT
        else:
            low = 0 if completions(board, theirs, mine) else 1
            exact = False
        stack.costs[level * cells + distinct] = -1 - low if exact else low
        total = min(MOST, total + low)
        distinct += 1
    return distinct, total


@njit(**NO_REFCOUNT)
def _enter(
    search: Search, stack: Levels, level: int, own: CellSet, other: CellSet, bound: int, every: bool
) -> int:
    """Enter a position; return its cost if that needs no search, or _BEGUN."""
    size = words_in(own)
    # 1. The table's bound may be exact, or above what is allowed. Otherwise the first bound is the
    #    price of the move itself: 0 for a forced block, else 1.
    price = signed(0 if completions(search.field.board, other, own) else 1)
    numbers, moves = fetch(search.table, own, other, -1)
    low = price
    if numbers:
        low = proof_of(numbers)
        if not every and (disproof_of(numbers) == _EXACT or low > bound):
            return low
    else:
        status, moves = promising_moves(search.field, own, other)
        if status == ABORTED:
            return STOPPED
        if status == LOST:
            store(search.table, own, other, -1, pack(MOST, _EXACT, NO_MOVE, 0, 0), moves)
            return MOST
    if every:
        low = bound
    if low > bound:
        return low
    # 2. Set up the level: no move has a bound yet, so try all.
    at = level * signed(search.field.board[0])
    rest = moves
    while rest:
        stack.lows[at + trailing_zeros(rest)] = _UNSEEN
        rest ^= lowest(rest)
    sets = level * SETS * size
    put(stack.sets, sets, own)
    put(stack.sets, sets + size, other)
    put(stack.sets, sets + 2 * size, moves)
    put(stack.sets, sets + 3 * size, moves)
    frame = stack.frames[level]
    frame[_BOUND] = bound
    frame[_LOW] = low
    frame[_PRICE] = price
    frame[_LEAST] = MOST
    frame[_CELL] = -1
    frame[_BEFORE] = search.field.control[NODES]
    return _BEGUN


@njit(**NO_REFCOUNT)
def _proceed(search: Search, stack: Levels, level: int, like: CellSet, every: bool) -> int:
    """Search a position until it has a cost, or until one after a reply must be searched."""
    # Bounds grow; each fails for all moves or succeeds for one.
    # It is resumed after every reply: the frame has the bound of this round, the move whose replies
    # are being searched (-1 for none), and the sum of their costs so far.
    size = words_in(like)
    frame = stack.frames[level]
    at = level * signed(search.field.board[0])
    sets = level * SETS * size
    own, other = get(stack.sets, sets, like), get(stack.sets, sets + size, like)
    moves = get(stack.sets, sets + 2 * size, like)
    low, price = signed(frame[_LOW]), signed(frame[_PRICE])
    while True:
        most = low - price
        rest = get(stack.sets, sets + 3 * size, like)
        while rest:
            # 1. The next move, from its lower bound, or the one whose replies are being searched.
            cell = trailing_zeros(rest)
            if frame[_CELL] < 0:
                value = stack.lows[at + cell]
                if value == _UNSEEN:
                    value = _relevant_replies(search, stack, level, own, other, cell)
                    if value == STOPPED:
                        return STOPPED
                if value <= most:
                    count, value = _list_children(search, stack, level, own, other, cell)
                    frame[_COUNT] = count
            else:
                value = frame[_VALUE]
                count = frame[_COUNT]
            frame[_CELL] = -1
            if value <= most:
                # 2. A reply without an exact cost, the dearest first, gets what the others leave of
                #    the bound. Exact ones are negative, so they are never chosen.
                worst, child = signed(-1), signed(-1)
                for i in range(count):
                    if stack.costs[at + i] > worst:
                        worst, child = stack.costs[at + i], signed(i)
                if child >= 0:
                    frame[_LOW] = low
                    frame[_CELL] = cell
                    frame[_VALUE] = value
                    frame[_CHILD] = child
                    put(stack.sets, sets + 3 * size, rest)
                    return _DEEPER
            # 3. All replies have exact costs within the bound: the move costs no more than this
            #    round allows, and all rounds before failed, so the cost is exact.
            stack.lows[at + cell] = value
            if value <= most and not every:
                work = log_of(search.field.control[NODES] - frame[_BEFORE])
                store(search.table, own, other, -1, pack(low, _EXACT, cell, work, 0), moves)
                return low
            frame[_LEAST] = min(frame[_LEAST], value)
            rest ^= lowest(rest)
        # 4. No move is within the bound. The next round begins at the least that any was seen to
        #    cost, which skips bounds that must fail.
        low = min(MOST, max(low + 1, signed(frame[_LEAST]) + price))
        if every or low > frame[_BOUND]:
            break
        frame[_LEAST] = MOST
        put(stack.sets, sets + 3 * size, moves)
    if not every:
        work = log_of(search.field.control[NODES] - frame[_BEFORE])
        store(search.table, own, other, -1, pack(low, _OPEN, NO_MOVE, work, 0), moves)
    return low


@njit(**NO_REFCOUNT)
def cost_within(
    search: Search, stack: Levels, own: CellSet, other: CellSet, bound: int, every: bool
) -> int:
    """Return the cost of a canonical position without a forced win, if it is at most `bound`.

    A result above `bound` is a lower bound; STOPPED at the limit on nodes. With `every` all moves
    are searched, up to a cost of `bound` with the move itself: ``stack.lows`` then has the cost of
    the replies to each, or a lower bound above that.
    """
    cells = signed(search.field.board[0])
    size = words_in(own)
    level = 0
    answer = _enter(search, stack, level, own, other, bound, every)
    while True:
        if answer == _BEGUN:
            answer = _proceed(search, stack, level, own, every and level == 0)
        if answer == STOPPED:
            return STOPPED
        # 1. Down to a reply, with what the bound leaves for it beside the costs of its siblings.
        if answer == _DEEPER:
            frame = stack.frames[level]
            here = 2 * size * (level * cells + frame[_CHILD])
            worst = stack.costs[level * cells + frame[_CHILD]]
            left = frame[_LOW] - frame[_PRICE] - frame[_VALUE] + worst
            level += 1
            mine, yours = get(stack.keys, here, own), get(stack.keys, here + size, own)
            answer = _enter(search, stack, level, mine, yours, left, False)
            continue
        if level == 0:
            return answer
        # 2. Up: the new cost replaces the old bound in the sum. It is marked as exact even if it is
        #    only a bound, for the sum then exceeds the limit and the move is given up anyway.
        level -= 1
        frame = stack.frames[level]
        place = level * cells + frame[_CHILD]
        frame[_VALUE] = min(MOST, frame[_VALUE] + answer - stack.costs[place])
        stack.costs[place] = -1 - answer
        answer = signed(_BEGUN)


@njit(**NO_REFCOUNT)
def move_known(table: Words, own: CellSet, other: CellSet) -> tuple[int, int]:
    """Return the exact cost of a position from the table and its move, or MOST and NO_MOVE."""
    numbers, _ = fetch(table, own, other, -1)
    if numbers and disproof_of(numbers) == _EXACT:
        return proof_of(numbers), best_of(numbers)
    return MOST, NO_MOVE
