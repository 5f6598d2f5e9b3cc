"""How soon pages can be used, and how smoothly boards turn, in a headless Chromium.

    .venv/bin/python benchmarks/page_speed.py [--repeats 5]

For each page: from asking for its address until its board can be pressed, with an empty cache
(`first_ms`) and again in the same browser (`again_ms`); medians. For each board: milliseconds to
turn it a little (`turn_ms`), to turn and to draw it (`draw_ms`), and to mark the lines of a cell
that is pointed at (`point_ms`). Without a graphics card the processor draws every dot;
with one, `turn_ms` is what counts. The script starts a server of its own, talks to this machine
only, and prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import httpx
from playwright.sync_api import Browser, ViewportSize, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]
SIZE: ViewportSize = {"width": 1280, "height": 900}
BOARDS = ("4^3", "6^3", "3^4", "5^4")
USABLE = "() => document.querySelector('.begin, .flat-board .cell.legal')"
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
POINT = """() => {
    const begun = performance.now();
    for (let cell = 0; cell < 40; cell++) window.oxoBoards.hover(cell);
    return (performance.now() - begun) / 40;
}"""


def usable(browser: Browser, address: str, repeats: int) -> dict[str, float]:
    """Return how soon a page can be used, in milliseconds."""
    first: list[float] = []
    again: list[float] = []
    for _ in range(repeats):
        context = browser.new_context(viewport=SIZE)
        for times in (first, again):
            page = context.new_page()
            begun = time.perf_counter()
            page.goto(address, wait_until="commit")
            page.wait_for_function(USABLE)
            times.append(1000 * (time.perf_counter() - begun))
            page.close()
        context.close()
    return {
        "first_ms": round(statistics.median(first), 1),
        "again_ms": round(statistics.median(again), 1),
    }


def smooth(browser: Browser, address: str, repeats: int) -> dict[str, float]:
    """Return how long a board takes to turn, and to mark lines, in milliseconds."""
    page = browser.new_page(viewport=SIZE)
    page.goto(address)
    page.wait_for_selector("[data-ready]")
    page.get_by_role("button", name="Larger board in space").click()
    page.wait_for_timeout(500)
    turns = [page.evaluate(TURN) for _ in range(repeats)]
    draws = [page.evaluate(DRAW) for _ in range(repeats)]
    points = [page.evaluate(POINT) for _ in range(repeats)]
    page.close()
    return {
        "turn_ms": round(statistics.median(turns), 2),
        "draw_ms": round(statistics.median(draws), 2),
        "point_ms": round(statistics.median(points), 2),
    }


def measure(url: str, chromium: str, repeats: int) -> dict[str, Any]:
    """Return all figures of a server."""
    people = [{"name": "Ada", "holder": "x"}, {"name": "Bob", "holder": "x"}]
    games = {}
    for game in BOARDS:
        made = httpx.post(f"{url}/api/games", json={"game": game, "seats": people}, timeout=60)
        games[game] = url + made.raise_for_status().json()["urls"][0]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        usable(browser, f"{url}/", 1)  # the server compiles its templates once
        found = {
            "new game": usable(browser, f"{url}/", repeats),
            **{game: usable(browser, games[game], repeats) for game in BOARDS},
        }
        boards = {game: smooth(browser, games[game], repeats) for game in BOARDS}
        browser.close()
    return {"pages": found, "boards": boards, "cores": os.cpu_count()}


def main() -> int:
    """Start a server, measure, stop it, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("Chromium is not installed")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from hyperoxo.cli.main import main; main()", "serve"]
        command += ["--port", "0", "--format", "json", "--quiet", "--store", f"{folder}/g.sqlite"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            url = json.loads(server.stdout.readline())["url"]
            load = os.getloadavg()[0]
            found = {**measure(url, chromium, asked.repeats), "load_average": round(load, 1)}
        finally:
            server.terminate()
            server.wait()
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
