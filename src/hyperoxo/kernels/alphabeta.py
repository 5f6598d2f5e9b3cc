"""Alpha-beta: one seat against all others together, with a transposition table.

Values are from the seat's point of view: WIN less the ply of the end where the seat wins, the
negative where it does not and another player does, 0 in a draw. The seat maximises and all others
minimise, so that winners shorten the game and losers prolong it.

Leaf evaluation and move order are arguments of the search. In games of two players in turn
`difference` float64 ``[K, W, W]`` is the value of a line to player 1 less that to player 2, by kind
of line, stones of player 1 and stones of player 2; the evaluation is the sum over lines, updated
incrementally along each move, and moves are ordered by its change. Without it, leaves have the
value of a user's `evaluation`, in games of two, or the sums over lines of
:func:`hyperoxo.kernels.evaluation.by_lines`; moves are ordered by the stones on their lines.

A search that reaches the full board never evaluates and is *exact*. Used besides, where one line
ends the game: a line that can be completed is; in normal play a player who moves right before a
rival who threatens to complete a line must fill that cell; a player with no line left to complete
cannot win (in misère play: lose) by one.

References
----------
D. Knuth and R. Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6, 1975;
N. Sturtevant and R. Korf, "On pruning techniques for multi-player games", AAAI 2000.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Floats, Ints, Longs, Words
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.evaluation import WIN, Weighed, by_lines, finished, user_value
from hyperoxo.kernels.line_bounds import HIGH, LOW, bound_by_lines
from hyperoxo.kernels.state import legal_moves, lines_of, play, undo

PRUNE, SYMMETRY_PLIES, EXACT, SHADOW, CONTROL_SIZE = range(3, 8)
"""Entries of `control` after the common ones: pruning on; last ply with look-up by class; search
to the full board; weighed structure other than the game's lines."""

# A table entry has its key, its value, and a note, from the lowest bit: kind of bound (2 bits, 0 in
# a free entry), best move + 1 on the canonical image (32), plies searched below it.
_LOWER, _UPPER, _EQUAL = 1, 2, 3


class Table(NamedTuple):
    """A transposition table, reusable for the same game, seat and leaf evaluation."""

    zobrist: Words
    """``[q, N]``."""
    permutations: Ints
    """``[G, N]``: those that preserve the game, or only the identity."""
    keys: Words
    """As many as `values` and `notes`, a power of two; 2 for no table."""
    values: Floats
    notes: Longs


class Levels(NamedTuple):
    """The stack: an entry or a row for each level, and scratch arrays."""

    # Moves and their ordering keys ``[levels, M]``; their number, and the next to try.
    moves: Ints
    keys: Floats
    counts: Longs
    nexts: Longs
    # Best value so far and its move, or -1.
    bests: Floats
    best_moves: Longs
    # The window, narrowed as moves are tried; and as it was before the first move, by which the
    # table tells bounds from values.
    alphas: Floats
    betas: Floats
    floors: Floats
    ceilings: Floats
    # Static evaluation for player 1, if it is updated incrementally.
    values: Floats
    # Zobrist key of the position, key of its class, and the symmetry that leads to the class.
    hashes: Words
    classes: Words
    images: Longs
    # Triangular table of principal variations: row k has that of level k from column k on, to -1.
    lines: Ints
    # Output of `bound_by_lines` and of `_class_key`.
    bounds: Floats
    found: Ints
    image: Longs


@njit(nogil=True)
def _new_levels(t: Ints, s: Ints, top: int, zobrist: Words) -> Levels:
    playable = t[state.PLAYABLE]
    numbers = np.zeros((6, top))
    counters = np.zeros((4, top), np.int64)
    words = np.zeros((2, top), np.uint64)
    for ply in range(s[state.PLIES]):
        cell = s[t[state.S_HISTORY] + ply]
        words[0, 0] ^= zobrist[s[t[state.S_OWNER] + cell] - 1, cell]
    return Levels(
        np.empty((top, playable), np.int32),
        np.empty((top, playable), np.float64),
        counters[0],
        counters[1],
        numbers[0],
        counters[2],
        numbers[1],
        numbers[2],
        numbers[3],
        numbers[4],
        numbers[5],
        words[0],
        words[1],
        counters[3],
        np.full((top + 1, top + 1), -1, np.int32),
        np.zeros(2, np.float64),
        np.zeros(4, np.int32),
        np.zeros(1, np.int64),
    )


@njit(**NO_REFCOUNT)
def _evaluate(t: Ints, s: Ints, difference: Floats, kinds: Ints) -> float:
    """Return the sum of line differences of a position, for player 1."""
    total = 0.0
    for line in range(t[state.LINES]):
        at = t[state.S_COUNT] + 2 * line
        total += difference[kinds[line], s[at], s[at + 1]]
    return total


