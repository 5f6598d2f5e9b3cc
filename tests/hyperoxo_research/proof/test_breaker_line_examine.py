"""What `examine` finds: lists of states by hand, and plans that are read off the rules."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from hyperoxo.game import Game
from hyperoxo_research.proof import breaker_line_forms as forms
from hyperoxo_research.proof import breaker_line_leaves as leaves
from hyperoxo_research.proof import breaker_line_stones as checks
from hyperoxo_research.proof import breaker_lines
from hyperoxo_research.proof import breaker_loops as loops
from hyperoxo_research.proof.breaker import BreakerPlan, check_breaker
from hyperoxo_research.proof.breaker_lines import LineStates, _said, _state, listed_by_lines
from tests.hyperoxo_research.proof.breaker_line_cases import (
    Case,
    cases,
    decided_bear,
    listed_rows,
    row_of,
    settled,
    tabled,
)
from tests.hyperoxo_research.proof.breaker_line_reference import (
    ANY,
    WITH_INNER_STATES,
    LineRules,
    State,
)
from tests.hyperoxo_research.proof.breaker_reference import bits
from tests.hyperoxo_research.proof.test_breaker_loops import spec_of

WITH_PLANS = (
    ((242, 1713, 352, 960, 18), 5, 11),
    ((1106, 428, 348, 848, 12, 15), 4, 11),
    ((593, 1561, 434, 2600, 3904, 2352), 4, 12),
    ((3907, 298, 212, 2808, 1792, 6, 2766), 3, 12),
    ((1423, 338, 1121, 1544, 3, 651), 2, 11),
    *WITH_INNER_STATES,
)
"""Lines, keys and cells; on the first boards some states have full lines, or pairs at risk."""


Told = tuple[int, int, int, tuple[int, ...], tuple[int, ...], bool]
Form = tuple[int, ...]


def told(rules: LineRules, state: State, leaf: bool) -> Told:
    """A state as `listed_by_lines` takes it."""
    closed = sum(own for n, own in zip(state.z, rules.inside, strict=True) if n != ANY)
    return (*state[:4], tuple(rules.numbers(state.warm & closed)), leaf)


@cache
def plans() -> tuple[tuple[LineRules, BreakerPlan], ...]:
    """Plans of all states that the rules call won on the way from an empty board.

    Without wide states, and with them.
    """
    found = []
    for exact, given in itertools.product(("exact", ""), WITH_PLANS):
        drawn = LineRules(*given, exact)
        rules, _ = tabled(drawn)
        start = State(0, 0, 0, (0,) * len(rules.regions), rules.full(0, 0))
        if next(rules.spread(start), None) is None or not rules.wins(start):
            continue
        states = [told(rules, one, rules.settles(one)) for one, won in rules.known.items() if won]
        game, keys = Game(spec_of(drawn)), tuple(range(drawn.width))
        found.append((rules, listed_by_lines(game, 2, keys, states)))
    return tuple(found)


def test_plans_read_off_the_rules_are_proved() -> None:
    inner = 0
    for _, plan in plans():
        verdict = check_breaker(plan)
        assert verdict.proved, verdict.reason
        assert verdict.positions == len(plan.states)
        inner += sum(not state.pairs for state in plan.states)
    assert len(plans()) > 8
    assert inner > 70


def state_of(rules: LineRules, form: Form) -> State:
    """A form as the rules have it."""
    maker, breaker, p, *rest = form
    count, warm = len(rules.regions), 0
    for own, some in zip(rules.inside, rest[count:], strict=True):
        warm |= sum(1 << at for bit, at in enumerate(rules.numbers(own)) if some >> bit & 1)
    return State(maker, breaker, p, tuple(rest[:count]), warm)


def form_of(rules: LineRules, states: LineStates, state: State) -> Form:
    """The form of a state."""
    made, normal = states.made, rules.normal(state)
    form, some = forms.greatest(made.images, np.uint64(state.maker))
    given = made.images, made.regions, some, np.uint64(state.breaker), row_of(rules, normal)
    second, third = forms.form_of(*given)
    return int(form), int(second), *third.tolist()


def listed_as(rules: LineRules, states: LineStates, state: State, left: set[Form]) -> Form | None:
    """The last form in a list that stands for a state in any image, if any does."""
    images, keys = states.made.images, form_of(rules, states, state)[:2]
    row, moved = row_of(rules, rules.normal(state)), set[State]()
    for symmetry in range(len(images)):
        words = [int(loops.image(images, symmetry, np.uint64(one))) for one in state[:2]]
        if tuple(words) == keys:
            into = row.copy()
            forms.moved_row(states.made.regions, symmetry, row, into)
            moved.add(state_of(rules, (*words, *into.tolist())))
    for form in sorted(left, reverse=True):
        if any(rules.stands_for(state_of(rules, form), one) for one in moved):
            return form
    return None


def followers(rules: LineRules, state: State) -> Iterator[State]:
    """The states that may be asked for, whether or not they are good."""
    free = rules.keys & ~(state.maker | state.breaker)
    for key in bits(free):
        for reply in bits(free & ~key):
            words = state.maker | key, state.breaker | reply
            yield rules.normal(state._replace(maker=words[0], breaker=words[1]))
    for kind in rules.kinds_of_stones(state):
        for reply in bits(free if kind.event is None else free & rules.lines[kind.event]):
            yield rules.after(state, kind, reply)


def expected(
    rules: LineRules, states: LineStates, state: State, left: set[Form]
) -> tuple[int, int, set[Form]]:
    """What is wrong with a state and where, and the states that it asks for until then."""
    free = rules.keys & ~(state.maker | state.breaker)
    asked: set[Form] = set()
    # 1. The first answer to each key, to a listed state or else one that pairs settle.
    for key in bits(free):
        fine = []
        for reply in bits(free & ~key):
            words = state.maker | key, state.breaker | reply
            after = rules.normal(state._replace(maker=words[0], breaker=words[1]))
            if decided_bear(rules, state, after) and rules.blocks_bear(after, key):
                fine.append(after)
        forms_listed = (listed_as(rules, states, after, left) for after in fine)
        if form := next((form for form in forms_listed if form), None):
            asked.add(form)
        elif not any(settled(rules, after) for after in fine):
            return loops.KEY, key.bit_length() - 1, asked
    # 2. All answers to each stone; regions come first, in their order.
    count, failed = len(rules.regions), []
    for kind in rules.kinds_of_stones(state):
        keys = free if kind.event is None else free & rules.lines[kind.event]
        replies = 0
        for reply in bits(keys):
            after = rules.after(state, kind, reply)
            if form := listed_as(rules, states, after, left):
                asked.add(form)
            if form or settled(rules, after):
                replies |= reply
        if not rules.enough(state, kind, replies):
            failed.append(count if kind.region is None else kind.region)
    return (loops.PASS, min(failed), asked) if failed else (loops.HOLDS, 0, asked)


def plan_of(case: Case, forms_of: Iterable[Form]) -> BreakerPlan:
    """States in their forms, none of them a leaf."""
    game, keys = Game(spec_of(case.rules)), tuple(range(case.rules.width))
    rows = tuple(
        _state(case.made, 2, case.rules.width, form, form[2], pairs=False)
        for form in sorted(forms_of)
    )
    return BreakerPlan(game, 2, keys, rows)


@pytest.mark.more
def test_what_examine_finds_wrong() -> None:
    """With some of the states that a random state may ask for: what it misses, and what it asks."""
    rng = random.Random(14)
    said: Counter[tuple[int, bool]] = Counter()
    for case in cases(11, 200):
        rules = case.rules
        if not rules.regions:
            continue
        empty = LineStates(plan_of(case, ()), case.made)
        here = form_of(rules, empty, case.state)
        state = state_of(rules, here)
        every = set[Form]()
        for after in followers(rules, state):
            less = [one for one in rules.saying_less(after) if rng.random() < 0.2]
            less += [rules.wide(after)] if rng.random() < 0.2 else []
            every.add(form_of(rules, empty, rng.choice(less or [after])))
        share = rng.choice((0.7, 0.9, 0.97, 1))
        left = {form for form in sorted(every) if rng.random() < share}
        plan = plan_of(case, left | {here})
        states = LineStates(plan, case.made)
        place = sorted(left | {here}).index(here)
        wrong, where = states.examine(place, case.tables.room())
        listed = sorted(left | {here})
        asked = {listed[at] for at in np.flatnonzero(states.listed.asked >= 0).tolist()}
        told = expected(rules, states, state, left)
        assert (wrong, where) == told[:2]
        if wrong == loops.PASS:
            cells = [f"in the region of cell {min(own)}" for own in states.made.cells]
            place_named = [*cells, "elsewhere"][where]
            said_so = f"has no answers that suffice to a stone {place_named}"
            assert _said(plan, states, wrong, where) == said_so
        assert asked <= told[2]
        assert wrong != loops.HOLDS or asked == told[2]
        said[wrong, where == len(rules.regions)] += 1
    assert said[loops.HOLDS, False] > 10
    assert min(said[loops.KEY, False], said[loops.PASS, False], said[loops.PASS, True]) > 10


def test_leaves_and_images_are_examined() -> None:
    for _, plan in plans()[:6]:
        room = plan.tables.room()
        for at, state in enumerate(plan.states):
            if state.pairs:
                continue
            leaf = (*plan.states[:at], state._replace(pairs=True), *plan.states[at + 1 :])
            assert LineStates(replace(plan, states=leaf)).examine(at, room) == (loops.LEAF, 0)
    game = Game("18{0+3+4+5/0+5+6+7/1+8+9+10/1+10+11+12/2+13+14+15/2+15+16+17}")
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
        every = told_states(rules, plan)
        extra = ((1 << rules.width) - 1, 0, 7, (0,) * len(rules.regions), (), True)
        found = listed_by_lines(plan.game, 2, plan.keys, [extra, *reversed(every)])
        assert found == plan
        assert isinstance(found, BreakerPlan)
    assert listed_by_lines(plan.game, 2, plan.keys, [extra]).states == ()


def test_a_plan_from_a_later_position_has_no_other_states() -> None:
    shorter: Counter[bool] = Counter()
    for rules, plan in plans():
        every = told_states(rules, plan)
        for key, reply in itertools.permutations(plan.keys, 2):
            later = plan.game.start().play(key).play(reply)
            found = listed_by_lines(plan.game, 2, plan.keys, every, later)
            assert set(found.states) <= set(plan.states)
            if found.states:
                assert check_breaker(found).proved
                inner = [sum(not one.pairs for one in each.states) for each in (found, plan)]
                shorter[0 < inner[0] < inner[1]] += 1
    assert min(shorter.values()) > 2


def test_threads_tell_how_far_they_are_and_what_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    _, plan = max(plans(), key=lambda one: len(one[1].states))
    states, count = LineStates(plan), len(plan.states)
    told: list[tuple[int, int]] = []
    assert states.examine_all(range(count), 2, lambda *one: told.append(one)) is None
    assert told == [(done, count) for done, _ in sorted(told)]
    assert told[-1] == (count, count) > (4, 4)

    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(breaker_lines, "examine", breaks)
    with pytest.raises(ZeroDivisionError):
        states.examine_all(range(count), 2)


def told_states(rules: LineRules, plan: BreakerPlan) -> list[Told]:
    """The states of a plan as `listed_by_lines` takes them."""
    makers, breakers, rows, leaves, *_ = LineStates(plan).listed
    every = zip(makers.tolist(), breakers.tolist(), *rows.T.tolist(), strict=True)
    return [
        told(rules, state_of(rules, form), leaf)
        for form, leaf in zip(every, leaves.tolist(), strict=True)
    ]


def test_wide_leaves() -> None:
    """They stand for others; one that is none, or comes too late, or has more than is asked."""
    wide = spoilt = fewer = 0
    listed: Counter[bool] = Counter()
    for rules, plan in plans():
        states = []
        for one in told_states(rules, plan):
            wide_one = rules.wide(State(*one[:3], (0,) * len(rules.regions), 0))
            holds = one[5] and rules.settles(wide_one) and len(plan.states) > 1
            states.append((*one[:3], (), (), True) if holds else one)
        found = listed_by_lines(plan.game, 2, plan.keys, states)
        verdict = check_breaker(found)
        assert verdict.proved, verdict.reason
        assert verdict.positions == len(found.states) <= len(plan.states)
        # The checker finds them; they are listed only where no other state has regions.
        told = any(not state.regions and state.pairs for state in found.states)
        assert told != any(state.regions for state in found.states)
        listed[told] += 1
        inner = [state for state in plan.states if not state.pairs]
        assert len(inner) >= sum(not state.pairs for state in found.states)
        fewer += len(found.states) < len(plan.states)
        for at, state in enumerate(found.states):
            others = found.states[:at], found.states[at + 1 :]
            if state.regions and state.pairs and len(found.states) > 1:
                # It is a leaf only where its stones are known to be.
                other = state._replace(regions=(), warm=())
                verdict = check_breaker(replace(found, states=(*others[0], other, *others[1])))
                assert "is not settled by pairs" in verdict.reason or (
                    "is not after" in verdict.reason
                )
                spoilt += 1
            if state.regions or not state.pairs:
                continue
            wide += 1
            for other, said in (
                (state._replace(counted=state.counted + 1), ("asked for with", "not settled by")),
                (state._replace(counted=state.counted - 1), ("has no answer", "is asked for")),
            ):
                if other.counted < 0:
                    continue
                verdict = check_breaker(replace(found, states=(*others[0], other, *others[1])))
                assert any(one in verdict.reason for one in said), verdict.reason
            # It may be won without pairs as well.
            other = state._replace(pairs=False)
            verdict = check_breaker(replace(found, states=(*others[0], other, *others[1])))
            assert verdict.proved or "has no answer" in verdict.reason
            twice = (*others[0], state, state, *others[1])
            assert "is not after" in check_breaker(replace(found, states=twice)).reason
    assert min(wide, fewer) > 3
    assert min(listed.values()) > 1
    assert spoilt > 3


def test_wide_states_that_pairs_do_not_settle() -> None:
    """They are listed; other states say where stones are only where a wide one is not won."""
    kept = 0
    for rules, plan in plans():
        start = State(0, 0, 0, (0,) * len(rules.regions), rules.full(0, 0))
        won = [one for one, wins in rules.known.items() if wins]
        exact = [one for one in won if one == start or not rules.wins(rules.wide(one))]
        states = [told(rules, one, rules.settles(one)) for one in exact]
        wide = {rules.wide(one) for one in won if one[:2] != (0, 0)}
        states += [(*one[:3], (), (), rules.settles(one)) for one in wide if rules.wins(one)]
        found = listed_by_lines(plan.game, 2, plan.keys, states)
        assert check_breaker(found).proved
        kept += sum(not state.regions and not state.pairs for state in found.states)
    assert kept > 10


def listed_with(case: Case, others: Iterable[State]) -> tuple[forms.Listed, int]:
    """List a state and others, in their forms; return the place of the state too."""
    made, rules, found = case.made, case.rules, []
    for one in (case.state, *others):
        row = row_of(rules, one)
        form, some = forms.greatest(made.images, np.uint64(one.maker))
        two, three = forms.form_of(made.images, made.regions, some, np.uint64(one.breaker), row)
        found.append((int(form), int(two), *three.tolist()))
    order = sorted(set(found))
    listed = listed_rows([(one[0], one[1], one[2:]) for one in order])
    return listed, order.index(found[0])


@pytest.mark.more
def test_a_taken_key_is_no_answer() -> None:
    """All that follows without a reply is listed, and answers nothing."""
    looked = stones = 0
    for case in cases(18, 120):
        rules, state = case.rules, case.state
        if not state.breaker:
            continue
        keys = list(bits(rules.keys & ~(state.maker | state.breaker)))
        after = [state._replace(maker=state.maker | key) for key in keys]
        after += [rules.after(state, kind) for kind in rules.kinds_of_stones(state)]
        listed, place = listed_with(case, after)
        if (int(listed.makers[place]), int(listed.breakers[place])) != state[:2]:
            continue
        given = *given_of(case, listed), place
        for key in keys:
            replies = (state.breaker | y for y in keys if y != key)
            after = [state._replace(maker=state.maker | key, breaker=one) for one in replies]
            if not any(settled(rules, one) for one in after):
                looked += 1
                assert not checks.key_is_answered(*given, key.bit_length() - 1)
        more = (state._replace(p=state.p + 1, breaker=state.breaker | y) for y in keys)
        if not any(settled(rules, one) for one in more):
            stones += 1
            those = greatest(case, listed.makers[place])
            assert checks.stones_are_met(*given, *those)[0] == loops.PASS
    assert looked > 50
    assert stones > 10


def greatest(case: Case, maker: np.uint64) -> tuple[np.uint64, loops.Longs]:
    """The greatest image of Maker's keys, and the symmetries that give it."""
    form, some = forms.greatest(case.made.images, maker)
    return np.uint64(form), some


