"""Alpha-beta search for two players over line tables, with a transposition table.

Values are from the point of view of the player to move. ``difference`` float64
``[K, W, W]`` gives, by kind of line, stones of player 1 and stones of player 2, what a line
is worth to player 1 minus what it is worth to player 2; the evaluation is its sum over
lines, kept up to date by the lines through each move.

A search that reaches the full board never evaluates and is *exact*. It then also uses
that a player whose every line is spoilt cannot win (target 1 only).
"""

from __future__ import annotations

import numpy as np

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Floats, Ints, Longs, Words
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.state import (
    DRAW,
    LINES,
    MISERE,
    PLAYABLE,
    PLIES,
    RESULT,
    S_COUNT,
    S_HISTORY,
    S_OWNER,
    T_CELL_LINES,
    T_CELL_PTR,
    T_SIZES,
    TARGET,
    completing_cell,
    legal_moves,
    may_play,
    play,
    undo,
)

WIN = 1e15
"""Value of a won game, less the ply on which it is won."""

PRUNE, SYMMETRY_PLIES, EXACT, SHADOW, CONTROL_SIZE = range(3, 8)
"""Entries of the control array after those of all searches: whether to prune at all; up to which
ply positions are looked up by their class; whether the search reaches the full board; whether the
weighed structure is another than the game's lines."""

_LOWER, _UPPER, _EQUAL = 1, 2, 3


@njit(cache=True, nogil=True)
def evaluate(t: Ints, s: Ints, difference: Floats, kinds: Ints) -> float:
    """Return the sum of line differences of a position, for player 1."""
    total = 0.0
    for line in range(t[LINES]):
        at = t[S_COUNT] + 2 * line
        total += difference[kinds[line], s[at], s[at + 1]]
    return total


@njit(cache=True, nogil=True)
def _change(t: Ints, s: Ints, difference: Floats, kinds: Ints, cell: int) -> float:
    """Return the change of the evaluation when the player to move plays `cell`."""
    first, second = (1, 0) if s[PLIES] % 2 == 0 else (0, 1)
    total = 0.0
    start = t[T_CELL_LINES] + t[t[T_CELL_PTR] + cell]
    end = t[T_CELL_LINES] + t[t[T_CELL_PTR] + cell + 1]
    for j in range(start, end):
        at = t[S_COUNT] + 2 * t[j]
        kind = kinds[t[j]]
        a, b = s[at], s[at + 1]
        total += difference[kind, a + first, b + second] - difference[kind, a, b]
    return total


@njit(cache=True, nogil=True)
def _finished(s: Ints, mover: int) -> float:
    """Return the value of a finished game to `mover`, 0 or 1."""
    result = s[RESULT]
    if result == DRAW:
        return 0.0
    winner = result - 1 if result > 0 else 2 + result
    value = float(WIN - s[PLIES])
    return value if winner == mover else -value


@njit(cache=True, nogil=True)
def _survey(t: Ints, s: Ints, mover: int, found: Ints) -> None:
    """Look at all lines of a target-1 game.

    `found` int32 ``[4]``: a cell where the mover may complete a line or -1, one where the
    rival may do so in the next ply, and how many lines each can still complete.
    """
    found[0] = found[1] = -1
    found[2] = found[3] = 0
    for line in range(t[LINES]):
        at = t[S_COUNT] + 2 * line
        own, rivals = s[at + mover], s[at + 1 - mover]
        if rivals == 0:
            found[2] += 1
            if own == t[t[T_SIZES] + line] - 1 and found[0] < 0:
                found[0] = completing_cell(t, s, line, 0)
        if own == 0:
            found[3] += 1
            if rivals == t[t[T_SIZES] + line] - 1 and found[1] < 0:
                found[1] = completing_cell(t, s, line, 1)


@njit(cache=True, nogil=True)
def class_key(t: Ints, s: Ints, zobrist: Words, permutations: Ints, found: Longs) -> np.uint64:
    """Return the least key among the images of a position; `found[0]` the permutation."""
    best = np.uint64(0xFFFFFFFFFFFFFFFF)
    for g in range(len(permutations)):
        key = np.uint64(0)
        for ply in range(s[PLIES]):
            cell = s[t[S_HISTORY] + ply]
            key ^= zobrist[s[t[S_OWNER] + cell] - 1, permutations[g, cell]]
        if key < best:
            best = key
            found[0] = g
    return best


