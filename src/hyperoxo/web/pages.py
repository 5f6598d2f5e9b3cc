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

from hyperoxo.errors import HyperoxoError, NotationError
from hyperoxo.play.proof_play import PROOF_GAMES
from hyperoxo.play.words import as_sentence
from hyperoxo.server import Core, RefusedError
from hyperoxo.server.budget import in_thread
from hyperoxo.server.match_room import Matches
from hyperoxo.server.view import miniature
from hyperoxo.web import static_files
from hyperoxo.web.about_page import about_page
from hyperoxo.web.analyse_page import AnalysePage, split_place, why_not
from hyperoxo.web.atlas_page import AtlasPage
from hyperoxo.web.class_page import ClassesPage, ClassPage
from hyperoxo.web.clients import Client, Clients
from hyperoxo.web.game_page import GamePage
from hyperoxo.web.games_page import GamesPage
from hyperoxo.web.lab_page import LabPage, ReportPage, RunPage, StudiesPage, look_of
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

    def __init__(self, application: FastAPI, core: Core) -> None:
        self.application = application
        self.clients = Clients(core)

    def page(self, path: str, missing: str = "", why: str = "") -> Callable[[Build], Build]:
        """Serve a page at an address.

        The function takes a `Client` and what is in the address. It builds a page of that client,
        or returns the markup of one that needs no connection. Where it raises one of our errors,
        there is nothing at the address: a page says what is `missing`, and `why`, or the error.
        """

        def decorate(build: Build) -> Build:
            self.application.add_api_route(
                path,
                self._endpoint(build, missing, why),
                include_in_schema=False,
                response_model=None,
            )
            return build

        return decorate

    def _endpoint(self, build: Build, missing: str, why: str) -> Callable[..., Awaitable[Response]]:
        async def endpoint(request: Request, **arguments: Any) -> Response:
            client = Client(request.client.host if request.client else "", _origin(request))
            try:
                markup = await build(client, **arguments)
            except HyperoxoError as error:
                if not missing:
                    raise
                here = "/" + request.url.path.split("/")[1]
                markup = nothing(here, missing, why or as_sentence(str(error)))
                return await _html(request, markup, _status(error))
            if markup is None:
                self.clients.add(client)
            # It is not kept: that of a large board is as long as all else that a page needs.
            answer, client.markup = await _html(request, markup or client.markup), ""
            return answer

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
    """Return what addresses of this server begin with."""
    return f"{request.url.scheme}://{request.url.netloc}"


def _status(error: HyperoxoError) -> int:
    """Return what answers an address that shows nothing: an address that makes no sense is none."""
    if isinstance(error, RefusedError) and error.code != "bad-request":
        return error.status
    return 404


async def _html(request: Request, markup: str, status: int = 200) -> Response:
    raw = markup.encode()
    # Besides what it holds a page is short; the interpreter is free while a long one is compressed.
    small = await in_thread(gzip.compress, raw, 6)
    answer = static_files.compressed(request, raw, small, "text/html; charset=utf-8")
    answer.status_code = status
    answer.headers["Cache-Control"] = "no-store"
    return answer


def mount(application: FastAPI, core: Core) -> Pages:
    """Serve the pages of `core` from an application."""
    pages = Pages(application, core)
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
        page = request.url.path.split("/")[1] != "api"
        page = page and "text/html" in request.headers.get("accept", "")
        if not page or getattr(error, "status_code", 500) != 404:
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


