"""States of plans by lines: regions, forms, and where they are listed."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo_research.proof import breaker_line_forms as forms
from hyperoxo_research.proof import breaker_loops as loops
from hyperoxo_research.proof.breaker import BreakerPlan
from hyperoxo_research.proof.breaker_lines import LineTables, _rows
from hyperoxo_research.proof.breaker_tables import Tables
from tests.hyperoxo_research.proof.breaker_line_cases import (
    Case,
    cases,
    listed_rows,
    row_of,
    some_state,
)
from tests.hyperoxo_research.proof.breaker_line_reference import ANY, MANY, State
from tests.hyperoxo_research.proof.breaker_reference import RICH, bits


def test_regions_and_what_is_known_of_their_lines() -> None:
    for case in cases(1, 30, 1):
        rules, regions = case.rules, case.regions
        assert [sum(1 << cell for cell in group) for group in case.made.cells] == rules.regions
        for cell in range(rules.cells):
            inside = [at for at, cells in enumerate(rules.regions) if cells >> cell & 1]
            assert regions.of_cell[cell] == (inside[0] if inside else -1)
            assert regions.is_key[cell] == (cell < rules.width)
            through = 0 if cell < rules.width else rules.through[1 << cell]
            on_cell = int(regions.on_cell[cell])
            assert on_cell == (case.bits_of(inside[0], through) if inside else 0)
        for at, kind in enumerate(rules.kinds):
            home = rules.home[at]
            assert regions.of_line[at] == (home if kind == RICH else -1)
            if kind == RICH and home is not None:
                assert regions.bit[at] == rules.numbers(rules.inside[home]).index(at)
            else:
                assert regions.bit[at] == -1
            assert regions.off[at] == rules.size[at]
        width = max(map(int.bit_count, rules.inside), default=0)
        assert regions.spare.shape == (len(rules.regions), 1 << width)
        assert regions.members.shape == (len(rules.regions), width)
        for region, own in enumerate(rules.inside):
            rows = rules.numbers(own)
            assert regions.members[region].tolist() == rows + [-1] * (width - len(rows))
            for some in range(1 << len(rows)):
                chosen = case.lines_of(region, some)
                assert regions.spare[region, some] == rules.spare[chosen]
                apart = chosen.bit_count() - rules.repeated[chosen]
                assert regions.apart[region, some] == apart
                assert regions.loose[region, some] == rules.hot(chosen)
        crossing = sorted(map(tuple, regions.crossing.tolist()))
        assert crossing == [
            (one, two, (rules.lines[one] & rules.lines[two]).bit_count())
            for one, two in sorted(rules.crossings)
        ]
        assert regions.least == (rules.u if rules.u < float("inf") else 10_000)


def test_what_does_not_live_is_forgotten() -> None:
    for case in cases(3, 40):
        rules, state = case.rules, case.state
        raw = state._replace(z=tuple(3 for _ in state.z), warm=rules.rich)
        row = case.row_of(raw)
        forms.make_normal(case.lines, case.regions, case.words[1], row)
        assert row.tolist() == case.row_of(rules.normal(raw)).tolist()
        for region, own in enumerate(rules.inside):
            found = forms.live_in(case.lines, case.regions, case.words[1], region)
            assert found == case.bits_of(region, rules.of(RICH, state.breaker) & own)


# Three keys that can change places, with two lines each in a region of their own.
THREE = "15{0+3+4+5/0+5+6/1+7+8+9/1+9+10/2+11+12+13/2+13+14}"


def test_forms_are_the_greatest_images() -> None:
    """By each way to change the three keys, with their regions and the lines in them."""
    plan = BreakerPlan(Game(THREE), 2, (0, 1, 2), ())
    made = LineTables(plan.tables)
    table, regions = made.images, made.regions
    assert len(table) == 6
    rng = random.Random(6)
    rows: set[tuple[int, int, tuple[int, ...]]] = set()
    for _ in range(60):
        owners = [rng.randrange(3) for _ in range(3)]
        given, warm = ([rng.randrange(4) for _ in range(3)] for _ in range(2))
        total = rng.randrange(3)
        images = []
        for order in permutations(range(3)):
            words = [
                sum(1 << to for at, to in enumerate(order) if owners[at] == player)
                for player in (1, 2)
            ]
            there = [order.index(at) for at in range(3)]
            moved = (total, *(given[at] for at in there), *(warm[at] for at in there))
            images.append((words[0], words[1], moved))
        one, two = (
            np.uint64(sum(1 << at for at, owner in enumerate(owners) if owner == player))
            for player in (1, 2)
        )
        first, some = forms.greatest(table, one)
        assert first == max(images)[0]
        assert len(some) == sum(image[0] == first for image in images)
        assert len(set(some.tolist())) == len(some)
        row = np.array([total, *given, *warm], np.int64)
        second, third = forms.form_of(table, regions, some, two, row)
        assert (int(first), int(second), tuple(third.tolist())) == max(images)
        rows.add(max(images))
    every = sorted(rows)
    listed = listed_rows(every)
    for maker, breaker, told in every:
        row, asked = np.array(told, np.int64), (np.uint64(maker), np.uint64(breaker))
        those = forms.greatest(table, asked[0])[1]
        under = table, regions, listed, asked[0], those
        same = [told]
        for symmetry in those:
            if loops.image(table, symmetry, asked[1]) == asked[1]:
                into = row.copy()
                forms.moved_row(regions, symmetry, row, into)
                same.append(tuple(into.tolist()))
        stand = {
            at
            for at, listed_one in enumerate(every)
            if listed_one[:2] == (maker, breaker)
            and any(forms.stands_for(np.array(listed_one[2]), np.array(one)) for one in same)
        }
        place = forms.find(*under, asked[1], row)
        assert place in stand
        assert every.index((maker, breaker, told)) in stand
        assert forms.find(*under, asked[1], row + 5) == -1
        others = listed_rows([one for one in every if one[:2] != (maker, breaker)])
        assert forms.find(*under[:2], others, *under[3:], asked[1], row) == -1
        # Keys after all that are listed.
        assert forms.find(*under[:3], np.uint64(1 << 20), *under[4:], asked[1], row) == -1


def test_there_may_be_hundreds_of_symmetries() -> None:
    """Six keys that can change places: 720 ways, all of which keep no stones what they are."""
    rows = "/".join(f"{key}+{6 + key}" for key in range(6))
    made = LineTables(BreakerPlan(Game(f"12{{{rows}}}"), 2, tuple(range(6)), ()).tables)
    best, some = forms.greatest(made.images, np.uint64(0))
    assert best == 0
    assert sorted(some.tolist()) == list(range(720))


def test_lines_of_a_region_are_moved_too() -> None:
    """Two keys whose lines change places within one region."""
    game = Game("8{0+2+3+4/1+4+5+6/0+3+7/1+5+7}")
    made = LineTables(BreakerPlan(game, 2, (0, 1), ()).tables)
    table, regions = made.images, made.regions
    assert len(table) == 2
    names = [tuple(made.tables.rows[at]) for at in made.members[0]]
    bit = {name: 1 << at for at, name in enumerate(names)}
    one, two = bit[0, 2, 3, 4], bit[1, 4, 5, 6]
    three, four = bit[0, 3, 7], bit[1, 5, 7]
    for warm, other in ((one, two), (three, four), (one | three, two | four), (one | four, 6)):
        moved = other if other != 6 else two | three
        into = np.full(3, -9, np.int64)
        forms.moved_row(regions, 1, np.array([5, 2, warm], np.int64), into)
        assert into.tolist() == [5, 2, moved]
        some = forms.greatest(table, np.uint64(0))[1]
        form = forms.form_of(table, regions, some, np.uint64(0), np.array([5, 2, warm], np.int64))
        assert form[1].tolist() == [5, 2, max(warm, moved)]


def test_a_form_is_no_other_one() -> None:
    """Not with the same keys of one player, or the same numbers."""
    two_rows = listed_rows([(4, 2, (9,)), (6, 2, (1,))])
    for maker, breaker, place in ((4, 2, 0), (6, 2, 1), (4, 1, 0), (6, 1, 1), (5, 2, 1), (6, 3, 2)):
        keys = np.uint64(maker), np.uint64(breaker)
        assert forms.lower(two_rows, *keys) == place
        if place < 2:
            expected = (maker, breaker) in ((4, 2), (6, 2))
            assert forms.has_keys(two_rows, place, *keys) == expected
    for some in product(range(2), repeat=2):
        for other in product(range(2), repeat=2):
            assert forms.before(*(np.array(one, np.int64) for one in (some, other))) == (
                some < other
            )


def test_states_are_asked_for_in_their_normal_form() -> None:
    for case in cases(4, 30):
        rules, state, made = case.rules, case.state, case.made
        form, some = forms.greatest(made.images, case.words[0])
        second, third = forms.form_of(made.images, case.regions, some, case.words[1], case.row)
        listed = listed_rows([(int(form), int(second), tuple(third.tolist()))])
        raw = state._replace(
            z=tuple(
                z if own & rules.of(RICH, state.breaker) else 2
                for z, own in zip(state.z, rules.inside, strict=True)
            ),
            warm=state.warm | rules.rich & ~rules.of(RICH, state.breaker),
        )
        row, given = case.row_of(raw), (case.lines, case.regions, made.images, listed, form, some)
        assert forms.ask(*given, case.words[1], row) == 0
        assert row.tolist() == case.row.tolist()
        other = case.row_of(raw._replace(p=raw.p + 1))
        assert forms.ask(*given, case.words[1], other) == -1


def test_a_row_stands_for_those_that_say_no_less() -> None:
    rng, told = random.Random(21), Counter[bool]()
    for case in cases(21, 60):
        rules, state = case.rules, case.state
        for _ in range(20):
            one = some_state(rules, rng)._replace(maker=state.maker, breaker=state.breaker)
            one = rules.normal(rng.choice((one, state))._replace(p=state.p + rng.randint(-1, 2)))
            for region, n in enumerate(state.z):
                drawn = rng.random()
                if drawn < 0.6:
                    z = (*one.z[:region], n, *one.z[region + 1 :])
                    own = rules.inside[region]
                    warm = one.warm & ~own | state.warm & own
                    one = one._replace(z=z, warm=warm | own if n == ANY else warm)
                elif drawn < 0.8:
                    one = rules.opened(one, region)
                if one.z[region] == MANY and rng.random() < 0.5:
                    more = rng.randrange(1 << len(rules.lines)) & rules.inside[region]
                    one = one._replace(warm=one.warm | more)
            one = rules.normal(one)
            rows = case.row_of(one), case.row_of(state)
            assert forms.stands_for(*rows) == rules.stands_for(one, state)
            told[rules.stands_for(one, state)] += 1
    assert min(told.values()) > 100
    # Other warm lines matter where there are fewer than three stones.
    few, many = np.array([5, 2, 1]), np.array([5, 3, 3])
    assert not forms.stands_for(few, np.array([5, 2, 3]))
    assert not forms.stands_for(few, np.array([5, 2, 0]))
    assert forms.stands_for(many, np.array([5, 3, 1]))
    assert not forms.stands_for(many, np.array([5, 3, 4]))
    assert not forms.stands_for(many, np.array([5, 2, 1]))
    assert not forms.stands_for(many, np.array([5, ANY, 1]))
    assert forms.stands_for(np.array([5, ANY, 3]), np.array([4, 1, 1]))
    assert not forms.stands_for(np.array([5, ANY, 3]), np.array([6, 1, 1]))


def test_the_last_that_stands_for_a_state_is_found() -> None:
    """By its keys, whatever is listed before and after these."""
    plan = BreakerPlan(Game("8{0+2+3+4/1+4+5+6/0+3+7/1+5+7}"), 2, (0, 1), ())
    made = LineTables(plan.tables)
    rows = [
        (0, 1, (5, 4, 9)),
        (1, 0, (3, 1, 0)),
        (1, 0, (5, 1, 0)),
        (1, 0, (6, 4, 3)),
        (1, 2, (9, 4, 9)),
    ]
    listed = listed_rows(rows)
    some = np.zeros(1, np.int64)
    for keys, row, place in (
        ((1, 0), (6, 2, 1), 3),
        ((1, 0), (3, 1, 0), 3),
        ((1, 0), (7, 1, 0), -1),
        ((0, 1), (5, 1, 0), 0),
        ((1, 2), (9, 1, 0), 4),
        ((0, 0), (0, 1, 0), -1),
        ((2, 0), (0, 1, 0), -1),
    ):
        words = [np.uint64(one) for one in keys]
        given = made.images, made.regions, listed, words[0], some, words[1]
        assert forms.find(*given, np.array(row)) == place, (keys, row)
    fewer = listed_rows(rows[:3])
    given = made.images, made.regions, fewer, np.uint64(1), some, np.uint64(0)
    for row, place in (((2, 1, 0), 2), ((4, 1, 0), 2), ((6, 1, 0), -1), ((2, 2, 0), -1)):
        assert forms.find(*given, np.array(row)) == place


def test_only_images_with_the_same_keys_are_looked_at() -> None:
    """The third of three keys is Breaker's, and others that can change places with it are not."""
    made = LineTables(BreakerPlan(Game(THREE), 2, (0, 1, 2), ()).tables)
    form, some = forms.greatest(made.images, np.uint64(0))
    listed = listed_rows([(0, 4, (1, 1, 0, 0, 0, 0, 0))])
    given = made.images, made.regions, listed, form, some
    for row, place in (((1, 0, 0), 0), ((0, 1, 0), 0), ((0, 0, 1), -1)):
        for breaker in (1, 2, 4):
            # The region of Breaker's key is the last in the image that is listed.
            own = breaker.bit_length() - 1
            moved = [*row[:2]]
            moved.insert(own, row[2])
            asked = np.array([1, *moved, 0, 0, 0])
            assert forms.find(*given, np.uint64(breaker), asked) == place