@njit(**NO_REFCOUNT)
def _change(t: Ints, s: Ints, difference: Floats, kinds: Ints, cell: int) -> float:
    """Return the change of the evaluation when the player to move plays `cell`."""
    first, second = (1, 0) if s[state.PLIES] % 2 == 0 else (0, 1)
    total = 0.0
    for j in lines_of(t, cell):
        at = t[state.S_COUNT] + 2 * t[j]
        kind = kinds[t[j]]
        a, b = s[at], s[at + 1]
        total += difference[kind, a + first, b + second] - difference[kind, a, b]
    return total


@njit(**NO_REFCOUNT)
def _stones_near(t: Ints, s: Ints, seat: int, cell: int) -> int:
    """Return a weight of the stones of one side alone on the lines through a cell."""
    # A line counts 4 times as much a stone, so that longer lines come first; the seat's own count
    # twice, and those with stones of both sides, or of two rivals, nothing.
    players = t[state.PLAYERS]
    weight = 0
    for j in lines_of(t, cell):
        at = t[state.S_COUNT] + t[j] * players
        own = s[at + seat]
        rivals, owners = 0, 0
        for player in range(players):
            if player != seat and s[at + player]:
                rivals += s[at + player]
                owners += 1
        if rivals == 0:
            weight += 4 << (2 * min(own, 12))
        elif own == 0 and owners == 1:
            weight += 2 << (2 * min(rivals, 12))
    return -weight if t[state.MISERE] else weight


@njit(**NO_REFCOUNT)
def _sort(moves: Ints, keys: Floats, count: int, first: int) -> None:
    """Sort the first `count` moves by key, greatest first, and `first` before all others."""
    for i in range(1, count):
        move, key = moves[i], keys[i]
        j = i
        while j > 0 and moves[j - 1] != first and (keys[j - 1] < key or move == first):
            moves[j], keys[j] = moves[j - 1], keys[j - 1]
            j -= 1
        moves[j], keys[j] = move, key


@njit(**NO_REFCOUNT)
def _class_key(t: Ints, s: Ints, zobrist: Words, permutations: Ints, found: Longs) -> np.uint64:
    """Return the least key among the images of a position; `found[0]` the permutation."""
    best = np.uint64(0xFFFFFFFFFFFFFFFF)
    for g in range(len(permutations)):
        key = np.uint64(0)
        for ply in range(s[state.PLIES]):
            cell = s[t[state.S_HISTORY] + ply]
            key ^= zobrist[s[t[state.S_OWNER] + cell] - 1, permutations[g, cell]]
        if key < best:
            best = key
            found[0] = g
    return best


@njit(**NO_REFCOUNT)
def _bounded(
    t: Ints, s: Ints, levels: Levels, level: int, seat: int, left: int, exact: bool
) -> tuple[bool, bool, float]:
    """Narrow the window of a running position by its ply and its lines."""
    # Return whether that gives a cutoff, whether a cell must be filled, and the value.
    # 1. No win is sooner than with the next stone: win-distance pruning.
    mine = t[t[state.T_MOVERS] + s[state.PLIES]] == seat
    soonest = WIN - s[state.PLIES] - 1
    alpha, beta = levels.alphas[level], levels.betas[level]
    if alpha >= soonest or beta <= -soonest:
        return True, False, soonest if alpha >= soonest else -soonest
    # 2. Bounds by lines that meet, or that lie outside the window.
    forced = bound_by_lines(t, s, seat, exact, left, levels.bounds, levels.found)
    low, high = levels.bounds[LOW], levels.bounds[HIGH]
    if low == high or alpha >= high or beta <= low:
        if levels.found[0] >= 0:
            levels.lines[level, level] = levels.found[0]
            levels.lines[level, level + 1] = -1
        return True, forced, low if beta <= low else high
    # 3. A sure draw is the least that the mover takes: only a move that beats it counts.
    if mine and low == 0.0:
        levels.bests[level] = low
    elif not mine and high == 0.0:
        levels.bests[level] = high
    levels.alphas[level] = max(alpha, low)
    levels.betas[level] = min(beta, high)
    return False, forced, 0.0


