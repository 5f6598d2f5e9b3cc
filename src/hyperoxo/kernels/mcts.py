"""Monte-Carlo tree search (UCT) with proven values (MCTS-Solver) and optional RAVE.

A new leaf is examined before its playout: if the mover can reach the target it is proven; if
the next player threatens to on two cells it is proven for that player, and on one cell that
is the only move worth a child. In misère play moves that reach the target get no child while
there are others. A leaf gets children on its second visit.

If the mover has a proven draw in hand, a lost simulation through the node counts as a draw
for them and all above, since they would not have taken less.

Line counters are packed if the caller gives increments (:mod:`hyperoxo.kernels.packed`), else
those of the state. Playouts are random or, with the weights of a line heuristic, epsilon-greedy:
the best move by own gain plus that of each rival, or a random one with a given probability.
"""

# Reading order: `tree` (the arrays, selection, proofs), `packed` and `playout` (playouts), this
# module, then `guided`, which replaces playouts by an evaluation.

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels import tree as nodes
from hyperoxo.kernels.arrays import Floats, Ints, Longs, Words, copy
from hyperoxo.kernels.packed import (
    completes,
    copy_packed,
    near_line,
    pack,
    packed_playout,
    play_packed,
)
from hyperoxo.kernels.playout import random_playout
from hyperoxo.kernels.rng import advance, below, fraction, mix
from hyperoxo.kernels.scored import add_all_lines, candidate_values, choose_best, play_scored
from hyperoxo.kernels.state import legal_moves, play
from hyperoxo.kernels.tree import (
    back_up_proof,
    best_child,
    best_rave_child,
    expand,
    open_child,
    points,
    shuffle_children,
)

EXPLORATION, RAVE, RANDOMNESS = range(3)
"""Entries of the settings array, float64: weight of the confidence term (means are within 0
and 1), the RAVE constant (0: none), the probability of a random move in heuristic playouts."""


@njit(**NO_REFCOUNT)
def inspect(t: Ints, s: Ints, increments: Words, words: Words, moves: Ints) -> tuple[int, int, int]:
    """Return result, or 0, and distance of a position decided at sight, and the number of moves.

    If the result is 0, `moves` holds the moves worth searching.
    """
    # 1. The mover reaches the target: a win in normal play. In misère play such moves are left out,
    #    and a loss if there are no others.
    players = t[state.PLAYERS]
    mover = t[t[state.T_MOVERS] + s[state.PLIES]]
    count = legal_moves(t, s, moves)
    if not (mover and t[state.MAKER_ONLY]) and near_line(t, s, increments, words, mover):
        size = 0
        for i in range(count):
            if completes(t, s, increments, words, mover, moves[i]):
                if not t[state.MISERE]:
                    return mover + 1, 1, count
            elif t[state.MISERE]:
                moves[size] = moves[i]
                size += 1
        if t[state.MISERE]:
            if size == 0:
                return -(mover + 1), 1, count
            count = size
    # 2. The next player threatens: two cells win, one must be blocked. An opening rule may keep a
    #    player from blocking or from winning next.
    if t[state.MISERE] or not t[state.CLASSIC] or s[state.PLIES] < t[state.OPENING_PLIES]:
        return 0, 0, count
    rival = (mover + 1) % players
    if near_line(t, s, increments, words, rival):
        threat = -1
        for i in range(count):
            if completes(t, s, increments, words, rival, moves[i]):
                if threat >= 0:
                    return rival + 1, 2, count
                threat = moves[i]
        if threat >= 0:
            moves[0] = threat
            count = 1
    return 0, 0, count


