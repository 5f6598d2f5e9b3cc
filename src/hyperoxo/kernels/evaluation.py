"""Static evaluation: terminal values, sums over lines, user-defined functions.

A user's evaluation takes ``(owners, counts, sizes, player)``: int32 ``[N]`` owners of the cells,
int32 ``[L, q]`` stones of each player on each line, int32 ``[L]`` line sizes, and the player
1..q to whom it gives a value. Kernels with one are recompiled for every evaluation and are
not kept on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Floats, Ints, fill
from hyperoxo.kernels.state import play, undo

WIN = 1e15
"""Value of a won game, less the ply on which it is won."""


class Weighed(NamedTuple):
    """Values of leaves by weights of lines."""

    weights: Floats
    kinds: Ints
    bias: float
    """The weight of the rivals; of no use where alpha-beta has a `difference`."""
    tables: Ints
    stones: Ints
    """Tables and state of the structure that is weighed: the game's or, with the SHADOW entry of
    `control` set, another board with the same stones."""


def compile_evaluation(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiled form of an evaluation; compilation happens at the first call."""
    compiled: Callable[..., Any] = njit(cache=False, nogil=True)(function)
    return compiled


@njit(**NO_REFCOUNT)
def finished(s: Ints, player: int) -> float:
    """Return the value of a finished game to a player, counted from 0."""
    result = s[state.RESULT]
    if result == state.DRAW:
        return 0.0
    alone = player == abs(result) - 1
    value = WIN - s[state.PLIES]
    return float(value if alone == (result > 0) else -value)


@njit(nogil=True)
def by_lines(t: Ints, weighed: Weighed, out: Floats) -> None:
    """Write the value of a position to each player: own lines less the others' biased mean."""
    # A line counts for a player if no two of the others share it, by own stones and others' stones.
    players = t[state.PLAYERS]
    weights, kinds, bias, tables, stones = weighed
    fill(out, 0.0)
    for line in range(tables[state.LINES]):
        at = tables[state.S_COUNT] + line * players
        laid, owners = 0, 0
        for player in range(players):
            laid += stones[at + player]
            owners += stones[at + player] > 0
        for player in range(players):
            own = stones[at + player]
            if owners - (own > 0) <= 1:
                out[player] += weights[kinds[line], own, laid - own]
    # The mean of the others is the total without the player's own, over their number.
    total = out.sum()
    for player in range(players):
        out[player] -= bias * (total - out[player]) / (players - 1)
        if t[state.MISERE]:
            out[player] = -out[player]


@njit(cache=False, nogil=True)
def user_value(t: Ints, s: Ints, evaluation: Callable[..., float], player: int) -> float:
    """Return a user's evaluation of a position for a player, counted from 0."""
    owners = s[t[state.S_OWNER] : t[state.S_COUNT]]
    counts = s[t[state.S_COUNT] : t[state.S_OWNED]].reshape((t[state.LINES], t[state.PLAYERS]))
    sizes = t[t[state.T_SIZES] : t[state.T_LANDING]]
    return float(evaluation(owners, counts, sizes, player + 1))


@njit(cache=False, nogil=True)
def custom_values(
    t: Ints, s: Ints, evaluation: Callable[..., float], cells: Ints, values: Floats
) -> None:
    """Write the value to the player to move after each possible move; misère turns the sign."""
    mover = s[state.PLIES] % t[state.PLAYERS]
    sign = -1.0 if t[state.MISERE] else 1.0
    for i in range(len(cells)):
        play(t, s, cells[i])
        if s[state.RESULT] == mover + 1:
            values[i] = WIN
        elif s[state.RESULT] == -(mover + 1):
            values[i] = -WIN
        else:
            values[i] = sign * user_value(t, s, evaluation, mover)
        undo(t, s)
