"""A server and a real browser, where Chromium is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

OXO = [sys.executable, "-c", "from hyperoxo.cli.main import main; main()"]
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-unsafe-swiftshader",  # pictures in space without a graphics card
)


PROBE = Path(__file__).with_name("js").joinpath("probe.js").read_text("utf-8")

HOT = {"name": "", "holder": "me"}
"""A seat of the person who opens the page."""
Open = Callable[..., Any]


@dataclass
class Site:
    """A server of games, and the folder of its files."""

    url: str
    folder: Path

    def make(self, game: str, seats: list[Any], **more: Any) -> dict[str, Any]:
        """Make a game; return what its maker is told."""
        body = {"game": game, "seats": seats, **more}
        answer = httpx.post(f"{self.url}/api/games", json=body, timeout=300)
        answer.raise_for_status()
        made: dict[str, Any] = answer.json()
        return made

    def state(self, page: Any) -> dict[str, Any]:
        """Return the state of the game that a page shows, as the server knows it."""
        game = urlsplit(page.url).path.rpartition("/")[2]
        found: dict[str, Any] = httpx.get(f"{self.url}/api/games/{game}", timeout=300).json()
        return found


class People:
    """Persons with browsers of their own; one who comes again has the pages' files already."""

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium
        self._contexts: dict[str, Any] = {}
        self._idle: dict[Any, list[Any]] = {}

    def page(self, person: str, width: int, height: int, **more: Any) -> Any:
        """Return an idle page of that size in the browser of a person, or else a new one."""
        key = json.dumps([person, more])
        if key not in self._contexts:
            self._contexts[key] = self._chromium.new_context(**more)
            idle: list[Any] = []  # somebody who comes once leaves no page
        else:
            idle = self._idle.setdefault(self._contexts[key], [])
        page = idle.pop() if idle else self._contexts[key].new_page()
        page.set_viewport_size({"width": width, "height": height})
        return page

    def leave(self, page: Any, url: str) -> None:
        """Keep a page for the next test, at an address of the same site and without memory."""
        # Its process loads a page of the site in half the time that a new one takes.
        if page.is_closed():
            return
        page.evaluate("localStorage.removeItem('oxo:drawer'); sessionStorage.clear()")
        idle = self._idle.get(page.context)
        if idle is None or len(idle) > 1:
            page.close()
        else:
            page.goto(url)
            idle.append(page)


def cell(page: Any, number: int) -> Any:
    return page.locator(f".flat-board .cell[data-cell='{number}']")


def put(page: Any, *numbers: int) -> None:
    """Press cells one after the other, each until its stone is there."""
    for number in numbers:
        cell(page, number).click()
        stone(page, number)


def stone(page: Any, number: int) -> None:
    """Wait for a stone in a cell."""
    page.wait_for_selector(f".cell[data-cell='{number}'] .stone:not(.ghost)")


def ready(page: Any) -> None:
    """Wait until the page is connected and both views are drawn."""
    page.wait_for_selector(".flat-board .cell")
    page.wait_for_selector("[data-ready]")
    page.wait_for_function("window.oxoGame && window.oxoGame.s.present !== undefined")
    page.evaluate("window.oxoBoards.large = 'flat'")
    page.evaluate(PROBE)


def called(page: Any, menu: str, name: str) -> None:
    """Press something in one of the menus of the bottom line, and close it."""
    page.get_by_role("button", name=menu, exact=True).click()
    page.locator(":popover-open").get_by_role("button", name=name, exact=True).click()
    if page.locator(":popover-open").count():
        page.keyboard.press("Escape")


def said(page: Any, words: str) -> None:
    page.wait_for_function(
        "words => document.querySelector('.status').innerText.includes(words)", arg=words
    )


def in_space(page: Any) -> None:
    """Make the view in space the large one; it loads what it needs."""
    called(page, "View", "In space")
    page.wait_for_function("window.oxoSpace")


