"""Tree search with priors and values (PUCT) of a line heuristic or a network.

The priors of the moves at a node are the softmax of gain / temperature, with the gains of
:mod:`hyperoxo.kernels.scored`, or the logits of :mod:`hyperoxo.kernels.network` as gains. The
search selects the child of highest mean + c * prior * sqrt(visits of the node) / (1 + its visits);
an unvisited child has the mean of the player to move at the node. The value of a leaf to each
player is the softmax of energy / temperature; it gets children on its second visit. A network gives
the value to the player to move, and the others share the rest equally; since it gives the logits
at the same time, its leaves get children at once.

Leaves are examined as in :mod:`hyperoxo.kernels.mcts`; on their first visit a small search for a
win by threats follows, at the root a larger one. Proofs are backed up as there. The seed decides
nothing but the order of the moves at the root.

References
----------
C. D. Rosin, "Multi-armed bandits with episode context", Annals of Mathematics and Artificial
Intelligence 61, 2011.
D. Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go
through self-play", Science 362, 2018.
"""

from __future__ import annotations

import math

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels import tree as nodes
from hyperoxo.kernels.arrays import Floats, Ints, Longs, Singles, Words, copy, fill
from hyperoxo.kernels.control import NODE_LIMIT, NODES
from hyperoxo.kernels.elementary import exp, log
from hyperoxo.kernels.mcts import inspect
from hyperoxo.kernels.network import judge, workspace
from hyperoxo.kernels.scored import add_all_lines, candidate_values
from hyperoxo.kernels.state import play
from hyperoxo.kernels.threat_bits import FOREVER, find_win_bits
from hyperoxo.kernels.threats import find_win
from hyperoxo.kernels.tree import back_up_proof, expand, points, shuffle_children

EXPLORATION, TEMPERATURE, RIVAL_WEIGHT = range(3)
"""Entries of the settings array, float64: the constant c, the gain that counts e-fold, and the
weight of each rival's gain on the same cell."""

LEAF_NODES, ROOT_NODES = range(2)
"""Entries of the limits, int64: positions of a search for a win by threats at a leaf and at the
root; 0 for none."""

_LEAST_SHARE = 1e-6
"""Of a player, by a network that gives up hope for them."""


@njit(**NO_REFCOUNT)
def _stones(t: Ints, s: Ints, player: int) -> np.uint64:
    """Return the cells of a player as a set, on boards of up to 64 cells."""
    found = np.uint64(0)
    for cell in range(t[state.CELLS]):
        found |= np.uint64(s[t[state.S_OWNER] + cell] == player + 1) << np.uint64(cell)
    return found


@njit(**NO_REFCOUNT)
def _plies_to_win(
    t: Ints,
    s: Ints,
    limit: int,
    board: Words,
    memory: Words,
    stack: Longs,
    threats: Longs,
    line: Ints,
) -> int:
    """Return the length of a forced win of the player to move, 0 if none is found."""
    # Sets of cells serve where there is a `board`; its `memory` has the stack too.
    # An opening rule may keep a player from answering where they must.
    if limit == 0 or s[state.PLIES] < t[state.OPENING_PLIES]:
        return 0
    # Bitboards if they apply; in Maker-Breaker play the second player has no lines to complete.
    threats[NODES], threats[NODE_LIMIT] = 0, limit
    if len(board):
        mover = t[t[state.T_MOVERS] + s[state.PLIES]]
        if mover == 1 and t[state.MAKER_ONLY]:
            return 0
        own, other = _stones(t, s, mover), _stones(t, s, 1 - mover)
        return max(find_win_bits(board, memory, threats, own, other, FOREVER, line), 0)
    return max(find_win(t, s, stack, memory, threats, FOREVER, line), 0)


@njit(**NO_REFCOUNT)
def _evaluate(
    t: Ints,
    s: Ints,
    temperature: float,
    network: Singles,
    work: tuple[Singles, Ints],
    legal: Ints,
    logits: Singles,
    energy: Floats,
    score: Floats,
) -> None:
    """Set energies and scores so that shares and priors are those of the network."""
    players = t[state.PLAYERS]
    mover = t[t[state.T_MOVERS] + s[state.PLIES]]
    sign = -1.0 if t[state.MISERE] else 1.0
    count, value = judge(t, s, network, work, legal, logits)
    fill(score, 0.0)
    for i in range(count):
        score[mover, legal[i]] = sign * logits[i]
    # A win is 1 to the winner and -1 shared by the others, so values are linear in the share of the
    # win. The logarithm and the temperature undo the softmax of `_share_out`.
    share = (1.0 + (players - 1) * value) / players
    share = min(max(share, _LEAST_SHARE), 1.0 - _LEAST_SHARE)
    for player in range(players):
        part = share if player == mover else (1.0 - share) / (players - 1)
        energy[player] = sign * temperature * log(part)


