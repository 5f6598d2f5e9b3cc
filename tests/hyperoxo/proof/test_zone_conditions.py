"""Plans with zones: each condition of their reader and checker by itself, on a few lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hyperoxo.game import Game
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.proof.registry import verify
from hyperoxo.proof.zones import Step, ZonePlan, check_zones, lines_of, read_zones, zones_text
from tests.hyperoxo.proof.test_file import rehash

Rows = dict[tuple[str, int], Step]


def plan(spec: str, seat: int, rows: Rows, moves: str = "", claim: str = "win") -> ZonePlan:
    """Return a plan whose rows are given by positions, in any image."""
    rule = ",convention=maker-breaker" if ":" in spec else ":convention=maker-breaker"
    game = Game(spec + rule if claim == "win" else spec)
    begins = game.position(f"moves:{moves}") if moves else None
    empty = ZonePlan(game, seat, claim, {}, begins)
    lines, forms, steps = lines_of(empty), canonical_forms_of(game), {}
    for (position, place), step in rows.items():
        form, cells = forms.locate(lines.live_lines(bytes(map(int, position)))[1])
        at = {cell: i for i, cell in enumerate(cells)}
        pairs = None if step.pairs is None else tuple((at[a], at[b]) for a, b in step.pairs)
        steps[form, place] = Step(None if step.move is None else at[step.move], pairs)
    return replace(empty, steps=steps)


def reason(spec: str, seat: int, rows: Rows, moves: str = "") -> str:
    """Return what is wrong with a plan that wins, without the position where it is wrong."""
    verdict = check_zones(plan(spec, seat, rows, moves))
    assert verdict.proved is (verdict.reason == "")
    return verdict.reason.partition(" in ")[0].partition(", for ")[0]


@pytest.mark.parametrize(
    ("spec", "moves", "winner"),
    [
        ("4{0+1}", "0,2,1", 1),
        ("4{0+1}", "0,2", 1),
        ("4{0+1}", "2,0", 2),
        ("8{0+1/2+3}:target=2", "0,6,1,7,2,5", 1),
        ("8{0+1/2+3}:target=2", "0,6,1,2", 2),
        ("8{0+1/2+3}:bias=2+1", "4,5,6", 1),
    ],
)
def test_what_is_over_or_as_good_as_over(spec: str, moves: str, winner: int) -> None:
    assert reason(spec, winner, {}, moves) == ""
    assert reason(spec, 3 - winner, {}, moves) == "the claim fails"


def test_threats() -> None:
    one = {("00", 0): Step(0)}
    assert reason("2{0+1}", 1, one) == "nothing answers the moves 1"
    two = {("000", 0): Step(0)}
    assert reason("3{0+1/0+2}", 1, two) == ""
    assert check_zones(plan("3{0+1/0+2}", 1, two)).positions == 2
    # Who takes two cells a turn takes both that threaten.
    assert reason("3{0+1/0+2}:bias=1+2", 1, two) == "nothing answers the moves 1"
    three: Rows = {("000000", 0): Step(0)}
    spec = "6{0+1/0+2/0+3/1+4+5}:bias=1+2"
    assert reason(spec, 1, three) == "nothing answers the moves 1"
    assert reason(spec, 1, {**three, ("120000", 2): Step()}) == ""


def test_threats_of_the_rival_are_not_all_that_must_be_answered() -> None:
    """After the maker's second cell of a turn, 2, both lines need an answer."""
    rows = {("100001", 2): Step(1, ())}
    assert reason("6{0+1/2+3+4}:bias=2+1", 2, rows, "5") == "nothing answers the moves 2,3,4"


def test_what_a_plan_rests_on() -> None:
    """The move of the plan and what is threatened after it, but not the other part."""
    rows = {("00020", 1): Step(0)}
    assert reason("5{0+1/0+2/3+4}:first=2", 1, rows) == "nothing answers the moves 0,1,2"
    parts = {("20000000", 1): Step(5)}
    spec = "8{0+1/0+2/5+6/5+7}:first=2"
    assert reason(spec, 1, parts) == ""
    more = {**parts, ("02000000", 1): Step(5)}
    assert reason(spec, 1, more) == "1 row is never needed"
    more[("01000000", 1)] = Step(5)
    assert reason(spec, 1, more) == "2 rows are never needed"


def test_moves_that_share_a_cell() -> None:
    """The cell 1 is in the zones of both replies, and is the move to which there is none."""
    rows = {("20000", 1): Step(3), ("00020", 1): Step(0)}
    assert reason("5{0+1/0+2/3+1/3+4}:first=2", 1, rows) == "nothing answers the moves 1"


def test_lines_that_the_last_cells_of_a_turn_complete() -> None:
    """The maker needs both lines, and completes them in one turn."""
    rows = {("10102020", 1): Step(1)}
    spec = "8{0+1/2+3/4+5}:target=2,bias=2+1,first=2"
    assert reason(spec, 1, rows, "6,0,2") == "nothing answers the moves 1,3"


def test_what_the_rest_of_a_turn_rests_on() -> None:
    """After one cell, 8, the plan holds, and rests on the two other parts."""
    rows = {
        ("0000000020", 1): Step(),
        ("2000000020", 2): Step(4),
        ("2000120020", 1): Step(),
    }
    spec = "10{0+1/0+2/0+3/4+5/4+6/4+7/8+9}:bias=1+2,first=2"
    assert reason(spec, 1, rows) == "nothing answers the moves 0,1,2,3,4"
    assert reason(spec, 1, rows, "8") == ""


def test_lines_that_are_completed_in_vain_need_no_row() -> None:
    assert reason("4{0+1/2+3}:target=2", 2, {}, "0,2") == ""
    found = reason("7{0+1/2+3+4}:target=2", 2, {}, "0,5")
    assert found == "nothing answers the moves 1,2,3,4"


