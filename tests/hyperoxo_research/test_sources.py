"""What research says of positions, by numbers worked out by hand, and where it has to be silent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hyperoxo.game import Game, Reason, Why
from hyperoxo.solvers.theorems import no_draw
from hyperoxo_research import sources
from hyperoxo_research.draws.regions import Region
from hyperoxo_research.draws.stored import stored_cases, stored_filling
from hyperoxo_research.sources import SOURCE
from tests.expect import require
from tests.hyperoxo.solvers.test_theorems import AVOIDER, DRAW, LOSS, MAKER, SIX, WIN, at, said
from tests.hyperoxo.solvers.test_values import TRIPLES


def test_regions() -> None:
    def why(code: Why, maker: int, **more: str) -> Reason:
        return code(maker=maker, breaker=3 - maker, regions=2, **more)

    # After 4, 0, 8 player 2 has two lines left, of two free cells each; player 1's are one region.
    held = (LOSS, DRAW, (why(Why.REGIONS, 2, ends="never loses"),))
    assert said(SOURCE.bounds, at("3^2", "4,0,8")) == [held]
    assert said(SOURCE.bounds, at("3^2", "4,0")) == []
    parts = "8{0+1+2/0+3/2+3/4+5+6/4+7/6+7}"
    # Each part is won by the one who begins in it, so two of them are too many to hold.
    assert said(SOURCE.bounds, at(parts)) == []
    assert said(SOURCE.bounds, at(f"{parts}:{MAKER}")) == [(WIN, WIN, (why(Why.REGIONS_WON, 1),))]
    assert said(SOURCE.bounds, at(f"{parts}:{MAKER},first=2")) == [
        (LOSS, LOSS, (why(Why.REGIONS_WON, 1),))
    ]
    # With one more line to reach, a line is no win.
    assert said(SOURCE.bounds, at(f"{parts}:{MAKER},target=2")) == []
    pairs = "4{0+1/2+3}"
    first, second = (why(Why.REGIONS, maker, ends="never loses") for maker in (2, 1))
    assert said(SOURCE.bounds, at(pairs)) == [(DRAW, WIN, (first,)), (LOSS, DRAW, (second,))]
    assert said(SOURCE.bounds, at(f"{pairs}:{MAKER}")) == [
        (LOSS, LOSS, (why(Why.REGIONS, 1, ends="wins"),))
    ]
    for option in ("misere", "bias=1+2", "players=3", "opening=0", AVOIDER):
        assert said(SOURCE.bounds, at(f"{pairs}:{option}")) == [], option
    assert said(SOURCE.bounds, at("2^2:gravity", "0,1")) == []
    assert said(SOURCE.bounds, at(f"{pairs}:opening=0", "0"))
    assert said(SOURCE.bounds, at("2{0+1}")) == []


def test_regions_that_are_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = Region((0, 1), ((0, 1),), maker_first=None, breaker_first=None)
    monkeypatch.setattr(sources, "regions", lambda position, maker: (unknown, unknown))
    for option in ("", f":{MAKER}", f":{MAKER},first=2"):
        assert said(SOURCE.bounds, at(f"4{{0+1/2+3}}{option}")) == []


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("3^3", Why.NO_DRAW_OF_SIDE_3()),
        ("3^4", Why.NO_DRAW_OF_SIDE_3()),
        ("3^3:blocked=0", Why.NO_DRAW(lines=1, all_lines=42, reached="a line")),
        ("3^3:target=2", Why.NO_DRAW(lines=3, all_lines=49, reached="2 lines")),
        (TRIPLES, Why.NO_DRAW(lines=5, all_lines=35, reached="a line")),
        (f"{TRIPLES}:target=3", Why.NO_DRAW(lines=5, all_lines=35, reached="3 lines")),
        # By a proof that is stored.
        pytest.param(
            "3^4:target=15",
            Why.NO_DRAW(lines=29, all_lines=272, reached="15 lines"),
            marks=pytest.mark.more,
        ),
        ("3^4:target=15,misere", None),
        pytest.param(
            "3^4:target=12,blocked=centre",
            Why.NO_DRAW_BY_CASES(reached="12 lines"),
            marks=pytest.mark.more,
        ),
        ("3^4:target=13,blocked=centre", None),
        # Of four lines at most each has a player, and a filling has five of one colour.
        (f"{TRIPLES}:target=4", None),
        # Two lines are shared out, one to each.
        (f"{SIX}:target=2", None),
        ("3^3:target=3", None),
        ("3^3:blocked=centre", None),
        ("3^2", None),
        ("2^3", None),
        ("4^3", None),
    ],
)
def test_no_draw(spec: str, why: Reason | None) -> None:
    found = no_draw(Game(spec))
    assert (found and found.reason) == why


@pytest.mark.more
def test_no_draw_by_stored_cases_that_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("3^4:target=12,blocked=centre")
    found = require(stored_cases(game))
    monkeypatch.setattr(sources, "stored_cases", lambda _: replace(found, rows=found.rows[1:]))
    assert sources._by_file.__wrapped__(game) is None
    monkeypatch.setattr(sources, "stored_cases", lambda _: None)
    assert sources._by_file.__wrapped__(game) is None


@pytest.mark.more
def test_no_draw_by_a_stored_proof_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("3^4:target=15")
    found = require(stored_filling(game))
    assert sources._by_file.__wrapped__(game) == found
    # Lighter cells would give more lines, if they held.
    wrong = replace(found, weights=tuple((cell, weight / 2) for cell, weight in found.weights))
    assert wrong.least_lines > found.least_lines
    monkeypatch.setattr(sources, "stored_filling", lambda game: wrong)
    assert sources._by_file.__wrapped__(game) is None