@njit(**NO_REFCOUNT)
def _set_priors(
    t: Ints,
    s: Ints,
    tree: Ints,
    node: int,
    settings: Floats,
    energy: Floats,
    score: Floats,
    moves: Ints,
    values: Floats,
) -> None:
    """Set the priors of a node's children, which sum to 1."""
    # A softmax, with the greatest value subtracted so that no exponent is above 0.
    first, count = tree[nodes.FIRST, node], tree[nodes.COUNT, node]
    prior = tree.view(np.float32)[nodes.PRIOR]
    for i in range(count):
        moves[i] = tree[nodes.CELL, first + i]
    sign = -1.0 if t[state.MISERE] else 1.0
    rivals = settings[RIVAL_WEIGHT]
    candidate_values(t, s, rivals, sign, energy, score, moves, count, values)
    best = values[0]
    for i in range(1, count):
        best = max(best, values[i])
    total = 0.0
    for i in range(count):
        values[i] = exp((values[i] - best) / settings[TEMPERATURE])
        total += values[i]
    for i in range(count):
        prior[first + i] = values[i] / total


@njit(**NO_REFCOUNT)
def _best_child(tree: Ints, node: int, exploration: float) -> int:
    """Return the open child of highest PUCT bound."""
    # Scores are half points, so means are within 0 and 1.
    floats = tree.view(np.float32)
    first, visits = tree[nodes.FIRST, node], tree[nodes.VISITS, node]
    width = exploration * math.sqrt(visits)
    untried = 0.5 * floats[nodes.EARNED, node] / max(visits, 1)
    best, best_bound = -1, -1.0
    for child in range(first, first + tree[nodes.COUNT, node]):
        if tree[nodes.RESULT, child] != 0:
            continue
        tries = tree[nodes.VISITS, child]
        bound = 0.5 * floats[nodes.SCORE, child] / tries if tries else untried
        bound += width * floats[nodes.PRIOR, child] / (1.0 + tries)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@njit(**NO_REFCOUNT)
def _share_out(t: Ints, energy: Floats, temperature: float, worth: Floats) -> None:
    """Set the players' shares, in half points (sum 2), to the softmax of their energies."""
    sign = -1.0 if t[state.MISERE] else 1.0
    best = sign * energy[0]
    for player in range(1, t[state.PLAYERS]):
        best = max(best, sign * energy[player])
    total = 0.0
    for player in range(t[state.PLAYERS]):
        worth[player] = exp((sign * energy[player] - best) / temperature)
        total += worth[player]
    for player in range(t[state.PLAYERS]):
        worth[player] *= 2.0 / total


@njit(**NO_REFCOUNT)
def _back_up(
    t: Ints, tree: Ints, path: Ints, depth: int, begin: int, result: int, worth: Floats
) -> None:
    """Back up the value of a simulation along its path; with a result its end is proven."""
    # `result` is set where the value changes: at a proven node, and where the mover has a proven
    # draw in hand and would not take less. `worth` holds its half points from there up.
    floats = tree.view(np.float32)
    proven = result != 0
    for i in range(depth, -1, -1):
        node = path[i]
        mover = t[t[state.T_MOVERS] + begin + i]
        if i < depth and proven:
            proven = back_up_proof(tree, node, path[i + 1], mover)
        if proven:
            result = tree[nodes.RESULT, node]
        elif i < depth and tree[nodes.HOLDS, node] and worth[mover] < 1.0:
            result = state.DRAW
        if result:
            for player in range(t[state.PLAYERS]):
                worth[player] = points(result, player)
            result = 0
        tree[nodes.VISITS, node] += 1
        floats[nodes.EARNED, node] += worth[mover]
        if begin + i:
            floats[nodes.SCORE, node] += worth[t[t[state.T_MOVERS] + begin + i - 1]]


@njit(**NO_REFCOUNT)
def _begin(
    t: Ints,
    s: Ints,
    tree: Ints,
    plies: int,
    winning: int,
    visits: int,
    worth: float,
) -> None:
    """Initialise a root: visits and earnings of its moves, and a win by threats if it has one."""
    # The root itself was visited `visits` times, and a visit is worth `worth` to its mover.
    floats = tree.view(np.float32)
    tree[nodes.VISITS, 0] = visits
    floats[nodes.EARNED, 0] = visits * worth
    mover = t[t[state.T_MOVERS] + s[state.PLIES]]
    for child in range(tree[nodes.FIRST, 0], tree[nodes.FIRST, 0] + tree[nodes.COUNT, 0]):
        tree[nodes.VISITS, 0] += tree[nodes.VISITS, child]
        floats[nodes.EARNED, 0] += floats[nodes.SCORE, child]
        if plies and tree[nodes.CELL, child] == winning and tree[nodes.RESULT, child] == 0:
            tree[nodes.RESULT, child] = mover + 1
            tree[nodes.DISTANCE, child] = plies - 1
            back_up_proof(tree, 0, child, mover)


