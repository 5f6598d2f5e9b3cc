"""The loops of the checker of plans by regions, each by itself, against the rules as they read."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from hyperoxo.proof import breaker_loops as loops
from hyperoxo.proof import breaker_region_forms as forms
from hyperoxo.proof import breaker_region_loops as by_region
from hyperoxo.proof.breaker import BreakerPlan, check_breaker
from hyperoxo.proof.breaker_check import Tables
from hyperoxo.proof.breaker_regions import RegionTables, listed_by_regions
from hyperoxo.rules import Game
from tests.proof.breaker_reference import POOR, RICH
from tests.proof.breaker_region_reference import (
    WITH_INNER_STATES,
    Counts,
    RegionRules,
    changed,
    crossing_rules,
    random_region_rules,
)
from tests.proof.test_breaker import stones_of
from tests.proof.test_breaker_loops import spec_of


class Case(NamedTuple):
    """Rules with their lines in the order of the board's, and a state of theirs."""

    rules: RegionRules
    tables: Tables
    made: RegionTables
    maker: int
    breaker: int
    counts: Counts

    @property
    def here(self) -> tuple[loops.PlanLines, forms.Regions, np.uint64, np.uint64]:
        """The state as the loops take it."""
        words = np.uint64(self.maker), np.uint64(self.breaker)
        return (self.tables.lines, self.made.regions, *words)

    @property
    def places(self) -> list[int]:
        """The cells of each place."""
        return self.rules.places(self.maker, self.breaker)

    @property
    def opened(self) -> forms.Flags:
        """Which regions are open."""
        return forms.open_ones(*self.here)

    @property
    def numbers(self) -> loops.Longs:
        """The counts as the loops take them."""
        return np.array(self.counts, np.int64)

    def flags(self, chosen: int) -> forms.Flags:
        """A set of lines as the loops take it."""
        return np.array([chosen >> at & 1 for at in range(len(self.rules.lines))], np.bool_)


@cache
def cases(seed: int, boards: int, states: int = 4) -> tuple[Case, ...]:
    """States of random boards, of those with inner states among them."""
    rng = random.Random(seed)
    found = []
    for number in range(boards):
        if number % 3 == 0:
            drawn = changed(RegionRules(*rng.choice(WITH_INNER_STATES)), rng)
        else:
            drawn = (crossing_rules, random_region_rules)[number % 3 - 1](rng)
        tables = Tables(Game(spec_of(drawn)).start(), 1, tuple(range(drawn.width)))
        rows = tuple(sum(1 << cell for cell in row) for row in tables.rows)
        rules, made = RegionRules(rows, drawn.width, drawn.cells), RegionTables(tables)
        for _ in range(states):
            maker, breaker = stones_of(rules, rng)
            raw = tuple(rng.choice((0, 0, 1, 2)) for _ in range(len(rules.regions) + 1))
            given = rules.normal(maker, breaker, raw)
            found.append(Case(rules, tables, made, maker, breaker, given))
    return tuple(found)


def test_regions_and_the_forms_of_counts() -> None:
    rng = random.Random(1)
    for case in cases(1, 12):
        rules, regions = case.rules, case.made.regions
        assert [sum(1 << cell for cell in group) for group in case.made.cells] == rules.regions
        count = len(rules.regions)
        for cell in range(rules.cells):
            inside = [at for at, cells in enumerate(rules.regions) if cells >> cell & 1]
            expected = -1 if cell < rules.width else inside[0] if inside else count
            assert regions.of_cell[cell] == expected
        for at, kind in enumerate(rules.kinds):
            assert regions.of_line[at] == (rules.home(at) if kind == RICH else -1)
        assert case.opened.tolist() == [*(cells > 0 for cells in case.places[:-1]), True]
        raw = tuple(rng.randrange(4) for _ in range(count + 1))
        numbers = forms.normal(case.opened, np.array(raw, np.int64))
        assert tuple(numbers.tolist()) == rules.normal(case.maker, case.breaker, raw)
        for region in range(count + 1):
            place = forms.place_of(case.opened, region)
            assert place == (region if case.opened[region] else count)
        stones = [cell for cell in range(rules.width, rules.cells) if rng.random() < 0.5]
        expected_counts = [0] * (count + 1)
        for cell in stones:
            expected_counts[int(regions.of_cell[cell])] += 1
        assert case.made.counts(stones).tolist() == expected_counts


