"""Plans by lines: the search and the checker against the rules, files, and games."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache, partial

import pytest

from hyperoxo.errors import SpecError
from hyperoxo.game import Game
from hyperoxo.proof import verify
from hyperoxo.task import Task
from hyperoxo_research.draws.key_plan_search import KeyPlanSearch, find_key_plan
from hyperoxo_research.proof.keyplan.file import check_key_plan, plan_text, read_plan
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from hyperoxo_research.proof.keyplan.play import PlanPlay
from tests.expect import require
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo_research.proof.keyplan.count_rules import left_on_boards
from tests.hyperoxo_research.proof.keyplan.invariants import invariants_hold
from tests.hyperoxo_research.proof.keyplan.line_rules import LineRules, State
from tests.hyperoxo_research.proof.keyplan.whole_plans import proved_in_steps, with_states

SIX = "moves:31,35,34,43,60,64,91,92,155,123,8,151"
LATER = f"{SIX},58,152"


@pytest.mark.more
def test_the_search_and_the_checker_keep_to_the_rules() -> None:
    found: Counter[bool] = Counter()
    by_lines = 0
    for position, rules, maker, breaker, stones in left_on_boards(120):
        left = LineRules(rules.lines, rules.width, rules.cells)
        near = []
        for own, cells in zip(left.inside, left.regions, strict=True):
            live = left.of(1, breaker) & own
            near.append(min(3, (stones & cells & left.union[live]).bit_count()) if live else 0)
        state = State(maker, breaker, stones.bit_count(), tuple(near), left.full(breaker, stones))
        expected = stones in left.spread(state) and left.wins(state)
        search = KeyPlanSearch(position, tuple(range(rules.width)), by_lines=True)
        won = require(search.run(Task()))
        # No limit came, so that it came to its end. It may ask more than the rules do, never less.
        assert expected or not won
        found[bool(won)] += 1
        if won:
            plan = search.plan()
            assert check_key_plan(plan).proved, check_key_plan(plan)
            assert not left.refuted(maker, breaker, stones)
            assert plan == read_plan(plan_text(plan))
            by_lines += plan.by_lines
    assert min(found.values()) > 10
    assert by_lines > 10


@cache
def six() -> KeyPlan:
    return require(find_key_plan(Game("6^3").position(SIX), by_lines=True))


@pytest.mark.more
def test_a_position_of_six_cubed() -> None:
    plan = six()
    assert plan.by_lines
    assert {len(state.regions) for state in plan.states if not state.pairs} == {0, 6}
    # Leaves are listed only where it matters where their stones are.
    assert all(state.regions for state in plan.states if state.pairs)
    assert {state.counted for state in plan.states} == {6, 7, 8}
    assert any(any(state.regions) for state in plan.states)
    data = plan_text(plan, creator="a test")
    verdict = proved_in_steps(partial(verify, data), len(plan.states))
    assert read_plan(data) == plan
    assert verdict.positions == len(plan.states) < 200


@pytest.mark.more
def test_threads_find_a_plan_as_well() -> None:
    plan = require(find_key_plan(Game("6^3").position(LATER), by_lines=True, threads=2))
    assert plan.by_lines
    assert check_key_plan(plan).proved


@pytest.mark.more
def test_a_state_taken_away_or_changed() -> None:
    plan = require(find_key_plan(Game("6^3").position(LATER), by_lines=True))
    rng = random.Random(7)
    states = plan.states
    # A few may be spared, for other answers are listed too.
    places = [0, *rng.sample(range(1, len(states)), 5)]
    spared = [check_key_plan(with_states(plan, at)).proved for at in places]
    assert not spared[0]
    assert sum(spared) < 3
    by_lines = [at for at, one in enumerate(states) if at and one.regions]
    for at in rng.sample(by_lines, 3):
        one = states[at]
        line = next(n for n in range(148) if n not in one.warm)
        for other in (
            one._replace(counted=one.counted + 9),
            one._replace(regions=one.regions[:-1]),
            one._replace(warm=(*one.warm, line)),
            one._replace(warm=(200,)),
            one._replace(stones=bytes([2 - one.stones[0]]) + one.stones[1:]),
        ):
            spoilt = check_key_plan(with_states(plan, at, other))
            assert not spoilt.proved
            assert spoilt.reason


def test_a_region_with_too_many_lines() -> None:
    wide = "/".join(f"0+1+2+{cell}" for cell in range(3, 20))
    with pytest.raises(SpecError, match="at most 16 rich lines, not 17"):
        find_key_plan(f"20{{{wide}}}", keys=(0,), by_lines=True)
    plan = find_key_plan(f"20{{{wide}}}", keys=(0,))
    if plan is not None:
        rows = tuple(state._replace(regions=(0,)) for state in plan.states)
        verdict = check_key_plan(replace(plan, states=rows))
        assert "17 rich lines, and at most 16 may" in verdict.reason


def test_without_rich_lines_the_plan_is_one_without_regions() -> None:
    for keys in ((0, 1, 2), (5,)):
        plan = find_key_plan("6{0+1+2/3+4}", keys=keys, by_lines=True)
        assert plan == find_key_plan("6{0+1+2/3+4}", keys=keys)
        if plan is not None:
            assert not plan.by_lines
            assert check_key_plan(plan).proved


@pytest.mark.more
def test_games_on_the_board() -> None:
    plan, rng = six(), random.Random(3)
    play, owners = PlanPlay(plan), plan.position.owners
    looked = 0
    for _ in range(40):
        books = play.begin()
        free = {cell for cell, owner in enumerate(owners) if owner == 0}
        while books.partners is None:
            off = rng.random() < 0.7
            choices = [c for c in free if (c not in plan.keys) == off] or sorted(free)
            cell = rng.choice(sorted(choices))
            free.discard(cell)
            answer, books = play.answer(books, cell)
            assert answer in free
            free.discard(answer)
            looked += books.partners is None
            assert books.partners is not None or invariants_hold(play, books)
        live = [set(row) for row in play.tables.rows]
        stopped = {c for c, owner in enumerate(owners) if c not in free and owner != 1}
        for line in live:
            paired = any(books.partners.get(c) in line for c in line & free)
            assert paired or line & stopped
    assert looked > 20


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"\n. 0 0,0 - pairs\n", b"\n. 0 pairs\n", ""),
        (b"\n. 0 0,0 - pairs\n", b"\n. 0 0,0,0 - pairs\n", "there are 2 regions, not 3"),
        (b"\n. 0 0,0 - pairs\n", b"\n. 1 0,0 - pairs\n", "is asked for with 0 at most"),
        (b"\n. 0 0,0 - pairs\n", b"\n. 201 0,0 - pairs\n", "201 stones cannot be counted"),
        (b"\n. 0 0,0 - pairs\n", b"\n. 0 0,5 - pairs\n", "more than 4 in a region"),
        (b"\n. 0 0,0 - pairs\n", b"\n. 0 0, - pairs\n", "the stones of a region"),
        (b"\n. 0 0,0 - pairs\n", b"\n. 0 0,0 -,1 pairs\n", "a warm line"),
        (b"\n. 0 0,0 - pairs\n", b"\n. 0 0,0 1,0 pairs\n", "warm lines that are not rich ones"),
        (b"\n. 0 0,0 - pairs\n", b"\n. 0 0,0 2 pairs\n", "warm lines that are not rich ones"),
        (b"\n. 0 0,0 - pairs\n", b"\n. 0 0,0\n", "is not a row of a plan"),
        (b"\n. 0 0,0 - pairs\n", b"\n. 0 0,0 -\n", "has no answer"),
    ],
)
def test_files_that_make_no_sense(old: bytes, new: bytes, said: str) -> None:
    plan = require(find_key_plan("8{0+1+2+3/3+4+5+6}", keys=(3,), by_lines=True))
    text = plan_text(plan)
    assert old in text
    verdict = verify(rehash(text.replace(old, new)))
    if said:
        assert not verdict.proved
        assert said in verdict.reason
    else:
        # Without regions it is a plan by the simpler rules.
        assert verdict.proved