def point_in_space(page: Any, number: int) -> tuple[int, int]:
    """Return where a cell of the view in space can be pressed, once nothing moves there."""
    page.wait_for_function(
        """() => { const { root, size, tweens, asked } = window.oxoSpace;
            return !tweens.length && asked == null && size.width === root.clientWidth; }"""
    )
    x, y = page.evaluate("cell => oxoProbe.point(cell)", number)
    return x, y


def press_in_space(page: Any, number: int) -> None:
    """Press a cell of the view in space."""
    page.mouse.click(*point_in_space(page, number))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
            if item.get_closest_marker("slow") is None:
                item.add_marker("more")


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The server of all modules that need no options: its processes stay warm."""
    yield from serve(tmp_path_factory, [])


@pytest.fixture(scope="module")
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A server in a process of its own."""
    if hasattr(request.module, "options"):
        yield from serve(tmp_path_factory, request.getfixturevalue("options"))
    else:
        yield request.getfixturevalue("shared")


def serve(folders: pytest.TempPathFactory, options: list[str]) -> Iterator[Site]:
    store = folders.mktemp("site") / "games.sqlite"
    server = subprocess.Popen(
        [*OXO, "serve", "--format", "json", "--port", "0", "--store", str(store), *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        yield Site(json.loads(server.stdout.readline())["url"], store.parent)
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[People]:
    """A headless Chromium with a fresh profile."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        # `make test` installs it where it may; elsewhere the other tests are worth running.
        pytest.skip("Chromium is not installed: apt-get install chromium-headless-shell")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=found, args=list(FLAGS))
        yield People(chromium)
        chromium.close()


@pytest.fixture
def open_page(site: Site, browser: People) -> Iterator[Open]:
    """Open a page; afterwards no error and no request elsewhere must have been."""
    trouble: list[str] = []
    pages: list[Any] = []
    visited: set[str] = set()
    own = (site.url, site.url.replace("http", "ws", 1), "data:", "blob:")

    def asked(request: Any) -> None:
        if hasattr(request, "is_navigation_request") and request.is_navigation_request():
            visited.add(request.url)
        if not request.url.startswith(own):
            trouble.append(request.url)

    def logged(message: Any) -> None:
        # A page that says that there is nothing at its address is answered as that.
        missing = "404" in message.text and message.location["url"] in visited
        if message.type == "error" and not missing:
            trouble.append(message.text)

    listeners = {
        "console": logged,
        "pageerror": lambda error: trouble.append(str(error)),
        "request": asked,
        "websocket": asked,
    }

    def visit(
        path: str, *, person: str = "Ada", width: int = 1280, height: int = 900, **more: Any
    ) -> Any:
        page = browser.page(person, width, height, **more)
        pages.append(page)
        page.set_default_timeout(120_000)
        for event, listener in listeners.items():
            page.on(event, listener)
        page.goto(site.url + path)
        return page

    yield visit
    for page in pages:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        browser.leave(page, f"{site.url}/api")
    assert trouble == []


@pytest.fixture
def play(site: Site, open_page: Open) -> Open:
    """Make a game and open its page at one of its seats, ready for moves."""

    def begin(game: str, seats: Sequence[Any] = (HOT, HOT), at: int = 0, **more: Any) -> Any:
        rules = {name: more.pop(name) for name in ("position", "analysis") if name in more}
        page = open_page(site.make(game, list(seats), **rules)["urls"][at], **more)
        ready(page)
        return page

    return begin


@pytest.fixture
def pair(site: Site, open_page: Open) -> Open:
    """Make a game of Ada and Bob; open the page of each."""

    def begin(game: str, **more: Any) -> list[Any]:
        made = site.make(game, [{"name": "Ada"}, {"name": "Bob"}], **more)
        pages = [open_page(url, person=who) for url, who in zip(made["urls"], "AB", strict=True)]
        for page in pages:
            ready(page)
        return pages

    return begin