def test_sets_of_lines_and_the_stones_on_them() -> None:
    rng, one_bound = random.Random(2), 0
    for case in cases(2, 60, 2):
        rules, lines, regions = case.rules, case.tables.lines, case.made.regions
        live = sum(rules.of(kind, case.breaker) for kind in (POOR, RICH))
        raw = tuple(rng.randrange(5) for _ in case.counts)
        counts = rules.normal(case.maker, case.breaker, raw)
        numbers = np.array(counts, np.int64)
        for chosen in rng.sample(list(rules.subsets(live)), min(4, 2 ** live.bit_count() - 1)):
            flags, but = case.flags(chosen), rng.choice([-1, *rules.numbers(chosen)])
            for kind in (-1, POOR, RICH):
                rows = [
                    at
                    for at in rules.numbers(chosen)
                    if kind in (-1, rules.kinds[at]) and at != but
                ]
                cells = by_region.cells_of(lines, regions, flags, kind, but)
                union = rules.union[sum(1 << at for at in rows)] & rules.others
                assert sum(1 << cell for cell in np.flatnonzero(cells).tolist()) == union
            every = by_region.cells_of(lines, regions, flags, -1, -1)
            rooms = by_region.rooms_of(regions, case.opened, every)
            off = rules.union[chosen] & rules.others
            assert rooms.tolist() == [(off & place).bit_count() for place in case.places]
            rich = chosen & rules.of(RICH, case.breaker)
            fewer = rich & ~(1 << but if but >= 0 else 0)
            given = lines, regions, case.opened, numbers, flags
            found = by_region.by_regions(*given, every, but)
            assert found == rules.stones(case.places, counts, off, fewer)
            bound = rules.bound(case.places, counts, chosen)
            assert by_region.most_stones(*given, -99) == bound
            for wanted in range(bound - 1, bound + 3):
                assert (by_region.most_stones(*given, wanted) <= wanted) == (bound <= wanted)
                one_bound += bound <= wanted
        for poor, line in rules.crossing(live):
            pair = 1 << poor | 1 << line
            assert by_region.pair_spare(lines, regions, poor, line) == rules.surplus(
                pair, rules.others
            )
            on, beside, off_cells, spares = by_region.poor_and_rich(
                lines, regions, case.opened, poor, line
            )
            one, two = rules.lines[poor], rules.lines[line] & rules.others
            assert on.tolist() == [(one & place).bit_count() for place in case.places]
            assert beside.tolist() == [(one & ~two & place).bit_count() for place in case.places]
            assert (off_cells, spares) == (two.bit_count(), (one | two).bit_count() - 4)
    assert one_bound > 300


def test_pairs_in_danger_and_what_else_a_stone_does() -> None:
    fates: Counter[tuple[str, bool]] = Counter()
    for case in cases(3, 90):
        rules, given = case.rules, (case.tables.lines, case.made.regions, case.opened)
        rich = rules.of(RICH, case.breaker)
        fit = all(rules.surplus(some, rules.others) >= 0 for some in rules.subsets(rich))
        undecided = rules.undecided(case.maker, case.breaker)
        for poor, line in rules.crossing((1 << len(rules.lines)) - 1):
            if line not in undecided:
                continue
            for region, cells in enumerate(case.places):
                if not cells:
                    continue
                after = tuple(count + (at == region) for at, count in enumerate(case.counts))
                danger = rules.endangered(case.places, after, region, poor, line)
                found = by_region.endangered(*given, np.array(after), region, poor, line)
                assert found == danger
                fates["danger", danger] += 1
                if fit:
                    state, stone = (case.breaker, case.counts), (region, poor, line)
                    alone = rules.alone(case.places, *state, *stone)
                    numbers, room = case.numbers, case.tables.room()
                    breaker = np.uint64(case.breaker)
                    assert by_region.alone(*given, numbers, breaker, *stone, room) == alone
                    fates["alone", alone] += 1
    assert min(fates.values()) > 20
    assert len(fates) == 4


