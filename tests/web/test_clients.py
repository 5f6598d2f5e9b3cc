"""What a page is told, and what it hears, over connections that break."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from hyperoxo.web.clients import UNKNOWN, Client, Clients


class Socket:
    """The server's end of a connection."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.code: int | None = None
        self.coming: asyncio.Queue[str | None] = asyncio.Queue()

    async def accept(self) -> None:
        pass

    async def close(self, code: int = 1000) -> None:
        self.code = code

    async def send_text(self, text: str) -> None:
        self.sent.append(json.loads(text))

    async def iter_text(self) -> Any:
        while (text := await self.coming.get()) is not None:
            yield text
        raise WebSocketDisconnect


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_messages_come_once_and_in_order_over_two_connections() -> None:
    async def work() -> None:
        clients, client = Clients(), Client()
        clients.add(client)
        client.tell("show", 1)  # before the browser is there
        first: Any = Socket()
        talk = asyncio.create_task(clients.attend(first, client.id, 0))
        await settle()
        client.tell("show", 2)
        await settle()
        assert [one["value"] for one in first.sent] == [1, 2]
        first.coming.put_nowait(None)
        await talk
        assert clients.present == 0
        client.tell("show", 3)
        client.go_to("/about")
        second: Any = Socket()
        talk = asyncio.create_task(clients.attend(second, client.id, 2))
        await settle()
        assert [(one["n"], one.get("value"), one.get("go")) for one in second.sent] == [
            (3, 3, None),
            (4, None, "/about"),
        ]
        assert clients.present == 1
        talk.cancel()
        await clients.close()

    asyncio.run(work())


@pytest.mark.parametrize(("name", "last"), [("nobody", 0), (None, 0), (None, 99)])
def test_a_page_that_missed_too_much_is_loaded_again(name: str | None, last: int) -> None:
    async def work() -> None:
        clients, client = Clients(), Client()
        clients.add(client)
        for _ in range(3):
            client.tell("show", "x" * 600_000)
        socket: Any = Socket()
        await clients.attend(socket, name or client.id, last)
        assert socket.code == UNKNOWN
        assert socket.sent == []
        await clients.close()

    asyncio.run(work())


def test_what_the_page_sends_is_heard_or_ignored() -> None:
    async def work() -> None:
        client, heard = Client(), []

        async def hear(value: dict[str, Any]) -> None:
            heard.append(value)

        client.hears("play", hear)
        for text in ('["play",{"cell":1}]', '["play",7]', '["tell",{}]', "[]", "{", "1", "[[],{}]"):
            client.receive(text)
        await settle()
        assert heard == [{"cell": 1}, {}]

    asyncio.run(work())


def test_a_page_is_forgotten_once_its_browser_stays_away() -> None:
    async def work() -> None:
        clients, client, ended = Clients(patience=0.01), Client(), []
        client.on_delete(lambda: ended.append(True))
        clients.add(client)
        socket: Any = Socket()
        talk = asyncio.create_task(clients.attend(socket, client.id, 0))
        await asyncio.sleep(0.05)
        assert ended == []  # it is there
        socket.coming.put_nowait(None)
        await talk
        while not ended:
            await asyncio.sleep(0.005)
        assert len(clients) == 0
        await clients.close()
        assert ended == [True]

    asyncio.run(work())
