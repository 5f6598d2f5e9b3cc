"""Browsers that look at pages: what each is told, and what it sends."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import secrets
import traceback
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from hyperoxo.untrusted import parse_json
from hyperoxo_web.server import Core
from hyperoxo_web.server.api.guards import client_of
from hyperoxo_web.server.budget import EVENT, metered, payer
from hyperoxo_web.server.view import as_json

PATIENCE = 60.0
"""Seconds for which a page without a connection is kept."""

UNKNOWN = 4404
"""Code of a connection that is closed because its page must be loaded again."""

AWAY = 15.0
"""Seconds after which a page without a connection no longer gets what it has asked for."""

_SENSELESS = 1003
_TOO_LONG = 1009
_TOO_MANY = 1008
_PAUSE = 0.1  # seconds until a client that asks too much is heard again
_AT_ONCE = 8  # events of a page that are being dealt with
_AHEAD = 64  # events of a page that have come and wait
# What is raised when the other end of a connection is gone already.
_GONE = (WebSocketDisconnect, RuntimeError, OSError)
_KEPT = 2**20  # characters of messages that a page may have missed
_LOG = logging.getLogger(__name__)
_running: set[asyncio.Task[Any]] = set()

Handler = Callable[[dict[str, Any]], Awaitable[None] | None]


def begin(work: Coroutine[Any, Any, Any], *, name: str) -> asyncio.Task[Any]:
    """Run something beside the page, at the cost of its client; an error in it is logged."""
    account = payer.get()
    steps = work if account is None else metered(work, account)
    task = asyncio.get_running_loop().create_task(steps, name=name)
    task.add_done_callback(lambda _: work.close())  # where it was cancelled before it began
    _running.add(task)
    task.add_done_callback(_ended)
    return task


def _ended(task: asyncio.Task[Any]) -> None:
    _running.discard(task)
    if task.cancelled() or (error := task.exception()) is None:
        return
    # One line: what a browser sent may have caused it, and may be sent again and again.
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(where.filename).name}:{where.lineno}"
    _LOG.error("%s: %s at %s: %.200s", task.get_name(), type(error).__name__, place, error)


class Client:
    """One page in one browser: messages to it wait until it is connected, and are sent in order.

    `origin` is what addresses of this server begin with, as the browser knows it.
    """

    def __init__(self, address: str = "", origin: str = "") -> None:
        self.id = secrets.token_urlsafe(16)
        self.address = address
        self.origin = origin
        self.markup = ""
        self.handlers: dict[str, Handler] = {}
        """What hears the object that the page's script sends as an event, by its name."""
        self._sent: deque[tuple[int, str]] = deque()
        self._count = self._length = 0
        self._news = asyncio.Event()
        self._socket: WebSocket | None = None
        self._busy: set[asyncio.Task[Any]] = set()

    def tell(self, method: str, value: Any) -> None:
        """Call a method of the page's script, or set one of its values."""
        self._send({"call": method, "value": value})

    def prepares(self, preparing: dict[str, int] | None) -> None:
        """Say how many parts of what the page waits for are prepared; None when it is done."""
        self._send({"preparing": preparing})

    def go_to(self, path: str) -> None:
        """Send the browser to another page."""
        self._send({"go": path})

    def _send(self, message: dict[str, Any]) -> None:
        self._count += 1
        text = as_json({"n": self._count, **message}).decode()
        self._sent.append((self._count, text))
        self._length += len(text)
        while self._length > _KEPT and len(self._sent) > 1:
            self._length -= len(self._sent.popleft()[1])
        self._news.set()

    def missed(self, last: int) -> list[tuple[int, str]]:
        """Return the messages after that number, with their numbers."""
        return [entry for entry in self._sent if entry[0] > last]

    async def leave(self) -> None:
        """The browser is away: nobody waits for what its page has asked for."""
        for task in list(self._busy):
            task.cancel()

    async def close(self) -> None:
        """The browser is gone for good."""
        await self.leave()
        self.handlers.clear()  # they know this client: nobody frees such a ring soon

    def receive(self, text: str) -> None:
        """Do what the page's script asks for; what makes no sense is ignored."""
        try:
            event, value = parse_json(text)
            handler = self.handlers[event]
            # Halves of characters are no text: nothing that is kept or sent may hold them.
            json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, TypeError, KeyError):
            return
        done = handler(value if isinstance(value, dict) else {})
        if inspect.iscoroutine(done):
            task = begin(done, name=f"hear {event}")
            self._busy.add(task)
            task.add_done_callback(self._busy.discard)

    async def attend(self, socket: WebSocket, last: int, core: Core) -> None:
        """Keep in touch by a connection; `last` is the number of the message that came last."""
        if self._socket is not None:
            await _close(self._socket)
        oldest = self._sent[0][0] if self._sent else self._count + 1
        if not oldest - 1 <= last <= self._count:
            await _close(socket, UNKNOWN)
            return
        self._socket = socket
        waiting: asyncio.Queue[str] = asyncio.Queue(_AHEAD)
        reading = begin(_read(socket, waiting, core), name="read from a page")
        writing = begin(self._write(socket, last), name="tell a page")
        hearing = begin(self._hear(socket, waiting, core), name="attend to a page")
        try:
            # What a page has sent is for nobody when it has gone: what still waits is dropped.
            await asyncio.wait((reading, hearing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, writing, hearing):
                task.cancel()
            if self._socket is socket:
                self._socket = None

    async def _hear(self, socket: WebSocket, waiting: asyncio.Queue[str], core: Core) -> None:
        """Do what a page asks for, as fast as its client can pay for it."""
        who = client_of(socket)
        while True:
            text = await waiting.get()
            while not core.budget.takes(who, EVENT):
                await asyncio.sleep(_PAUSE)
            if text:
                self.receive(text)
            else:  # the page asks whether the server is there
                with suppress(*_GONE):
                    await socket.send_text("{}")
            if len(self._busy) >= _AT_ONCE:
                await asyncio.wait(self._busy, return_when=asyncio.FIRST_COMPLETED)

    async def _write(self, socket: WebSocket, last: int) -> None:
        with suppress(*_GONE):
            while True:
                self._news.clear()
                for number, text in self.missed(last):
                    await socket.send_text(text)
                    last = number
                if last == self._count:
                    await self._news.wait()

    @property
    def connected(self) -> bool:
        """Whether the browser is there now."""
        return self._socket is not None


async def _close(socket: WebSocket, code: int = 1000) -> None:
    """Close a connection, whether or not the other end is still there."""
    with suppress(*_GONE):
        await socket.close(code)


async def _read(socket: WebSocket, waiting: asyncio.Queue[str], core: Core) -> None:
    """Put what a page sends into a queue, until it has gone or sends what no page does.

    No page has so many events that they do not fit.
    """
    most = core.limits_of(client_of(socket)).request_bytes
    with suppress(*_GONE):
        while (message := await socket.receive())["type"] == "websocket.receive":
            text = message.get("text")
            if text is None or len(text) > most:
                await _close(socket, _SENSELESS if text is None else _TOO_LONG)
                return
            if waiting.full():
                await _close(socket, _TOO_MANY)
                return
            waiting.put_nowait(text)


class Clients:
    """All pages of a server that browsers look at, or left only a moment ago."""

    def __init__(self, core: Core, patience: float = PATIENCE, away: float = AWAY) -> None:
        self.core = core
        self.patience = patience
        self.away = min(away, patience)
        self.all: dict[str, Client] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def add(self, client: Client) -> None:
        """Keep a page until its browser is gone."""
        self.all[client.id] = client
        self._later(self.patience, self._forget, client)

    async def attend(self, socket: WebSocket, name: str, last: int) -> None:
        """Serve the connection of a page."""
        try:
            await socket.accept()
        except _GONE:
            return
        client = self.all.get(name)
        if client is None:
            await _close(socket, UNKNOWN)
            return
        await client.attend(socket, last, self.core)
        self._later(self.away, self._leave, client)

    def _later(self, seconds: float, action: Callable[[Client], None], client: Client) -> None:
        if client.id in self._timers:
            self._timers[client.id].cancel()
        timer = asyncio.get_running_loop().call_later(seconds, action, client)
        self._timers[client.id] = timer

    def _leave(self, client: Client) -> None:
        if not client.connected:
            begin(client.leave(), name="leave a page")
            self._later(self.patience - self.away, self._forget, client)

    def _forget(self, client: Client) -> None:
        if not client.connected and self.all.pop(client.id, None) is not None:
            del self._timers[client.id]
            begin(client.close(), name="forget a page")

    async def close(self) -> None:
        """The server stops."""
        for timer in self._timers.values():
            timer.cancel()
        clients, self.all = list(self.all.values()), {}
        for client in clients:
            await client.close()