@njit(nogil=True)
def grow_guided(
    t: Ints,
    root: Ints,
    tree: Ints,
    simulations: int,
    settings: Floats,
    weights: Floats,
    kinds: Ints,
    by_ends: int,
    network: Singles,
    limits: Longs,
    board: Words,
    memory: Words,
    stack: Longs,
    control: Longs,
) -> None:
    """Add up to `simulations` simulations to a planted tree; stop when the root is proven.

    `weights` float64 ``[K, W, W]`` and `kinds` are the heuristic's, or else `network` has rows.
    The threat search has a `board` and a `memory` of :mod:`hyperoxo.kernels.threat_bits`, or no
    board, and then a memory and a `stack` of :mod:`hyperoxo.kernels.threats`.
    """
    players, begin = t[state.PLAYERS], root[state.PLIES]
    # `inspect` gets no increments, so it reads the counters of the state; energy ``[q]`` and score
    # ``[q, N]`` are recomputed at each leaf and each expanded node.
    increments, words = np.zeros((0, 1), np.uint64), np.zeros((players, 1), np.uint64)
    energy, score = np.zeros(players), np.zeros((players, t[state.CELLS]))
    unscored = np.zeros((0, 0))
    values, worth = np.empty(t[state.PLAYABLE]), np.empty(players)
    moves = np.empty(t[state.PLAYABLE], np.int32)
    path = np.zeros(t[state.PLAYABLE] + 1, np.int32)
    line = np.empty(t[state.CELLS] + 2, np.int32)
    threats = np.zeros(3, np.int64)
    work = workspace(t)
    legal, logits = np.empty(t[state.PLAYABLE], np.int32), np.empty(t[state.PLAYABLE], np.float32)
    judged, temperature = len(network) > 0, settings[TEMPERATURE]
    s = root.copy()
    # 1. The root, once: its win by threats, the order of its moves, their priors. The order
    #    decides among children of equal bounds.
    if control[nodes.DONE] == 0 and tree[nodes.RESULT, 0] == 0:
        control[nodes.RANDOM] = np.int64(
            shuffle_children(tree, 0, np.uint64(control[nodes.RANDOM]))
        )
        plies = _plies_to_win(t, s, limits[ROOT_NODES], board, memory, stack, threats, line)
        if judged:
            _evaluate(t, s, temperature, network, work, legal, logits, energy, score)
        else:
            add_all_lines(t, s, weights, kinds, by_ends, energy, score)
        _share_out(t, energy, temperature, worth)
        _begin(t, s, tree, plies, line[0], judged, worth[t[t[state.T_MOVERS] + begin]])
        _set_priors(t, s, tree, 0, settings, energy, score, moves, values)
    end = control[nodes.DONE] + simulations
    while control[nodes.DONE] < end and tree[nodes.RESULT, 0] == 0:
        copy(s, root)
        node = depth = result = count = 0
        while True:
            # 2. Expansion on the second visit, if space is left, from the moves of `inspect`.
            if tree[nodes.COUNT, node] == 0:
                if tree[nodes.VISITS, node] == 0 or not expand(tree, node, moves, count, control):
                    break
                if judged:
                    _evaluate(t, s, temperature, network, work, legal, logits, energy, score)
                else:
                    add_all_lines(t, s, weights, kinds, by_ends, energy, score)
                _set_priors(t, s, tree, node, settings, energy, score, moves, values)
            # 3. Selection.
            node = _best_child(tree, node, settings[EXPLORATION])
            play(t, s, tree[nodes.CELL, node])
            depth += 1
            path[depth] = node
            result, distance = s[state.RESULT], 0
            # 4. A leaf may be decided at sight or, on the first visit, by threats.
            if result == 0 and tree[nodes.COUNT, node] == 0:
                result, distance, count = inspect(t, s, increments, words, moves)
                if result == 0 and tree[nodes.VISITS, node] == 0:
                    distance = _plies_to_win(
                        t, s, limits[LEAF_NODES], board, memory, stack, threats, line
                    )
                    if distance:
                        result = t[t[state.T_MOVERS] + s[state.PLIES]] + 1
            if result:
                tree[nodes.RESULT, node] = result
                tree[nodes.DISTANCE, node] = distance
                break
        # 5. Evaluation of any other leaf by its lines or by the network, and backup.
        if result == 0:
            if judged:
                _evaluate(t, s, temperature, network, work, legal, logits, energy, score)
            else:
                add_all_lines(t, s, weights, kinds, by_ends, energy, unscored)
            _share_out(t, energy, temperature, worth)
            if judged and expand(tree, node, moves, count, control):
                _set_priors(t, s, tree, node, settings, energy, score, moves, values)
        _back_up(t, tree, path, depth, begin, result, worth)
        control[nodes.DONE] += 1
