"""Connections: how many there may be, and how long they may wait.

A connection *waits* until a request has come whole, and between requests. One that waits too long
is cut; and where there is no more room, the one that has waited longest makes some, so that nobody
is kept out by connections that ask for nothing. What is being answered is never cut, unless it is
not taken.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from typing import Any, ClassVar

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from hyperoxo_web.server.budget import CONNECTION, Account, metered
from hyperoxo_web.server.core import Core
from hyperoxo_web.server.visitors import Visitors

IDLE_SECONDS = 30.0
"""Seconds for which a connection may wait between requests."""

_SPARE = 384  # descriptors for files, processes and connections that are just being made
_PATIENCE = 15.0  # seconds, beyond the idle ones, until what is not taken is cut off
_SWEEP = 1.0
_PIECE = 512  # bytes of a socket that are read at once
_FLOOD = 3.0  # seconds for which a client may ask for more over a socket than it can pay
_PAUSE = 0.1  # seconds until a client that cannot pay is read again
# A head that is not whole after so much is cut off: as much of a body may have come before the
# application hears of the head.
_HEAD_BYTES = 2**17
_BODIES = 8  # what may come of a body that is too large, while its sender is told


def room_for(descriptors: int) -> int:
    """Return how many connections fit a limit on descriptors."""
    return max(descriptors - _SPARE, descriptors // 4)


class Doors:
    """All connections of a server, of which `most` may be open at a time.

    A quarter of them is kept for this machine. A client elsewhere has its own limit, and pays for
    each from its budget; neither binds proxies that are named, since they ask for many: those are
    told apart behind this.
    """

    def __init__(self, core: Core, visitors: Visitors, most: int) -> None:
        self.core = core
        self.visitors = visitors
        self.most = most
        self.most_guests = most - most // 4
        self._all: set[Gate] = set()
        self._guests = 0
        self._by_client: defaultdict[str, dict[Gate, None]] = defaultdict(dict)
        # Of guests, and of this machine; those that have waited longest come first.
        self._waiting: tuple[dict[Gate, None], dict[Gate, None]] = ({}, {})
        self._gates: dict[tuple[str, int], Gate] = {}
        self._timer: asyncio.TimerHandle | None = None

    def app(self, app: ASGIApp) -> ASGIApp:
        """Return an application that tells the doors when requests have come, and are answered."""

        async def told(scope: Scope, receive: Receive, send: Send) -> None:
            gate = self._gates.get(tuple(scope.get("client") or ("", 0)))
            if gate is None:
                await app(scope, receive, send)
                return
            if scope["type"] == "websocket":
                gate.account = self._account(scope)
            coming = scope["type"] == "http" and _has_body(scope)
            gate.began(whole=not coming)

            async def heard() -> Message:
                nonlocal coming
                message = await receive()
                if coming and not message.get("more_body", False):
                    coming = False
                    gate.has_come()
                return message

            try:
                await app(scope, heard if coming else receive, send)
            finally:
                gate.ended(whole=not coming)

        return told

    def _account(self, scope: Scope) -> Account | None:
        """Return the account charged for what a socket sends, if any."""
        headers, (peer, _) = Headers(scope=scope), scope["client"]
        host = headers.get("host", "").lower().rpartition(":")[0]
        account = self.core.budget.of(self.visitors.client_of(peer, host, headers))
        return None if account.pace is None else account

    def __len__(self) -> int:
        return len(self._all)

    def admit(self, gate: Gate) -> bool:
        """Count a connection, if there is room or can be made."""
        peers = self._by_client.get(gate.client, {})
        if gate.near:
            full = len(self._all) >= self.most
            rivals = [*self._waiting] if full else []
        elif self._guests >= self.most_guests or len(self._all) >= self.most:
            full, rivals = True, [self._waiting[0]]
        else:
            proxy = self.visitors.is_proxy(gate.peer)
            if not (proxy or self.core.budget.takes(gate.client, CONNECTION)):
                return False
            full = len(peers) >= self.core.public.connections and not proxy
            rivals = [peers] if full else []
        if full:
            longest = next((one for group in rivals for one in group if one.waits), None)
            if longest is None:
                return False
            longest.cut()
        self._all.add(gate)
        self._guests += not gate.near
        self._by_client[gate.client][gate] = None
        self._gates[gate.address] = gate
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_SWEEP, self._sweep)
        return True

    def changed(self, gate: Gate) -> None:
        """Note whether a connection waits now."""
        if gate not in self._all:
            return  # it was cut, and what answered it has heard of that only now
        waiting = self._waiting[gate.near]
        waiting.pop(gate, None)
        if gate.waits:
            waiting[gate] = None

    def forget(self, gate: Gate) -> None:
        """Count a connection no more."""
        if gate not in self._all:
            return
        self._all.discard(gate)
        self._guests -= not gate.near
        self._waiting[gate.near].pop(gate, None)
        peers = self._by_client[gate.client]
        del peers[gate]
        if not peers:
            del self._by_client[gate.client]
        if self._gates.get(gate.address) is gate:
            del self._gates[gate.address]

    def _sweep(self) -> None:
        now = time.monotonic()
        for gate in list(self._all):
            gate.check(now)
        self._timer = None
        if self._all:
            self._timer = asyncio.get_running_loop().call_later(_SWEEP, self._sweep)


class Gate(asyncio.Protocol):
    """One connection: watches over the protocol that serves it, whichever that is."""

    doors: ClassVar[Doors]

    def __init__(self, **serving: Any) -> None:
        # What uvicorn gives to its own protocols.
        self.protocol: Any = AutoHTTPProtocol(**serving)
        self.peer = self.client = ""
        self.address = ("", 0)
        self.near = False
        self.waits = True
        self.account: Account | None = None
        self._line: _Line | None = None
        self._feeding: asyncio.Task[None] | None = None
        self._unread = bytearray()
        self._short = self._short_since = 0.0  # when its client could not pay, and since when
        self._deadline = 0.0
        self._heard = 0
        self._more = False
        self._unsent = 0
        self._stuck_since = 0.0

    @classmethod
    def of(cls, doors: Doors) -> type[Gate]:
        """Return the gates of some doors, as a protocol for uvicorn."""
        return type("Gate", (cls,), {"doors": doors})

    def connection_made(self, transport: Any) -> None:
        """Begin, where there is room."""
        name = transport.get_extra_info("peername")
        if name:
            self.peer, self.address = str(name[0]), (str(name[0]), int(name[1]))
        self.client = self.doors.visitors.guest_at(self.peer)
        self.near = self.doors.visitors.is_near(self.peer)
        if not self.doors.admit(self):
            transport.abort()
            return
        self._line = _Line(transport, self)
        self._wait(self._request_seconds)
        self.protocol.connection_made(self._line)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let the protocol know."""
        self.doors.forget(self)
        if self._feeding is not None:
            self._feeding.cancel()
        if self._line is not None:
            self.protocol.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Give bytes on; the first after an answer begin the time of the next request."""
        if self._line is None:
            return
        if self.waits:
            if not self._heard:
                self._wait(self._request_seconds)
            body = _BODIES * self.doors.core.limits.request_bytes if self._more else 0
            if self._heard > _HEAD_BYTES + body:
                self.cut()
                return
            self._heard += len(data)
        if self.account is None:
            self.protocol.data_received(data)
            return
        self._line.transport.pause_reading()
        self._unread += data
        if self._feeding is None or self._feeding.done():
            self._feeding = asyncio.create_task(metered(self._feed(self.account), self.account))

    async def _feed(self, account: Account) -> None:
        """Give on what a socket sends, in pieces that are soon read, as fast as its client can pay.

        The protocol reads all that it gets at once: a thousand small messages in one piece.
        """
        assert self._line is not None
        while self._unread:
            while account.wait() > 0:
                now = time.monotonic()
                self._short_since = now if now - self._short > 1 else self._short_since
                self._short = now
                if now - self._short_since > _FLOOD:
                    self.cut()  # what it has sent, and nobody has read, is dropped
                    return
                await asyncio.sleep(_PAUSE)
            piece = bytes(self._unread[:_PIECE])
            del self._unread[:_PIECE]
            self.protocol.data_received(piece)
            await asyncio.sleep(0)
        self._line.transport.resume_reading()

    def eof_received(self) -> bool | None:
        """Let the protocol know."""
        return None if self._line is None else self.protocol.eof_received()

    def pause_writing(self) -> None:
        """Let the protocol know."""
        self.protocol.pause_writing()

    def resume_writing(self) -> None:
        """Let the protocol know."""
        self.protocol.resume_writing()

    def began(self, *, whole: bool) -> None:
        """A request has come, at least its head."""
        self._more = not whole
        if whole:
            self.has_come()

    def has_come(self) -> None:
        """A request has come whole."""
        self.waits = self._more = False
        self.doors.changed(self)

    def ended(self, *, whole: bool) -> None:
        """A request has been answered, perhaps before all of it came."""
        self._more = not whole
        self._heard = 0
        self._wait(IDLE_SECONDS + _PATIENCE)  # the protocol itself closes what is merely idle

    def cut(self) -> None:
        """Close the connection at once."""
        self.doors.forget(self)
        if self._line is not None:
            self._line.transport.abort()

    def check(self, now: float) -> None:
        """Cut a connection that has waited too long, or does not take what is sent."""
        assert self._line is not None
        unsent = self._line.transport.get_write_buffer_size()
        if not unsent or unsent < self._unsent:
            self._stuck_since = now
        self._unsent = unsent
        stuck = now - self._stuck_since > IDLE_SECONDS + _PATIENCE
        taking = unsent and not self._heard  # an answer that the application has sent whole
        if stuck or (self.waits and not taking and now > self._deadline):
            self.cut()

    @property
    def _request_seconds(self) -> float:
        core = self.doors.core
        return (core.limits if self.near else core.public).request_seconds

    def _wait(self, seconds: float) -> None:
        self.waits = True
        self._deadline = time.monotonic() + seconds
        self._stuck_since = self._stuck_since or time.monotonic()
        self.doors.changed(self)


class _Line:
    """A transport whose protocol is the one behind the gate."""

    def __init__(self, transport: Any, gate: Gate) -> None:
        self.transport = transport
        self.write = transport.write
        self._gate = gate

    def set_protocol(self, protocol: Any) -> None:
        self._gate.protocol = protocol

    def get_protocol(self) -> Any:
        return self._gate.protocol

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)


def _has_body(scope: Scope) -> bool:
    """Whether a request says that something comes after its head."""
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0 ") != b"")
        for name, value in scope["headers"]
    )
