"""Changes of whole plans, and checks of them that tell their progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hyperoxo.proof import Verdict
from hyperoxo_research.proof.keyplan.plan import KeyPlan, PlanState


def with_states(plan: KeyPlan, at: int, *others: PlanState) -> KeyPlan:
    """Return a plan with other states in the place of one, or with none."""
    return replace(plan, states=(*plan.states[:at], *others, *plan.states[at + 1 :]))


def proved_in_steps(check: Callable[..., Verdict], count: int) -> Verdict:
    """Return the verdict of a check that proves a plan and counts its states meanwhile."""
    told: list[tuple[int, int]] = []
    verdict = check(progress=lambda *one: told.append(one))
    assert verdict.proved, verdict
    assert told == [(done, count) for done, _ in sorted(told)]
    assert told[-1] == (count, count)
    return verdict
