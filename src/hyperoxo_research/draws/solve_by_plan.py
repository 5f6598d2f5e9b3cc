"""Solving by a plan: the player who is not to move keeps the other from any line."""

from __future__ import annotations

import os

from hyperoxo.compiling import working_time
from hyperoxo.errors import NotSupportedError
from hyperoxo.game import Bounds, Position, Value, Why, propagate
from hyperoxo.proof import proof_size, write_proof
from hyperoxo.solvers.arrays import move_classes
from hyperoxo.solvers.solution import MoveValue, Solution
from hyperoxo.solvers.theorems import bounds_by_theorems, excludes_draws
from hyperoxo.task import Stop, Task
from hyperoxo_research.draws.breaker import BreakerSearch, Watch
from hyperoxo_research.proof.keyplan.file import check_key_plan
from hyperoxo_research.proof.keyplan.plan import KeyPlan


def solve_by_plan(
    position: Position,
    *,
    keys: tuple[int, ...] | None = None,
    by_lines: bool = False,
    seconds: float | None = None,
    megabytes: int = 512,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    proof: str | os.PathLike[str] | None = None,
    creator: str = "",
    watch: Watch | None = None,
    stop: Stop | None = None,
) -> Solution:
    """Solve a position by theorems and a plan, which is checked before anything is said of it.

    With `proof`, a plan that was found is written there. `by_lines` and
    `threads` are those of `breaker_plan`.
    """
    begin = working_time()
    maker = position.to_move
    if not position.game.convention.counts(maker):
        raise NotSupportedError(f"lines of player {maker} do not count in {position.game}")
    search = BreakerSearch(
        position,
        keys,
        by_lines=by_lines,
        megabytes=megabytes,
        threads=threads,
        checkpoint=checkpoint,
    )
    bounds = bounds_by_theorems(position)
    won = search.run(Task.within(seconds, stop), watch=watch)
    facts = {"maker": maker, "breaker": 3 - maker, "keys": len(search.keys)}
    plan = search.plan(watch) if won else None
    if plan is None:
        why = Why.NO_PLAN if won is False else Why.PLAN_OPEN
        bounds &= Bounds(reasons=(why(**facts, states=search.states),))
    else:
        bounds &= bounds_of(plan)
        verdict = check_key_plan(plan, progress=search.telling(watch, "checking"))
        assert verdict.proved, verdict.reason
        bounds &= Bounds(
            reasons=(
                Why.CERTIFICATE(
                    statement=plan.statement,
                    size=proof_size(plan),
                    positions=verdict.positions,
                    seconds=verdict.seconds,
                ),
            )
        )
        if proof is not None:
            write_proof(plan, proof, creator=creator)
    if plan is None and proof is not None:
        bounds &= Bounds(reasons=(Why.NO_PROOF(problem="no plan was found"),))
    class_of = move_classes(position)
    firsts = [*dict.fromkeys(class_of.values())]
    drawless = excludes_draws(position.game, bounds.reasons)
    bounds, known = propagate(bounds, [Bounds()] * len(firsts), drawless=drawless)
    moves = dict(zip(firsts, known, strict=True))
    return Solution(
        position=position,
        player=maker,
        known=bounds,
        remoteness=None,
        moves=tuple(MoveValue(cell, moves[first]) for cell, first in class_of.items()),
        nodes=search.states,
        seconds=working_time() - begin,
        strategy=plan,
        proof=None if plan is None or proof is None else os.fspath(proof),
        complete=won is not None,
        interrupted=search.interrupted,
    )


def bounds_of(plan: KeyPlan) -> Bounds:
    """Bounds of the other player's value by a plan."""
    facts = {"maker": 3 - plan.seat, "breaker": plan.seat, "keys": len(plan.keys)}
    if plan.wins:
        return Bounds.exactly(Value.LOSS, Why.PLAN_WINS(**facts))
    return Bounds(high=Value.DRAW, reasons=(Why.PLAN(**facts),))
