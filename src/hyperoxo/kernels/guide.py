"""Guided trees: one seat follows an agent that scores moves by lines, all others try all moves.

The leaves below a position are a function of the position, so each is searched once and its counts
are stored; a tree of 10^8 leaves has far fewer positions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Bytes, Floats, Ints, Longs, Words, copy, fill
from hyperoxo.kernels.coalition import Named, class_key
from hyperoxo.kernels.scored import (
    add_all_lines,
    candidate_values,
    choose_best,
    least_equal,
)
from hyperoxo.kernels.state import legal_moves, load, new_state, play, undo
from hyperoxo.kernels.table import find_slot
from hyperoxo.kernels.tree import points


class Scorer(NamedTuple):
    """An agent that chooses by line weights; with `lowest` it takes the lowest of equal moves."""

    weights: Floats
    kinds: Ints
    by_ends: int
    rival_weight: float
    sign: float
    lowest: bool


class Scratch(NamedTuple):
    """Scratch arrays."""

    energy: Floats
    """``[q]``."""
    score: Floats
    """``[q, N]``."""
    values: Floats
    """``[M]``."""
    names: Words
    image: Ints
    owners: Bytes


@njit(nogil=True)
def best_by_score(
    t: Ints, s: Ints, scorer: Scorer, moves: Ints, count: int, scratch: Scratch
) -> int:
    """Keep the moves among which an agent chooses; return their number."""
    energy, score, values = scratch.energy, scratch.score, scratch.values
    add_all_lines(t, s, scorer.weights, scorer.kinds, scorer.by_ends, energy, score)
    candidate_values(t, s, scorer.rival_weight, scorer.sign, energy, score, moves, count, values)
    if scorer.lowest:
        moves[0] = choose_best(moves, values, count, True, np.uint64(0))
        return 1
    least = least_equal(values[:count].max())
    size = 0
    for i in range(count):
        if values[i] >= least:
            moves[size] = moves[i]
            size += 1
    return size


@njit(**NO_REFCOUNT)
def _least_image(t: Ints, s: Ints, codes: Words, perms: Ints, owners: Bytes) -> int:
    """Write the image with the least name into `owners`; return the row of its permutation."""
    best = 0
    least = np.uint64(0xFFFFFFFFFFFFFFFF)
    for g in range(len(perms)):
        name = class_key(t, s, codes, perms[g:], 1)
        if name < least:
            least = name
            best = g
    for cell in range(t[state.CELLS]):
        owners[perms[best, cell]] = s[t[state.S_OWNER] + cell]
    return best


@njit(nogil=True)
def _drop_equivalent(
    t: Ints, s: Ints, codes: Words, perms: Ints, moves: Ints, count: int, names: Words
) -> int:
    """Keep the lowest of the moves that lead to equivalent positions; return their number."""
    size = 0
    moves[:count].sort()
    for i in range(count):
        play(t, s, moves[i])
        name = class_key(t, s, codes, perms, len(perms))
        undo(t, s)
        if name not in names[:size]:
            names[size] = name
            moves[size] = moves[i]
            size += 1
    return size


@njit(nogil=True)
def _list_moves(
    t: Ints, s: Ints, seat: int, scorer: Scorer, named: Named, moves: Ints, scratch: Scratch
) -> int:
    """List the moves of the guided tree; return their number."""
    codes, perms = named.codes, named.perms
    merge = len(perms) > 1
    # The seat plays what its agent chooses, in the least image if equivalent positions are merged;
    # all others may play anything.
    if s[state.PLIES] % t[state.PLAYERS] != seat:
        count = legal_moves(t, s, moves)
        if merge:
            count = _drop_equivalent(t, s, codes, perms, moves, count, scratch.names)
        return count
    if not merge:
        return best_by_score(t, s, scorer, moves, legal_moves(t, s, moves), scratch)
    # An agent that takes the lowest of equal cells may play differently on different images: merged
    # positions need one answer, so it is asked on the least image, and the move taken back by the
    # inverse of the permutation.
    row = _least_image(t, s, codes, perms, scratch.owners)
    load(t, scratch.image, scratch.owners)
    count = legal_moves(t, scratch.image, moves)
    count = best_by_score(t, scratch.image, scorer, moves, count, scratch)
    for i in range(count):
        chosen = moves[i]
        for cell in range(t[state.CELLS]):
            if perms[row, cell] == chosen:
                moves[i] = cell
    return count


@njit(nogil=True)
def count_guided(
    t: Ints, s: Ints, seat: int, scorer: Scorer, named: Named, table: Longs, stop: Longs
) -> int:
    """Count wins, draws and losses of a seat, counted from 0, below a running position.

    Of moves of the seat that are equally good all are played, or with `lowest` one. Equivalent
    positions are merged if `named` has more symmetries than one; its values mark used slots.
    """
    # A class has the key of its least image, `sums` the wins, draws and losses below each level.
    codes, perms, keys, used = named
    players = t[state.PLAYERS]
    depth = t[state.PLAYABLE] - s[state.PLIES] + 1
    most = len(keys) * 3 // 4
    moves = np.empty((depth, t[state.PLAYABLE]), np.int32)
    counts = np.zeros(depth, np.int64)
    nexts = np.zeros(depth, np.int64)
    own_keys = np.zeros(depth, np.uint64)
    sums = np.zeros((depth, 3), np.int64)
    leaves = np.zeros(3, np.int64)
    scratch = Scratch(
        np.empty(players, np.float64),
        np.empty((players, t[state.CELLS]), np.float64),
        np.empty(t[state.PLAYABLE], np.float64),
        np.zeros(t[state.PLAYABLE], np.uint64),
        new_state(t),
        np.zeros(t[state.CELLS], np.uint8),
    )
    positions = 0
    level = 0
    entering = True
    while True:
        known = False
        if entering:
            # 1. A finished game, or a position whose leaves are counted already.
            if s[state.RESULT] != 0:
                fill(leaves, 0)
                leaves[2 - points(s[state.RESULT], seat)] = 1
                known = True
            else:
                own_keys[level] = class_key(t, s, codes, perms, len(perms))
                place = find_slot(keys, used, own_keys[level])
                if used[place]:
                    copy(leaves, table[place])
                    known = True
                else:
                    fill(sums[level], 0)
                    nexts[level] = 0
                    # 2. A new one: its moves.
                    counts[level] = _list_moves(t, s, seat, scorer, named, moves[level], scratch)
        if not known:
            # 3. One move deeper; or all moves are done, and the counts are stored.
            if nexts[level] < counts[level]:
                play(t, s, moves[level, nexts[level]])
                nexts[level] += 1
                level += 1
                entering = True
                continue
            copy(leaves, sums[level])
            place = find_slot(keys, used, own_keys[level])
            used[place] = 1
            keys[place] = own_keys[level]
            copy(table[place], leaves)
            positions += 1
            if positions > most or stop[0]:
                for _ in range(level):
                    undo(t, s)
                return -2 if stop[0] else -1
        # 4. Back up: the leaves below a move add to those of the position before it.
        if level == 0:
            return positions
        undo(t, s)
        level -= 1
        for value in range(3):
            sums[level, value] += leaves[value]
        entering = False
