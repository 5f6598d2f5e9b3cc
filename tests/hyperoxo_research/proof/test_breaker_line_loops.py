"""The loops of the checker of plans by lines against the rules: bounds and the test."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from hyperoxo.game import Game
from hyperoxo_research.proof import breaker_line_forms as forms
from hyperoxo_research.proof import breaker_line_loops as by_line
from hyperoxo_research.proof import breaker_loops as loops
from hyperoxo_research.proof.breaker_lines import LineTables
from hyperoxo_research.proof.breaker_tables import Tables
from tests.hyperoxo_research.proof.breaker_line_cases import (
    Case,
    bears,
    cases,
    crossing_in,
    decided_bear,
    largest_with,
    reordered,
    tabled,
)
from tests.hyperoxo_research.proof.breaker_line_reference import ANY, LineRules, State
from tests.hyperoxo_research.proof.breaker_reference import bits


@pytest.mark.more
def test_how_many_stones_there_are_on_sets_of_lines() -> None:
    rng, met = random.Random(2), Counter[bool]()
    for case in cases(8, 200)[::3]:
        rules, lines, regions, row = case.rules, case.lines, case.regions, case.row
        live = case.live & ~sum(1 << at for at in range(len(rules.lines)) if rules.kinds[at] == 0)
        decided = rules.decided(case.state.maker, case.state.breaker)
        for at in rules.numbers(live & rules.rich):
            assert by_line.most_on(regions, row, at) == rules.most(at, case.state.warm)
        for chosen in rng.sample(list(rules.subsets(live)), min(6, 2 ** live.bit_count() - 1)):
            if chosen in rules.blocks:
                continue
            flags, but = case.flags(chosen), rng.choice([-1, *rules.numbers(chosen)])
            fewer = chosen & ~(1 << but if but >= 0 else 0)
            assert by_line.spare_off(lines, regions, flags, but) == rules.spare[fewer]
            rich = by_line.most_on_rich(regions, row, flags, but)
            assert rich == rules.rich_bound(case.state, fewer & rules.rich)
            parts = chosen & ~rules.rich, chosen & rules.rich
            placed = by_line.most_by_places(lines, regions, row, case.alive, flags)
            assert placed == rules.placed_bound(case.state, *parts)
            bound = rules.bound(case.state, chosen, decided)
            given = lines, regions, row, case.alive, flags, case.flags(decided)
            assert by_line.most_stones(*given, -99) == bound
            for wanted in range(bound - 1, bound + 3):
                assert (by_line.most_stones(*given, wanted) <= wanted) == (bound <= wanted)
            met[bound < case.state.p] += 1
    assert min(met.values()) > 30


@pytest.mark.parametrize(("lines", "poor"), [("0+1+2+3/2+4+5+8", 0), ("0+1+2+8/1+3+4+5", 1)])
def test_stones_on_a_poor_line_and_a_rich_one(lines: str, poor: int) -> None:
    """The key is no cell of the poor line: two stones on both, for the other bears one."""
    made = LineTables(Tables(Game(f"9{{{lines}}}").start(), 1, (8,)))
    assert made.tables.lines.kinds.tolist()[poor] == loops.POOR
    both, decided = np.ones(2, np.bool_), np.array([poor == 0, poor == 1])
    row = made.row(5, [3], [1 - poor])
    given = made.tables.lines, made.regions
    alive = by_line.cells_on_rich(*given, both)
    assert by_line.most_stones(*given, row, alive, both, decided, -99) == 2
    # With more than u + 1 stones a pair that crosses says nothing.
    fewer = given[0], given[1]._replace(least=3)
    assert by_line.most_stones(*fewer, row, alive, both, decided, -99) == 3


def settled(seed: int, boards: int) -> Iterator[tuple[Case, loops.Room]]:
    """States whose live lines have two cells each, and room where they hold them."""
    for case in cases(seed, boards, 4):
        room = case.tables.room()
        loops.close(case.lines, np.uint64(case.state.maker | case.state.breaker), room)
        if loops.two_each(case.lines, case.flags(case.live), room):
            yield case, room


@pytest.mark.more
def test_every_pair_of_lines_that_cross_bears_all_stones() -> None:
    """What begins with one pair, what some lines need, and what a leaf needs of all."""
    pairs: Counter[bool] = Counter()
    leaves: Counter[tuple[bool, bool]] = Counter()
    for case, room in settled(8, 200):
        rules, state, live = case.rules, case.state, case.live
        given = case.lines, case.regions, case.row, case.alive
        decided = rules.decided(state.maker, state.breaker)
        begun, told = room.holder.copy(), []
        for poor, rich in crossing_in(rules, live):
            room.holder[:] = begun
            fixed = 1 << poor | 1 << rich
            told.append(bears(rules, state, live, decided, case.free(), fixed))
            among = case.flags(live), case.flags(decided)
            assert bears_with(*given, *among, case.flags(fixed), room) == told[-1]
        room.holder[:] = begun
        assert by_line.test_holds(*given, *among, room) == all(told) if told else True
        held = by_line.pairs_hold(*given[:2], *case.words, case.row, room)
        assert held == all(told)
        assert rules.settles(state) or not held
        pairs.update(told)
        leaves[rules.settles(state), bool(held)] += 1
    assert min(pairs.values()) > 40
    assert leaves[True, True] > 40
    assert leaves[False, False] > 20
    assert leaves[True, False] < 5


def held_with(lines: loops.PlanLines, asking: forms.Flags, total: int, room: loops.Room) -> int:
    """How many cells beside two each some lines hold, one after another, at most so many."""
    held, closed = 0, np.zeros_like(room.tried)
    for line in np.flatnonzero(asking).tolist():
        held = by_line.spare_with(lines, line, held, total, closed, room)
        closed = room.tried.copy()
    return held


def bears_with(
    lines: loops.PlanLines,
    regions: forms.Regions,
    row: loops.Longs,
    alive: forms.Flags,
    among: forms.Flags,
    decided: forms.Flags,
    asking: forms.Flags,
    room: loops.Room,
) -> bool:
    """Whether sets with some lines bear all stones, whatever these hold."""
    held = held_with(lines, asking, row[0], room)
    given = lines, regions, row, alive, among, decided, asking, np.zeros_like(asking), held, room
    return held == row[0] or bool(by_line.sets_bear(*given))


LATE: tuple[tuple[tuple[int, ...], int, int, State], ...] = (
    ((4424, 8888, 24065, 384), 4, 15, State(8, 0, 5, (3,), 4)),
    ((833, 6218, 3300, 560), 3, 13, State(1, 0, 5, (3,), 5)),
    ((8748, 3218, 6433, 5120), 4, 14, State(5, 0, 3, (3,), 2)),
    ((782, 1154, 1507, 1408), 2, 12, State(0, 0, 4, (3,), 4)),
    ((5638, 10625, 552, 7360, 640), 5, 14, State(16, 0, 6, (3, 2), 3)),
    ((90, 6561, 2454, 264), 3, 13, State(2, 0, 5, (3,), 5)),
    ((13340, 2625, 5317, 1536, 416), 3, 14, State(2, 0, 3, (3,), 6)),
    ((1697, 4249, 2531, 8704, 2080), 3, 14, State(1, 4, 3, (3,), 2)),
    ((1697, 4249, 2531, 8704, 2080), 3, 14, State(5, 0, 3, (2,), 4)),
    ((154, 9379, 7457, 40), 3, 14, State(6, 0, 3, (3,), 1)),
    ((3656, 17427, 10628, 8304, 2064), 4, 15, State(1, 0, 5, (3,), 4)),
    ((10309, 9777, 19201, 13442, 1040), 4, 15, State(2, 0, 3, (3,), 4)),
    ((3202, 4668, 1408, 2608), 4, 13, State(2, 1, 7, (3, 3), 2)),
    ((846, 1554, 2329, 1070, 2784, 1032), 3, 12, State(0, 4, 4, (3,), 0)),
    ((612, 2825, 402, 5633, 1152), 3, 13, State(1, 0, 4, (2,), 12)),
    ((1330, 2385, 782, 320), 2, 13, State(1, 0, 3, (3,), 4)),
)
"""Lines, keys and cells, and states where a set with further lines bears too little."""
DEEP: tuple[tuple[tuple[int, ...], int, int, State], ...] = (
    ((2229, 1578, 4930, 2228, 1152), 3, 13, State(0, 1, 4, (4,), 14)),
    ((1507, 782, 1154, 1424), 2, 12, State(2, 0, 3, (1,), 4)),
    ((2385, 782, 1330, 4544), 2, 13, State(0, 0, 6, (3,), 6)),
    ((8953, 24065, 4424, 384), 4, 15, State(11, 4, 3, (4,), 7)),
    ((24129, 8856, 4424, 384), 4, 15, State(13, 2, 3, (3,), 4)),
    ((17427, 10628, 1608, 8304, 2064), 4, 15, State(2, 0, 6, (1, 3), 5)),
)
"""The same, where sets with several further lines must be looked at, and bear all."""


@pytest.mark.more
def test_sets_that_come_late() -> None:
    """With the cells in many orders, so that lines come in many orders too."""
    rng, told = random.Random(4), Counter[bool]()
    for given in (*LATE, *DEEP):
        for _ in range(16):
            case = reordered(*given, rng)
            rules, state, live = case.rules, case.state, case.live
            room, decided = case.tables.room(), rules.decided(state.maker, state.breaker)
            loops.close(case.lines, np.uint64(state.maker | state.breaker), room)
            assert loops.two_each(case.lines, case.flags(live), room)
            begun, among = room.holder.copy(), (case.flags(live), case.flags(decided))
            for poor, rich in crossing_in(rules, live):
                room.holder[:] = begun
                lines = case.lines, case.regions, case.row, case.alive
                fixed = 1 << poor | 1 << rich
                expected = bears(rules, state, live, decided, case.free(), fixed)
                assert bears_with(*lines, *among, case.flags(fixed), room) == expected
                told[expected] += 1
    assert min(told.values()) > 25


def test_a_poor_line_that_has_enough_does_not_help_another() -> None:
    """Two further poor lines meet no other one, and have as many cells as there are stones."""
    rng, told = random.Random(6), Counter[bool]()
    for lines, width, cells, start in LATE:
        long = (1 << start.p + 2) - 1
        others = long << cells, long << cells + start.p + 2
        for _ in range(4):
            drawn = (*lines, *others), width, cells + 2 * start.p + 4, start
            case = reordered(*drawn, rng)
            rules, state, live = case.rules, case.state, case.live
            room, decided = case.tables.room(), rules.decided(state.maker, state.breaker)
            loops.close(case.lines, np.uint64(state.maker | state.breaker), room)
            assert loops.two_each(case.lines, case.flags(live), room)
            expected = all(
                bears(rules, state, live, decided, case.free(), 1 << poor | 1 << rich)
                for poor, rich in crossing_in(rules, live)
            )
            among = case.flags(live), case.flags(decided)
            given = case.lines, case.regions, case.row, case.alive
            held = by_line.test_holds(*given, *among, room)
            assert held == expected
            told[expected] += 1
    assert told[False] > 50


@pytest.mark.parametrize(
    ("rows", "stones"),
    [
        (((1, 7, 8, 9, 10), (7, 8, 11, 12, 13)), 5),
        (((1, 7, 8), (0, 8, 14), (7, 8, 9, 10, 11)), 4),
    ],
)
def test_one_cell_more_is_not_enough(rows: tuple[tuple[int, ...], ...], stones: int) -> None:
    """A poor line can have one, and lacks two with a rich one that it shares two cells with.

    Other lines are there that are dead, so that nothing is known of the pair by itself.
    """
    every = ((0, 2, 3), (3, 4, 5), (0, 5, 6), *rows)
    # The region of the live lines is the last one, or the first.
    for to in (list(range(15)), [0, 1, *range(14, 1, -1)]):
        lines = tuple(sum(1 << to[cell] for cell in row) for row in every)
        rules, tables = tabled(LineRules(lines, 2, 15))
        state = State(0, 1, stones, tuple(ANY for _ in rules.regions), rules.rich)
        case = Case(rules, tables, rules.normal(state))
        given = case.lines, case.regions, *case.words, case.row, tables.room()
        assert not rules.settles(case.state)
        assert not by_line.pairs_hold(*given)


@pytest.mark.more
def test_leaves_have_two_cells_for_each_live_line() -> None:
    found: Counter[bool] = Counter()
    for case in cases(8, 200)[::2]:
        rules, free = case.rules, case.free()
        two = all(rules.surplus(some, free) >= 0 for some in rules.subsets(case.live))
        held = by_line.pairs_hold(
            case.lines, case.regions, *case.words, case.row, case.tables.room()
        )
        assert two or not held
        found[two] += 1
    assert min(found.values()) > 20


def test_lines_that_are_decided_by_a_key() -> None:
    rng = random.Random(3)
    found: Counter[tuple[bool, bool]] = Counter()
    for case in cases(8, 200):
        rules, state = case.rules, case.state
        if not state.maker:
            continue
        earlier = state.maker & ~rng.choice(list(bits(state.maker)))
        now = rules.decided(state.maker, state.breaker)
        then = rules.decided(earlier, state.breaker)
        given = case.lines, case.regions, np.uint64(earlier), *case.words, case.row
        held = by_line.decided_hold(*given, case.tables.room())
        if now == then:
            assert held
            continue
        assert held == decided_bear(rules, state._replace(maker=earlier), state)
        two = all(rules.spare[some] >= 0 for some in rules.subsets(now))
        fine = rules.passes(state, now, then) and two
        assert fine or not held
        found[fine, bool(held)] += 1
    assert found[True, True] > 20
    assert found[False, False] > 20


def test_one_more_cell_and_the_largest_set_without() -> None:
    """Lines that ask hold one more cell where all sets with them have one to spare."""
    fates: Counter[int] = Counter()
    told: Counter[bool] = Counter()
    for case, room in settled(8, 200):
        rules, lines, live, free = case.rules, case.lines, case.live, case.free()
        begun = room.holder.copy()
        for poor, line in crossing_in(rules, live):
            room.holder[:] = begun
            asking = 1 << poor | 1 << line
            least, expected = largest_with(rules, live, free, asking)
            some = held_with(lines, case.flags(asking), least // 2, room)
            assert some == least // 2
            room.holder[:] = begun
            found = held_with(lines, case.flags(asking), least + 2, room)
            assert found == least
            held = [int(one) for one in room.holder if one >= 0]
            assert len(held) == 2 * live.bit_count() + found
            assert all(held.count(one) == 2 for one in rules.numbers(live & ~asking))
            for cell, one in enumerate(room.holder.tolist()):
                assert (one == loops.CLOSED) == (not free >> cell & 1)
                assert one < 0 or rules.lines[one] >> cell & 1
            fates[found] += 1
            able = by_line.can_have_more(lines, case.flags(live), room)
            for at in range(len(rules.lines)):
                more = live >> at & 1 and not asking >> at & 1
                with_it = largest_with(rules, live, free, asking | 1 << at)[0] if more else least
                assert able[at] == (with_it > least)
                told[bool(able[at])] += 1
            given = case.flags(live), case.flags(asking), able
            holds, reached = by_line.full_with(lines, *given, room)
            whole = sum(1 << at for at in np.flatnonzero(holds).tolist())
            assert whole == expected
            cells = sum(1 << cell for cell in np.flatnonzero(reached).tolist())
            assert cells == rules.union[whole] & free
    assert min(fates[count] for count in range(3)) > 60
    assert min(told[False], told[True]) > 60


def test_a_closed_cell_is_no_way_out_of_the_largest_set() -> None:
    """Three lines have six cells but for the taken keys; two others have some to spare."""
    made = Tables(Game("13{0+2+3/3+4+5/1+5+6+7/8+9+10/11+12}").start(), 1, (0, 1))
    names = [tuple(row) for row in made.rows]
    live, asking = np.ones(5, np.bool_), np.zeros(5, np.bool_)
    asking[[names.index((0, 2, 3)), names.index((3, 4, 5))]] = True
    room = made.room()
    loops.close(made.lines, np.uint64(3), room)
    assert loops.two_each(made.lines, live, room)
    assert held_with(made.lines, asking, 1, room) == 0
    able = by_line.can_have_more(made.lines, live, room)
    assert {names[at] for at in np.flatnonzero(able).tolist()} == {(8, 9, 10)}
    holds, reached = by_line.full_with(made.lines, live, asking, able, room)
    found = {names[at] for at in np.flatnonzero(holds).tolist()}
    assert found == {(0, 2, 3), (3, 4, 5), (1, 5, 6, 7)}
    assert np.flatnonzero(reached).tolist() == [2, 3, 4, 5, 6, 7]
