"""Plans by lines: what the checker's loops say of states agrees with the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hyperoxo.proof import breaker_line_forms as forms
from hyperoxo.proof import breaker_line_loops as sets
from hyperoxo.proof import breaker_line_stones as stones
from hyperoxo.proof.breaker_check import tables_of
from hyperoxo.proof.breaker_lines import LineTables
from hyperoxo.rules import Game
from tests.proof.breaker_line_reference import Kind, LineRules, State, crossing_line_rules
from tests.proof.breaker_reference import RICH, bits, random_rules
from tests.proof.test_breaker_loops import spec_of


class Case:
    """Rules for random lines, and the same lines as the checker has them."""

    def __init__(self, rng: random.Random) -> None:
        made = crossing_line_rules(rng) if rng.random() < 0.3 else random_rules(rng)
        self.rules = LineRules(made.lines, made.width, made.cells)
        tables = tables_of(Game(spec_of(made)).start(), 1, tuple(range(made.width)))
        self.made = LineTables(tables)
        self.lines, self.regions = tables.lines, self.made.regions
        self.room = tables.room()
        self.line = [
            self.rules.lines.index(sum(1 << cell for cell in row)) for row in tables.rows
        ]
        assert [set(cells) for cells in self.made.cells] == [
            {x.bit_length() - 1 for x in bits(cells)} for cells in self.rules.regions
        ]

    def theirs(self, region: int, some: int) -> int:
        """Return some lines of a region as the rules number them."""
        row = self.regions.members[region]
        return sum(1 << self.line[line] for at, line in enumerate(row) if some >> at & 1)

    def row(self, state: State) -> NDArray[np.int64]:
        """Return the row of a state."""
        warm = [at for at, line in enumerate(self.line) if state.warm >> line & 1]
        return self.made.row(state.p, state.z, warm)

    def some_state(self, rng: random.Random) -> State:
        """Return a random state in normal form."""
        rules, maker, breaker = self.rules, 0, 0
        for key in bits(rules.keys):
            drawn = rng.random()
            maker |= key if drawn < 0.35 else 0
            breaker |= key if drawn > 0.7 else 0
        z = tuple(rng.choice((0, 1, 2, 3, 3)) for _ in rules.regions)
        warm = rng.randrange(1 << len(rules.lines)) & rules.rich
        return rules.normal(State(maker, breaker, sum(z) + rng.randint(0, 2), z, warm))


def cases(count: int, seed: int) -> Iterator[tuple[Case, State, random.Random]]:
    rng = random.Random(seed)
    while count:
        case = Case(rng)
        if case.rules.regions and max(map(int.bit_count, case.rules.inside)) <= 6:
            count -= 1
            for _ in range(4):
                yield case, case.some_state(rng), rng


def words(state: State) -> tuple[np.uint64, np.uint64]:
    """Return Maker's keys and Breaker's."""
    return np.uint64(state.maker), np.uint64(state.breaker)


def test_leaves_and_decided_lines() -> None:
    found: Counter[tuple[str, bool, bool]] = Counter()
    for case, state, rng in cases(150, 1):
        rules, row = case.rules, case.row(state)
        given = case.lines, case.regions
        told = sets.pairs_hold(*given, *words(state), row, case.room)
        found["leaf", bool(told), rules.settles(state)] += 1
        if taken := list(bits(state.maker)):
            earlier = state.maker & ~rng.choice(taken)
            now = rules.decided(state.maker, state.breaker)
            then = rules.decided(earlier, state.breaker)
            keys = np.uint64(earlier), *words(state)
            told = sets.decided_hold(*given, *keys, row, case.room)
            fine = now == then or rules.passes(state, now, then & now)
            found["decided", bool(told), fine] += 1
    # It may refuse what the rules do not, never the other way round.
    for which in ("leaf", "decided"):
        assert found[which, True, False] == 0
        assert found[which, True, True] > 20
        assert found[which, False, False] > 5


def kinds_of(case: Case, state: State) -> dict[Kind, tuple[int, int, int]]:
    """Return the stones that the checker wants answered, each with region, new lines and event."""
    row, found = case.row(state), {Kind(None): (len(case.made.cells), 0, -1)}
    for region, inside in enumerate(case.rules.inside):
        if not inside & case.rules.of(RICH, state.breaker):
            continue
        given = case.lines, case.regions, np.uint64(state.breaker), row, region
        danger = stones.undecided_in(case.lines, case.regions, *words(state), region)
        warm = row[1 + len(case.made.cells) + region]
        for event in (-1, *(at for at in range(6) if danger & warm & 1 << at)):
            line = None if event < 0 else case.line[case.regions.members[region, event]]
            for new in stones.sets_to_answer(*given, event).tolist():
                found[Kind(region, case.theirs(region, new), line)] = region, new, event
    return found


def test_stones_and_when_replies_are_enough() -> None:
    found: Counter[tuple[bool, bool]] = Counter()
    at_risk = 0
    for case, state, rng in cases(250, 2):
        rules, row = case.rules, case.row(state)
        told = kinds_of(case, state)
        assert sorted(map(str, told)) == sorted(map(str, rules.kinds_of_stones(state)))
        free = rules.keys & ~(state.maker | state.breaker)
        for kind, (region, new, event) in told.items():
            after = case.row(rules.after(state, kind))
            wanted = {(one, two) for one, two in rules.pairs_at_risk(state, kind)}
            given = case.lines, case.regions, *words(state)
            pairs = stones.pairs_at_risk(*given, after).tolist()
            assert {(case.line[one], case.line[two]) for one, two in pairs} == wanted
            at_risk += len(pairs)
            keys = free if kind.event is None else free & rules.lines[kind.event]
            replies = keys & rng.choice((keys, rng.randrange(1 << rules.width)))
            said = stones.are_enough(*given, np.uint64(replies), row, after, region, new, event)
            assert bool(said) == rules.enough(state, kind, replies)
            found[bool(said), kind.event is None] += 1
    assert min(found.values()) > 30
    assert len(found) == 4
    assert at_risk > 100


def test_normal_form_and_the_beginning() -> None:
    for case, state, rng in cases(60, 3):
        rules = case.rules
        raw = State(state.maker, state.breaker, state.p, tuple(3 for _ in state.z), rules.rich)
        row = case.row(raw)
        forms.make_normal(case.lines, case.regions, np.uint64(state.breaker), row)
        assert row.tolist() == case.row(rules.normal(raw)).tolist()
        assert case.regions.least == min(rules.u, 10_000)
        off = list(bits(rules.others))
        taken = rng.sample(off, rng.randint(0, min(4, len(off))))
        cells = [x.bit_length() - 1 for x in taken]
        holds = case.made.pairs_have_room(state.breaker, cells)
        live = rules.of(RICH, state.breaker)
        free = rules.others & ~sum(taken)
        expected = len(cells) > rules.u + 1 or all(
            ((rules.lines[one] | rules.lines[two]) & free).bit_count() >= 4
            for one, two in rules.crossings
            if live >> two & 1
        )
        assert holds == expected
        full = {case.line[line] for line in case.made.full(state.breaker, cells)}
        bears = {line: (rules.lines[line] & sum(taken)).bit_count() for line in rules.numbers(live)}
        assert full == {line for line, many in bears.items() if many >= rules.room[line]}
