"""Batched games of one player against random opponents."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Floats, Ints, Longs, Words, copy
from hyperoxo.kernels.rng import advance, below, mix
from hyperoxo.kernels.state import CELLS, DRAW, PLAYERS, PLIES, RESULT, T_MOVERS, legal_moves, play
from hyperoxo.kernels.step import ILLEGAL, observe, step

Flags = NDArray[np.bool_]
Small = NDArray[np.int8]


@njit(**NO_REFCOUNT)
def _reply(t: Ints, s: Ints, seat: int, random: Words, board: int, scratch: Ints) -> None:
    """Play random moves until the player of the seat is to move or the game is over."""
    while s[RESULT] == 0 and t[t[T_MOVERS] + s[PLIES]] != seat:
        random[board] = advance(random[board])
        count = legal_moves(t, s, scratch)
        play(t, s, scratch[np.int64(below(mix(random[board]), count))])


@njit(nogil=True)
def begin_games(
    t: Ints, states: Ints, seats: Longs, random: Words, start: Ints, fixed: int, chosen: Flags
) -> None:
    """Begin games on the chosen boards from a state; a `fixed` seat of -1 is drawn at random."""
    scratch = np.empty(t[CELLS], np.int32)
    for board in range(len(states)):
        if not chosen[board]:
            continue
        s = states[board]
        copy(s, start)
        seats[board] = fixed
        if fixed < 0:
            random[board] = advance(random[board])
            seats[board] = np.int64(below(mix(random[board]), t[PLAYERS]))
        _reply(t, s, seats[board], random, board, scratch)


@njit(nogil=True)
def step_games(
    t: Ints,
    states: Ints,
    seats: Longs,
    random: Words,
    actions: Longs,
    chosen: Flags,
    rewards: Floats,
    over: Flags,
    illegal: Flags,
) -> None:
    """Play an action on each chosen board and let the others reply; write rewards and flags.

    On a board whose game ended before the seat could move, the action is ignored.
    """
    scratch = np.empty(t[CELLS], np.int32)
    for board in range(len(states)):
        if not chosen[board]:
            continue
        s, seat = states[board], seats[board]
        # 1. The player's move, which loses if it is illegal, and the replies up to the next one.
        if s[RESULT] == 0:
            if step(t, s, actions[board]) == ILLEGAL:
                illegal[board] = True
                s[RESULT] = -(seat + 1)
            _reply(t, s, seat, random, board, scratch)
        # 2. A lone winner gets 1 and a lone loser pays 1; the others share the rest.
        result = s[RESULT]
        over[board] = result != 0
        if result not in (0, DRAW):
            sign = 1.0 if result > 0 else -1.0
            rewards[board] = sign if abs(result) - 1 == seat else -sign / (t[PLAYERS] - 1)


@njit(**NO_REFCOUNT)
def observe_games(t: Ints, states: Ints, seats: Longs, stones: Small, masks: Small) -> None:
    """Add each board's observation and legal mask to zeros, ``[B, N, q]`` and ``[B, N]``."""
    for board in range(len(states)):
        observe(t, states[board], seats[board], stones[board], masks[board])
