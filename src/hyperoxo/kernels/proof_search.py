"""Depth-first proof-number search (df-pn) for a win of one player, over canonical positions.

The attacker must win; a draw is as good as a win for the defender. Positions where the attacker
moves are or-nodes, the others and-nodes; two numbers bound the effort to prove and to disprove
each (Allis 1994, Nagai 2002; thresholds enlarged by a factor after Pawlewicz and Lew 2007).
Forced wins by threats decide positions ahead of the search, and `proof_moves` tells which moves
matter. Threads share one table and keep away from each other's paths.

The attacker's moves may be cut to the most promising ones: then a proof is still a proof, while
a disproof says only that these moves do not win.

A set of cells takes k words (`cell_sets`); the arrays are allocated by the caller: those of
`Search`, whose table threads share as `proof_table` describes, and a `Stack` of each thread.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Floats, Longs, Words
from hyperoxo.kernels.cell_sets import CellSet, get, popcount, put, signed, words_in
from hyperoxo.kernels.control import STOP
from hyperoxo.kernels.proof_children import AND, FIRST_CHILD, OR, Images, Search, expand
from hyperoxo.kernels.proof_moves import (
    ABORTED,
    LOST,
    OPEN,
    WON,
    moves_of,
    replies_of,
    threats_only,
)
from hyperoxo.kernels.proof_table import (
    MOST,
    NO_MOVE,
    SOLVED,
    Number,
    best_of,
    busy_of,
    disproof_of,
    fetch,
    log_of,
    mark,
    pack,
    proof_of,
    store,
)

AND_NODES, OR_NODES, ROOT_PROOF, ROOT_DISPROOF, ENTRIES, NODE_LIMIT, LEVELS, VISITS = range(8)

_KIND, _PROOF_LIMIT, _DISPROOF_LIMIT, _COUNT, _CHOICE, _BEGAN, _QUIET, _HINT = range(8)
_UNKNOWN, _STOPPED = -1, -1
"""Instead of the proof number of a child that was not looked at, and of a number of threads."""
_FAVOUR = 8


class Stack(NamedTuple):
    """One thread's view of a search, by level."""

    frames: Longs
    """``[levels, 8]``: the kind of position, limits on its proof and disproof number, the number of
    children and the one being searched, and-nodes opened before, quiet moves left, the best move
    known."""
    keys: Words
    """``[levels * (3 + 2 N) * k]``: sets of attacker, defender, moves, and those of each child."""
    numbers: Longs
    """``[levels, 4 N]``: proof and disproof number of each child, its cell, quiet moves left."""
    state: Longs
    """``[8]``: and-nodes and or-nodes opened, root numbers, table entries filled, limit on nodes,
    deepest level, revisits."""
    images: Images
    scores: Floats


class Choice(NamedTuple):
    """The most promising child, and what the children's numbers amount to.

    `mine` of a number pair is the one that a single child settles (proof at an or-node), `yours`
    the one that all add up to.
    """

    child: int
    least: Number
    """Proof number of the child for the choice: `mine`, made smaller for a favoured move."""
    second: Number
    """The least that any other counts as."""
    smallest: Number
    """The least `mine` of all."""
    total: Number
    """The sum of `yours`."""


@njit(**NO_REFCOUNT)
def _left(limit: Number, total: Number, number: Number) -> Number:
    """Return the limit of one child under a limit on the sum over all."""
    if limit == SOLVED:
        return limit
    return max(limit - total + number, number + 1)


@njit(**NO_REFCOUNT)
def _enter(
    search: Search, stack: Stack, level: int, here: int, own: CellSet, other: CellSet
) -> int:
    """List moves and children of a position met on the way down; return what decides it."""
    field, frame, state = search.field, stack.frames[level], stack.state
    kind, left = frame[_KIND], frame[_QUIET]
    size = words_in(own)
    status = OPEN
    # 1. Its moves, from the table if it has them, from the threats of both sides otherwise; these
    #    may decide it.
    frame[_BEGAN] = state[AND_NODES]
    state[VISITS] += 1
    state[LEVELS] = max(state[LEVELS], level)
    entry, moves = fetch(search.table, own, other, left)
    frame[_HINT] = best_of(entry) if entry else NO_MOVE
    if not moves:
        if kind == OR:
            state[OR_NODES] += 1
            status, moves = moves_of(field, own, other, level == 0)
            if status == OPEN and left == 0:
                moves = threats_only(field.board, own, other, moves)
                status = OPEN if moves else LOST
        else:
            state[AND_NODES] += 1
            status, moves = replies_of(field, own, other)
    if status == ABORTED:
        return ABORTED
    # 2. Its children, each class once, with the least numbers there are; those of an or-node are
    #    looked at when a choice is made.
    put(stack.keys, here + 2 * size, moves)
    frame[_COUNT] = 0
    if status == OPEN:
        numbers = stack.numbers[level]
        frame[_COUNT] = expand(
            search, stack.images, stack.scores, stack.keys, here + FIRST_CHILD * size, own, other,
            numbers, kind, moves, left, frame[_HINT],
        )  # fmt: skip
        for i in range(frame[_COUNT]):
            numbers[4 * i] = 1 if kind == AND else _UNKNOWN
            numbers[4 * i + 1] = 1
    return status


