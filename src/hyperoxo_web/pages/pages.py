"""Mounts the pages on an application."""

from __future__ import annotations

import gzip
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, get_type_hints

from fastapi import FastAPI, Request, WebSocket
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.words import as_sentence
from hyperoxo_web.pages import static_files
from hyperoxo_web.pages.analyse_page import AnalysePage, PositionPage
from hyperoxo_web.pages.class_page import ClassesPage, ClassPage
from hyperoxo_web.pages.clients import Clients
from hyperoxo_web.pages.component import MISSING, Page, nothing
from hyperoxo_web.pages.game_page import GamePage
from hyperoxo_web.pages.games_page import GamesPage
from hyperoxo_web.pages.lab_page import AtlasPage, LabPage, ReportPage, RunPage, StudiesPage
from hyperoxo_web.pages.matches_page import MatchesPage
from hyperoxo_web.pages.new_game_page import HowToPage, NewGamePage
from hyperoxo_web.pages.pictures import serve_pictures
from hyperoxo_web.pages.proof_page import ProofPage
from hyperoxo_web.pages.puzzles_page import PuzzlesPage
from hyperoxo_web.pages.states_page import StatesPage
from hyperoxo_web.server import Core, RefusedError
from hyperoxo_web.server.api.guards import client_of, path_of
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.templates import rooted

PAGES: tuple[type[Page], ...] = (
    *(NewGamePage, GamesPage, GamePage, PositionPage, AnalysePage, PuzzlesPage, MatchesPage),
    *(ProofPage, StatesPage, ClassesPage, ClassPage),
    *(LabPage, RunPage, StudiesPage, ReportPage, AtlasPage, HowToPage),
)
"""All page classes."""


def _endpoint(kind: type[Page], clients: Clients) -> Callable[..., Awaitable[Response]]:
    """Return the endpoint of a page; its parameters are those of the page's `build`."""

    async def endpoint(request: Request, **arguments: Any) -> Response:
        page = kind(clients.core, client_of(request), _origin(request))
        try:
            await page.build(**arguments)
        except HyperoxoError as error:
            if not kind.missing:
                raise
            here = "/" + path_of(request.scope).split("/")[1]
            markup = nothing(here, kind.missing, kind.why or as_sentence(str(error)))
            return await _html(request, markup, _status(error))
        clients.add(page)
        # The markup is dropped: for a large board it is as large as the rest of a session.
        answer, page.markup = await _html(request, page.markup), ""
        return answer

    hints = get_type_hints(kind.build)
    signature = inspect.signature(kind.build)
    named = [
        one.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, one in signature.parameters.items()
        if name != "self"
    ]
    asked = inspect.Parameter(
        "request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request
    )
    endpoint.__signature__ = signature.replace(parameters=[asked, *named])  # type: ignore[attr-defined]
    return endpoint


def _origin(request: Request) -> str:
    """Return the origin and root path of this server, as the browser knows them."""
    return f"{request.url.scheme}://{request.url.netloc}{request.scope['root_path']}"


def _status(error: HyperoxoError) -> int:
    """Return the HTTP status of an address without content; a malformed one counts as missing."""
    if isinstance(error, RefusedError) and error.code != "bad-request":
        return error.status
    return 404


async def _html(request: Request, markup: str, status: int = 200) -> Response:
    raw = rooted(markup, request.scope["root_path"]).encode()
    # In a thread: zlib releases the GIL while it compresses a long page.
    small = await in_thread(gzip.compress, raw, 6)
    answer = static_files.compressed(request, raw, small, "text/html; charset=utf-8")
    answer.status_code = status
    answer.headers["Cache-Control"] = "no-store"
    return answer


def mount(application: FastAPI, core: Core) -> Clients:
    """Mount the pages of `core` on an application; return the registry of sessions."""
    clients = Clients(core)
    usual = application.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Any]:
        async with usual(app) as state:
            yield state
            await clients.close()

    application.router.lifespan_context = lifespan
    _serve_files(application, clients)
    serve_pictures(application, core)
    for kind in PAGES:
        for path in kind.paths:
            application.add_api_route(
                path, _endpoint(kind, clients), include_in_schema=False, response_model=None
            )
    return clients


def _serve_files(application: FastAPI, clients: Clients) -> None:
    usual = application.exception_handlers[HTTPException]

    async def missing(request: Request, error: Exception) -> Response:
        """Serve the page for unknown addresses; files and data get JSON."""
        page = path_of(request.scope).split("/")[1] != "api"
        page = page and "text/html" in request.headers.get("accept", "")
        if not page or getattr(error, "status_code", 500) != 404:
            answer: Response = await usual(request, error)  # type: ignore[misc]
            return answer
        return HTMLResponse(rooted(MISSING, request.scope["root_path"]), status_code=404)

    application.add_exception_handler(HTTPException, missing)

    @application.get("/static/{digest}/{name:path}", include_in_schema=False)
    async def file(request: Request, digest: str, name: str) -> Response:
        answer = static_files.answer(request, digest, name)
        if answer is None:
            raise HTTPException(404)
        return answer

    @application.websocket("/live/{client}")
    async def live(socket: WebSocket, client: str, last: int = 0) -> None:
        await clients.attend(socket, client, last)