def given_of(
    case: Case, listed: forms.Listed
) -> tuple[loops.PlanLines, forms.Regions, loops.Words, forms.Listed, leaves.Settled, loops.Room]:
    """What a state is checked with."""
    return (
        *(case.lines, case.regions, case.made.images, listed),
        *(leaves.nothing_settled(1), case.tables.room()),
    )


@pytest.mark.more
def test_events_in_any_region_need_an_answer() -> None:
    """All answers to other stones are listed, and some to events with them."""
    fates: Counter[bool] = Counter()
    for case in cases(19, 640):
        rules, state = case.rules, case.state
        danger = rules.undecided(state) & state.warm
        if not any(danger & own for own in rules.inside[1:]):
            continue
        free = list(bits(rules.keys & ~(state.maker | state.breaker)))
        kinds = rules.kinds_of_stones(state)
        plain = {rules.after(state, kind, y) for kind in kinds if kind.event is None for y in free}
        listed, place = listed_with(case, plain)
        form = int(listed.makers[place]), int(listed.breakers[place])
        if form != (state.maker, state.breaker):
            continue
        met = True
        for kind in kinds:
            keys = [y for y in free if kind.event is None or y & rules.lines[kind.event]]
            good = sum(
                y
                for y in keys
                if any(rules.stands_for(one, rules.after(state, kind, y)) for one in plain)
                or settled(rules, rules.after(state, kind, y))
            )
            met &= rules.enough(state, kind, good)
        given = *given_of(case, listed), place
        those = greatest(case, listed.makers[place])
        assert (checks.stones_are_met(*given, *those)[0] == loops.HOLDS) <= met
        fates[met] += 1
    assert fates[False] > 20


