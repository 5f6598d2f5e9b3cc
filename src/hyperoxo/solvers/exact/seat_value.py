"""Exact values of positions: one seat against all others, to the end of the game."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.game import CLASSIC, Game, Position, Requires, Trait
from hyperoxo.heuristics import kutner_heuristic, tabulate
from hyperoxo.kernels.alphabeta import (
    CONTROL_SIZE,
    EXACT,
    PRUNE,
    Table,
    Weighed,
    search,
)
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.kernels.maxn import search_maxn
from hyperoxo.solvers.arrays import (
    COMPILED,
    FEW_SYMMETRIES,
    state_of,
    tables_of,
)
from hyperoxo.solvers.exact.gravity import ColumnSearch, searches_columns
from hyperoxo.solvers.exact.minimax import alphabeta_table

_EXACT = Requires("exact search", COMPILED.accepted)
_TWO_IN_TURN = Requires("alpha-beta of two players in turn", CLASSIC - {Trait.SEVERAL_PLAYERS})

MAXN = Requires("max^n", CLASSIC)

_TABLE_BITS = 22
_SOON = 8


def outcome_value(position: Position, seat: int) -> int:
    """Value of a finished game to a seat: 1 won, 0 drawn, -1 won by others only."""
    outcome = position.outcome
    assert outcome is not None
    return 1 if seat in outcome.winners else 0 if outcome.draw else -1


class ExactSearch:
    """Exact search of positions of one game, with one table for all of them.

    Two players under gravity have a search of their own, as far as it knows their board.
    """

    def __init__(self, game: Game, nodes: int = 0) -> None:
        _EXACT.check(game)
        self.game = game
        columns = searches_columns(game)
        self.in_turn = _TWO_IN_TURN.holds(game)
        """True if a depth can limit the search: two players alternate, a cell a turn."""
        self.deepest = _SOON if columns else game.cells
        """Depth up to which it pays to look for wins and losses before all else."""
        self.control = np.zeros(CONTROL_SIZE, dtype=np.int64)
        """Counters and limits as kernels take them."""
        self.control[PRUNE] = 1
        self.control[NODE_LIMIT] = nodes
        self._columns = ColumnSearch(game, self.control) if columns else None
        if columns:
            return  # all else is for alpha-beta
        self._seat, self._table = 1, self._new_table()
        weights = np.zeros((0, 1, 1))
        kinds = np.zeros(0, dtype=np.int32)
        self._leaf: tuple[Any, None, Any, Any, float] = (None, None, weights, kinds, 1.0)
        if self.in_turn:
            lines = tabulate(kutner_heuristic(), game.board, 2)
            difference = lines.weights - lines.weights.transpose(0, 2, 1)
            self._leaf = (difference, None, weights, lines.kinds[0], 1.0)

    def _new_table(self) -> Table:
        size = 1 << max(4, min(_TABLE_BITS, 2 * self.game.cells))
        return alphabeta_table(self.game, size, FEW_SYMMETRIES, self.control)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self.control[NODES])

    @property
    def stop_flag(self) -> NDArray[np.int64]:
        """The flag that ends the search when any thread sets it, int64 ``[1]``."""
        return self.control[STOP : STOP + 1]

    @property
    def stopped(self) -> bool:
        """Whether the flag is set or the nodes are used up."""
        limit = int(self.control[NODE_LIMIT])
        return bool(self.control[STOP]) or 0 < limit < self.nodes

    def is_set(self) -> bool:
        """Whether the search must end: other work that takes a `Stop` can watch it."""
        return self.stopped

    def count(self, nodes: int) -> None:
        """Count positions that another search has visited in place of this one."""
        self.control[NODES] += nodes

    @property
    def nodes_left(self) -> int:
        """Positions that may still be visited, 0 for no limit; at least 1 where there is one."""
        limit = int(self.control[NODE_LIMIT])
        return max(1, limit - self.nodes) if limit else 0

    def value(
        self,
        position: Position,
        seat: int,
        *,
        depth: int | None = None,
        low: float = -math.inf,
        high: float = math.inf,
    ) -> float:
        """Return what a position is worth to a seat against all others together."""
        if position.is_over:
            return outcome_value(position, seat) * (WIN - position.ply)
        if self.stopped:
            return math.nan
        if self._columns is not None:
            if seat == position.to_move:
                return self._columns.value(position, low, high, depth)
            return 0.0 - self._columns.value(position, -high, -low, depth)
        # The value of two players is one number; one table then serves both.
        turned = self.game.players == 2 and seat == 2
        if turned:
            seat, low, high = 1, -high, -low
        if seat != self._seat:
            self._seat, self._table = seat, self._new_table()
        free = self.game.cells - position.ply
        plies = max(1, min(depth, free)) if depth is not None and self.in_turn else free
        self.control[EXACT] = plies == free
        tables, state = tables_of(self.game), state_of(position)
        value = search(
            tables,
            state,
            seat - 1,
            plies,
            float(low),
            float(high),
            *self._leaf[:2],
            Weighed(*self._leaf[2:], tables, state),
            self._table,
            np.zeros(plies + 1, dtype=np.int64),
            np.full(plies + 2, -1, dtype=np.int32),
            self.control,
        )
        return 0.0 - value if turned else float(value)


def maxn_values(search: ExactSearch, position: Position) -> tuple[float, ...] | None:
    """Values of a position to all players where each takes the first of their best moves."""
    game = position.game
    MAXN.check(game)
    if position.is_over:
        seats = range(1, game.players + 1)
        return tuple(outcome_value(position, seat) * (WIN - position.ply) for seat in seats)
    tables, state = tables_of(game), state_of(position)
    weights = tabulate(kutner_heuristic(), game.board, game.players)
    out = np.empty(game.players)
    depth = game.cells - position.ply
    arrays = (tables, state, tables, state, weights.weights, weights.kinds[0], 1.0)
    done = search_maxn(*arrays, depth, search.control, out)
    return tuple(float(value) for value in out) if done else None
