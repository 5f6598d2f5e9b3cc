"""2-matchings against Hall's theorem, on all sets of lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from hyperoxo.game import Game
from hyperoxo_research.proof.keyplan.board import MAIN, POOR, RICH, Flags, Lines, Tables
from hyperoxo_research.proof.keyplan.matching import (
    CLOSED,
    Scratch,
    can_have_more,
    close,
    have_two_each,
    scratch_for,
    spare_with,
    tightest_with,
)
from tests.hyperoxo_research.proof.keyplan.cases import Case, cases, crossing_in, largest_with


def test_lines_are_sorted_by_their_keys() -> None:
    lines = Tables(Game("6{0+1/1+2/3+4+5}").start(), 1, (0, 1)).lines
    assert lines.kinds.tolist() == [MAIN, RICH, POOR]
    assert lines.keys_on.tolist() == [3, 2, 0]
    assert lines.starts.tolist() == [0, 2, 4, 7]
    assert lines.cells.tolist() == [0, 1, 1, 2, 3, 4, 5]
    assert [len(one) for one in scratch_for(6)] == [6, 6, 7, 7, 7]


def test_lines_have_two_cells_each_as_hall_says() -> None:
    fates: Counter[bool] = Counter()
    for case in cases(3, 120):
        rules, free, room = case.rules, case.free(), scratch_for(case.rules.cells)
        # What was held or tried before is forgotten.
        room.tried[:], room.holder[:] = 1, 0
        close(case.board.lines, np.uint64(case.state.maker | case.state.breaker), room)
        assert {c for c in range(rules.cells) if room.holder[c] == CLOSED} == {
            c for c in range(rules.cells) if not free >> c & 1
        }
        fit = all(rules.surplus(some, free) >= 0 for some in rules.subsets(case.live))
        assert have_two_each(case.board.lines, case.flags(case.live), room) == fit
        fates[fit] += 1
    assert min(fates.values()) > 30


def settled(seed: int, boards: int) -> Iterator[tuple[Case, Scratch]]:
    """States whose live lines have two cells each, and room where they hold them."""
    for case in cases(seed, boards, 4):
        room = scratch_for(case.rules.cells)
        close(case.board.lines, np.uint64(case.state.maker | case.state.breaker), room)
        if have_two_each(case.board.lines, case.flags(case.live), room):
            yield case, room


def held_with(lines: Lines, asking: Flags, total: int, room: Scratch) -> int:
    """Cells beyond two for each line that some lines hold, one after another, at most so many."""
    held, closed = 0, np.zeros_like(room.tried)
    for line in np.flatnonzero(asking).tolist():
        held = spare_with(lines, line, held, total, closed, room)
        closed = room.tried.copy()
    return held


def test_one_more_cell_and_the_largest_set_without() -> None:
    """Lines that ask hold one more cell where all sets with them have one to spare."""
    fates: Counter[int] = Counter()
    told: Counter[bool] = Counter()
    for case, room in settled(8, 200):
        rules, lines, live, free = case.rules, case.board.lines, case.live, case.free()
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
                assert (one == CLOSED) == (not free >> cell & 1)
                assert one < 0 or rules.lines[one] >> cell & 1
            fates[found] += 1
            able = can_have_more(lines, case.flags(live), room)
            for at in range(len(rules.lines)):
                more = live >> at & 1 and not asking >> at & 1
                with_it = largest_with(rules, live, free, asking | 1 << at)[0] if more else least
                assert able[at] == (with_it > least)
                told[bool(able[at])] += 1
            given = case.flags(live), case.flags(asking), able
            holds, reached = tightest_with(lines, *given, room)
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
    room = scratch_for(13)
    close(made.lines, np.uint64(3), room)
    assert have_two_each(made.lines, live, room)
    assert held_with(made.lines, asking, 1, room) == 0
    able = can_have_more(made.lines, live, room)
    assert {names[at] for at in np.flatnonzero(able).tolist()} == {(8, 9, 10)}
    holds, reached = tightest_with(made.lines, live, asking, able, room)
    found = {names[at] for at in np.flatnonzero(holds).tolist()}
    assert found == {(0, 2, 3), (3, 4, 5), (1, 5, 6, 7)}
    assert np.flatnonzero(reached).tolist() == [2, 3, 4, 5, 6, 7]
