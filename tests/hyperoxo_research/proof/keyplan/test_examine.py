"""Listed states by all rules: lists by hand, and plans that are read off the rules."""

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
from hyperoxo_research.draws.key_plan_listing import Given, _plan_state, listed
from hyperoxo_research.proof.keyplan import check, examine, states
from hyperoxo_research.proof.keyplan.check import States, images_for
from hyperoxo_research.proof.keyplan.examine import HOLDS, IMAGE, KEY, LEAF, STONE
from hyperoxo_research.proof.keyplan.file import check_key_plan
from hyperoxo_research.proof.keyplan.matching import scratch_for
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from tests.hyperoxo_research.proof.keyplan.cases import (
    Case,
    Form,
    at_state,
    cases,
    decided_bear,
    form_of,
    listed_rows,
    settled,
    state_of,
    tabled,
)
from tests.hyperoxo_research.proof.keyplan.count_rules import bits, spec_of
from tests.hyperoxo_research.proof.keyplan.line_rules import (
    ANY,
    WITH_INNER_STATES,
    LineRules,
    State,
)
from tests.hyperoxo_research.proof.keyplan.whole_plans import with_states

WITH_PLANS = (
    ((242, 1713, 352, 960, 18), 5, 11),
    ((1106, 428, 348, 848, 12, 15), 4, 11),
    ((593, 1561, 434, 2600, 3904, 2352), 4, 12),
    ((3907, 298, 212, 2808, 1792, 6, 2766), 3, 12),
    ((1423, 338, 1121, 1544, 3, 651), 2, 11),
    *WITH_INNER_STATES,
)
"""Lines, keys and cells; on the first boards some states have full lines, or pairs at risk."""


def told(rules: LineRules, state: State, leaf: bool) -> Given:
    """A state as `listed` takes it."""
    closed = sum(own for n, own in zip(state.z, rules.inside, strict=True) if n != ANY)
    return (*state[:4], tuple(rules.numbers(state.warm & closed)), leaf)


@cache
def plans() -> tuple[tuple[LineRules, KeyPlan], ...]:
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
        every = [told(rules, one, rules.settles(one)) for one, won in rules.known.items() if won]
        game, keys = Game(spec_of(drawn)), tuple(range(drawn.width))
        found.append((rules, listed(game, 2, keys, every, by_lines=True)))
    return tuple(found)


def test_plans_read_off_the_rules_are_proved() -> None:
    inner = 0
    for _, plan in plans():
        verdict = check_key_plan(plan)
        assert verdict.proved, verdict.reason
        assert verdict.positions == len(plan.states)
        inner += sum(not state.pairs for state in plan.states)
    assert len(plans()) > 8
    assert inner > 70


def listed_as(rules: LineRules, case: Case, state: State, left: set[Form]) -> Form | None:
    """The last form in a list that stands for a state in any image, if any does."""
    images, keys = case.board.images, form_of(rules, case.board, state)[:2]
    row, moved = at_state(rules, rules.normal(state)).row, set[State]()
    for symmetry in range(len(images)):
        words = [int(states.image(images, symmetry, np.uint64(one))) for one in state[:2]]
        if tuple(words) == keys:
            into = row.copy()
            states.moved_row(case.board.regions, symmetry, row, into)
            moved.add(state_of(rules, (*words, *into.tolist())))
    for form in sorted(left, reverse=True):
        if any(rules.stands_for(state_of(rules, form), one) for one in moved):
            return form
    return None


def followers(rules: LineRules, state: State) -> Iterator[State]:
    """The states that may be asked for, whether or not they are good."""
    free = rules.keys & ~(state.maker | state.breaker)
    for key in bits(free):
        yield from (rules.taken(state, key, reply) for reply in bits(free & ~key))
    for kind in rules.kinds_of_stones(state):
        for reply in bits(free if kind.event is None else free & rules.lines[kind.event]):
            yield rules.after(state, kind, reply)


