"""What `examine` finds: lists of states by hand, and plans that are read off the rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from hyperoxo.proof import breaker_line_forms as forms
from hyperoxo.proof import breaker_loops as loops
from hyperoxo.proof.breaker import BreakerPlan, check_breaker
from hyperoxo.proof.breaker_lines import LineStates, listed_by_lines
from hyperoxo.rules import Game
from tests.proof.breaker_line_cases import plans, row_of
from tests.proof.breaker_line_reference import LineRules, State
from tests.proof.breaker_reference import bits


def test_plans_read_off_the_rules_are_proved() -> None:
    inner = 0
    for _, plan in plans():
        verdict = check_breaker(plan)
        assert verdict.proved, verdict.reason
        assert verdict.positions == len(plan.states)
        inner += sum(not state.pairs for state in plan.states)
    assert len(plans()) > 15
    assert inner > 12


def state_of(rules: LineRules, states: LineStates, place: int) -> State:
    """A listed state as the rules have it."""
    listed, count = states.listed, len(rules.regions)
    p, *rest = listed.rows[place].tolist()
    warm = 0
    for own, some in zip(rules.inside, rest[count:], strict=True):
        warm |= sum(1 << at for bit, at in enumerate(rules.numbers(own)) if some >> bit & 1)
    words = int(listed.makers[place]), int(listed.breakers[place])
    return State(*words, p, tuple(rest[:count]), warm)


def form_of(rules: LineRules, states: LineStates, state: State) -> tuple[int, ...]:
    """The form of a state."""
    made, normal = states.made, rules.normal(state)
    form, some = forms.greatest(made.images, np.uint64(state.maker))
    given = made.images, made.regions, some, np.uint64(state.breaker), row_of(rules, normal)
    second, third = forms.form_of(*given)
    return int(form), int(second), *third.tolist()


def expected(
    rules: LineRules, states: LineStates, state: State, left: set[tuple[int, ...]]
) -> tuple[int, int, set[tuple[int, ...]]]:
    """What is wrong with a state and where, and the states that it asks for until then."""
    free = rules.keys & ~(state.maker | state.breaker)
    asked: set[tuple[int, ...]] = set()
    # 1. The first answer to each key.
    for key in bits(free):
        for reply in bits(free & ~key):
            after = rules.to_key(state, key, reply)
            if after is not None and (form := form_of(rules, states, after)) in left:
                asked.add(form)
                break
        else:
            return loops.KEY, key.bit_length() - 1, asked
    # 2. All answers to each stone; regions come first.
    count = len(rules.regions)
    fails = []
    kinds = rules.kinds_of_stones(state)
    for kind in kinds:
        keys = free if kind.event is None else free & rules.lines[kind.event]
        replies = 0
        for reply in bits(keys):
            if (form := form_of(rules, states, rules.after(state, kind, reply))) in left:
                replies |= reply
                asked.add(form)
        if not rules.enough(state, kind, replies):
            fails.append(count if kind.region is None else kind.region)
    return (loops.PASS, min(fails), asked) if fails else (loops.HOLDS, 0, asked)


def test_what_examine_finds_wrong() -> None:
    """Every state without which an answer is missing, and the key or the region that misses it."""
    said: Counter[int] = Counter()
    for rules, plan in plans():
        if len(plan.states) == 1:
            continue
        room = plan.tables.room()
        for at in range(-1, len(plan.states)):
            some = plan.states[:at] + plan.states[at + 1 :] if at >= 0 else plan.states
            states = LineStates(replace(plan, states=some))
            listed = [state_of(rules, states, place) for place in range(len(some))]
            left = {form_of(rules, states, state) for state in listed}
            for place, state in enumerate(listed):
                states.listed.asked[:] = False
                wrong, where = states.examine(place, room)
                said[wrong] += 1
                asked = {
                    form_of(rules, states, listed[one])
                    for one in np.flatnonzero(states.listed.asked).tolist()
                }
                if some[place].pairs:
                    assert (wrong, where, asked) == (loops.HOLDS, 0, set())
                    continue
                told = expected(rules, states, state, left)
                assert (wrong, where) == told[:2]
                assert asked <= told[2]
                assert wrong != loops.HOLDS or asked == told[2]
    assert min(said[kind] for kind in (loops.HOLDS, loops.KEY, loops.PASS)) > 10


def test_leaves_and_images_are_examined() -> None:
    for _, plan in plans()[:6]:
        room = plan.tables.room()
        for at, state in enumerate(plan.states):
            if state.pairs:
                continue
            leaf = (*plan.states[:at], state._replace(pairs=True), *plan.states[at + 1 :])
            assert LineStates(replace(plan, states=leaf)).examine(at, room) == (loops.LEAF, 0)
    game = Game("15{0+3+4+5/0+5+6/1+7+8+9/1+9+10/2+11+12+13/2+13+14}")
    plan = listed_by_lines(game, 2, (0, 1, 2), [(0, 0, 0, (0, 0, 0), (), True)])
    assert len(plan.states) == 1
    state = plan.states[0]
    for stones, regions, warm in (
        (bytes([1, 0, 0]), (0, 0, 0), ()),
        (bytes([2, 0, 0]), (0, 0, 0), ()),
        (bytes(3), (0, 1, 0), ()),
        (bytes([0, 0, 2]), (0, 0, 1), ()),
        (bytes([0, 0, 2]), (0, 0, 0), (4,)),
        (bytes(3), (0, 0, 0), (2,)),
    ):
        moved = state._replace(stones=stones, regions=regions, warm=warm)
        other = LineStates(replace(plan, states=(moved,)))
        assert other.examine(0, plan.tables.room()) == (loops.NOT_LEAST, 0)


def test_a_plan_is_read_in_any_image_and_order() -> None:
    """What nothing asks for is left out."""
    for rules, plan in plans():
        states = LineStates(plan)
        every = [
            (*(state := state_of(rules, states, at))[:4], tuple(rules.numbers(state.warm)), leaf)
            for at, leaf in enumerate(states.listed.leaves.tolist())
        ]
        extra = ((1 << rules.width) - 1, 0, 7, (0,) * len(rules.regions), (), True)
        found = listed_by_lines(plan.game, 2, plan.keys, [extra, *reversed(every)])
        assert found == plan
        assert isinstance(found, BreakerPlan)
    assert listed_by_lines(plan.game, 2, plan.keys, [extra]).states == ()
