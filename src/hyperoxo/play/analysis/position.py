"""One position: everything that can be found out about it within a time limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from hyperoxo.agents import agent, default_opponent
from hyperoxo.agents.tree_search import SearchTree
from hyperoxo.errors import SpecError
from hyperoxo.game import CLASSIC, Bounds, Position, Requires, Trait, Value, Why
from hyperoxo.game.sentences import PROVED_BY, in_plies, number_of, sentences, share_of
from hyperoxo.game.words import cell_name
from hyperoxo.jit import working_time
from hyperoxo.play.analysis.findings import Analysis, MoveAnalysis, Step
from hyperoxo.play.analysis.knowledge import Knowledge
from hyperoxo.play.analysis.stages import (
    by_maxn,
    by_proof_search,
    by_search,
    by_simulation,
    by_stored_proofs,
    by_table,
    by_theorems,
    by_threats,
    expected_line,
    forced_by_search,
    forced_by_table,
    has_few_cells,
    steps_of,
    threats_of,
)
from hyperoxo.play.look import Look
from hyperoxo.play.words import reason
from hyperoxo.proof.coverage import coverages
from hyperoxo.solvers.exact.seat_value import outcome_value
from hyperoxo.task import Stop, Task

_ANALYSIS = Requires(
    "analysis",
    {
        *CLASSIC,
        Trait.MAKER_BREAKER,
        Trait.AVOIDER_ENFORCER,
        Trait.BIASED,
        Trait.ANOTHER_STARTS,
    },
)

_SHOWN_SECONDS = 0.1
_FIRST_LOOK, _FIRST_LOOK_SECONDS = 0.1, 0.3
_THREATS, _PROOF_SEARCH, _SEARCH, _MAXN = 0.35, 0.5, 0.5, 0.5
_OTHERS = 0.3
_WRITTEN_OUT = 0.5
_WALKED = 12
_SMALL = 27
_MOST_CELLS = 10_000

Update = Callable[[Analysis], object]


def analyse_position(
    position: Position,
    *,
    seconds: float = 1.0,
    stop: Stop | None = None,
    on_update: Update | None = None,
    seed: int = 0,
) -> Analysis:
    """Find out what every move of a position is worth, how sure that is, and why.

    What is proved comes first: tables, stored proofs, theorems, threats, proof search and exact
    search. What they leave open is estimated by a search tree from `seed`. `stop`, an event of
    `threading` or `multiprocessing`, ends the analysis early; `on_update` hears the analysis so
    far, ten times a second at most and after each stage, perhaps from another thread.
    """
    if not seconds >= 0:
        raise SpecError(f"seconds must not be negative, not {seconds}")
    study = Study(position, seconds, stop, on_update, seed)
    study.run()
    return study.analysis(finished=True)


class Study:
    """The work of one analysis."""

    def __init__(
        self,
        position: Position,
        seconds: float,
        stop: Stop | None,
        on_update: Update | None,
        seed: int,
        *,
        played: int | None = None,
    ) -> None:
        _ANALYSIS.check(position.game)
        if not position.is_over:
            # Reading the stored proofs, which is done once, takes nothing from the time.
            coverages(position.game)
        self.begin = working_time()
        self.played = played
        self.position = position
        self.on_update = on_update
        self.seed = seed
        self.shown = -1.0
        self.nodes = self.simulations = 0
        self.tree: SearchTree | None = None
        self.line: tuple[int, ...] = ()
        self.forced: tuple[Step, ...] = ()
        self.threats = threats_of(position)
        self.known = Knowledge(position) if position.is_over else Knowledge.of(position)
        self.adviser: tuple[int, str] | None = None
        self.task = Task.within(seconds, stop)

    def run(self) -> None:
        """Run the stages, the surest first."""
        if self.position.is_over:
            return
        if by_table(self.known):
            self.forced = steps_of(self.position, forced_by_table(self.position))
            return
        by_stored_proofs(self.known)
        self.tell(always=True)
        for stage in self._stages():
            if self._enough() and not self._asks_more(stage):
                continue
            stage()
            self._write_out()
            self.tell(always=True)

    def _stages(self) -> list[Callable[[], None]]:
        if default_opponent(self.position.game) != "expert":
            last = self._search if has_few_cells(self.position) else self._theorems
            return [self._ask_adviser, self._threats, last]
        return [
            self._first_look,
            self._threats,
            self._prove,
            self._search,
            self._maxn,
            self._simulate_rest,
        ]

    def _asks_more(self, stage: Callable[[], None]) -> bool:
        """Whether a stage answers another question than what the moves are worth."""
        if stage == self._maxn:
            # What everybody gets who plays only for themselves.
            return self.played is None
        if stage == self._search and not self.known.complete:
            # Few cells are decided in spite of the clock.
            return self.played is None and has_few_cells(self.position)
        # How long it takes, which a stored proof does not tell and a tree not closely.
        return stage == self._threats and (self.known.unmeasured or self._is_loose())

    def _is_loose(self) -> bool:
        """Whether a win was proved by a tree, which seldom finds the shortest."""
        win = self.known.bounds.value is Value.WIN
        return self.played is None and win and self.known.plies()[0] is None

    def _enough(self) -> bool:
        """Whether nothing is left to find out, or the time is up."""
        known = self.known
        if self.played is not None:
            return known.decided and self.played not in known.undecided
        short = len(known.moves) <= _SMALL and self.position.game.players == 2
        exact = all(move.remoteness is not None for move in known.moves.values())
        return self.task.over or (known.complete and (exact or not short))

    def _first_look(self) -> None:
        self._simulate(self.task.share(_FIRST_LOOK, most=_FIRST_LOOK_SECONDS))

    def _threats(self) -> None:
        self.line = by_threats(self.known, self.task.share(_THREATS), self.tell)

    def _prove(self) -> None:
        self.nodes = by_proof_search(self.known, self.task.share(_PROOF_SEARCH), self.tell)

    def _search(self) -> None:
        self.nodes += by_search(self.known, self.task.share(_SEARCH), self.tell)

    def _theorems(self) -> None:
        if self.position.game.cells <= _MOST_CELLS:
            by_theorems(self.known)

    def _maxn(self) -> None:
        by_maxn(self.known, self.task.share(_MAXN))

    def _ask_adviser(self) -> None:
        """On a board too large to simulate games on, ask an agent that scores moves by lines."""
        adviser = agent(default_opponent(self.position.game), ties="lowest")
        found = adviser.explain(self.position, np.random.default_rng(self.seed))
        if found is not None:
            self.adviser = found.move, found.reason

    def _simulate_rest(self) -> None:
        """Grow a tree where values are open; briefly where the best move is known already."""
        undecided = self.known.undecided
        if not undecided or self.task.over:
            return
        best = self.known.ranked()[0]
        share = _OTHERS if self.known.decided and best.proved else 1.0
        self._simulate(self.task.share(share), undecided)

    def _simulate(self, task: Task, moves: list[int] | None = None) -> None:
        if task.over:
            return
        base, before = self.tree, self.simulations
        self.tree = by_simulation(self.known, task, self.tell, self.seed, moves=moves, base=base)
        self.simulations = before + self.tree.simulations

    def _write_out(self) -> None:
        """Write out a forced win where its moves are known."""
        known, position = self.known, self.position
        if self.forced or not known.decided:
            return
        value = known.bounds.value
        if value in (Value.DRAW, Value.NOTHING):
            return
        if value is Value.WIN and not self.line:
            at_once = [move.cell for move in known.moves.values() if move.remoteness == 1]
            wins = [cell for cell in at_once if known.moves[cell].known.value is Value.WIN]
            self.line = tuple(wins[:1])
        cells = self.line
        if not cells and self._is_short():
            seat = position.to_move if value is Value.WIN else 3 - position.to_move
            cells = forced_by_search(position, seat, self.task.share(_WRITTEN_OUT))
        if not cells and value is Value.LOSS:
            cells = self._answered()
        self.forced = steps_of(position, cells)

    def _is_short(self) -> bool:
        """Whether play to the end is short enough to be searched again move by move."""
        exact, _ = self.known.plies()
        return exact is not None and exact <= _WALKED

    def _answered(self) -> tuple[int, ...]:
        """Return the longest defence and the rival's forced win by threats against it."""
        best = self.known.ranked()[0]
        if best.endless:
            return ()
        found = Knowledge.of(self.position.play(best.cell))
        line = by_threats(found, self.task.share(_WRITTEN_OUT), lambda: None)
        return (best.cell, *line) if line else ()

    def tell(self, *, always: bool = False) -> None:
        """Announce what is known, unless that was done a moment ago."""
        if self.on_update is None:
            return
        now = time.perf_counter()
        if always or now - self.shown >= _SHOWN_SECONDS:
            self.shown = now
            self.on_update(self.analysis(finished=False))

    def analysis(self, *, finished: bool) -> Analysis:
        """Put together what is known."""
        position, known = self.position, self.known
        if position.is_over:
            return self._over()
        bounds = known.bounds
        moves = tuple(known.ranked(first=self.forced[0].cell if self.forced else None))
        best, why = moves[0].cell, ""
        if self.adviser is not None and not moves[0].proved:
            best, why = self.adviser
        simulated = self.simulations
        if self.tree is not None:
            simulated = max(simulated, self.tree.simulations)
        remoteness, within = known.plies()
        top = known.moves[best]
        variation = () if self.forced else expected_line(self.tree, best)
        return self._analysis(
            player=position.to_move,
            known=bounds,
            remoteness=remoteness,
            within=within,
            winner=bounds.winner(position.to_move, position.game.players),
            source=self._source(bounds, moves[0].source),
            score=None if bounds.decided else top.score,
            moves=moves,
            best=best,
            reason=why or _advised_because(known, moves[0], simulated),
            forced=self.forced,
            variation=variation,
            threats=self.threats,
            evidence=sentences(known.evidence),
            nodes=self.nodes,
            simulations=simulated,
            finished=finished,
            stopped=self.task.stopped and not known.complete,
        )

    def _analysis(self, **found: Any) -> Analysis:
        """Return an analysis of the position."""
        position = self.position
        return Analysis(
            game=str(position.game),
            position=position.text,
            history=position.history,
            ply=position.ply,
            seconds=working_time() - self.begin,
            **found,
        )

    def _source(self, bounds: Bounds, best: str) -> str:
        if not bounds.decided:
            return best if best in ("estimate", "none") else "estimate"
        return self.known.source if self.known.own == bounds else best

    def _over(self) -> Analysis:
        """Return what is known of a finished game, for the player who would be to move."""
        position = self.position
        outcome = position.outcome
        assert outcome is not None
        turn = position.game.turns.mover(position.ply)
        least = Value.least(position.game.players)
        over = Why.OVER()
        return self._analysis(
            player=0,
            known=Bounds.exactly(Value.of(outcome_value(position, turn), least=least)),
            remoteness=0,
            winner=outcome.winner if outcome.winner is not None else 0,
            source="search",
            reason=str(over),
            evidence=(str(over),),
            finished=True,
        )


