"""Connections that ask for nothing are cut, and keep nobody out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

import hyperoxo_web.server.doors
from hyperoxo_web.server import HOME, PUBLIC, Core
from hyperoxo_web.server.budget import Account, Pace
from hyperoxo_web.server.doors import Doors, Gate, room_for
from hyperoxo_web.server.limits import Meter
from hyperoxo_web.server.visitors import Visitors
from tests.hyperoxo_web.server.rooms import until

HALF = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Le"
BODILESS = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab"
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
NEAR, FAR, FARTHER = "127.0.0.1", "127.0.0.2", "127.0.0.3"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Nearby(Visitors):
    """Takes one address of this machine for this machine, and the others for guests."""

    def is_near(self, peer: str) -> bool:
        return peer == NEAR


@pytest.fixture(autouse=True)
def watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections are looked at often."""
    monkeypatch.setattr(hyperoxo_web.server.doors, "_SWEEP", 0.05)


class Slow:
    """An application that answers when all has come, and what is slow when it may go on."""

    def __init__(self) -> None:
        self.go = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] != "/deaf":
            while (await receive()).get("more_body", False):
                pass
        if scope["path"] == "/slow":
            await self.go.wait()
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def calling(
    path: Path, most: int, seconds: float = 60.0, each: int = 100
) -> AsyncIterator[Caller]:
    """Serve behind doors, and connect to them."""
    public = replace(PUBLIC, request_seconds=seconds, connections=each)
    core = Core(path / "g.sqlite", replace(HOME, request_seconds=seconds), public)
    doors, slow = Doors(core, Nearby(), most), Slow()
    config = uvicorn.Config(doors.app(slow), http=Gate.of(doors), log_config=None, lifespan="off")
    config.load()
    state = ServerState()

    def made() -> asyncio.Protocol:
        return Gate.of(doors)(config=config, server_state=state, app_state={})

    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    async with AsyncExitStack() as stack:
        stack.callback(server.close)
        yield Caller(server.sockets[0].getsockname()[1], doors, slow.go, stack)


class Caller:
    """Opens connections, and closes them all in the end."""

    def __init__(self, port: int, doors: Doors, go: asyncio.Event, stack: AsyncExitStack) -> None:
        self.port = port
        self.doors = doors
        self.go = go
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
        before = self._answering()
        made = [await self.open(address, slow) for _ in range(count)]
        await until(lambda: self._answering() == before + count)
        return made

    def _answering(self) -> int:
        """How many connections do not wait."""
        return len(self.doors) - sum(map(len, self.doors._waiting))

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
    """Whether the server closes a connection; waits for that."""
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
def test_what_does_not_come_whole_is_cut(tmp_path: Path, address: str, data: bytes) -> None:
    async def story() -> None:
        async with calling(tmp_path, 100, seconds=0.5) as caller:
            assert await ended(await caller.open(address, data))

    asyncio.run(story())


def test_a_trickle_gains_no_time(tmp_path: Path) -> None:
    async def story() -> None:
        async with calling(tmp_path, 100, seconds=0.5) as caller:
            reader, writer = await caller.open(FAR, b"GET / HTTP/1.1\r\nX: ")

            async def trickle() -> None:
                while not writer.is_closing():
                    writer.write(b"x")
                    await asyncio.sleep(0.05)

            task = asyncio.create_task(trickle())
            assert await ended((reader, writer))
            task.cancel()

    asyncio.run(story())


def test_an_answer_takes_as_long_as_it_takes(tmp_path: Path) -> None:
    async def story() -> None:
        async with calling(tmp_path, 100, seconds=0.5) as caller:
            ((reader, writer),) = await caller.occupies(FAR, 1)
            await asyncio.sleep(1.5)
            caller.go.set()
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
            writer.write(WHOLE)  # and the connection goes on
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")

    asyncio.run(story())


def test_a_long_body_is_no_long_head(tmp_path: Path) -> None:
    async def story() -> None:
        async with calling(tmp_path, 100) as caller:
            head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n"
            reader, writer = await caller.open(FAR, b"")
            for _ in range(20):
                writer.write(head + b"x" * 200_000)
                assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")

    asyncio.run(story())


