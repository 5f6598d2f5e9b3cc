"""Packed line counters beside a state: sixteen lines a word, for games to one full line.

A state of :mod:`hyperoxo.kernels.state` keeps cells, landing cells and result; instead of
its counters, ``words`` uint64 ``[q, width]`` hold four bits per line and player. A field
starts at 8 minus the size of its line, so that a full line sets the top bit.

``increments`` uint64 ``[N + 1, width]`` has a row for each cell, one in the field of every
line through it; the last row holds the starts. With no row at all (``[0, 1]``) the functions
that take both kinds of counter work with those of the state.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Ints, Words
from hyperoxo.kernels.rng import advance, below, mix
from hyperoxo.kernels.state import legal_moves, lines_completed, near_lines

# A field counts from 8 less the size of its line, so a full line sets its top bit. The game ends
# there, so no field overflows into the next.
_TOP_BITS = np.uint64(0x8888888888888888)
_ONES = np.uint64(0x1111111111111111)


@njit(**NO_REFCOUNT)
def pack(t: Ints, s: Ints, increments: Words, words: Words) -> None:
    """Write the packed counters of a state; nothing without increments."""
    if len(increments) == 0:
        return
    width = increments.shape[1]
    for player in range(t[state.PLAYERS]):
        for i in range(width):
            words[player, i] = increments[t[state.CELLS], i]
    for cell in range(t[state.CELLS]):
        owner = s[t[state.S_OWNER] + cell]
        if owner:
            for i in range(width):
                words[owner - 1, i] += increments[cell, i]


@njit(**NO_REFCOUNT)
def copy_packed(t: Ints, source: Ints, s: Ints) -> None:
    """Copy a state without its line counters and its history."""
    for i in range(t[state.S_COUNT]):
        s[i] = source[i]
    for i in range(t[state.S_LEGAL], t[state.S_HISTORY]):
        s[i] = source[i]


@njit(**NO_REFCOUNT)
def play_packed(t: Ints, s: Ints, increments: Words, words: Words, cell: int) -> None:
    """Put a stone of the player to move on a landing cell."""
    mover = s[state.PLIES] % t[state.PLAYERS]
    s[t[state.S_OWNER] + cell] = mover + 1
    s[state.PLIES] += 1
    place = s[t[state.S_WHERE] + cell]
    above = t[t[state.T_ABOVE] + cell]
    if above < 0:
        s[state.LEGAL] -= 1
        above = s[t[state.S_LEGAL] + s[state.LEGAL]]
    s[t[state.S_LEGAL] + place] = above
    s[t[state.S_WHERE] + above] = place
    full = np.uint64(0)
    for i in range(increments.shape[1]):
        words[mover, i] += increments[cell, i]
        full |= words[mover, i]
    if full & _TOP_BITS:
        s[state.RESULT] = -(mover + 1) if t[state.MISERE] else mover + 1
    elif s[state.PLIES] == t[state.PLAYABLE]:
        s[state.RESULT] = state.DRAW


@njit(**NO_REFCOUNT)
def near_line(t: Ints, s: Ints, increments: Words, words: Words, player: int) -> bool:
    """Return whether `player` lacks one stone on lines enough, even if rivals block them."""
    # A quick test that must not miss anything, before `completes` tests each move.
    if len(increments):
        full = np.uint64(0)
        for i in range(increments.shape[1]):
            full |= words[player, i] + _ONES
        return bool((full & _TOP_BITS) != 0)
    return bool(s[t[state.S_OWNED] + player] + near_lines(t, s, player) >= t[state.TARGET])


@njit(**NO_REFCOUNT)
def completes(t: Ints, s: Ints, increments: Words, words: Words, player: int, cell: int) -> bool:
    """Return whether a stone of `player` on the free `cell` reaches the target."""
    if len(increments):
        full = np.uint64(0)
        for i in range(increments.shape[1]):
            full |= words[player, i] + increments[cell, i]
        return bool((full & _TOP_BITS) != 0)
    return bool(
        s[t[state.S_OWNED] + player] + lines_completed(t, s, cell, player) >= t[state.TARGET]
    )


@njit(**NO_REFCOUNT)
def packed_playout(
    t: Ints, s: Ints, increments: Words, words: Words, scratch: Ints, random: np.uint64
) -> np.uint64:
    """Play random moves to the end of the game; return the random state.

    Afterwards owners, plies and result of `s` are right; its landing cells are not.
    """
    # 1. Restricted moves, with the list of legal cells.
    players = t[state.PLAYERS]
    while s[state.RESULT] == 0 and s[state.PLIES] // players < t[state.OPENING_MOVES]:
        random = advance(random)
        place = below(mix(random), legal_moves(t, s, scratch))
        play_packed(t, s, increments, words, scratch[place])
    if s[state.RESULT]:
        return random
    # 2. Then any landing cell: scalars stay in registers, and unsigned indices need no test for
    #    negative ones.
    width = np.uint64(increments.shape[1])
    legal = np.uint64(t[state.S_LEGAL])
    owners = np.uint64(t[state.S_OWNER])
    above = np.uint64(t[state.T_ABOVE])
    free = np.uint64(s[state.LEGAL])
    plies, playable = s[state.PLIES], t[state.PLAYABLE]
    mover = np.uint64(plies % players)
    result = state.DRAW
    while plies < playable:
        random = advance(random)
        place = legal + below(mix(random), free)
        cell = np.uint64(s[place])
        # 3. The cell leaves the list of landing cells: for the one above, or for the last one.
        upper = t[above + cell]
        if upper < 0:
            free -= np.uint64(1)
            upper = s[legal + free]
        s[place] = upper
        # 4. Sixteen lines are counted by one addition; a top bit is a full line.
        s[owners + cell] = np.int32(mover + np.uint64(1))
        plies += 1
        full = np.uint64(0)
        for i in range(width):
            fields = words[mover, i] + increments[cell, i]
            words[mover, i] = fields
            full |= fields
        if full & _TOP_BITS:
            reached = np.int64(mover) + 1
            result = -reached if t[state.MISERE] else reached  # type: ignore[assignment]
            break
        mover += np.uint64(1)
        if mover == np.uint64(players):
            mover = np.uint64(0)
    s[state.PLIES] = plies
    s[state.RESULT] = result
    return random
