"""Browser sessions: outgoing messages and incoming events over a WebSocket."""
# Downstream is reliable: messages are numbered and kept, a page that reconnects names the last
# number it has, and gets the rest in order. Upstream is at most once: an event that was sent
# into a broken connection is lost, and the page gives up waiting for it.
#
# Backpressure on events, from the outside in: `_read` closes a socket with more than `_AHEAD`
# events queued; `_receive` takes one event at a time, when its client can pay; at most `_AT_ONCE`
# handlers of a page run at a time.

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
from hyperoxo_web.server.api.middleware import client_of
from hyperoxo_web.server.budget import EVENT, metered, payer
from hyperoxo_web.server.view import as_json

PATIENCE = 60.0
"""Seconds after which a disconnected session is discarded."""

UNKNOWN = 4404
"""WebSocket close code: the session is unknown, the page must be reloaded."""

AWAY = 15.0
"""Seconds after which the pending work of a disconnected session is cancelled."""

_SENSELESS = 1003
_TOO_LONG = 1009
_TOO_MANY = 1008
_PAUSE = 0.1  # seconds between two looks at an exhausted budget
_AT_ONCE = 8  # running event handlers of a page
_AHEAD = 64  # queued events of a page
# Raised when the other end of a connection has closed already.
_GONE = (WebSocketDisconnect, RuntimeError, OSError)
_KEPT = 2**20  # characters of messages kept for a reconnect
_LOG = logging.getLogger(__name__)
_running: set[asyncio.Task[Any]] = set()

Handler = Callable[[dict[str, Any]], Awaitable[None] | None]


def begin(work: Coroutine[Any, Any, Any], *, name: str) -> asyncio.Task[Any]:
    """Start a background task, charged to the client of this context; errors are logged."""
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
    # One line, no traceback: a browser may cause it at will, again and again.
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(where.filename).name}:{where.lineno}"
    _LOG.error("%s: %s at %s: %.200s", task.get_name(), type(error).__name__, place, error)