def _advised_because(known: Knowledge, move: MoveAnalysis, simulations: int) -> str:
    """Say why a move is advised."""
    position = known.position
    name = cell_name(position.game, move.cell)
    does = ""
    if position.game.convention.reaching_wins:
        does = reason(position, move.cell, Look.of(_players(known)))
    first = f"{name} {does}." if does else f"{name}."
    if len(known.moves) == 1:
        first = f"{name} is the only move."
    return " ".join(filter(None, [first, _certainty(known, move, simulations), _avoided(known)]))


def _players(known: Knowledge) -> int:
    return known.position.game.players


def _certainty(known: Knowledge, move: MoveAnalysis, simulations: int) -> str:
    estimate = _estimate(move, simulations)
    if not move.proved:
        return estimate
    against = " against all others together" if _players(known) > 2 else ""
    plies = in_plies(move.remoteness, move.within)
    said = {
        "win": f"It wins{against}{plies}",
        "draw": f"It keeps a draw{against}",
        "loss": _losing(move),
        "nothing": "No move forces anything against all the others together",
    }[move.value]
    return f"{said}: proved {PROVED_BY[move.source]}. {estimate}".strip()


def _losing(move: MoveAnalysis) -> str:
    if move.remoteness is not None:
        return f"Every move loses; this one holds out{in_plies(move.remoteness, before=' for ')}"
    return f"Every move loses{in_plies(None, move.within, before=', in ')}"


def _estimate(move: MoveAnalysis, simulations: int) -> str:
    if move.score is None or not simulations:
        return ""
    return (
        f"A search tree gives it {share_of(move.score)} of the points, by {move.visits:,} of "
        f"{simulations:,} tries: an estimate."
    )


def _avoided(known: Knowledge) -> str:
    """Say how many other moves are proved to lose, where not all do."""
    if _players(known) > 2 or known.bounds.high is Value.LOSS or known.bounds.low is Value.WIN:
        return ""
    losing = sum(move.known.high is Value.LOSS for move in known.moves.values())
    if not losing:
        return ""
    verb = "is" if losing == 1 else "are"
    return f"{number_of(losing, 'other move')} {verb} proved to lose."
