"""The strongest player: forced wins first, then exact search, then a guided tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from hyperoxo.agents.base import (
    ALONE,
    Explanation,
    Randomness,
    Tell,
    ThinkingAgent,
    drawn,
    generator,
    hurried,
    moves_of,
)
from hyperoxo.agents.mcts import lines_heuristic, simulation_reason
from hyperoxo.agents.minimax import MinimaxAgent
from hyperoxo.agents.options import choice_option, int_option, seconds_option, spelled
from hyperoxo.agents.proof import proved_move
from hyperoxo.agents.puct import HEURISTIC, PuctAgent
from hyperoxo.agents.scored import TIES
from hyperoxo.agents.threats import threat_reply
from hyperoxo.agents.tree_search import (
    SCORED_TREES,
    Hurry,
    TreeSettings,
    check_trees,
    grow_tree,
    hopeful_moves,
)
from hyperoxo.game import Game, Position, Value, Why
from hyperoxo.heuristics import LineHeuristic, kutner_heuristic
from hyperoxo.jit import working_time
from hyperoxo.proof.coverage import coverages
from hyperoxo.solvers.draws.pairing import mirroring_move
from hyperoxo.solvers.exact.minimax import MINIMAX, MinimaxSearch
from hyperoxo.solvers.states.tables import lookup
from hyperoxo.solvers.threats.search import THREATS, ThreatResult, ThreatSearch
from hyperoxo.task import Task

_SECONDS = 0.7
_SMALL = 27
_EXACT_NODES = 200_000
_WIN_NODES = 2_000_000
_DEFENCE_NODES = 100_000
_WIN_SHARE = 0.35
_DEFENCE_SHARE = 0.35
_STAGES_SHARE = 0.8
_GUIDED = PuctAgent().settings
_RAVE = 100.0
_BY_TABLE = {Value.WIN: Why.TABLE_WIN, Value.DRAW: Why.TABLE_DRAW, Value.LOSS: Why.TABLE_LOSS}
_FAR = 1000
_QUICK_CELLS = 9


class ExpertAgent(ThinkingAgent):
    """Looks for a forced win, refuses moves that allow one, and searches the rest.

    1. A move that completes a line, or the block of the rival's.
    2. A forced win by threats (two players, one line to win).
    3. A move that wins by a stored proof: as player 1 of 4^3 it always wins.
    4. On small boards, the table of all positions or exact search.
    5. In misère play, mirroring where it never loses.
    6. Tree search among the moves that leave the rival no forced win, and that no stored proof
       refutes: guided by `heuristic` as `puct` does it, or as `mcts` where the rules do not allow
       that and no heuristic is given.
    """

    name = "expert"
    opponents = (("Expert", "expert"), ("Expert, 3 seconds", "expert:seconds=3"))

    def __init__(
        self,
        seconds: float | str | None = None,
        simulations: int | str | None = None,
        heuristic: str | LineHeuristic = HEURISTIC,
        ties: str = "random",
    ) -> None:
        self.heuristic = lines_heuristic(heuristic, "guided trees")
        self._guided = replace(_GUIDED, guide=self.heuristic)
        self.simulations = None
        if simulations is not None:
            self.simulations = int_option("simulations", simulations, 1, 10**9)
        elif seconds is None:
            seconds = _SECONDS
        self.seconds = seconds_option(seconds, 0.0)
        self.ties = choice_option("ties", ties, TIES)
        self._search: ThreatSearch | None = None

    @property
    def spec(self) -> str:
        """How the agent is spelled."""
        usual = self.simulations is None and self.seconds == _SECONDS
        return spelled(self, seconds=None if usual else self.seconds)

    def check(self, game: Game) -> None:
        """Refuse games in which a heuristic that was asked for cannot guide the tree."""
        if self._guided != _GUIDED:
            check_trees(game, self._guided)

    @property
    def repeatable(self) -> bool:
        """Whether the same seed gives the same move; only without a clock."""
        return self.seconds is None

    def quick(self, game: Game) -> bool:
        """Whether every move is quick: on boards whose values are tabled."""
        usual = self.seconds in (None, _SECONDS)
        return usual and game.cells <= _QUICK_CELLS and game.players == 2

    def think(
        self,
        position: Position,
        rng: Randomness = None,
        task: Task = ALONE,
        tell: Tell | None = None,
    ) -> Explanation:
        """Choose a move, and say which stage chose it; every stage ends with the task."""
        begin = working_time()
        moves = moves_of(position)
        if len(moves) == 1:
            return Explanation(moves[0], ((moves[0], 0.0),), str(Why.ONLY_MOVE(cell=moves[0])))
        random = generator(rng)
        candidates: Sequence[int] = moves
        if THREATS.holds(position.game):
            win = self._win(position, task)
            known = threat_reply(position, win) or proved_move(position)
            if known is not None:
                return Explanation(known[0], ((known[0], 1.0),), known[1])
            candidates = self._not_refuted(position, self._safe(position, task), begin, task)
        exact = self._by_table(position, random) or self._by_exact_search(position, random)
        if exact is not None:
            return exact
        mirrored = mirroring_move(position)
        if mirrored is not None:
            return Explanation(mirrored, ((mirrored, 0.0),), str(Why.MIRRORS(cell=mirrored)))
        return self._by_tree(position, candidates, begin, random, Hurry(task, tell))

    def _threats(self, position: Position) -> ThreatSearch:
        if self._search is None or self._search.game != position.game:
            self._search = ThreatSearch(position.game)
        # What earlier moves left in the memory must not show in this one.
        self._search.forget()
        return self._search

    def _win(self, position: Position, task: Task) -> ThreatResult:
        """Look for a forced win."""
        search = self._threats(position)
        with _clock(search, self._share(_WIN_SHARE), task):
            return search.forced_win(position, node_limit=_WIN_NODES, shortest=True)

    def _safe(self, position: Position, task: Task) -> tuple[int, ...]:
        """Return the moves after which the rival has no forced win; all, where none is left."""
        search = self._threats(position)
        safe = []
        share = self._share(_DEFENCE_SHARE)
        end = None if share is None else working_time() + share
        for cell in position.legal_moves:
            if task.stopped or (end is not None and working_time() > end):
                safe.append(cell)
                continue
            after = position.play(cell)
            left = None if end is None else max(end - working_time(), 0.001)
            with _clock(search, left, task):
                threat = search.forced_win(after, node_limit=_DEFENCE_NODES)
            if threat.status != "win":
                safe.append(cell)
        return tuple(safe) or position.legal_moves

    def _not_refuted(
        self, position: Position, moves: tuple[int, ...], begin: float, task: Task
    ) -> tuple[int, ...]:
        """Return the moves that no stored proof shows to lose; all, where none is left."""
        share = self._share(_STAGES_SHARE)

        def refuted(cell: int) -> bool:
            in_time = not task.stopped and (share is None or working_time() < begin + share)
            return in_time and coverage.wins(position.play(cell))

        for coverage in coverages(position.game):
            if coverage.attacker != position.to_move:
                moves = tuple(cell for cell in moves if not refuted(cell)) or moves
        return moves

    def _share(self, share: float) -> float | None:
        return None if self.seconds is None else share * self.seconds

    def _by_table(self, position: Position, random: np.random.Generator) -> Explanation | None:
        """Play by a table of all positions, where there is one."""
        rated = []
        for cell in position.legal_moves:
            found = lookup(position.play(cell))
            if found is None:
                return None
            rated.append((cell, -found[0].sign * (_FAR - float(found[1]))))
        rated.sort(key=lambda move: -move[1])
        best = [move for move in rated if move[1] == rated[0][1]]
        cell, worth = drawn(best, random, self.ties)
        plies = _FAR - int(abs(worth)) + 1
        why = _BY_TABLE[Value.of(worth)](cell=cell, plies=plies)
        return Explanation(cell, tuple(rated), str(why))

    def _by_exact_search(
        self, position: Position, random: np.random.Generator
    ) -> Explanation | None:
        game = position.game
        free = game.cells - position.ply
        if game.players != 2 or not MINIMAX.holds(game) or free > _SMALL:
            return None
        result = MinimaxSearch(position, kutner_heuristic(), node_limit=_EXACT_NODES).run(free)
        if result is None:
            return None
        return MinimaxAgent(ties=self.ties).explained(position, result, random)

    def _by_tree(
        self,
        position: Position,
        candidates: Sequence[int],
        begin: float,
        random: np.random.Generator,
        hurry: Hurry,
    ) -> Explanation:
        game = position.game
        plain = replace(TreeSettings(), rave=_RAVE if game.cells > _SMALL else 0.0)
        settings = self._guided if SCORED_TREES.holds(game) else plain
        settings = replace(settings, simulations=self.simulations, seconds=None)
        if self.seconds is not None:
            left = max(self.seconds - (working_time() - begin), 0.01)
            settings = replace(settings, seconds=left)
        seed, start = int(random.integers(2**63)), working_time()
        tree = grow_tree(position, settings, seed, moves=candidates, watch=hurry.watch)
        hopeful = hopeful_moves(tree, settings, seed, start, candidates, hurry.watch)
        chosen = drawn(hopeful, random, self.ties)
        reason = simulation_reason(tree, chosen)
        avoided = len(position.legal_moves) - len(candidates)
        if avoided:
            reason += f" {Why.ALLOWS_WIN(moves=avoided)}"
        found = Explanation(
            chosen.cell, tuple((move.cell, move.value) for move in tree.moves()), reason
        )
        return hurried(found) if hurry.ended else found


@contextmanager
def _clock(search: ThreatSearch, seconds: float | None, task: Task) -> Iterator[None]:
    """Stop a threat search after some seconds, or with a task."""
    try:
        with Task.within(seconds, task.stop).watched(search.stop_flag):
            yield
    finally:
        search.stop_flag[0] = 0
