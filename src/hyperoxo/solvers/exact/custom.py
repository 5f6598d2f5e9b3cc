"""Minimax of two players with an evaluation that a user wrote."""

from __future__ import annotations

import numpy as np

from hyperoxo.errors import AgentError
from hyperoxo.heuristics import PositionHeuristic
from hyperoxo.kernels.custom import custom_search
from hyperoxo.kernels.minimax import WIN
from hyperoxo.position import Position
from hyperoxo.solvers.exact.minimax import Deepening, MinimaxResult, slack

__all__ = ["CustomSearch"]


class CustomSearch(Deepening):
    """A search whose leaves are valued by a position heuristic."""

    def __init__(
        self, position: Position, heuristic: PositionHeuristic, *, node_limit: int = 0
    ) -> None:
        game = position.game
        if game.players != 2:
            raise AgentError(f"minimax plays games of two players, and {game} has {game.players}")
        super().__init__(position, node_limit)
        self._evaluation = heuristic.compiled

    def run(self, depth: int) -> MinimaxResult | None:
        """Search `depth` plies; None when the node limit or a stop ended the search."""
        position = self.position
        free = position.game.cells - position.ply
        depth = min(depth, free)
        moves = position.legal_moves
        values = self._move_values(moves, depth)
        if values is None:
            return None
        return self._keep(moves, values, depth, depth == free or abs(values.max()) > WIN / 2)

    def _value(self, depth: int, best: float) -> float:
        beta = np.inf if best == -np.inf else -(np.nextafter(best, -np.inf) - slack(best))
        return -float(
            custom_search(
                self._tables, self._state, self._evaluation, depth, -np.inf, beta, self._control
            )
        )
