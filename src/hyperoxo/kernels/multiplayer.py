"""Depth-limited search for three or more players: max^n and paranoid.

A leaf is worth to each player what his lines are worth less the mean of the others'; a
finished game WIN less its ply to those who win and the negative to those who lose.
`weighed` and `stones` are as in :func:`hyperoxo.kernels.minimax.search`.

References
----------
C. Luckhardt and K. Irani, "An algorithmic solution of N-person games", AAAI 1986;
N. Sturtevant and R. Korf, "On pruning techniques for multi-player games", AAAI 2000.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Floats, Ints, Longs
from hyperoxo.kernels.control import visit
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
def _utilities(
    t: Ints, s: Ints, weighed: Ints, stones: Ints, weights: Floats, kinds: Ints, out: Floats
) -> None:
    """Write what the position is worth to each player."""
    players = t[PLAYERS]
    out[:] = 0.0
    result = s[RESULT]
    if result != 0:
        if result != DRAW:
            value = WIN - s[PLIES]
            for player in range(players):
                alone = player == abs(result) - 1
                out[player] = value if alone == (result > 0) else -value
        return
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


@njit(cache=True, nogil=True)
def search_maxn(
    t: Ints,
    s: Ints,
    weighed: Ints,
    stones: Ints,
    weights: Floats,
    kinds: Ints,
    depth: int,
    control: Longs,
    out: Floats,
) -> bool:
    """Search `depth` plies by max^n and write the value to each player into `out`.

    Every player takes the move that is best for himself, the lowest cell of equals. Returns
    False when a limit ended the search; the state is restored all the same.
    """
    players = t[PLAYERS]
    moves = np.empty((depth + 1, t[PLAYABLE]), np.int32)
    counts = np.zeros(depth + 1, np.int64)
    nexts = np.zeros(depth + 1, np.int64)
    bests = np.empty((depth + 1, players), np.float64)
    value = np.empty(players, np.float64)
    level = 0
    entering = True
    while True:
        leaf = False
        if entering:
            if visit(control):
                for _ in range(level):
                    undo(t, s)
                    if control[SHADOW]:
                        undo(weighed, stones)
                return False
            counts[level] = nexts[level] = 0
            if s[RESULT] != 0 or level == depth:
                _utilities(t, s, weighed, stones, weights, kinds, value)
                leaf = True
            else:
                counts[level] = legal_moves(t, s, moves[level])
                # The list of free cells is in an order that depends on how the position arose.
                moves[level, : counts[level]].sort()
                bests[level] = -np.inf
        if not leaf and nexts[level] < counts[level]:
            nexts[level] += 1
            play(t, s, moves[level, nexts[level] - 1])
            if control[SHADOW]:
                play(weighed, stones, moves[level, nexts[level] - 1])
            level += 1
            entering = True
            continue
        if not leaf:
            value[:] = bests[level]
        if level == 0:
            out[:] = value
            return True
        undo(t, s)
        if control[SHADOW]:
            undo(weighed, stones)
        level -= 1
        if value[s[PLIES] % players] > bests[level, s[PLIES] % players]:
            bests[level] = value
        entering = False


@njit(cache=True, nogil=True)
def search_paranoid(
    t: Ints,
    s: Ints,
    weighed: Ints,
    stones: Ints,
    weights: Floats,
    kinds: Ints,
    depth: int,
    player: int,
    alpha: float,
    control: Longs,
) -> float:
    """Search `depth` plies with all others against `player`, counted from 0.

    Fail-soft from below: a value returned that is greater than `alpha` is exact, any
    other is an upper bound. NaN when a limit ended the search; the state is restored.
    """
    players = t[PLAYERS]
    moves = np.empty((depth + 1, t[PLAYABLE]), np.int32)
    counts = np.zeros(depth + 1, np.int64)
    nexts = np.zeros(depth + 1, np.int64)
    bests = np.empty(depth + 1, np.float64)
    alphas = np.empty(depth + 1, np.float64)
    betas = np.empty(depth + 1, np.float64)
    utilities = np.empty(players, np.float64)
    alphas[0], betas[0] = alpha, np.inf
    level = 0
    entering = True
    while True:
        leaf = False
        returned = 0.0
        mine = s[PLIES] % players == player
        if entering:
            if visit(control):
                for _ in range(level):
                    undo(t, s)
                    if control[SHADOW]:
                        undo(weighed, stones)
                return np.nan
            counts[level] = nexts[level] = 0
            if s[RESULT] != 0 or level == depth:
                _utilities(t, s, weighed, stones, weights, kinds, utilities)
                returned = utilities[player]
                leaf = True
            else:
                counts[level] = legal_moves(t, s, moves[level])
                bests[level] = -np.inf if mine else np.inf
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
        if not leaf:
            returned = bests[level]
        if level == 0:
            return returned
        undo(t, s)
        if control[SHADOW]:
            undo(weighed, stones)
        level -= 1
        if s[PLIES] % players == player:
            bests[level] = max(bests[level], returned)
            alphas[level] = max(alphas[level], bests[level])
        else:
            bests[level] = min(bests[level], returned)
            betas[level] = min(betas[level], bests[level])
        entering = False
