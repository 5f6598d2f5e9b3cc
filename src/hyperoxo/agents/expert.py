"""Expert agent: forced wins, stored proofs, exact search, then a guided tree search."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from hyperoxo.agents.base import (
    Explanation,
    Randomness,
    ThinkingAgent,
    because,
    drawn,
    generator,
    hurried,
    moves_of,
)
from hyperoxo.agents.mcts import GUIDE, PuctAgent, lines_heuristic, simulation_reason
from hyperoxo.agents.minimax import MinimaxAgent
from hyperoxo.agents.options import choice_option, int_option, seconds_option, spelled
from hyperoxo.agents.proof import proved_move
from hyperoxo.agents.scored import TIES
from hyperoxo.agents.threats import threat_reply
from hyperoxo.agents.tree_search import (
    SCORED_TREES,
    RootMove,
    SearchTree,
    TreeSettings,
    check_trees,
    grow_tree,
    hopeful_moves,
    same_rank,
    thoughtful,
)
from hyperoxo.game import Game, Position, Value, Why
from hyperoxo.game.messages import in_plies
from hyperoxo.heuristics import LineHeuristic, kutner_heuristic
from hyperoxo.jit import working_time
from hyperoxo.solvers.draws.pairing import mirroring_move
from hyperoxo.solvers.exact.gravity import searches_columns
from hyperoxo.solvers.exact.minimax import MINIMAX, MinimaxSearch
from hyperoxo.solvers.knowledge import (
    by_exact_search,
    by_stored_proofs,
    by_table,
    learn,
    threats_after_moves,
)
from hyperoxo.solvers.limits import SURE_CELLS
from hyperoxo.solvers.record import FoundMove, Inquiry, Knowledge
from hyperoxo.solvers.solution import Question
from hyperoxo.solvers.threats.search import THREATS, ThreatResult, ThreatSearch
from hyperoxo.task import ALONE, Task

# Node limits are in positions; shares are of `seconds`, for the stages before the tree.
_SECONDS = 0.7
_EXACT_NODES = 200_000
_WIN_NODES = 2_000_000
_WIN_SHARE = 0.35
_DEFENCE_SHARE = 0.35
_DEFENDED, _TEST_SHARE = 64, 0.05
"""Up to this number of moves, the rival's forced wins are searched after each of them before the
tree; with more, only after the moves that the tree prefers, in this share of the time."""
_GUIDED = PuctAgent().settings
_RAVE = 100.0
_KEPT_NODES = 200_000
"""Nodes kept of a tree until the next move, 48 bytes each."""
_BY_TABLE = {Value.WIN: Why.TABLE_WIN, Value.DRAW: Why.TABLE_DRAW, Value.LOSS: Why.TABLE_LOSS}
_BY_SEARCH = {Value.WIN: Why.SEARCH_WIN, Value.DRAW: Why.SEARCH_DRAW, Value.LOSS: Why.SEARCH_LOSS}
# Above every remoteness, so that a rating in `_by_values` keeps the sign of its value.
_FAR = 1000
_QUICK_CELLS = 9
_COLUMN_CELLS, _COLUMN_NODES, _EXACT_SHARE = 34, 2_000_000, 0.5
"""Under gravity: most free cells for exact search, and its limit in positions or in time."""
_CELL_FACTOR = 1.2
"""One free cell more multiplies the time by about this, so `_COLUMN_CELLS` is for `_SECONDS`."""


class ExpertAgent(ThinkingAgent):
    """Plays forced wins, avoids moves that allow one, and searches the rest.

    1. A move that completes a line, or the block of the rival's.
    2. A forced win by threats (two players, one line to win).
    3. A move that wins by a stored proof: as player 1 of 4^3 it always wins.
    4. On small boards, and under gravity late in a game, the table of all positions or exact
       search.
    5. In misère play, mirroring where it never loses.
    6. Tree search among the moves that leave the rival no forced win, and that no stored proof
       refutes: guided by `heuristic` as in `puct`, or as in `mcts` if the rules do not allow that
       and no heuristic is given. With a time limit it begins with the tree of the last move.
    """

    name = "expert"
    opponents = (("Expert", "expert"), ("Expert, 3 seconds", "expert:seconds=3"))

    def __init__(
        self,
        seconds: float | str | None = None,
        simulations: int | str | None = None,
        heuristic: str | LineHeuristic = GUIDE,
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
        self._tree: SearchTree | None = None

    @property
    def spec(self) -> str:
        """Spelling of the agent."""
        usual = self.simulations is None and self.seconds == _SECONDS
        return spelled(self, seconds=None if usual else self.seconds)

    def check(self, game: Game) -> None:
        """Refuse games in which the given heuristic cannot guide the tree."""
        if self._guided != _GUIDED:
            check_trees(game, self._guided)

    def quick(self, game: Game) -> bool:
        """True if every move is quick: on boards whose values are tabled."""
        usual = self.seconds in (None, _SECONDS)
        return usual and game.cells <= _QUICK_CELLS and game.players == 2

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move, and name the stage that chose it; every stage ends with the task."""
        limit = Task.within(self.seconds, task.stop)
        moves = moves_of(position)
        if len(moves) == 1:
            return Explanation.of(moves[0], because(Why.ONLY_MOVE, position, moves[0]))
        random = generator(rng)
        # 1. A line, a forced win, a block, or a move of a stored proof.
        win = None
        if THREATS.accepts(position.game):
            win = self._win(position, self._within(_WIN_SHARE, limit))
            reply = threat_reply(position, win) or proved_move(position)
            if reply is not None:
                return Explanation.of(*reply, 1.0)
        # 2. Leave out moves that allow the rival a forced win, or that a stored proof refutes; keep
        # all if none is left.
        known, candidates = Knowledge(position), moves
        inquiry = Inquiry(known, Question.BEST_MOVE, task)
        if win is not None and self._search is not None:
            if len(known.moves) <= _DEFENDED:
                threats_after_moves(inquiry, self._search, self._within(_DEFENCE_SHARE, limit))
            candidates = _not_lost(known, moves)
            learn(inquiry, {by_stored_proofs: 1.0})
            candidates = _not_lost(known, candidates)
        # 3. Exact values, from a table or by search; mirroring; else the tree.
        learn(inquiry, {by_table: 1.0})
        if known.own.source == "table":
            return self._by_values(known, known.class_of, _BY_TABLE, random)
        exact = self._by_exact_search(known, random, limit.share(_EXACT_SHARE))
        if exact is not None:
            return exact
        if searches_columns(position.game):  # a search that found no answer may have found losses
            candidates = _not_lost(known, candidates)
        mirrored = mirroring_move(position)
        if mirrored is not None:
            return Explanation.of(mirrored, because(Why.MIRRORS, position, mirrored))
        return self._by_tree(inquiry, candidates, limit, random)

    def _win(self, position: Position, task: Task) -> ThreatResult:
        """Search for a forced win with an empty table, so that games can be repeated."""
        if self._search is None or self._search.game != position.game:
            self._search = ThreatSearch(position.game)
        self._search.forget()
        with task.watched(self._search.stop_flag):
            found = self._search.forced_win(position, node_limit=_WIN_NODES, shortest=True)
        # The flag may be set by now, and `threats_after_moves` uses the same search again.
        self._search.stop_flag[0] = 0
        return found

    def _within(self, share: float, limit: Task) -> Task:
        """Return a task with a share of the time for a move, or with what is left of it."""
        return limit.share(1.0, math.inf if self.seconds is None else share * self.seconds)

    def _by_values(
        self,
        known: Knowledge,
        cells: Iterable[int],
        reasons: Mapping[Value, Why],
        random: np.random.Generator,
    ) -> Explanation:
        """Play one of the best moves, all with known value and remoteness."""
        # The sign orders win, draw and loss; a quick win rates higher, a quick loss lower.
        rated = []
        for cell in cells:
            move = known.of(cell)
            assert move.known.value is not None
            assert move.remoteness is not None
            rated.append((cell, move.known.value.sign * float(_FAR - move.remoteness + 1)))
        rated.sort(key=lambda move: -move[1])
        best = [move for move in rated if move[1] == rated[0][1]]
        cell, worth = drawn(best, random, self.ties)
        why, plies = reasons[Value.of(worth)], known.of(cell).remoteness
        return Explanation(cell, tuple(rated), because(why, known.position, cell, plies=plies))

    def _by_exact_search(
        self, known: Knowledge, random: np.random.Generator, task: Task
    ) -> Explanation | None:
        position, game, free = known.position, known.game, known.free
        if searches_columns(game):
            longer = (self.seconds or _SECONDS) / _SECONDS
            most = _COLUMN_CELLS + round(math.log(longer, _CELL_FACTOR))
            return self._by_columns(known, random, task) if free <= most else None
        if game.players != 2 or not MINIMAX.accepts(game) or free > SURE_CELLS:
            return None
        search = MinimaxSearch(position, kutner_heuristic(), node_limit=_EXACT_NODES)
        with task.watched(search.stop_flag):
            result = search.run(free)
        if result is None:
            return None
        return MinimaxAgent(ties=self.ties).explained(position, result, random)

    def _by_columns(
        self, known: Knowledge, random: np.random.Generator, task: Task
    ) -> Explanation | None:
        """Play a best move under gravity, if a share of the time suffices to find it."""
        # 0 is no limit: the clock then ends the search.
        nodes = _COLUMN_NODES if self.seconds is None else 0
        learn(Inquiry(known, Question.BEST_MOVE, task, nodes), {by_exact_search: None})
        plies, value = known.plies()[0], known.own.known.value
        if plies is None or not known.answers(Question.BEST_MOVE):
            # A proved win of unknown distance is as good; the tree might give it away.
            won = known.reached() if value is Value.WIN else []
            return self._by_proved_win(known.position, won, random) if won else None
        best = [
            cell
            for cell in known.class_of
            if known.of(cell).known.value is value and known.of(cell).remoteness == plies
        ]
        return self._by_values(known, best, _BY_SEARCH, random)

    def _by_proved_win(
        self, position: Position, won: Sequence[FoundMove], random: np.random.Generator
    ) -> Explanation:
        """Play one of the moves that are proved to win, within the fewest moves known."""
        plies = {move.cell: move.remoteness or move.within or _FAR for move in won}
        soonest = [cell for cell in plies if plies[cell] == min(plies.values())]
        cell = drawn(soonest, random, self.ties)
        within = in_plies(plies[cell], before=" within ") if plies[cell] < _FAR else ""
        return Explanation.of(cell, because(Why.TREE_WIN, position, cell, within=within), 1.0)

    def _by_tree(
        self,
        inquiry: Inquiry,
        candidates: Sequence[int],
        limit: Task,
        random: np.random.Generator,
    ) -> Explanation:
        """Play the move that the tree prefers among those that allow no forced win."""
        known, task = inquiry.known, inquiry.task
        position, game = known.position, known.game
        # 1. Grow a tree; the rest of the time is for testing its choice.
        plain = replace(TreeSettings(), rave=_RAVE if game.cells > SURE_CELLS else 0.0)
        settings = self._guided if SCORED_TREES.accepts(game) else plain
        settings = replace(settings, simulations=self.simulations, seconds=None)
        untested = THREATS.accepts(game) and len(known.moves) > _DEFENDED
        if self.seconds is not None:
            reserved = _TEST_SHARE * self.seconds if untested else 0.0
            settings = replace(settings, seconds=max(limit.left - reserved, 0.0))
        seed, start, inner = int(random.integers(2**63)), working_time(), thoughtful(task)
        tree = grow_tree(position, settings, seed, moves=candidates, base=self._tree, task=inner)
        hopeful = hopeful_moves(tree, settings, seed, start, candidates, inner)
        chosen = drawn(hopeful, random, self.ties)
        # 2. Test the choice: while it allows the rival a forced win, take the next best. Proved
        # losses are recorded in `known`, so that the loop ends.
        within = self._within(_TEST_SHARE, limit)
        while untested and self._search is not None:
            tested = known.of(chosen.cell)
            threats_after_moves(inquiry, self._search, within, moves=(tested,))
            if tested.known.high is not Value.LOSS:
                break
            rest = [move for move in tree.moves() if known.of(move.cell).known.high > Value.LOSS]
            if not rest:
                break
            candidates = [move.cell for move in rest]
            chosen = drawn(same_rank(rest), random, self.ties)
        if self.seconds is not None:
            self._tree = _tree_after(tree, chosen, settings, seed)
        reason = simulation_reason(tree, chosen)
        avoided = len(position.legal_moves) - len(candidates)
        if avoided:
            reason += f" {Why.ALLOWS_WIN(moves=avoided)}"
        found = Explanation(
            chosen.cell, tuple((move.cell, move.value) for move in tree.moves()), reason
        )
        return hurried(found) if task.stopped else found


def _tree_after(
    tree: SearchTree, chosen: RootMove, settings: TreeSettings, seed: int
) -> SearchTree | None:
    """Return the upper part of the subtree below a move; None where it is not worth its room."""
    # With fewer visits than moves it knows next to nothing, and on large boards takes long to copy.
    after = tree.position.play(chosen.cell)
    if not 0 < len(after.legal_moves) < min(chosen.visits, _KEPT_NODES):
        return None
    bare = replace(settings, simulations=0, seconds=None, threats=0, nodes=_KEPT_NODES)
    return grow_tree(after, bare, seed, base=tree)


def _not_lost(known: Knowledge, moves: tuple[int, ...]) -> tuple[int, ...]:
    """Return the moves that are not proved to lose; all, where none is left."""
    return tuple(cell for cell in moves if known.of(cell).known.high > Value.LOSS) or moves