class BrowserSession:
    """Session of one page in one browser: an ordered, resumable stream of messages to it.

    `origin` begins the addresses of this server, as the browser knows it.
    """

    def __init__(self, address: str = "", origin: str = "") -> None:
        self.id = secrets.token_urlsafe(16)
        self.address = address
        self.origin = origin
        self.markup = ""
        self.handlers: dict[str, Handler] = {}
        """Handlers of the page's events, by name."""
        self._sent: deque[tuple[int, str]] = deque()
        self._count = self._length = 0
        self._news = asyncio.Event()
        self._socket: WebSocket | None = None
        self._busy: set[asyncio.Task[Any]] = set()

    def push(self, method: str, value: Any) -> None:
        """Call a method of the page's script, or set one of its values."""
        self._send({"call": method, "value": value})

    def prepares(self, preparing: dict[str, int] | None) -> None:
        """Report the progress of a compilation that the page waits for; None ends it."""
        self._send({"preparing": preparing})

    def go_to(self, path: str) -> None:
        """Navigate the browser to another page."""
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
        """Return the kept messages with numbers above `last`."""
        return [entry for entry in self._sent if entry[0] > last]

    async def leave(self) -> None:
        """Cancel the running handlers of a disconnected session."""
        for task in list(self._busy):
            task.cancel()

    async def close(self) -> None:
        """End the session."""
        await self.leave()
        self.handlers.clear()  # breaks the reference cycle, which the collector frees late

    def receive(self, text: str) -> None:
        """Dispatch an event of the page's script; malformed ones are ignored."""
        try:
            event, value = parse_json(text)
            handler = self.handlers[event]
            # Lone surrogates have no UTF-8: they must not reach the store or a message.
            json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, TypeError, KeyError):
            return
        done = handler(value if isinstance(value, dict) else {})
        if inspect.iscoroutine(done):
            task = begin(done, name=f"hear {event}")
            self._busy.add(task)
            task.add_done_callback(self._busy.discard)

    async def attend(self, socket: WebSocket, last: int, core: Core) -> None:
        """Serve a connection; `last` is the number of the last message that the page has."""
        # 1. One connection a page: a browser that reconnects has often not noticed the end of the
        #    earlier one.
        if self._socket is not None:
            await _close(self._socket)
        # 2. The page has all messages up to `last`, so the kept ones must begin at `last + 1` or
        #    before. If that one was dropped, or never sent (another server), it must reload.
        oldest = self._sent[0][0] if self._sent else self._count + 1
        if not oldest - 1 <= last <= self._count:
            await _close(socket, UNKNOWN)
            return
        # 3. Reading never waits for handlers, so that a disconnect is noticed at once; the queue
        #    in between is bounded.
        self._socket = socket
        waiting: asyncio.Queue[str] = asyncio.Queue(_AHEAD)
        reading = begin(_read(socket, waiting, core), name="read from a page")
        writing = begin(self._write(socket, last), name="tell a page")
        hearing = begin(self._receive(socket, waiting, core), name="attend to a page")
        try:
            # Events still queued at a disconnect are dropped.
            await asyncio.wait((reading, hearing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, writing, hearing):
                task.cancel()
            if self._socket is socket:
                self._socket = None

    async def _receive(self, socket: WebSocket, waiting: asyncio.Queue[str], core: Core) -> None:
        """Dispatch queued events, as fast as the client's budget allows."""
        who = client_of(socket)
        while True:
            text = await waiting.get()
            while not core.budget.takes(who, EVENT):
                await asyncio.sleep(_PAUSE)
            if text:
                self.receive(text)
            else:  # a heartbeat of the page
                with suppress(*_GONE):
                    await socket.send_text("{}")
            if len(self._busy) >= _AT_ONCE:
                await asyncio.wait(self._busy, return_when=asyncio.FIRST_COMPLETED)

    async def _write(self, socket: WebSocket, last: int) -> None:
        # Cleared before the messages are read: one that comes while others are sent sets the event
        # again, and the last test sends it before waiting.
        with suppress(*_GONE):
            while True:
                self._news.clear()
                for number, text in self.missed(last):
                    if number > last + 1:  # those between were dropped while others were sent
                        await _close(socket, UNKNOWN)
                        return
                    await socket.send_text(text)
                    last = number
                if last == self._count:
                    await self._news.wait()

    @property
    def connected(self) -> bool:
        """True if the page has a connection."""
        return self._socket is not None


async def _close(socket: WebSocket, code: int = 1000) -> None:
    """Close a connection, even if the other end has closed already."""
    with suppress(*_GONE):
        await socket.close(code)


async def _read(socket: WebSocket, waiting: asyncio.Queue[str], core: Core) -> None:
    """Queue the messages of a page until it disconnects or violates the protocol."""
    # A full queue is a violation: no page has that many events pending.
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


class BrowserSessions:
    """Session registry: connected pages, and those disconnected for less than `patience`."""

    # One timer a page, replaced at each step: after loading `patience` until it connects, after a
    # disconnect `away` until its work is cancelled, then the rest of `patience` until it is
    # forgotten. A timer that fires after a reconnect finds the page connected and does nothing.

    def __init__(self, core: Core, patience: float = PATIENCE, away: float = AWAY) -> None:
        self.core = core
        self.patience = patience
        self.away = min(away, patience)
        self.all: dict[str, BrowserSession] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def add(self, client: BrowserSession) -> None:
        """Register a page."""
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

    def _later(
        self, seconds: float, action: Callable[[BrowserSession], None], client: BrowserSession
    ) -> None:
        if client.id in self._timers:
            self._timers[client.id].cancel()
        timer = asyncio.get_running_loop().call_later(seconds, action, client)
        self._timers[client.id] = timer

    def _leave(self, client: BrowserSession) -> None:
        if not client.connected:
            begin(client.leave(), name="leave a page")
            self._later(self.patience - self.away, self._forget, client)

    def _forget(self, client: BrowserSession) -> None:
        if not client.connected and self.all.pop(client.id, None) is not None:
            del self._timers[client.id]
            begin(client.close(), name="forget a page")

    async def close(self) -> None:
        """End all sessions when the server stops."""
        for timer in self._timers.values():
            timer.cancel()
        clients, self.all = list(self.all.values()), {}
        for client in clients:
            await client.close()
