"""Depth-limited search without a table, for any number of players and any evaluation.

The leaf and the aim of the others are passed in: max^n, where all players take the move that is
best for themselves, or all others against one player, whose value they make as small as they can.
That is max^n, too, where the others have the negative of the player's value, so one loop does both.

A leaf is worth to each player what their lines are worth less the mean of the others', or, in games
of two, what a function of the user's gives them less what it gives the other; a finished game WIN
less its ply to those who win and the negative to those who lose. `weighed` and `stones` are as in
:func:`hyperoxo.kernels.minimax.search`.

References
----------
C. Luckhardt and K. Irani, "An algorithmic solution of N-person games", AAAI 1986;
N. Sturtevant and R. Korf, "On pruning techniques for multi-player games", AAAI 2000.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Floats, Ints, Longs
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.custom import worth
from hyperoxo.kernels.minimax import SHADOW, WIN
from hyperoxo.kernels.state import (
    DRAW,
    LINES,
    MISERE,
    PLAYABLE,
    PLAYERS,
    PLIES,
    RESULT,
    S_COUNT,
    legal_moves,
    play,
    undo,
)


@njit(cache=True, nogil=True)
def _finished(s: Ints, values: Floats, level: int) -> None:
    """Write what a finished game is worth to each player into a row of `values`."""
    value = WIN - s[PLIES]
    for player in range(values.shape[1]):
        alone = player == abs(s[RESULT]) - 1
        values[level, player] = value if alone == (s[RESULT] > 0) else -value
        if s[RESULT] == DRAW:
            values[level, player] = 0.0


@njit(cache=True, nogil=True)
def _by_lines(
    t: Ints, weighed: Ints, stones: Ints, weights: Floats, kinds: Ints, out: Floats
) -> None:
    """Write what a position is worth to each player by the weights of lines."""
    players = t[PLAYERS]
    out[:] = 0.0
    for line in range(weighed[LINES]):
        at = weighed[S_COUNT] + line * players
        laid, owners = 0, 0
        for player in range(players):
            laid += stones[at + player]
            owners += stones[at + player] > 0
        for player in range(players):
            own = stones[at + player]
            if owners - (own > 0) <= 1:
                out[player] += weights[kinds[line], own, laid - own]
    total = out.sum()
    for player in range(players):
        out[player] -= (total - out[player]) / (players - 1)
        if t[MISERE]:
            out[player] = -out[player]


def _search(
    t: Ints,
    s: Ints,
    weighed: Ints,
    stones: Ints,
    evaluation: Callable[..., float] | None,
    weights: Floats,
    kinds: Ints,
    depth: int,
    player: int,
    alpha: float,
    control: Longs,
    out: Floats,
) -> bool:
    """Search `depth` plies and write the value to each player into `out`.

    With all others against `player`, counted from 0, their value is exact where it is greater than
    `alpha`, else an upper bound; with `player` -1 everybody takes the move that is best for
    themselves, the lowest cell of equals. Leaves are worth what `evaluation` says or, where that is
    None, the weights of lines. Returns False when a limit ended the search; the state is restored
    all the same.
    """
    players = t[PLAYERS]
    moves = np.empty((depth + 1, t[PLAYABLE]), np.int32)
    counts = np.zeros(depth + 1, np.int64)
    nexts = np.zeros(depth + 1, np.int64)
    bests = np.empty((depth + 1, players), np.float64)
    alphas = np.empty(depth + 1, np.float64)
    betas = np.empty(depth + 1, np.float64)
    alphas[0], betas[0] = alpha, np.inf
    level = 0
    entering = True
    while True:
        leaf = False
        if entering:
            # 1. A limit: the state goes back as it was.
            if visit(control):
                for _ in range(level):
                    undo(t, s)
                    if control[SHADOW]:
                        undo(weighed, stones)
                return False
            # 2. A leaf and its value, or the moves of a position.
            counts[level] = nexts[level] = 0
            leaf = s[RESULT] != 0 or level == depth
            if s[RESULT] != 0:
                _finished(s, bests, level)
            elif not leaf:
                counts[level] = legal_moves(t, s, moves[level])
                for other in range(players):
                    bests[level, other] = -np.inf
                if player < 0:
                    # The list of free cells is in an order that depends on how the position arose.
                    moves[level, : counts[level]].sort()
            elif evaluation is None:
                _by_lines(t, weighed, stones, weights, kinds, bests[level])
            else:
                first, second = worth(t, s, evaluation, 0), worth(t, s, evaluation, 1)
                bests[level, 1 if t[MISERE] else 0] = first - second
                bests[level, 0 if t[MISERE] else 1] = second - first
            if leaf and player >= 0:
                for other in range(players):
                    if other != player:
                        bests[level, other] = -bests[level, player]
        # 3. One move deeper, unless a rival has something better elsewhere.
        if not leaf and nexts[level] < counts[level] and alphas[level] < betas[level]:
            nexts[level] += 1
            alphas[level + 1] = alphas[level]
            betas[level + 1] = betas[level]
            play(t, s, moves[level, nexts[level] - 1])
            if control[SHADOW]:
                play(weighed, stones, moves[level, nexts[level] - 1])
            level += 1
            entering = True
            continue
        # 4. Back up: the mover takes what is better for them.
        if level == 0:
            out[:] = bests[0]
            return True
        undo(t, s)
        if control[SHADOW]:
            undo(weighed, stones)
        level -= 1
        mover = s[PLIES] % players
        if bests[level + 1, mover] > bests[level, mover]:
            for other in range(players):
                bests[level, other] = bests[level + 1, other]
            if mover == player:
                alphas[level] = max(alphas[level], bests[level, player])
            elif player >= 0:
                betas[level] = min(betas[level], bests[level, player])
        entering = False


search_by_lines = njit(cache=True, nogil=True)(_search)
"""The search with the weights of lines, `evaluation` None."""

search_by_function = njit(nogil=True)(_search)
"""The search with a function, compiled anew for every one and not kept on disk."""
