"""Every page of a server whose addresses begin with a path: its links, and what axe-core finds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from hyperoxo_web.pages.pages import PAGES
from tests.hyperoxo_web.pages.conftest import HOT, Open, Site, cell, ready

PREFIX = "/oxo"
QUBIC = "moves:0,3,60,21,15,51,12,63"
PATHS = (
    "/", "GAME", "OVER", "/p/4^3/0,21,42", "/games", "/analyse", "/puzzles", "/proof",
    "/proof/4^3#0,21,48,63", "/states",
    "/lab", "/studies", "/matches", "/atlas?board=5^7", "/how-to-play", "/nowhere", "/game/nothing",
    "TOURNAMENT", "SWEEP", "/class", "CLASS", "JOIN", "ASKED",
)  # fmt: skip
RUNS = {
    "TOURNAMENT": ("tournaments", {"agents": ["random", "ising", "greedy"], "games": 20}),
    "SWEEP": (
        "sweeps",
        {"agent": "ising", "vary": ["bias=0:1:0.5"], "versus": ["random"], "seat": 2, "games": 20},
    ),
}
SHOWS = {
    "/states": ".states h1",  # a page that waits until this one is compiled has a heading as well
    "/puzzles": ".flat-board .stone",
    "/proof": ".branch",
    "/proof/4^3#0,21,48,63": ".branch",
    **dict.fromkeys(RUNS, ".state.done"),
}
"""Selectors of what a page shows once it is complete, where that is not its heading."""

LOADED = """[...document.images].every(({ complete, loading }) => complete || loading === "lazy")
    && (window.oxoSocket?.readyState ?? 1) === 1"""

STRAY = f"""() => [...document.querySelectorAll("[href], [src]")]
    .map((one) => one.getAttribute("href") ?? one.getAttribute("src"))
    .filter((path) => path.startsWith("/") && !path.startsWith("{PREFIX}/"))"""


@pytest.fixture(scope="module")
def options() -> list[str]:
    return ["--prefix", PREFIX, "--opponent", "mine=random"]


def axe() -> str:
    """Return the script of axe-core."""
    package = pytest.importorskip("axe_playwright_python")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def address(site: Site, path: str) -> str:
    if path == "GAME":
        found: str = site.make("4^3", [HOT, HOT], position=QUBIC)["urls"][0]
    elif path == "OVER":
        found = site.make("3^2", [HOT, HOT], position="moves:4,1,0,8,3,5,6")["urls"][0]
    elif path in ("CLASS", "JOIN"):
        found = classroom(site)["teacher_url" if path == "CLASS" else "url"]
    elif path == "ASKED":
        made = site.make("3^2", [{"name": "Ada"}, {"name": "Bob"}], position="moves:4")
        header = {"Authorization": f"Bearer {made['tokens'][1]}"}
        asked = f"{site.url}/api/games/{made['id']}/requests"
        httpx.post(asked, json={"kind": "draw"}, headers=header).raise_for_status()
        found = made["urls"][0]
    elif path in RUNS:
        kind, body = RUNS[path]
        answer = httpx.post(f"{site.url}/api/{kind}", json={"game": "3^2", **body}, timeout=60)
        found = answer.raise_for_status().json()["url"]
    else:
        found = path
    return found


def classroom(site: Site) -> dict[str, str]:
    """Make a class with a game that is over and one that waits for a pupil."""
    asked = {"game": "3^2", "opponent": None, "position": "moves:4,1,0,8,3,5"}
    room: dict[str, str] = httpx.post(f"{site.url}/api/classes", json=asked, timeout=60).json()
    for name in ("Ada", "Bob", "Cid"):
        path = f"{site.url}/api/classes/{room['code']}/pupils"
        place = httpx.post(path, json={"name": name}, timeout=60).json()
        header = {"Authorization": f"Bearer {place['token']}"}
        if name == "Ada":
            moves = f"{site.url}/api/games/{place['game']}/moves"
            httpx.post(moves, json={"cell": 6}, headers=header, timeout=60).raise_for_status()
    return room


RUN = """async (rules) => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame().then(frame);
    const moving = document.getAnimations().filter(
        ({ effect }) => effect.getComputedTiming().endTime < 1000);
    await Promise.allSettled(moving.map(({ finished }) => finished));
    const only = rules ? { runOnly: { type: "rule", values: rules } } : {};
    const found = await axe.run(document, { resultTypes: ["violations"], ...only });
    const looked = rules ? [...found.passes, ...found.incomplete] : found.passes.slice(7);
    if (!looked.length) throw Error("axe did not look");
    return found.violations.map(({ id, nodes }) => [id, nodes.slice(0, 8).map(
        ({ html, any, all }) => html.slice(0, 160) + ": " + (any[0] ?? all[0])?.message)]);
}"""


def clean(page: Any) -> None:
    """Check the page as it is now: its links, and all else in both schemes."""
    assert page.evaluate(STRAY) == []
    # The schemes differ in colours alone.
    for scheme, rules in (("light", None), ("dark", ["color-contrast"])):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert page.evaluate(RUN, rules) == [], scheme


def opened(site: Site, open_page: Open, path: str) -> Any:
    """Open a page, and wait until it has all that it loads."""
    page = open_page(address(site, path), reduced_motion="reduce")
    page.wait_for_selector(SHOWS.get(path, "main h1"))
    # That nothing is asked for elsewhere and no error is logged, `open_page` sees itself.
    page.wait_for_function(LOADED)
    assert urlsplit(page.url).path.startswith(PREFIX)
    page.evaluate(axe())
    return page


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing(site: Site, open_page: Open, path: str) -> None:
    page = opened(site, open_page, path)
    clean(page)
    assert page.get_attribute("html", "lang") == "en"
    assert page.locator("h1").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"


def test_no_page_is_left_out() -> None:
    looked = {re.split("[/?#]", path)[1] for path in PATHS if path.startswith("/")}
    found = {kind.paths[0].split("/")[1] for kind in PAGES}
    assert found - looked == {"run", "report"}  # that of `address`, and one without a script


def test_axe_finds_what_is_wrong(site: Site, open_page: Open) -> None:
    page = opened(site, open_page, "/how-to-play")
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=data:,>')"
    )
    assert [entry[0] for entry in page.evaluate(RUN)] == ["image-alt"]


@pytest.mark.parametrize(
    ("path", "presses", "shows"),
    [
        ("/", ["text=Your own rules"], ".own .player-options"),
        ("GAME", ["text=View >> nth=0", "text=Flat"], ".flat.tiny, .large .flat"),
        ("GAME", ["text=More", ".all >> text=Analysis"], ".advice tr.top"),
        ("GAME", ["text=More", ".all >> text=Analysis", "text=Prove who wins"], ".prove .small.go"),
        ("GAME", [".line >> text=Share"], "dialog[open]"),
        ("GAME", ["text=More", ".all >> text=Save"], "dialog[open] .go:enabled"),
        ("GAME", ["text=More", ".all >> text=Keys"], "dialog[open]"),
        ("OVER", ["text=Why?"], ".sentences li"),
        ("/lab", ["text=Match", "text=More"], ".form [type=number]"),
    ],
)
def test_axe_finds_nothing_in_what_opens(
    site: Site, open_page: Open, path: str, presses: list[str], shows: str
) -> None:
    page = opened(site, open_page, path)
    for press in presses:
        page.click(press)
    page.locator(shows).first.wait_for(state="attached")
    clean(page)


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
    for path in ("/about", "/nothing", "/report/none", "/api/docs"):
        markup = httpx.get(site.url + path, headers={"accept": "text/html"}).text
        links = re.findall(r"""(?:href|src)=["']?(/[^"'> ]*)""", markup)
        assert links, path
        assert all(link.startswith(f"{PREFIX}/") for link in links), path
    for base in (site.url, bare):
        assert httpx.get(f"{base}/api").status_code == 200
        assert httpx.get(f"{base}/api/nothing").json()["error"]["code"] == "not-found"
        for path in ("", "/x"):
            markup = httpx.get(base + path, headers={"accept": "text/html"}).text
            assert f'href="{PREFIX}/games"' in markup
    assert httpx.get(f"{site.url}/api/openapi.json").json()["servers"] == [{"url": PREFIX}]
    forged = httpx.get(f"{site.url}/about", headers={"X-Forwarded-Prefix": "/other"}).text
    assert "/other" not in forged
