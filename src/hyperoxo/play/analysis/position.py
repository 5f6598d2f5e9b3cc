"""Anytime analysis of one position: proved bounds first, estimates for the rest."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from hyperoxo.agents import agent, default_opponent
from hyperoxo.agents.mcts import PuctAgent
from hyperoxo.agents.tree_search import SCORED_TREES, SearchTree, TreeSettings, grow_tree
from hyperoxo.display import number_of
from hyperoxo.errors import SpecError
from hyperoxo.game import Bounds, Position, Requires, Value, move_name
from hyperoxo.game.messages import PROVED_BY, in_plies, share_of
from hyperoxo.jit import working_time
from hyperoxo.kernels.control import NODE_LIMIT
from hyperoxo.play.analysis import findings
from hyperoxo.play.board_style import BoardStyle
from hyperoxo.play.describe import reason
from hyperoxo.proof.coverage import coverages
from hyperoxo.solvers import knowledge
from hyperoxo.solvers.arrays import COMPILED
from hyperoxo.solvers.exact.minimax import MAXN, ExactSearch, maxn_values
from hyperoxo.solvers.limits import (
    MAXN_CELLS,
    SURE_CELLS,
    SURE_MAXN_CELLS,
    SURE_NODES,
    THEOREM_CELLS,
)
from hyperoxo.solvers.record import PROOFS, Inquiry, Knowledge, Source
from hyperoxo.solvers.solution import Question
from hyperoxo.task import Stop, Task

_ANALYSIS = Requires("analysis", COMPILED.accepted)

_AT_ONCE: knowledge.Budget = {knowledge.by_table: 1.0, knowledge.by_stored_proofs: 1.0}
# Shares are of the time that is left. A forced win of up to `_WALKED` plies is searched again move
# by move to write it out.
_SHOWN_SECONDS = 0.1
_FIRST_LOOK_SHARE, _FIRST_LOOK_SECONDS = 0.1, 0.3
_MAXN_SHARE = 0.5
_OTHERS = 0.3
_WRITTEN_OUT = 0.5
_WALKED = 12
_NODES = 1_000_000
_GUIDED, _PLAIN = PuctAgent().settings, TreeSettings(rave=100.0)

ProgressCallback = Callable[[findings.Analysis], object]


def analyse_position(
    position: Position,
    *,
    seconds: float = 1.0,
    stop: Stop | None = None,
    on_progress: ProgressCallback | None = None,
    seed: int = 0,
) -> findings.Analysis:
    """Evaluate every move of a position, with evidence.

    Proofs come first: tables, stored proofs, theorems, threats, proof search and exact search.
    Open values are estimated by a search tree from `seed`. `stop`, an event of `threading` or
    `multiprocessing`, ends the analysis early; `on_progress` is called with interim results, ten
    times a second at most and after each stage, possibly from another thread.
    """
    if not seconds >= 0:
        raise SpecError(f"seconds must be at least 0, not {seconds}")
    study = Study(position, seconds, stop, on_progress, seed)
    study.analyse()
    return study.analysis(finished=True)


class Study(Inquiry):
    """An inquiry about every move, with estimates of open values.

    With `played`, only the position and that move are of interest.
    """

    def __init__(
        self,
        position: Position,
        seconds: float,
        stop: Stop | None,
        on_progress: ProgressCallback | None,
        seed: int,
        *,
        played: int | None = None,
    ) -> None:
        _ANALYSIS.check(position.game)
        if not position.is_over:
            # Stored proofs are read once, before the clock starts.
            coverages(position.game)
        self.begin = working_time()
        self.played = played
        self.position = position
        self.on_progress = on_progress
        self.seed = seed
        self.shown = -1.0
        self.simulations = 0
        self.tree: SearchTree | None = None
        self.forced: tuple[findings.Step, ...] = ()
        self.threats = findings.threats_of(position)
        super().__init__(Knowledge(position), Question.EVERY_MOVE, Task.within(seconds, stop))
        self.estimates: dict[int, dict[str, Any]] = {cell: {} for cell in self.known.class_of}
        self.adviser: tuple[int, str] | None = None

    def analyse(self) -> None:
        """Query the sources, the surest first, then estimate open values."""
        if self.position.is_over:
            return
        # 1. Immediate sources, then a first estimate: something to show within a third of a second.
        knowledge.learn(self, _AT_ONCE)
        if not self._has_enough:
            self._advise()
        # 2. The sources that take time, each with its share. Bounds only tighten, so any order
        #    is sound; it decides which proof is found first.
        knowledge.learn(self, self._budget)
        # A cached property: it is there if a source has searched.
        if "search" in self.__dict__:
            if self._has_few_cells:
                self._insist()
            self.known.note(*knowledge.searched(self))
            self.release()
        # 3. The time that is left goes to estimates of the moves that are still open.
        if not self._is_large:
            if self.played is None:
                self._maxn(self.task.share(_MAXN_SHARE))
            undecided = [c for c in self.known.class_of if not self.known.of(c).known.decided]
            if undecided and not self._has_enough:
                # Briefly, if the best move is known.
                known = self.known.own.known.decided and self._ranked()[0].proved
                self._simulate(self.task.share(_OTHERS if known else 1.0), undecided)
        self._write_out()

    @property
    def _budget(self) -> knowledge.Budget:
        """Shares of time of the slower sources; on large boards theorems come last, if at all."""
        if not self._is_large or self._has_few_cells:
            return knowledge.ANALYSING
        threats: knowledge.Budget = {
            knowledge.by_threats: knowledge.ANALYSING[knowledge.by_threats]
        }
        tries_theorems = self.position.game.cells <= THEOREM_CELLS
        return {**threats, knowledge.by_theorems: 1.0} if tries_theorems else threats

    @property
    def _is_large(self) -> bool:
        """True if the board is too large to simulate games on."""
        return default_opponent(self.position.game) != "expert"

    @property
    def _has_few_cells(self) -> bool:
        """True if the position is small enough to be searched regardless of the time limit."""
        return self.known.free <= SURE_CELLS

    @property
    def _has_enough(self) -> bool:
        """True if everything of interest is decided, or the time is up."""
        known = self.known
        if self.played is not None:
            return known.own.known.decided and known.of(self.played).known.decided
        short = len(known.class_of) <= SURE_CELLS and known.game.players == 2
        decided = known.answers(Question.EVERY_VALUE)
        return self.task.over or (decided and (not short or knowledge.is_complete(self)))

    def wants(self, source: Source) -> bool:
        """True if a source should be queried; small positions are searched past the deadline."""
        if source in _AT_ONCE or not self._has_enough:
            return True
        if source is knowledge.by_mirroring and self._has_few_cells:
            return self.played is None and not self.known.answers(Question.EVERY_VALUE)
        # For the number of plies, which a stored proof lacks and a search tree only bounds.
        return source is knowledge.by_threats and self._is_loose()

    def _is_loose(self) -> bool:
        """True if a value is proved without its remoteness."""
        value, plies = self.known.own.known.value, self.known.plies()
        if self.played is None and value is Value.WIN and plies[0] is None:
            return True
        found = (self.known.own, *self.known.moves.values())
        by_proof = any(one.source in PROOFS and one.is_unmeasured for one in found)
        return by_proof and value is not None and plies == (None, None)

    def _advise(self) -> None:
        """Make a first estimate: by a short tree search, or on large boards by a line heuristic."""
        if not self._is_large:
            self._simulate(self.task.share(_FIRST_LOOK_SHARE, most=_FIRST_LOOK_SECONDS))
        else:
            adviser = agent(default_opponent(self.position.game), ties="lowest")
            found = adviser.explain(self.position, np.random.default_rng(self.seed))
            if found is not None:
                self.adviser = found.move, found.reason
        self._write_out()

    def _insist(self) -> None:
        """Finish the search of a small position after the deadline, within a node limit."""
        # A result that depends on the speed of the machine would differ from run to run; here the
        # limit is in nodes. The stop flag, set by the deadline, is cleared first.
        if knowledge.is_complete(self) or self.task.stopped or self.search.nodes >= SURE_NODES:
            return
        whole, self.task = self.task, Task(stop=self.task.stop)
        self.search.stop_flag[0] = 0
        self.search.control[NODE_LIMIT] = self.search.nodes + SURE_NODES
        for source in knowledge.SEARCHES:
            source(self)
            self.publish()
        self.task = whole

    def _maxn(self, task: Task) -> None:
        """Compute max^n values of every move, with three or more players."""
        position = self.position
        few = self.known.free <= MAXN_CELLS and position.game.players > 2
        if not few or not MAXN.accepts(position.game):
            return
        search = ExactSearch(position.game)
        sure = self.known.free <= SURE_MAXN_CELLS
        with (Task(stop=task.stop) if sure else task).watched(search.stop_flag):
            for cell in self.known.class_of:
                values = maxn_values(search, position.play(cell))
                if values is None:
                    return
                self.estimates[cell]["maxn"] = str(Value.of(values[position.to_move - 1]))

    def _simulate(self, task: Task, moves: list[int] | None = None) -> None:
        """Grow a tree from all moves, or from `moves`, until the time is over."""
        if task.over:
            return
        best = _GUIDED if SCORED_TREES.accepts(self.position.game) else _PLAIN
        settings = replace(best, simulations=None, seconds=task.left, nodes=_NODES)

        watched = Task(stop=task.stop, on_report=self._estimate)
        self.tree = grow_tree(
            self.position, settings, self.seed, moves=moves, base=self.tree, task=watched
        )
        self.simulations += self.tree.simulations
        self._estimate(self.tree)

    def _estimate(self, tree: SearchTree) -> None:
        """Take in scores and, with two players, proven values of the tree."""
        for found in tree.moves():
            estimate = self.estimates[found.cell]
            estimate["visits"] = found.visits
            if found.visits or found.proven:
                estimate["score"] = round(found.value, 6)
            if found.proven and self.position.game.players == 2:
                value = Value.of(found.value - 0.5)
                within = found.distance + 1 if value.sign else None
                self.known.tighten(found.cell, Bounds.exactly(value), "search", within=within)
        self.known.join()
        self.announce()

    def _write_out(self) -> None:
        """Write out a forced win if its moves are known, and publish the analysis."""
        known, position = self.known, self.position
        value = known.own.known.value
        if self.forced or value not in (Value.WIN, Value.LOSS):
            self.announce(always=True)
            return
        tabled = known.own.source == "table"
        cells = findings.forced_by_table(position) if tabled else self.line
        if value is Value.WIN and not cells:
            cells = tuple(one.cell for one in known.reached() if one.remoteness == 1)[:1]
        if not cells and (known.plies()[0] or _WALKED + 1) <= _WALKED:
            # The end is near enough to search again move by move.
            seat = position.to_move if value is Value.WIN else 3 - position.to_move
            cells = findings.forced_by_search(position, seat, self.task.share(_WRITTEN_OUT))
        if not cells and value is Value.LOSS:
            cells = self._answered()
        self.forced = findings.steps_of(position, cells)
        self.announce(always=True)

    def _answered(self) -> tuple[int, ...]:
        """Return the longest defence and the rival's forced win against it."""
        best = self._ranked()[0]
        if best.endless:
            return ()
        after = Knowledge(self.position.play(best.cell))
        inquiry = Inquiry(after, Question.EVERY_MOVE, self.task.share(_WRITTEN_OUT))
        knowledge.by_threats(inquiry)
        return (best.cell, *inquiry.line) if inquiry.line else ()

    def announce(self, source: Source | None = None, *, always: bool = False) -> None:
        """Publish the analysis, throttled; after important sources with the forced win."""
        if source in (
            knowledge.by_table,
            knowledge.by_threats,
            knowledge.by_proof_search,
            knowledge.by_exact_search,
        ):
            self._write_out()
        elif self.on_progress is not None:
            now = time.perf_counter()
            if always or source is knowledge.by_stored_proofs or now - self.shown >= _SHOWN_SECONDS:
                self.shown = now
                self.on_progress(self.analysis(finished=False))

    def _ranked(self) -> list[findings.MoveAnalysis]:
        """Return the moves, the best first; among equals the one written out, then by cell."""
        first = self.forced[0].cell if self.forced else None

        def key(move: findings.MoveAnalysis) -> tuple[float, ...]:
            return (*(-x for x in move.order), move.cell != first, move.cell)

        # A move decided by exclusion, or by the value of the position, inherits its source.
        found = (self.known.own, *self.known.moves.values())
        sources = (*(one.source for one in found), *(one.narrowed_by for one in found))
        source = next((one for one in sources if one != "none"), "none")
        return sorted((self._finding(cell, source) for cell in self.known.class_of), key=key)

    def _finding(self, cell: int, source: str) -> findings.MoveAnalysis:
        """Return the analysis of a move; `source` is inherited if it has none of its own."""
        move, estimate = self.known.of(cell), self.estimates[cell]
        if move.known.decided:
            estimate = {**estimate, "score": None}
            source = source if move.source == "none" else move.source
        else:
            source = "none" if estimate.get("score") is None else "estimate"
        return findings.MoveAnalysis(
            cell=cell,
            known=replace(move.known, reasons=()),
            remoteness=move.remoteness,
            within=move.within if move.remoteness is None else None,
            source=source,
            **estimate,
        )

    def analysis(self, *, finished: bool) -> findings.Analysis:
        """Assemble the analysis from the present knowledge."""
        known, position = self.known, self.position
        moves = tuple(self._ranked())
        # 1. What is proved.
        bounds = replace(known.own.known, reasons=())
        remoteness, within = known.plies()
        evidence = tuple(map(str, known.evidence))
        found: dict[str, Any] = {"source": known.own.source, "reason": " ".join(evidence)}
        winner = bounds.winner(known.mover, position.game.players)
        # 2. The advised move: on large boards the adviser's, unless a better one is proved.
        if position.outcome is not None:
            winner = position.outcome.winner or 0
        else:
            best, why = moves[0].cell, _advised_because(known, moves[0], self.simulations)
            if self.adviser is not None and not moves[0].proved:
                best, why = self.adviser
            top = next(move for move in moves if move.cell == best)
            source = moves[0].source if known.own.source == "none" else known.own.source
            if not bounds.decided and source not in ("estimate", "none"):
                source = "estimate"
            expected = (best,) if self.tree is None else self.tree.variation(best)
            found = {
                "best": best,
                "reason": why,
                "source": source,
                "score": None if bounds.decided else top.score,
                "variation": () if self.forced else expected,
            }
        # 3. All of it as frozen values.
        return findings.Analysis(
            game=str(position.game),
            position=position.text,
            history=position.history,
            ply=position.ply,
            player=position.to_move,
            known=bounds,
            remoteness=remoteness,
            within=within,
            winner=winner,
            moves=moves,
            forced=self.forced,
            threats=self.threats,
            evidence=evidence,
            nodes=self.visited,
            simulations=self.simulations,
            seconds=working_time() - self.begin,
            finished=finished,
            stopped=self.task.stopped and not self.known.answers(Question.EVERY_VALUE),
            **found,
        )


