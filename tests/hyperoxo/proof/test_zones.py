"""Plans with zones: those of the search are accepted, and nothing that is false."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.proof.registry import verify
from hyperoxo.proof.zones import FILE, Step, ZonePlan, check_zones, read_zones, zones_text
from hyperoxo.solvers.maker_breaker.plans import plan_by_weights, plan_of
from hyperoxo.solvers.maker_breaker.search import MakerSearch
from hyperoxo.solvers.theorems import bounds_by_theorems
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo.solvers.maker_breaker.test_search import GAMES, brute, drawn
from tests.marks import more

SPECS = (
    "3^2:convention=maker-breaker",
    "5,4,4:convention=maker-breaker",
    "3^3:convention=maker-breaker",
    "3^2:convention=maker-breaker,bias=1+2",
    "3^2:convention=maker-breaker,bias=2+1,first=2",
    "4^2:convention=maker-breaker",
    "4^2",
)


@lru_cache
def plan(spec: str) -> ZonePlan:
    game = Game(spec)
    search = MakerSearch(game, 1)
    return plan_of(search, game.start(), 1 if search.find(game.start()).maker_wins else 2)


@pytest.mark.parametrize("spec", more(SPECS, ["5,4,4:convention=maker-breaker"]))
def test_plans_are_accepted_and_read_back(spec: str) -> None:
    made = plan(spec)
    verdict = check_zones(made)
    assert (verdict.verdict, verdict.reason) == ("proved", "")
    text = zones_text(made, creator="a test")
    assert zones_text(read_zones(text), creator="a test") == text
    assert verify(text).proved
    assert verify(text).claim == made.statement


@pytest.mark.more
@settings(max_examples=150)
@given(GAMES, st.data())
def test_plans_of_random_games(spec: str, data: st.DataObject) -> None:
    position = drawn(data, spec)
    search = MakerSearch(position.game, 1)
    seat = 1 if search.find(position).maker_wins else 2
    made = plan_of(search, position, seat)
    assert check_zones(made).reason == ""
    wrong = replace(made, seat=3 - seat)
    assert check_zones(wrong).verdict == "rejected"


@pytest.mark.more
@settings(max_examples=300)
@given(GAMES, st.data())
def test_weights_that_decide_have_a_plan_of_one_row(spec: str, data: st.DataObject) -> None:
    """Either player is to move, at the beginning of a turn or later."""
    position = drawn(data, spec)
    made = plan_by_weights(position, 2)
    reasons = bounds_by_theorems(position).reasons
    said = {reason.code.name for reason in reasons if reason.facts.get("ends") == "wins"}
    if said & {"BIAS", "POTENTIAL"}:
        assert check_zones(made).proved
        assert len(made.steps) <= 1
    if check_zones(made).proved:
        assert not brute(position, {})
        assert read_zones(zones_text(made)) == made


def test_a_plan_of_the_player_who_begins_a_turn() -> None:
    """On a board that search does not take; nothing else in the file proves it."""
    for spec in ("12^3:bias=2+2", "12^3:bias=2+2,first=2", "12^3:bias=2+3,first=2"):
        position = Game(spec).start()
        text = zones_text(plan_by_weights(position, position.to_move))
        assert verify(text).proved
        assert text.endswith(b" 0 :\n")
        for end in (b" 1 :\n", b" 0 *\n", b" 0 0\n", b" 0 0:0+1\n", b" 0 :0+12\n"):
            assert not verify(rehash(text.removesuffix(b" 0 :\n") + end)).proved
        assert not verify(text.replace(b"seat ", b"seat  ")).proved
    assert not verify(rehash(text.replace(b"bias=2+3", b"bias=3+1"))).proved


FOUR = "8{0+1/2+3/4+5/6+7}:convention=maker-breaker"


@pytest.mark.parametrize(
    ("step", "holds"),
    [
        (Step(None, ((0, 1), (2, 3), (4, 5), (6, 7))), True),
        (Step(None, ((0, 1), (2, 3))), True),  # the others weigh 1/4 each, and 1/4 for a move
        (Step(None, ((0, 1),)), False),
        (Step(None, ()), False),
        (Step(None, ((0, 1), (1, 0))), False),
        (Step(None, ((0, 1), (1, 2), (4, 5))), False),
        (Step(None, ((0, 0), (2, 2))), False),
        (Step(None, ((0, 1), (2, 9))), False),
        (Step(None, None), False),
        (Step(0, None), False),
        (Step(0, ((2, 3), (4, 5))), False),
    ],
)
def test_leaves_hold_or_are_refused(step: Step, holds: bool) -> None:
    plan_of_one = ZonePlan(Game(FOUR), 2, "win", {(bytes(8), 0): step})
    assert check_zones(plan_of_one).proved is holds


@pytest.mark.parametrize("spec", ["3^2:convention=maker-breaker", SPECS[4]])
def test_every_row_is_needed_and_its_move_is_played(spec: str) -> None:
    made = plan(spec)
    for key, step in made.steps.items():
        steps = dict(made.steps)
        del steps[key]
        assert not check_zones(replace(made, steps=steps)).proved
        if step.move is not None:
            taken = [cell for cell, owner in enumerate(key[0]) if owner]
            for move in (*taken, 99):
                verdict = check_zones(replace(made, steps={**made.steps, key: Step(move)}))
                assert not verdict.proved


@pytest.mark.more
@settings(max_examples=150)
@given(GAMES, st.data())
def test_no_rows_at_random_prove_what_is_false(spec: str, data: st.DataObject) -> None:
    position = drawn(data, spec)
    game = position.game
    loser = 2 if brute(position, {}) else 1
    search = MakerSearch(game, 1)
    good = plan_of(search, position, 3 - loser)
    cell = st.integers(0, game.board.cell_count - 1)
    pairs = st.lists(st.tuples(cell, cell), max_size=3).map(tuple)
    step = st.builds(Step, st.none() | cell, st.none() | pairs)
    steps = {key: data.draw(step) for key in good.steps}
    false = ZonePlan(game, loser, "win", steps, position)
    assert not check_zones(false).proved


def test_a_missing_reply_is_named() -> None:
    made = plan("5,4,4:convention=maker-breaker")
    steps = dict(made.steps)
    steps.pop(max(steps, key=lambda key: sum(owner == 1 for owner in key[0])))
    verdict = check_zones(replace(made, steps=steps))
    assert verdict.verdict == "rejected"
    assert "nothing answers the moves" in verdict.reason or "no move is stored" in verdict.reason


@pytest.mark.parametrize("spec", ["3^2:misere", "3^2:players=3", "3^2:gravity"])
def test_rules_for_which_plans_prove_nothing(spec: str) -> None:
    verdict = check_zones(ZonePlan(Game(spec), 1, "draw", {}))
    assert "not supported" in verdict.reason


def test_each_claim_is_for_its_convention() -> None:
    game = Game("3^2:convention=maker-breaker")
    assert "not supported" in check_zones(ZonePlan(Game("3^2"), 1, "win", {})).reason
    assert "not supported" in check_zones(ZonePlan(game, 2, "draw", {})).reason


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("......... 0", "a step of a plan"),
        ("......... 0 4:", "claim fails|do not hold|pairs"),
        ("......... 0 04", "not a number"),
        ("......... 0 4:1+", "a step of a plan"),
        ("......... x 4", "not a number"),
        ("......... 0 99", "does not exist"),
        ("........ 0 4", "position"),
        ("......... 0 4\n......... 0 4", "listed twice"),
        ("......... 0 5\n......... 0 4", "listed twice|not written"),
    ],
)
def test_rows_that_make_no_sense(row: str, said: str) -> None:
    rows = row.split("\n")
    values = ("3^2:convention=maker-breaker", ".........", 1, "win", "-", 8)
    verdict = verify(FILE.text(values, rows))
    assert verdict.verdict == "rejected"
    assert any(part in verdict.reason for part in said.split("|")), verdict.reason


def test_a_damaged_file_and_another_game() -> None:
    text = zones_text(plan("3^2:convention=maker-breaker"))
    for at in range(0, len(text), 7):
        broken = text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :]
        assert not verify(broken).proved
    assert not verify(text[:-10]).proved
    with pytest.raises(NotationError):
        read_zones(text.replace(b"seat 1", b"seat 2"))
