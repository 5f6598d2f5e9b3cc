"""Taking states away from a plan as long as the others are enough."""

from __future__ import annotations

import numpy as np

from hyperoxo_research.proof import breaker_loops as loops
from hyperoxo_research.proof.breaker import BreakerPlan
from hyperoxo_research.proof.breaker_check import arrays_of, listed


def thinned(plan: BreakerPlan) -> BreakerPlan:
    """Return a plan of the same claim from which no state can be taken away."""
    while True:
        smaller = _once(plan)
        if len(smaller.states) == len(plan.states):
            return smaller
        plan = smaller


def _once(plan: BreakerPlan) -> BreakerPlan:
    tables, states = plan.tables, arrays_of(plan)
    width, here = len(plan.keys), len(plan.states)
    inner = np.flatnonzero(~states.leaves)
    after = np.full((len(inner), width + 1, width), -1)
    for row, place in enumerate(inner.tolist()):
        given = tables.lines, tables.images, states.makers, states.breakers
        loops.answers(*given, place, after[row])
        # A state listed for fewer counted stones is no answer.
        least = np.full((width + 1, 1), states.counts[place])
        least[width] += 1
        after[row][states.counts[after[row]] < least] = -1
    kept = np.ones(here + 1, bool)
    kept[-1] = False

    def stands(row: int) -> bool:
        place, found = inner[row], kept[after[row]]
        taken = int(states.makers[place] | states.breakers[place])
        free = [key for key in range(width) if not taken >> key & 1]
        replies = sum(1 << key for key in free if found[width, key])
        return bool(found[free].any(axis=1).all()) and loops.stone_is_met(
            *(tables.lines, states.makers[place], states.breakers[place]),
            *(np.uint64(replies), states.counts[place], tables.room()),
        )

    asking = [np.flatnonzero((after == place).any(axis=(1, 2))) for place in range(here)]
    for place in np.argsort(states.counts, kind="stable")[::-1]:
        # Only the state of the beginning is asked for by none.
        if len(asking[place]):
            kept[place] = False
            kept[place] = not all(stands(row) for row in asking[place] if kept[inner[row]])
    rows = (
        (
            int(states.makers[at]),
            int(states.breakers[at]),
            plan.states[at].counted,
            states.leaves[at],
        )
        for at in np.flatnonzero(kept[:-1])
    )
    return listed(plan.game, plan.seat, plan.keys, rows, plan.begins)
