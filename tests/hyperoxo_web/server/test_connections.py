"""Connections that ask for nothing are cut, and nobody takes the places of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import websockets
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from hyperoxo_web.server import HOME, PUBLIC, Core, connections
from hyperoxo_web.server.clients import ClientIdentifier
from hyperoxo_web.server.connections import Connections, connection_limit
from tests.hyperoxo_web.server.sessions import until

HALF = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Le"
BODILESS = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab"
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
NEAR, FAR, FARTHER = "127.0.0.1", "127.0.0.2", "127.0.0.3"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Nearby(ClientIdentifier):
    """Takes one address of this machine for this machine, and the others for guests."""

    def is_near(self, peer: str) -> bool:
        return peer == NEAR


class Slow:
    """An application that answers when all has come, and what is slow when it may go on."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.answering = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] != "/deaf":
            while (await receive()).get("more_body", False):
                pass
        if scope["path"] == "/slow":
            self.answering += 1
            await self.go.wait()
        body = b"x" * 2**24 if scope["path"] == "/long" else b"ok"
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def calling(
    path: Path, most: int, seconds: float = 60.0, each: int = 100, app: Any = None
) -> AsyncIterator[Caller]:
    """Serve connections, and connect to them."""
    public = replace(PUBLIC, request_seconds=seconds, connections=each)
    core = Core(path / "g.sqlite", replace(HOME, request_seconds=seconds), public)
    slow, protocols = Slow(), Connections(core, Nearby(), most).protocols()
    config = uvicorn.Config(app or slow, **protocols, log_config=None, lifespan="off")
    config.load()
    state = ServerState()

    def made() -> asyncio.Protocol:
        protocol: asyncio.Protocol = protocols["http"](
            config=config, server_state=state, app_state={}
        )
        return protocol

    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    async with AsyncExitStack() as stack:
        stack.callback(server.close)
        yield Caller(server.sockets[0].getsockname()[1], slow, stack)


class Caller:
    """Opens connections, and closes them all in the end."""

    def __init__(self, port: int, slow: Slow, stack: AsyncExitStack) -> None:
        self.port = port
        self.slow = slow
        self.stack = stack

    async def open(self, address: str, data: bytes) -> Streams:
        """Connect from an address and send something."""
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(address, 0)
            )
        except OSError:
            pytest.skip("this machine has one address of its own")
        self.stack.callback(writer.close)
        writer.write(data)
        return reader, writer

    async def occupies(self, address: str, count: int) -> list[Streams]:
        """Make requests that take a while; return when all are being answered."""
        slow = WHOLE.replace(b"/ ", b"/slow ", 1)
        before = self.slow.answering
        made = [await self.open(address, slow) for _ in range(count)]
        await until(lambda: self.slow.answering == before + count)
        return made

    async def asks(self, address: str) -> bytes:
        """Ask for something by a new connection; return the answer, or nothing."""
        reader, writer = await self.open(address, WHOLE)
        try:
            answer = await reader.readuntil(b"ok")
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""
        writer.close()
        return answer[:12]


async def ended(streams: Streams) -> bool:
    """Wait for the server to close a connection; return True if it does."""
    try:
        return await streams[0].read() == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"G",
        HALF,
        BODILESS,
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
    ],
)
@pytest.mark.parametrize("address", [NEAR, FAR])
async def test_what_does_not_come_whole_is_cut(tmp_path: Path, address: str, data: bytes) -> None:
    async with calling(tmp_path, 100, seconds=0.1) as caller:
        assert await ended(await caller.open(address, data))


async def test_a_trickle_gains_no_time(tmp_path: Path) -> None:
    async with calling(tmp_path, 100, seconds=0.2) as caller:
        reader, writer = await caller.open(FAR, b"GET / HTTP/1.1\r\nX: ")

        async def trickle() -> None:
            while not writer.is_closing():
                writer.write(b"x")
                await asyncio.sleep(0.02)

        task = asyncio.create_task(trickle())
        assert await ended((reader, writer))
        task.cancel()


async def test_an_answer_takes_as_long_as_it_takes(tmp_path: Path) -> None:
    async with calling(tmp_path, 100, seconds=0.2) as caller:
        ((reader, writer),) = await caller.occupies(FAR, 1)
        await asyncio.sleep(0.6)
        caller.slow.go.set()
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.write(WHOLE)  # and the connection goes on
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")


