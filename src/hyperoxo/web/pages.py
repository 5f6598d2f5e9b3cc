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
from hyperoxo.play.proof_play import PROOF_GAMES
from hyperoxo.play.words import as_sentence
from hyperoxo.server import Core, RefusedError
from hyperoxo.server.match_room import Matches
from hyperoxo.web import static_files
from hyperoxo.web.about_page import about_page
from hyperoxo.web.analyse_page import AnalysePage, split_place
from hyperoxo.web.class_page import ClassesPage, ClassPage
from hyperoxo.web.clients import Client, Clients
from hyperoxo.web.game_page import GamePage
from hyperoxo.web.games_page import GamesPage
from hyperoxo.web.lab_page import LabPage, ReportPage, RunPage, StudiesPage
from hyperoxo.web.matches_page import MatchesPage
from hyperoxo.web.new_game_page import NewGamePage
from hyperoxo.web.pictures import serve_pictures
from hyperoxo.web.proof_page import ProofPage
from hyperoxo.web.puzzles_page import PuzzlesPage
from hyperoxo.web.shell import MISSING, nothing
from hyperoxo.web.states_page import StatesPage

Build = Callable[..., Awaitable[str | None]]


class Pages:
    """The addresses of an application that are pages."""

    def __init__(self, application: FastAPI) -> None:
        self.application = application
        self.clients = Clients()

    def page(self, path: str) -> Callable[[Build], Build]:
        """Serve a page at an address.

        The function takes a `Client` and what is in the address. It builds a page of that client,
        or returns the markup of one that needs no connection.
        """

        def decorate(build: Build) -> Build:
            self.application.add_api_route(
                path, self._endpoint(build), include_in_schema=False, response_model=None
            )
            return build

        return decorate

    def _endpoint(self, build: Build) -> Callable[..., Awaitable[Response]]:
        async def endpoint(request: Request, **arguments: Any) -> Response:
            client = Client(request.client.host if request.client else "", _origin(request))
            markup = await build(client, **arguments)
            if markup is None:
                self.clients.add(client)
            return _html(request, markup or client.markup)

        hints = get_type_hints(build)
        signature = inspect.signature(build)
        named = [
            one.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
            for name, one in signature.parameters.items()
            if hints[name] is not Client
        ]
        asked = inspect.Parameter(
            "request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request
        )
        endpoint.__signature__ = signature.replace(parameters=[asked, *named])  # type: ignore[attr-defined]
        return endpoint


def _origin(request: Request) -> str:
    """Return what addresses of this server begin with; a proxy may have made HTTP of HTTPS."""
    https = request.headers.get("x-forwarded-proto") == "https"
    return f"{'https' if https else request.url.scheme}://{request.url.netloc}"


def _html(request: Request, markup: str) -> Response:
    raw = markup.encode()
    small = gzip.compress(raw, 6, mtime=0)
    answer = static_files.compressed(request, raw, small, "text/html; charset=utf-8")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def mount(application: FastAPI, core: Core) -> Pages:
    """Serve the pages of `core` from an application."""
    pages = Pages(application)
    matches = Matches(core)
    usual = application.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Any]:
        async with usual(app) as state:
            yield state
            await matches.close()
            await pages.clients.close()

    application.router.lifespan_context = lifespan
    _serve_files(application, pages.clients)
    serve_pictures(application, core)
    _serve_pages(pages, core, matches)
    _serve_games(pages, core)
    _serve_classes(pages, core)
    _serve_laboratory(pages, core)
    return pages


def _serve_files(application: FastAPI, clients: Clients) -> None:
    usual = application.exception_handlers[HTTPException]

    async def missing(request: Request, error: Exception) -> Response:
        """Answer where there is no page; files and data get a line of JSON."""
        found = getattr(error, "status_code", 500) != 404
        if found or "text/html" not in request.headers.get("accept", ""):
            answer: Response = await usual(request, error)  # type: ignore[misc]
            return answer
        return HTMLResponse(MISSING, status_code=404)

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


