"""What claims say of themselves: a verdict is worth no more than its sentence."""

from __future__ import annotations

import pytest

from hyperoxo.display import as_text
from hyperoxo.errors import NotationError, SpecError
from hyperoxo.game import Game
from hyperoxo.proof import Dictionary, Mirroring, Pairing, Prevention, Strategy, ZonePlan
from hyperoxo.proof.claim import Failure, Verdict, text_claim
from hyperoxo_research.proof.keyplan.plan import KeyPlan

WIN, DRAW = "player 2 wins 3^2", "player 1 gets at least a draw in 3^2"


@pytest.mark.parametrize("played", ["", "0", "4,0,8"])
def test_a_statement_says_who_gets_what_and_from_where(played: str) -> None:
    game, cube = Game("3^2"), Game("4^3")
    begins = game.position(f"moves:{played}") if played else None
    later = f" from {begins.text}" if begins is not None else ""
    assert Strategy(game, 2, "win", {}, begins).statement == WIN + later
    assert Strategy(game, 1, "draw", {}, begins).statement == DRAW + later
    assert ZonePlan(game, 2, "win", {}, begins).statement == WIN + later
    assert ZonePlan(game, 1, "draw", {}, begins).statement == DRAW + later
    assert Pairing(game, 1, (), begins).statement == f"{DRAW}{later} by pairing"
    plan = KeyPlan(game, 1, (0, 4), (), begins)
    assert plan.statement == f"{DRAW}{later} by a plan on 2 key cells"
    for claim, force in (("no-win", "a win"), ("no-draw", "even a draw")):
        sentence = f"player 1 cannot force {force} in 3^2{later} against player 2"
        assert Prevention(game, 1, claim, {}, begins).statement == sentence
    begins = cube.position(f"moves:{played}") if played else None
    later = f" from {begins.text}" if begins is not None else ""
    assert Dictionary(cube, 1, begins, {}).statement == f"player 1 wins 4^3{later}"


def test_the_start_is_spelled_in_one_way() -> None:
    game = Game("3^2")
    assert Strategy(game, 1, "draw", {}, game.start()).begins is None
    assert Strategy(game, 1, "draw", {}, game.start()) == Strategy(game, 1, "draw", {})
    assert Mirroring(Game("3^2:misere"), 1, ()).statement == (
        "player 1 gets at least a draw in 3^2:misere by mirroring"
    )


@pytest.mark.parametrize("seat", [-1, 0, 3])
def test_there_is_no_such_seat(seat: int) -> None:
    game, cube = Game("3^2"), Game("4^3")
    for make in (
        lambda: Strategy(game, seat, "draw", {}),
        lambda: ZonePlan(game, seat, "draw", {}),
        lambda: Pairing(game, seat, ()),
        lambda: Mirroring(Game("3^2:misere"), seat, ()),
        lambda: Prevention(game, seat, "no-win", {}),
        lambda: Dictionary(cube, seat, None, {}),
    ):
        with pytest.raises(SpecError, match=f"seat must be 1 to 2, not {seat}"):
            make()


def test_a_claim_begins_in_its_own_game() -> None:
    for make in (Strategy, ZonePlan):
        with pytest.raises(SpecError, match=r"belongs to 3\^2, not to 2\^2"):
            make(Game("2^2"), 1, "win", {}, Game("3^2").position("moves:0"))


def test_there_is_no_such_claim() -> None:
    game = Game("3^2")
    with pytest.raises(SpecError, match="a claim is 'win' or 'draw', not 'no-win'"):
        Strategy(game, 1, "no-win", {})
    with pytest.raises(SpecError, match="a claim is 'win' or 'draw', not 'loss'"):
        ZonePlan(game, 1, "loss", {})
    with pytest.raises(SpecError, match="a claim is 'no-win' or 'no-draw', not 'win'"):
        Prevention(game, 1, "win", {})
    assert text_claim("draw") == "draw"
    assert text_claim("no-win", ("no-win", "no-draw")) == "no-win"
    with pytest.raises(NotationError, match="the claim is 'loss', neither 'win' nor 'draw'"):
        text_claim("loss")


def test_a_failure_names_the_moves_that_lead_there() -> None:
    assert str(Failure("it fails", "1.2", ())) == "it fails: 1.2"
    assert str(Failure("it fails", "1.2", (0, 2))) == "it fails: 1.2, reached by the moves 0,2"


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        (Verdict(WIN, "proved", "", 3, 1.0), f"proved: {WIN} (3 positions, 1.00 s)"),
        (Verdict(WIN, "rejected", "no", 1, 1.0), f"rejected: {WIN}: no (1 position, 1.00 s)"),
        (Verdict("", "rejected", "no", 0, 1.0), "rejected: no (1.00 s)"),
    ],
)
def test_a_verdict_is_one_line(verdict: Verdict, text: str) -> None:
    assert as_text(verdict) == text
