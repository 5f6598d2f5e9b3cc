"""Stones off the keys in the checker of plans by lines, against the rules as they read."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from hyperoxo_research.proof import breaker_line_forms as forms
from hyperoxo_research.proof import breaker_line_stones as stones
from tests.hyperoxo_research.proof.breaker_line_cases import Case, cases, tabled
from tests.hyperoxo_research.proof.breaker_line_reference import Kind, LineRules, State


def kinds_of(case: Case) -> list[Kind]:
    """What must be answered, by the loops."""
    rules, state = case.rules, case.state
    kinds = [Kind(None)]
    for region, own in enumerate(rules.inside):
        if not own & case.live:
            continue
        hot = rules.undecided(state) & state.warm & own
        hot = sum(1 << at for at in rules.numbers(hot) if rules.room[at] <= state.p)
        for line in (None, *rules.numbers(hot)):
            event = -1 if line is None else case.bits_of(region, 1 << line).bit_length() - 1
            given = case.lines, case.regions, case.words[1], case.row, region, event
            found = stones.sets_to_answer(*given).tolist()
            assert found == sorted(set(found))
            assert max(found, default=0) < 1 << own.bit_count()
            kinds += [Kind(region, case.lines_of(region, some), line) for some in found]
    return kinds


@pytest.mark.more
def test_what_must_be_answered() -> None:
    events: Counter[bool] = Counter()
    for case in cases(12, 200)[::3]:
        told = kinds_of(case)
        assert sorted(map(str, told)) == sorted(map(str, case.rules.kinds_of_stones(case.state)))
        events.update(kind.event is not None for kind in told if kind.fuller)
    assert min(events.values()) > 30


@pytest.mark.more
def test_pairs_at_risk_and_when_replies_are_enough() -> None:
    rng = random.Random(12)
    found: Counter[tuple[bool, bool]] = Counter()
    risks: Counter[bool] = Counter()
    for case in cases(12, 320):
        rules, state = case.rules, case.state
        free = rules.keys & ~(state.maker | state.breaker)
        for kind in rules.kinds_of_stones(state):
            after = case.row_of(rules.after(state, kind))
            here = case.lines, case.regions, *case.words
            pairs = [tuple(pair) for pair in stones.pairs_at_risk(*here, after).tolist()]
            assert sorted(pairs) == sorted(rules.pairs_at_risk(state, kind))
            risks[bool(pairs)] += 1
            keys = free if kind.event is None else free & rules.lines[kind.event]
            replies = keys & rng.choice((keys, rng.randrange(1 << rules.width)))
            region = len(rules.regions) if kind.region is None else kind.region
            new = 0 if kind.region is None else case.bits_of(region, kind.fuller)
            event = -1
            if kind.event is not None:
                event = case.bits_of(region, 1 << kind.event).bit_length() - 1
            given = *here, np.uint64(replies), case.row, after, region, new, event
            said = stones.are_enough(*given)
            assert said == rules.enough(state, kind, replies)
            found[bool(said), kind.event is None] += 1
    assert min(found.values()) > 30
    assert len(found) == 4
    assert risks[True] > 100


@pytest.mark.more
def test_sets_at_risk_with_any_numbers() -> None:
    """Numbers, warm lines, replies and pairs that no state may have at once."""
    rng = random.Random(16)
    found: Counter[tuple[bool, bool]] = Counter()
    for case in cases(17, 240):
        rules, here = case.rules, (case.lines, case.regions, *case.words)
        for region, own in enumerate(rules.inside):
            live = case.live & own
            for _ in range(12 if live else 0):
                z = tuple(rng.randint(0, 3) for _ in rules.regions)
                warm, new = (rng.randrange(1 << len(rules.lines)) & live for _ in range(2))
                state = case.state._replace(
                    p=rng.choice((0, 1, 1, 2, 2, 3, 4, 6, 8)), z=z, warm=warm
                )
                free = rules.keys & ~(state.maker | state.breaker)
                replies = free & rng.randrange(1 << rules.width)
                pairs = rules.crossings[:1] if rng.random() < 0.3 else []
                late = sum(1 << at for at in rules.numbers(own) if rules.room[at] > state.p)
                meeting = new | warm & (rules.decided(state.maker, state.breaker) | late)
                unhit = sum(1 << at for at, line in enumerate(rules.lines) if not line & replies)
                live_blocks = rules.live_blocks(state.breaker)
                danger = [one for one in live_blocks if rng.random() < 0.3]
                expected = all(
                    not (some & unhit == some and lacks < bool(meeting & some))
                    and all(rules.spare[some | 1 << a | 1 << b] >= state.p for a, b in pairs)
                    and not any(
                        rules.block_spare(one, state.maker) + rules.spare[some] + 1 - both
                        <= state.p
                        for one in danger
                        for both in (rules.common(one, some),)
                    )
                    for some, lacks in rules.sets_at_risk(state, region)
                )
                row, bits = case.row_of(state), case.bits_of(region, new)
                listed = np.array(pairs, np.int64).reshape(-1, 2)
                numbers = np.array([rules.blocks.index(one) for one in danger], np.int64)
                given = *here, np.uint64(replies), row, region, bits, listed, numbers
                assert bool(stones.sets_are_met(*given)) == expected
                found[expected, bool(pairs)] += 1
    assert min(found.values()) > 100
    assert len(found) == 4


@pytest.mark.more
def test_lines_of_regions_and_what_they_share() -> None:
    for case in cases(12, 200)[::8]:
        rules, state, here = case.rules, case.state, (case.lines, case.regions)
        for region, own in enumerate(rules.inside):
            live = rules.undecided(state) & own
            found = stones.undecided_in(*here, *case.words, region)
            assert found == case.bits_of(region, live)
            replies = 1 | 1 << rules.width - 1
            hit = sum(1 << at for at in rules.numbers(own) if rules.lines[at] & replies)
            found = stones.hit_by(*here, np.uint64(replies), region)
            assert found == case.bits_of(region, hit)
            for poor, rich in rules.crossings:
                some = hit | 1 << poor | 1 << rich
                given = *here, region, case.bits_of(region, hit), np.array([[poor, rich]])
                assert stones.spare_with_pairs(*given, -1, rules.spare[some])
                assert not stones.spare_with_pairs(*given, -1, rules.spare[some] + 1)
            pairs = np.array(rules.crossings, np.int64).reshape(-1, 2)
            for but in {-1, *pairs[:, 1].tolist()}:
                least = min(
                    (
                        rules.spare[hit | 1 << poor | 1 << rich]
                        for poor, rich in rules.crossings
                        if rich != but
                    ),
                    default=99,
                )
                but_one = *here, region, case.bits_of(region, hit), pairs, but
                assert stones.spare_with_pairs(*but_one, least)
                assert least == 99 or not stones.spare_with_pairs(*but_one, least + 1)
        for one in range(len(rules.lines)):
            for two in range(len(rules.lines)):
                shared = rules.lines[one] & rules.lines[two] & rules.others
                assert stones.shared_off(*here, one, two) == shared.bit_count()


def test_lines_that_a_stone_may_make_full() -> None:
    """Lines of any length, which share cells or not, and one that is full beside them."""
    rng, told = random.Random(15), Counter[tuple[bool, bool]]()
    for _ in range(150):
        rows = [[*rng.sample(range(3, 13), rng.randint(2, 8)), key] for key in range(3)]
        drawn = LineRules(tuple(sum(1 << cell for cell in row) for row in rows), 3, 13)
        rules, tables = tabled(drawn)
        case = Case(rules, tables, State(0, 0, 0, (0,) * len(rules.regions), 0))
        for region, own in enumerate(rules.inside):
            for many in range(4):
                z = tuple(many if at == region else 0 for at in range(len(rules.regions)))
                some = rng.randrange(8) & own
                full = rng.choice([None, *rules.numbers(own & ~some)])
                state = case.state._replace(z=z)
                bit = -1 if full is None else case.bits_of(region, 1 << full).bit_length() - 1
                given = case.lines, case.regions, region, many, case.bits_of(region, some), bit
                found = stones.may_be_full(*given)
                assert found is rules.possible(state, some, full)
                told[found, full is None] += 1
    assert min(told.values()) > 50


def test_a_region_of_few_lines_has_no_others() -> None:
    """The second region has a line less than the first, and the last line is one of its lines."""
    rows = ("0+2+3+4", "0+3+5+6", "1+7+8+9")
    drawn = LineRules(tuple(sum(1 << int(cell) for cell in row.split("+")) for row in rows), 2, 10)
    rules, tables = tabled(drawn)
    case = Case(rules, tables, State(0, 0, 0, (0, 0), 0))
    here = case.lines, case.regions
    assert rules.home == [0, 0, 1]
    for region, lines in enumerate((3, 1)):
        assert stones.undecided_in(*here, *case.words, region) == lines
        assert stones.hit_by(*here, np.uint64(3), region) == lines
        assert forms.live_in(*here, case.words[1], region) == lines
