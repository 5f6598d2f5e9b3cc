"""Depth-first proof-number search (df-pn) for a win of one player, over canonical positions.

The attacker must win; a draw is as good as a win for the defender. Positions where the attacker
moves are OR nodes, the others AND nodes; a proof and a disproof number bound the effort to solve
each (Allis 1994, Nagai 2002; thresholds enlarged by a factor after Pawlewicz and Lew 2007).
Forced wins by threats solve positions ahead of the search, and `proof_moves` filters the moves.
Threads share one transposition table and avoid each other's paths by virtual loss.

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

# Reading order: `threat_bits` (forced wins), `proof_moves` (moves worth searching),
# `proof_children` (canonical children), `proof_table` (transposition table), this module.
#
# Stones are only added, so the graph of positions has no cycles and df-pn needs no remedy for
# graph-history interaction. It does have transpositions: sums count a descendant once for each
# path to it, which overestimates numbers and costs time, but never makes a proof wrong.

AND_NODES, OR_NODES, ROOT_PROOF, ROOT_DISPROOF, ENTRIES, NODE_LIMIT, LEVELS, VISITS = range(8)

_KIND, _PROOF_LIMIT, _DISPROOF_LIMIT, _COUNT, _CHOICE, _BEGAN, _QUIET, _HINT = range(8)
_UNKNOWN, _STOPPED = -1, -1
"""In place of the proof number of an unvisited child, and of a number of threads."""
# The table's best move counts as this many times easier than it is, so that the search does not
# leave a move that worked before for one that only looks as good.
_FAVOUR = 8


class Stack(NamedTuple):
    """One thread's view of a search, by level."""

    frames: Longs
    """``[levels, 8]``: the kind of node, thresholds of its proof and disproof number, the number of
    children and the one being searched, AND nodes opened before, quiet moves left, the best move
    known."""
    keys: Words
    """``[levels * (3 + 2 N) * k]``: sets of attacker, defender, moves, and those of each child."""
    numbers: Longs
    """``[levels, 4 N]``: proof and disproof number of each child, its cell, quiet moves left."""
    state: Longs
    """``[8]``: AND and OR nodes opened, root numbers, table entries filled, limit on AND nodes,
    deepest level, nodes entered."""
    images: Images
    scores: Floats


class Choice(NamedTuple):
    """The most-proving child, and the minimum and sum of the children's numbers.

    `mine` is the number that is a minimum over children (proof at an OR node, disproof at an AND
    node), `yours` the one that is a sum.
    """

    child: int
    least: Number
    """`mine` of the child as it counts for the choice: smaller for the table's best move."""
    second: Number
    """The least of all other children, the second-best number."""
    smallest: Number
    """The least `mine` of all."""
    total: Number
    """The sum of `yours`."""


@njit(**NO_REFCOUNT)
def _left(limit: Number, total: Number, number: Number) -> Number:
    """Return the threshold of one child under a threshold of the sum over all."""
    if limit == SOLVED:
        return limit
    # The siblings keep their part of the sum; the child has the rest, and always room to grow.
    return max(limit - total + number, number + 1)


