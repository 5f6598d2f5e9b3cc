"""The check of a Breaker's plan: its states by the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game, Position
from hyperoxo_research.proof import breaker_loops as loops
from hyperoxo_research.proof.breaker_lines import check_states
from hyperoxo_research.proof.breaker_plan import (
    PLANS,
    BreakerPlan,
    PlanState,
    state_name,
    stones_of,
    words_of,
)


class States(NamedTuple):
    """The states of a plan as arrays."""

    makers: NDArray[np.uint64]
    breakers: NDArray[np.uint64]
    counts: NDArray[np.int64]
    leaves: NDArray[np.bool_]
    asked: NDArray[np.int64]


def arrays_of(plan: BreakerPlan) -> States:
    """Return the states of a plan as arrays; none of them is asked for yet."""
    return States(
        *words_of(plan),
        np.array([state.counted for state in plan.states], np.int64),
        np.array([state.pairs for state in plan.states], np.bool_),
        np.full(len(plan.states), -1, np.int64),
    )


def holds(
    plan: BreakerPlan,
    seen: set[bytes],
    *,
    progress: Callable[[int, int], object] | None = None,
) -> None:
    """Check a plan by its rules; CheckFailedError where it does not hold."""
    position, seat = plan.position, plan.seat
    PLANS.check(plan.game)
    if position.is_over or position.to_move == seat:
        raise CheckFailedError(f"player {3 - seat} is not to move at {position.text}")
    if seat == plan.game.first and position.ply < plan.game.opening_plies:
        raise CheckFailedError(f"player {seat} cannot answer while the opening is restricted")
    if not plan.game.convention.counts(3 - seat):
        raise CheckFailedError(f"lines of player {3 - seat} do not count")
    if plan.by_lines:
        check_states(plan, seen, progress)
        return
    states = arrays_of(plan)
    _check_beginning(plan, states)
    words = list(zip(states.makers.tolist(), states.breakers.tolist(), strict=True))
    for place, state in enumerate(plan.states):
        if place and words[place] <= words[place - 1]:
            raise CheckFailedError(
                f"{state_name(state)} is not after {state_name(plan.states[place - 1])}"
            )
        wrong, key = examined(plan, states, place)
        if wrong != loops.HOLDS:
            raise CheckFailedError(
                f"{state_name(state)} {_WRONG[wrong].format(cell=plan.keys[key])}"
            )
        seen.add(state.stones)
        if progress is not None:
            progress(place + 1, len(plan.states))
    for state, asked in zip(plan.states, states.asked.tolist(), strict=True):
        if asked != state.counted:
            often = "never" if asked < 0 else f"with {asked} at most"
            raise CheckFailedError(f"{state_name(state)} is asked for {often}")


_WRONG = {
    loops.NOT_LEAST: "is not the greatest of its images",
    loops.LEAF: "is not settled by pairs",
    loops.KEY: "has no answer to cell {cell}",
    loops.PASS: "has no answers that suffice to a stone off the keys",
}


def examined(plan: BreakerPlan, states: States, place: int) -> tuple[int, int]:
    """Check one state by the rules; see `breaker_loops.examine`."""
    tables = plan.tables
    return loops.examine(tables.lines, tables.images, *states, tables.room(), place)


def _check_beginning(plan: BreakerPlan, states: States) -> None:
    """Check that the state of the beginning is listed, and that the invariants hold there."""
    tables = plan.tables
    beginning = tables.maker, tables.breaker, len(tables.counted)
    if not loops.ask(tables.images, *states[:3], states.asked, *beginning):
        raise CheckFailedError("the state where it begins is not listed")
    if not tables.begins_well():
        raise CheckFailedError("where it begins some lines have too few cells off the keys")


def listed(
    game: Game,
    seat: int,
    keys: tuple[int, ...],
    states: Iterable[tuple[int, int, int, bool]],
    begins: Position | None = None,
) -> BreakerPlan:
    """Return a plan of states in any image and order, without those that are not asked for.

    A state is Maker's keys and Breaker's, as bits by their places among the keys, the number
    counted, and whether pairs settle it.
    """
    plan = BreakerPlan(game, seat, keys, (), begins)
    images = plan.tables.images
    best: dict[tuple[int, int], tuple[int, bool]] = {}
    for maker, breaker, counted, pairs in states:
        one, two = loops.form_of(images, np.uint64(maker), np.uint64(breaker))
        form = int(one), int(two)
        best[form] = max(best.get(form, (-1, False)), (counted, pairs))
    while True:
        rows = tuple(
            PlanState(stones_of(maker, breaker, seat, len(keys)), counted, bool(pairs))
            for (maker, breaker), (counted, pairs) in sorted(best.items())
        )
        plan = BreakerPlan(game, seat, keys, rows, begins)
        found = arrays_of(plan)
        tables = plan.tables
        beginning = tables.maker, tables.breaker, len(tables.counted)
        loops.ask(images, *found[:3], found.asked, *beginning)
        for place in np.flatnonzero(~found.leaves).tolist():
            examined(plan, found, place)
        asked = found.asked.tolist()
        if all(row.counted == count for row, count in zip(rows, asked, strict=True)):
            return plan
        best = {
            form: (count, pairs)
            for (form, (_, pairs)), count in zip(sorted(best.items()), asked, strict=True)
            if count >= 0
        }
