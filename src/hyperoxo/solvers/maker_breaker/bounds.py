"""Bounds on a position's value from Maker-Breaker and Avoider-Enforcer search."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import HyperoxoError, LimitError
from hyperoxo.game import Bounds, Game, Position, Value, Why
from hyperoxo.jit import working_time
from hyperoxo.kernels.control import NODES, STOP
from hyperoxo.kernels.maker_breaker_search import DISPROOF, PROOF
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.maker_breaker.search import (
    AVOIDERS,
    BREAKERS,
    BY_THREATS,
    MAKERS,
    MOST_CELLS_BY_THREATS,
    MakerProgress,
    MakerSearch,
    MakerThreats,
    load_checkpoint,
    new_control,
    save_checkpoint,
)
from hyperoxo.solvers.theorems import never_loses
from hyperoxo.solvers.theorems import wins as won_by
from hyperoxo.task import Task

if TYPE_CHECKING:
    from hyperoxo.proof import ZonePlan

_LEAST_FREE = 12
_NODES = 20_000
_NODES_OF_A_MOVE, _NODES_OF_A_MAKERS_MOVE = 500, 4_000
_FIRST_NODES = 200
_FEW_CELLS = 20
_THREAT_NODES, _THREAT_NODES_OF_A_MOVE = 200_000, 4_000
_LOOK_SECONDS = 0.25
"""Approximate time between two checks of the clock, with reports and saves."""


@dataclass(frozen=True)
class MakerSettings:
    """Settings of a Maker-Breaker search.

    `megabytes` are for the transposition table, which is read from `checkpoint` at the beginning if
    the file exists, and saved to it every `interval` seconds and at the end. `on_progress` is
    called several times a second.
    """

    megabytes: float | None = None
    checkpoint: str | os.PathLike[str] | None = None
    interval: float = 60.0
    on_progress: Callable[[MakerProgress], object] | None = None


def decides(game: Game) -> bool:
    """True if only this search decides a game."""
    return MAKERS.accepts(game) or AVOIDERS.accepts(game)


def may_bound(position: Position) -> bool:
    """True if this search can bound a position."""
    game = position.game
    if position.ply < game.opening_plies:
        return False
    return decides(game) or (game.cells - position.ply >= _LEAST_FREE and BREAKERS.accepts(game))


class MakerBounds:
    """Bounds of the positions of one game, by one search for each maker."""

    def __init__(
        self, game: Game, clock: ExactSearch, settings: MakerSettings | None = None
    ) -> None:
        self.game, self.clock = game, clock
        self.settings = MakerSettings() if settings is None else settings
        self._task = Task(stop=clock, on_report=self.settings.on_progress)
        self._searches: dict[int, MakerSearch | None] = {}
        self._threats: MakerThreats | None = None
        self._threatened: dict[tuple[bytes, int, int], Bounds] = {}
        self._began = self._saved = working_time()
        if self._path is not None and self._path.exists():
            # Refuse an unusable file before any other work.
            self._search(1)

    def bounds(self, position: Position, known: Bounds, *, move: bool = False) -> Bounds:
        """Return bounds on the value for the player to move, beyond those that are known.

        In Maker-Breaker play, threats are tried first where many cells are free; there and in
        Avoider-Enforcer play the search continues until it is stopped. It is short in ordinary
        play, where it can only prove a draw, and for the position after a `move`.
        """
        game = self.game
        if known.decided or not may_bound(position):
            return Bounds()
        limit = _NODES_OF_A_MAKERS_MOVE if move else 0
        if AVOIDERS.accepts(game):
            return self._of(position, 1, limit)
        if MAKERS.accepts(game):
            found = self._by_threats(position, _THREAT_NODES_OF_A_MOVE if move else _THREAT_NODES)
            return found if found.decided else self._of(position, 1, limit)
        found = Bounds()
        # Ordinary play: each player in turn as Maker. Only a win of Breaker says something, at
        # least a draw for Breaker; skip it if that is known.
        for maker in (1, 2):
            bound = known.low if maker != position.to_move else known.high
            if bound != Value.DRAW:
                found &= self._of(position, maker, _NODES_OF_A_MOVE if move else _NODES)
        return found

    def plan(self, position: Position, seat: int, *, wins: bool = False) -> ZonePlan | None:
        """Return a plan that proves the value for a seat, or None.

        `wins`: the seat is known to win.
        """
        from hyperoxo.solvers.maker_breaker.plans import plan_of

        game = self.game
        if not BREAKERS.accepts(game) or position.ply < game.opening_plies:
            return None
        if seat == 1 and (plan := self._plan_by_threats(position, wins=wins)):
            return plan
        maker = 1 if MAKERS.accepts(game) else 3 - seat
        # The table of the search guides the plan: decide the position first, in ordinary play
        # within a limit, and give up if the claim does not follow.
        search = self._search(maker)
        found = self._of(position, maker, 0 if MAKERS.accepts(game) else _NODES)
        mine = found if position.to_move == seat else -found
        if search is None or mine.low < (Value.WIN if MAKERS.accepts(game) else Value.DRAW):
            return None
        return plan_of(search, position, seat, self._task)

    def _by_threats(self, position: Position, nodes: int) -> Bounds:
        """Bounds from threats alone, computed once for a position with many free cells."""
        game, key = self.game, (position.owners, position.ply, nodes)
        if key in self._threatened:
            return self._threatened[key]
        few = game.cells - position.ply <= _FEW_CELLS
        large = game.board.cell_count > MOST_CELLS_BY_THREATS
        if few or large or not BY_THREATS.accepts(game) or self.clock.stopped:
            return Bounds()
        if self._threats is None:
            self._threats = MakerThreats(game)
        wins, control = self._decide(self._threats, position, nodes)
        found = Bounds()
        if wins:
            why = Why.MAKER_THREATENS(nodes=int(control[NODES]))
            found = won_by(position, 1, why)
        if not self.clock.stopped:
            self._threatened[key] = found
        return found

    def _plan_by_threats(self, position: Position, *, wins: bool) -> ZonePlan | None:
        """Return a plan of threats, with moves before them where no other search applies."""
        from hyperoxo.solvers.maker_breaker.plans import plan_of

        found = self._by_threats(position, _THREAT_NODES)
        if self._threats is None or not (found.decided or (wins and self._search(1) is None)):
            return None
        try:
            return plan_of(self._threats, position, 1, self._task)
        except HyperoxoError:
            return None

    def save(self) -> None:
        """Save the table in the checkpoint, if there is one."""
        search = self._searches.get(1)
        if self._path is not None and search is not None:
            save_checkpoint(search, self._path)
            self._saved = working_time()

    @property
    def _path(self) -> Path | None:
        """The checkpoint; games that other searches decide have none."""
        name = self.settings.checkpoint
        return Path(name) if name is not None and decides(self.game) else None

    def _search(self, maker: int) -> MakerSearch | None:
        """Return the search with a player as Maker, None if the board is too large."""
        if maker not in self._searches:
            try:
                search = MakerSearch(self.game, maker, megabytes=self.settings.megabytes)
            except LimitError:
                self._searches[maker] = None
                return None
            if self._path is not None and self._path.exists():
                load_checkpoint(search, self._path)
            self._searches[maker] = search
        return self._searches[maker]

    def _of(self, position: Position, maker: int, nodes: int) -> Bounds:
        search = self._search(maker)
        if search is None:
            return Bounds()
        # Slices of work, doubled or halved until they take about `_LOOK_SECONDS`. The transposition
        # table stays, so that the next slice continues the search.
        spent, wins, most = 0, None, _FIRST_NODES
        while wins is None and not self.clock.stopped and (not nodes or spent < nodes):
            begin = working_time()
            wins, control = self._decide(search, position, most, nodes - spent)
            spent += int(control[NODES])
            took = working_time() - begin
            if took < _LOOK_SECONDS:
                most *= 2
            elif took > 2 * _LOOK_SECONDS:
                most = max(_FIRST_NODES, most // 2)
            if wins is None:
                self._report(int(control[PROOF]), int(control[DISPROOF]))
        if wins is None:
            return Bounds()
        return _bounds(position, maker, wins, spent)

    def _decide(
        self, search: MakerSearch | MakerThreats, position: Position, *limits: int
    ) -> tuple[bool | None, NDArray[np.int64]]:
        """Search a position within all limits above 0; return Maker's result and the counters."""
        # A limit of 0 or less is none; the rest of the clock is at least 1 if it has a limit.
        control = new_control(min(one for one in (self.clock.nodes_left, *limits) if one > 0))
        with self._task.watched(control[STOP : STOP + 1]):
            wins = search.decide(position.owners, position.ply, control).maker_wins
        self.clock.count(int(control[NODES]))
        return wins, control

    def _report(self, proof: int, disproof: int) -> None:
        """Report progress, and save a checkpoint when due."""
        now = working_time()
        self._task.report(MakerProgress(self.clock.nodes, proof, disproof, 0, now - self._began))
        if now - self._saved >= self.settings.interval:
            self.save()


def _bounds(position: Position, maker: int, wins: bool, nodes: int) -> Bounds:
    """Translate the result of a search into bounds for the player to move."""
    if AVOIDERS.accepts(position.game):
        why = (Why.ENFORCER_WINS if wins else Why.AVOIDER_WINS)(nodes=nodes)
        return won_by(position, 3 - maker if wins else maker, why)
    seat = maker if wins else 3 - maker
    if MAKERS.accepts(position.game):
        why = (Why.MAKER_WINS if wins else Why.BREAKER_WINS)(seat=seat, nodes=nodes)
        return won_by(position, seat, why)
    if wins:
        return Bounds()
    return never_loses(position, seat, Why.BREAKER_DRAWS, seat=seat, maker=maker, nodes=nodes)
