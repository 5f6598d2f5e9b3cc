"""Exact value of a game for one seat against all others together, any number of players.

Values are from the seat's point of view: END less the ply of the end where the seat wins, the
negative where it does not and somebody else does, 0 in a draw. The seat maximises and all
others minimise, so that winners shorten the game and losers prolong it.

Used besides, where one line ends the game: a line that can be completed is; in normal play
a player who moves right before a rival who threatens to complete a line must fill that cell; a
player with no line left to complete cannot win (in misère play: lose) by one.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Ints, Longs, Words
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.minimax import (
    SYMMETRY_PLIES,
    class_key,
    sort_moves,
)
from hyperoxo.kernels.state import (
    CLASSIC,
    DRAW,
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

END = 1 << 20
"""Value of a won game, less the ply on which it is won."""

UNKNOWN = 1 << 30
"""Returned where a limit ended the search."""

_LOWER, _UPPER, _EQUAL = 1, 2, 3


@njit(cache=True, nogil=True)
def _finished(s: Ints, seat: int) -> int:
    """Return the value of a finished game to the seat, counted from 0."""
    result = s[RESULT]
    if result == DRAW:
        return 0
    alone = seat == abs(result) - 1
    value = END - s[PLIES]
    return int(value if alone == (result > 0) else -value)


@njit(cache=True, nogil=True)
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
        if owners == 0 or owner == seat:
            found[2] = 1
        if owners == 0 or owner != seat:
            found[3] = 1
        short = t[t[T_SIZES] + line] - 1
        if found[0] < 0 and s[at + mover] == short and (owners == 0 or owner == mover):
            found[0] = completing_cell(t, s, line, 0)
        if found[1] < 0 and s[at + after] == short and (owners == 0 or owner == after):
            found[1] = completing_cell(t, s, line, 1)


@njit(cache=True, nogil=True)
def _no_line_left(t: Ints, s: Ints) -> bool:
    """Whether player 1 can complete no line any more, in a game of two players."""
    alive = 0
    for line in range(t[LINES]):
        alive += s[t[S_COUNT] + 2 * line + 1] == 0
    return bool(alive == 0)


@njit(cache=True, nogil=True)
def _order(t: Ints, s: Ints, seat: int, moves: Ints, keys: Longs, count: int, first: int) -> None:
    """Sort moves by the stones of one side alone on their lines, and `first` before all."""
    players = t[PLAYERS]
    for i in range(count):
        key = 0
        cell = moves[i]
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
                key += 4 << (2 * min(own, 12))
            elif own == 0 and owners == 1:
                key += 2 << (2 * min(rivals, 12))
        keys[i] = -key if t[MISERE] else key
    sort_moves(moves, keys, count, first)


@njit(cache=True, nogil=True)
def seat_value(
    t: Ints,
    s: Ints,
    seat: int,
    alpha: int,
    beta: int,
    zobrist: Words,
    permutations: Ints,
    table_keys: Words,
    table_values: Ints,
    table_notes: Ints,
    control: Longs,
) -> int:
    """Search to the end of the game and return its value for `seat`, counted from 0.

    Fail-soft: with score the exact value, ``returned <= alpha`` implies ``score <= returned``,
    ``returned >= beta`` implies ``score >= returned``, and otherwise they are equal. Needs
    ``alpha < beta``; the state is restored. UNKNOWN when the node limit or the stop flag ended
    the search.

    `zobrist` uint64 ``[q, N]``; `permutations` int32 ``[G, N]``, those that preserve the game,
    or only the identity. The three table arrays have one length, a power of two, and may be
    used again for the same game and seat. `control` is that of
    :func:`hyperoxo.kernels.minimax.search`.
    """
    players = t[PLAYERS]
    plain = t[TARGET] == 1 and not t[MAKER_ONLY]
    maker_only = t[MAKER_ONLY]
    # Where player 1 alone completes lines, the other side wins on the full board and not before.
    patient = 1 - t[MISERE] if maker_only else -1
    at_last = END - t[PLAYABLE]
    movers = t[T_MOVERS]
    normal = plain and not t[MISERE]
    top = t[PLAYABLE] - s[PLIES] + 1
    moves = np.empty((top, t[PLAYABLE]), np.int32)
    keys = np.empty((top, t[PLAYABLE]), np.int64)
    counts = np.zeros(top, np.int64)
    nexts = np.zeros(top, np.int64)
    bests = np.zeros(top, np.int64)
    best_moves = np.full(top, -1, np.int64)
    alphas = np.zeros(top, np.int64)
    betas = np.zeros(top, np.int64)
    floors = np.zeros(top, np.int64)
    ceilings = np.zeros(top, np.int64)
    hashes = np.zeros(top, np.uint64)
    classes = np.zeros(top, np.uint64)
    images = np.zeros(top, np.int64)
    found = np.zeros(4, np.int32)
    image = np.zeros(1, np.int64)
    mask = np.uint64(len(table_keys) - 1)
    alphas[0], betas[0] = alpha, beta
    for ply in range(s[PLIES]):
        cell = s[t[S_HISTORY] + ply]
        hashes[0] ^= zobrist[s[t[S_OWNER] + cell] - 1, cell]
    level = 0
    entering = True
    while True:
        leaf = True
        returned = 0
        mine = t[movers + s[PLIES]] == seat
        if entering:
            if visit(control):
                for _ in range(level):
                    undo(t, s)
                return UNKNOWN
            soonest = END - s[PLIES] - 1
            if s[RESULT] != 0:
                returned = _finished(s, seat)
            elif alphas[level] >= soonest:
                returned = soonest
            elif betas[level] <= -soonest:
                returned = -soonest
            else:
                leaf = False
                first = -1
                forced = -1
                low, high = -soonest, soonest
                if maker_only:
                    if seat == patient:
                        high = at_last
                    else:
                        low = -at_last
                    if _no_line_left(t, s):
                        low = high = at_last if seat == patient else -at_last
                    if low == high or alphas[level] >= high or betas[level] <= low:
                        returned = low if betas[level] <= low else high
                        leaf = True
                if plain:
                    _survey(t, s, seat, found)
                    mine_open, his_open = found[2], found[3]
                    if t[MISERE]:
                        mine_open, his_open = his_open, mine_open
                    if not mine_open:
                        high = 0
                    if not his_open:
                        low = 0
                    if normal and found[0] >= 0:
                        returned = soonest if mine else -soonest
                        leaf = True
                    elif low == high or alphas[level] >= high:
                        returned = high
                        leaf = True
                    elif betas[level] <= low:
                        returned = low
                        leaf = True
                    elif (
                        normal
                        and t[CLASSIC]
                        and found[1] >= 0
                        # Only between two of the others may a threat be left alone.
                        and (mine or (s[PLIES] + 1) % players == seat)
                        and may_play(t, s, found[1], 0)
                    ):
                        forced = found[1]
                alphas[level] = max(alphas[level], low - 1)
                betas[level] = min(betas[level], high + 1)
                if not leaf:
                    classes[level] = hashes[level]
                    images[level] = 0
                    if s[PLIES] <= control[SYMMETRY_PLIES] and len(permutations) > 1:
                        classes[level] = class_key(t, s, zobrist, permutations, image)
                        images[level] = image[0]
                    slot = classes[level] & mask
                    if table_keys[slot] == classes[level] and table_notes[slot] != 0:
                        value = table_values[slot]
                        bound = table_notes[slot] & 3
                        image_move = (table_notes[slot] >> 2) - 1
                        if (
                            bound == _EQUAL
                            or (bound == _LOWER and value >= betas[level])
                            or (bound == _UPPER and value <= alphas[level])
                        ):
                            returned = value
                            leaf = True
                        elif image_move >= 0:
                            for cell in range(permutations.shape[1]):
                                if permutations[images[level], cell] == image_move:
                                    first = cell
                                    break
                if not leaf:
                    floors[level] = alphas[level]
                    ceilings[level] = betas[level]
                    bests[level] = -END if mine else END
                    best_moves[level] = -1
                    nexts[level] = 0
                    if forced >= 0:
                        moves[level, 0] = forced
                        counts[level] = 1
                    else:
                        counts[level] = legal_moves(t, s, moves[level])
                        _order(t, s, seat, moves[level], keys[level], counts[level], first)
        elif nexts[level] < counts[level] and alphas[level] < betas[level]:
            leaf = False
        else:
            returned = bests[level]
            bound = _EQUAL
            if returned <= floors[level]:
                bound = _UPPER
            elif returned >= ceilings[level]:
                bound = _LOWER
            kept = best_moves[level]
            if kept >= 0:
                kept = permutations[images[level], kept]
            slot = classes[level] & mask
            table_keys[slot] = classes[level]
            table_values[slot] = returned
            table_notes[slot] = bound + ((kept + 1) << 2)
        if leaf:
            if level == 0:
                return int(returned)
            undo(t, s)
            level -= 1
            move = moves[level, nexts[level] - 1]
            if t[movers + s[PLIES]] == seat:
                if returned > bests[level]:
                    bests[level] = returned
                    best_moves[level] = move
                    alphas[level] = max(alphas[level], returned)
            elif returned < bests[level]:
                bests[level] = returned
                best_moves[level] = move
                betas[level] = min(betas[level], returned)
            entering = False
            continue
        cell = moves[level, nexts[level]]
        nexts[level] += 1
        hashes[level + 1] = hashes[level] ^ zobrist[t[movers + s[PLIES]], cell]
        alphas[level + 1] = alphas[level]
        betas[level + 1] = betas[level]
        play(t, s, cell)
        level += 1
        entering = True
