"""Proof search as applications run it."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from hyperoxo.errors import NotSupportedError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo_web.server.proving import Memory, check_search, prove, suggestions_of, takes_proofs


def test_a_win_is_proved_and_news_come_before() -> None:
    news: list[dict[str, Any]] = []
    start = Game("4^3").position("moves:0,3,60,21,15,51,12,63")
    after = start.play(1)
    found = prove(
        start, seconds=60, suggestions=[(start, 56), (after, 2)], megabytes=4, on_update=news.append
    )
    assert (found["value"], found["winner"], found["suggested"]) == ("win", 1, 2)
    assert "win" in [move["value"] for move in found["moves"]]
    assert news[0]["progress"] == {"what": "getting ready"}
    assert json.loads(json.dumps(found)) == found


def test_a_wrong_suggestion_changes_the_order_and_not_the_result() -> None:
    position = Game("4^3").position("moves:0,3,60,21,15,51,12,63")
    values = {
        prove(position, seconds=60, suggestions=[(position, cell)], megabytes=4)["value"]
        for cell in position.legal_moves[:3]
    }
    assert values == {"win"}


def test_a_search_that_is_stopped_is_unknown() -> None:
    stop = threading.Event()
    stop.set()
    found = prove(Game("4^3").start(), seconds=60, megabytes=1, stop=stop)
    assert (found["value"], found["winner"], found["moves"]) == ("unknown", None, [])


def test_one_attacker_may_be_named() -> None:
    position = Game("3^2").position("moves:0")
    found = prove(position, seconds=60, attacker=1, megabytes=1)
    assert (found["value"], found["bounds"]) == ("unknown", ["draw", "win"])
    with pytest.raises(SpecError, match="attacker"):
        prove(position, seconds=60, attacker=0, megabytes=1)


@pytest.mark.more
def test_a_search_goes_on_with_what_the_one_before_knew() -> None:
    memory, stop = Memory(), threading.Event()
    start = Game("4^3").start()

    def search(cell: int, position: Position = start) -> dict[str, Any]:
        stop.clear()
        return prove(
            position,
            seconds=60,
            suggestions=[(position, cell)],
            megabytes=4,
            memory=memory,
            stop=stop,
            # The first news come before the search.
            on_update=lambda news: stop.set() if "nodes" in news["progress"] else None,
        )

    first, second = search(0), search(0)
    assert (first["value"], first["continued"]) == ("unknown", False)
    assert (second["value"], second["continued"]) == ("unknown", True)
    assert second["nodes"] > first["nodes"] > 0
    assert not search(1)["continued"]
    assert not search(1, start.play(0))["continued"]
    won = prove(Game("4,4,3").start(), seconds=60, megabytes=1, memory=memory)
    assert (won["value"], memory.solver) == ("win", None)


@pytest.mark.parametrize("spec", ["3^2:players=3", "3^3:misere", "4^3:gravity", "3^3:target=2"])
def test_games_without_proof_search_are_refused(spec: str) -> None:
    game = Game(spec)
    with pytest.raises(NotSupportedError, match="proof search"):
        check_search(game.start())
    assert not takes_proofs(game)


def test_suggestions_that_make_no_sense_are_refused() -> None:
    start = Game("3^3").start()
    for where, cell in ((start.play(13), 13), (Game("4^3").start(), 0), (start, 99)):
        with pytest.raises(SpecError):
            check_search(start, [(where, cell)])
    with pytest.raises(SpecError):
        check_search(Game("3^2").position("moves:0,3,1,4,2"))


def test_suggestions_come_from_a_dictionary() -> None:
    game = Game("3^3")
    [(where, cell)] = suggestions_of("What I would play:\n 13\n", game)
    assert (where, cell) == (game.start(), 13)
