"""A SAT solver that keeps to a time limit: python-sat, the extra 'sat'."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from hyperoxo.errors import MissingExtraError
from hyperoxo.task import Task

_LOOK_SECONDS = 0.05
_SOLVER = "glucose4"


class Clauses:
    """Clauses that a solver is asked about, once or several times."""

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

    def solve(self, assumed: Sequence[int] = ()) -> bool | None:
        """Whether the clauses can hold; None where the time is up."""
        found: list[bool | None] = [None]

        def work() -> None:
            found[0] = self._solver.solve_limited(assumptions=assumed, expect_interrupt=True)

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

    def model(self, assumed: Sequence[int] = ()) -> set[int] | None:
        """Return the variables that hold where all clauses do; None where there is nothing."""
        return self.true() if self.solve(assumed) else None

    def true(self) -> set[int]:
        """Return the variables that hold in what was found last."""
        return {literal for literal in self._solver.get_model() if literal > 0}

    def steps(self) -> tuple[tuple[int, ...], ...]:
        """Return the steps of the proof that the clauses contradict each other."""
        rows = (row for row in self._solver.get_proof() if not row.startswith("d"))
        steps = [tuple(int(word) for word in row.split()[:-1]) for row in rows]
        # Where unit propagation alone is enough, the solver says nothing.
        return tuple(steps) if steps and not steps[-1] else (*steps, ())
