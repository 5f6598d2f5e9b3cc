"""Exhaustive values of small games of several players: forced results, max^n, kingmakers.

`tabulate_all` searches all classes of positions below a position, each once, depth first, and
combines for each the sets of players and of outcomes of its children, as bits:

WINS, DRAWS
    players who can force a win, at least a draw, against all others together;
PLAYS
    outcomes that some play leads to;
MAXN
    outcomes that max^n leads to, each player playing only for themselves, over all ways in which
    players may choose among moves that are equally good to them;
CAREFUL
    outcomes that may come about if all players are careful: of the moves they choose, whichever
    of those that are equal, one whose worst outcome is the best to them and, where that is the
    same, whose best outcome is;
KING
    1 where the mover cannot force a win, and two of the moves hand forced wins to different
    rivals.

Outcome bits: p for a win of player p alone, q + p for a loss of player p alone, 2q for a draw.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Bytes, Ints, Longs, Words, copy, fill
from hyperoxo.kernels.control import NODES, STOP
from hyperoxo.kernels.state import legal_moves, load, new_state, place_of_result, play, undo
from hyperoxo.kernels.table import find_slot
from hyperoxo.kernels.tree import points

WINS, DRAWS, PLAYS, MAXN, CAREFUL, KING, FIELDS = range(7)


@njit(**NO_REFCOUNT)
def _value_of_bit(bit: int, players: int, seat: int) -> int:
    if bit == 2 * players:
        return 1
    return points(bit + 1 if bit < players else players - bit - 1, seat)


@njit(**NO_REFCOUNT)
def _care(outcomes: int, players: int, seat: int) -> int:
    """Return 3 w + b for the half points of a seat in the worst (w) and the best (b) outcome."""
    least, most = 2, 0
    for bit in range(2 * players + 1):
        if outcomes >> bit & 1:
            value = _value_of_bit(bit, players, seat)
            least, most = min(least, value), max(most, value)
    return 3 * least + most


@njit(**NO_REFCOUNT)
def _finished(result: int, players: int, entry: Ints) -> None:
    fill(entry, 0)
    for player in range(players):
        value = points(result, player)
        entry[WINS] |= (value == 2) << player
        entry[DRAWS] |= (value >= 1) << player
    entry[PLAYS] = 1 << place_of_result(result, players)
    entry[MAXN] = entry[CAREFUL] = entry[PLAYS]


@njit(**NO_REFCOUNT)
def _first_images(t: Ints, s: Ints, codes: Words, perms: Ints, images: Words) -> None:
    """Write the key of each image of a position; the least is that of its class."""
    fill(images, 0)
    for i in range(s[state.PLIES]):
        cell = s[t[state.S_HISTORY] + i]
        for g in range(len(perms)):
            images[g] += codes[s[t[state.S_OWNER] + cell], perms[g, cell]]


@njit(**NO_REFCOUNT)
def _choose(masks: Ints, sures: Ints, given: Ints, players: int, mover: int, entry: Ints) -> None:
    """Set MAXN, CAREFUL and KING of a position from its children's sets of outcomes."""
    # max^n keeps the outcomes that are worth as much to the mover as the best worst outcome of a
    # move; CAREFUL and KING are defined above.
    # max^n: ties below may be broken so that each other move is worth its worst to the mover, so
    # an outcome can arise if and only if it is worth at least the greatest of these.
    least = 0
    for i in range(len(masks)):
        least = max(least, _care(masks[i], players, mover) // 3)
    entry[MAXN] = 0
    for bit in range(2 * players + 1):
        if _value_of_bit(bit, players, mover) >= least:
            for i in range(len(masks)):
                entry[MAXN] |= masks[i] & 1 << bit
    # Careful play: all outcomes of the moves with the best worst outcome, then the best best one.
    dearest = 0
    entry[CAREFUL] = 0
    for i in range(len(masks)):
        care = _care(sures[i], players, mover)
        if care > dearest:
            dearest, entry[CAREFUL] = care, 0
        if care == dearest:
            entry[CAREFUL] |= sures[i]
    # Kingmaker: at least two moves give a rival a forced win, and not all the same rival.
    rivals = given[0]
    several = rivals & (rivals - 1) != 0 and given[1] > 1
    entry[KING] = several and not entry[WINS] >> mover & 1


@njit(nogil=True)
def tabulate_all(
    t: Ints, s: Ints, codes: Words, perms: Ints, keys: Words, entries: Ints, control: Longs
) -> int:
    """Fill the table with all running positions from here on."""
    players = t[state.PLAYERS]
    depth = t[state.PLAYABLE] - s[state.PLIES] + 1
    most = len(keys) * 3 // 4
    # A row for each level; `masks` and `sures` hold MAXN and CAREFUL of each child, `given` the set
    # of rivals to whom some move hands a forced win, and the number of such moves.
    moves = np.empty((depth, t[state.PLAYABLE]), np.int32)
    counts = np.zeros(depth, np.int64)
    nexts = np.zeros(depth, np.int64)
    own_keys = np.zeros(depth, np.uint64)
    entry = np.zeros(FIELDS, np.int32)
    sums = np.zeros((depth, FIELDS), np.int32)
    masks = np.zeros((depth, t[state.PLAYABLE]), np.int32)
    sures = np.zeros((depth, t[state.PLAYABLE]), np.int32)
    given = np.zeros((depth, 2), np.int32)
    # Keys of all images, updated move by move.
    images = np.zeros((depth, len(perms)), np.uint64)
    _first_images(t, s, codes, perms, images[0])
    filled = entries[:, PLAYS]
    classes = 0
    level = 0
    entering = True
    while True:
        known = False
        if entering:
            # 1. A finished game, or a class that was searched before, has its entry.
            if s[state.RESULT] != 0:
                _finished(s[state.RESULT], players, entry)
                known = True
            else:
                own_keys[level] = images[level].min()
                place = find_slot(keys, filled, own_keys[level])
                if filled[place]:
                    copy(entry, entries[place])
                    known = True
                else:
                    # 2. A new one: the others force what every move leaves them (intersection),
                    #    the mover what some move gives (union).
                    mover = s[state.PLIES] % players
                    counts[level] = legal_moves(t, s, moves[level])
                    nexts[level] = 0
                    everybody = (1 << players) - 1
                    sums[level, WINS] = everybody & ~(1 << mover)
                    sums[level, DRAWS] = everybody & ~(1 << mover)
                    sums[level, PLAYS] = 0
                    fill(given[level], 0)
        if not known:
            # 3. One move deeper; the keys of the images gain the new stone.
            if nexts[level] < counts[level]:
                cell = moves[level, nexts[level]]
                owner = s[state.PLIES] % players + 1
                play(t, s, cell)
                nexts[level] += 1
                level += 1
                if s[state.RESULT] == 0:
                    for g in range(len(perms)):
                        images[level, g] = images[level - 1, g] + codes[owner, perms[g, cell]]
                entering = True
                continue
            # 4. All children are known.
            mover = s[state.PLIES] % players
            copy(entry, sums[level])
            masks_here, sures_here = masks[level, : counts[level]], sures[level, : counts[level]]
            _choose(masks_here, sures_here, given[level], players, mover, entry)
            # 5. The entry is stored, in the gap where the key belongs now: classes found since may
            #    have taken the one of step 1. Linear probing stays short up to three quarters.
            place = find_slot(keys, filled, own_keys[level])
            keys[place] = own_keys[level]
            copy(entries[place], entry)
            classes += 1
            control[NODES] = classes
            if classes > most or control[STOP]:
                for _ in range(level):
                    undo(t, s)
                return -1
        # 6. Back up: the child is combined into its parent.
        if level == 0:
            return classes
        undo(t, s)
        level -= 1
        mover = s[state.PLIES] % players
        me = 1 << mover
        for field in range(2):
            if entry[field] & me:
                sums[level, field] |= me
            sums[level, field] &= entry[field] | me
        sums[level, PLAYS] |= entry[PLAYS]
        masks[level, nexts[level] - 1] = entry[MAXN]
        sures[level, nexts[level] - 1] = entry[CAREFUL]
        if entry[WINS] & ~me:
            given[level, 0] |= entry[WINS] & ~me
            given[level, 1] += 1
        entering = False


@njit(nogil=True)
def values_in_table(
    t: Ints, owners: Bytes, codes: Words, perms: Ints, keys: Words, entries: Ints, values: Any
) -> int:
    """Write the mover's forced result after each legal move of positions, owners ``[K, N]``.

    `values` int8 ``[K, N]`` gets 1 for a win, 0 for at least a draw, -1 for nothing; cells that are
    not legal moves are left as they are. Returns the first position that the table lacks, or -1.
    """
    s = new_state(t)
    filled = entries[:, PLAYS]
    images = np.empty(len(perms), np.uint64)
    moves = np.empty(t[state.PLAYABLE], np.int32)
    for i in range(len(owners)):
        # 1. The position itself must be there; its images give those of what follows.
        load(t, s, owners[i])
        if s[state.RESULT] != 0:
            continue
        _first_images(t, s, codes, perms, images)
        if not filled[find_slot(keys, filled, images.min())]:
            return i
        mover = s[state.PLIES] % t[state.PLAYERS]
        number = legal_moves(t, s, moves)
        for j in range(number):
            # 2. A move ends the game, or leads to a class with an entry.
            cell = moves[j]
            play(t, s, cell)
            if s[state.RESULT] != 0:
                values[i, cell] = points(s[state.RESULT], mover) - 1
            else:
                name = np.uint64(0xFFFFFFFFFFFFFFFF)
                for g in range(len(perms)):
                    name = min(name, images[g] + codes[mover + 1, perms[g, cell]])
                place = find_slot(keys, filled, name)
                wins, draws = entries[place, WINS] >> mover & 1, entries[place, DRAWS] >> mover & 1
                values[i, cell] = wins + draws - 1
            undo(t, s)
    return -1
