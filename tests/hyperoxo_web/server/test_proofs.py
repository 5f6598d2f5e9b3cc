"""Proofs that are searched with suggestions, and explored over HTTP."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from hyperoxo.errors import NotSupportedError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.proof.answers import Pairing, pairing_text
from hyperoxo.proof.stored import STORED
from hyperoxo_web.server.proving import Memory, check_search, prove, suggestions_of, takes_proofs
from tests.hyperoxo.play.explorer.test_explorer import checked, part, stored_strategy
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo_web.server.sessions import served

TREES = "/api/proof-trees"


def text(data: bytes) -> dict[str, str]:
    return {"proof": data.decode("ascii")}


@pytest.mark.more
async def test_a_file_is_checked_kept_and_opened(tmp_path: Path) -> None:
    async with served(tmp_path) as (client, _):
        answer = await client.post(TREES, json=text(part()))
        assert answer.status_code == 201, answer.text
        new = answer.json()
        assert (new["kind"], new["game"]) == ("dictionary", "4^3")
        assert new["url"] == f"/proof/{new['name']}"
        path = f"{TREES}/{new['name']}"
        top = (await client.get(path, params={"wait": 60})).json()
        explorer = checked(part())
        assert {**top, **explorer.node([])} == top
        assert (top["counted"], top["positions"]) == (True, 98)
        moves = top["hardest"][:3]
        node = (await client.get(path, params={"at": ",".join(map(str, moves))})).json()
        assert {**node, **explorer.node(moves)} == node
    assert len(list((tmp_path / "proofs").iterdir())) == 2
    async with served(tmp_path) as (client, _):  # the server was started anew
        assert {**(await client.get(path)).json(), "share": top["share"]} == top


@pytest.mark.more
async def test_proofs_of_the_program_have_answers_at_once(client: httpx.AsyncClient) -> None:
    node = (await client.get(f"{TREES}/4^3", params={"at": "0"})).json()
    assert (node["claim"], node["turn"], node["player"]) == ("player 1 wins 4^3", "other", 2)
    assert len(node["replies"]) == 12
    proofs = (await client.get(TREES)).json()["proofs"]
    assert (proofs[0]["name"], len(proofs)) == ("4^3", len(STORED))


@pytest.mark.more
async def test_what_does_not_hold_is_refused(client: httpx.AsyncClient) -> None:
    good = stored_strategy("3^2", 2, "draw")
    for data, words in (
        (b"something else", "not a proof file"),
        (good[:-2], "hash is wrong"),
        (rehash(good.replace(b"claim draw", b"claim win")), "the claim fails at the end"),
        (b"hyperoxo-strategy 1\ngame 99^9\n", "cells"),
    ):
        answer = await client.post(TREES, json=text(data))
        assert answer.status_code in (422, 429), answer.text
        assert words in answer.json()["error"]["message"]
        assert "\n" not in answer.json()["error"]["message"]
    assert (await client.post(TREES, json=text(b"x" * 1_100_000))).status_code == 413
    for name in ("nothing", "..%2Fgames", "0" * 20):
        assert (await client.get(f"{TREES}/{name}")).status_code == 404
    assert (await client.post(TREES, json={})).status_code == 422
    for at, words in (("x", "commas"), ("99", "move 1"), ("62", "the proof plays 0")):
        answer = await client.get(f"{TREES}/4^3", params={"at": at})
        assert answer.status_code == 422
        assert words in answer.json()["error"]["message"]


@pytest.mark.more
async def test_a_pairing_has_pairs_and_no_sizes(client: httpx.AsyncClient) -> None:
    data = pairing_text(Pairing(Game("3{0+1}"), 2, ((0, 1),)))
    name = (await client.post(TREES, json=text(data))).json()["name"]
    node = (await client.get(f"{TREES}/{name}", params={"at": "0"})).json()
    assert (node["pairs"], node["answer"]) == ([[0, 1]], {"cell": 1, "by": "pair"})
    assert node["positions"] is None


@pytest.mark.more
async def test_what_a_search_found_can_be_explored(client: httpx.AsyncClient) -> None:
    explorer = checked(part())
    where = explorer.position(explorer.hardest([])[:8])
    asked = {"game": "4^3", "position": where.text, "seconds": 60}
    job = (await client.post("/api/proofs", json=asked)).json()["id"]
    async with client.stream("GET", f"/api/analyses/{job}/events") as events:
        async for _ in events.aiter_lines():
            pass
    found = (await client.get(f"/api/analyses/{job}")).json()["result"]
    assert (found["value"], found["certificate"]) == ("win", True)
    new = (await client.post(TREES, json={"search": job})).json()
    assert new["claim"].startswith("player 1 wins 4^3 from ")
    assert (await client.post(TREES, json={"search": job})).json()["name"] == new["name"]
    node = (await client.get(f"{TREES}/{new['name']}", params={"wait": 60})).json()
    assert (node["turn"], node["player"]) == ("proof", 1)
    assert node["positions"] > 5


def test_a_win_is_proved_and_news_come_before() -> None:
    news: list[dict[str, Any]] = []
    start = Game("4^3").position("moves:0,3,60,21,15,51,12,63")
    after = start.play(1)
    found = prove(
        start,
        seconds=60,
        suggestions=[(start, 56), (after, 2)],
        megabytes=4,
        on_progress=news.append,
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


def test_a_search_that_is_stopped_is_unknown(stop: threading.Event) -> None:
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
            on_progress=lambda news: stop.set() if "nodes" in news["progress"] else None,
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