@njit(**NO_REFCOUNT)
def _refresh(search: Search, stack: Stack, own: CellSet, other: CellSet, child: Longs) -> int:
    """Bring a child's numbers up to date; return how many threads are below it, or _STOPPED.

    Other threads may have been there, and a child may be reached by several paths.
    """
    entry, moves = fetch(search.table, own, other, child[3])
    if entry:
        child[0], child[1] = proof_of(entry), disproof_of(entry)
        return busy_of(entry)
    if child[0] == _UNKNOWN:
        # The numbers of a new and-node are worth knowing before the choice.
        stack.state[AND_NODES] += 1
        found, moves = replies_of(search.field, own, other)
        if found == ABORTED:
            return _STOPPED
        child[0], child[1] = np.int64(popcount(moves)), 1
        if found != OPEN:
            child[0], child[1] = (0, SOLVED) if found == WON else (SOLVED, 0)
        numbers = pack(child[0], child[1], NO_MOVE, 1, 0)
        stack.state[ENTRIES] += store(search.table, own, other, child[3], numbers, moves)
    return 0


@njit(**NO_REFCOUNT)
def _choose(
    search: Search, stack: Stack, level: int, children: int, like: CellSet
) -> tuple[bool, Choice]:
    """Find the most promising child; return also whether a limit came first."""
    frame = stack.frames[level]
    mine_at = 0 if frame[_KIND] == OR else 1
    size = words_in(like)
    best = -1
    second = np.int64(SOLVED)
    least = np.int64(SOLVED) + 1
    seen = np.int64(SOLVED) + 1
    total = np.int64(0)
    smallest = np.int64(SOLVED)
    for i in range(frame[_COUNT]):
        child = stack.numbers[level, 4 * i : 4 * i + 4]
        busy = 0
        if child[0] != 0 and child[1] != 0:
            place = children + 2 * size * i
            own, other = get(stack.keys, place, like), get(stack.keys, place + size, like)
            busy = _refresh(search, stack, own, other, child)
            if busy == _STOPPED:
                return True, Choice(best, least, second, smallest, total)
        mine, yours = child[mine_at], child[1 - mine_at]
        if mine == 0:
            return False, Choice(i, least, second, mine, total)
        total = min(total + yours, np.int64(SOLVED if yours == SOLVED else MOST))
        smallest = min(smallest, mine)
        weight = mine
        if mine < SOLVED and frame[_KIND] == OR and child[2] == frame[_HINT]:
            weight = max(1, mine // _FAVOUR)
        # A path that another thread is on looks longer than it is.
        apparent = weight
        if mine < SOLVED:
            apparent = min(weight * (1 + busy) + busy, np.int64(MOST))
        if apparent < seen:
            if best >= 0:
                second = min(second, least)
            seen = apparent
            least = weight
            best = i
        else:
            second = min(second, weight)
    return False, Choice(best, least, second, smallest, total)


@njit(**NO_REFCOUNT)
def _numbers_of(kind: int, status: int, choice: Choice) -> tuple[Number, Number]:
    """Return a position's proof and disproof number: the least of the children's, and the sum."""
    if status != OPEN:
        return (0, SOLVED) if status == WON else (SOLVED, 0)
    mine, yours = choice.smallest, min(np.int64(choice.total), np.int64(MOST))
    if mine == 0:
        yours = np.int64(SOLVED)
    elif mine == SOLVED:
        yours = np.int64(0)
    return (mine, yours) if kind == OR else (yours, mine)


@njit(**NO_REFCOUNT)
def _descend(search: Search, stack: Stack, level: int, choice: Choice) -> None:
    """Set limits for the most promising child, so that it is searched for as long as it stays so.

    That is until its number is (1 + epsilon) times the second best, or this position's own limits
    are reached.
    """
    frame, child = stack.frames[level], stack.frames[level + 1]
    numbers = stack.numbers[level, 4 * choice.child : 4 * choice.child + 4]
    is_or = frame[_KIND] == OR
    frame[_CHOICE] = choice.child
    # A child that is not the best one, which another thread is busy with, gets its own share.
    further = float(max(choice.second, choice.least)) * (1.0 + search.epsilon) + 1.0
    if is_or and numbers[2] == frame[_HINT]:
        further *= _FAVOUR
    rival = np.int64(min(float(SOLVED), further))
    mine, yours = (0, 1) if is_or else (1, 0)
    least = numbers[mine] + 1
    child[_PROOF_LIMIT + mine] = max(min(frame[_PROOF_LIMIT + mine], rival), least)
    limit = frame[_PROOF_LIMIT + yours]
    child[_PROOF_LIMIT + yours] = _left(limit, choice.total, numbers[yours])
    child[_KIND] = AND if is_or else OR
    child[_QUIET] = numbers[3]


@njit(**NO_REFCOUNT)
def search_proof(
    search: Search,
    stack: Stack,
    root_own: CellSet,
    root_other: CellSet,
    attacker_moves: bool,
    quiet: int,
) -> int:
    """Search for a win of the attacker, who owns `root_own`."""
    frames, keys, numbers, state = stack.frames, stack.keys, stack.numbers, stack.state
    control, table = search.field.control, search.table
    size = words_in(root_own)
    stride = (FIRST_CHILD + 2 * signed(search.field.board[0])) * size
    level = 0
    frames[0, _KIND] = OR if attacker_moves else AND
    frames[0, _PROOF_LIMIT] = SOLVED
    frames[0, _DISPROOF_LIMIT] = SOLVED
    frames[0, _QUIET] = quiet
    put(keys, 0, root_own)
    put(keys, size, root_other)
    entering = True
    result = ABORTED
    while True:
        here = level * stride
        own, other = get(keys, here, root_own), get(keys, here + size, root_own)
        # 1. A position met on the way down may be decided by threats.
        status = OPEN
        if entering:
            status = _enter(search, stack, level, here, own, other)
            if status == ABORTED:
                break
            entering = False
        # 2. The children's numbers, and its own.
        stopped, choice = _choose(search, stack, level, here + FIRST_CHILD * size, root_own)
        if stopped:
            break
        proof, disproof = _numbers_of(frames[level, _KIND], status, choice)
        if level == 0:
            state[ROOT_PROOF] = proof
            state[ROOT_DISPROOF] = disproof
        # 3. Not solved, and within its limits: down to the most promising child, which is marked in
        #    the table, so that other threads take another path.
        if (
            0 < proof < frames[level, _PROOF_LIMIT]
            and 0 < disproof < frames[level, _DISPROOF_LIMIT]
        ):
            _descend(search, stack, level, choice)
            place = here + (FIRST_CHILD + 2 * choice.child) * size
            own, other = get(keys, place, root_own), get(keys, place + size, root_own)
            put(keys, here + stride, own)
            put(keys, here + stride + size, other)
            level += 1
            mark(table, own, other, frames[level, _QUIET], 1)
            entering = True
            continue
        # 4. The numbers go into the table, and up.
        effort = log_of(state[AND_NODES] - frames[level, _BEGAN] + 2)
        move = frames[level, _HINT]
        if status == OPEN and choice.smallest == 0:
            move = numbers[level, 4 * choice.child + 2]
        state[ENTRIES] += store(
            table, own, other, frames[level, _QUIET], pack(proof, disproof, move, effort, 0),
            get(keys, here + 2 * size, own),
        )  # fmt: skip
        if level == 0:
            result = WON if proof == 0 else (LOST if disproof == 0 else ABORTED)
            break
        level -= 1
        at = 4 * frames[level, _CHOICE]
        numbers[level, at] = proof
        numbers[level, at + 1] = disproof
        # Only here may a limit end the search, for now every number is in the table.
        if control[STOP] or (state[NODE_LIMIT] and state[AND_NODES] >= state[NODE_LIMIT]):
            break
    # An interrupted search leaves the positions on its path as they were, but not marked.
    for i in range(1, level + 1):
        own, other = get(keys, i * stride, root_own), get(keys, i * stride + size, root_own)
        mark(table, own, other, frames[i, _QUIET], -1)
    return result
