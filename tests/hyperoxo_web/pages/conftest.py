"""A server and a real browser, where Chromium is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

OXO = [sys.executable, "-c", "from hyperoxo.cli.main import main; main()"]
NAMES = ("chromium", "chromium-browser", "google-chrome")
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


@dataclass
class Site:
    """A server of games."""

    url: str

    def make(self, game: str, seats: list[Any], **more: Any) -> dict[str, Any]:
        """Make a game; return what its maker is told."""
        body = {"game": game, "seats": seats, **more}
        answer = httpx.post(f"{self.url}/api/games", json=body, timeout=300)
        answer.raise_for_status()
        made: dict[str, Any] = answer.json()
        return made

    def state(self, game: str) -> dict[str, Any]:
        """Return the state of a game."""
        found: dict[str, Any] = httpx.get(f"{self.url}/api/games/{game}", timeout=300).json()
        return found


class People:
    """Persons with browsers of their own; one who comes again has the pages' files already."""

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium
        self._contexts: dict[str, Any] = {}

    def context(self, person: str, width: int, height: int, **more: Any) -> Any:
        """Return the browser of a person."""
        key = json.dumps([person, width, height, more])
        if key not in self._contexts:
            self._contexts[key] = self._chromium.new_context(
                viewport={"width": width, "height": height}, **more
            )
        return self._contexts[key]


@pytest.fixture(scope="module")
def options() -> list[str]:
    """More options of the server; a module that needs some has a fixture of this name."""
    return []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, options: list[str]) -> Iterator[Site]:
    """A server in a process of its own."""
    store = tmp_path_factory.mktemp("site") / "games.sqlite"
    server = subprocess.Popen(
        [*OXO, "serve", "--format", "json", "--port", "0", "--store", str(store), *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        yield Site(json.loads(server.stdout.readline())["url"])
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
        pytest.skip("Chromium is not installed: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=found, args=list(FLAGS))
        yield People(chromium)
        chromium.close()


@pytest.fixture
def open_page(site: Site, browser: People) -> Iterator[Callable[..., Any]]:
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

    def visit(
        path: str, *, person: str = "Ada", width: int = 1280, height: int = 900, **more: Any
    ) -> Any:
        page = browser.context(person, width, height, **more).new_page()
        pages.append(page)
        page.set_default_timeout(120_000)
        page.on("console", logged)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", asked)
        page.on("websocket", asked)
        page.goto(site.url + path)
        return page

    yield visit
    for page in pages:
        page.close()
    assert trouble == []