def _advised_because(known: Knowledge, move: findings.MoveAnalysis, simulations: int) -> str:
    position = known.position
    name = move_name(position.game, move.cell)
    does = ""
    if position.game.convention.reaching_wins:
        does = reason(position, move.cell, BoardStyle.of(known.game.players))
    first = f"{name} {does}." if does else f"{name}."
    if len(known.class_of) == 1:
        first = f"{name} is the only move."
    return " ".join(filter(None, [first, _certainty(known, move, simulations), _avoided(known)]))


def _certainty(known: Knowledge, move: findings.MoveAnalysis, simulations: int) -> str:
    estimate = _estimate(move, simulations)
    if not move.proved:
        return estimate
    against = " against all others together" if known.game.players > 2 else ""
    plies = in_plies(move.remoteness, move.within)
    said = {
        "win": f"It wins{against}{plies}",
        "draw": f"It keeps a draw{against}",
        "loss": _losing(move),
        "nothing": "No move forces anything against all the others together",
    }[move.value]
    return f"{said}: proved {PROVED_BY[move.source]}. {estimate}".strip()


def _losing(move: findings.MoveAnalysis) -> str:
    if move.remoteness is not None:
        return f"Every move loses; this one holds out{in_plies(move.remoteness, before=' for ')}"
    return f"Every move loses{in_plies(None, move.within, before=', in ')}"


def _estimate(move: findings.MoveAnalysis, simulations: int) -> str:
    if move.score is None or not simulations:
        return ""
    return (
        f"A search tree gives it {share_of(move.score)} of the points, by {move.visits:,} of "
        f"{number_of(simulations, 'try|tries')}: an estimate."
    )


def _avoided(known: Knowledge) -> str:
    """Count the other moves proved to lose, unless all do."""
    own = known.own.known
    if known.game.players > 2 or own.high is Value.LOSS or own.low is Value.WIN:
        return ""
    losing = sum(known.of(cell).known.high is Value.LOSS for cell in known.class_of)
    if not losing:
        return ""
    verb = "is" if losing == 1 else "are"
    return f"{number_of(losing, 'other move')} {verb} proved to lose."
