"""Weight of pages, time until they can be used, and smoothness of turning boards.

    .venv/bin/python benchmarks/page_speed.py [--repeats 5] [--only pages]

For each page in a headless Chromium: requests and kilobytes, compressed and with their headers, as
they come (`requests`, `kilobytes`); the first paint (`paint_ms`); from asking for its address until
its board can be pressed, or another page reads, with an empty cache (`first_ms`) and again in the
same browser (`again_ms`), and the processor time that browser and server spend on the first visit
until then (`cpu_ms`, which hardly depends on what else runs); medians. The server and the browser
share this machine; `taskset -c 0` before the command leaves them one core. For each board:
milliseconds to turn it a little (`turn_ms`), to turn and to draw it (`draw_ms`), and to mark the
lines of a cell that is pointed at (`point_ms`); while it turns for two seconds, the script's share
of a picture, without what draws the dots (`script_ms`), and pictures a second
(`frames_per_second`). Without a graphics card the processor draws every dot; with one, `script_ms`
is what counts. The script starts its own server, talks to this machine only, and prints one
JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from rows import CHROMIUM, add

FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]
SIZE: ViewportSize = {"width": 1280, "height": 900}
REST = 1000  # milliseconds in which a page loads what it can be used without
BOARDS = ("4^3", "6^3", "3^4", "5^4")
PAGES = ("/", "/puzzles", "/proof", "/states", "/games", "/analyse", "/lab", "/studies", "/about")
NAMES = {"/": "first page", "/proof": "proof"}
"""Pages that the documentation shows, with games of some boards."""
WITHOUT_BOARD = ("/games", "/analyse", "/lab", "/studies", "/about")
USABLE = "() => document.querySelector('.flat-board .cell.legal, .still polygon')"
READABLE = "() => document.querySelector('main h1')"
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"
TURN = """() => {
    const begun = performance.now();
    for (let i = 0; i < 30; i++) {
        window.oxoSpace.rotate(0.03, i % 2 ? 0.01 : -0.01);
        window.oxoSpace.pose();
    }
    return (performance.now() - begun) / 30;
}"""
DRAW = """() => {
    const begun = performance.now();
    const gl = window.oxoSpace.renderer.getContext();
    const pixel = new Uint8Array(4);
    for (let i = 0; i < 30; i++) {
        window.oxoSpace.rotate(0.03, i % 2 ? 0.01 : -0.01);
        window.oxoSpace.frame();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);  // wait until it is drawn
    }
    return (performance.now() - begun) / 30;
}"""
FRAMES = """() => new Promise((done) => {
    const space = window.oxoSpace;
    const [frame, begun] = [space.frame, performance.now()];
    let [frames, spent] = [0, 0];
    space.frame = function (time) {
        const start = performance.now();
        frame.call(this, time);
        spent += performance.now() - start;
        frames += 1;
        if (start - begun < 2000) return this.rotate(0.03, frames % 2 ? 0.01 : -0.01);
        space.frame = frame;
        done([spent / frames, (1000 * frames) / (performance.now() - begun)]);
    };
    space.rotate(0.03, 0);
})"""
POINT = """() => {
    const begun = performance.now();
    for (let cell = 0; cell < 40; cell++) window.oxoBoards.hover(cell);
    return (performance.now() - begun) / 40;
}"""


def usable(browser: Browser, address: str, repeats: int, wanted: str) -> dict[str, float]:
    """Return how heavy a page is, and how soon it can be used, in milliseconds."""
    rows: list[dict[str, float]] = []
    for _ in range(repeats):
        context = browser.new_context(viewport=SIZE)
        seen: dict[str, float] = {"requests": 0, "kilobytes": 0}
        for name in ("first_ms", "again_ms"):
            page = context.new_page()
            if name == "first_ms":
                _count(page, seen)
                page.wait_for_timeout(REST)  # what a new page costs is not this page's
            begun, spent = time.perf_counter(), _spent()
            page.goto(address, wait_until="commit")
            page.wait_for_function(wanted)
            seen[name] = 1000 * (time.perf_counter() - begun)
            seen.setdefault("cpu_ms", _spent() - spent)
            page.wait_for_timeout(REST)
            seen.setdefault("paint_ms", page.evaluate(PAINT))
            page.close()
        context.close()
        rows.append(seen)
    return {name: round(statistics.median(row[name] for row in rows), 1) for name in rows[0]}


def _spent() -> float:
    """Return the processor time of the browser and the server up to now, in milliseconds."""
    seconds = 0.0
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if process.name() != "node":
                seconds += process.cpu_times().user + process.cpu_times().system
    return 1000 * seconds


def _settle() -> None:
    """Wait until the server has prepared its boards: pages have no part in that."""
    while True:
        spent = _spent()
        time.sleep(2)
        if _spent() - spent < 100:
            return


def _count(page: Page, seen: dict[str, float]) -> None:
    """Add up what a page loads."""

    def loaded(event: dict[str, Any]) -> None:
        seen["requests"] += 1
        seen["kilobytes"] += event["encodedDataLength"] / 1000

    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", loaded)


def smooth(browser: Browser, address: str, repeats: int) -> dict[str, float]:
    """Return how long a board takes to turn, and to mark lines, in milliseconds."""
    page = browser.new_page(viewport=SIZE)
    page.goto(address)
    page.wait_for_selector("[data-ready]")
    # The view in space loads when a person touches the page.
    page.evaluate("oxoBoards.large === 'space' ? oxoBoards.wake() : oxoBoards.swap()")
    page.wait_for_function("window.oxoSpace")
    page.wait_for_timeout(500)
    turns = [page.evaluate(TURN) for _ in range(repeats)]
    draws = [page.evaluate(DRAW) for _ in range(repeats)]
    points = [page.evaluate(POINT) for _ in range(repeats)]
    frames = [page.evaluate(FRAMES) for _ in range(repeats)]
    page.close()
    return {
        "turn_ms": round(statistics.median(turns), 2),
        "draw_ms": round(statistics.median(draws), 2),
        "point_ms": round(statistics.median(points), 2),
        "script_ms": round(statistics.median(script for script, _ in frames), 2),
        "frames_per_second": round(statistics.median(rate for _, rate in frames), 1),
    }


def measure(
    url: str, asked: argparse.Namespace, pages: Sequence[str], boards: Sequence[str]
) -> dict[str, Any]:
    """Return all figures of a server."""
    repeats, only = asked.repeats, asked.only
    people = [{"name": "Ada", "holder": "x"}, {"name": "Bob", "holder": "x"}]
    games = {}
    for game in boards:
        made = httpx.post(f"{url}/api/games", json={"game": game, "seats": people}, timeout=60)
        games[game] = url + made.raise_for_status().json()["urls"][0]
    _settle()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        found = {}
        turned = {}
        for name, address in {**{path: url + path for path in pages}, **games}.items():
            if only == "boards":
                break
            wanted = READABLE if name in WITHOUT_BOARD else USABLE
            print(name, file=sys.stderr)
            usable(browser, address, 1, wanted)  # the server keeps what it has made
            found[name] = usable(browser, address, repeats, wanted)
        if only != "pages":
            turned = {game: smooth(browser, games[game], repeats) for game in boards}
        browser.close()
    return {"pages": found, "boards": turned, "cores": os.cpu_count()}


def rows(found: dict[str, Any]) -> Iterator[tuple[str, float, str]]:
    """Name the figures that the documentation shows: those that hardly depend on other programs."""
    for path, seen in found["pages"].items():
        name = NAMES.get(path, f"a game of {path}")
        yield f"{name}, on the line", seen["kilobytes"], "kB"
        yield f"{name}, asked for", seen["requests"], "requests"
        yield f"{name}, processor time until usable", seen["cpu_ms"], "ms"


def main() -> int:
    """Start a server, measure, stop it, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", choices=("pages", "boards"))
    parser.add_argument(
        "--into", type=Path, metavar="FILE", help="results.json: add rows of a few pages there"
    )
    asked = parser.parse_args()
    if CHROMIUM is None:
        sys.exit("Chromium is not installed")
    pages, games = (PAGES, BOARDS) if asked.into is None else (tuple(NAMES), BOARDS[::2])
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from hyperoxo.cli.main import main; main()", "serve"]
        command += ["--port", "0", "--format", "json", "--quiet", "--store", f"{folder}/g.sqlite"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            url = json.loads(server.stdout.readline())["url"]
            load = os.getloadavg()[0]
            found = {
                **measure(url, asked, pages, games),
                "load_average": round(load, 1),
            }
        finally:
            server.terminate()
            server.wait()
    if asked.into is None:
        print(json.dumps(found, indent=1))
    else:
        add(asked.into, "pages", rows(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
