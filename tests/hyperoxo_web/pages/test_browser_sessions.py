"""What a page is told, and what it hears, over connections that break."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import tracemalloc
import weakref
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.datastructures import Address

from hyperoxo_web.pages.browser_sessions import UNKNOWN, BrowserSession, BrowserSessions
from hyperoxo_web.server import HOME, PUBLIC, Core
from hyperoxo_web.server.budget import EVENT
from tests.hyperoxo_web.pages.simulated import Table


class Socket:
    """The server's end of a connection."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.code: int | None = None
        self.client = Address("10.0.0.7", 1)
        self.coming: asyncio.Queue[str | bytes | None] = asyncio.Queue()

    async def accept(self) -> None:
        pass

    async def close(self, code: int = 1000) -> None:
        self.code = code

    async def send_text(self, text: str) -> None:
        self.sent.append(json.loads(text))

    async def receive(self) -> dict[str, Any]:
        what = await self.coming.get()
        if what is None:
            return {"type": "websocket.disconnect"}
        kind = "text" if isinstance(what, str) else "bytes"
        return {"type": "websocket.receive", kind: what}


def core(path: Path, **limits: Any) -> Core:
    """Return a server whose guests have these limits."""
    return Core(path / "g.sqlite", HOME, replace(PUBLIC, **limits))


Attend = Callable[..., tuple[BrowserSessions, BrowserSession, Any]]


@pytest.fixture
async def attend(tmp_path: Path) -> AsyncIterator[Attend]:
    """Serve a page to guests with some limits; it is closed in the end."""
    served: list[BrowserSessions] = []

    def begin(**limits: Any) -> tuple[BrowserSessions, BrowserSession, Any]:
        clients, client = BrowserSessions(core(tmp_path, **limits)), BrowserSession()
        clients.add(client)
        served.append(clients)
        return clients, client, Socket()

    yield begin
    for clients in served:
        await clients.close()


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def visit(
    clients: BrowserSessions, client: BrowserSession, ended: list[Any], *said: str
) -> None:
    """Come, say something, stay a little and leave; wait for what ends then, and only then."""
    clients.add(client)
    socket: Any = Socket()
    talk = asyncio.create_task(clients.attend(socket, client.id, 0))
    for text in said:
        socket.coming.put_nowait(text)
    await settle()
    await asyncio.sleep(0.05)
    assert ended == []  # the browser is there
    socket.coming.put_nowait(None)
    await talk
    while not ended:
        await asyncio.sleep(0.005)


async def test_messages_come_once_and_in_order_over_two_connections(attend: Attend) -> None:
    clients, client, first = attend()
    client.push("show", 1)  # before the browser is there
    talk = asyncio.create_task(clients.attend(first, client.id, 0))
    await settle()
    client.push("show", 2)
    await settle()
    assert [one["value"] for one in first.sent] == [1, 2]
    first.coming.put_nowait(None)
    await talk
    assert [one.connected for one in clients.all.values()] == [False]
    client.push("show", 3)
    client.go_to("/about")
    second: Any = Socket()
    talk = asyncio.create_task(clients.attend(second, client.id, 2))
    await settle()
    assert [(one["n"], one.get("value"), one.get("go")) for one in second.sent] == [
        (3, 3, None),
        (4, None, "/about"),
    ]
    assert [one.connected for one in clients.all.values()] == [True]
    talk.cancel()


@pytest.mark.parametrize(("name", "last"), [("nobody", 0), (None, 0), (None, 99)])
async def test_a_page_that_missed_too_much_is_loaded_again(
    attend: Attend, name: str | None, last: int
) -> None:
    clients, client, socket = attend()
    for _ in range(3):
        client.push("show", "x" * 600_000)
    await clients.attend(socket, name or client.id, last)
    assert socket.code == UNKNOWN
    assert socket.sent == []


async def test_a_page_that_reads_too_slowly_is_loaded_again(attend: Attend) -> None:
    clients, client, socket = attend()
    talk = asyncio.create_task(clients.attend(socket, client.id, 0))
    await settle()
    for _ in range(3):
        client.push("show", "x" * 600_000)
    await settle()
    assert (socket.code, socket.sent) == (UNKNOWN, [])
    socket.coming.put_nowait(None)
    await talk


async def test_what_the_page_sends_is_heard_or_ignored() -> None:
    client, heard = BrowserSession(), []

    async def hear(value: dict[str, Any]) -> None:
        heard.append(value)

    client.handlers["play"] = hear
    senseless = ["[]", "{", "1", "[[],{}]", '["play",{"cell":"\\ud800"}]', "[" * 100_000]
    for text in ('["play",{"cell":1}]', '["play",7]', '["tell",{}]', *senseless):
        client.receive(text)
    await settle()
    assert heard == [{"cell": 1}, {}]