@njit(**NO_REFCOUNT)
def _enter(
    search: Search, stack: Stack, level: int, here: int, own: CellSet, other: CellSet
) -> int:
    """List moves and children of a node met on the way down; return its status."""
    field, frame, state = search.field, stack.frames[level], stack.state
    kind, left = frame[_KIND], frame[_QUIET]
    size = words_in(own)
    status = OPEN
    # 1. Its moves, from the table if it has them, from the threats of both sides otherwise; these
    #    may solve it. An empty set in the table belongs to a node that its threats solve.
    frame[_BEGAN] = state[AND_NODES]
    state[VISITS] += 1
    state[LEVELS] = max(state[LEVELS], level)
    entry, moves = fetch(search.table, own, other, left)
    frame[_HINT] = best_of(entry) if entry else NO_MOVE
    if not moves:
        if kind == OR:
            state[OR_NODES] += 1
            status, moves = moves_of(field, own, other, level == 0)
            # With no quiet move left the attacker has threats and forced blocks only; a node
            # without these is lost within the limit, and the limit is part of its key.
            if status == OPEN and left == 0:
                moves = threats_only(field.board, own, other, moves)
                status = OPEN if moves else LOST
        else:
            state[AND_NODES] += 1
            status, moves = replies_of(field, own, other)
    if status == ABORTED:
        return ABORTED
    # 2. Its children, one of each class, as unvisited leaves (1, 1). Those of an OR node are
    #    evaluated by `_refresh`, before the first choice among them.
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
    """Update a child's numbers from the table; return the threads below it, or _STOPPED."""
    # Other threads may have been there, and a child may be reached by several paths.
    entry, moves = fetch(search.table, own, other, child[3])
    if entry:
        child[0], child[1] = proof_of(entry), disproof_of(entry)
        return busy_of(entry)
    if child[0] == _UNKNOWN:
        # A new AND node starts from its number of replies (mobility initialisation), which tells
        # more than 1 and comes with the filter that its expansion needs anyway: the moves are
        # stored, and `_enter` finds them.
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
    """Find the most-proving child; return first whether a limit ended the search."""
    frame = stack.frames[level]
    mine_at = 0 if frame[_KIND] == OR else 1
    size = words_in(like)
    best = -1
    second = np.int64(SOLVED)
    least = np.int64(SOLVED) + 1
    seen = np.int64(SOLVED) + 1
    total = np.int64(0)
    smallest = np.int64(SOLVED)
    # `apparent` decides the choice, `weight` (without the other threads) the thresholds, and `mine`
    # the node's own number: neither favour nor virtual loss may leak into stored numbers.
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
        # 1. One solved child solves the node; the rest need no look.
        if mine == 0:
            return False, Choice(i, least, second, mine, total)
        # 2. Minimum and sum. A child solved against the mover has infinity and 0, so it neither
        #    lowers the minimum nor adds to the sum; finite sums stop below infinity.
        total = min(total + yours, np.int64(SOLVED if yours == SOLVED else MOST))
        smallest = min(smallest, mine)
        weight = mine
        if mine < SOLVED and frame[_KIND] == OR and child[2] == frame[_HINT]:
            weight = max(1, mine // _FAVOUR)
        # 3. Virtual loss: a child that other threads are below looks harder than it is.
        apparent = weight
        if mine < SOLVED:
            apparent = min(weight * (1 + busy) + busy, np.int64(MOST))
        # 4. The least, and the second least, which limits the search of the least.
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
    """Return a node's proof and disproof number: minimum and sum of the children's."""
    if status != OPEN:
        return (0, SOLVED) if status == WON else (SOLVED, 0)
    # Zero and infinity come in pairs: solved for the mover, or all children solved against them.
    mine, yours = choice.smallest, min(np.int64(choice.total), np.int64(MOST))
    if mine == 0:
        yours = np.int64(SOLVED)
    elif mine == SOLVED:
        yours = np.int64(0)
    return (mine, yours) if kind == OR else (yours, mine)


@njit(**NO_REFCOUNT)
def _descend(search: Search, stack: Stack, level: int, choice: Choice) -> None:
    """Set the thresholds of the most-proving child."""
    # It is searched until its number is (1 + epsilon) times the second best, or until this node
    # reaches its own threshold.
    frame, child = stack.frames[level], stack.frames[level + 1]
    numbers = stack.numbers[level, 4 * choice.child : 4 * choice.child + 4]
    is_or = frame[_KIND] == OR
    frame[_CHOICE] = choice.child
    # The factor keeps df-pn from switching between two children of nearly equal numbers, whose
    # subtrees would push each other out of the table. If another thread is busy with the best
    # child, this is another one, with `least` above `second`.
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
    """Search for a win of the attacker, who owns `root_own`: WON, LOST or ABORTED."""
    frames, keys, numbers, state = stack.frames, stack.keys, stack.numbers, stack.state
    control, table = search.field.control, search.table
    size = words_in(root_own)
    # Level k has its sets in `keys` from k * stride on, `size` words each: attacker, defender,
    # moves, then attacker and defender of each child.
    stride = (FIRST_CHILD + 2 * signed(search.field.board[0])) * size
    level = 0
    # The root has infinite thresholds: it is left only when it is solved.
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
        # 1. A node met on the way down may be solved by threats. One met on the way up keeps its
        #    children, with the numbers of the child just left (step 4).
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
        # 3. Not solved, and below both thresholds: down to the most-proving child, which is marked
        #    in the table, so that other threads take another path.
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
        # 4. The numbers go into the table, and up. The entry counts no thread below: this one
        #    leaves, and a mark of another thread that is lost costs only some repeated work.
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
        # 5. Only here may a limit end the search, for now every number is in the table.
        if control[STOP] or (state[NODE_LIMIT] and state[AND_NODES] >= state[NODE_LIMIT]):
            break
    # 6. An interrupted search leaves the nodes on its path as they were, but not marked.
    for i in range(1, level + 1):
        own, other = get(keys, i * stride, root_own), get(keys, i * stride + size, root_own)
        mark(table, own, other, frames[i, _QUIET], -1)
    return result
