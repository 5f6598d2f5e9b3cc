"""Runs the application until it is interrupted."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI

from hyperoxo.errors import CheckFailedError
from hyperoxo.server.core import Core

DEFAULT_PORT = 8765
_BOARD_MEMORY = 64 * 2**20
_MESSAGE_BYTES = 4 * 2**20


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens."""
    try:
        return _bound(host, DEFAULT_PORT if port is None else port)
    except OSError as error:
        if port is not None:
            raise CheckFailedError(_why(host, port, error)) from None
    try:
        return _bound(host, 0)
    except OSError as error:
        raise CheckFailedError(_why(host, 0, error)) from None


def _bound(host: str, port: int) -> socket.socket:
    families = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = families[0]
    found = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere the option would let two servers share a port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(512)
    except OSError:
        found.close()
        raise
    found.setblocking(False)
    return found


def url_of(address: str, port: int) -> str:
    """Return the address of the pages on a machine."""
    return f"http://{f'[{address}]' if ':' in address else address}:{port}"


def url_for_others(address: str, port: int) -> str | None:
    """Return how other machines reach a server that is bound to an address; None if they do not."""
    if address in ("127.0.0.1", "::1"):
        return None
    if address not in ("0.0.0.0", "::"):  # noqa: S104
        return url_of(address, port)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only chooses a way out
        except OSError:
            return None
        own: str = probe.getsockname()[0]
    return None if own.startswith(("127.", "0.")) else url_of(own, port)


def _why(host: str, port: int, error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return f"there is no address '{host}' on this machine"
    reason = (error.strerror or str(error)).lower()
    return f"cannot listen on {host} port {port}: {reason}"


class _Server(uvicorn.Server):
    """Ends the streams before it waits for requests to end, since they never would."""

    def __init__(self, config: uvicorn.Config, core: Core, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._core = core
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._core.hush()
        await super().shutdown(sockets)


def run(app: FastAPI, core: Core, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until interrupted; then stop agents, close the store and return."""
    # Records may name boards: no client may make the server build a vast board.
    os.environ.setdefault("HYPEROXO_MEMORY", str(_BOARD_MEMORY))
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        ws_max_size=_MESSAGE_BYTES,
        proxy_headers=False,  # nobody may claim another address
        timeout_graceful_shutdown=3,
        timeout_keep_alive=60,
    )
    server = _Server(config, core, ready)
    core.open_store()
    with (
        suppress(KeyboardInterrupt),
        asyncio.Runner(loop_factory=config.get_loop_factory()) as loop,
    ):
        loop.run(server.serve(sockets=[listener]))
    if not server.started:
        raise CheckFailedError("the server did not start; the reason is above")
