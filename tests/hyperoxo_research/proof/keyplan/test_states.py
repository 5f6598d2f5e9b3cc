"""States of key plans: regions, greatest images, and where they are listed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo_research.proof.keyplan import states
from hyperoxo_research.proof.keyplan.board import Tables
from hyperoxo_research.proof.keyplan.check import (
    beginning,
    full_lines,
    images_for,
    lines_near,
    live_lines,
    row_of,
)
from tests.hyperoxo_research.proof.keyplan.cases import (
    Form,
    at_state,
    cases,
    form_of,
    listed_rows,
    some_state,
)
from tests.hyperoxo_research.proof.keyplan.count_rules import RICH, bits
from tests.hyperoxo_research.proof.keyplan.line_rules import ANY, MANY, State


def tables(spec: str, *keys: int) -> Tables:
    return Tables(Game(spec).start(), 1, keys)


def state(maker: int, breaker: int, row: Sequence[int]) -> states.State:
    return states.State(np.uint64(maker), np.uint64(breaker), np.array(row, np.int64))


def test_regions_and_what_is_known_of_their_lines() -> None:
    for case in cases(1, 30, 1):
        rules, board = case.rules, case.board
        regions = board.regions
        assert [sum(1 << cell for cell in group) for group in case.tables.groups] == rules.regions
        for cell in range(rules.cells):
            inside = [at for at, cells in enumerate(rules.regions) if cells >> cell & 1]
            assert regions.of_cell[cell] == (inside[0] if inside else -1)
            assert board.is_key[cell] == (cell < rules.width)
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
            assert board.off[at] == rules.size[at]
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
        assert sorted(map(tuple, board.crossing.tolist())) == sorted(rules.crossings)
        for one, two in product(range(len(rules.lines)), repeat=2):
            if rules.rich >> one & 1 or rules.rich >> two & 1:
                shared = rules.lines[one] & rules.lines[two] & rules.others
                assert board.shared[one, two] == shared.bit_count()
        assert board.least == (rules.u if rules.u < float("inf") else 10_000)


def test_what_does_not_live_is_forgotten() -> None:
    for case in cases(3, 40):
        rules, given = case.rules, case.state
        raw = given._replace(z=tuple(3 for _ in given.z), warm=rules.rich)
        at = case.at_state(raw)
        states.make_normal(case.board, at)
        assert at.row.tolist() == case.at_state(rules.normal(raw)).row.tolist()
        for region, own in enumerate(rules.inside):
            live, undecided = rules.of(RICH, given.breaker) & own, rules.undecided(given) & own
            found = states.without(case.board, at.breaker, region)
            assert found == case.bits_of(region, live)
            found = states.undecided_in(case.board, at, region)
            assert found == case.bits_of(region, undecided)


# Three keys that can change places, with two lines each in a region of their own.
THREE = "15{0+3+4+5/0+5+6/1+7+8+9/1+9+10/2+11+12+13/2+13+14}"


def test_forms_are_the_greatest_images() -> None:
    """By each way to change the three keys, with their regions and the lines in them."""
    board, rng = tables(THREE, 0, 1, 2).by_lines, random.Random(6)
    assert len(board.images) == 6
    rows: set[Form] = set()
    for _ in range(60):
        owners = [rng.randrange(3) for _ in range(3)]
        given, warm = ([rng.randrange(4) for _ in range(3)] for _ in range(2))
        total = rng.randrange(3)
        images = []
        for order in permutations(range(3)):
            sides = [
                sum(1 << to for at, to in enumerate(order) if owners[at] == player)
                for player in (1, 2)
            ]
            there = [order.index(at) for at in range(3)]
            images.append(
                (*sides, total, *(given[at] for at in there), *(warm[at] for at in there))
            )
        one, two = images[0][:2]
        those = images_for(board, one)
        assert those.maker == max(images)[0]
        assert len(those.symmetries) == sum(image[0] == those.maker for image in images)
        assert len(set(those.symmetries.tolist())) == len(those.symmetries)
        form = states.form_of(board, state(one, two, [total, *given, *warm]))
        assert (int(form.maker), int(form.breaker), *form.row.tolist()) == max(images)
        rows.add(max(images))
    every = sorted(rows)
    listed = listed_rows(every)
    for maker, breaker, *row in every:
        given_row = np.array(row, np.int64)
        those = images_for(board, maker)
        same = [row]
        for symmetry in those.symmetries:
            if states.image(board.images, symmetry, np.uint64(breaker)) == breaker:
                into = given_row.copy()
                states.moved_row(board.regions, symmetry, given_row, into)
                same.append(into.tolist())
        stand = {
            at
            for at, one in enumerate(every)
            if one[:2] == (maker, breaker)
            and any(states.stands_for(np.array(one[2:]), np.array(other)) for other in same)
        }
        assert every.index((maker, breaker, *row)) in stand
        others = listed_rows([one for one in every if one[:2] != (maker, breaker)])
        # Dead regions are kept, so that all of these are the images of normal states.
        normal = state(maker, breaker, row)
        states.make_normal(board, normal)
        if normal.row.tolist() != row:
            continue
        assert states.find(board, listed, those, normal) in stand
        assert states.find(board, others, those, normal) == -1
        far = state(maker, breaker, [row[0] + 5, *row[1:]])
        assert states.find(board, listed, those, far) == -1
        # Keys after all that are listed.
        later = states.Images(np.uint64(1 << 20), those.symmetries)
        assert states.find(board, listed, later, normal) == -1


def test_there_may_be_hundreds_of_symmetries() -> None:
    """Six keys that can change places: 720 ways, all of which keep no stones what they are."""
    rows = "/".join(f"{key}+{6 + key}" for key in range(6))
    board = tables(f"12{{{rows}}}", *range(6)).by_lines
    best, some = states.images_of(board.images, np.uint64(0))
    assert best == 0
    assert sorted(some.tolist()) == list(range(720))


# Two keys whose lines change places within one region.
CHANGING = "8{0+2+3+4/1+4+5+6/0+3+7/1+5+7}"


def test_lines_of_a_region_are_moved_too() -> None:
    made = tables(CHANGING, 0, 1)
    board = made.by_lines
    assert len(board.images) == 2
    names = [tuple(made.rows[at]) for at in made.members[0]]
    bit = {name: 1 << at for at, name in enumerate(names)}
    one, two = bit[0, 2, 3, 4], bit[1, 4, 5, 6]
    three, four = bit[0, 3, 7], bit[1, 5, 7]
    for warm, other in ((one, two), (three, four), (one | three, two | four), (one | four, 6)):
        moved = other if other != 6 else two | three
        into = np.full(3, -9, np.int64)
        states.moved_row(board.regions, 1, np.array([5, 2, warm], np.int64), into)
        assert into.tolist() == [5, 2, moved]
        form = states.form_of(board, state(0, 0, [5, 2, warm]))
        assert form.row.tolist() == [5, 2, max(warm, moved)]


def test_a_form_is_no_other_one() -> None:
    """Not with the same keys of one player, or the same numbers."""
    two_rows = listed_rows([(4, 2, 9), (6, 2, 1)])
    for maker, breaker, place in ((4, 2, 0), (6, 2, 1), (4, 1, 0), (6, 1, 1), (5, 2, 1), (6, 3, 2)):
        assert states.first_from(two_rows, np.uint64(maker), np.uint64(breaker)) == place
    for some in product(range(2), repeat=2):
        for other in product(range(2), repeat=2):
            rows = (np.array(one, np.int64) for one in (some, other))
            assert states.is_before(*rows) == (some < other)


def test_states_are_found_in_their_normal_form() -> None:
    for case in cases(4, 30):
        rules, given = case.rules, case.state
        form = form_of(rules, case.board, given)
        listed = listed_rows([form])
        raw = given._replace(
            z=tuple(
                z if own & rules.of(RICH, given.breaker) else 2
                for z, own in zip(given.z, rules.inside, strict=True)
            ),
            warm=given.warm | rules.rich & ~rules.of(RICH, given.breaker),
        )
        at = case.at_state(raw)
        those = images_for(case.board, int(at.maker))
        assert states.find(case.board, listed, those, at) == 0
        assert at.row.tolist() == case.at.row.tolist()
        other = case.at_state(raw._replace(p=raw.p + 1))
        assert states.find(case.board, listed, those, other) == -1


def test_a_row_stands_for_those_that_say_no_less() -> None:
    rng, told = random.Random(21), Counter[bool]()
    for case in cases(21, 60):
        rules, given = case.rules, case.state
        for _ in range(20):
            one = some_state(rules, rng)._replace(maker=given.maker, breaker=given.breaker)
            one = rules.normal(rng.choice((one, given))._replace(p=given.p + rng.randint(-1, 2)))
            for region, n in enumerate(given.z):
                drawn = rng.random()
                if drawn < 0.6:
                    z = (*one.z[:region], n, *one.z[region + 1 :])
                    own = rules.inside[region]
                    warm = one.warm & ~own | given.warm & own
                    one = one._replace(z=z, warm=warm | own if n == ANY else warm)
                elif drawn < 0.8:
                    one = rules.opened(one, region)
                if one.z[region] == MANY and rng.random() < 0.5:
                    more = rng.randrange(1 << len(rules.lines)) & rules.inside[region]
                    one = one._replace(warm=one.warm | more)
            one = rules.normal(one)
            rows = case.at_state(one).row, case.at.row
            assert states.stands_for(*rows) == rules.stands_for(one, given)
            told[rules.stands_for(one, given)] += 1
    assert min(told.values()) > 100


@pytest.mark.parametrize(
    ("one", "row", "stands"),
    [
        # Other warm lines matter where there are fewer than three stones.
        ((5, 2, 1), (5, 2, 3), False),
        ((5, 2, 1), (5, 2, 0), False),
        ((5, 3, 3), (5, 3, 1), True),
        ((5, 3, 3), (5, 3, 4), False),
        ((5, 3, 3), (5, 2, 1), False),
        ((5, 3, 3), (5, ANY, 1), False),
        ((5, ANY, 3), (4, 1, 1), True),
        ((5, ANY, 3), (6, 1, 1), False),
    ],
)
def test_which_rows_stand_for_others(
    one: tuple[int, ...], row: tuple[int, ...], stands: bool
) -> None:
    assert states.stands_for(np.array(one), np.array(row)) == stands


def test_the_last_that_stands_for_a_state_is_found() -> None:
    """By its keys, whatever is listed before and after these."""
    board = tables("8{0+2+3+4/1+4+5+6/0+3+7/1+5+7/2+3+4+5}", 0, 1).by_lines
    assert len(board.images) == 1
    rows = [*((0, 1, 5, 4, 9), (1, 0, 3, 1, 0), (1, 0, 5, 1, 0), (1, 0, 6, 4, 3)), (1, 2, 9, 4, 9)]
    listed = listed_rows(rows)
    for keys, row, place in (
        ((1, 0), (6, 2, 1), 3),
        ((1, 0), (3, 1, 0), 3),
        ((1, 0), (7, 1, 0), -1),
        ((0, 1), (5, 1, 0), 0),
        ((1, 2), (9, 1, 0), 4),
        ((0, 0), (0, 1, 0), -1),
        ((2, 0), (0, 1, 0), -1),
    ):
        those = images_for(board, keys[0])
        assert states.find(board, listed, those, state(*keys, row)) == place, (keys, row)
    those = images_for(board, 1)
    for row, place in (((2, 1, 0), 2), ((4, 1, 0), 2), ((6, 1, 0), -1), ((2, 2, 0), -1)):
        assert states.find(board, listed_rows(rows[:3]), those, state(1, 0, row)) == place


def test_only_images_with_the_same_keys_are_looked_at() -> None:
    """Breaker has the third of three keys, the region of which lives by another key."""
    board = tables("18{0+6+7+8/3+6+9/1+10+11+12/4+10+13/2+14+15+16/5+14+17}", *range(6)).by_lines
    assert len(board.images) == 6
    those = images_for(board, 0)
    listed = listed_rows([(0, 4, 1, 1, 0, 0, 0, 0, 0)])
    for near, own, place in (((1, 0), 0, 0), ((0, 1), 0, 0), ((1, 1), 0, -1), ((0, 0), 1, -1)):
        for breaker in (1, 2, 4):
            # The region of Breaker's key is the last in the image that is listed.
            moved = [*near]
            moved.insert(breaker.bit_length() - 1, own)
            asked = state(0, breaker, [1, *moved, 0, 0, 0])
            assert states.find(board, listed, those, asked) == place


def test_demands_are_noted() -> None:
    listed = listed_rows([(1, 0, 5), (2, 0, 5)])
    for stones, most in ((3, 3), (2, 3), (4, 4)):
        states.demand(listed, 1, stones)
        assert listed.asked.tolist() == [-1, most]


def test_all_live_lines_of_an_open_region_are_warm() -> None:
    told = Counter[tuple[bool, bool]]()
    for case in cases(6, 60):
        rules, live = case.rules, case.rules.of(RICH, case.state.breaker)
        raw = case.state._replace(z=tuple(ANY for _ in case.state.z), warm=0)
        opened, kept = case.at_state(raw), case.at
        assert states.open_up(case.board, opened)
        assert opened.row.tolist() == case.at_state(rules.wide(case.state)).row.tolist()
        wide = [ANY if own & live else 0 for own in rules.inside]
        assert states.open_up(case.board, kept) == (list(case.state.z) == wide)
        assert kept.row.tolist() == case.at.row.tolist()
        for n, own in zip(case.state.z, rules.inside, strict=True):
            told[n == ANY, bool(own & live)] += 1
    assert min(told[True, True], told[False, True], told[False, False]) > 5


@pytest.mark.more
def test_which_rows_are_wide() -> None:
    rng, found = random.Random(9), Counter[bool]()
    for case in cases(27, 100):
        made, count = case.tables, len(case.rules.regions)
        drawn = [
            (0, rng.randrange(1 << case.rules.width), 0)
            + tuple(rng.choice((0, 3, ANY, ANY, ANY)) for _ in range(count))
            + (0,) * count
            for _ in range(6)
        ]
        listed = listed_rows(drawn)
        wide = states.open_all(case.board, listed)
        for (_, breaker, _, *rest), row, said in zip(drawn, listed.rows, wide, strict=True):
            live = live_lines(made, breaker)
            near = rest[:count]
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
        made = tables(f"25{{{spec}/21+22+23+24}}", 0, 24)
        if many == 16:
            assert len(made.members[0]) == 16
        else:
            with pytest.raises(CheckFailedError, match="a region has 17 rich lines, and at most"):
                _ = made.by_lines


def test_what_stones_say_where_a_plan_begins() -> None:
    """Stones near live lines, the lines that are full, and those through a cell."""
    rng = random.Random(5)
    for case in cases(5, 40, 2):
        rules, given, made = case.rules, case.state, case.tables
        live = rules.of(RICH, given.breaker)
        cells = [cell for cell in range(rules.width, rules.cells) if rng.random() < 0.4]
        stones = sum(1 << cell for cell in cells)
        assert live_lines(made, given.breaker) == [
            rules.numbers(live & own) for own in rules.inside
        ]
        full = {
            at
            for at in rules.numbers(live)
            if (rules.lines[at] & stones).bit_count() >= rules.room[at]
        }
        assert full_lines(made, given.breaker, cells) == full
        for cell in range(rules.width, rules.cells):
            near = rules.numbers(rules.through[1 << cell] & live)
            assert lines_near(made, given.breaker, cell) == near
        row = row_of(made, given.p, given.z, rules.numbers(given.warm))
        assert row.tolist() == case.at.row.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_the_row_of_the_beginning(seed: int) -> None:
    """Maker's stones are played on a board, and Breaker's on keys."""
    rng = random.Random(seed)
    for case in cases(20 + seed, 120, 1):
        rules = case.rules
        cells = rng.sample(range(rules.width, rules.cells), min(3, rules.cells - rules.width))
        keys = rng.sample(range(rules.width), min(3, rules.width))
        position = case.tables.position
        for move in (move for pair in zip(cells, keys, strict=False) for move in pair):
            if not position.is_over:
                position = position.play(move)
        if position.is_over or position.ply % 2:
            continue
        made = Tables(position, 1, tuple(range(rules.width)))
        breaker, stones = int(made.breaker), sum(1 << cell for cell in made.counted)
        near = [0] * len(rules.regions)
        for stone in bits(stones):
            if (place := rules.place(breaker, stone)) is not None:
                near[place] = min(3, near[place] + 1)
        full = sum(
            1 << at
            for at in rules.numbers(rules.of(RICH, breaker))
            if (rules.lines[at] & stones).bit_count() >= rules.room[at]
        )
        expected = at_state(rules, State(0, breaker, stones.bit_count(), tuple(near), full))
        assert beginning(made, by_lines=True).tolist() == expected.row.tolist()
        assert beginning(made, by_lines=False).tolist() == [stones.bit_count()]
