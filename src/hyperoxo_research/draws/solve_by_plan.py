"""Solving by a key plan: the player not to move keeps the other from any line."""

from __future__ import annotations

import os
from typing import Any

from hyperoxo.errors import NotSupportedError
from hyperoxo.game import Position, Why
from hyperoxo.jit import working_time
from hyperoxo.proof import proof_size, write_proof
from hyperoxo.solvers.record import Knowledge
from hyperoxo.solvers.solution import Solution
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.task import Stop, Task
from hyperoxo_research.draws.key_plan_search import KeyPlanSearch, ProgressCallback
from hyperoxo_research.proof.keyplan.file import check_key_plan
from hyperoxo_research.proof.keyplan.plan import bounds_of


def solve_by_plan(
    position: Position,
    *,
    seconds: float | None = None,
    proof: str | os.PathLike[str] | None = None,
    creator: str = "",
    on_progress: ProgressCallback | None = None,
    stop: Stop | None = None,
    **search_options: Any,
) -> Solution:
    """Solve a position by theorems and a key plan that the checker accepts."""
    # With `proof`, a plan that was found is written there. Other options are those of
    # `KeyPlanSearch`.
    begin = working_time()
    maker = position.to_move
    if not position.game.convention.counts(maker):
        raise NotSupportedError(f"lines of player {maker} do not count in {position.game}")
    search = KeyPlanSearch(position, **search_options)
    known = Knowledge(position)
    known.bound(bounds_by_theorems(position), "theorem")
    won = search.run(Task.within(seconds, stop), on_progress=on_progress)
    facts = {"maker": maker, "breaker": 3 - maker, "keys": len(search.keys)}
    plan = search.plan() if won else None
    if plan is None:
        known.note((Why.NO_PLAN if won is False else Why.PLAN_OPEN)(**facts, states=search.states))
    else:
        verdict = check_key_plan(plan, progress=search.reporting("checking"))
        assert verdict.proved, verdict.reason
        known.bound(bounds_of(plan), "proof")
        why = Why.CERTIFICATE(
            statement=plan.statement,
            size=proof_size(plan),
            positions=verdict.positions,
            seconds=verdict.seconds,
        )
        known.note(why)
    if proof is not None and plan is not None:
        write_proof(plan, proof, creator=creator)
    elif proof is not None:
        known.note(Why.NO_PROOF(problem="no plan was found"))
    return known.solution(
        nodes=search.states,
        seconds=working_time() - begin,
        strategy=plan,
        proof=None if plan is None or proof is None else os.fspath(proof),
        complete=won is not None,
        interrupted=search.interrupted,
    )