def after_answers(rules: LineRules, state: State, key: int) -> list[State]:
    """Return the states after a key and each reply that decided lines and blocks allow."""
    free = rules.keys & ~(state.maker | state.breaker | key)
    found = [rules.taken(state, key, reply) for reply in bits(free)]
    return [one for one in found if decided_bear(rules, state, one) and rules.blocks_bear(one, key)]


def expected(case: Case, state: State, left: set[Form]) -> tuple[int, int, set[Form]]:
    """What is wrong with a state and where, and the states that it asks for until then."""
    rules = case.rules
    free = rules.keys & ~(state.maker | state.breaker)
    asked: set[Form] = set()
    # 1. The first answer to each key, to a listed state or else one that pairs settle.
    for key in bits(free):
        fine = after_answers(rules, state, key)
        forms_listed = (listed_as(rules, case, after, left) for after in fine)
        if form := next((form for form in forms_listed if form), None):
            asked.add(form)
        elif not any(settled(rules, after) for after in fine):
            return KEY, key.bit_length() - 1, asked
    # 2. All answers to each stone; regions come first, in their order.
    count, failed = len(rules.regions), []
    for kind in rules.kinds_of_stones(state):
        keys = free if kind.event is None else free & rules.lines[kind.event]
        replies = 0
        for reply in bits(keys):
            after = rules.after(state, kind, reply)
            if form := listed_as(rules, case, after, left):
                asked.add(form)
            if form or settled(rules, after):
                replies |= reply
        if not rules.enough(state, kind, replies):
            failed.append(count if kind.region is None else kind.region)
    return (STONE, min(failed), asked) if failed else (HOLDS, 0, asked)


def plan_of(case: Case, forms_of: Iterable[Form]) -> KeyPlan:
    """States in their forms, none of them a leaf."""
    game, keys = Game(spec_of(case.rules)), tuple(range(case.rules.width))
    rows = (_plan_state(case.tables, 2, form, form[2], pairs=False) for form in sorted(forms_of))
    return KeyPlan(game, 2, keys, tuple(rows))


@pytest.mark.more
def test_what_examine_finds_wrong() -> None:
    """With some of the states that a random state may ask for: what it misses, and what it asks."""
    rng = random.Random(14)
    said: Counter[tuple[int, bool]] = Counter()
    for case in cases(11, 200):
        rules = case.rules
        if not rules.regions:
            continue
        here = form_of(rules, case.board, case.state)
        state = state_of(rules, here)
        every = set[Form]()
        for after in followers(rules, state):
            less = [one for one in rules.saying_less(after) if rng.random() < 0.2]
            less += [rules.wide(after)] if rng.random() < 0.2 else []
            every.add(form_of(rules, case.board, rng.choice(less or [after])))
        share = rng.choice((0.7, 0.9, 0.97, 1))
        left = {form for form in sorted(every) if rng.random() < share}
        order = sorted(left | {here})
        found = States(plan_of(case, order), by_lines=True, tables=case.tables)
        wrong, where = found.examine(order.index(here))
        asked = {order[at] for at in np.flatnonzero(found.listed.asked >= 0).tolist()}
        told = expected(case, state, left)
        assert (wrong, where) == told[:2]
        if wrong == STONE:
            cells = [f"in the region of cell {min(own)}" for own in case.tables.groups]
            said_so = f"has no answers that suffice to a stone {[*cells, 'elsewhere'][where]}"
            assert found.failure(wrong, where) == said_so
        assert asked <= told[2]
        assert wrong != HOLDS or asked == told[2]
        said[wrong, where == len(rules.regions)] += 1
    assert said[HOLDS, False] > 10
    assert min(said[KEY, False], said[STONE, False], said[STONE, True]) > 10