def test_states_are_in_the_order_of_their_rows() -> None:
    rows = [(4, 1, (5, 0)), (4, 2, (1, 0)), (4, 2, (1, 4)), (5, 0, (0, 0))]
    order = list(_rows(listed_rows(rows)))
    assert order == [(4, 1, 5, 0), (4, 2, 1, 0), (4, 2, 1, 4), (5, 0, 0, 0)]
    assert order == sorted(order)


def test_demands_are_noted() -> None:
    listed = listed_rows([(1, 0, (5,)), (2, 0, (5,))])
    for stones, most in ((3, 3), (2, 3), (4, 4)):
        forms.demand(listed, 1, stones)
        assert listed.asked.tolist() == [-1, most]


def test_all_live_lines_of_an_open_region_are_warm() -> None:
    told = Counter[tuple[bool, bool]]()
    for case in cases(6, 60):
        rules, live = case.rules, rules_live(case)
        raw = case.state._replace(z=tuple(ANY for _ in case.state.z), warm=0)
        row, kept = case.row_of(raw), case.row.copy()
        forms.open_up(case.lines, case.regions, case.words[1], row)
        assert row.tolist() == case.row_of(rules.wide(case.state)).tolist()
        forms.open_up(case.lines, case.regions, case.words[1], kept)
        assert kept.tolist() == case.row.tolist()
        for n, own in zip(case.state.z, rules.inside, strict=True):
            told[n == ANY, bool(own & live)] += 1
        wide = [ANY if own & live else 0 for own in rules.inside]
        assert case.made.is_wide(case.state.breaker, case.row) == (list(case.state.z) == wide)
    assert min(told[True, True], told[False, True], told[False, False]) > 5


