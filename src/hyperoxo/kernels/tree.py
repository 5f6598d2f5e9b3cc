"""Monte-Carlo search trees with proven values (MCTS-Solver) in one flat array.

``tree`` int32 ``[fields, capacity]`` has a row for each field below and a column for each
node; node 0 is the root, and the children of a node are adjacent columns.

============  ==================================================================
VISITS        simulations through the node
SCORE         half points of the player who moved into it: 2 a win, 1 a draw
RESULT        proven result as in a state, 0 while it is open
DISTANCE      plies to the end in the line that proved it
CELL          the move that leads here
FIRST, COUNT  first child and number of children; 0 children: not expanded
OPENED        children that have been tried, or found proven, so far
OPEN          children that are not proven
HOLDS         1 where a child is a proven draw: the mover need not take less
AMAF_VISITS   simulations in which the mover played the cell here or later, and
AMAF_SCORE    the half points won in them; these two rows only where RAVE is used
PRIOR         probability that a line heuristic gives the move, and
EARNED        half points of the player to move; instead of these two where it guides
============  ==================================================================

Trees that a heuristic guides have SCORE, PRIOR and EARNED as float32, read through a view.

A result has the same value for any number of players: a win, alone or shared, 1; a draw 1/2;
anything else 0. With more than two players every mover takes what is best for themselves
(max^n); among equals the longest line.

References
----------
L. Kocsis, C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006.
M. H. M. Winands, Y. Björnsson, J.-T. Saito, "Monte-Carlo tree search solver", CG 2008.
S. Gelly, D. Silver, "Monte-Carlo tree search and rapid action value estimation in
computer Go", Artificial Intelligence 175, 2011.
"""

from __future__ import annotations

import math

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Ints, Longs, Singles
from hyperoxo.kernels.elementary import log
from hyperoxo.kernels.rng import advance, below, mix
from hyperoxo.kernels.state import DRAW

VISITS, SCORE, RESULT, DISTANCE, CELL, FIRST, COUNT, OPENED, OPEN, HOLDS = range(10)
AMAF_VISITS, AMAF_SCORE = PRIOR, EARNED = range(10, 12)
FIELDS, MORE_FIELDS = 10, 12

_HALF = np.float32(0.5)

USED, DONE, RANDOM = range(3)
"""Entries of the control array, int64: nodes in use, simulations done, random state."""


@njit(**NO_REFCOUNT)
def points(result: int, player: int) -> int:
    """Return the half points of a result to a player, counted from 0: 2, 1 or 0."""
    if result == DRAW:
        return 1
    if result > 0:
        return 2 if result == player + 1 else 0
    return 0 if -result == player + 1 else 2


@njit(**NO_REFCOUNT)
def expand(tree: Ints, node: int, moves: Ints, count: int, control: Longs) -> bool:
    """Give a node one child a move; return False, with nothing done, if the tree is full."""
    first = control[USED]
    if first + count > tree.shape[1]:
        return False
    for field in range(len(tree)):
        for child in range(first, first + count):
            tree[field, child] = 0
    for i in range(count):
        tree[CELL, first + i] = moves[i]
    control[USED] += count
    tree[FIRST, node] = first
    tree[COUNT, node] = tree[OPEN, node] = count
    tree[OPENED, node] = tree[HOLDS, node] = 0
    return True


@njit(**NO_REFCOUNT)
def _swap(tree: Ints, a: int, b: int) -> None:
    for field in range(len(tree)):
        tree[field, a], tree[field, b] = tree[field, b], tree[field, a]


@njit(**NO_REFCOUNT)
def open_child(tree: Ints, node: int, random: np.uint64) -> int:
    """Return a random child among those not tried yet, and count it as tried."""
    opened = tree[OPENED, node]
    child = tree[FIRST, node] + opened
    other = child + np.int64(below(random, tree[COUNT, node] - opened))
    if other != child:
        # Untried children differ in these fields alone.
        for field in (CELL, RESULT, DISTANCE):
            tree[field, child], tree[field, other] = tree[field, other], tree[field, child]
    tree[OPENED, node] = opened + 1
    return int(child)


@njit(**NO_REFCOUNT)
def shuffle_children(tree: Ints, node: int, random: np.uint64) -> np.uint64:
    """Put the children of a node in random order; return the random state."""
    first = tree[FIRST, node]
    for i in range(tree[COUNT, node] - 1, 0, -1):
        random = advance(random)
        _swap(tree, first + i, first + np.int64(below(mix(random), i + 1)))
    return random