def test_settled_states_and_stones_that_are_met() -> None:
    rng = random.Random(4)
    fates: Counter[tuple[str, bool, bool]] = Counter()
    for case in cases(4, 90):
        rules, here, room = case.rules, case.here, case.tables.room()
        held = by_region.pairs_hold(*here, case.numbers, room)
        settled = rules.settles(case.maker, case.breaker, case.counts)
        assert settled or not held
        fates["pairs", settled, bool(held)] += 1
        free = rules.keys & ~(case.maker | case.breaker)
        rich = rules.of(RICH, case.breaker)
        fit = all(rules.surplus(some, rules.others) >= 0 for some in rules.subsets(rich))
        for region, cells in enumerate(case.places):
            if not cells or not fit:
                continue
            replies = rng.randrange(1 << rules.width) & free
            met = by_region.stone_is_met(*here, np.uint64(replies), case.numbers, region, room)
            expected = rules.meets(case.maker, case.breaker, replies, case.counts, region)
            assert bool(met) == expected
            fates["stone", expected, bool(met)] += 1
    assert fates["pairs", True, True] > 40
    assert fates["pairs", False, False] > 40
    assert fates["pairs", True, False] < 5
    assert fates["stone", True, True] > 20
    assert fates["stone", False, False] > 20


def laid_out(rules: RegionRules) -> tuple[loops.PlanLines, forms.Regions]:
    """Lines in the order of the rules, as the loops take them."""
    rows = [[cell for cell in range(rules.cells) if line >> cell & 1] for line in rules.lines]
    homes = [rules.home(at) if kind == RICH else -1 for at, kind in enumerate(rules.kinds)]
    cells = [-1] * rules.width
    for cell in range(rules.width, rules.cells):
        inside = [at for at, region in enumerate(rules.regions) if region >> cell & 1]
        cells.append(inside[0] if inside else len(rules.regions))
    return (
        loops.PlanLines(
            np.cumsum([0, *map(len, rows)]),
            np.array([cell for row in rows for cell in row], np.int64),
            np.array(rules.kinds, np.int64),
            np.array([line & rules.keys for line in rules.lines], np.uint64),
            np.arange(rules.width),
        ),
        forms.Regions(
            np.array(homes, np.int64),
            np.array(cells, np.int64),
            np.arange(len(rules.regions)).reshape(1, -1),
        ),
    )


def largest_with(rules: RegionRules, live: int, free: int, fixed: int) -> tuple[int, int]:
    """The fewest spare cells of live lines with some, and all connected sets with as few."""
    sets = [some for some in rules.subsets(live) if some & fixed == fixed]
    least = min(rules.surplus(some, free) for some in sets)
    whole = 0
    for some in sets:
        if rules.surplus(some, free) == least and rules.connected(some, free):
            whole |= some
    return least, whole


def bears(rules: RegionRules, maker: int, breaker: int, counts: Counts, fixed: int) -> bool:
    """Whether each connected set with some lines is part of one that bears all stones."""
    free = (rules.keys | rules.others) & ~(maker | breaker)
    live = sum(rules.of(kind, breaker) for kind in (loops.MAIN, RICH, POOR))
    least, whole = largest_with(rules, live, free, fixed)
    if least >= sum(counts):
        return True
    if rules.bound(rules.places(maker, breaker), counts, whole) > least:
        return False
    return all(
        bears(rules, maker, breaker, counts, fixed | 1 << line)
        for line in rules.numbers(live & ~whole)
        if rules.lines[line] & rules.union[whole] & free
    )