def rules_live(case: Case) -> int:
    return case.rules.of(RICH, case.state.breaker)


@pytest.mark.more
def test_which_rows_are_wide() -> None:
    rng, found = random.Random(9), Counter[bool]()
    for case in cases(27, 100):
        made, count = case.made, len(case.rules.regions)
        rows = np.zeros((6, 1 + 2 * count), np.int64)
        breakers = np.array([rng.randrange(1 << case.rules.width) for _ in rows], np.uint64)
        for row in rows:
            row[1 : 1 + count] = [rng.choice((0, 3, ANY, ANY, ANY)) for _ in range(count)]
        drawn = rows[:, 1 : 1 + count].copy()
        wide = forms.open_all(case.lines, made.regions, breakers, rows)
        for near, row, breaker, said in zip(drawn, rows, breakers.tolist(), wide, strict=True):
            live = made.live(breaker)
            assert said == made.is_wide(breaker, row)
            assert said == all(n == ANY for n, lines in zip(near, live, strict=True) if lines)
            for region, (n, lines) in enumerate(zip(near, live, strict=True)):
                opened = bool(lines) and n == ANY
                assert row[1 + region] == (n if n != ANY or opened else 0)
                on = case.bits_of(region, sum(1 << line for line in lines)) if opened else 0
                assert row[1 + count + region] == on
            found[bool(said)] += 1
    assert min(found.values()) > 50


