"""Bounds on the value of a position by its lines: threats, and lines that can still be completed.

Used by alpha-beta if one line ends the game. Each bound holds whatever is played from here:
a line that can be completed wins at once, a threat must be met, and a seat without a line left
does not win by one.
"""

from __future__ import annotations

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Floats, Ints, fill
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.kernels.state import completing_cell, may_play

LOW, HIGH = 0, 1
"""Indices of the bounds."""


@njit(**NO_REFCOUNT)
def _survey(t: Ints, s: Ints, seat: int, found: Ints) -> None:
    """Survey all lines of a target-1 game."""
    # `found` int32 `[4]`: a cell where the player to move may complete a line or -1, one where the
    # next player may do so in the next ply, if all take one cell a turn, and whether the seat, and
    # whether any other, can still complete one.
    players = t[state.PLAYERS]
    mover = t[t[state.T_MOVERS] + s[state.PLIES]]
    after = (mover + 1) % players
    found[0] = found[1] = -1
    found[2] = found[3] = 0
    for line in range(t[state.LINES]):
        at = t[state.S_COUNT] + line * players
        # 1. A line with stones of two players is dead; an empty one is open to all.
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
        # 2. One stone short, for the mover or for the next player.
        short = t[t[state.T_SIZES] + line] - 1
        if found[0] < 0 and s[at + mover] == short and (owner < 0 or owner == mover):
            found[0] = completing_cell(t, s, line, mover, 0)
        if found[1] < 0 and s[at + after] == short and (owner < 0 or owner == after):
            found[1] = completing_cell(t, s, line, after, 1)


@njit(**NO_REFCOUNT)
def _survey_two(t: Ints, s: Ints, seat: int, found: Ints) -> None:
    """Survey the lines of a two-player game: `_survey`, in half the time."""
    # found[2] and found[3] count the open lines of the mover and of the other player; in the end
    # those of the seat come first.
    mover = t[t[state.T_MOVERS] + s[state.PLIES]]
    found[0] = found[1] = -1
    found[2] = found[3] = 0
    for line in range(t[state.LINES]):
        at = t[state.S_COUNT] + 2 * line
        own, rivals = s[at + mover], s[at + 1 - mover]
        if rivals == 0:
            found[2] += 1
            if own == t[t[state.T_SIZES] + line] - 1 and found[0] < 0:
                found[0] = completing_cell(t, s, line, mover, 0)
        if own == 0:
            found[3] += 1
            if rivals == t[t[state.T_SIZES] + line] - 1 and found[1] < 0:
                found[1] = completing_cell(t, s, line, 1 - mover, 1)
    if mover != seat:
        found[2], found[3] = found[3], found[2]


@njit(**NO_REFCOUNT)
def _maker_alive(t: Ints, s: Ints) -> bool:
    """Return True if player 1 can still complete a line, in a game of two players."""
    alive = 0
    for line in range(t[state.LINES]):
        alive += s[t[state.S_COUNT] + 2 * line + 1] == 0
    return bool(alive > 0)


@njit(**NO_REFCOUNT)
def bound_by_lines(
    t: Ints, s: Ints, seat: int, exact: bool, left: int, bounds: Floats, found: Ints
) -> bool:
    """Bound the value of a running position by its lines; return whether a cell must be filled.

    `bounds` float64 ``[2]`` gets the least and the greatest value, `found[0]` the cell where the
    mover completes a line and wins, or -1, and `found[1]` the cell to fill.
    """
    mine = t[t[state.T_MOVERS] + s[state.PLIES]] == seat
    soonest = WIN - s[state.PLIES] - 1
    bounds[LOW], bounds[HIGH] = -soonest, soonest
    found[0] = -1
    if t[state.MAKER_ONLY]:
        # 1. If player 1 alone completes lines, the other side wins on the full board and not
        #    before: in normal play the second player, in misère play the first.
        at_last = WIN - t[state.PLAYABLE]
        if seat == 1 - t[state.MISERE]:
            bounds[HIGH] = at_last
            if not _maker_alive(t, s):
                bounds[LOW] = at_last
        else:
            bounds[LOW] = -at_last
            if not _maker_alive(t, s):
                bounds[HIGH] = -at_last
        return False
    if t[state.TARGET] != 1:
        return False
    # 2. Only in normal play must a loss wait for the next move.
    if not t[state.MISERE]:
        if mine:
            bounds[LOW] = 1 - soonest
        else:
            bounds[HIGH] = soonest - 1
    if t[state.PLAYERS] == 2:
        _survey_two(t, s, seat, found)
    else:
        _survey(t, s, seat, found)
    # 3. A line that can be completed is.
    if not t[state.MISERE] and found[0] >= 0:
        fill(bounds, soonest if mine else -soonest)
        return False
    found[0] = -1
    # 4. A player who can no longer complete a line does not win by one.
    if exact:
        own, others = found[2], found[3]
        if t[state.MISERE]:
            own, others = others, own
        if not own:
            bounds[HIGH] = min(0.0, bounds[HIGH])
        if not others:
            bounds[LOW] = max(0.0, bounds[LOW])
    # 5. The next player's threat must be met, but between two of the others.
    met = mine or (s[state.PLIES] + 1) % t[state.PLAYERS] == seat
    threatened = t[state.CLASSIC] and not t[state.MISERE] and found[1] >= 0 and left > 1 and met
    return bool(threatened and may_play(t, s, found[1], 0))
