"""Connection limits, and timeouts of requests that do not arrive and answers that are not taken.

uvicorn closes connections that are idle between requests. These protocols add what it has no
setting for. They do not replace a proxy: see "Behind a proxy" in ``docs/serve.md``.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from hyperoxo_web.server.budget import CONNECTION
from hyperoxo_web.server.clients import HOME, ClientIdentifier
from hyperoxo_web.server.core import Core

IDLE_SECONDS = 30.0
"""Seconds for which a connection may be idle between requests."""
STUCK_SECONDS = 45.0
"""Seconds in which a client must take some of its answer."""

_SPARE = 384  # descriptors for files, processes and connections that are just being made
_HEAD_BYTES = 2**20  # of a request's head, before it reaches the application
_PIECE = 512  # bytes of a socket that are parsed at once
_PINGS = 10_000  # of a socket; browsers send none


def connection_limit(descriptors: int) -> int:
    """Return the number of connections that fit a limit on file descriptors."""
    return max(descriptors - _SPARE, descriptors // 4)


class Connections:
    """Admission of connections: at most `most`, a quarter of them reserved for this machine.

    At the limit, the connection idle for longest is evicted. A remote client has its own
    limit and pays for each connection from its budget. Neither holds for named proxies,
    behind which there are many clients.
    """

    def __init__(self, core: Core, visitors: ClientIdentifier, most: int) -> None:
        self._core, self._visitors, self._most = core, visitors, most
        self._clients: dict[asyncio.BaseTransport, str] = {}
        self._counts: Counter[str] = Counter()
        self._waiting: dict[asyncio.Transport, None] = {}  # idle ones, the longest idle first

    def protocols(self) -> dict[str, Any]:
        """Return the protocols as arguments of `uvicorn.Config`."""
        return {"http": partial(HttpConnection, self), "ws": partial(SocketConnection, self)}

    def admit(self, transport: asyncio.BaseTransport) -> float:
        """Admit a connection; return the timeout of its requests in seconds, 0 to refuse it."""
        # 1. Only the peer's address is known yet: headers, which name clients behind a proxy, come
        #    later. So a connection counts for its address, and no right follows from it.
        peer = str((transport.get_extra_info("peername") or ("",))[0])
        near = self._visitors.is_near(peer)
        client = HOME if near else self._visitors.guest_at(peer)
        # 2. The limit and the price of one remote client.
        if not (near or self._visitors.is_proxy(peer)):
            own = self._counts[client] < self._core.public.connections
            if not (own and self._core.budget.takes(client, CONNECTION)):
                return 0.0
        # 3. The limit of all. Only an idle connection is evicted, and a remote client never
        #    evicts one of this machine: a flood from elsewhere cannot lock its person out.
        guests, most_guests = len(self._clients) - self._counts[HOME], self._most - self._most // 4
        if len(self._clients) >= self._most or not (near or guests < most_guests):
            longest = (one for one in self._waiting if near or self._clients[one] != HOME)
            if (cut := next(longest, None)) is None:
                return 0.0
            self.forget(cut)
            cut.abort()
        self._clients[transport] = client
        self._counts[client] += 1
        return (self._core.limits if near else self._core.public).request_seconds

    def waits(self, transport: asyncio.Transport) -> None:
        """Mark a connection idle."""
        if transport in self._clients:
            self._waiting[transport] = None

    def is_served(self, transport: asyncio.Transport) -> None:
        """Mark a connection busy."""
        self._waiting.pop(transport, None)

    def forget(self, transport: Any) -> None:
        """Remove a connection; safe to repeat, as eviction and loss both call it."""
        self._waiting.pop(transport, None)
        if client := self._clients.pop(transport, ""):
            self._counts[client] -= 1
            self._counts += Counter()  # drops zero counts: else memory grows with every address


class HttpConnection(HttpToolsProtocol):
    """HTTP connection with timeouts of slow requests and of unread answers."""

    # `_arriving` runs from the first byte expected to the end of the request (slow senders),
    # `_taking` while the write buffer is above its high-water mark (slow readers).

    def __init__(self, connections: Connections, **serving: Any) -> None:
        super().__init__(**serving)
        self._connections = connections
        self._seconds = 0.0
        self._arriving: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None
        self._heard = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, if admitted."""
        super().connection_made(transport)
        self._seconds = self._connections.admit(transport)
        if self._seconds:
            self._connections.waits(transport)
            self._expect_request()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """End, and free the slot."""
        self._connections.forget(self.transport)
        self._request_has_come()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse bytes; the first after an answer start the timeout of the next request."""
        # Bytes that come while an answer is being sent start no timeout and count for no head:
        # uvicorn pauses reading once a pipelined request waits.
        cycle: RequestResponseCycle | None = self.cycle  # typed as if there always were one
        if self._arriving is None and (cycle is None or cycle.response_complete):
            self._expect_request()
        if self._arriving is not None and (cycle is None or cycle.response_complete):
            self._heard += len(data)
            if self._heard > _HEAD_BYTES:
                self.transport.abort()
                return
        super().data_received(data)

    def on_message_complete(self) -> None:
        """Stop the request timeout: the request is complete."""
        self._request_has_come()
        self._connections.is_served(self.transport)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it has arrived."""
        if not self.pipeline:
            self._connections.waits(self.transport)
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Start watching a client that reads slowly."""
        self._watch_taking()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Stop watching: the client has read enough."""
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, even if its last answer is still unsent."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(STUCK_SECONDS, self.transport.abort)

    def _expect_request(self) -> None:
        self._heard = 0
        self._arriving = self.loop.call_later(self._seconds, self.transport.abort)

    def _request_has_come(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def _watch_taking(self, before: float = float("inf")) -> None:
        # Progress, not an end, is required: a large answer may take long, if its buffer shrinks.
        unsent = self.transport.get_write_buffer_size()
        if unsent >= before:
            self.transport.abort()
        else:
            self._taking = self.loop.call_later(STUCK_SECONDS, self._watch_taking, unsent)


class SocketConnection(WebSocketsSansIOProtocol):
    """WebSocket with backpressure: parses no further while a message awaits the application.

    One received chunk may hold thousands of messages. The application reads each at the cost
    of the client that sent it.
    """

    def __init__(self, connections: Connections, **serving: Any) -> None:
        super().__init__(**serving)
        self._connections = connections
        self._unread = bytearray()
        self._pings = 0

    def connection_lost(self, exc: Exception | None) -> None:
        """End, and free the slot."""
        self._connections.forget(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse bytes as far as the application has read."""
        self._unread += data
        while self._unread and not self.read_paused:
            piece = bytes(self._unread[:_PIECE])
            del self._unread[:_PIECE]
            super().data_received(piece)

    async def receive(self) -> Any:
        """Return the next message, after which parsing goes on."""
        message = await super().receive()
        self.data_received(b"")
        return message

    def handle_ping(self) -> None:
        """Answer a ping; a flood of them is cut."""
        self._pings += 1
        if self._pings > _PINGS:
            self.transport.abort()
        else:
            super().handle_ping()