def _serve_pages(pages: Pages, core: Core, matches: Matches) -> None:
    @pages.page("/")
    async def new_game(client: Client, game: str | None = None) -> None:
        NewGamePage(core, client).build(game)

    @pages.page("/games")
    async def games(client: Client) -> None:
        await GamesPage(core, client).build()

    @pages.page("/analyse")
    @pages.page("/analyse/{place:path}")
    async def analyse(client: Client, place: str = "") -> str | None:
        try:
            AnalysePage(core, client).build(place)
        except HyperoxoError as error:
            return nothing("/analyse", "There is no such board.", as_sentence(str(error)))
        return None

    @pages.page("/puzzles")
    async def puzzles(client: Client) -> None:
        PuzzlesPage(core, client).build()

    @pages.page("/matches")
    async def match_list(client: Client) -> None:
        MatchesPage(matches, client)

    @pages.page("/proof")
    @pages.page("/proof/{name}")
    async def proof(
        client: Client, name: str = PROOF_GAMES[0], game: str | None = None
    ) -> str | None:
        try:
            await ProofPage(core, client).build(game or name)
        except RefusedError:
            return nothing("/proof", "There is no such proof.", "It may have been removed.")
        return None

    @pages.page("/states")
    async def states(client: Client) -> None:
        await StatesPage(core, client).build()

    @pages.page("/about")
    async def about(_: Client) -> str:
        return about_page()


def _serve_games(pages: Pages, core: Core) -> None:
    @pages.page("/game/{room}")
    async def game(
        client: Client,
        room: str,
        seat: str | None = None,
        host: str | None = None,
        review: str | None = None,
        invite: str | None = None,
    ) -> str | None:
        try:
            live = await core.open(room)
        except RefusedError:
            return nothing("/", "There is no such game.", "It may have been deleted.")
        GamePage(
            core, live, client, seat, host, review_at_once=review is not None,
            invite=invite is not None,
        )  # fmt: skip
        return None

    @pages.page("/p/{place:path}")
    async def position(client: Client, place: str, review: str | None = None) -> str | None:
        try:
            made = await core.look(*split_place(place), client.ip)
        except HyperoxoError as error:
            return nothing("/", "There is no such position.", as_sentence(str(error)))
        GamePage(
            core, made.live, client, made.tokens[0], made.host, look=True,
            review_at_once=review is not None,
        )  # fmt: skip
        return None


def _serve_classes(pages: Pages, core: Core) -> None:
    @pages.page("/class")
    async def classes(client: Client, game: str | None = None) -> None:
        ClassesPage(core, client).build(game)

    @pages.page("/class/{code}")
    async def one_class(client: Client, code: str, teacher: str | None = None) -> str | None:
        try:
            room = await core.classes.open(code, client.ip)
        except RefusedError as refusal:
            return nothing("/", "There is no such class.", as_sentence(str(refusal)))
        ClassPage(core, client, room, teacher)
        return None


def _serve_laboratory(pages: Pages, core: Core) -> None:
    @pages.page("/lab")
    async def laboratory(client: Client, again: int | None = None) -> None:
        await LabPage(core, client).build(again)

    @pages.page("/run/{run}")
    async def one_run(client: Client, run: int) -> str | None:
        try:
            view = await core.laboratory.view(run)
        except RefusedError:
            return nothing("/lab", "There is no such run.", "It may have been deleted.")
        RunPage(core, client, view)
        return None

    @pages.page("/studies")
    async def studies(client: Client) -> None:
        await StudiesPage(core, client).build()

    @pages.page("/report/{name}")
    async def report(client: Client, name: str) -> str | None:
        try:
            await ReportPage(core, client).build(name)
        except RefusedError:
            return nothing("/lab", "There is no such report.", "It may have been deleted.")
        return None
