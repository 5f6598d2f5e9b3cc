"""The application: the core, its HTTP interface, and the guards before it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from fastapi import FastAPI

from hyperoxo import __version__
from hyperoxo.server.api import about, analyses, games, runs
from hyperoxo.server.api.events import Streams
from hyperoxo.server.api.guards import Guard
from hyperoxo.server.api.replies import handle_errors
from hyperoxo.server.core import Core

__all__ = ["create_app"]


def create_app(core: Core, *, hosts: Iterable[str] = (), any_address: bool = False) -> FastAPI:
    """Return the application around a core; pages may be mounted on it."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with core:
            yield

    app = FastAPI(
        title="hyperoxo: games over HTTP",
        version=__version__,
        description="Make games, move, watch, analyse. Every answer is JSON; an error is "
        '{"error": {"code", "message"}}. Tokens go into the header "Authorization: Bearer TOKEN".',
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.core = core
    app.state.streams = Streams()
    handle_errors(app)
    for part in (games.router, analyses.router, runs.router, about.router):
        app.include_router(part)
    app.add_middleware(Guard, core=core, hosts=frozenset(hosts), any_address=any_address)
    return app
