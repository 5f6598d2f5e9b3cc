"""Breaker's plans: the rules against brute force, the search and the checker against the rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from hyperoxo.errors import LimitError
from hyperoxo.game import Game
from hyperoxo.proof import verify
from hyperoxo.task import Task
from hyperoxo_research.draws.key_plan_listing import listed
from hyperoxo_research.draws.key_plan_search import KeyPlanSearch, find_key_plan
from hyperoxo_research.proof.keyplan.file import check_key_plan, plan_text, read_plan
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from tests.expect import require
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo_research.draws.test_key_plan_search import PLANNED, seven
from tests.hyperoxo_research.proof.keyplan.count_rules import (
    drawn_keys,
    left_on_boards,
    random_rules,
)
from tests.hyperoxo_research.proof.keyplan.whole_plans import proved_in_steps, with_states


def counts(broken: str, states: int, seed: int) -> tuple[int, int, int]:
    """Return states that are won and no leaves, placements tried, and those that Maker wins."""
    rng = random.Random(seed)
    inner = tried = lost = 0
    for _ in range(states):
        rules = random_rules(rng, broken)
        maker, breaker = drawn_keys(rules, rng)
        counted = rng.randint(1, 4)
        if rules.won(maker, breaker, counted):
            inner += not rules.leaf(maker, breaker, counted)
            for stones in rules.placements(maker, breaker, counted):
                tried += 1
                lost += rules.refuted(maker, breaker, stones)
    return inner, tried, lost


@pytest.mark.parametrize(
    ("number", "least", "seed"),
    [(4_000, 150, 1), pytest.param(400_000, 15_000, 3, marks=pytest.mark.slow)],
)
def test_what_the_rules_call_won_is_won(number: int, least: int, seed: int) -> None:
    inner, tried, lost = counts("", number, seed)
    assert inner > least
    assert tried > number
    assert lost == 0


@pytest.mark.parametrize("broken", ["spare", "survivors"])
def test_brute_force_refutes_broken_rules(broken: str) -> None:
    assert counts(broken, 2_000, seed=2)[2] > 0


@pytest.mark.more
def test_the_search_and_the_checker_keep_to_the_rules() -> None:
    found = [0, 0]
    for position, left, maker, breaker, stones in left_on_boards(150):
        allowed = stones in left.placements(maker, breaker, stones.bit_count())
        expected = allowed and left.won(maker, breaker, stones.bit_count())
        search = KeyPlanSearch(position, tuple(range(left.width)))
        assert search.run(Task()) is expected
        found[expected] += 1
        if expected:
            plan = search.plan()
            assert check_key_plan(plan).proved, check_key_plan(plan)
            assert not left.refuted(maker, breaker, stones)
            assert plan == read_plan(plan_text(plan))
    assert min(found) > 20


@pytest.mark.more
def test_seven_cubed() -> None:
    plan = seven()
    data = plan_text(plan, creator="a test")
    verdict = proved_in_steps(partial(verify, data), len(plan.states))
    assert verdict.claim == "player 2 gets at least a draw in 7^3 by a plan on 25 key cells"
    assert verdict.positions == len(plan.states) < 300
    assert sum(not state.pairs for state in plan.states) < 60
    assert len(data) < 12_000
    assert max(state.counted for state in plan.states) <= 4


@pytest.mark.more
def test_a_state_taken_away_or_changed() -> None:
    plan, rng = seven(), random.Random(7)
    states = plan.states
    for at in [0, *rng.sample(range(len(states)), 6)]:
        without = check_key_plan(with_states(plan, at))
        assert not without.proved
        assert "has no answer" in without.reason or "is not listed" in without.reason, without
    for at in rng.sample(range(len(states)), 6):
        one = states[at]
        for other in (
            one._replace(counted=one.counted + 1),
            one._replace(counted=max(0, one.counted - 1)),
            one._replace(pairs=not one.pairs),
            one._replace(stones=one.stones[::-1]),
            one._replace(stones=bytes([2 - one.stones[0]]) + one.stones[1:]),
        ):
            if other != one:
                spoilt = check_key_plan(with_states(plan, at, other))
                assert not spoilt.proved
                assert spoilt.reason


@pytest.mark.slow
def test_every_state_of_seven_cubed_is_needed() -> None:
    plan = seven()
    for at in range(len(plan.states)):
        assert not check_key_plan(with_states(plan, at)).proved


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        pytest.param(
            lambda plan: replace(plan, game=Game("7^3:blocked=0")),
            "a key is not a playable cell",
            marks=pytest.mark.more,
        ),
        (lambda plan: replace(plan, game=Game("7^3:misere")), "is not supported for"),
        (lambda plan: replace(plan, game=Game("7^3:gravity")), "is not supported for"),
        (lambda plan: replace(plan, game=Game("8^3")), ""),
        (lambda plan: replace(plan, seat=1), "player 2 is not to move"),
        (lambda plan: replace(plan, keys=plan.keys[::-1]), "keys in ascending order"),
        (lambda plan: replace(plan, keys=(1, *plan.keys[1:])), "too few cells"),
        (lambda plan: replace(plan, states=plan.states[::-1]), "is not listed"),
        (lambda plan: replace(plan, states=()), "is not listed"),
    ],
)
def test_plans_of_something_else(changed: Callable[[KeyPlan], KeyPlan], reason: str) -> None:
    verdict = check_key_plan(changed(seven()))
    assert not verdict.proved
    assert reason in verdict.reason


def test_damaged_files() -> None:
    data = plan_text(seven())
    text = data.decode()
    for spoilt in (
        data[: len(data) // 2],
        rehash(data[: data.rindex(b"\n", 0, -1) + 1]),
        rehash(text.replace("claim draw", "claim win").encode()),
        rehash(text.replace("seat 2", "seat 1").encode()),
        rehash(text.replace("symmetries 1152", "symmetries 1").encode()),
        rehash(text.replace(" 3 pairs", " 03 pairs").encode()),
        rehash(text.replace(" pairs", " paris").encode()),
        rehash(text.replace("keys 0,6", "keys 0,0").encode()),
        rehash(text.replace("game 7^3", "game 7^4").encode()),
    ):
        verdict = verify(spoilt)
        assert not verdict.proved
        assert verdict.reason


def test_maker_breaker_and_positions() -> None:
    game = Game(f"{PLANNED}:convention=maker-breaker")
    plan = require(find_key_plan(game, keys=(0, 1)))
    assert plan.claim == "win"
    assert verify(plan_text(plan)).claim == f"player 2 wins {game} by a plan on 2 key cells"
    later = require(find_key_plan(Game(PLANNED).position("moves:5,0"), keys=(0, 1)))
    assert check_key_plan(later).proved
    assert later.statement.startswith(
        f"player 2 gets at least a draw in {later.game} from 2....1.."
    )
    assert b"\nposition 2....1..\n" in plan_text(later)


def test_no_plan_and_limits() -> None:
    assert find_key_plan("3^2") is None
    with pytest.raises(LimitError, match="within the limits"):
        find_key_plan("6^3", seconds=0.0)


def test_states_may_come_in_any_image() -> None:
    plan = seven()
    swapped = [
        (
            sum(1 << 24 - k for k, owner in enumerate(state.stones) if owner == 1),
            sum(1 << 24 - k for k, owner in enumerate(state.stones) if owner == 2),
            *(state.counted, (), (), state.pairs),
        )
        for state in plan.states
    ]
    assert listed(plan.game, 2, plan.keys, swapped) == plan