def _number(text: str) -> int | None:
    """Read a number that an address may hold."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _serve_pages(pages: Pages, core: Core, matches: Matches) -> None:
    @pages.page("/")
    async def new_game(client: Client, game: str | None = None) -> None:
        await NewGamePage(core, client).build(game)

    @pages.page("/games")
    async def games(client: Client, query: str = "", status: str = "all") -> None:
        await GamesPage(core, client).build(query[:200], status)

    @pages.page("/analyse")
    @pages.page("/analyse/{place:path}", "There is no such board.")
    async def analyse(client: Client, place: str = "") -> None:
        await AnalysePage(core, client).build(place)

    @pages.page("/puzzles")
    @pages.page("/puzzles/{place:path}", "There is no such puzzle.")
    async def puzzles(client: Client, place: str = "") -> None:
        await PuzzlesPage(core, client).build(place)

    @pages.page("/matches", "There is no such match.", "It lasted as long as the server.")
    async def match_list(client: Client, match: str = "") -> None:
        MatchesPage(matches, client, match)

    @pages.page("/proof", "There is no such proof.", "It may have been removed.")
    @pages.page("/proof/{name}", "There is no such proof.", "It may have been removed.")
    async def proof(client: Client, name: str = PROOF_GAMES[0], game: str | None = None) -> None:
        await ProofPage(core, client).build(game or name)

    @pages.page("/states")
    @pages.page("/states/{place:path}", "There is no such position.")
    async def states(client: Client, place: str = "") -> None:
        await StatesPage(core, client).build(*split_place(place))

    @pages.page("/about")
    async def about(_: Client) -> str:
        return about_page()


def _serve_games(pages: Pages, core: Core) -> None:
    @pages.page("/game/{room}", "There is no such game.", "It may have been deleted.")
    async def game(
        client: Client,
        room: str,
        seat: str | None = None,
        host: str | None = None,
        review: str | None = None,
        invite: str | None = None,
    ) -> None:
        live = await core.open(room)
        geometry = await core.boards.view("geometry", live.room.game, core.asker(client.ip))
        GamePage(
            core, live, client, geometry, seat, host, review_at_once=review is not None,
            invite=invite is not None,
        )  # fmt: skip

    @pages.page("/p/{place:path}", "There is no such position.")
    async def position(client: Client, place: str, review: str | None = None) -> None:
        try:
            made = await core.look(*split_place(place), client.ip)
        except NotationError:
            why = await why_not(core, *split_place(place), client.ip)
            if not why:
                raise
            raise RefusedError("bad-request", why) from None
        geometry = await core.boards.view("geometry", made.live.room.game, core.asker(client.ip))
        GamePage(
            core, made.live, client, geometry, made.tokens[0], made.host, look=True,
            review_at_once=review is not None,
        )  # fmt: skip


def _serve_classes(pages: Pages, core: Core) -> None:
    @pages.page("/class")
    async def classes(client: Client, game: str | None = None) -> None:
        await ClassesPage(core, client).build(game)

    @pages.page("/class/{code}", "There is no such class.")
    async def one_class(client: Client, code: str, teacher: str | None = None) -> None:
        room = await core.classes.open(code, client.ip)
        shown = await core.boards.game(room.new.game, core.asker(client.ip))
        ClassPage(core, client, room, teacher, miniature(shown))


def _serve_laboratory(pages: Pages, core: Core) -> None:
    @pages.page("/lab")
    async def laboratory(
        client: Client, again: str = "", kind: str = "", game: str = "", agent: str = ""
    ) -> None:
        picked = {"kind": kind, "game": game, "agent": agent}
        await LabPage(core, client).build(_number(again), picked)

    @pages.page(
        "/atlas", "The atlas has no such board.", "It has sides 1 to 12, dimensions 1 to 8."
    )
    async def atlas(client: Client, board: str = "") -> None:
        await AtlasPage(core, client).build(board)

    @pages.page("/run/{run}", "There is no such run.", "It may have been deleted.")
    async def one_run(
        client: Client, run: str, measure: str = "", fit: str = "", degree: str = ""
    ) -> None:
        look = look_of({"measure": measure, "fit": fit, "degree": _number(degree)})
        view = await core.laboratory.view(_number(run) or 0, look)
        RunPage(core, client, view, look)

    @pages.page("/studies")
    async def studies(client: Client) -> None:
        await StudiesPage(core, client).build()

    @pages.page("/report/{name}", "There is no such report.", "It may have been deleted.")
    async def report(client: Client, name: str) -> None:
        await ReportPage(core, client).build(name)