def test_a_region_has_at_most_sixteen_lines() -> None:
    for many in (16, 17):
        spec = "/".join(f"0+1+2+{cell}" for cell in range(3, 3 + many))
        # Another region has one.
        tables = Tables(Game(f"25{{{spec}/21+22+23+24}}").start(), 1, (0, 24))
        if many == 16:
            assert len(LineTables(tables).members[0]) == 16
        else:
            with pytest.raises(CheckFailedError, match="a region has 17 rich lines, and at most"):
                LineTables(tables)


def test_what_stones_say_where_a_plan_begins() -> None:
    """Stones near live lines, the lines that are full, and those through a cell."""
    rng = random.Random(5)
    for case in cases(5, 40, 2):
        rules, state, made = case.rules, case.state, case.made
        live = rules.of(RICH, state.breaker)
        cells = [cell for cell in range(rules.width, rules.cells) if rng.random() < 0.4]
        stones = sum(1 << cell for cell in cells)
        assert made.live(state.breaker) == [rules.numbers(live & own) for own in rules.inside]
        full = sum(
            1 << at
            for at in rules.numbers(live)
            if (rules.lines[at] & stones).bit_count() >= rules.room[at]
        )
        assert made.full(state.breaker, cells) == set(rules.numbers(full))
        for cell in range(rules.width, rules.cells):
            near = rules.numbers(rules.through[1 << cell] & live)
            assert made.near(state.breaker, cell) == near
        row = made.row(state.p, state.z, rules.numbers(state.warm))
        assert row.tolist() == row_of(rules, state).tolist()


