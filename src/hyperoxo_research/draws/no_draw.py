"""That no draw exists, with a proof, or else a full board without a line: by a SAT solver.

The solver is python-sat, the extra 'sat'.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from hyperoxo.errors import MissingExtraError
from hyperoxo.game import Game
from hyperoxo.proof.no_draw import NoDraw, draw_clauses
from hyperoxo.task import Task
from hyperoxo_research.proof.full_board import DrawnBoard

_LOOK_SECONDS = 0.05
_SOLVER = "glucose4"


class Clauses:
    """Clauses that a solver is asked about within a time limit, once or several times."""

    def __init__(self, task: Task, *, proof: bool = False) -> None:
        try:
            from pysat.solvers import Solver
        except ImportError:
            raise MissingExtraError("sat", "a SAT solver") from None
        self._solver: Any = Solver(name=_SOLVER, with_proof=proof)
        self._task = task

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._solver.delete()

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        self._solver.add_clause(clause)

    def solve(self) -> bool | None:
        """Whether the clauses can hold; None where the time is up."""
        found: list[bool | None] = [None]

        def work() -> None:
            found[0] = self._solver.solve_limited(expect_interrupt=True)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(_LOOK_SECONDS)
                if self._task.over:
                    self._solver.interrupt()
        except KeyboardInterrupt:
            self._solver.interrupt()
            raise
        finally:
            thread.join()
            self._solver.clear_interrupt()
        return found[0]

    def model(self) -> set[int] | None:
        """Return the variables that hold where all clauses do; None where there is nothing."""
        return self.true() if self.solve() else None

    def true(self) -> set[int]:
        """Return the variables that hold in what was found last."""
        return {literal for literal in self._solver.get_model() if literal > 0}

    def steps(self) -> tuple[tuple[int, ...], ...]:
        """Return the steps of the proof that the clauses contradict each other."""
        rows = (row for row in self._solver.get_proof() if not row.startswith("d"))
        steps = [tuple(int(word) for word in row.split()[:-1]) for row in rows]
        # Where unit propagation alone is enough, the solver says nothing.
        return tuple(steps) if steps and not steps[-1] else (*steps, ())


MOST_CELLS = 1_000
_MOST_SHARED = 400


def draw_or_none(game: Game, *, task: Task) -> DrawnBoard | NoDraw | None:
    """Find a drawn board, or prove that there is none; None if the time is up.

    First a board is looked for on which the players have any numbers of stones. That there is none
    is the easier proof, and holds for larger boards too.
    """
    playable = len(game.board.playable)
    if playable > MOST_CELLS:
        return None
    for stones in ("any", "shared") if playable <= _MOST_SHARED else ("any",):
        with Clauses(task, proof=True) as clauses:
            for clause in draw_clauses(game, stones):
                clauses.add(clause)
            holds = clauses.solve()
            if holds is None:
                return None
            if not holds:
                return NoDraw(game, stones, clauses.steps())
            true = clauses.true()
        if stones == "shared":
            return DrawnBoard(str(game), _owners(game, true))
    return None


def _owners(game: Game, true: set[int]) -> str:
    """Return the owners that the variables which hold stand for."""
    owners = ["#"] * game.board.cell_count
    for cell in game.board.playable.tolist():
        if game.players == 2:
            owners[cell] = "1" if cell + 1 in true else "2"
        else:
            players = range(1, game.players + 1)
            owners[cell] = next(str(p) for p in players if game.players * cell + p in true)
    return "".join(owners)