@cache
def settled(seed: int, states: int) -> tuple[tuple[RegionRules, int, int, Counts], ...]:
    """States with counted stones where live lines have two cells each, the lines in any order."""
    rng = random.Random(seed)
    found: list[tuple[RegionRules, int, int, Counts]] = []
    while len(found) < states:
        if rng.random() < 0.5:
            drawn = changed(RegionRules(*rng.choice(WITH_INNER_STATES)), rng)
        else:
            drawn = crossing_rules(rng)
        lines = rng.sample(drawn.lines, len(drawn.lines))
        rules = RegionRules(tuple(lines), drawn.width, drawn.cells)
        maker, breaker = stones_of(rules, rng)
        raw = tuple(rng.choice((0, 0, 1, 1, 2)) for _ in range(len(rules.regions) + 1))
        given = rules.normal(maker, breaker, raw)
        free = (rules.keys | rules.others) & ~(maker | breaker)
        live = sum(rules.of(kind, breaker) for kind in (loops.MAIN, RICH, POOR))
        two = all(rules.surplus(some, free) >= 0 for some in rules.subsets(live))
        if two and any(given) and next(rules.crossing(live), None):
            found.append((rules, maker, breaker, given))
    return tuple(found)


def bearing(rules: RegionRules, maker: int, breaker: int, counts: Counts) -> list[bool]:
    """Look at each pair of lines that cross, then at all; return whether they bear the stones."""
    (lines, regions), room = laid_out(rules), loops.room_for(rules.cells)
    words, numbers = (np.uint64(maker), np.uint64(breaker)), np.array(counts, np.int64)
    flags = (lines.keys_on & words[1]) == 0
    opened = forms.open_ones(lines, regions, *words)
    found = []
    for poor, line in rules.crossing(sum(rules.of(kind, breaker) for kind in (RICH, POOR))):
        loops.close(lines, words[0] | words[1], room)
        assert loops.two_each(lines, flags, room)
        found.append(bears(rules, maker, breaker, counts, 1 << poor | 1 << line))
        given = lines, regions, opened, numbers, flags, poor, line
        assert by_region.sets_bear(*given, numbers.sum(), room) == found[-1]
    assert by_region.pairs_hold(lines, regions, *words, numbers, room) == all(found)
    assert rules.settles(maker, breaker, counts) or not all(found)
    return found


def test_every_pair_of_lines_that_cross_bears_all_stones() -> None:
    """In any order of lines: what begins with one pair, and what a leaf needs of all."""
    pairs: Counter[bool] = Counter()
    leaves: Counter[bool] = Counter()
    for state in settled(8, 300):
        found = bearing(*state)
        pairs.update(found)
        leaves[all(found)] += 1
    assert min(pairs[True], pairs[False], leaves[True], leaves[False]) > 40


