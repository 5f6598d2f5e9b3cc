"""Depth-first proof-number search (df-pn) for a win of one player, over canonical positions.

The attacker must win; a draw is as good as a win for the defender. Positions where the attacker
moves are or-nodes, the others and-nodes; two numbers bound the effort to prove and to disprove
each (Allis 1994, Nagai 2002; thresholds enlarged by a factor after Pawlewicz and Lew 2007).
Forced wins by threats decide positions ahead of the search, and `proof_moves` tells which moves
matter. Threads share one table and keep away from each other's paths.

The attacker's moves may be cut to the most promising ones: then a proof is still a proof, while
a disproof says only that these moves do not win.

Arrays, all allocated by the caller, where a set of cells takes k words (`cell_sets`):

``board``, ``work`` (uint64)
    as `threat_bits` takes them; ``work`` is a thread's own.
``rules`` (uint64 ``[2 + 2 k]``)
    the number of opening moves of player 1, whether player 1 is the attacker, the playable
    cells, and the cells allowed in those moves.
``plan``
    the arrays of `canonical_plan` in a tuple, for the symmetries used.
``table`` (uint64 ``[E * (3 + k)]``)
    shared, as `proof_table` describes.
``frames`` (int64 ``[levels, 8]``), ``keys`` (uint64 ``[levels * (3 + 2 N) * k]``),
``numbers`` (int64 ``[levels, 4 N]``), ``line`` (int32 ``[2 (N + 2)]``)
    a thread's own stack.
``control`` (int64 ``[4]``)
    threat nodes, their limit and the stop flag of one thread, as in `threat_bits`, and the limit
    on those of one forced win, as in `proof_moves`.
``state`` (int64 ``[8]``)
    one thread's view: and-nodes and or-nodes opened, root numbers, table entries filled,
    limit on nodes, deepest level, revisits.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Floats, Ints, Longs, Words
from hyperoxo.kernels.cell_sets import CellSet, get, popcount, put, signed, words_in
from hyperoxo.kernels.control import STOP
from hyperoxo.kernels.proof_children import AND, FIRST_CHILD, OR, Plan, expand
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
_UNKNOWN = -1
"""Instead of the proof number of a child that was not looked at."""
_FAVOUR = 8
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@njit(**NO_REFCOUNT)
def _left(limit: Number, total: Number, number: Number) -> Number:
    """Return the limit of one child under a limit on the sum over all."""
    if limit == SOLVED:
        return limit
    return max(limit - total + number, number + 1)


@njit(nogil=True)
def search_proof(
    board: Words,
    work: Words,
    control: Longs,
    plan: Plan,
    table: Words,
    rules: Words,
    root_own: CellSet,
    root_other: CellSet,
    attacker_moves: bool,
    weights: Floats,
    width: int,
    epsilon: float,
    quiet: int,
    frames: Longs,
    keys: Words,
    numbers: Longs,
    line: Ints,
    state: Longs,
) -> int:
    """Search for a win of the attacker, who owns `root_own`."""
    cells = signed(board[0])
    scores = np.empty(cells, np.float64)
    owners = np.empty((cells, cells), np.uint8)
    forms = np.empty((cells, cells), np.uint8)
    index = np.empty(cells, np.int64)
    stabiliser = np.empty(cells, np.int64)
    size = words_in(root_own)
    stride = (FIRST_CHILD + 2 * cells) * size
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
        kind = frames[level, _KIND]
        here = level * stride
        children = here + FIRST_CHILD * size
        own, other = get(keys, here, root_own), get(keys, here + size, root_own)
        status = OPEN
        if entering:
            # 1. A position met on the way down: its moves, from the table if it has them, from
            #    the threats of both sides otherwise; these may decide it.
            frames[level, _BEGAN] = state[AND_NODES]
            state[VISITS] += 1
            state[LEVELS] = max(state[LEVELS], level)
            left = frames[level, _QUIET]
            entry, moves = fetch(table, own, other, left)
            frames[level, _HINT] = best_of(entry) if entry else NO_MOVE
            if not moves:
                if kind == OR:
                    state[OR_NODES] += 1
                    status, moves = moves_of(
                        board, work, control, rules, own, other, level == 0, line
                    )
                    if status == OPEN and left == 0:
                        moves = threats_only(board, own, other, moves)
                        status = OPEN if moves else LOST
                else:
                    state[AND_NODES] += 1
                    status, moves = replies_of(board, work, control, rules, own, other, line)
            if status == ABORTED:
                break
            # 2. Its children, each class once, with the least numbers there are; those of an
            #    or-node are looked at when a choice is made.
            put(keys, here + 2 * size, moves)
            frames[level, _COUNT] = 0
            if status == OPEN:
                frames[level, _COUNT] = expand(
                    board,
                    plan,
                    keys,
                    children,
                    own,
                    other,
                    numbers[level],
                    kind,
                    moves,
                    weights,
                    width,
                    scores,
                    owners,
                    forms,
                    index,
                    stabiliser,
                    left,
                    frames[level, _HINT],
                )
                for i in range(frames[level, _COUNT]):
                    numbers[level, 4 * i] = 1 if kind == AND else _UNKNOWN
                    numbers[level, 4 * i + 1] = 1
            entering = False
        # 3. The children's numbers, as the table has them by now: other threads may have been
        #    there, and a child may be reached by several paths. Mine is the number that one child
        #    settles (proof at an or-node), yours the one that all of them add up to.
        count = frames[level, _COUNT]
        best = -1
        second = np.int64(SOLVED)
        least = np.int64(SOLVED) + 1
        seen = np.int64(SOLVED) + 1
        total = np.int64(0)
        smallest = np.int64(SOLVED)
        solved_move = NO_MOVE
        hint = frames[level, _HINT]
        if status == OPEN:
            for i in range(count):
                place = children + 2 * size * i
                child_own, child_other = get(keys, place, own), get(keys, place + size, own)
                proof, disproof = numbers[level, 4 * i], numbers[level, 4 * i + 1]
                busy = 0
                if proof != 0 and disproof != 0:
                    left = numbers[level, 4 * i + 3]
                    entry, moves = fetch(table, child_own, child_other, left)
                    if entry == _ZERO and proof == _UNKNOWN:
                        # The numbers of a new and-node are worth knowing before the choice.
                        state[AND_NODES] += 1
                        found, moves = replies_of(
                            board, work, control, rules, child_own, child_other, line
                        )
                        if found == ABORTED:
                            status = ABORTED
                            break
                        proof = (
                            np.int64(popcount(moves))
                            if found == OPEN
                            else (0 if found == WON else SOLVED)
                        )
                        disproof = 1 if found == OPEN else (SOLVED if found == WON else 0)
                        state[ENTRIES] += store(
                            table,
                            child_own,
                            child_other,
                            left,
                            pack(proof, disproof, NO_MOVE, 1, 0),
                            moves,
                        )
                    elif entry != _ZERO:
                        proof, disproof = proof_of(entry), disproof_of(entry)
                        busy = busy_of(entry)
                    numbers[level, 4 * i] = proof
                    numbers[level, 4 * i + 1] = disproof
                if kind == OR:
                    mine, yours = proof, disproof
                else:
                    mine, yours = disproof, proof
                if mine == 0:
                    smallest = np.int64(0)
                    solved_move = numbers[level, 4 * i + 2]
                    best = i
                    break
                total = (
                    min(total + yours, np.int64(SOLVED))
                    if yours == SOLVED
                    else min(total + yours, np.int64(MOST))
                )
                smallest = min(smallest, mine)
                weight = mine
                if mine < SOLVED and kind == OR and numbers[level, 4 * i + 2] == hint:
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
        if status == ABORTED:
            break
        # 4. The position's own numbers: the least of the children's, and the sum.
        if status == WON:
            proof, disproof = np.int64(0), np.int64(SOLVED)
        elif status == LOST:
            proof, disproof = np.int64(SOLVED), np.int64(0)
        elif smallest == 0:
            proof, disproof = (
                (np.int64(0), np.int64(SOLVED)) if kind == OR else (np.int64(SOLVED), np.int64(0))
            )
        elif smallest == SOLVED:
            proof, disproof = (
                (np.int64(SOLVED), np.int64(0)) if kind == OR else (np.int64(0), np.int64(SOLVED))
            )
        elif kind == OR:
            proof, disproof = smallest, min(total, np.int64(MOST))
        else:
            proof, disproof = min(total, np.int64(MOST)), smallest
        finished = (
            proof == 0
            or disproof == 0
            or proof >= frames[level, _PROOF_LIMIT]
            or disproof >= frames[level, _DISPROOF_LIMIT]
        )
        if level == 0:
            state[ROOT_PROOF] = proof
            state[ROOT_DISPROOF] = disproof
        # 5. Solved, or over a limit: the numbers go into the table, and up.
        if finished:
            effort = log_of(state[AND_NODES] - frames[level, _BEGAN] + 2)
            move = hint if solved_move == NO_MOVE else solved_move
            state[ENTRIES] += store(
                table,
                own,
                other,
                frames[level, _QUIET],
                pack(proof, disproof, move, effort, 0),
                get(keys, here + 2 * size, own),
            )
            if level == 0:
                result = WON if proof == 0 else (LOST if disproof == 0 else ABORTED)
                break
            level -= 1
            choice = frames[level, _CHOICE]
            numbers[level, 4 * choice] = proof
            numbers[level, 4 * choice + 1] = disproof
            entering = False
            # Only here may a limit end the search, for now every number is in the table.
            if control[STOP] or (state[NODE_LIMIT] and state[AND_NODES] >= state[NODE_LIMIT]):
                break
            continue
        # 6. Down to the most promising child, for as long as it stays so: until its number is
        #    (1 + epsilon) times the second best, or this position's own limits are reached.
        frames[level, _CHOICE] = best
        child = level + 1
        # A child that is not the best one, which another thread is busy with, gets its own share.
        further = float(max(second, least)) * (1.0 + epsilon) + 1.0
        if kind == OR and numbers[level, 4 * best + 2] == hint:
            further *= _FAVOUR
        rival = np.int64(min(float(SOLVED), further))
        if kind == OR:
            frames[child, _PROOF_LIMIT] = max(
                min(frames[level, _PROOF_LIMIT], rival), numbers[level, 4 * best] + 1
            )
            frames[child, _DISPROOF_LIMIT] = _left(
                frames[level, _DISPROOF_LIMIT], total, numbers[level, 4 * best + 1]
            )
        else:
            frames[child, _DISPROOF_LIMIT] = max(
                min(frames[level, _DISPROOF_LIMIT], rival), least + 1
            )
            frames[child, _PROOF_LIMIT] = _left(
                frames[level, _PROOF_LIMIT], total, numbers[level, 4 * best]
            )
        # 7. The child is marked in the table, so that other threads take another path.
        frames[child, _KIND] = AND if kind == OR else OR
        place = children + 2 * size * best
        own, other = get(keys, place, own), get(keys, place + size, own)
        put(keys, here + stride, own)
        put(keys, here + stride + size, other)
        frames[child, _QUIET] = numbers[level, 4 * best + 3]
        mark(table, own, other, frames[child, _QUIET], 1)
        level = child
        entering = True
    # An interrupted search leaves the positions on its path as they were, but not marked.
    for i in range(1, level + 1):
        own, other = get(keys, i * stride, root_own), get(keys, i * stride + size, root_own)
        mark(table, own, other, frames[i, _QUIET], -1)
    return result
