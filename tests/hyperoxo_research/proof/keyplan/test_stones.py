"""Rule *stones elsewhere* by lines, against the rules as they read."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from hyperoxo_research.proof.keyplan import stones
from tests.hyperoxo_research.proof.keyplan.cases import Case, cases, tabled
from tests.hyperoxo_research.proof.keyplan.line_rules import Kind, LineRules, State


def bit_of(case: Case, region: int, line: int | None) -> int:
    """The bit of a line among those of its region, or -1."""
    return -1 if line is None else case.bits_of(region, 1 << line).bit_length() - 1


def stone_of(case: Case, kind: Kind) -> stones.Stone:
    """A stone as the loops take it."""
    if kind.region is None:
        return stones.Stone(len(case.rules.regions), 0, -1)
    new = case.bits_of(kind.region, kind.fuller)
    return stones.Stone(kind.region, new, bit_of(case, kind.region, kind.event))


def kinds_of(case: Case) -> list[Kind]:
    """Return the stones that must be answered, by the loops."""
    rules, state = case.rules, case.state
    kinds = [Kind(None)]
    for region, own in enumerate(rules.inside):
        if not own & case.live:
            continue
        hot = rules.undecided(state) & state.warm & own
        hot = sum(1 << at for at in rules.numbers(hot) if rules.room[at] <= state.p)
        for line in (None, *rules.numbers(hot)):
            event = bit_of(case, region, line)
            found = stones.sets_to_answer(case.board, case.at, region, event).tolist()
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
            stone = stone_of(case, kind)
            after = case.at._replace(row=stones.row_after(case.board, case.at.row, stone))
            # The state after it, but for what dies with the reply.
            assert after.row.tolist() == case.at_state(rules.after(state, kind)).row.tolist()
            pairs = [tuple(pair) for pair in stones.pairs_at_risk(case.board, after).tolist()]
            assert sorted(pairs) == sorted(rules.pairs_at_risk(state, kind))
            risks[bool(pairs)] += 1
            keys = free if kind.event is None else free & rules.lines[kind.event]
            replies = keys & rng.choice((keys, rng.randrange(1 << rules.width)))
            said = stones.are_enough(case.board, case.at, stone, np.uint64(replies))
            assert said == rules.enough(state, kind, replies)
            found[bool(said), kind.event is None] += 1
    assert min(found.values()) > 30
    assert len(found) == 4
    assert risks[True] > 100


@pytest.mark.more
def test_sets_at_risk_with_any_numbers() -> None:
    """Numbers, warm lines, replies and pairs that no state may have at once."""
    rng = random.Random(16)
    found: Counter[tuple[str, bool]] = Counter()
    for case in cases(17, 240):
        rules, board = case.rules, case.board
        for region, own in enumerate(rules.inside):
            live = case.live & own
            for _ in range(12 if live else 0):
                z = tuple(rng.randint(0, 3) for _ in rules.regions)
                warm, new = (rng.randrange(1 << len(rules.lines)) & live for _ in range(2))
                p = rng.choice((0, 1, 1, 2, 2, 3, 4, 6, 8))
                state = case.state._replace(p=p, z=z, warm=warm)
                at, risky = case.at_state(state), rules.sets_at_risk(state, region)
                sets = stones.sets_at_risk(board, at, region)
                assert {case.lines_of(region, some) for some in sets.tolist()} == {
                    some for some, _ in risky
                }
                # 1. Those that replies must hit.
                free = rules.keys & ~(state.maker | state.breaker)
                replies = free & rng.randrange(1 << rules.width)
                late = sum(1 << at for at in rules.numbers(own) if rules.room[at] > state.p)
                meeting = new | warm & (rules.decided(state.maker, state.breaker) | late)
                unhit = sum(1 << at for at, line in enumerate(rules.lines) if not line & replies)
                expected = not any(
                    some & unhit == some and lacks < bool(meeting & some) for some, lacks in risky
                )
                stone = stones.Stone(region, case.bits_of(region, new), -1)
                hit = stones.are_sets_hit(board, at, stone, np.uint64(replies), sets)
                assert hit == expected
                found["hit", expected] += 1
                # 2. With a pair, which may be left out in an event.
                pairs = rng.sample(rules.crossings, min(2, len(rules.crossings)))
                but = rng.choice([-1, *(rich for _, rich in pairs)])
                expected = all(
                    rules.spare[some | 1 << a | 1 << b] >= p
                    for some, _ in risky
                    for a, b in pairs
                    if b != but
                )
                listed = np.array(pairs, np.int64).reshape(-1, 2)
                apart = stones.are_pairs_apart(board, region, sets, listed, but, p)
                assert apart == expected
                found["apart", expected] += 1
    assert min(found.values()) > 100
    assert len(found) == 4


@pytest.mark.more
def test_keys_that_hit_pairs_and_blocks() -> None:
    found: Counter[tuple[str, bool]] = Counter()
    rng = random.Random(18)
    for case in cases(18, 120):
        rules, board = case.rules, case.board
        replies = rng.randrange(1 << rules.width)
        for pair in rules.crossings:
            hit = stones.are_pairs_hit(board, np.uint64(replies), np.array([pair]))
            assert hit == bool(rules.lines[pair[1]] & replies)
            found["pair", hit] += 1
        for at, block in enumerate(rules.blocks):
            hit = stones.are_blocks_hit(board, np.uint64(replies), np.array([at]))
            assert hit == bool(rules.union[block] & replies)
            found["block", hit] += 1
    assert min(found.values()) > 10
    assert len(found) == 4


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
                given = case.bits_of(region, some), bit_of(case, region, full)
                found = stones.is_possible(case.board, region, many, *given)
                assert found is rules.possible(state, some, full)
                told[found, full is None] += 1
    assert min(told.values()) > 50
