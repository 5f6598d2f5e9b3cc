"""The HTTP server process: socket, logging, descriptor limit, graceful shutdown."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI

from hyperoxo.errors import CheckFailedError, one_line
from hyperoxo_web.server.clients import ClientIdentifier
from hyperoxo_web.server.connections import IDLE_SECONDS, Connections, connection_limit
from hyperoxo_web.server.core import Core

DEFAULT_PORT = 8765
_BOARD_MEMORY = 64 * 2**20
_DESCRIPTORS = 2**16
_BACKLOG = 256
# uvicorn's remarks on what clients send: the operator of the server need not see them.
_CLIENTS_FAULTS = (
    "Invalid HTTP request received",
    "Invalid UTF-8 sequence received",
    "Unsupported upgrade request",
)


def listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket; without a port the default one, or else any free one."""
    trouble = ""
    for number in (DEFAULT_PORT, 0) if port is None else (port,):
        try:
            return _bound(host, number)
        except OSError as error:
            trouble = _why(host, number, error)
    raise CheckFailedError(trouble)


def _bound(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, *_, address = found[0]
    dual = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    bound = socket.create_server(address, family=family, backlog=_BACKLOG, dualstack_ipv6=dual)
    bound.setblocking(False)
    return bound


def url_of(address: str, port: int) -> str:
    """Return the address of the pages on a machine."""
    return f"http://{f'[{address}]' if ':' in address else address}:{port}"


def url_for_others(address: str, port: int, root: str = "") -> str | None:
    """Return the address for other machines of a server bound to `address`, or None."""
    if address in ("127.0.0.1", "::1"):
        return None
    if address not in ("0.0.0.0", "::"):  # noqa: S104
        return url_of(address, port) + root
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only chooses a way out
        except OSError:
            return None
        own: str = probe.getsockname()[0]
    return None if own.startswith(("127.", "0.")) else url_of(own, port) + root


def _why(host: str, port: int, error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return f"there is no address '{host}' on this machine"
    reason = os.strerror(error.errno).lower() if error.errno else str(error).lower()
    return f"cannot listen on {host} port {port}: {reason}"


class _Server(uvicorn.Server):
    """uvicorn server that ends event streams before it waits for open requests."""

    def __init__(self, config: uvicorn.Config, core: Core, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._core = core
        self._ready = ready
        self.failure: OSError | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            try:
                self._ready()
            except OSError as error:  # raised again when the server has shut down
                self.failure, self.should_exit = error, True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._core.hush()
        await super().shutdown(sockets)
        # After a second Ctrl-C that leaves the application up, which would log its cancellation.
        await self.lifespan.shutdown()


class _Lines(logging.Formatter):
    """Log formatter that strips control characters."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(map(one_line, super().format(record).split("\n")))


def _log() -> logging.Handler:
    """Return the log handler: warnings and errors to standard error."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(_Lines("%(levelname)s: %(message)s"))
    handler.addFilter(lambda record: not str(record.msg).startswith(_CLIENTS_FAULTS))
    return handler


def _descriptors() -> int:
    """Raise the soft limit on file descriptors; return the limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit: about what one process can well serve
        return 2_048

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return _DESCRIPTORS if soft == resource.RLIM_INFINITY else min(soft, _DESCRIPTORS)


def run(
    app: FastAPI,
    core: Core,
    listener: socket.socket,
    ready: Callable[[], None],
    visitors: ClientIdentifier | None = None,
) -> None:
    """Serve until interrupted; then stop agents, close the store and return."""
    # Records may name boards: no client may make the server build a vast board.
    os.environ.setdefault("HYPEROXO_MEMORY", str(_BOARD_MEMORY))
    known = visitors or ClientIdentifier()
    connections = Connections(core, known, connection_limit(_descriptors()))
    config = uvicorn.Config(
        app,
        **connections.protocols(),
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        backlog=_BACKLOG,
        ws_max_size=core.limits.request_bytes,
        ws_per_message_deflate=False,  # large messages would keep the event loop busy
        proxy_headers=False,  # `visitors` decides which proxies are trusted
        timeout_graceful_shutdown=3,
        timeout_keep_alive=round(IDLE_SECONDS),
    )
    server = _Server(config, core, ready)
    core.open_store()
    log = _log()
    logging.getLogger().addHandler(log)
    try:
        with (
            suppress(KeyboardInterrupt),
            asyncio.Runner(loop_factory=config.get_loop_factory()) as loop,
        ):
            loop.run(server.serve(sockets=[listener]))
    finally:
        logging.getLogger().removeHandler(log)
    if server.failure is not None:
        raise server.failure
    if not server.started:
        raise CheckFailedError("the server did not start; the reason is above")