def test_leaves_and_images_are_examined() -> None:
    for _, plan in plans()[:6]:
        for at, state in enumerate(plan.states):
            if not state.pairs:
                leaf = with_states(plan, at, state._replace(pairs=True))
                assert States(leaf).examine(at) == (LEAF, 0)
    game = Game("18{0+3+4+5/0+5+6+7/1+8+9+10/1+10+11+12/2+13+14+15/2+15+16+17}")
    plan = listed(game, 2, (0, 1, 2), [(0, 0, 0, (0, 0, 0), (), True)], by_lines=True)
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
        assert States(replace(plan, states=(moved,))).examine(0) == (IMAGE, 0)


def test_a_plan_is_read_in_any_image_and_order() -> None:
    """What nothing asks for is left out."""
    for rules, plan in plans():
        every = told_states(rules, plan)
        extra = ((1 << rules.width) - 1, 0, 7, (0,) * len(rules.regions), (), True)
        given = plan.game, 2, plan.keys
        assert listed(*given, [extra, *reversed(every)], by_lines=True) == plan
    assert listed(*given, [extra], by_lines=True).states == ()


def test_a_plan_from_a_later_position_has_no_other_states() -> None:
    shorter: Counter[bool] = Counter()
    for rules, plan in plans():
        every = told_states(rules, plan)
        for key, reply in itertools.permutations(plan.keys, 2):
            later = plan.game.start().play(key).play(reply)
            found = listed(plan.game, 2, plan.keys, every, later, by_lines=True)
            assert set(found.states) <= set(plan.states)
            if found.states:
                assert check_key_plan(found).proved
                inner = [sum(not one.pairs for one in each.states) for each in (found, plan)]
                shorter[0 < inner[0] < inner[1]] += 1
    assert min(shorter.values()) > 2


def test_threads_tell_how_far_they_are_and_what_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    _, plan = max(plans(), key=lambda one: len(one[1].states))
    found, count = States(plan), len(plan.states)
    told: list[tuple[int, int]] = []
    assert found.examine_all(range(count), 2, lambda *one: told.append(one)) is None
    assert told == [(done, count) for done, _ in sorted(told)]
    assert told[-1] == (count, count) > (4, 4)

    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(check, "examine", breaks)
    with pytest.raises(ZeroDivisionError):
        found.examine_all(range(count), 2)


def told_states(rules: LineRules, plan: KeyPlan) -> list[Given]:
    """The states of a plan as `listed` takes them."""
    makers, breakers, rows, leaves, _ = States(plan, by_lines=True).listed
    every = zip(makers.tolist(), breakers.tolist(), *rows.T.tolist(), strict=True)
    return [
        told(rules, state_of(rules, form), leaf)
        for form, leaf in zip(every, leaves.tolist(), strict=True)
    ]


def test_wide_leaves() -> None:
    """They stand for others; one that is none, or comes too late, or has more than is asked."""
    wide = spoilt = fewer = 0
    written: Counter[bool] = Counter()
    for rules, plan in plans():
        given: list[Given] = []
        for one in told_states(rules, plan):
            wide_one = rules.wide(State(*one[:3], (0,) * len(rules.regions), 0))
            holds = one[5] and rules.settles(wide_one) and len(plan.states) > 1
            given.append((*one[:3], (), (), True) if holds else one)
        found = listed(plan.game, 2, plan.keys, given, by_lines=True)
        verdict = check_key_plan(found)
        assert verdict.proved, verdict.reason
        assert verdict.positions == len(found.states) <= len(plan.states)
        # The checker finds them; they are listed only where no other state has regions.
        told = any(not state.regions and state.pairs for state in found.states)
        assert told != any(state.regions for state in found.states)
        written[told] += 1
        inner = [state for state in plan.states if not state.pairs]
        assert len(inner) >= sum(not state.pairs for state in found.states)
        fewer += len(found.states) < len(plan.states)
        for at, state in enumerate(found.states):
            if state.regions and state.pairs and len(found.states) > 1:
                # It is a leaf only where its stones are known to be.
                other = state._replace(regions=(), warm=())
                reason = check_key_plan(with_states(found, at, other)).reason
                assert "is not settled by pairs" in reason or "is not after" in reason
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
                verdict = check_key_plan(with_states(found, at, other))
                assert any(one in verdict.reason for one in said), verdict.reason
            # It may be won without pairs as well.
            other = state._replace(pairs=False)
            verdict = check_key_plan(with_states(found, at, other))
            assert verdict.proved or "has no answer" in verdict.reason
            twice = with_states(found, at, state, state)
            assert "is not after" in check_key_plan(twice).reason
    assert min(wide, fewer) > 3
    assert min(written.values()) > 1
    assert spoilt > 3


