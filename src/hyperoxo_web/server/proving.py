"""Proof search for applications: suggested moves, progress reports, plain values."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hyperoxo.display import as_data
from hyperoxo.errors import SpecError
from hyperoxo.game import Game, Position
from hyperoxo.proof.dictionary_check import pack
from hyperoxo.proof.dictionary_file import proof_text
from hyperoxo.proof.thompson import read_dictionary
from hyperoxo.solvers.limits import PROOF_CELLS
from hyperoxo.solvers.proofsearch.driver import ProofSettings, ProofSolver, certificate_of
from hyperoxo.solvers.proofsearch.search import ProofProgress, ProofSearch
from hyperoxo.solvers.proofsearch.view import PROOF_SEARCH
from hyperoxo.solvers.solution import Question, Solution
from hyperoxo.solvers.threats.search import MOST_CELLS
from hyperoxo.task import Stop

Suggestion = tuple[Position, int]
"""A position and the cell to search first there."""

News = Callable[[dict[str, Any]], object]

_PAUSE = 0.25
_FIGURES = "proof disproof remaining replies replies_proved nodes threat_nodes seconds:2"


def takes_proofs(game: Game) -> bool:
    """Return True if a game suits proof search, and is too large for exhaustive search."""
    return PROOF_SEARCH.accepts(game) and PROOF_CELLS <= game.cells <= MOST_CELLS


def check_search(position: Position, suggestions: Sequence[Suggestion] = ()) -> None:
    """Refuse an unsupported search, and invalid suggestions."""
    game = position.game
    PROOF_SEARCH.check(game)
    if position.is_over:
        raise SpecError("the game is over in this position")
    for where, cell in suggestions:
        if where.game != game:
            raise SpecError(f"a suggestion is for {where.game}, not for {game}")
        if where.is_over or cell not in where.legal_moves:
            raise SpecError(f"no player can play cell {cell} in {where.text}")


def suggestions_of(text: str, game: Game) -> list[Suggestion]:
    r"""Read suggestions from a dictionary in Thompson's text form; other lines are skipped."""
    found = read_dictionary(text.encode(), game).dictionary
    return [(Position.from_owners(game, owners), move) for owners, move in found.moves.items()]


@dataclass
class Memory:
    """The last search of a process: continue it if undecided, certify it if won."""

    solver: ProofSolver | None = None
    won: ProofSolver | None = None
    """A search that found a win, kept for its certificate."""

    def take(self, position: Position, settings: ProofSettings) -> ProofSolver | None:
        """Take the kept search out; return it if position and settings match."""
        solver, self.solver = self.solver, None
        if solver is None or solver.settings != settings:
            return None
        return solver if solver.position == position else None


MEMORY = Memory()
"""That of this process."""


def prove(
    position: Position,
    *,
    seconds: float,
    megabytes: int,
    suggestions: Sequence[Suggestion] = (),
    every_move: bool = False,
    attacker: int | None = None,
    memory: Memory | None = None,
    stop: Stop | None = None,
    on_progress: News = lambda _: None,
) -> dict[str, Any]:
    """Search for a proof of who wins, and report progress."""
    check_search(position, suggestions)
    settings = ProofSettings(
        megabytes=megabytes,
        asked=Question.EVERY_MOVE if every_move else Question.CHEAP_MOVES,
        attacker=attacker,
        first=tuple(suggestions),
    )
    # A search is continued only for the same position and settings, suggestions included.
    memory = memory or Memory()
    solver = memory.take(position, settings)
    news = _ProgressReports(position, len(suggestions), on_progress, continued=solver is not None)
    # One node compiles the kernels before the clock of the search starts.
    ProofSearch(position.game, megabytes=1).run(position, nodes=1)
    solver = solver or ProofSolver(position, settings)
    solver.on_progress, solver.stop = news.on_progress, stop
    solver.update = news.learn
    solver.run(seconds=seconds)
    memory.solver = None if solver.bound.decided else solver
    memory.won = solver if solver.searched.winner(solver.mover, players=2) else None
    return news.final(solver.solution())


def certificate(memory: Memory) -> bytes:
    """Return the unchecked proof file of the last win."""
    solver, memory.won = memory.won, None
    if solver is None:
        raise SpecError("the result of this search is no longer stored; search again")
    seat = solver.searched.winner(solver.mover, players=2)
    assert seat is not None
    packed, _ = pack(certificate_of(solver, seat))
    return proof_text(packed, creator="proof search of a game")


class _ProgressReports:
    """Progress reports of a search, and its final result."""

    def __init__(self, position: Position, suggested: int, hear: News, *, continued: bool) -> None:
        self._known = {
            **as_data(position, "game position=text player=to_move"),
            "suggested": suggested,
            "continued": continued,
            "value": "unknown",
            "winner": None,
            "bounds": ["loss", "win"],
            "moves": [],
            "evidence": [],
        }
        self._hear = hear
        self._progress: dict[str, Any] | None = None
        self._at = time.perf_counter()
        hear({**self._known, "progress": {"what": "getting ready"}})

    def on_progress(self, what: str, progress: ProofProgress) -> None:
        table = progress.entries / progress.capacity
        self._progress = {"what": what, **as_data(progress, _FIGURES), "table": table}
        if time.perf_counter() - self._at >= _PAUSE:
            self._at = time.perf_counter()
            self._hear({**self._known, "progress": self._progress})

    def learn(self, solution: Solution) -> None:
        """Take the interim solution while moves are searched."""
        moves = [move for move in solution.moves if move.known.decided]
        self._known |= {
            **as_data(solution.as_data(), "value winner bounds evidence"),
            "moves": [{"cell": move.cell, "value": move.value} for move in moves],
        }

    def final(self, solution: Solution) -> dict[str, Any]:
        self.learn(solution)
        return {**self._known, **as_data(solution, "nodes seconds:3"), "progress": self._progress}
