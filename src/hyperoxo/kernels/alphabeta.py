"""Alpha-beta: one seat against all others together, with a transposition table.

Values are from the seat's point of view: WIN less the ply of the end where the seat wins, the
negative where it does not and somebody else does, 0 in a draw. The seat maximises and all others
minimise, so that winners shorten the game and losers prolong it.

What a leaf is worth and how moves are ordered are arguments of the search. In games of two
players in turn `difference` float64 ``[K, W, W]`` gives, by kind of line, stones of player 1 and
stones of player 2, what a line is worth to player 1 minus what it is worth to player 2; the
evaluation is the sum over lines, kept up to date by the lines through each move, and moves are
ordered by its change. Without it, leaves are worth what a user's `evaluation` says, in games of
two, or the sums over lines of :func:`hyperoxo.kernels.evaluation.by_lines`; moves are ordered by
the stones on their lines.

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

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Floats, Ints, Longs, Words, fill
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.evaluation import WIN, by_lines, finished, worth
from hyperoxo.kernels.state import (
    CLASSIC,
    LINES,
    MAKER_ONLY,
    MISERE,
    PLAYABLE,
    PLAYERS,
    PLIES,
    RESULT,
    S_COUNT,
    S_HISTORY,
    S_OWNER,
    T_CELL_LINES,
    T_CELL_PTR,
    T_MOVERS,
    T_SIZES,
    TARGET,
    completing_cell,
    legal_moves,
    may_play,
    play,
    undo,
)

PRUNE, SYMMETRY_PLIES, EXACT, SHADOW, CONTROL_SIZE = range(3, 8)
"""Entries of the control array after those of all searches: whether to prune at all; up to which
ply positions are looked up by their class; whether the search reaches the full board; whether the
weighed structure is another than the game's lines."""

_LOWER, _UPPER, _EQUAL = 1, 2, 3
_LOW, _HIGH = 0, 1


@njit(**NO_REFCOUNT)
def _evaluate(t: Ints, s: Ints, difference: Floats, kinds: Ints) -> float:
    """Return the sum of line differences of a position, for player 1."""
    total = 0.0
    for line in range(t[LINES]):
        at = t[S_COUNT] + 2 * line
        total += difference[kinds[line], s[at], s[at + 1]]
    return total


@njit(**NO_REFCOUNT)
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


@njit(**NO_REFCOUNT)
def _stones_near(t: Ints, s: Ints, seat: int, cell: int) -> int:
    """Return a weight of the stones of one side alone on the lines through a cell."""
    players = t[PLAYERS]
    weight = 0
    start = t[T_CELL_LINES] + t[t[T_CELL_PTR] + cell]
    end = t[T_CELL_LINES] + t[t[T_CELL_PTR] + cell + 1]
    for j in range(start, end):
        at = t[S_COUNT] + t[j] * players
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
    return -weight if t[MISERE] else weight


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
        for ply in range(s[PLIES]):
            cell = s[t[S_HISTORY] + ply]
            key ^= zobrist[s[t[S_OWNER] + cell] - 1, permutations[g, cell]]
        if key < best:
            best = key
            found[0] = g
    return best


@njit(**NO_REFCOUNT)
def _survey(t: Ints, s: Ints, seat: int, found: Ints) -> None:
    """Look at all lines of a target-1 game.

    `found` int32 ``[4]``: a cell where the player to move may complete a line or -1, one where
    the next player may do so in the next ply, if all take one cell a turn, and whether the seat,
    and whether any other, can still complete one.
    """
    players = t[PLAYERS]
    mover = t[t[T_MOVERS] + s[PLIES]]
    after = (mover + 1) % players
    found[0] = found[1] = -1
    found[2] = found[3] = 0
    for line in range(t[LINES]):
        at = t[S_COUNT] + line * players
        owner, owners = -1, 0
        for player in range(players):
            if s[at + player]:
                owner = player
                owners += 1
        if owners > 1:
            continue
        if owner < 0 or owner == seat:
            found[2] = 1
        if owner != seat:
            found[3] = 1
        short = t[t[T_SIZES] + line] - 1
        if found[0] < 0 and s[at + mover] == short and (owner < 0 or owner == mover):
            found[0] = completing_cell(t, s, line, 0)
        if found[1] < 0 and s[at + after] == short and (owner < 0 or owner == after):
            found[1] = completing_cell(t, s, line, 1)


@njit(**NO_REFCOUNT)
def _survey_two(t: Ints, s: Ints, seat: int, found: Ints) -> None:
    """Do what `_survey` does for two players, in half the time."""
    mover = t[t[T_MOVERS] + s[PLIES]]
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
    if mover != seat:
        found[2], found[3] = found[3], found[2]


@njit(**NO_REFCOUNT)
def _maker_alive(t: Ints, s: Ints) -> bool:
    """Whether player 1 can still complete a line, in a game of two players."""
    alive = 0
    for line in range(t[LINES]):
        alive += s[t[S_COUNT] + 2 * line + 1] == 0
    return bool(alive > 0)