def test_moves_without_a_reply_are_named() -> None:
    found = reason("8{0+1+2+3+4+5+6+7}:first=2", 1, {})
    assert found == "nothing answers the moves 0,1,2,3,4"


def test_rows_without_a_move_where_the_plan_moves() -> None:
    found = reason("3{0+1/0+2}", 1, {("000", 0): Step()})
    assert found.startswith("no move is stored for position ...")
    assert reason("3{0+1/0+2}", 1, {("000", 0): Step(None, ())}) == "pairs and weights do not hold"


@pytest.mark.parametrize("step", [Step(3), Step(3, ())])
def test_moves_are_on_live_lines(step: Step) -> None:
    found = check_zones(plan("4{0+1/0+2}", 1, {("0000", 0): step})).reason
    assert found.endswith(", 3, is not a free cell on a live line")


@pytest.mark.parametrize(
    ("spec", "seat", "moves", "row", "step", "holds"),
    [
        # The maker completes the other line, or has too little after two cells.
        ("7{2+3/4+5}:bias=2+1", 2, "0,1", ("1100000", 2), Step(4, ()), False),
        ("7{2+3+6/4+5}:bias=2+1", 2, "0,1", ("1100000", 2), Step(4, ()), True),
        # The breaker has another cell to take first: 1/3, and once more what is heaviest.
        ("7{2+3/4+5}:bias=2+2", 2, "0,1", ("1100000", 2), Step(4, ()), True),
        ("9{2+3/4+5/6+7}:bias=2+2", 2, "0,1", ("110000000", 2), Step(4, ()), False),
        # The breaker begins a turn, with pairs or without, or goes on with one.
        ("7{2+3/4+5}:bias=2+2", 2, "0,1", ("1100000", 2), Step(None, ()), True),
        ("8{0+1/0+2/3+4/5+6}:first=2", 2, "", ("00000000", 0), Step(None, ()), False),
        ("8{0+1/0+2/3+4/5+6}:first=2", 2, "", ("00000000", 0), Step(None, ((3, 4),)), True),
        ("7{2+3/4+5}:bias=2+2", 2, "0,1,6", ("1100002", 3), Step(None, ()), False),
        ("8{2+3+6/4+5+7}:bias=2+2", 2, "0,1,6", ("11000020", 3), Step(None, ()), True),
        # No pairs where the maker takes both cells in a turn.
        ("9{2+3/4+5/6+7}:bias=2+2", 2, "0,1", ("110000000", 2), Step(None, ((2, 3),)), False),
        # Pairs and weights are for the breaker alone.
        ("6{0+1+2+3+4}:bias=2+1", 1, "", ("000000", 0), Step(0, ()), False),
        ("4{0+1/2+3}", 1, "", ("0000", 0), Step(0, ((2, 3),)), False),
    ],
)
def test_who_is_to_move_at_leaves(
    spec: str, seat: int, moves: str, row: tuple[str, int], step: Step, holds: bool
) -> None:
    expected = "" if holds else "pairs and weights do not hold"
    assert reason(spec, seat, {row: step}, moves) == expected


def test_moves_are_stored_where_the_plan_moves() -> None:
    for step in (Step(0), Step(0, ((0, 1), (2, 3)))):
        assert reason("4{0+1/2+3}", 2, {("0000", 0): step}).startswith("a move is stored where")


def test_plans_begin_as_soon_as_the_opening_is_over() -> None:
    found = plan("6^2:opening=0", 2, {("1" + "0" * 35, 1): Step(7, ())}, "0", "draw")
    assert check_zones(found).reason == ""
    assert "the opening restricts no more moves" in check_zones(replace(found, begins=None)).reason


def test_rows_are_read_back() -> None:
    for found in (
        plan("6{0+1/0+2/0+3/1+4+5}:bias=1+2", 1, {("000000", 0): Step(0), ("120000", 2): Step()}),
        plan("7{2+3+6/4+5}:bias=2+1", 2, {("1100000", 2): Step(4, ())}, "0,1"),
        plan("4{0+1/2+3}", 2, {("0000", 0): Step(None, ((0, 1), (2, 3)))}),
    ):
        text = zones_text(found, creator="a test")
        assert verify(text).proved
        assert read_zones(text) == found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"symmetries 4", b"symmetries 1", "has 4 symmetries, not 1"),
        (b"creator -", b"creator  x", "is not written the way"),
        (b"\n...... 0 0\n", b"\n...... 0 6\n", "the step '6' names a cell that does not exist"),
        (b"\n...... 0 0\n", b"\n...... 0 0:6+1\n", "the step '0:6+1' names a cell"),
        (b"\n...... 0 0\n", b"\n...... 0 \n", "'' is not a step of a plan"),
        (b"\n...... 0 0\n", b"\n...... 0 0*\n", "'0*' is not a step of a plan"),
    ],
)
def test_files_that_make_no_sense(old: bytes, new: bytes, said: str) -> None:
    rows = {("000000", 0): Step(0), ("120000", 2): Step()}
    text = zones_text(plan("6{0+1/0+2/0+3/1+4+5}:bias=1+2", 1, rows))
    changed = text.replace(old, new)
    assert changed != text
    assert said in verify(rehash(changed)).reason


def test_rows_ascend_and_come_once() -> None:
    found = plan(
        "6{0+1/0+2/0+3/1+4+5}:bias=1+2", 1, {("000000", 0): Step(0), ("120000", 2): Step()}
    )
    *head, one, two, end = zones_text(found).split(b"\n")
    for rows, said in (((two, one), "is not written the way"), ((two, two), "is listed twice")):
        assert said in verify(rehash(b"\n".join([*head, *rows, end]))).reason