# Lines in this order, how many keys there are, whether Maker has the first, the stones, and whether
# each pair bears them.
STEPS: dict[str, tuple[str, int, bool, Counts, list[bool]]] = {
    "the third line brings enough, the fourth too little": (
        "3+4+5/0+1+2+3/5+6+7+8+9/4+10+11+12", 1, True, (0, 3), [False],
    ),
    "they share cells": (
        "3+4+5/0+1+2+3/5+6+7+8+9+10/4+9+10+11", 1, True, (0, 3), [False],
    ),
    "the third line does not bring enough, but bears as many": (
        "4+5+6/0+2+3+4/6+7+8+9/5+10+11+12/1+10+13+14", 2, True, (0, 1, 2), [False, True],
    ),
    "the first line brings too little": (
        "4+10+11+12/3+4+5/0+1+2+3/5+6+7+8+9", 1, True, (0, 3), [False],
    ),
    "there is enough at once, and more with every line": (
        "3+4+5+6/0+1+2+3/6+7+8+9/9+10+11+12", 1, True, (0, 1), [True],
    ),
    "the first poor line has enough, the second has not": (
        "1+6+7+8+9+13+14/3+4+5/0+1+2+3/4+10+11+12", 1, True, (0, 3), [True, False],
    ),
    "two parts share a key that is taken": (
        "3+4+5/0+1+2+3/8+9+10/0+6+7+8", 1, True, (0, 0, 3), [True, True],
    ),
    "the rich line is not live": (
        "4+5+6/0+1+2+3+4/1+7+8+9/2+10+11+12/3+13+14+15", 1, False, (0, 8), [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("told", STEPS)
def test_lines_are_added_one_at_a_time(told: str) -> None:
    spelled, width, makers, counts, expected = STEPS[told]
    rows = tuple(sum(1 << int(cell) for cell in row.split("+")) for row in spelled.split("/"))
    rules = RegionRules(rows, width, 16)
    assert bearing(rules, int(makers), int(not makers), counts) == expected


def test_one_more_cell_and_the_largest_set_without() -> None:
    """Lines that ask hold one more cell where all sets with them have one to spare."""
    fates: Counter[int] = Counter()
    for case in cases(5, 400, 3):
        rules, lines, room = case.rules, case.tables.lines, case.tables.room()
        live = sum(rules.of(kind, case.breaker) for kind in (loops.MAIN, RICH, POOR))
        taken = case.maker | case.breaker
        free = (rules.keys | rules.others) & ~taken
        loops.close(lines, np.uint64(taken), room)
        if not loops.two_each(lines, case.flags(live), room):
            continue
        begun = room.holder.copy()
        for poor, line in rules.crossing(live):
            room.holder[:] = begun
            asking = 1 << poor | 1 << line
            sets = [some for some in rules.subsets(live) if some & asking == asking]
            least = min(rules.surplus(some, free) for some in sets)
            found = 0
            while by_region.seek(lines, case.flags(asking), room):
                found += 1
                held = [int(one) for one in room.holder if one >= 0]
                assert len(held) == 2 * live.bit_count() + found
                others = set(rules.numbers(live & ~asking))
                assert all(held.count(one) == 2 for one in others)
            assert found == least
            for cell, one in enumerate(room.holder.tolist()):
                assert (one == loops.CLOSED) == bool(taken >> cell & 1)
                assert one < 0 or rules.lines[one] >> cell & 1
            fates[found] += 1
            holds, reached = by_region.full_with(lines, case.flags(live), case.flags(asking), room)
            whole = sum(1 << at for at in np.flatnonzero(holds).tolist())
            full = [some for some in sets if rules.surplus(some, free) == least]
            parts = [some for some in full if rules.connected(some, free)]
            assert whole == sum({1 << at for some in parts for at in rules.numbers(some)})
            assert sum(1 << cell for cell in np.flatnonzero(reached).tolist()) == (
                rules.union[whole] & free
            )
    assert min(fates[count] for count in range(3)) > 60


def test_a_closed_cell_is_no_way_out_of_the_largest_set() -> None:
    """Three lines have six cells but for the taken keys; two others have some to spare."""
    made = Tables(Game("13{0+2+3/3+4+5/1+5+6+7/8+9+10/11+12}").start(), 1, (0, 1))
    names = [tuple(row) for row in made.rows]
    live, asking = np.ones(5, np.bool_), np.zeros(5, np.bool_)
    asking[[names.index((0, 2, 3)), names.index((3, 4, 5))]] = True
    room = made.room()
    loops.close(made.lines, np.uint64(3), room)
    assert loops.two_each(made.lines, live, room)
    assert not by_region.seek(made.lines, asking, room)
    holds, reached = by_region.full_with(made.lines, live, asking, room)
    found = {names[at] for at in np.flatnonzero(holds).tolist()}
    assert found == {(0, 2, 3), (3, 4, 5), (1, 5, 6, 7)}
    assert np.flatnonzero(reached).tolist() == [2, 3, 4, 5, 6, 7]


def test_forms_are_the_greatest_images_and_found_in_the_list() -> None:
    game = Game("9{0+3+4/1+5+6/2+7+8/3+5+7}")
    plan = BreakerPlan(game, 2, (0, 1, 2), ())
    made = RegionTables(plan.tables)
    table, regions = made.images, made.regions
    assert len(table) == 6
    rng = random.Random(6)
    rows: set[tuple[int, int, tuple[int, ...]]] = set()
    for _ in range(40):
        owners, given = [rng.randrange(3) for _ in range(3)], [rng.randrange(3) for _ in range(4)]
        images = []
        for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
            words = [
                sum(1 << to for at, to in enumerate(order) if owners[at] == player)
                for player in (1, 2)
            ]
            moved = [0, 0, 0, given[3]]
            for at, to in enumerate(order):
                moved[to] = given[at]
            images.append((words[0], words[1], tuple(moved)))
        one, two = (
            np.uint64(sum(1 << at for at, owner in enumerate(owners) if owner == player))
            for player in (1, 2)
        )
        first, second, third = forms.form_of(table, regions, one, two, np.array(given, np.int64))
        assert (int(first), int(second), tuple(third.tolist())) == max(images)
        rows.add(max(images))
    listed = sorted(rows)
    makers, breakers = (np.array([row[at] for row in listed], np.uint64) for at in (0, 1))
    numbers = np.array([row[2] for row in listed], np.int64)
    for place, row in enumerate(listed):
        asked = np.uint64(row[0]), np.uint64(row[1])
        given_counts = np.array(row[2], np.int64)
        assert forms.find(makers, breakers, numbers, *asked, given_counts) == place
        for wrong in (given_counts + 5, given_counts - 5):
            assert forms.find(makers, breakers, numbers, *asked, wrong) == -1
        assert forms.find(makers, breakers, numbers, asked[0], np.uint64(9), given_counts) == -1
        assert forms.find(makers, breakers, numbers, np.uint64(15), asked[1], given_counts) == -1
    assert forms.find(makers[:0], breakers[:0], numbers[:0], *asked, given_counts) == -1
    # A form is no other one with the same keys of one player, or the same counts.
    two_rows = np.array([4, 6], np.uint64), np.array([2, 2], np.uint64), np.array([[9], [1]])
    for maker, breaker, count, place in (
        (4, 2, 9, 0),
        (6, 2, 1, 1),
        (4, 1, 9, -1),
        (6, 1, 1, -1),
        (5, 2, 1, -1),
    ):
        asked = np.uint64(maker), np.uint64(breaker)
        assert forms.find(*two_rows, *asked, np.array([count], np.int64)) == place
    for some in product(range(2), repeat=2):
        for other in product(range(2), repeat=2):
            pair = np.array(some, np.int64), np.array(other, np.int64)
            assert forms.before(*pair) == (some < other)


@cache
def plans() -> tuple[tuple[RegionRules, BreakerPlan], ...]:
    """Plans of all states that the rules call won on the way from an empty board."""
    found = []
    rng = random.Random(7)
    boards = [RegionRules(*given) for given in WITH_INNER_STATES]
    boards += [changed(boards[number % len(boards)], rng) for number in range(90)]
    for drawn in boards:
        game, keys = Game(spec_of(drawn)), tuple(range(drawn.width))
        tables = Tables(game.start(), 1, keys)
        rules = RegionRules(
            tuple(sum(1 << cell for cell in row) for row in tables.rows), drawn.width, drawn.cells
        )
        nothing = (0,) * (len(rules.regions) + 1)
        if next(rules.spread(0, 0, nothing), None) is None or not rules.wins(0, 0, nothing):
            continue
        states = [(*state, rules.settles(*state)) for state, won in rules.known.items() if won]
        found.append((rules, listed_by_regions(game, 2, keys, states)))
    return tuple(found)


def test_plans_read_off_the_rules_are_proved() -> None:
    inner = 0
    for _, plan in plans():
        verdict = check_breaker(plan)
        assert verdict.proved, verdict.reason
        assert verdict.positions == len(plan.states)
        inner += sum(not state.pairs for state in plan.states)
    assert len(plans()) > 30
    assert inner > 12


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        ((), ""),
        ((1,), "where it begins some lines have too few cells off the keys"),
    ],
)
def test_pairs_have_room_where_it_begins(counted: tuple[int, ...], said: str) -> None:
    """The poor line 1, 2, 3 and the rich one 0, 3, 4 have four cells off the keys."""
    moves = {(): "moves:", (1,): "moves:1,5"}[counted]
    game = Game("7{0+3+4/1+2+3}")
    begins = game.position(moves) if counted else None
    made = RegionTables(BreakerPlan(game, 2, (0,), (), begins).tables)
    assert made.pairs_have_room(0, ()) is True
    assert made.pairs_have_room(0, (5,)) is True
    assert made.pairs_have_room(0, (4,)) is False
    assert made.pairs_have_room(1, (4,)) is True
    assert made.begins_well() is (not said)
    states = [(0, 0, (0, len(counted)), True)]
    plan = listed_by_regions(game, 2, (0,), states, begins)
    assert check_breaker(plan).reason == said
