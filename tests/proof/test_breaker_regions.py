"""Plans by regions: the rules against brute force, the search and the checker against the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from hyperoxo.proof import BreakerPlan, check_breaker, plan_text, read_plan, verify
from hyperoxo.proof.breaker_play import PlanPlay
from hyperoxo.rules import Game
from hyperoxo.solvers.draws.breaker import BreakerSearch, breaker_plan
from hyperoxo.task import Task
from tests.proof.breaker_reference import bits
from tests.proof.breaker_region_reference import (
    WITH_INNER_STATES,
    Counts,
    RegionRules,
    allow,
    changed,
    crossing_rules,
    random_region_rules,
    some_state,
)
from tests.proof.spoiling import raw_mutants
from tests.proof.test_breaker import drawn_position, stones_of
from tests.proof.test_file import rehash


def counts(broken: str, states: int, seed: int) -> tuple[int, int, int]:
    """Return states that are won and no leaves, placements tried, and those that Maker wins."""
    rng = random.Random(seed)
    inner = tried = lost = 0
    for _ in range(states):
        rules = random_region_rules(rng, broken)
        maker, breaker = stones_of(rules, rng)
        drawn = [0] * (len(rules.regions) + 1)
        for _ in range(rng.randint(0, 4)):
            drawn[rng.randrange(len(drawn))] += 1
        given = rules.normal(maker, breaker, tuple(drawn))
        if rules.wins(maker, breaker, given):
            inner += not rules.settles(maker, breaker, given)
            for stones in rules.spread(maker, breaker, given):
                tried += 1
                lost += rules.refuted(maker, breaker, stones)
    return inner, tried, lost


def test_what_the_rules_call_won_is_won() -> None:
    inner, tried, lost = counts("", 500, seed=1)
    assert inner > 0
    assert tried > 200
    assert lost == 0


def visited(rules: RegionRules, rng: random.Random) -> Iterator[tuple[int, int, Counts]]:
    """Give the states that are won and met on the way to two states, if stones can lie there."""
    for _ in range(2):
        root = some_state(rules, rng)
        if any(True for _ in rules.spread(*root)):
            rules.wins(*root)
    yield from [state for state, won in rules.known.items() if won]


def test_states_that_are_not_settled_by_pairs() -> None:
    """Boards made on purpose: several regions and keys, and poor lines that cross."""
    rng = random.Random(11)
    boards = [RegionRules(*given) for given in WITH_INNER_STATES]
    inner = counted = several = tried = 0
    for _ in range(2_200):
        rules = changed(rng.choice(boards), rng)
        fruitful = False
        for state in visited(rules, rng):
            stones = [] if rules.settles(*state) else list(rules.spread(*state))
            inner += bool(stones)
            counted += bool(stones) and sum(state[2]) > 0
            opened = sum(map(bool, rules.places(*state[:2])[:-1]))
            several += bool(stones) and opened > 1
            fruitful |= bool(stones) and sum(state[2]) > 0 and opened > 1
            tried += len(stones)
            assert not any(rules.refuted(*state[:2], one) for one in stones)
        if fruitful:
            boards.append(rules)
    assert inner > 300
    assert counted > 150
    assert several > 200
    assert tried > 700


@pytest.mark.parametrize("broken", ["pairs", "survivors", "first", "second", "third", "1"])
def test_brute_force_refutes_broken_rules(broken: str) -> None:
    rng = random.Random(1)
    for _ in range(8_000):
        rules = crossing_rules(rng, broken)
        for state in visited(rules, rng):
            if any(rules.refuted(*state[:2], one) for one in rules.spread(*state)):
                return
    raise AssertionError(f"nothing speaks against a rule without {broken}")


def stones_met(broken: str, states: int) -> tuple[int, int]:
    """Return how many stones are met by replies, and how many of them leave invariants broken.

    These are all stones that may come in random states, with all those that may lie there.
    """
    rng = random.Random(13)
    tried = failed = 0
    for _ in range(states):
        rules = crossing_rules(rng, broken)
        maker, breaker = stones_of(rules, rng)
        raw = [rng.choice((0, 0, 1, 2)) for _ in range(len(rules.regions) + 1)]
        given = rules.normal(maker, breaker, tuple(raw))
        free = rules.keys & ~(maker | breaker)
        replies = rng.choice((free, rng.randrange(1 << rules.width) & free))
        before = list(rules.spread(maker, breaker, given))
        after = [rules.needed(maker, breaker | key) for key in bits(replies)]
        for region, cells in enumerate(rules.places(maker, breaker)):
            if not cells or not rules.meets(maker, breaker, replies, given, region):
                continue
            for stones in before:
                for stone in bits(cells & ~stones & ~rules.tight(maker, breaker, stones)):
                    tried += 1
                    failed += not any(allow(needed, stones | stone) for needed in after)
    return tried, failed


def test_replies_restore_the_invariants() -> None:
    tried, failed = stones_met("", 3_000)
    assert tried > 8_000
    assert failed == 0


@pytest.mark.parametrize("broken", ["1", "2", "3", "4", "5", "6", "replies"])
def test_without_a_condition_replies_do_not_restore_them(broken: str) -> None:
    assert stones_met(broken, 3_000)[1] > 0


@pytest.mark.slow
def test_what_the_rules_call_won_is_won_at_length() -> None:
    inner, tried, lost = counts("", 8_000, seed=3)
    assert inner > 5
    assert tried > 4_000
    assert lost == 0


def test_the_search_and_the_checker_keep_to_the_rules() -> None:
    rng = random.Random(5)
    found: Counter[bool] = Counter()
    by_regions = 0
    for _ in range(120):
        rules = random_region_rules(rng)
        position = drawn_position(rules, rng)
        if position.is_over:
            continue
        mine, theirs = (
            sum(1 << c for c, owner in enumerate(position.owners) if owner == player)
            for player in (1, 2)
        )
        off = theirs & rules.others
        lines = tuple(one for one in rules.lines if not one & off)
        left = RegionRules(lines, rules.width, rules.cells)
        maker, breaker, stones = mine & left.keys, theirs & left.keys, mine & left.others
        places = left.places(maker, breaker)
        given = tuple((stones & cells).bit_count() for cells in places)
        allowed = stones in left.spread(maker, breaker, given)
        expected = allowed and left.wins(maker, breaker, given)
        search = BreakerSearch(position, tuple(range(rules.width)), by_regions=True)
        won = search.run(Task())
        # The search may ask more than the rules do, never less.
        assert expected or not won
        found[bool(won)] += 1
        if won:
            plan = search.plan()
            assert check_breaker(plan).proved, check_breaker(plan)
            assert not left.refuted(maker, breaker, stones)
            assert plan == read_plan(plan_text(plan))
            by_regions += plan.by_regions
    assert min(found.values()) > 10
    assert by_regions > 10


@cache
def seven() -> BreakerPlan:
    plan = breaker_plan("7^3", by_regions=True)
    assert plan is not None
    return plan


def test_seven_cubed() -> None:
    plan = seven()
    assert plan.by_regions
    assert {len(state.regions) for state in plan.states} == {3}
    data = plan_text(plan, creator="a test")
    verdict = verify(data)
    assert verdict.proved, verdict
    assert verdict.claim == "player 2 gets at least a draw in 7^3 by a plan on 25 key cells"
    assert verdict.positions == len(plan.states) < 600
    assert read_plan(data) == plan


def test_a_position_of_six_cubed() -> None:
    moves = "moves:31,35,34,43,60,64,91,92,155,123,8,151"
    plan = breaker_plan(Game("6^3").position(moves), by_regions=True)
    assert plan is not None
    assert {sum(state.regions) + state.counted for state in plan.states} == {6, 7, 8}
    verdict = check_breaker(plan)
    assert verdict.proved, verdict
    assert verdict.positions == len(plan.states) < 300


def test_a_state_taken_away_or_changed() -> None:
    plan, rng = seven(), random.Random(7)
    states = plan.states
    for at in [0, *rng.sample(range(len(states)), 3)]:
        # All answers that are listed are asked for, so that one may be more than needed.
        spoilt = check_breaker(replace(plan, states=states[:at] + states[at + 1 :]))
        assert spoilt.reason or at
    for at in rng.sample(range(1, len(states)), 3):
        one = states[at]
        for other in (
            one._replace(counted=one.counted + 9),
            one._replace(regions=(one.regions[0] + 9, *one.regions[1:])),
            one._replace(regions=one.regions[:-1]),
            one._replace(regions=()),
            one._replace(stones=bytes([2 - one.stones[0]]) + one.stones[1:]),
        ):
            spoilt = check_breaker(replace(plan, states=(*states[:at], other, *states[at + 1 :])))
            assert not spoilt.proved
            assert spoilt.reason


def test_every_raw_mutant_is_rejected() -> None:
    plan = breaker_plan("6{0+1+2/2+3+4}", keys=(2,), by_regions=True)
    assert plan is not None
    assert plan.by_regions
    data = plan_text(plan)
    assert verify(data).proved
    rng = random.Random(9)
    mutants = [one for one in raw_mutants(data) if one != data]
    for mutant in rng.sample(mutants, 400):
        assert not verify(mutant).proved, mutant


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"\n. 0,0,0 pairs\n", b"\n. 0 pairs\n", ""),
        (b"\n. 0,0,0 pairs\n", b"\n. 0,0,0,0 pairs\n", "counted in 2 regions and elsewhere"),
        (b"\n. 0,0,0 pairs\n", b"\n. 0,0,1 pairs\n", "the state where it begins is not listed"),
        (b"\n. 0,0,0 pairs\n", b"\n. 0,0,201 pairs\n", "201 stones cannot be counted"),
        (b"\n. 0,0,0 pairs\n", b"\n. 0,,0 pairs\n", "the number of counted stones"),
        (b"\n. 0,0,0 pairs\n", b"\n. 0,0,0\n", "has no answer"),
        (b"\n. 0,0,0 pairs\n", b"\n. 0,0,0 pairs\n. 0,0,1 pairs\n", ""),
    ],
)
def test_files_that_make_no_sense(old: bytes, new: bytes, said: str) -> None:
    plan = breaker_plan("6{0+1+2/2+3+4}", keys=(2,), by_regions=True)
    assert plan is not None
    text = plan_text(plan)
    assert old in text
    verdict = verify(rehash(text.replace(old, new)))
    if said:
        assert not verdict.proved
        assert said in verdict.reason
    elif b",1" in new:
        assert not verdict.proved
    else:
        # Without regions it is a plan by the simpler rules.
        assert verdict.proved


def test_without_rich_lines_the_plan_is_one_without_regions() -> None:
    for keys in ((0, 1, 2), (5,)):
        plan = breaker_plan("6{0+1+2/3+4}", keys=keys, by_regions=True)
        assert plan == breaker_plan("6{0+1+2/3+4}", keys=keys)
        if plan is not None:
            assert not plan.by_regions
            assert check_breaker(plan).proved


def test_games_on_the_board() -> None:
    plan, rng = seven(), random.Random(3)
    play = PlanPlay(plan)
    cells = plan.game.board.cell_count
    for _ in range(4):
        books, free = play.begin(), set(range(cells))
        mine: set[int] = set()
        while books.partners is None:
            off = rng.random() < 0.7
            choices = [c for c in free if (c not in plan.keys) == off] or sorted(free)
            cell = rng.choice(sorted(choices))
            free.discard(cell)
            mine.add(cell)
            answer, books = play.answer(books, cell)
            assert answer in free
            free.discard(answer)
            assert books.partners is not None or play.invariants_hold(books)
        live = [set(row) for row in play.tables.rows]
        taken = set(range(cells)) - free - mine
        for line in live:
            held = line & free
            paired = any(books.partners.get(c) in line for c in held)
            assert line & taken or paired
