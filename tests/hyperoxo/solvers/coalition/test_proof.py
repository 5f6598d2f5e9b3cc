"""Certificates of what all the others together keep one seat from."""

from __future__ import annotations

import threading

import pytest

from hyperoxo.errors import CheckFailedError, LimitError, SpecError
from hyperoxo.game import Game, Value
from hyperoxo.proof import Prevention, Strategy, check_proof, prevention_text, verify
from hyperoxo.proof.registry import proof_text
from hyperoxo.solvers.coalition.forces import coalition_proof
from hyperoxo.solvers.coalition.search import forcing, prevention_of
from hyperoxo.task import Task
from tests.expect import message_of, require
from tests.marks import more

MEGABYTE = 1_300_000


@pytest.mark.parametrize("players", more([3, 4, 5], but=[5]))
def test_nobody_wins_qubic_against_all_the_others(players: int) -> None:
    for seat in range(1, players + 1):
        found = coalition_proof(f"4^3:players={players}", seat, "no-win")
        assert isinstance(found, Prevention)
        text = prevention_text(found)
        assert len(text) < 10_000
        verdict = verify(text)
        assert verdict.proved, verdict
        assert verdict.claim.startswith(f"player {seat} cannot force a win in 4^3")


@pytest.mark.parametrize(
    ("players", "seat"),
    more(
        [
            (3, 3),
            *(
                pytest.param(players, seat, marks=pytest.mark.slow)
                for players in (3, 4, 5)
                for seat in range(1, players + 1)
            ),
        ],
        [(3, 3)],
    ),
)
def test_nobody_draws_qubic_against_all_the_others(players: int, seat: int) -> None:
    found = coalition_proof(f"4^3:players={players}", seat, "no-draw")
    assert isinstance(found, Prevention)
    text = prevention_text(found)
    assert 10_000 < len(text) < MEGABYTE
    verdict = verify(text)
    assert verdict.proved, verdict
    assert verdict.seconds < 60


@pytest.mark.parametrize(
    ("spec", "seat", "claim", "kind"),
    [
        ("3^2:players=3", 1, "draw", Strategy),
        ("3^2:players=3", 1, "no-draw", None),
        ("3^2:players=3", 1, "win", None),
        ("2^2:players=3", 1, "win", Strategy),
        ("2^2:players=3", 1, "no-win", None),
        pytest.param("3^2:players=3", 3, "draw", Strategy, marks=pytest.mark.more),
        ("2^3:players=3", 1, "win", Strategy),
        ("3^2:players=3,gravity", 1, "draw", Strategy),
        pytest.param("3^2:players=3,misere", 2, "draw", Strategy, marks=pytest.mark.more),
        pytest.param("3^2:players=3,opening=0", 2, "draw", Strategy, marks=pytest.mark.more),
        ("7{0+1+2/2+3+4/4+5/1+3+5/0+6}:players=3", 1, "win", None),
        ("3^2:players=3,misere", 3, "no-draw", Prevention),
        ("3^2:players=3,gravity", 2, "no-win", Prevention),
        ("3^2:players=3,opening=poor", 2, "no-win", Prevention),
        ("3^2:target=2,players=3", 3, "no-win", Prevention),
        ("3^3", 2, "no-draw", Prevention),
    ],
)
def test_claims_of_all_kinds(spec: str, seat: int, claim: str, kind: type | None) -> None:
    found = coalition_proof(spec, seat, claim)
    if kind is None:
        assert found is None
        return
    assert isinstance(found, kind)
    assert isinstance(found, Strategy | Prevention)
    assert found.claim == claim
    assert check_proof(found).proved


def test_a_proof_from_a_later_position() -> None:
    for moves, seat, claim, kind in (
        ("4,0,1", 2, "no-win", Prevention),
        ("4,0", 3, "draw", Strategy),
    ):
        position = Game("3^2:players=3").position(f"moves:{moves}")
        found = require(coalition_proof(position, seat, claim))
        assert isinstance(found, kind)
        assert found.position == position
        assert verify(proof_text(found)).proved


def test_requests_that_make_no_sense() -> None:
    assert "a claim is" in message_of(SpecError, coalition_proof, "2^2:players=3", 1, "nothing")
    assert "seat must be" in message_of(SpecError, coalition_proof, "2^2:players=3", 4, "win")


def test_limits(stop: threading.Event) -> None:
    start = Game("3^3:players=3").start()
    found = forcing(start, 1, Value.DRAW)
    assert "more than 100 replies" in message_of(LimitError, prevention_of, found, most=100)
    assert "within the limit" in message_of(LimitError, prevention_of, found, Task(stop=stop))
    assert "within the limit" in message_of(LimitError, prevention_of, found, Task.within(0.0))
    won = Game("2^2:players=3").start()
    with pytest.raises(CheckFailedError, match="was not shown"):
        prevention_of(forcing(won, 1, Value.WIN))


def test_a_search_ends_when_it_is_told(stop: threading.Event) -> None:
    start = Game("5^3:players=3").start()
    assert forcing(start, 1, Value.DRAW, Task(stop=stop)).nodes == 0
    few = forcing(start, 1, Value.DRAW, nodes=500)
    assert few.forced is None
    assert few.nodes <= 501
    timer = threading.Timer(0.3, stop.set)
    stop.clear()
    timer.start()
    assert forcing(start, 1, Value.DRAW, Task(stop=stop)).forced is None