@pytest.mark.more
def test_no_event_is_at_a_line_that_bears_more_than_there_are() -> None:
    """Answers that do not hit such a line are listed, whichever of its region it is."""
    met: Counter[bool] = Counter()
    for case in cases(21, 640):
        rules, state = case.rules, case.state
        kinds = rules.kinds_of_stones(state)
        for line in rules.numbers(rules.undecided(state) & state.warm):
            if rules.room[line] <= state.p:
                continue
            taken = state.maker | state.breaker | rules.lines[line]
            free = list(bits(rules.keys & ~taken))
            after = {rules.after(state, kind, y) for kind in kinds for y in free}
            listed, place = listed_with(case, after)
            if (int(listed.makers[place]), int(listed.breakers[place])) != state[:2]:
                continue
            if not all(
                rules.enough(
                    state,
                    kind,
                    sum(y for y in free if kind.event is None or y & rules.lines[kind.event]),
                )
                for kind in kinds
            ):
                continue
            given = *given_of(case, listed), place
            those = greatest(case, listed.makers[place])
            assert checks.stones_are_met(*given, *those)[0] == loops.HOLDS
            region = rules.inside[rules.home[line] or 0]
            met[line == rules.numbers(region)[0]] += 1
    assert min(met.values()) > 3
    assert len(met) == 2