def test_wide_states_that_pairs_do_not_settle() -> None:
    """They are listed; other states say where stones are only where a wide one is not won."""
    kept = 0
    for rules, plan in plans():
        start = State(0, 0, 0, (0,) * len(rules.regions), rules.full(0, 0))
        won = [one for one, wins in rules.known.items() if wins]
        exact = [one for one in won if one == start or not rules.wins(rules.wide(one))]
        given = [told(rules, one, rules.settles(one)) for one in exact]
        wide = {rules.wide(one) for one in won if one[:2] != (0, 0)}
        given += [(*one[:3], (), (), rules.settles(one)) for one in wide if rules.wins(one)]
        found = listed(plan.game, 2, plan.keys, given, by_lines=True)
        assert check_key_plan(found).proved
        kept += sum(not state.regions and not state.pairs for state in found.states)
    assert kept > 10


class Listed:
    """A state of a case listed with others, if it is written in its greatest image."""

    def __init__(self, case: Case, others: Iterable[State]) -> None:
        self.case = case
        found = [form_of(case.rules, case.board, one) for one in (case.state, *others)]
        self.is_greatest = found[0][:2] == case.state[:2]
        self.listed = listed_rows(sorted(set(found)))
        self.state = at_state(case.rules, state_of(case.rules, found[0]))
        room = scratch_for(case.rules.cells)
        self.work = examine.Work(self.listed, examine.no_settled_states(1), room)

    def answers_key(self, key: int) -> bool:
        """Return True if a key is answered."""
        place = key.bit_length() - 1
        return bool(examine.is_key_answered(self.case.board, self.work, self.state, place))

    def answers_stones(self) -> bool:
        """Return True if all stones are answered."""
        board = self.case.board
        those = images_for(board, int(self.state.maker))
        return bool(examine.unanswered_stone(board, self.work, self.state, those) < 0)


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
        listed = Listed(case, after)
        if not listed.is_greatest:
            continue
        for key in keys:
            replies = (state.breaker | y for y in keys if y != key)
            after = [state._replace(maker=state.maker | key, breaker=one) for one in replies]
            if not any(settled(rules, one) for one in after):
                looked += 1
                assert not listed.answers_key(key)
        more = (state._replace(p=state.p + 1, breaker=state.breaker | y) for y in keys)
        if not any(settled(rules, one) for one in more):
            stones += 1
            assert not listed.answers_stones()
    assert looked > 50
    assert stones > 10


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
        listed = Listed(case, plain)
        if not listed.is_greatest:
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
        assert listed.answers_stones() <= met
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
            listed = Listed(case, after)
            if not listed.is_greatest:
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
            assert listed.answers_stones()
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
                listed = Listed(case, [rules.taken(state, key, reply)])
                if not listed.is_greatest:
                    continue
                said = listed.answers_key(key)
                fine = rules.to_key(state, key, reply) is not None or any(
                    settled(rules, one)
                    for other in free
                    if other != key and (one := rules.to_key(state, key, other)) is not None
                )
                fates[said, fine] += 1
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
        listed = Listed(case, ())
        if not listed.is_greatest:
            continue
        free = list(bits(rules.keys & ~(state.maker | state.breaker)))
        for key in free:
            fine = after_answers(rules, state, key)
            met = any(settled(rules, after) for after in fine)
            assert listed.answers_key(key) == met
            fewer = any(settled(rules, one._replace(p=one.z[0])) for one in fine if one.z)
            keys_met[met, fewer] += 1
        met = True
        for kind in rules.kinds_of_stones(state):
            on = rules.keys if kind.event is None else rules.lines[kind.event]
            replies = (y for y in free if y & on and settled(rules, rules.after(state, kind, y)))
            met &= rules.enough(state, kind, sum(replies))
        assert listed.answers_stones() == met
        stones_met[met] += 1
    assert min(keys_met[True, True], keys_met[False, False], *stones_met.values()) > 30
    # With fewer stones they would be.
    assert keys_met[False, True] > 10


