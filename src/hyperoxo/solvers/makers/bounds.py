"""What Maker-Breaker search adds to the bounds of a position that is being solved."""

from __future__ import annotations

import numpy as np

from hyperoxo.errors import LimitError
from hyperoxo.kernels.control import NODE_LIMIT, NODES
from hyperoxo.position import Bounds, Position, Value, Why
from hyperoxo.proof import ZonePlan
from hyperoxo.rules import Game
from hyperoxo.solvers.exact.seat_value import ExactSearch
from hyperoxo.solvers.makers.plans import plan_of
from hyperoxo.solvers.makers.search import BREAKERS, MAKERS, MakerSearch

_LEAST_FREE = 12
_NODES = 20_000
_NODES_OF_A_MOVE, _NODES_OF_A_MAKERS_MOVE = 500, 4_000
_AT_A_TIME, _MOST_AT_A_TIME = 500, 4_000
"""Positions between two looks at the clock."""


class MakerBounds:
    """Bounds of the positions of one game, by one search for each maker."""

    def __init__(self, game: Game, clock: ExactSearch) -> None:
        self.game, self.clock = game, clock
        self._searches: dict[int, MakerSearch | None] = {}

    def bounds(self, position: Position, known: Bounds, *, move: bool = False) -> Bounds:
        """Return bounds of what the player to move can force, beyond those that are known.

        In Maker-Breaker play the search goes on until it is stopped; it is short in ordinary play,
        where it can only keep a player from winning, and for the position after a `move`.
        """
        game = self.game
        free = game.cells - position.ply
        if known.decided or not BREAKERS.holds(game) or position.ply < game.opening_plies:
            return Bounds()
        if MAKERS.holds(game):
            return self._of(position, 1, _NODES_OF_A_MAKERS_MOVE if move else 0)
        if free < _LEAST_FREE or not game.turns.alternate:
            return Bounds()
        found = Bounds()
        for maker in (1, 2):
            kept = known.low if maker != position.to_move else known.high
            if kept != Value.DRAW:
                found &= self._of(position, maker, _NODES_OF_A_MOVE if move else _NODES)
        return found

    def plan(self, position: Position, seat: int) -> ZonePlan | None:
        """Return a plan that proves what a seat can force, None where there is none."""
        game = self.game
        if not BREAKERS.holds(game) or position.ply < game.opening_plies:
            return None
        maker = 1 if MAKERS.holds(game) else 3 - seat
        search = self._search(maker)
        found = self._of(position, maker, 0 if MAKERS.holds(game) else _NODES)
        mine = found if position.to_move == seat else -found
        if search is None or mine.low < (Value.WIN if MAKERS.holds(game) else Value.DRAW):
            return None
        return plan_of(search, position, seat, stop=self.clock)

    def _search(self, maker: int) -> MakerSearch | None:
        """Return the search about the lines of a player, None where the board is too large."""
        if maker not in self._searches:
            try:
                self._searches[maker] = MakerSearch(self.game, maker)
            except LimitError:
                self._searches[maker] = None
        return self._searches[maker]

    def _of(self, position: Position, maker: int, nodes: int) -> Bounds:
        search = self._search(maker)
        if search is None:
            return Bounds()
        spent, wins = 0, None
        while wins is None and not self.clock.stopped and (not nodes or spent < nodes):
            most = min(max(_AT_A_TIME, spent), _MOST_AT_A_TIME)
            left = self.clock.nodes_left
            control = np.zeros(4, dtype=np.int64)
            control[NODE_LIMIT] = min(most, left) if left else most
            wins = search.decide(position.owners, position.ply, control).maker_wins
            spent += int(control[NODES])
            self.clock.count(int(control[NODES]))
        if wins is None:
            return Bounds()
        return _bounds(position, maker, wins, spent)


def _bounds(position: Position, maker: int, wins: bool, nodes: int) -> Bounds:
    """Say what it means to the player to move."""
    mine = position.to_move == maker
    if not MAKERS.holds(position.game):
        if wins:
            return Bounds()
        why = Why.BREAKER_DRAWS(seat=3 - maker, maker=maker, nodes=nodes)
        return (
            Bounds(high=Value.DRAW, reasons=(why,)) if mine else Bounds(Value.DRAW, reasons=(why,))
        )
    seat = maker if wins else 3 - maker
    why = (Why.MAKER_WINS if wins else Why.BREAKER_WINS)(seat=seat, nodes=nodes)
    return Bounds.exactly(Value.WIN if mine == wins else Value.LOSS, why)
