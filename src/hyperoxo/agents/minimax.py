"""Minimax with a line heuristic: alpha-beta for two players, max^n or paranoid for more."""

from __future__ import annotations

from functools import partial
from pathlib import PurePath

import numpy as np

from hyperoxo.agents.base import (
    Explanation,
    Randomness,
    ThinkingAgent,
    Thought,
    because,
    drawn,
    hurried,
    moves_of,
)
from hyperoxo.agents.options import choice_option, int_option, number_option, seconds_option
from hyperoxo.agents.scored import TIES
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.game import Game, Position, Why
from hyperoxo.heuristics import LineHeuristic, PositionHeuristic, as_heuristic
from hyperoxo.solvers.exact.minimax import MINIMAX, MinimaxResult, MinimaxSearch
from hyperoxo.solvers.limits import SURE_CELLS
from hyperoxo.task import ALONE, Task

_MAX_DEPTH = 64
_DEFAULT_NODES = 5_000_000
_FIRST_TRY = 400_000
_KEPT = 10_000
_QUICK_CELLS = 9
_QUICK_NODES = 50_000


class MinimaxAgent(ThinkingAgent):
    """Searches by minimax and evaluates the leaves by a line heuristic.

    Among moves of the same value one is drawn at random. Wins are preferred sooner, losses later.
    Without a limit it deepens until the value is exact, or five million positions have been
    visited; so it is exact on small boards and deterministic on all. A leaf is worth the player's
    lines less `bias` times those of the rival, or the mean of the rivals'; with another `bias` than
    1 the rival still plays to lower that difference.
    """

    name = "minimax"
    opponents = (("Minimax, 3 plies", "minimax:depth=3,nodes=100000"),)
    requires = MINIMAX

    def __init__(
        self,
        depth: int | str | None = None,
        heuristic: str | LineHeuristic | PositionHeuristic = "kutner",
        ties: str = "random",
        seconds: float | str | None = None,
        nodes: int | str | None = None,
        prune: str = "on",
        concept: str = "maxn",
        reading: str = "ours",
        bias: float | str = 1.0,
    ) -> None:
        self.reading = choice_option("reading", reading, ("ours", "published"))
        self.depth = None if depth is None else int_option("depth", depth, 1, _MAX_DEPTH)
        self.heuristic: LineHeuristic | PositionHeuristic = (
            heuristic if isinstance(heuristic, PositionHeuristic) else as_heuristic(heuristic)
        )
        if isinstance(self.heuristic, LineHeuristic) and self.heuristic.by_ends:
            raise SpecError("minimax takes heuristics of stone counts, not of scans")
        self.ties = choice_option("ties", ties, TIES)
        self.seconds = seconds_option(seconds)
        self.nodes = None if nodes is None else int_option("nodes", nodes, 1, 10**15)
        self.prune = choice_option("prune", prune, ("on", "off"))
        self.concept = choice_option("concept", concept, ("maxn", "paranoid"))
        self.bias = number_option("bias", bias, -1e6, 1e6)
        self._check_options()
        # Results without a limit depend on the position alone, and are cached. With a limit they do
        # not: the order of the search depends on the history of the position.
        self._kept: dict[Position, MinimaxResult | None] = {}

    def _check_options(self) -> None:
        """Refuse conflicting options; subclasses for other readings override this."""
        if self.prune == "off" and self.depth is None:
            raise SpecError("prune=off needs a depth")

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a best move; see :meth:`Agent.choose`."""
        moves_of(position)
        return self._pick(self.search(position), rng)

    def _pick(self, result: MinimaxResult, rng: Randomness) -> int:
        best: list[int] = result.best.tolist()
        return result.moves[drawn(best, rng, self.ties)]

    def search(self, position: Position, task: Task = ALONE) -> MinimaxResult:
        """Search a position within the agent's limits, until the task is stopped."""
        moves = moves_of(position)
        limited = self.nodes is not None or self.seconds is not None
        # If the task may ask for a move at once, deepen step by step, so that there always is a
        # best move so far; else one search to the full depth gives the same result.
        quick = self.quick(position.game)
        whole = self.depth is None or task.stop is None or quick
        found = None if limited or not whole else self._whole(position, ALONE if quick else task)
        if found is not None:
            return found
        # 0 is no limit: a depth or a clock alone ends the search.
        limit = self.nodes or (0 if limited or self.depth else _DEFAULT_NODES)

        def on_result(result: MinimaxResult) -> None:
            task.report(Thought(moves[int(result.best[0])], depth=result.depth + 1))

        searcher = self._searcher(position, limit)
        return searcher.deepen(self._plies(position), self.seconds, task.stop, on_result)

    def _plies(self, position: Position) -> int:
        """Return the search depth without other limits."""
        free = position.game.cells - position.ply
        return min(self.depth or free, free)

    def _whole(self, position: Position, task: Task) -> MinimaxResult | None:
        if position not in self._kept:
            found = self._searched(position, task)
            # A search that was cut short depends on the clock, so it is not cached.
            if task.stopped:
                return found
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self._kept[position] = found
        return self._kept[position]

    def _searched(self, position: Position, task: Task) -> MinimaxResult | None:
        """Search to the depth, or to the end of a short game; None if that takes too long."""
        # A fixed depth needs one search; shallower ones would only improve its move order.
        free = position.game.cells - position.ply
        if self.depth is None and free > SURE_CELLS:
            return None
        search = self._searcher(position, 0 if self.depth else _FIRST_TRY)
        with task.watched(search.stop_flag):
            return search.run(self.depth or free)

    def quick(self, game: Game) -> bool:
        """True if every move is quick: on small boards, or to a small depth."""
        shallow = self.depth is not None and game.cells**self.depth <= _QUICK_NODES
        return self.seconds is None and (game.cells <= _QUICK_CELLS or shallow)

    def check(self, game: Game) -> None:
        """Refuse other rules, and a position heuristic with more than two players."""
        super().check(game)
        if game.players > 2 and isinstance(self.heuristic, PositionHeuristic):
            raise AgentError("minimax takes a position heuristic with two players only")

    def _searcher(self, position: Position, node_limit: int) -> MinimaxSearch:
        self.check(position.game)
        return MinimaxSearch(
            position,
            self.heuristic,
            prune=self.prune == "on",
            node_limit=node_limit,
            bias=self.bias,
            maxn=position.game.players > 2 and self.concept == "maxn",
        )

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose the best move of the deepest search until the task ends; see `Agent.think`."""
        result = self.search(position, task)
        found = self.explained(position, result, rng)
        early = not result.exact and result.depth < self._plies(position)
        return hurried(found) if task.stopped and early else found

    def explained(
        self, position: Position, result: MinimaxResult, rng: Randomness = None
    ) -> Explanation:
        """Choose among the best moves of a search result and explain it."""
        move = self._pick(result, rng)
        order = np.argsort(-result.values, kind="stable")
        candidates = tuple((result.moves[int(i)], float(result.values[i])) for i in order)
        return Explanation(move, candidates, self._reason(position, result, move))

    def _reason(self, position: Position, result: MinimaxResult, move: int) -> str:
        plies, say = result.plies_to_end, partial(because, position=position, cell=move)
        if plies is not None:
            why = Why.SEARCH_WIN if result.values.max() > 0 else Why.SEARCH_LOSS
            return say(why, plies=plies - position.ply)
        if result.exact:
            return say(Why.SEARCH_DRAW)
        name = PurePath(self.heuristic.name).name
        return say(Why.LOOKS_BEST, depth=result.depth, heuristic=name)