@njit(**NO_REFCOUNT)
def _bound(
    t: Ints, s: Ints, seat: int, exact: bool, left: int, bounds: Floats, found: Ints
) -> bool:
    """Bound the value of a running position by its lines; return whether a cell must be filled.

    `bounds` float64 ``[2]`` gets the least and the greatest value, `found[0]` the cell where the
    mover completes a line and wins, or -1, and `found[1]` the cell to fill.
    """
    mine = t[t[T_MOVERS] + s[PLIES]] == seat
    soonest = WIN - s[PLIES] - 1
    bounds[_LOW], bounds[_HIGH] = -soonest, soonest
    found[0] = -1
    if t[MAKER_ONLY]:
        # 1. Where player 1 alone completes lines, the other side wins on the full board and not
        #    before: in normal play the second player, in misère play the first.
        at_last = WIN - t[PLAYABLE]
        if seat == 1 - t[MISERE]:
            bounds[_HIGH] = at_last
            if not _maker_alive(t, s):
                bounds[_LOW] = at_last
        else:
            bounds[_LOW] = -at_last
            if not _maker_alive(t, s):
                bounds[_HIGH] = -at_last
        return False
    if t[TARGET] != 1:
        return False
    # 2. Only in normal play must a loss wait for the next move.
    if not t[MISERE]:
        if mine:
            bounds[_LOW] = 1 - soonest
        else:
            bounds[_HIGH] = soonest - 1
    if t[PLAYERS] == 2:
        _survey_two(t, s, seat, found)
    else:
        _survey(t, s, seat, found)
    # 3. A line that can be completed is.
    if not t[MISERE] and found[0] >= 0:
        fill(bounds, soonest if mine else -soonest)
        return False
    found[0] = -1
    # 4. Who can complete no line any more does not win by one.
    if exact:
        own, others = found[2], found[3]
        if t[MISERE]:
            own, others = others, own
        if not own:
            bounds[_HIGH] = min(0.0, bounds[_HIGH])
        if not others:
            bounds[_LOW] = max(0.0, bounds[_LOW])
    # 5. The next player's threat must be met, but between two of the others.
    met = mine or (s[PLIES] + 1) % t[PLAYERS] == seat
    threatened = t[CLASSIC] and not t[MISERE] and found[1] >= 0 and left > 1 and met
    return bool(threatened and may_play(t, s, found[1], 0))


