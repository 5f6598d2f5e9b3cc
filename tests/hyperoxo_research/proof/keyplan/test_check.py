"""Plans by lines: each condition of the checker by itself, on small boards, and what is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo_research.draws.key_plan_listing import listed
from hyperoxo_research.proof.keyplan.check import begins_well, pairs_have_spare_cells
from hyperoxo_research.proof.keyplan.file import check_key_plan, plan_text, read_plan
from hyperoxo_research.proof.keyplan.plan import KeyPlan, PlanState
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo_research.proof.keyplan.test_examine import plans


def state(stones: str, p: int, near: str, warm: str = "-", *, pairs: bool = True) -> PlanState:
    """A state as files have it."""
    owners = bytes(0 if one == "." else int(one) for one in stones)
    regions = tuple(map(int, near.split(","))) if near else ()
    lines = () if warm == "-" else tuple(map(int, warm.split(",")))
    return PlanState(owners, p, pairs, regions, lines)


def reason(plan: KeyPlan, *states: PlanState) -> str:
    return check_key_plan(replace(plan, states=states)).reason


ONE = KeyPlan(Game("5{0+1+2/2+3+4}"), 2, (2,), ())


def test_states_are_listed_once_in_their_order_and_asked_for() -> None:
    # Both lines bear none, and are warm from the beginning.
    start = state(".", 0, "0,0", "0,1")
    assert reason(ONE, start) == ""
    unanswered = "the state . with 0 0,0 0,1 counted has no answer to cell 2"
    assert reason(ONE, start._replace(pairs=False)) == unanswered
    later = "the state 2 with 0 counted is asked for never"
    assert reason(ONE, start, PlanState(b"\2", 0, pairs=True)) == later
    for wrong in (PlanState(b"\2", 0, pairs=True), state(".", 0, "0,0", "0")):
        assert reason(ONE, wrong) == "the first state of the plan is not listed"
    # What stands for more stones than are asked for.
    more = "the state . with 1 0,0 0,1 counted is asked for with 0 at most"
    assert reason(ONE, state(".", 1, "0,0", "0,1")) == more
    two = KeyPlan(Game("8{0+2+3+6/1+4+5+7}"), 2, (0, 1), ())
    start, first, second = (state(row, 0, "0,0") for row in ("..", "21", ".2"))
    assert reason(two, start) == ""
    after = "the state .. with 0 0,0 - counted is not after the state .. with 0 0,0 - counted"
    assert reason(two, start, start) == after
    swapped = "the state .2 with 0 0,0 - counted is not after the state 21 with 0 0,0 - counted"
    assert reason(two, start, first, second) == swapped
    never = "the state .2 with 0 0,0 - counted is asked for never"
    assert reason(two, start, second, first) == never
    image = "the state 12 with 0 0,0 - counted is not the greatest of its images"
    assert reason(two, start, state("12", 0, "0,0")) == image


def test_every_row_has_all_regions_and_rich_lines() -> None:
    start = state(".", 0, "0,0", "0,1")
    for wrong in ("0", "0,0,0"):
        assert (
            reason(ONE, state(".", 0, wrong)) == f"there are 2 regions, not {len(wrong) // 2 + 1}"
        )
        assert reason(ONE, start, state("2", 0, wrong)).startswith("there are 2 regions")
    # Without regions it is wide.
    none = "the state 2 with 0 counted has no answers that suffice to a stone elsewhere"
    assert reason(ONE, start, PlanState(b"\2", 0, pairs=False)) == none
    never = "the state 2 with 0 counted is asked for never"
    assert reason(ONE, start, PlanState(b"\2", 0, pairs=True)) == never
    mains = KeyPlan(Game("4{0+1/2+3}"), 2, (0, 1), ())
    states = state("..", 0, ""), state("..", 1, "0")
    assert reason(mains, *states) == "there are 0 regions, not 1"
    many = "the state . with 0 0,5 - counted has more than 4 in a region"
    assert reason(ONE, state(".", 0, "0,5")) == many
    images = reason(ONE, start, state(".", 0, "0,3", "0"))
    assert images.endswith("not the greatest of its images")
    # Open regions have no warm lines in the file, and a state with these alone has no regions.
    warm = "the state . with 0 0,4 0,1 counted has warm lines in an open region"
    assert reason(ONE, state(".", 0, "0,4", "0,1")) == warm
    for row, near in ((".", "4,4"), ("2", "0,0")):
        said = f"the state {row} with 0 {near} - counted is a wide one, written with regions"
        assert reason(ONE, state(row, 0, near)) == said
    assert reason(ONE, state(".", 0, "4,0", "1")) == ""
    for warm in ("0,2", "1,0", "0,0"):
        said = f"the state . with 0 0,0 {warm} counted has warm lines that are not rich ones"
        assert reason(ONE, state(".", 0, "0,0", warm)) == said
    mixed = KeyPlan(Game("6{0+1+2/3+4+5/0+4+5}"), 2, (0,), ())
    poor = [at for at in range(3) if 0 not in mixed.game.board.line(at).tolist()]
    assert reason(mixed, state(".", 0, "0,0", str(poor[0]))).endswith("that are not rich ones")


def test_files_count_so_many_stones_and_no_more() -> None:
    plan = replace(ONE, states=(state(".", 1, "2,3", "0,1"),))
    text = plan_text(plan)
    for counts in ("%d 2,3 0,1", "1 %d,3 0,1", "1 2,%d 0,1"):
        most = rehash(text.replace(b"1 2,3 0,1", (counts % 200).encode()))
        p, near, warm = (counts % 200).split()
        assert read_plan(most).states == (state(".", int(p), near, warm),)
        with pytest.raises(NotationError, match="201 stones cannot be counted"):
            read_plan(rehash(text.replace(b"1 2,3 0,1", (counts % 201).encode())))


@pytest.mark.more
def test_what_is_missing_is_named() -> None:
    """Of plans whose beginning pairs do not settle, each state in turn is left out."""
    said: set[str] = set()
    for _, plan in plans():
        start, *others = plan.states
        if start.pairs or len(plan.states) > 40:
            continue
        begins = reason(plan, start._replace(pairs=True), *others)
        assert begins.endswith(" is not settled by pairs")
        for at in range(len(others)):
            found = reason(plan, start, *others[:at], *others[at + 1 :])
            said.add(found.partition(" counted ")[2])
    cells = {f"has no answer to cell {cell}" for cell in range(3)}
    assert len(said & cells) > 1


def test_invariants_hold_where_it_begins() -> None:
    said = "in the first state some lines have too few cells off the keys"
    few = KeyPlan(Game("3{0+1}"), 2, (0,), ())
    assert reason(few, state(".", 0, "0", "0")) == said
    crossing = KeyPlan(Game("4{0+1+2/1+2+3}"), 2, (0,), ())
    rich = [at for at in range(2) if 0 in crossing.game.board.line(at).tolist()]
    assert reason(crossing, state(".", 0, "0", str(rich[0]))) == said


@pytest.mark.parametrize(
    ("lines", "breaker", "counted", "room"),
    [
        ("0+3+4/1+2+3", 0, (), True),
        ("0+3+4/1+2+3", 0, (4,), False),
        ("0+3+4/1+2+3", 1, (4,), True),
        ("0+3+4/1+2+3/0+1+6", 0, (4,), True),
        ("0+3+4/1+2+3/0+5+6", 0, (5, 6), True),
        ("0+5+6/1+2+3", 0, (1, 2), True),
        # Another rich line crosses, so that (e) is asked for only with few stones: u is 0.
        ("0+3+4/1+2+3+5/0+5+6+7", 0, (1, 4), False),
        ("0+3+4/1+2+3+5/0+5+6+7", 0, (1, 2, 4), True),
        ("0+3+4/1+2+3+5/0+5+6+7", 0, (4,), True),
    ],
)
def test_lines_that_cross_have_four_cells(
    lines: str, breaker: int, counted: tuple[int, ...], room: bool
) -> None:
    plan = KeyPlan(Game(f"8{{{lines}}}"), 2, (0,), ())
    if "7" in lines:
        assert plan.tables.by_lines.least == 1
    assert pairs_have_spare_cells(plan.tables, breaker, counted) is room


@pytest.mark.parametrize(
    ("counted", "said"),
    [((), ""), ((1,), "in the first state some lines have too few cells off the keys")],
)
def test_pairs_have_room_where_it_begins(counted: tuple[int, ...], said: str) -> None:
    """The poor line 1, 2, 3 and the rich one 0, 3, 4 have four cells off the keys."""
    moves = {(): "moves:", (1,): "moves:1,5"}[counted]
    game = Game("7{0+3+4/1+2+3}")
    begins = game.position(moves) if counted else None
    tables = KeyPlan(game, 2, (0,), (), begins).tables
    assert begins_well(tables, by_lines=True) is (not said)
    rich = next(at for at in range(2) if 0 in game.board.line(at).tolist())
    states = [(0, 0, len(counted), (0,), (rich,), True)]
    plan = listed(game, 2, (0,), states, begins, by_lines=True)
    assert check_key_plan(plan).reason == said
