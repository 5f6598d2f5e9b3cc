"""Plans by regions: each condition of the checker by itself, on small boards, and what is said."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from hyperoxo.errors import NotationError
from hyperoxo.proof.breaker import (
    BreakerPlan,
    PlanState,
    check_breaker,
    plan_text,
    read_plan,
)
from hyperoxo.proof.breaker_regions import RegionTables, listed_by_regions
from hyperoxo.rules import Game
from tests.proof.test_breaker_region_loops import plans
from tests.proof.test_file import rehash


def state(stones: str, counts: str, *, pairs: bool = True) -> PlanState:
    """A state as files have it."""
    *regions, elsewhere = map(int, counts.split(","))
    owners = bytes(0 if one == "." else int(one) for one in stones)
    return PlanState(owners, elsewhere, pairs, tuple(regions))


def reason(plan: BreakerPlan, *states: PlanState) -> str:
    return check_breaker(replace(plan, states=states)).reason


@cache
def inner() -> BreakerPlan:
    """A plan whose beginning is not settled by pairs, with two regions."""
    spec = "12{1+2+4+5+8+10/0+1+4+8+9/0+3+6+7/6+10/3+4+5+8/0+2}"
    rows = ("2.. 0,0,1", "2.. 0,1,0", "1.2 0,0,0", "21. 0,0,0", "2.1 0,0,0")
    settled = tuple(state(*row.split()) for row in rows)
    found = BreakerPlan(Game(spec), 2, (0, 1, 2), (state("...", "0,0,0", pairs=False), *settled))
    assert check_breaker(found).proved
    return found


def test_states_are_listed_once_in_their_order_and_asked_for() -> None:
    one = BreakerPlan(Game("5{0+1+2/2+3+4}"), 2, (2,), ())
    start = state(".", "0,0,0")
    assert reason(one, start) == ""
    later = "the state 2 with 0,0,0 counted is asked for never"
    assert reason(one, start, state("2", "0,0,0")) == later
    assert reason(one, state("2", "0,0,0")) == "the state where it begins is not listed"
    assert reason(one, state(".", "0,0,1")) == "the state where it begins is not listed"
    two = BreakerPlan(Game("6{0+2+3/1+4+5}"), 2, (0, 1), ())
    start, first, second = (state(row, "0,0,0") for row in ("..", "21", ".2"))
    after = "the state .. with 0,0,0 counted is not after the state .. with 0,0,0 counted"
    assert reason(two, start, start) == after
    swapped = "the state .2 with 0,0,0 counted is not after the state 21 with 0,0,0 counted"
    assert reason(two, start, first, second) == swapped
    never = "the state .2 with 0,0,0 counted is asked for never"
    assert reason(two, start, second, first) == never
    image = "the state 12 with 0,0,0 counted is not the greatest of its images"
    assert reason(two, start, state("12", "0,0,0")) == image


def test_every_row_counts_in_all_regions() -> None:
    one = BreakerPlan(Game("5{0+1+2/2+3+4}"), 2, (2,), ())
    said = "stones are counted in 2 regions and elsewhere"
    for wrong in ("0,0", "0,0,0,0"):
        assert reason(one, state(".", wrong)) == said
        assert reason(one, state(".", "0,0,0"), state("2", wrong)) == said
    without = PlanState(b"\0", 0, pairs=True)
    assert reason(one, without, state("2", "0,0,0")) == said
    assert reason(one, state(".", "0,0,0"), without._replace(stones=b"\2")) == said


def test_files_count_so_many_stones_and_no_more() -> None:
    plan = BreakerPlan(Game("5{0+1+2/2+3+4}"), 2, (2,), (state(".", "1,2,3"),))
    text = plan_text(plan)
    for counts in ("%d,2,3", "1,%d,3", "1,2,%d"):
        most = rehash(text.replace(b"1,2,3", (counts % 200).encode()))
        assert read_plan(most).states == (state(".", counts % 200),)
        with pytest.raises(NotationError, match="201 stones cannot be counted"):
            read_plan(rehash(text.replace(b"1,2,3", (counts % 201).encode())))


def test_what_is_missing_is_named() -> None:
    plan = inner()
    start, *others = plan.states
    assert reason(plan, start._replace(pairs=True), *others) == (
        "the state ... with 0,0,0 counted is not settled by pairs"
    )
    for at, said in enumerate(
        (
            "has no answers that suffice to a stone in the region of cell 3",
            "has no answers that suffice to a stone in the region of cell 4",
            *(f"has no answer to cell {cell}" for cell in (0, 1, 2)),
        )
    ):
        left = (*others[:at], *others[at + 1 :])
        assert reason(plan, start, *left) == f"the state ... with 0,0,0 counted {said}"


def test_a_stone_elsewhere_is_named() -> None:
    """Some plan has a state that only answers stones in no open region."""
    for _, plan in plans():
        for at in range(1, len(plan.states)):
            left = (*plan.states[:at], *plan.states[at + 1 :])
            if reason(plan, *left).endswith("has no answers that suffice to a stone elsewhere"):
                return
    raise AssertionError("no plan answers stones elsewhere")


def test_invariants_hold_where_it_begins() -> None:
    few = BreakerPlan(Game("3{0+1}"), 2, (0,), ())
    said = "where it begins some lines have too few cells off the keys"
    assert reason(few, state(".", "0,0")) == said
    crossing = BreakerPlan(Game("4{0+1+2/1+2+3}"), 2, (0,), ())
    assert reason(crossing, state(".", "0,0")) == said


@pytest.mark.parametrize(
    ("lines", "breaker", "counted", "room"),
    [
        ("0+3+4/1+2+3", 0, (), True),
        ("0+3+4/1+2+3", 0, (4,), False),
        ("0+3+4/1+2+3", 1, (4,), True),
        ("0+3+4/1+2+3/0+1+6", 0, (4,), False),
        ("0+3+4/1+2+3/0+5+6", 0, (5, 6), True),
        ("0+5+6/1+2+3", 0, (1, 2), True),
    ],
)
def test_lines_that_cross_have_four_cells(
    lines: str, breaker: int, counted: tuple[int, ...], room: bool
) -> None:
    plan = BreakerPlan(Game(f"8{{{lines}}}"), 2, (0,), ())
    assert RegionTables(plan.tables).pairs_have_room(breaker, counted) is room


def test_states_may_come_in_any_image_and_order() -> None:
    plan = inner()
    rows = [
        (
            sum(1 << at for at, owner in enumerate(one.stones) if owner == 1),
            sum(1 << at for at, owner in enumerate(one.stones) if owner == 2),
            (*one.regions, one.counted),
            one.pairs,
        )
        for one in plan.states
    ]
    spare = (1, 6, (0, 0, 0), True)
    assert listed_by_regions(plan.game, 2, plan.keys, [spare, *reversed(rows)]) == plan
    # Nothing is asked for where the beginning is not listed.
    assert listed_by_regions(plan.game, 2, plan.keys, [spare]).states == ()