def test_a_head_without_end_is_cut(tmp_path: Path) -> None:
    async def story() -> None:
        async with calling(tmp_path, 100) as caller:
            streams = await caller.open(FAR, b"GET / HTTP/1.1\r\nX: " + b"x" * 2_000_000)
            assert await ended(streams)

    asyncio.run(story())


@pytest.mark.parametrize("data", [b"", HALF, BODILESS])
def test_half_requests_of_guests_keep_nobody_out(tmp_path: Path, data: bytes) -> None:
    """Neither this machine, nor another guest, nor who sends them."""

    async def story() -> None:
        async with calling(tmp_path, 16) as caller:
            for _ in range(60):
                await caller.open(FAR, data)
            for address in (NEAR, FARTHER, FAR) * 3:
                assert await caller.asks(address) == b"HTTP/1.1 200"
            assert len(caller.doors) <= 16

    asyncio.run(story())


def test_half_requests_of_this_machine_do_not_either(tmp_path: Path) -> None:
    async def story() -> None:
        async with calling(tmp_path, 16) as caller:
            for _ in range(40):
                await caller.open(NEAR, HALF)
            assert await caller.asks(NEAR) == b"HTTP/1.1 200"

    asyncio.run(story())


def test_each_guest_has_so_many_connections(tmp_path: Path) -> None:
    """What is being answered makes no room for more; what waits does."""

    async def story() -> None:
        async with calling(tmp_path, 100, each=3) as caller:
            first = await caller.occupies(FAR, 2)
            waiting = await caller.open(FAR, HALF)
            last = await caller.occupies(FAR, 1)
            assert await ended(waiting)
            assert await ended(await caller.open(FAR, WHOLE))
            assert await caller.asks(FARTHER) == b"HTTP/1.1 200"
            caller.go.set()
            for reader, _ in (*first, *last):
                assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")

    asyncio.run(story())


def test_a_quarter_is_kept_for_this_machine(tmp_path: Path) -> None:
    async def story() -> None:
        async with calling(tmp_path, 8) as caller:
            busy = await caller.occupies(FAR, 6)
            assert await ended(await caller.open(FARTHER, WHOLE))
            assert await caller.asks(NEAR) == b"HTTP/1.1 200"
            caller.go.set()
            for reader, _ in busy:
                assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")

    asyncio.run(story())


def test_a_body_that_nobody_reads_does_not_keep_the_connection(tmp_path: Path) -> None:
    async def story() -> None:
        async with calling(tmp_path, 100, seconds=0.5) as caller:
            head = b"POST /deaf HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
            reader, writer = await caller.open(FAR, head)
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
            writer.write(b"x")
            assert await ended((reader, writer))

    asyncio.run(story())


@pytest.mark.parametrize("descriptors", [64, 256, 1024, 65_536])
def test_some_descriptors_are_left_for_files(descriptors: int) -> None:
    assert 0 < room_for(descriptors) < descriptors


def test_what_a_guest_sends_over_a_socket_is_read_in_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In order, paid for, and no more while some of it waits."""

    async def story() -> None:
        read: list[bytes] = []
        heard: list[str] = []
        meter = Meter(1e-9, 1.0)
        gate: Any = Gate.__new__(Gate)
        gate.waits, gate._unread, gate._feeding = False, bytearray(), None
        gate._short = gate._short_since = 0.0
        gate.account = Account("guest", meter, meter, Pace())
        gate.protocol = SimpleNamespace(data_received=read.append)
        gate._line = SimpleNamespace(
            transport=SimpleNamespace(
                pause_reading=lambda: heard.append("pause"),
                resume_reading=lambda: heard.append("resume"),
            )
        )
        gate.data_received(b"a" * 2_000)
        gate.data_received(b"b" * 600)
        assert read == []
        await gate._feeding
        assert b"".join(read) == b"a" * 2_000 + b"b" * 600
        assert max(map(len, read)) == 512
        assert heard == ["pause", "pause", "resume"]
        meter.add("guest", 1e9)
        gate.data_received(b"c" * 600)
        await asyncio.sleep(0)
        assert len(read) == 6
        monkeypatch.setattr(hyperoxo_web.server.doors, "_FLOOD", -1.0)
        monkeypatch.setattr(Gate, "cut", lambda _: heard.append("cut"))
        await gate._feeding
        assert (heard[-1], len(read)) == ("cut", 6)

    asyncio.run(story())
