"""By no door does a client make the server build a board that is larger than it takes."""

from __future__ import annotations

import asyncio
import json
import resource
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest
from fastapi.routing import APIRoute

from hyperoxo.board import Board, registry
from hyperoxo.board.registry import BoardSpec
from hyperoxo_web.pages import browser_sessions
from hyperoxo_web.server import HOME, RefusedError
from hyperoxo_web.server.workers import Workers
from tests.hyperoxo_web.pages.simulated import Table
from tests.marks import more

HUGE = (
    *("2^12", "1000^2", "3^9", "100^3:connect=5", "2^11:wrap", "9^9:gravity", "1^99999"),
    *("1000,1000,5", "999999999,999999999,5", "300,300,5:wrap=1", "999999999^999999999"),
    *("1000000{0+1}", "999999999{}", "46^2:blocked=0+1+2", "2500^1:players=8,bias=1+1"),
    *("50,50,2:misere,target=3", "13^3:opening=poorx3", "7^5:convention=maker-breaker"),
)
SPEC = "2^12"
RECORDS = (
    f"{SPEC} 0-1",
    f"{SPEC} moves:0,1",
    f"{SPEC} {'.' * 40}",
    f"{SPEC}\nXO\n..",
    f'[Game "{SPEC}"]\n\n1. 0 1 *',
    f"(;FF[4]GM[4]RU[{SPEC}];B[aa])",
    json.dumps({"format": "hyperoxo-record", "version": 1, "game": SPEC, "moves": []}),
    f"hyperoxo-pairing 1\nsha256 {64 * '0'}\ngame {SPEC}\n",
    f"/p/{SPEC}",
    f"{SPEC}/0,1",
    f"td:game={SPEC}",
)
"""Other texts that name a game."""

_MOST_GROWTH = 256
"""Megabytes; each of most boards here would take more."""


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[Board]:
    """Every board that is built, with none kept from before; no process begins to search."""
    found: list[Board] = []
    build = registry._built.__wrapped__

    def spied(spec: BoardSpec) -> Board:
        board: Board = build(spec)
        found.append(board)
        return board

    async def search(*_: Any, **__: Any) -> None:
        raise RefusedError("worker", "there are none here")

    monkeypatch.setattr(registry, "_built", spied)
    monkeypatch.setattr(Workers, "search", search)
    return found


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def check(built: list[Board], before: float) -> None:
    sizes = [(board.cell_count, board.line_count) for board in built]
    assert all(cells <= HOME.cells and lines <= HOME.lines for cells, lines in sizes)
    assert peak() - before < _MOST_GROWTH


def properties(schema: dict[str, Any], models: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the properties of a body."""
    for choice in (schema, *schema.get("anyOf", ())):
        if "$ref" in choice:
            name = choice["$ref"].rpartition("/")[2]
            yield from models[name].get("properties", {}).items()


def value_of(schema: dict[str, Any], text: str) -> Any:
    """Return a value for a property, with the text wherever one fits."""
    choices = [schema, *schema.get("anyOf", ())]
    kinds_of = [choice.get("type") for choice in choices]
    if "string" in kinds_of:
        return text
    if "array" in kinds_of:
        return [text, text]
    if "object" in kinds_of:
        return {"game": text}
    return None


def requests(place: Table, text: str) -> Iterator[tuple[str, str, Any]]:
    """Yield a request for every operation and every text in it."""
    document = place.application.openapi()
    models = document["components"]["schemas"]
    for route in place.application.routes:
        if not isinstance(route, APIRoute):
            continue
        names = {param.name: quote(text, safe="") for param in route.dependant.path_params}
        plain = route.path.replace(":path", "").format(**names)
        asked = [param.name for param in route.dependant.query_params]
        described = document["paths"].get(route.path, {})
        for method in sorted(route.methods or ()):
            if names:
                yield method, plain, None
            for name in asked:
                yield method, f"{plain}?{urlencode({name: text})}", None
            content = described.get(method.lower(), {}).get("requestBody", {}).get("content", {})
            for schema in (one["schema"] for one in content.values()):
                fields = dict(properties(schema, models))
                whole = {name: value_of(one, text) for name, one in fields.items()}
                body = {name: value for name, value in whole.items() if value is not None}
                yield method, plain, body
                for name, value in body.items():
                    yield method, plain, {name: value}


@pytest.mark.more
async def test_addresses_and_bodies(place: Table, built: list[Board]) -> None:
    await place.open("/")  # what every page needs is there
    before, paths = peak(), set()
    for text in (*HUGE[:4], *RECORDS):
        for method, path, body in requests(place, text):
            answer = await place.http.request(method, path, json=body)
            assert answer.status_code < 500 or answer.status_code == 503, (method, path)
            paths.add(path.partition("?")[0])
        check(built, before)
    assert len(paths) > 100


SAID = ("game", "spec", "cells", "text", "position", "moves", "place", "query", "name", "record")


async def say(place: Table, texts: list[str]) -> None:
    """Send texts over the connection of a page, and wait until what they ask for is done."""
    path = f"/live/{place.data['client']}"
    scope = {
        "type": "websocket", "scheme": "ws", "path": path, "raw_path": path.encode(),
        "root_path": "", "query_string": b"last=0", "headers": [(b"host", b"127.0.0.1")],
        "client": ("127.0.0.1", 50_000), "server": ("127.0.0.1", 80), "subprotocols": [],
    }  # fmt: skip
    coming = [{"type": "websocket.connect"}]
    coming += [{"type": "websocket.receive", "text": text} for text in texts]

    async def receive() -> dict[str, Any]:
        if coming and len(coming) % 32:  # more at a time would be a flood
            return coming.pop(0)
        for _ in range(40):  # those that wait for the ones before them are begun
            await asyncio.sleep(0)
            while heard := [
                task for task in browser_sessions._running if task.get_name()[:5] == "hear "
            ]:
                await asyncio.wait(heard)
        return coming.pop(0) if coming else {"type": "websocket.disconnect", "code": 1000}

    async def send(_: Any) -> None:
        pass

    await place.application(scope, receive, send)


PAGES = ("/", "/analyse", "/class", "/matches", "/lab", "/states", "/proof", "/p/3^2", "/puzzles")


@pytest.mark.parametrize("page", more(PAGES, ["/analyse", "/lab", "/states", "/proof", "/p/3^2"]))
async def test_sockets(page: str, place: Table, built: list[Board]) -> None:
    await place.open(page)
    before, events = peak(), place.data["events"]
    assert events
    values = [
        {**dict.fromkeys(SAID, text), "agents": [text], "seats": [{}, {}], "known": ""}
        for text in (*HUGE, *RECORDS)
    ]
    await say(place, [json.dumps([one, value]) for one in events for value in values])
    check(built, before)


@pytest.mark.more
async def test_the_doors_are_where_the_limit_is(place: Table, built: list[Board]) -> None:
    """Texts of many kinds, read as they come: each would build a board, and says how large."""
    for text in RECORDS[:7]:
        answer: httpx.Response = await place.http.post("/api/convert", json={"text": text})
        assert answer.status_code == 422
        assert "4,096 cells and 8,386,560 lines are too many" in answer.text, text
    assert not any(board.cell_count == 4096 for board in built)
