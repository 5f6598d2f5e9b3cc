"""Proofs that are explored over HTTP: those of the program, files, and those of a search."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from hyperoxo.game import Game
from hyperoxo.play.explorer import Explorer
from hyperoxo.proof.answers import Pairing, pairing_text
from hyperoxo.proof.stored import STORED
from tests.hyperoxo.play.explorer.test_explorer import part, stored_strategy
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo_web.server.rooms import served

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
        explorer = Explorer.checked(part())
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
    explorer = Explorer.checked(part())
    where = explorer.position(explorer.hardest([])[:6])
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
