"""What `examine` finds: lists of states by hand, and plans that are read off the rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from hyperoxo.proof import breaker_loops as loops
from hyperoxo.proof import breaker_region_forms as forms
from hyperoxo.proof import breaker_region_loops as by_region
from hyperoxo.proof.breaker_check import Tables
from hyperoxo.proof.breaker_regions import RegionStates, RegionTables, listed_by_regions
from hyperoxo.rules import Game
from tests.proof.breaker_region_reference import Counts
from tests.proof.test_breaker_region_loops import plans

Row = tuple[int, int, Counts]
"""Maker's keys, Breaker's, and the stones in the regions and elsewhere."""

LINES = "0+4+5+6/2+4+5+6+7+8/1+9+10+11/3+9+10+11+12+13+14"
# Keys 0 to 3, regions of the cells 4 to 8 and 9 to 14; Maker has 0, Breaker 1, and 2 and 3 are
# free. Breaker's 2 closes the first region, 3 the second, so that the stone is elsewhere then.
HERE: Row = 0b0001, 0b0010, (0, 0, 0)
TWO_AFTER_STONE, THREE_AFTER_STONE = (0b0001, 0b0110), (0b0001, 0b1010)
ANSWERS: dict[str, Row] = {
    "3 after 2": (0b0101, 0b1010, (0, 0, 0)),
    "2 after 3": (0b1001, 0b0110, (0, 0, 0)),
    "3 after 4": (*THREE_AFTER_STONE, (1, 0, 0)),
    "2 after 9": (*TWO_AFTER_STONE, (0, 1, 0)),
    "2 after 4": (*TWO_AFTER_STONE, (0, 0, 1)),
    "3 after 9": (*THREE_AFTER_STONE, (0, 0, 1)),
}
ALL = set(ANSWERS)


def look(here: Row, *others: Row, cells: int = 16, leaf: bool = False) -> tuple[int, int, set[Row]]:
    """Examine one of some listed states; return what is found and which states are asked for."""
    rows = sorted({here, *others})
    tables = Tables(Game(f"{cells}{{{LINES}}}").start(), 1, (0, 1, 2, 3))
    made = RegionTables(tables)
    leaves, asked = np.array([row != here or leaf for row in rows]), np.zeros(len(rows), np.bool_)
    wrong, where = by_region.examine(
        tables.lines,
        made.regions,
        made.images,
        np.array([row[0] for row in rows], np.uint64),
        np.array([row[1] for row in rows], np.uint64),
        np.array([row[2] for row in rows]),
        leaves,
        asked,
        tables.room(),
        rows.index(here),
    )
    return wrong, where, {row for row, some in zip(rows, asked, strict=True) if some}


def test_a_state_asks_for_an_answer_to_each_key_and_all_to_each_stone() -> None:
    rows = set(ANSWERS.values())
    assert look(HERE, *rows) == (loops.HOLDS, 0, rows)
    # Without the cell 15 nothing is elsewhere.
    assert look(HERE, *rows, cells=15) == (loops.HOLDS, 0, rows)
    few = {ANSWERS[name] for name in ("3 after 2", "2 after 3", "3 after 4", "2 after 9")}
    assert look(HERE, *few, cells=15) == (loops.HOLDS, 0, few)


@pytest.mark.parametrize(
    ("left_out", "wrong", "where"),
    [
        ({"3 after 2"}, loops.KEY, 2),
        ({"2 after 3"}, loops.KEY, 3),
        ({"2 after 4", "3 after 4"}, loops.PASS, 0),
        ({"2 after 9", "3 after 9"}, loops.PASS, 1),
        ({"2 after 4", "3 after 9"}, loops.PASS, 2),
        ({"2 after 4"}, loops.HOLDS, 0),
        ({"3 after 9"}, loops.HOLDS, 0),
        ({"3 after 4"}, loops.HOLDS, 0),
    ],
)
def test_what_is_missing_is_named(left_out: set[str], wrong: int, where: int) -> None:
    rows = [ANSWERS[name] for name in ALL - left_out]
    assert look(HERE, *rows)[:2] == (wrong, where)


def test_only_free_keys_are_answers() -> None:
    """Not a key of Maker's, nor one that Breaker has, nor the one that Maker takes now."""
    stones = {row for name, row in ANSWERS.items() if name not in ("3 after 2", "2 after 3")}
    other = ANSWERS["2 after 3"]
    for breaker in (0b0010, 0b0011, 0b0110):
        false = 0b0101, breaker, HERE[2]
        assert look(HERE, *stones, other, false) == (loops.KEY, 2, set())
    keys = {ANSWERS[name] for name in ("3 after 2", "2 after 3")}
    for breaker in (0b0010, 0b0011):
        for region in range(3):
            after = (int(region == 0), int(region == 1), int(region == 2))
            false = HERE[0], breaker, after
            assert look(HERE, *keys, false)[:2] == (loops.PASS, 0)
            assert false not in look(HERE, *keys, *stones, false)[2]


