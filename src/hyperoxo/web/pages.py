"""Mounts the pages on an application."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from nicegui import Client, app, ui

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.words import as_sentence
from hyperoxo.server import Core, RefusedError
from hyperoxo.server.match_room import Matches
from hyperoxo.web.about_page import about_page
from hyperoxo.web.analyse_page import AnalysePage
from hyperoxo.web.game_page import GamePage
from hyperoxo.web.games_page import GamesPage
from hyperoxo.web.lab_page import LabPage, RunPage, StudiesPage, report_page
from hyperoxo.web.matches_page import MatchesPage
from hyperoxo.web.new_game_page import NewGamePage
from hyperoxo.web.proof_page import ProofPage
from hyperoxo.web.puzzles_page import PuzzlesPage
from hyperoxo.web.shell import MISSING, STATIC, STATIC_URL, Words, frame
from hyperoxo.web.states_page import StatesPage

_RECONNECT = 60.0
_PATIENCE = 60.0  # the process that reads results takes a while to start


def mount(application: FastAPI, core: Core) -> None:
    """Serve the pages of `core` from an application."""
    serve(core)
    ui.run_with(
        application,
        title="hyperoxo",
        favicon=STATIC / "icon.svg",
        dark=None,
        tailwind=False,
        reconnect_timeout=_RECONNECT,
        show_welcome_message=False,
    )


def serve(core: Core) -> None:
    """Define the pages of `core`."""
    matches = Matches(core)
    app.on_shutdown(matches.close)
    app.add_exception_handler(404, _missing)
    app.add_static_files(STATIC_URL, STATIC, max_cache_age=3600)
    _serve_games(core)
    _serve_laboratory(core)

    @ui.page("/")
    def new_game(client: Client, game: str | None = None) -> None:
        NewGamePage(core, client).build(game)

    @ui.page("/games", response_timeout=_PATIENCE)
    async def games(client: Client) -> None:
        await GamesPage(core, client).build()

    @ui.page("/analyse")
    def analyse(client: Client) -> None:
        AnalysePage(core, client).build()

    @ui.page("/puzzles")
    def puzzles(client: Client) -> None:
        PuzzlesPage(core, client).build()

    @ui.page("/matches")
    def match_list(client: Client) -> None:
        MatchesPage(matches, client)

    @ui.page("/proof", response_timeout=_PATIENCE)
    async def proof(client: Client, game: str | None = None) -> None:
        await ProofPage(core, client).build(game)

    @ui.page("/states", response_timeout=_PATIENCE)
    async def states(client: Client) -> None:
        await StatesPage(core, client).build()

    @ui.page("/about")
    def about() -> None:
        about_page()


def _serve_games(core: Core) -> None:
    @ui.page("/game/{room}", response_timeout=_PATIENCE)
    async def game(
        client: Client,
        room: str,
        seat: str | None = None,
        host: str | None = None,
        review: str | None = None,
        invite: str | None = None,
    ) -> None:
        try:
            live = await core.open(room)
        except RefusedError:
            _nothing("/", "There is no such game.", "It may have been deleted.")
            return
        GamePage(
            core, live, client, seat, host, review_at_once=review is not None,
            invite=invite is not None,
        )  # fmt: skip

    @ui.page("/p/{spec}", response_timeout=_PATIENCE)
    @ui.page("/p/{spec}/{moves}", response_timeout=_PATIENCE)
    async def position(client: Client, spec: str, moves: str = "") -> None:
        try:
            made = await core.look(spec, moves, client.ip or "")
        except HyperoxoError as error:
            _nothing("/", "There is no such position.", as_sentence(str(error)))
            return
        GamePage(core, made.live, client, made.tokens[0], made.host, look=True)


def _serve_laboratory(core: Core) -> None:
    @ui.page("/lab", response_timeout=_PATIENCE)
    async def laboratory(client: Client, again: int | None = None) -> None:
        await LabPage(core, client).build(again)

    @ui.page("/run/{run}", response_timeout=_PATIENCE)
    async def one_run(client: Client, run: int) -> None:
        try:
            view = await core.laboratory.view(run)
        except RefusedError:
            _nothing("/lab", "There is no such run.", "It may have been deleted.")
            return
        RunPage(core, client, view)

    @ui.page("/studies", response_timeout=_PATIENCE)
    async def studies(client: Client) -> None:
        await StudiesPage(core, client).build()

    @ui.page("/report/{name}", response_timeout=_PATIENCE)
    async def report(name: str) -> None:
        try:
            await report_page(core, name)
        except RefusedError:
            _nothing("/lab", "There is no such report.", "It may have been deleted.")


async def _missing(request: Request, error: Exception) -> Response:
    """Answer where there is no page; files and data get a line of JSON."""
    if "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(MISSING, status_code=404)
    return JSONResponse({"detail": str(getattr(error, "detail", error))}, status_code=404)


def _nothing(here: str, title: str, why: str) -> None:
    """Say that there is nothing at an address."""
    with frame(here, title.rstrip(".")), ui.element("div").classes("page"):
        Words("h1", title)
        Words("p", why).classes("lead")