async def test_what_a_page_has_asked_for_ends_when_its_browser_stays_away(tmp_path: Path) -> None:
    clients, client = BrowserSessions(core(tmp_path), patience=60, away=0.01), BrowserSession()
    begun, ended = [], []

    async def search(_: dict[str, Any]) -> None:
        begun.append("search")
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("search")

    client.handlers["search"] = search
    await visit(clients, client, ended, '["search",{}]')
    assert begun == ended == ["search"]
    assert len(clients.all) == 1  # it may come back
    await clients.close()


async def test_events_that_come_too_fast_are_heard_later(attend: Attend) -> None:
    clients, client, socket = attend(processor_share=50 * EVENT, processor_burst=5.5 * EVENT)
    heard: list[Any] = []
    client.handlers["play"] = lambda value: heard.append(value["cell"])
    talk = asyncio.create_task(clients.attend(socket, client.id, 0))
    for cell in range(8):
        socket.coming.put_nowait(f'["play",{{"cell":{cell}}}]')
    await settle()
    assert heard == [0, 1, 2, 3, 4]  # what this client may send at once
    while len(heard) < 8:
        await asyncio.sleep(0.01)
    assert heard == list(range(8))
    socket.coming.put_nowait(None)
    await talk


async def test_a_flood_is_closed(attend: Attend) -> None:
    clients, client, socket = attend(processor_share=50 * EVENT, processor_burst=5.5 * EVENT)
    heard: list[dict[str, Any]] = []
    client.handlers["play"] = heard.append
    for _ in range(1_000):
        socket.coming.put_nowait('["play",{}]')
    await clients.attend(socket, client.id, 0)
    assert socket.code == 1008
    assert len(heard) < 100


@pytest.mark.parametrize("paid", [True, False])
async def test_what_waits_is_dropped_when_the_connection_closes(attend: Attend, paid: bool) -> None:
    """True if it waits for what runs, or for its client's budget."""
    burst = 1e9 if paid else 3.5 * EVENT
    clients, client, socket = attend(processor_share=1e-9, processor_burst=burst)
    begun: list[Any] = []
    go_on = asyncio.Event()

    async def look(value: dict[str, Any]) -> None:
        begun.append(value["n"])
        await go_on.wait()

    client.handlers["look"] = look
    for number in range(50):
        socket.coming.put_nowait(f'["look",{{"n":{number}}}]')
    socket.coming.put_nowait(None)
    await clients.attend(socket, client.id, 0)
    go_on.set()
    await settle()
    assert begun == [*range(len(begun))]
    assert len(begun) <= (8 if paid else 3)


@pytest.mark.parametrize(("sent", "code"), [(b'["play",{}]', 1003), ("x" * 1001, 1009)])
async def test_a_connection_that_sends_what_no_page_sends_is_closed(
    attend: Attend, sent: str | bytes, code: int
) -> None:
    clients, client, socket = attend(request_bytes=1000)
    socket.coming.put_nowait(sent)
    await clients.attend(socket, client.id, 0)
    assert socket.code == code


def test_an_event_that_fails_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        client = BrowserSession()

        async def hear(value: dict[str, Any]) -> None:
            raise TypeError(value["cell"])

        client.handlers["play"] = hear
        client.receive('["play",{"cell":"x"}]')
        await settle()

    with caplog.at_level(logging.ERROR):
        asyncio.run(work())
    (record,) = caplog.records
    assert record.exc_info is None
    assert record.getMessage().startswith("hear play: TypeError at test_browser_sessions.py:")


async def test_a_page_is_forgotten_once_its_browser_stays_away(tmp_path: Path) -> None:
    ended = []

    class Ending(BrowserSession):
        async def close(self) -> None:
            ended.append(True)

    clients, client = BrowserSessions(core(tmp_path), patience=0.01), Ending()
    await visit(clients, client, ended)
    assert len(clients.all) == 0
    await clients.close()
    assert ended == [True]


@pytest.mark.more
async def test_a_page_that_was_sent_takes_little_memory(place: Table) -> None:
    large, count = "/?game=30,30,5", 10
    await place.open(large)
    assert len(place.shown) > 50_000
    tracemalloc.start()
    try:
        for _ in range(count):
            await place.open(large)
        place.shown, place.data = "", {}
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(place.clients.all) == count + 1
    assert held / count < 20_000


@pytest.mark.more
async def test_a_page_that_is_forgotten_is_freed_at_once(place: Table) -> None:
    await place.open("/")
    client = weakref.ref(place.client)
    assert client() is not None
    gc.collect()
    gc.disable()
    try:
        await place.clients.close()
        assert client() is None
    finally:
        gc.enable()
