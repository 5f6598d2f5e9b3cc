"""Mounts the pages on an application, and pictures of positions, of games at a move, of puzzles."""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal, get_type_hints

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from hyperoxo.errors import HyperoxoError
from hyperoxo.game import Game, Position
from hyperoxo.pictures import KINDS
from hyperoxo.play.describe import as_sentence
from hyperoxo_web.pages import static_files
from hyperoxo_web.pages.analyse_page import AnalysePage, PositionPage, StatesPage
from hyperoxo_web.pages.browser_sessions import BrowserSessions
from hyperoxo_web.pages.class_page import ClassesPage, ClassPage
from hyperoxo_web.pages.component import MISSING, Page, nothing
from hyperoxo_web.pages.game_page import GamePage
from hyperoxo_web.pages.games_page import GamesPage, MatchesPage
from hyperoxo_web.pages.lab_page import AtlasPage, LabPage, ReportPage, RunPage, StudiesPage
from hyperoxo_web.pages.new_game_page import HowToPage, NewGamePage
from hyperoxo_web.pages.previews import CARD, file_name
from hyperoxo_web.pages.proof_page import ProofPage
from hyperoxo_web.pages.puzzles_page import PuzzlesPage, daily
from hyperoxo_web.server import Core, RefusedError
from hyperoxo_web.server.api.middleware import client_of, path_of
from hyperoxo_web.server.api.replies import rooted, while_connected
from hyperoxo_web.server.budget import in_thread

PAGES: tuple[type[Page], ...] = (
    *(NewGamePage, GamesPage, GamePage, PositionPage, AnalysePage, PuzzlesPage, MatchesPage),
    *(ProofPage, StatesPage, ClassesPage, ClassPage),
    *(LabPage, RunPage, StudiesPage, ReportPage, AtlasPage, HowToPage),
)
"""All page classes."""


def _endpoint(kind: type[Page], clients: BrowserSessions) -> Callable[..., Awaitable[Response]]:
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
            # A malformed address counts as one without content.
            status = 404
            if isinstance(error, RefusedError) and error.code != "bad-request":
                status = error.status
            return await _html(request, markup, status)
        clients.add(page)
        # The markup is dropped: for a large board it is as large as the rest of a session.
        answer, page.markup = await _html(request, page.markup), ""
        return answer

    # FastAPI reads the parameters of a path and a query from the signature.
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


async def _html(request: Request, markup: str, status: int = 200) -> Response:
    raw = rooted(markup, request.scope["root_path"]).encode()
    # In a thread: zlib releases the GIL while it compresses a long page.
    small = await in_thread(gzip.compress, raw, 6)
    answer = static_files.compressed(request, raw, small, "text/html; charset=utf-8")
    answer.status_code = status
    # Each copy has the id of its session, so one from a cache would share a session or find none.
    answer.headers["Cache-Control"] = "no-store"
    return answer


def mount(application: FastAPI, core: Core) -> BrowserSessions:
    """Mount the pages of `core` on an application; return the registry of sessions."""
    clients = BrowserSessions(core)
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


def _serve_files(application: FastAPI, clients: BrowserSessions) -> None:
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


# A position's picture changes only with the program, a game's with every move.
_KEPT = "public, max-age=86400"
_NEWS = "no-cache"

Theme = Annotated[Literal["light", "dark"] | None, Query()]
Move = Annotated[int | None, Query(ge=0)]


def serve_pictures(application: FastAPI, core: Core) -> None:
    """Serve pictures; their addresses are those of pages and an ending."""

    # 1. A picture and its tag; one that the browser has is not sent again.
    async def answer(
        request: Request, position: Position, kind: str, theme: str | None, card: bool, keep: str
    ) -> Response:
        client = core.client(client_of(request))
        size = CARD if card and kind == "png" else None
        content = await core.boards.picture(client, position, kind, theme, size)
        tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        name = file_name(position.game, len(position.history), f".{kind}")
        headers = {
            "ETag": tag,
            "Cache-Control": keep,
            "Content-Disposition": f'inline; filename="{name}"',
            # An SVG opened by itself is a document of this origin: it may run and load nothing.
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
        }
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=KINDS[kind], headers=headers)

    # 2. For each kind of file: a position, a game at one of its moves, and a puzzle.
    def serve(kind: str) -> None:
        @application.get(f"/p/{{spec}}.{kind}", include_in_schema=False)
        @application.get(f"/p/{{spec}}/{{moves}}.{kind}", include_in_schema=False)
        async def position(
            request: Request, spec: str, moves: str = "", theme: Theme = None, card: bool = False
        ) -> Response:
            found = await core.position(spec, moves, client_of(request))
            return await answer(request, found, kind, theme, card, _KEPT)

        @application.get(f"/game/{{room}}.{kind}", include_in_schema=False)
        async def game(
            request: Request, room: str, move: Move = None, theme: Theme = None, card: bool = False
        ) -> Response:
            live = await core.open(room)
            line = live.room.tree.line
            if move is not None and move >= len(line):
                raise RefusedError("no-node", f"the game has no move {move}")
            found = live.room.position if move is None else live.room.position_at(line[move])
            return await answer(request, found, kind, theme, card, _NEWS)

        @application.get(f"/puzzles/{{date}}.{kind}", include_in_schema=False)
        async def puzzle(
            request: Request, date: dt.date, theme: Theme = None, card: bool = False
        ) -> Response:
            if not dt.timedelta(0) <= dt.datetime.now(dt.UTC).date() - date <= dt.timedelta(7):
                raise RefusedError("no-node", "pictures exist for the puzzles of this week only")
            work = daily(core, date, core.client(client_of(request)))
            made = await while_connected(request, work)
            found = Game(made["game"]).position(made["position"])
            return await answer(request, found, kind, theme, card, _KEPT)

    for kind in KINDS:
        serve(kind)