@njit(cache=True, nogil=True)
def sort_moves(moves: Ints, keys: Floats | Longs, count: int, first: int) -> None:
    """Sort the first `count` moves by key, greatest first, and `first` before all others."""
    for i in range(1, count):
        move, key = moves[i], keys[i]
        j = i
        while j > 0 and moves[j - 1] != first and (keys[j - 1] < key or move == first):
            moves[j], keys[j] = moves[j - 1], keys[j - 1]
            j -= 1
        moves[j], keys[j] = move, key


@njit(cache=True, nogil=True)
def _order(
    t: Ints,
    s: Ints,
    difference: Floats,
    kinds: Ints,
    sign: float,
    moves: Ints,
    keys: Floats,
    count: int,
    first: int,
) -> None:
    """Sort moves by change of evaluation, best first, and `first` before all others."""
    for i in range(count):
        keys[i] = sign * _change(t, s, difference, kinds, moves[i])
    sort_moves(moves, keys, count, first)


@njit(cache=True, nogil=True)
def search(
    t: Ints,
    s: Ints,
    weighed: Ints,
    stones: Ints,
    difference: Floats,
    kinds: Ints,
    depth: int,
    alpha: float,
    beta: float,
    zobrist: Words,
    permutations: Ints,
    table_keys: Words,
    table_values: Floats,
    table_notes: Longs,
    visits: Longs,
    line: Ints,
    control: Longs,
) -> float:
    """Search `depth` plies and return the value of state `s` for the player to move.

    Fail-soft: with score the exact depth-limited value, ``returned <= alpha`` implies
    ``score <= returned``, ``returned >= beta`` implies ``score >= returned``, and otherwise
    they are equal. Needs ``alpha < beta``; the state is restored, whatever happens. NaN
    when the node limit or the stop flag ended the search.

    `weighed` and `stones` are tables and state of the structure that `difference` weighs:
    `t` and `s` again or, with the SHADOW entry set, another board with the same stones.
    `zobrist` uint64 ``[2, N]``; `permutations` int32 ``[G, N]``, those that preserve the
    game, or only the identity. The three table arrays have the same length, a power of two,
    or length 1 for none; they may be used again for the same game, weights and WIN.
    `visits` int64 ``[depth + 1]`` gains the nodes by depth; `line` int32 ``[depth + 2]``
    receives the principal variation, ended by -1.
    """
    top = depth + 1
    moves = np.empty((top, t[PLAYABLE]), np.int32)
    keys = np.empty((top, t[PLAYABLE]), np.float64)
    counts = np.zeros(top, np.int64)
    nexts = np.zeros(top, np.int64)
    bests = np.empty(top, np.float64)
    best_moves = np.full(top, -1, np.int64)
    alphas = np.empty(top, np.float64)
    betas = np.empty(top, np.float64)
    floors = np.empty(top, np.float64)
    values = np.empty(top, np.float64)
    hashes = np.zeros(top, np.uint64)
    classes = np.zeros(top, np.uint64)
    images = np.zeros(top, np.int64)
    lines = np.full((top + 1, top + 1), -1, np.int32)
    found = np.zeros(4, np.int32)
    image = np.zeros(1, np.int64)
    values[0] = evaluate(weighed, stones, difference, kinds)
    alphas[0], betas[0] = alpha, beta
    for ply in range(s[PLIES]):
        cell = s[t[S_HISTORY] + ply]
        hashes[0] ^= zobrist[s[t[S_OWNER] + cell] - 1, cell]
    direction = -1.0 if t[MISERE] else 1.0
    plain = t[TARGET] == 1
    normal = plain and not t[MISERE]
    tabled = len(table_keys) > 1
    mask = np.uint64(len(table_keys) - 1)
    level = 0
    entering = True
    while True:
        leaf = True
        returned = 0.0
        left = depth - level
        if entering:
            visits[level] += 1
            if visit(control):
                for _ in range(level):
                    undo(t, s)
                    if control[SHADOW]:
                        undo(weighed, stones)
                return np.nan
            mover = s[PLIES] % 2
            sign = direction if mover == 0 else -direction
            lines[level, level] = -1
            if s[RESULT] != 0:
                returned = _finished(s, mover)
            elif left == 0:
                returned = sign * values[level]
            else:
                leaf = False
                first = -1
                forced = -1
                bests[level] = -np.inf
                best_moves[level] = -1
                if control[PRUNE]:
                    soonest = WIN - s[PLIES] - 1
                    betas[level] = min(betas[level], soonest)
                    # Only in normal play must a loss wait for the rival's next move.
                    alphas[level] = max(alphas[level], (1 if normal else 0) - soonest)
                    if alphas[level] >= betas[level]:
                        returned = alphas[level]
                        leaf = True
                if control[PRUNE] and plain and not leaf:
                    _survey(t, s, mover, found)
                    if normal and found[0] >= 0:
                        returned = soonest
                        leaf = True
                        lines[level, level] = found[0]
                        lines[level, level + 1] = -1
                    elif normal and found[1] >= 0 and left > 1 and may_play(t, s, found[1], 0):
                        forced = found[1]
                    if control[EXACT] and not leaf:
                        mine, theirs = found[2], found[3]
                        if t[MISERE]:
                            mine, theirs = theirs, mine
                        if theirs == 0:
                            bests[level] = 0.0
                            alphas[level] = max(alphas[level], 0.0)
                        if mine == 0:
                            betas[level] = min(betas[level], 0.0)
                        if alphas[level] >= betas[level]:
                            returned = 0.0
                            leaf = True
                floors[level] = alphas[level]
                if tabled and not leaf and left > 1:
                    classes[level] = hashes[level]
                    images[level] = 0
                    if s[PLIES] <= control[SYMMETRY_PLIES] and len(permutations) > 1:
                        classes[level] = class_key(t, s, zobrist, permutations, image)
                        images[level] = image[0]
                    slot = classes[level] & mask
                    if table_keys[slot] == classes[level] and table_notes[slot] != 0:
                        note = table_notes[slot]
                        value = table_values[slot]
                        bound = note & 3
                        image_move = (note >> 2 & 0xFFFFFFFF) - 1
                        if image_move >= 0:
                            for cell in range(permutations.shape[1]):
                                if permutations[images[level], cell] == image_move:
                                    first = cell
                                    break
                        same = note >> 34 == left
                        if (same or abs(value) > WIN / 2) and (
                            bound == _EQUAL
                            or (bound == _LOWER and value >= betas[level])
                            or (bound == _UPPER and value <= alphas[level])
                        ):
                            returned = value
                            leaf = True
                if not leaf:
                    if forced >= 0:
                        moves[level, 0] = forced
                        counts[level] = 1
                    else:
                        counts[level] = legal_moves(t, s, moves[level])
                    _order(
                        weighed,
                        stones,
                        difference,
                        kinds,
                        sign,
                        moves[level],
                        keys[level],
                        counts[level],
                        first,
                    )
                    nexts[level] = 0
        elif nexts[level] < counts[level] and (bests[level] < betas[level] or not control[PRUNE]):
            leaf = False
        else:
            returned = bests[level]
            if tabled and left > 1:
                slot = classes[level] & mask
                bound = _EQUAL
                if returned <= floors[level]:
                    bound = _UPPER
                elif returned >= betas[level]:
                    bound = _LOWER
                kept = best_moves[level]
                if kept >= 0:
                    kept = permutations[images[level], kept]
                table_keys[slot] = classes[level]
                table_values[slot] = returned
                table_notes[slot] = bound + ((kept + 1) << 2) + (np.int64(left) << 34)
        if leaf:
            if level == 0:
                break
            undo(t, s)
            if control[SHADOW]:
                undo(weighed, stones)
            level -= 1
            if -returned > bests[level]:
                bests[level] = -returned
                best_moves[level] = moves[level, nexts[level] - 1]
                if -returned > alphas[level]:
                    if control[PRUNE]:
                        alphas[level] = -returned
                    lines[level, level] = moves[level, nexts[level] - 1]
                    for i in range(level + 1, top + 1):
                        lines[level, i] = lines[level + 1, i]
                        if lines[level, i] < 0:
                            break
            entering = False
            continue
        i = nexts[level]
        cell = moves[level, i]
        nexts[level] += 1
        mover = s[PLIES] % 2
        values[level + 1] = (
            values[level] + (direction if mover == 0 else -direction) * keys[level, i]
        )
        hashes[level + 1] = hashes[level] ^ zobrist[mover, cell]
        alphas[level + 1] = -betas[level]
        betas[level + 1] = -alphas[level]
        play(t, s, cell)
        if control[SHADOW]:
            play(weighed, stones, cell)
        level += 1
        entering = True
    for i in range(min(len(line), top + 1)):
        line[i] = lines[0, i]
        if line[i] < 0:
            break
    return returned