@njit(nogil=True)
def plant(
    t: Ints,
    root: Ints,
    increments: Words,
    tree: Ints,
    moves: Ints,
    count: int,
    control: Longs,
) -> None:
    """Start a tree whose root has the first `count` of `moves` as children.

    They need not be all legal moves; a proof is then about these alone. Children that are
    decided at sight are proven, and so is the root if that settles it. `moves` has room for
    all playable cells and is overwritten; `tree` has room for the root and its children.
    """
    # 1. The root and its children.
    tree[:, 0] = 0
    tree[nodes.CELL, 0] = -1
    control[nodes.USED] = 1
    control[nodes.DONE] = 0
    expand(tree, 0, moves, count, control)
    mover = t[t[state.T_MOVERS] + root[state.PLIES]]
    s = root.copy()
    words = np.empty((t[state.PLAYERS], increments.shape[1]), np.uint64)
    # 2. Each child once, at sight. `inspect` overwrites `moves`; the cells are in the tree now.
    for child in range(tree[nodes.FIRST, 0], tree[nodes.FIRST, 0] + count):
        copy(s, root)
        play(t, s, tree[nodes.CELL, child])
        if s[state.RESULT]:
            result, distance = s[state.RESULT], 0
        else:
            pack(t, s, increments, words)
            result, distance, _ = inspect(t, s, increments, words, moves)
        if result:
            tree[nodes.RESULT, child] = result
            tree[nodes.DISTANCE, child] = distance
            if tree[nodes.RESULT, 0] == 0:
                back_up_proof(tree, 0, child, mover)


@njit(**NO_REFCOUNT)
def _note_moves(
    t: Ints, s: Ints, tree: Ints, path: Ints, depth: int, begin: int, result: int
) -> None:
    """Update the all-moves-as-first (AMAF) counts of the nodes on the path."""
    # A cell with the mover's stone at the end of the simulation was played by them here or later,
    # for at the node it was free.
    owners = t[state.S_OWNER]
    for i in range(depth + 1):
        mover = t[t[state.T_MOVERS] + begin + i]
        gained = points(result, mover)
        first = tree[nodes.FIRST, path[i]]
        for child in range(first, first + tree[nodes.COUNT, path[i]]):
            if s[owners + tree[nodes.CELL, child]] == mover + 1:
                tree[nodes.AMAF_VISITS, child] += 1
                tree[nodes.AMAF_SCORE, child] += gained


@njit(**NO_REFCOUNT)
def _back_up(
    t: Ints,
    tree: Ints,
    path: Ints,
    depth: int,
    begin: int,
    result: int,
    proven: bool,
) -> None:
    # From the leaf to the root. While the chain of proofs holds, the result is that of the proven
    # node; above it, that of the simulation.
    for i in range(depth, -1, -1):
        node = path[i]
        mover = t[t[state.T_MOVERS] + begin + i]
        if i < depth:
            if proven:
                proven = back_up_proof(tree, node, path[i + 1], mover)
            if proven:
                result = tree[nodes.RESULT, node]
            elif tree[nodes.HOLDS, node] and points(result, mover) == 0:
                result = state.DRAW
        # The score is that of the player who moved into the node; the empty board has none.
        tree[nodes.VISITS, node] += 1
        if begin + i:
            tree[nodes.SCORE, node] += points(result, t[t[state.T_MOVERS] + begin + i - 1])