@njit(nogil=True, error_model="numpy")
def best_child(tree: Ints, node: int, exploration: float, bounds: Singles) -> int:
    """Return the open child with the highest upper confidence bound; all have been tried.

    `bounds` float32 has room for all children. Working out all bounds before looking for
    the highest lets the compiler vectorise; a child proven without a try is divided by 0
    and left out.
    """
    # UCB1, mean + c sqrt(ln visits / tries), over the common denominator. Scores are half points.
    first, count = tree[FIRST, node], tree[COUNT, node]
    width = np.float32(exploration * math.sqrt(log(tree[VISITS, node])))
    visits = tree[VISITS, first : first + count]
    scores = tree[SCORE, first : first + count]
    results = tree[RESULT, first : first + count]
    for i in range(count):
        tries = np.float32(visits[i])
        bound = (_HALF * np.float32(scores[i]) + width * np.sqrt(tries)) / tries
        bounds[i] = bound if results[i] == 0 else -_HALF
    best = 0
    for i in range(1, count):
        if bounds[i] > bounds[best]:
            best = i
    return int(first + best)


@njit(**NO_REFCOUNT)
def best_rave_child(tree: Ints, node: int, exploration: float, rave: float) -> int:
    """Return the open child whose mean, mixed with its all-moves-as-first mean, is highest.

    The weight of the latter is sqrt(rave / (3 visits + rave)).
    """
    first = tree[FIRST, node]
    width = exploration * math.sqrt(log(tree[VISITS, node] + 1.0))
    best, best_bound = -1, -1.0
    for child in range(first, first + tree[COUNT, node]):
        if tree[RESULT, child] != 0:
            continue
        visits = float(tree[VISITS, child])
        bound = 0.5 * (tree[AMAF_SCORE, child] + 1.0) / (tree[AMAF_VISITS, child] + 1.0)
        if visits > 0.0:
            share = math.sqrt(rave / (3.0 * visits + rave))
            bound = share * bound + (1.0 - share) * 0.5 * tree[SCORE, child] / visits
        bound += width / math.sqrt(visits + 1.0)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@njit(**NO_REFCOUNT)
def back_up_proof(tree: Ints, node: int, child: int, mover: int) -> bool:
    """Count a newly proven child; return whether that proves its parent.

    `mover` moves at the parent. A win proven for the mover proves the parent; otherwise all its
    children must be proven, and it gets the best of them.
    """
    # 1. A draw in hand is noted: from now on no simulation here counts less for the mover.
    gained = points(tree[RESULT, child], mover)
    tree[OPEN, node] -= 1
    if gained == 1:
        tree[HOLDS, node] = 1
    if gained < 2:
        if tree[OPEN, node] > 0:
            return False
        # 2. All children are proven: the best for the mover, of equal ones the longest game.
        first = tree[FIRST, node]
        for other in range(first, first + tree[COUNT, node]):
            value = points(tree[RESULT, other], mover)
            if value > gained or (
                value == gained and tree[DISTANCE, other] > tree[DISTANCE, child]
            ):
                child, gained = other, value
    tree[RESULT, node] = tree[RESULT, child]
    tree[DISTANCE, node] = tree[DISTANCE, child] + 1
    return True


@njit(nogil=True)
def graft(old: Ints, used: int, node: int, tree: Ints, mover: int, control: Longs) -> None:
    """Copy the subtree of `node` of an old tree below the freshly planted root of `tree`.

    The children of the root are matched by their cells; deeper nodes are copied as long as
    there is room. Both trees have the same fields; the old one has `used` nodes in use;
    `mover` moves at the root.
    """
    # origin[i]: the old node of the new node i, 0 if it has none (the old root is copied nowhere).
    origin = np.zeros(control[USED] + used, np.int32)
    # 1. The children of the root that were visited or proven come first, as OPENED requires. Those
    #    proven at sight in the new tree keep their proof.
    tree[VISITS, 0] = 0
    place = tree[FIRST, 0]
    end = place + tree[COUNT, 0]
    for known in range(old[FIRST, node], old[FIRST, node] + old[COUNT, node]):
        for child in range(place, end):
            if tree[CELL, child] == old[CELL, known]:
                break
        else:
            continue
        if tree[RESULT, child] != 0 or (old[VISITS, known] == 0 and old[RESULT, known] == 0):
            continue
        _swap(tree, place, child)
        _copy(old, known, tree, place)
        origin[place] = known
        tree[VISITS, 0] += tree[VISITS, place]
        if tree[RESULT, place] != 0 and tree[RESULT, 0] == 0:
            back_up_proof(tree, 0, place, mover)
        place += 1
    # 2. Breadth first: copied nodes still have the COUNT of the old tree, and get a FIRST of this
    #    one as their children are appended. Without room a node becomes a leaf again.
    tree[OPENED, 0] = place - tree[FIRST, 0]
    parent = tree[FIRST, 0]
    while parent < control[USED]:
        known = origin[parent]
        count = old[COUNT, known]
        if known and tree[COUNT, parent]:
            if control[USED] + count > tree.shape[1]:
                tree[COUNT, parent] = 0
            else:
                tree[FIRST, parent] = control[USED]
                for i in range(count):
                    _copy(old, old[FIRST, known] + i, tree, control[USED])
                    origin[control[USED]] = old[FIRST, known] + i
                    control[USED] += 1
        parent += 1


@njit(**NO_REFCOUNT)
def _copy(old: Ints, source: int, tree: Ints, target: int) -> None:
    for field in range(len(tree)):
        tree[field, target] = old[field, source]
