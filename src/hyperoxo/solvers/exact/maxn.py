"""Max^n to the end of the game: each of several players looks after himself."""

from __future__ import annotations

import numpy as np

from hyperoxo.heuristics import kutner_heuristic, tabulate
from hyperoxo.kernels.minimax import WIN
from hyperoxo.kernels.multiplayer import search_maxn
from hyperoxo.position import Position
from hyperoxo.rules import CLASSIC, Requires
from hyperoxo.solvers.arrays import state_of, tables_of
from hyperoxo.solvers.exact.seat_value import ExactSearch

__all__ = ["MAXN", "maxn_values"]

MAXN = Requires("max^n", CLASSIC)


def maxn_values(search: ExactSearch, position: Position) -> tuple[float, ...] | None:
    """Values of a position to all players where each takes the first of his best moves."""
    game = position.game
    MAXN.check(game)
    if position.outcome is not None:
        worth = WIN - position.ply
        won, drawn = position.outcome.winners, position.outcome.draw
        return tuple(
            0.0 if drawn else worth if player in won else -worth
            for player in range(1, game.players + 1)
        )
    tables, state = tables_of(game), state_of(position)
    weights = tabulate(kutner_heuristic(), game.board, game.players)
    out = np.empty(game.players)
    depth = game.cells - position.ply
    done = search_maxn(
        tables, state, tables, state, weights.weights, weights.kinds, depth, search.control, out
    )
    return tuple(float(value) for value in out) if done else None
