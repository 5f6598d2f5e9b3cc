"""The bounds on stones, the test and rule *pairs* by lines, against the rules as they read."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from hyperoxo.game import Game
from hyperoxo_research.proof.keyplan import pairs
from hyperoxo_research.proof.keyplan.board import POOR, RICH, Board, Flags, Longs, Tables
from hyperoxo_research.proof.keyplan.check import row_of
from hyperoxo_research.proof.keyplan.matching import Scratch, close, have_two_each, scratch_for
from tests.hyperoxo_research.proof.keyplan.cases import (
    Case,
    bears,
    cases,
    crossing_in,
    decided_bear,
    reordered,
    tabled,
)
from tests.hyperoxo_research.proof.keyplan.count_rules import bits
from tests.hyperoxo_research.proof.keyplan.line_rules import ANY, LineRules, State
from tests.hyperoxo_research.proof.keyplan.test_matching import held_with, settled


@pytest.mark.more
def test_how_many_stones_there_are_on_sets_of_lines() -> None:
    rng, met = random.Random(2), Counter[bool]()
    for case in cases(8, 200)[::3]:
        rules, board, row = case.rules, case.board, case.at.row
        live = case.live & ~sum(1 << at for at in range(len(rules.lines)) if rules.kinds[at] == 0)
        decided = rules.decided(case.state.maker, case.state.breaker)
        for at in rules.numbers(live & rules.rich):
            assert pairs.max_on_line(board, row, at) == rules.most(at, case.state.warm)
        for chosen in rng.sample(list(rules.subsets(live)), min(6, 2 ** live.bit_count() - 1)):
            if chosen in rules.blocks:
                continue
            flags, parts = case.flags(chosen), (chosen & ~rules.rich, chosen & rules.rich)
            assert pairs.spare_off(board, flags) == rules.spare[chosen]
            rich = pairs.max_on_rich(board, row, case.flags(parts[1]))
            assert rich == rules.rich_bound(case.state, parts[1])
            placed = pairs.max_by_places(board, row, case.alive, flags)
            assert placed == rules.placed_bound(case.state, *parts)
            bound = rules.bound(case.state, chosen, decided)
            given = board, row, case.alive, flags, case.flags(decided)
            assert pairs.max_stones(*given, -99) == bound
            for wanted in range(bound - 1, bound + 3):
                assert (pairs.max_stones(*given, wanted) <= wanted) == (bound <= wanted)
            met[bound < case.state.p] += 1
    assert min(met.values()) > 30


@pytest.mark.parametrize(("lines", "poor"), [("0+1+2+3/2+4+5+8", 0), ("0+1+2+8/1+3+4+5", 1)])
def test_stones_on_a_poor_line_and_a_rich_one(lines: str, poor: int) -> None:
    """The key is no cell of the poor line: two stones on both, for the other bears one."""
    made = Tables(Game(f"9{{{lines}}}").start(), 1, (8,))
    board = made.by_lines
    assert board.lines.kinds.tolist()[poor] == POOR
    both, decided = np.ones(2, np.bool_), np.array([poor == 0, poor == 1])
    row = row_of(made, 5, [3], [1 - poor])
    alive = pairs.cells_on(board, board.lines.kinds == RICH)
    assert pairs.max_stones(board, row, alive, both, decided, -99) == 2
    # With more than u + 1 stones a pair that crosses says nothing.
    assert pairs.max_stones(board._replace(least=3), row, alive, both, decided, -99) == 3


def test_one_pair_of_lines_that_cross_leaves_the_others() -> None:
    """Two pairs bear two stones each, and the other lines of each by themselves three."""
    made = Tables(Game("18{0+1+2+3/2+4+5+16/6+7+8+9/8+10+11+17}").start(), 1, (16, 17))
    board = made.by_lines
    assert board.least == 4
    rich, every = board.lines.kinds == RICH, np.ones(4, np.bool_)
    row, alive = row_of(made, 5, [4, 4], np.flatnonzero(rich)), pairs.cells_on(board, rich)
    assert pairs.max_stones(board, row, alive, every, ~rich, -99) == 5


@pytest.mark.more
def test_every_pair_of_lines_that_cross_bears_all_stones() -> None:
    """What begins with one pair, what some lines need, and what a leaf needs of all."""
    met: Counter[bool] = Counter()
    leaves: Counter[tuple[bool, bool]] = Counter()
    for case, room in settled(8, 200):
        rules, state, live = case.rules, case.state, case.live
        given = case.board, case.at.row, case.alive
        decided = rules.decided(state.maker, state.breaker)
        begun, told = room.holder.copy(), []
        among = case.flags(live), case.flags(decided)
        for poor, rich in crossing_in(rules, live):
            room.holder[:] = begun
            fixed = 1 << poor | 1 << rich
            told.append(bears(rules, state, live, decided, case.free(), fixed))
            assert sets_pass(*given, *among, case.flags(fixed), room) == told[-1]
        room.holder[:] = begun
        assert pairs.passes_test(*given, *among, room) == all(told)
        held = pairs.is_won_by_pairs(case.board, case.at, room)
        assert held == all(told)
        assert rules.settles(state) or not held
        met.update(told)
        leaves[rules.settles(state), bool(held)] += 1
    assert min(met.values()) > 40
    assert leaves[True, True] > 40
    assert leaves[False, False] > 20
    assert leaves[True, False] < 5


def sets_pass(
    board: Board,
    row: Longs,
    alive: Flags,
    among: Flags,
    decided: Flags,
    asking: Flags,
    room: Scratch,
) -> bool:
    """True if sets with some lines bear all stones, whatever these hold."""
    held = held_with(board.lines, asking, row[0], room)
    given = board, row, alive, among, decided, asking, np.zeros_like(asking), held, room
    return held == row[0] or bool(pairs.sets_pass(*given))


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
            room, decided = fitted(case), rules.decided(state.maker, state.breaker)
            begun, among = room.holder.copy(), (case.flags(live), case.flags(decided))
            for poor, rich in crossing_in(rules, live):
                room.holder[:] = begun
                fixed = 1 << poor | 1 << rich
                expected = bears(rules, state, live, decided, case.free(), fixed)
                lines = case.board, case.at.row, case.alive
                assert sets_pass(*lines, *among, case.flags(fixed), room) == expected
                told[expected] += 1
    assert min(told.values()) > 25


def fitted(case: Case) -> Scratch:
    """Matchings of two cells for each live line."""
    room = scratch_for(case.rules.cells)
    close(case.board.lines, case.at.maker | case.at.breaker, room)
    assert have_two_each(case.board.lines, case.flags(case.live), room)
    return room


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
            decided = rules.decided(state.maker, state.breaker)
            expected = all(
                bears(rules, state, live, decided, case.free(), 1 << poor | 1 << rich)
                for poor, rich in crossing_in(rules, live)
            )
            among = case.flags(live), case.flags(decided)
            held = pairs.passes_test(case.board, case.at.row, case.alive, *among, fitted(case))
            assert held == expected
            told[expected] += 1
    assert told[False] > 50


@pytest.mark.parametrize(
    ("rows", "stones"),
    [(((1, 7, 8, 9, 10), (7, 8, 11, 12, 13)), 5), (((1, 7, 8), (0, 8, 14), (7, 8, 9, 10, 11)), 4)],
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
        assert not rules.settles(case.state)
        assert not pairs.is_won_by_pairs(case.board, case.at, scratch_for(15))


@pytest.mark.more
def test_leaves_have_two_cells_for_each_live_line() -> None:
    found: Counter[bool] = Counter()
    for case in cases(8, 200)[::2]:
        rules, free = case.rules, case.free()
        two = all(rules.surplus(some, free) >= 0 for some in rules.subsets(case.live))
        assert two or not pairs.is_won_by_pairs(case.board, case.at, scratch_for(rules.cells))
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
        given = case.board, np.uint64(earlier), case.at, scratch_for(rules.cells)
        held = pairs.are_decided_safe(*given)
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