def said(case: Case, known: examine.Settled, stones: int, symmetry: int = 0) -> bool:
    """The verdict on an image of the keys of a case, with this many stones."""
    images = case.board.images
    maker, breaker = (states.image(images, symmetry, one) for one in case.at[:2])
    work = examine.Work(listed_rows([(0, 0, 0)]), known, scratch_for(case.rules.cells))
    those = images_for(case.board, int(maker))
    return bool(examine.is_wide_won(case.board, work, those, np.uint64(breaker), stones))


@pytest.mark.more
def test_pairs_settle_what_the_rules_say() -> None:
    """In a table with room for one state, in one for all, and in a new one each time."""
    rng, found = random.Random(4), Counter[bool]()
    drawn = cases(23, 60)
    for begin in range(0, len(drawn), 4):
        makers, breakers, holds, fails = examine.no_settled_states(0)
        one = examine.Settled(makers[:1], breakers[:1], holds[:1], fails[:1])
        every = examine.no_settled_states(20)
        for _ in range(40):
            case = rng.choice(drawn[begin : begin + 4])
            stones, symmetry = rng.randint(0, 7), rng.randrange(len(case.board.images))
            settles = settled(case.rules, case.state._replace(p=stones))
            for known in (one, every, examine.no_settled_states(0)):
                assert said(case, known, stones, symmetry) == settles
            found[settles] += 1
    assert min(found.values()) > 200


def test_what_was_found_is_remembered() -> None:
    """With as many stones or fewer it holds, with as many or more it fails; of images too."""
    fates: Counter[bool] = Counter()
    moved = 0
    for case in cases(24, 60):
        known, images = examine.no_settled_states(0), case.board.images
        holds = said(case, known, 3)
        fates[holds] += 1
        (place,) = np.flatnonzero((known.holds >= 0) | (known.fails < 100)).tolist()
        assert (known.holds[place], known.fails[place]) == ((3, 1 << 14) if holds else (-1, 3))
        every = [
            tuple(int(states.image(images, n, one)) for one in case.at[:2])
            for n in range(len(images))
        ]
        assert (known.makers[place], known.breakers[place]) == max(every)
        # Such facts as no rule would give.
        known.holds[place], known.fails[place] = 40, 41
        for symmetry, words in enumerate(every):
            answers = [said(case, known, stones, symmetry) for stones in (39, 40, 41, 42)]
            assert answers == [True, True, False, False]
            moved += words != max(every)
        assert (known.holds[place], known.fails[place]) == (40, 41)
    assert min(fates.values()) > 20
    assert moved > 5


def test_room_for_what_is_remembered() -> None:
    sizes = [len(examine.no_settled_states(count).makers) for count in (0, 1, 3, 4, 1 << 30)]
    assert sizes == [1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 22]
    for part, value in zip(examine.no_settled_states(9), (0, 0, -1, 1 << 14), strict=True):
        assert np.asarray(part).tolist() == [value] * (1 << 12)


def test_how_many_live_lines_have_a_key() -> None:
    taken = 0
    for case in cases(25, 60):
        state = case.state
        found = examine.live_lines_on(case.board, *case.at[:2]).tolist()
        for key, count in enumerate(found):
            bit = 1 << key
            lines = [one for one in case.rules.lines if one & bit and not one & state.breaker]
            if (state.maker | state.breaker) & bit:
                assert count == -1
                taken += 1
            else:
                assert count == len(lines)
    assert taken > 50