@njit(**NO_REFCOUNT)
def _known(
    t: Ints, s: Ints, table: Table, levels: Levels, level: int, left: int, symmetry_plies: int
) -> tuple[bool, float, int]:
    """Probe the table; return whether the entry gives a cutoff, its value, and a move or -1."""
    # 1. The key, of the least image near the root.
    permutations = table.permutations
    levels.classes[level] = levels.hashes[level]
    levels.images[level] = 0
    if s[state.PLIES] <= symmetry_plies and len(permutations) > 1:
        levels.classes[level] = _class_key(t, s, table.zobrist, permutations, levels.image)
        levels.images[level] = levels.image[0]
    slot = levels.classes[level] & np.uint64(len(table.keys) - 1)
    if table.keys[slot] != levels.classes[level] or table.notes[slot] == 0:
        return False, 0.0, -1
    # 2. The stored move is one of the image: its preimage is the move here.
    note = table.notes[slot]
    value = table.values[slot]
    bound = note & 3
    image_move = (note >> 2 & 0xFFFFFFFF) - 1
    first = -1
    if image_move >= 0:
        for cell in range(permutations.shape[1]):
            if permutations[levels.images[level], cell] == image_move:
                first = cell
                break
    # 3. A heuristic value holds for its depth alone, a decided game for every depth. A bound must
    #    lie on the right side of the window.
    same = note >> 34 == left
    known = (same or abs(value) > WIN / 2) and (
        bound == _EQUAL
        or (bound == _LOWER and value >= levels.betas[level])
        or (bound == _UPPER and value <= levels.alphas[level])
    )
    return known, value, first


@njit(**NO_REFCOUNT)
def _list_moves(
    t: Ints,
    s: Ints,
    seat: int,
    levels: Levels,
    level: int,
    forced: bool,
    first: int,
    difference: Floats | None,
    weighed: Weighed,
) -> None:
    """List the moves, `first` and then the most promising, or the forced one alone."""
    moves, keys = levels.moves[level], levels.keys[level]
    levels.nexts[level] = 0
    if forced:
        moves[0] = levels.found[1]
        count = 1
    else:
        count = legal_moves(t, s, moves)
    levels.counts[level] = count
    upwards = (t[t[state.T_MOVERS] + s[state.PLIES]] == 0) != (t[state.MISERE] != 0)
    for i in range(count):
        if difference is not None:
            change = _change(weighed.tables, weighed.stones, difference, weighed.kinds, moves[i])
            keys[i] = change if upwards else -change
        else:
            keys[i] = _stones_near(t, s, seat, moves[i])
    _sort(moves, keys, count, first)


@njit(**NO_REFCOUNT)
def _enter_in_table(table: Table, levels: Levels, level: int, left: int, value: float) -> None:
    """Store a searched position; the newest entry always replaces an older one."""
    slot = levels.classes[level] & np.uint64(len(table.keys) - 1)
    bound = _EQUAL
    if value <= levels.floors[level]:
        bound = _UPPER
    elif value >= levels.ceilings[level]:
        bound = _LOWER
    move = levels.best_moves[level]
    if move >= 0:
        move = np.int64(table.permutations[levels.images[level], move])
    table.keys[slot] = levels.classes[level]
    table.values[slot] = value
    table.notes[slot] = bound + ((move + 1) << 2) + (np.int64(left) << 34)


@njit(**NO_REFCOUNT)
def _copy_until_end(source: Ints, into: Ints) -> None:
    """Copy a variation with the -1 that ends it, as far as there is room."""
    for i in range(min(len(source), len(into))):
        into[i] = source[i]
        if into[i] < 0:
            break


@njit(**NO_REFCOUNT)
def _back_up(levels: Levels, level: int, returned: float, mine: bool, prune: bool) -> None:
    """Back a value up to the position before the move, and narrow its window."""
    # Fail-soft: the best value may lie outside the window, where it is a bound. Only a value inside
    # has a principal variation.
    better = returned > levels.bests[level] if mine else returned < levels.bests[level]
    if not better:
        return
    move = levels.moves[level, levels.nexts[level] - 1]
    levels.bests[level] = returned
    levels.best_moves[level] = move
    if returned > levels.alphas[level] if mine else returned < levels.betas[level]:
        if prune and mine:
            levels.alphas[level] = returned
        elif prune:
            levels.betas[level] = returned
        lines = levels.lines
        lines[level, level] = move
        _copy_until_end(lines[level + 1, level + 1 :], lines[level, level + 1 :])


@njit(**NO_REFCOUNT)
def undo_both(t: Ints, s: Ints, weighed: Weighed, shadow: bool) -> None:
    """Take the last stone back, on the weighed structure too."""
    undo(t, s)
    if shadow:
        undo(weighed.tables, weighed.stones)


@njit(cache=False, nogil=True)
def _leaf(
    t: Ints,
    s: Ints,
    seat: int,
    value: float,
    difference: Floats | None,
    evaluation: Callable[..., float] | None,
    weighed: Weighed,
    sums: Floats,
) -> float:
    """Return the value of a leaf; `value` is the sum of `difference` over its lines."""
    # It takes a user's function, and so is not kept on disk.
    sign = -1.0 if t[state.MISERE] else 1.0
    if difference is not None:
        return value * (sign if seat == 0 else -sign)
    if evaluation is not None:
        own, other = user_value(t, s, evaluation, seat), user_value(t, s, evaluation, 1 - seat)
        return sign * (own - weighed.bias * other)
    by_lines(t, weighed, sums)
    return float(sums[seat])