@pytest.mark.more
def test_an_answer_leaves_decided_lines_what_they_need() -> None:
    """One reply to a key is listed; it counts only if the test holds after it."""
    fates: Counter[tuple[bool, bool]] = Counter()
    for case in cases(20, 200):
        rules, state = case.rules, case.state
        free = list(bits(rules.keys & ~(state.maker | state.breaker)))
        for key in free:
            for reply in free:
                if reply == key or rules.decided(state.maker | key, state.breaker | reply) == (
                    rules.decided(state.maker, state.breaker | reply)
                ):
                    continue
                keys = state.maker | key, state.breaker | reply
                after = rules.normal(state._replace(maker=keys[0], breaker=keys[1]))
                listed, place = listed_with(case, [after])
                if (int(listed.makers[place]), int(listed.breakers[place])) != state[:2]:
                    continue
                given = *given_of(case, listed), place
                said = checks.key_is_answered(*given, key.bit_length() - 1)
                fine = rules.to_key(state, key, reply) is not None or any(
                    settled(rules, one)
                    for other in free
                    if other != key and (one := rules.to_key(state, key, other)) is not None
                )
                fates[bool(said), fine] += 1
    assert fates[True, False] == 0
    assert fates[True, True] > 50
    assert fates[False, False] > 20


@pytest.mark.more
def test_answers_that_are_not_listed() -> None:
    """Nothing is listed but the state, so that pairs alone answer keys and stones."""
    keys_met: Counter[tuple[bool, bool]] = Counter()
    stones_met: Counter[bool] = Counter()
    for case in cases(26, 240):
        rules, state = case.rules, case.state
        listed, place = listed_with(case, ())
        if (int(listed.makers[place]), int(listed.breakers[place])) != state[:2]:
            continue
        free = list(bits(rules.keys & ~(state.maker | state.breaker)))
        given = *given_of(case, listed), place
        for key in free:
            fine = []
            for reply in free:
                words = state.maker | key, state.breaker | reply
                after = rules.normal(state._replace(maker=words[0], breaker=words[1]))
                if (
                    reply != key
                    and decided_bear(rules, state, after)
                    and rules.blocks_bear(after, key)
                ):
                    fine.append(after)
            met = any(settled(rules, after) for after in fine)
            assert checks.key_is_answered(*given, key.bit_length() - 1) == met
            fewer = any(settled(rules, one._replace(p=one.z[0])) for one in fine if one.z)
            keys_met[met, fewer] += 1
        met = True
        for kind in rules.kinds_of_stones(state):
            on = rules.keys if kind.event is None else rules.lines[kind.event]
            replies = (y for y in free if y & on and settled(rules, rules.after(state, kind, y)))
            met &= rules.enough(state, kind, sum(replies))
        those = greatest(case, listed.makers[place])
        assert (checks.stones_are_met(*given, *those)[0] == loops.HOLDS) == met
        stones_met[met] += 1
    assert min(keys_met[True, True], keys_met[False, False], *stones_met.values()) > 30
    # With fewer stones they would be.
    assert keys_met[False, True] > 10