def _search(
    t: Ints,
    s: Ints,
    seat: int,
    depth: int,
    alpha: float,
    beta: float,
    difference: Floats | None,
    evaluation: Callable[..., float] | None,
    weights: Floats,
    kinds: Ints,
    bias: float,
    weighed: Ints,
    stones: Ints,
    zobrist: Words,
    permutations: Ints,
    table_keys: Words,
    table_values: Floats,
    table_notes: Longs,
    visits: Longs,
    line: Ints,
    control: Longs,
) -> float:
    """Search `depth` plies and return the value of state `s` for `seat`, counted from 0.

    Fail-soft: with score the exact depth-limited value, ``returned <= alpha`` implies
    ``score <= returned``, ``returned >= beta`` implies ``score >= returned``, and otherwise
    they are equal. Needs ``alpha < beta``; the state is restored, whatever happens. NaN
    when the node limit or the stop flag ended the search.

    `bias` weighs the rivals at leaves that have no `difference`. `weighed` and `stones` are tables
    and state of the structure that is weighed: `t` and `s` again or, with the SHADOW entry set,
    another board with the same stones. `zobrist` uint64 ``[q, N]``; `permutations` int32
    ``[G, N]``, those that preserve the game, or only the identity. The three table arrays have the
    same length, a power of two, 2 for no table; they may be used again for the same game, seat and
    leaves. `visits` int64 ``[depth + 1]`` gains the nodes by depth; `line` int32 ``[depth + 2]``
    receives the principal variation, ended by -1.
    """
    movers = t[T_MOVERS]
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
    ceilings = np.empty(top, np.float64)
    values = np.zeros(top, np.float64)
    hashes = np.zeros(top, np.uint64)
    classes = np.zeros(top, np.uint64)
    images = np.zeros(top, np.int64)
    lines = np.full((top + 1, top + 1), -1, np.int32)
    bounds = np.zeros(2, np.float64)
    found = np.zeros(4, np.int32)
    image = np.zeros(1, np.int64)
    sums = np.zeros(t[PLAYERS], np.float64)
    direction = -1.0 if t[MISERE] else 1.0
    if difference is not None:
        values[0] = _evaluate(weighed, stones, difference, kinds)
    alphas[0], betas[0] = alpha, beta
    for ply in range(s[PLIES]):
        cell = s[t[S_HISTORY] + ply]
        hashes[0] ^= zobrist[s[t[S_OWNER] + cell] - 1, cell]
    tabled = len(table_keys) > 2
    mask = np.uint64(len(table_keys) - 1)
    level = 0
    entering = True
    while True:
        leaf = True
        returned = 0.0
        left = depth - level
        mover = t[movers + s[PLIES]]
        mine = mover == seat
        if entering:
            # 1. A limit: the state goes back as it was.
            visits[level] += 1
            if visit(control):
                for _ in range(level):
                    undo(t, s)
                    if control[SHADOW]:
                        undo(weighed, stones)
                return np.nan
            lines[level, level] = -1
            # 2. A finished game, or a leaf.
            if s[RESULT] != 0:
                returned = finished(s, seat)
            elif left == 0:
                if difference is not None:
                    returned = values[level] * (direction if seat == 0 else -direction)
                elif evaluation is not None:
                    own, other = worth(t, s, evaluation, seat), worth(t, s, evaluation, 1 - seat)
                    returned = direction * (own - bias * other)
                else:
                    by_lines(t, weighed, stones, weights, kinds, bias, sums)
                    returned = sums[seat]
            else:
                leaf = False
                first = -1
                forced = False
                bests[level] = -np.inf if mine else np.inf
                best_moves[level] = -1
                # 3. What the ply and the lines say: a value within bounds, which may be enough.
                soonest = WIN - s[PLIES] - 1
                if control[PRUNE] and (alphas[level] >= soonest or betas[level] <= -soonest):
                    returned = soonest if alphas[level] >= soonest else -soonest
                    leaf = True
                elif control[PRUNE]:
                    forced = _bound(t, s, seat, control[EXACT] != 0, left, bounds, found)
                    low, high = bounds[_LOW], bounds[_HIGH]
                    if low == high or alphas[level] >= high or betas[level] <= low:
                        returned = low if betas[level] <= low else high
                        leaf = True
                        if found[0] >= 0:
                            lines[level, level] = found[0]
                            lines[level, level + 1] = -1
                    elif mine and low == 0.0:
                        bests[level] = low
                    elif not mine and high == 0.0:
                        bests[level] = high
                    alphas[level] = max(alphas[level], low)
                    betas[level] = min(betas[level], high)
                floors[level], ceilings[level] = alphas[level], betas[level]
                # 4. Known from another order of moves, near the root under symmetries too.
                if tabled and not leaf and left > 1:
                    classes[level] = hashes[level]
                    images[level] = 0
                    if s[PLIES] <= control[SYMMETRY_PLIES] and len(permutations) > 1:
                        classes[level] = _class_key(t, s, zobrist, permutations, image)
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
                # 5. The moves, the most promising first, or the one that is forced.
                if not leaf:
                    nexts[level] = 0
                    if forced:
                        moves[level, 0] = found[1]
                        counts[level] = 1
                    else:
                        counts[level] = legal_moves(t, s, moves[level])
                    for i in range(counts[level]):
                        if difference is not None:
                            sign = direction if mover == 0 else -direction
                            keys[level, i] = sign * _change(
                                weighed, stones, difference, kinds, moves[level, i]
                            )
                        else:
                            keys[level, i] = _stones_near(t, s, seat, moves[level, i])
                    _sort(moves[level], keys[level], counts[level], first)
        elif nexts[level] < counts[level] and alphas[level] < betas[level]:
            leaf = False
        else:
            # 6. All moves are tried, or one refutes the move before: what was found is noted.
            returned = bests[level]
            if tabled and left > 1:
                slot = classes[level] & mask
                bound = _EQUAL
                if returned <= floors[level]:
                    bound = _UPPER
                elif returned >= ceilings[level]:
                    bound = _LOWER
                kept = best_moves[level]
                if kept >= 0:
                    kept = permutations[images[level], kept]
                table_keys[slot] = classes[level]
                table_values[slot] = returned
                table_notes[slot] = bound + ((kept + 1) << 2) + (np.int64(left) << 34)
        if leaf:
            # 7. Back up: the mover takes what is better for them.
            if level == 0:
                break
            undo(t, s)
            if control[SHADOW]:
                undo(weighed, stones)
            level -= 1
            move = moves[level, nexts[level] - 1]
            mine = t[movers + s[PLIES]] == seat
            if returned > bests[level] if mine else returned < bests[level]:
                bests[level] = returned
                best_moves[level] = move
                if returned > alphas[level] if mine else returned < betas[level]:
                    if control[PRUNE] and mine:
                        alphas[level] = returned
                    elif control[PRUNE]:
                        betas[level] = returned
                    lines[level, level] = move
                    for i in range(level + 1, top + 1):
                        lines[level, i] = lines[level + 1, i]
                        if lines[level, i] < 0:
                            break
            entering = False
            continue
        # 8. One move deeper.
        cell = moves[level, nexts[level]]
        if difference is not None:
            sign = direction if mover == 0 else -direction
            values[level + 1] = values[level] + sign * keys[level, nexts[level]]
        nexts[level] += 1
        hashes[level + 1] = hashes[level] ^ zobrist[mover, cell]
        alphas[level + 1], betas[level + 1] = alphas[level], betas[level]
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


search = njit(nogil=True)(_search)
"""The search with tables of lines, `evaluation` None."""

search_by_function = njit(cache=False, nogil=True)(_search)
"""The search with a function, compiled anew for every one and not kept on disk."""