@njit(nogil=True)
def grow(
    t: Ints,
    root: Ints,
    increments: Words,
    tree: Ints,
    simulations: int,
    settings: Floats,
    weights: Floats,
    kinds: Ints,
    control: Longs,
    by_ends: int,
) -> None:
    """Add up to `simulations` simulations to a planted tree; stop when the root is proven.

    `weights` float64 ``[K, W, W]`` and `kinds` are the playout heuristic's, with K = 0 for
    random playouts; only these go with packed counters.
    """
    # 1. Scratch: energy ``[1, q]`` and score ``[1, q, N]`` of heuristic playouts, packed counters
    #    ``[q, width]``; each simulation starts from copies of those at the root.
    packed = len(increments) > 0
    scored = len(weights) > 0
    players, begin = t[state.PLAYERS], root[state.PLIES]
    exploration, rave = settings[EXPLORATION], settings[RAVE]
    notes = rave > 0.0 and len(tree) == nodes.MORE_FIELDS
    schemes = weights.reshape((1, *weights.shape))
    ends = np.full(1, by_ends, np.int64)
    cells = t[state.CELLS] if scored else 0
    root_energy = np.zeros((1, players), np.float64)
    root_score = np.zeros((1, players, cells), np.float64)
    if scored:
        add_all_lines(t, root, weights, kinds, by_ends, root_energy[0], root_score[0])
    energy, score = np.empty_like(root_energy), np.empty_like(root_score)
    s = root.copy()
    root_words = np.empty((players, increments.shape[1]), np.uint64)
    pack(t, root, increments, root_words)
    words = root_words.copy()
    moves = np.empty(t[state.PLAYABLE], np.int32)
    bounds, values = np.empty(len(moves), np.float32), np.empty(len(moves), np.float64)
    sign = -1.0 if t[state.MISERE] else 1.0
    path = np.zeros(t[state.PLAYABLE] + 1, np.int32)
    random = np.uint64(control[nodes.RANDOM])
    if notes and control[nodes.DONE] == 0:
        random = shuffle_children(tree, 0, random)
    end = control[nodes.DONE] + simulations
    while control[nodes.DONE] < end and tree[nodes.RESULT, 0] == 0:
        if packed:
            copy_packed(t, root, s)
            copy(words, root_words)
        else:
            copy(s, root)
            copy(energy, root_energy)
            copy(score, root_score)
        depth = 0
        node = 0
        result = 0
        count = tree[nodes.COUNT, 0]
        while True:
            # 2. Expansion: a leaf gets children on its second visit, from the moves that `inspect`
            #    left when it was reached. On the first, or in a full tree, the descent ends.
            if tree[nodes.COUNT, node] == 0:
                if tree[nodes.VISITS, node] == 0 or not expand(tree, node, moves, count, control):
                    break
                if notes:
                    random = shuffle_children(tree, node, random)
            # 3. Selection: every child once, in random order, then by upper confidence bound; with
            #    RAVE by the mixed mean, which untried children have too. A child that was proven
            #    at sight takes its turn without a simulation.
            if not notes and tree[nodes.OPENED, node] < tree[nodes.COUNT, node]:
                random = advance(random)
                child = open_child(tree, node, mix(random))
                if tree[nodes.RESULT, child] != 0:
                    continue
            elif notes:
                child = best_rave_child(tree, node, exploration, rave)
            else:
                child = best_child(tree, node, exploration, bounds)
            cell = tree[nodes.CELL, child]
            if packed:
                play_packed(t, s, increments, words, cell)
            elif scored:
                play_scored(t, s, cell, schemes, kinds, ends, energy, score)
            else:
                play(t, s, cell)
            depth += 1
            path[depth] = child
            node = child
            # 4. The end of a game, or a leaf that is decided at sight, is proven.
            if s[state.RESULT]:
                result = s[state.RESULT]
                tree[nodes.RESULT, child] = result
                break
            if tree[nodes.COUNT, child] == 0:
                result, distance, count = inspect(t, s, increments, words, moves)
                if result:
                    tree[nodes.RESULT, child] = result
                    tree[nodes.DISTANCE, child] = distance
                    break
        # 5. Simulation, unless the leaf is proven: at random, or by the heuristic.
        proven = result != 0
        if not proven and packed:
            random = packed_playout(t, s, increments, words, moves, random)
        elif not proven and not scored:
            random = random_playout(t, s, moves, random)
        while not proven and s[state.RESULT] == 0:
            number = legal_moves(t, s, moves)
            random = advance(random)
            strays = fraction(mix(random)) < settings[RANDOMNESS]
            random = advance(random)
            if strays:
                cell = moves[below(mix(random), number)]
            else:
                candidate_values(t, s, 1.0, sign, energy[0], score[0], moves, number, values)
                cell = choose_best(moves, values, number, False, mix(random))
            play_scored(t, s, cell, schemes, kinds, ends, energy, score)
        # 6. Backup.
        result = result if proven else s[state.RESULT]
        if notes:
            _note_moves(t, s, tree, path, depth, begin, result)
        _back_up(t, tree, path, depth, begin, result, proven)
        control[nodes.DONE] += 1
    control[nodes.RANDOM] = np.int64(random)
