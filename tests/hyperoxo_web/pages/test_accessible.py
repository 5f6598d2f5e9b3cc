"""What axe-core finds on the pages, in both schemes, and what every page has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.hyperoxo_web.pages.conftest import People, Site

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
ME = {"name": "", "holder": "me"}


def axe() -> str:
    """Return the script of axe-core."""
    package = pytest.importorskip("axe_playwright_python")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def address(site: Site, path: str) -> str:
    if path == "GAME":
        found: str = site.make("4^3", [ME, ME], position=QUBIC)["urls"][0]
    elif path == "OVER":
        found = site.make("3^2", [ME, ME], position="moves:4,1,0,8,3,5,6")["urls"][0]
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
    """Check the page as it is now, in both schemes."""
    # The schemes differ in colours alone.
    for scheme, rules in (("light", None), ("dark", ["color-contrast"])):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert page.evaluate(RUN, rules) == [], scheme


def opened(site: Site, browser: People, path: str, width: int = 1280) -> Any:
    script = axe()
    page = browser.page("Ada", width, 900, reduced_motion="reduce")
    page.goto(site.url + address(site, path))
    # A page that waits until this one is compiled has a heading as well, and then goes away.
    page.wait_for_selector(".states h1" if path == "/states" else "main h1")
    page.wait_for_load_state("networkidle")
    page.evaluate(script)
    return page


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing(site: Site, browser: People, path: str) -> None:
    page = opened(site, browser, path)
    if path in RUNS:
        page.wait_for_selector(".state.done")
    clean(page)
    assert page.get_attribute("html", "lang") == "en"
    assert page.locator("h1").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.close()


def test_axe_finds_what_is_wrong(site: Site, browser: People) -> None:
    page = opened(site, browser, "/how-to-play")
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=x>')")
    assert [entry[0] for entry in page.evaluate(RUN)] == ["image-alt"]
    page.close()


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
    site: Site, browser: People, path: str, presses: list[str], shows: str
) -> None:
    page = opened(site, browser, path)
    for press in presses:
        page.click(press)
    page.locator(shows).first.wait_for(state="attached")
    clean(page)
    page.close()