def test_taken_keys_need_no_answer() -> None:
    """With the keys 2 and 3 taken too, a stone has no answer; both regions are closed."""
    for here in ((0b0101, 0b1010, (0, 0, 0)), (0b1001, 0b0110, (0, 0, 0))):
        assert look(here) == (loops.PASS, 2, set())


def test_the_keys_that_must_be_hit() -> None:
    """A stone in the first region leaves two lines no cell to spare, and 2 must hit one."""
    here: Row = (*HERE[:2], (1, 0, 0))
    keys: list[Row] = [(0b0101, 0b1010, (0, 0, 1)), (0b1001, 0b0110, (0, 0, 1))]
    second: list[Row] = [(*THREE_AFTER_STONE, (1, 0, 1)), (*TWO_AFTER_STONE, (0, 1, 1))]
    three, two = (*THREE_AFTER_STONE, (2, 0, 0)), (*TWO_AFTER_STONE, (0, 0, 2))
    assert look(here, *keys, *second, three, two)[:2] == (loops.HOLDS, 0)
    assert look(here, *keys, *second, two)[:2] == (loops.HOLDS, 0)
    assert look(here, *keys, *second, three)[:2] == (loops.PASS, 0)


def test_a_leaf_is_looked_at_by_itself() -> None:
    """It asks for no other state."""
    assert look(HERE, leaf=True) == (loops.HOLDS, 0, set())


def test_what_examine_finds_wrong() -> None:
    """Every state without which an answer is missing, and the key or the region that misses it."""
    said: Counter[int] = Counter()
    for rules, plan in plans():
        if len(plan.states) == 1:
            continue
        room = plan.tables.room()
        for at in range(len(plan.states)):
            states = RegionStates(replace(plan, states=plan.states[:at] + plan.states[at + 1 :]))
            listed = {
                (int(one), int(two), tuple(given.tolist())): bool(leaf)
                for one, two, given, leaf in zip(
                    *(states.makers, states.breakers, states.counts, states.leaves), strict=True
                )
            }
            for place, (maker, breaker, counts) in enumerate(listed):
                free = [1 << k for k in range(rules.width) if not (maker | breaker) >> k & 1]

                def asks(one: int, two: int, given: Counts, left: dict = listed) -> bool:  # type: ignore[type-arg]
                    made = states.made  # noqa: B023
                    form = forms.form_of(
                        *(made.images, made.regions, np.uint64(one), np.uint64(two)),
                        np.array(rules.normal(one, two, given), np.int64),  # noqa: B023
                    )
                    return (int(form[0]), int(form[1]), tuple(form[2].tolist())) in left

                wrong, where = states.examine(place, room)
                said[wrong] += 1
                if listed[maker, breaker, counts]:
                    assert wrong == loops.HOLDS
                    continue
                keys = [
                    key
                    for key in free
                    if not any(asks(maker | key, breaker | y, counts) for y in free if y != key)
                ]
                if keys:
                    assert (wrong, where) == (loops.KEY, keys[0].bit_length() - 1)
                    continue
                fails = []
                for region, cells in enumerate(rules.places(maker, breaker)):
                    after = tuple(n + (r == region) for r, n in enumerate(counts))
                    replies = sum(y for y in free if asks(maker, breaker | y, after))
                    if cells and not rules.meets(maker, breaker, replies, counts, region):
                        fails.append(region)
                assert (wrong, where) == ((loops.PASS, fails[0]) if fails else (loops.HOLDS, 0))
    assert min(said[kind] for kind in (loops.HOLDS, loops.KEY, loops.PASS)) > 10


def test_leaves_and_images_are_examined() -> None:
    for _, plan in plans()[:6]:
        room = plan.tables.room()
        for at, state in enumerate(plan.states):
            if state.pairs:
                continue
            leaf = (*plan.states[:at], state._replace(pairs=True), *plan.states[at + 1 :])
            assert RegionStates(replace(plan, states=leaf)).examine(at, room) == (loops.LEAF, 0)
    game = Game("9{0+3+4/1+5+6/2+7+8/3+5+7}")
    plan = listed_by_regions(game, 2, (0, 1, 2), [(0, 0, (0, 0, 0, 0), True)])
    for stones, regions in (
        (bytes([1, 0, 0]), (0, 0, 0)),
        (bytes([2, 0, 0]), (0, 0, 0)),
        (bytes(3), (0, 1, 0)),
    ):
        moved = plan.states[0]._replace(stones=stones, regions=regions)
        other = RegionStates(replace(plan, states=(moved,)))
        assert other.examine(0, plan.tables.room()) == (loops.NOT_LEAST, 0)