@pytest.mark.parametrize("seed", range(3))
def test_the_row_of_the_beginning(seed: int) -> None:
    """Maker's stones are played on a board, and Breaker's on keys."""
    rng = random.Random(seed)
    for case in cases(20 + seed, 120, 1):
        rules = case.rules
        game = case.tables._position.game
        cells = rng.sample(range(rules.width, rules.cells), min(3, rules.cells - rules.width))
        keys = rng.sample(range(rules.width), min(3, rules.width))
        moves = [move for pair in zip(cells, keys, strict=False) for move in pair]
        position = game.start()
        for move in moves:
            if position.is_over:
                break
            position = position.play(move)
        if position.is_over or position.ply % 2:
            continue
        tables = Tables(position, 1, tuple(range(rules.width)))
        made = LineTables(tables)
        breaker, stones = int(tables.breaker), sum(1 << cell for cell in tables.counted)
        near = [0] * len(rules.regions)
        for stone in bits(stones):
            if (place := rules.place(breaker, stone)) is not None:
                near[place] = min(3, near[place] + 1)
        state = State(0, breaker, stones.bit_count(), tuple(near), 0)
        full = sum(
            1 << at
            for at in rules.numbers(rules.of(RICH, breaker))
            if (rules.lines[at] & stones).bit_count() >= rules.room[at]
        )
        assert made.beginning().tolist() == row_of(rules, state._replace(warm=full)).tolist()