async def test_a_long_body_is_no_long_head(tmp_path: Path) -> None:
    async with calling(tmp_path, 100) as caller:
        head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n"
        reader, writer = await caller.open(FAR, b"")
        for _ in range(20):
            writer.write(head + b"x" * 200_000)
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")


async def test_a_head_without_end_is_cut(tmp_path: Path) -> None:
    async with calling(tmp_path, 100) as caller:
        streams = await caller.open(FAR, b"GET / HTTP/1.1\r\nX: " + b"x" * 2_000_000)
        assert await ended(streams)


@pytest.mark.parametrize("data", [b"", HALF, BODILESS])
async def test_half_requests_of_one_guest_keep_nobody_else_out(tmp_path: Path, data: bytes) -> None:
    async with calling(tmp_path, 100, each=10) as caller:
        for _ in range(60):
            await caller.open(FAR, data)
        for address in (NEAR, FARTHER) * 3:
            assert await caller.asks(address) == b"HTTP/1.1 200"
        assert await caller.asks(FAR) == b""


@pytest.mark.parametrize("data", [b"", HALF, BODILESS])
async def test_who_waits_longest_makes_room(tmp_path: Path, data: bytes) -> None:
    """For this machine and for guests, whichever of them sends half requests."""
    async with calling(tmp_path, 16) as caller:
        for address in (NEAR, FAR):
            for _ in range(40):
                await caller.open(address, data)
            assert await caller.asks(NEAR) == b"HTTP/1.1 200"
        assert await caller.asks(FARTHER) == b"HTTP/1.1 200"


async def test_each_guest_has_so_many_connections(tmp_path: Path) -> None:
    async with calling(tmp_path, 100, each=3) as caller:
        busy = await caller.occupies(FAR, 3)
        assert await ended(await caller.open(FAR, WHOLE))
        assert await caller.asks(FARTHER) == b"HTTP/1.1 200"
        caller.slow.go.set()
        for reader, writer in busy:
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
            writer.close()
            await writer.wait_closed()
        assert await caller.asks(FAR) == b"HTTP/1.1 200"


async def test_a_quarter_is_kept_for_this_machine(tmp_path: Path) -> None:
    async with calling(tmp_path, 8) as caller:
        busy = await caller.occupies(FAR, 6)
        assert await ended(await caller.open(FARTHER, WHOLE))
        assert await caller.asks(NEAR) == b"HTTP/1.1 200"
        caller.slow.go.set()
        for reader, _ in busy:
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")


async def test_a_body_that_nobody_reads_does_not_keep_the_connection(tmp_path: Path) -> None:
    async with calling(tmp_path, 100, seconds=0.2) as caller:
        head = b"POST /deaf HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
        reader, writer = await caller.open(FAR, head)
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.write(b"x")
        assert await ended((reader, writer))


@pytest.mark.parametrize("descriptors", [64, 256, 1024, 65_536])
def test_some_descriptors_are_left_for_files(descriptors: int) -> None:
    assert 0 < connection_limit(descriptors) < descriptors


async def test_an_answer_that_is_not_taken_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "STUCK_SECONDS", 0.1)

    async with calling(tmp_path, 100) as caller:
        reader, _ = await caller.open(FAR, WHOLE.replace(b"/ ", b"/long ", 1))
        # A client that reads nothing is cut; what had been sent can be read before the end.
        await asyncio.sleep(0.5)
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await reader.readexactly(2**24)


async def test_a_socket_is_read_as_far_as_the_application_asks(tmp_path: Path) -> None:
    """The rest of one large piece waits."""
    waiting: list[int] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        queue: asyncio.Queue[Any] = receive.__self__.queue  # type: ignore[attr-defined]
        for _ in range(1000):
            assert (await receive())["text"] == "x"
            waiting.append(queue.qsize())
        await send({"type": "websocket.send", "text": "all"})

    async with calling(tmp_path, 100, app=app) as caller:
        address = f"ws://127.0.0.1:{caller.port}"
        async with websockets.connect(address, compression=None) as talk:
            frame = b"\x81\x81\x00\x00\x00\x00x"  # a masked text of one letter
            talk.transport.write(frame * 1000)
            assert await talk.recv() == "all"
    assert max(waiting) < 100
