"""A server whose addresses begin with a path, and with an agent of its own, in a browser."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import httpx
import pytest

from hyperoxo_web.pages.pages import PAGES
from tests.hyperoxo_web.pages.conftest import Open, Site, cell, ready

PREFIX = "/oxo"
PLAIN = ("/about", "/nothing", "/report/none", "/api/docs")
"""Pages without a script."""

STRAY = f"""() => [...document.querySelectorAll("[href], [src]")]
    .map((one) => one.getAttribute("href") ?? one.getAttribute("src"))
    .filter((path) => path.startsWith("/") && !path.startsWith("{PREFIX}/"))"""


@pytest.fixture(scope="module")
def options() -> list[str]:
    return ["--prefix", PREFIX, "--opponent", "mine=random"]


def addresses(site: Site) -> list[str]:
    """Return one address of each page, and those of a game and a class."""
    made = site.make("3^2", ["human", "human"])
    room = httpx.post(f"{site.url}/api/classes", json={"game": "3^2"}, timeout=300).json()
    match = {"game": "3^2", "agents": ["random", "random"], "games": 2}
    begun = httpx.post(f"{site.url}/api/matches", json=match, timeout=300).json()
    known = {
        "/game/{room}": f"/game/{made['id']}",
        "/p/{place:path}": "/p/3^2/4,0",
        "/class/{code}": room["url"],
        "/run/{run}": f"/run/{begun['run']}",
        "/analyse/{place:path}": "/analyse/3^2",
        "/puzzles/{place:path}": "/puzzles/4^3/1/1",
        "/proof/{name}": "/proof/4^3",
        "/states/{place:path}": "/states/3^2/4",
    }
    paths = [known.get(path, path) for page in PAGES for path in page.paths]
    paths.remove("/report/{name}")  # studies take long; the page without a report is among PLAIN
    return [*paths, *PLAIN]


def test_every_page_and_all_that_it_loads_lie_below_the_prefix(site: Site, open_page: Open) -> None:
    assert site.url.endswith(PREFIX)
    for path in addresses(site):
        # That nothing is asked for elsewhere and no error is logged, `open_page` sees itself.
        page = open_page(path)
        if path not in PLAIN:
            page.wait_for_selector("#page > *")
            page.wait_for_function("window.oxoSocket.readyState === WebSocket.OPEN")
        page.wait_for_load_state("networkidle")
        assert page.evaluate(STRAY) == [], path
        assert urlsplit(page.url).path.startswith(PREFIX)
        page.close()


def test_a_game_is_begun_shared_and_found_again(site: Site, open_page: Open) -> None:
    page = open_page("/?game=3^2")
    page.locator(".cell.legal").first.click()
    page.wait_for_url(f"{site.url}/game/*")
    ready(page)
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link", exact=True).input_value()
    assert link.startswith(f"{site.url}/game/")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.get_by_role("button", name="First position").click()
    page.wait_for_url(re.compile(f"^{re.escape(site.url)}/game/[^/#]+#move=0$"))
    page.reload()
    ready(page)
    assert page.evaluate("window.oxoGame.ply") == 0
    watching = open_page(link.removeprefix(site.url), person="Bob")
    ready(watching)
    cell(watching, 0).wait_for()


def test_an_offered_opponent_is_chosen_by_its_name_and_plays(site: Site, open_page: Open) -> None:
    page = open_page("/?game=3^2")
    page.wait_for_selector(".flat-board .cell")
    page.get_by_role("button", name="Your own rules").click()
    page.get_by_label("Seat 2", exact=True).select_option("mine")
    cell(page, 4).click()
    page.wait_for_function("window.oxoGame !== undefined")
    ready(page)
    page.wait_for_function("window.oxoGame.s.moves.length >= 2")
    assert "mine" in page.inner_text(".far")
    state = site.state(page)
    assert state["seats"][1] == {"player": 2, "name": "mine", "agent": "mine"}
    assert len(state["moves"]) == 2


def test_the_interface_is_below_the_prefix_and_without_it(site: Site) -> None:
    bare = site.url.removesuffix(PREFIX)
    for base in (site.url, bare):
        assert httpx.get(f"{base}/api").status_code == 200
        assert httpx.get(f"{base}/api/nothing").json()["error"]["code"] == "not-found"
        assert f'href="{PREFIX}/games"' in httpx.get(base).text
        assert (
            f'href="{PREFIX}/games"' in httpx.get(f"{base}/x", headers={"accept": "text/html"}).text
        )
    assert httpx.get(f"{site.url}/api/openapi.json").json()["servers"] == [{"url": PREFIX}]
    forged = httpx.get(f"{site.url}/about", headers={"X-Forwarded-Prefix": "/other"}).text
    assert "/other" not in forged