def _search(
    t: Ints,
    s: Ints,
    seat: int,
    depth: int,
    alpha: float,
    beta: float,
    difference: Floats | None,
    evaluation: Callable[..., float] | None,
    weighed: Weighed,
    table: Table,
    visits: Longs,
    line: Ints,
    control: Longs,
) -> float:
    """Search `depth` plies and return the value of state `s` for `seat`, counted from 0."""
    # Fail-soft: with score the exact depth-limited value, `returned <= alpha` implies `score <=
    # returned`, `returned >= beta` implies `score >= returned`, and otherwise they are equal. Needs
    # `alpha < beta`; the state is restored, whatever happens. NaN when the node limit or the stop
    # flag ended the search.
    # `visits` int64 `[depth + 1]` gains the nodes by depth; `line` int32 `[depth + 2]` receives the
    # principal variation, ended by -1.
    # Level k is k plies below the root. `entering` is True on the way down, False on the way up.
    levels = _new_levels(t, s, depth + 1, table.zobrist)
    counts, nexts, lines = levels.counts, levels.nexts, levels.lines
    alphas, betas, values = levels.alphas, levels.betas, levels.values
    sums = np.zeros(t[state.PLAYERS], np.float64)
    direction = -1.0 if t[state.MISERE] else 1.0
    if difference is not None:
        values[0] = _evaluate(weighed.tables, weighed.stones, difference, weighed.kinds)
    alphas[0], betas[0] = alpha, beta
    tabled = len(table.keys) > 2
    prune, shadow, exact = control[PRUNE] != 0, control[SHADOW] != 0, control[EXACT] != 0
    level = 0
    entering = True
    while True:
        leaf, returned, left = True, 0.0, depth - level
        mover = t[t[state.T_MOVERS] + s[state.PLIES]]
        if entering:
            # 1. A limit: the state goes back as it was.
            visits[level] += 1
            if visit(control):
                for _ in range(level):
                    undo_both(t, s, weighed, shadow)
                return np.nan
            lines[level, level] = -1
            # 2. A finished game, or a leaf.
            if s[state.RESULT] != 0:
                returned = finished(s, seat)
            elif left == 0:
                returned = _leaf(t, s, seat, values[level], difference, evaluation, weighed, sums)
            else:
                leaf = False
                first, forced = -1, False
                levels.bests[level] = -np.inf if mover == seat else np.inf
                levels.best_moves[level] = -1
                # 3. A narrower window by ply and lines, which may close it. The table's bounds are
                #    relative to this window, so floors and ceilings are noted after it.
                if prune:
                    leaf, forced, returned = _bounded(t, s, levels, level, seat, left, exact)
                levels.floors[level], levels.ceilings[level] = alphas[level], betas[level]
                # 4. A transposition, near the root under symmetries too; but not one ply before a
                #    leaf, where there is least to save.
                if tabled and not leaf and left > 1:
                    plies = control[SYMMETRY_PLIES]
                    leaf, returned, first = _known(t, s, table, levels, level, left, plies)
                # 5. The moves, the most promising first, or the one that is forced.
                if not leaf:
                    _list_moves(t, s, seat, levels, level, forced, first, difference, weighed)
        elif nexts[level] < counts[level] and alphas[level] < betas[level]:
            leaf = False
        else:
            # 6. All moves are tried, or a beta cutoff: the position is stored.
            returned = levels.bests[level]
            if tabled and left > 1:
                _enter_in_table(table, levels, level, left, returned)
        if leaf:
            # 7. Back up: the mover takes the better value.
            if level == 0:
                break
            undo_both(t, s, weighed, shadow)
            level -= 1
            _back_up(levels, level, returned, t[t[state.T_MOVERS] + s[state.PLIES]] == seat, prune)
            entering = False
            continue
        # 8. One move deeper. The ordering key of a move is the change of the evaluation that it
        #    makes, with a sign by the mover, so it updates the evaluation at no cost.
        cell = levels.moves[level, nexts[level]]
        if difference is not None:
            sign = direction if mover == 0 else -direction
            values[level + 1] = values[level] + sign * levels.keys[level, nexts[level]]
        nexts[level] += 1
        levels.hashes[level + 1] = levels.hashes[level] ^ table.zobrist[mover, cell]
        alphas[level + 1], betas[level + 1] = alphas[level], betas[level]
        play(t, s, cell)
        if shadow:
            play(weighed.tables, weighed.stones, cell)
        level += 1
        entering = True
    _copy_until_end(lines[0], line)
    return returned


search = njit(nogil=True)(_search)
"""The search with tables of lines, `evaluation` None."""

search_by_function = njit(cache=False, nogil=True)(_search)
"""The search with a function, recompiled for every one and not kept on disk."""
