"""Take the pictures of the pages and the terminal in the documentation, and film a game in space.

Run it by ``.venv/bin/python tools/screenshots.py [FOLDER]`` after ``make test``; it needs Chromium.
With ``--film`` it makes the animated picture of the README alone.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright

import hyperoxo as ox
from hyperoxo.notation import read
from hyperoxo.play.session import Session
from hyperoxo.terminal.tui.app import HyperoxoApp

_BROWSERS = ("chromium", "chromium-headless-shell", "google-chrome")

FLAGS = ("--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader")
TESSERACT = "3^4:players=4,target=9,blocked=centre"
QUBIC = "moves:0,3,60,21,15,51,12,63"
FILM = 400
"""Pixels of a side of the film."""
SCREENS, HANDS = ((1920, 1080), (1440, 900)), ((1024, 768), (390, 844), (844, 390))
LOST = "moves:51,0,63,55,12,29,60,54,39,38,32,6,22,41,28,35,44"

PUPILS = {
    "Ada": (21, 42, 22), "Bob": (0, 3), "Cid": (37, 38, 25, 26), "Dora": (5,), "Emil": (12, 48, 51),
    "Fatima": (1, 4, 16, 20, 23, 8),
}  # fmt: skip


Visit = Callable[..., Page]


def played(spec: str, agents: list[str], plies: int) -> str:
    """Return the moves of a game between agents, always the same."""
    position, rng = ox.Game(spec).start(), np.random.default_rng(5)
    seats = [ox.agent(agent) for agent in agents]
    for ply in range(plies):
        position = position.play(seats[ply % len(seats)].choose(position, rng))
    return "moves:" + ",".join(map(str, position.history))


def make(url: str, game: str, seats: list[Any], **more: Any) -> str:
    """Make a game; return the address of its first seat."""
    answer = httpx.post(f"{url}/api/games", json={"game": game, "seats": seats, **more}, timeout=60)
    answer.raise_for_status()
    return url + str(answer.json()["urls"][0])


def ready(page: Page) -> None:
    """Wait until both views are drawn, or the boards of a class, or the game of the first page."""
    page.wait_for_selector("[data-ready], .desk, .demo")
    page.wait_for_timeout(700)


def as_webp(page: Page, picture: bytes, quality: float = 0.9) -> bytes:
    """Return a picture in the format that makes small files; the browser knows how."""
    script = """async ([png, quality]) => {
        const picture = await createImageBitmap(await (await fetch(png)).blob());
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [picture.width, picture.height];
        canvas.getContext("2d").drawImage(picture, 0, 0);
        return canvas.toDataURL("image/webp", quality).split(",")[1];
    }"""
    blank = page.context.new_page()
    words = b64encode(picture).decode()
    return b64decode(blank.evaluate(script, [f"data:image/png;base64,{words}", quality]))


def in_space(page: Page) -> None:
    """Make the view in space the large one."""
    ready(page)
    page.evaluate("window.oxoBoards.large = 'space'")
    page.hover(".view.large")
    page.wait_for_selector(".view.large canvas")
    page.wait_for_timeout(1500)


def flat(page: Page) -> None:
    """Make the flat view the large one."""
    ready(page)
    page.evaluate("window.oxoBoards.large = 'flat'")
    page.wait_for_timeout(300)


def sheet(address: str, visit: Visit, prepare: Callable[[Page], None]) -> bytes:
    """Return a page at every size, light and dark, as one picture."""
    parts = []
    for scheme, ground in (("light", "#e9e4d8"), ("dark", "#0c0e11")):
        for screens, scale in (SCREENS, 0.4), (HANDS, 0.55):
            shots = []
            for width, height in screens:
                page = visit(address, width, height, scheme)
                prepare(page)
                page.evaluate("window.scrollTo(0, 0)")
                page.mouse.move(2, 2)
                page.wait_for_timeout(300)
                source = f"data:image/png;base64,{b64encode(page.screenshot()).decode()}"
                shots.append(f"<img src='{source}' width={scale * width:.0f}>")
                page.context.close()
            parts.append(f"<p style='background: {ground}'>{''.join(shots)}</p>")
    style = (
        "body, p { margin: 0 } body { width: 1404px } img { border-radius: 8px; display: block }"
        "p { display: flex; gap: 20px; align-items: start; justify-content: center; padding: 15px }"
    )
    page = visit("about:blank", 1404, 900)
    page.set_content(f"<style>{style}</style>{''.join(parts)}")
    made = as_webp(page, page.screenshot(full_page=True), 0.8)
    page.context.close()
    return made


def sheets(url: str, folder: Path, visit: Visit) -> None:
    """Take the first page, and a game of Qubic flat and in space, at every size."""
    both = [{"name": "Ada", "holder": "x"}, {"name": "Bob", "holder": "x"}]
    table = make(url, "4^3", both, position=QUBIC)
    pages = (("first", url, ready), ("flat", table, flat), ("space", table, in_space))
    for name, address, prepare in pages:
        (folder / f"sizes-{name}.webp").write_bytes(sheet(address, visit, prepare))


def film(url: str, folder: Path, visit: Visit) -> None:
    """Play the game of the documentation in space, while the board turns."""
    both = [{"name": "Ada", "holder": "x"}, {"name": "Bob", "holder": "x"}]
    game = httpx.post(f"{url}/api/games", json={"game": "4^3", "seats": both}, timeout=60).json()
    page = visit(url + game["urls"][0], 1100, 800, "dark")
    in_space(page)
    frames: list[Image.Image] = []
    times: list[int] = []

    def turn(degrees: int, milliseconds: int) -> None:
        """Drag the board a little, and take a frame once it is still."""
        box = page.locator(".view.large canvas").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 8
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 9, y)
        page.mouse.move(x + 9 + 2 * degrees, y)
        page.mouse.up()
        page.mouse.move(2, 2)
        page.wait_for_timeout(200)
        side = min(box["width"], box["height"])
        box |= {"x": x - side / 2, "width": side, "height": side}
        shot = Image.open(BytesIO(page.screenshot(clip=box))).convert("RGB")
        frames.append(shot.resize((FILM, FILM), Image.Resampling.LANCZOS))
        times.append(milliseconds)

    turn(0, 500)
    moves = f"{url}/api/games/{game['id']}/moves"
    headers = {"Authorization": f"Bearer {game['tokens'][0]}"}
    history = read(Path("docs/images/qubic.oxo").read_text("ascii"))[0].position.history
    for cell in history:
        httpx.post(moves, json={"cell": cell}, headers=headers, timeout=60).raise_for_status()
        page.wait_for_timeout(800 if cell == history[-1] else 300)
        for _ in range(2):
            turn(3, 220)
    for _ in range(24):
        turn(4, 110)
    times[-1] = 2_000
    frames[0].save(
        folder / "play.webp",
        save_all=True,
        append_images=frames[1:],
        duration=times,
        loop=0,
        quality=45,
        method=6,
    )
    page.context.close()


def classroom(url: str) -> str:
    """Make a class in which all have begun; return the address of its teacher."""
    room = httpx.post(f"{url}/api/classes", json={"title": "6b, Monday"}, timeout=60).json()
    for name, cells in PUPILS.items():
        path = f"{url}/api/classes/{room['code']}/pupils"
        place = httpx.post(path, json={"name": name}, timeout=60).json()
        headers = {"Authorization": f"Bearer {place['token']}"}
        for cell in cells:
            body = {"cell": cell, "wait": 30}
            httpx.post(f"{url}/api/games/{place['game']}/moves", json=body, headers=headers)
    return url + str(room["teacher_url"])


def set_up(url: str) -> str:
    """Return the address of a board that is set up."""
    return f"{url}/analyse/4^3/{ox.Game('4^3').position(QUBIC).text}"


def search(page: Page) -> None:
    """Mark two moves, and search for a proof for five seconds."""
    flat(page)
    page.keyboard.press("a")
    page.click("text=Prove who wins")
    page.get_by_role("button", name="Mark moves").click()
    page.click(".flat-board .cell[data-cell='12']")
    page.keyboard.press("[")
    page.click(".flat-board .cell[data-cell='60']")
    page.get_by_role("button", name="Back to the game").click()
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_function(
        "parseInt(document.querySelector('.proof-figures dd:last-child')?.innerText) >= 5",
        timeout=300_000,
    )


def report(page: Page) -> None:
    """Wait for the report of a game, and bring it into view."""
    ready(page)
    page.get_by_role("button", name="Report").first.click()
    page.wait_for_selector(".review .accuracy", timeout=300_000)


def tournament(url: str) -> str:
    """Start a tournament; return its address."""
    agents = ["random", "greedy", "ising", "minimax:depth=2"]
    asked = {"game": "3^2", "agents": agents, "games": 400, "seed": 1}
    answer = httpx.post(f"{url}/api/tournaments", json=asked, timeout=60)
    answer.raise_for_status()
    return url + str(answer.json()["url"])


def take(url: str, folder: Path, chromium: str, *, alone: bool) -> None:
    """Take all pictures of a server, or make the film alone."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))

        def visit(address: str, width: int, height: int, scheme: str = "light") -> Page:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme
            )
            page = context.new_page()
            page.goto(address)
            return page

        film(url, folder, visit)
        if not alone:
            pages(url, folder, visit)
            sheets(url, folder, visit)
        browser.close()


def pages(url: str, folder: Path, visit: Visit) -> None:
    """Take each page once."""

    def keep(page: Page, name: str) -> None:
        page.mouse.move(2, 2)
        page.wait_for_timeout(300)
        (folder / f"web-{name}.webp").write_bytes(as_webp(page, page.screenshot()))
        page.context.close()

    agents = ["ising", "greedy", "ising", "greedy"]
    seats = [{"name": "Ada"}, "ising:bias=0.647", {"name": "Bob"}, "expert"]
    moves = played(TESSERACT, agents, 32)
    page = visit(make(url, TESSERACT, seats, position=moves), 1280, 800)
    ready(page)
    page.keyboard.press("l")
    page.wait_for_timeout(2500)
    keep(page, "game")

    both = [{"name": "Ada", "holder": "x"}, {"name": "Bob", "holder": "x"}]
    page = visit(make(url, "4^3", both, position=QUBIC), 1280, 800, "dark")
    ready(page)
    page.keyboard.press("a")
    page.wait_for_selector(".forced", timeout=60_000)
    page.wait_for_timeout(2500)
    keep(page, "analysis")

    page = visit(make(url, "4^3", both, position=QUBIC), 390, 844)
    ready(page)
    keep(page, "phone")

    two = [{"name": "Ada", "holder": "x"}, {"name": "Bob", "holder": "y"}]
    page = visit(make(url, "4^3", two, position=LOST), 1280, 800)
    report(page)
    keep(page, "report")

    page = visit(make(url, "4^3", both, position="moves:0,21,3"), 1280, 800)
    ready(page)
    search(page)
    keep(page, "prove")

    for name, address in (("new", url), ("class", classroom(url)), ("edit", set_up(url))):
        page = visit(address, 1280, 800)
        ready(page)
        keep(page, name)

    page = visit(f"{url}/proof/4%5E3#0", 1280, 800)
    ready(page)
    page.wait_for_selector(".branch progress", timeout=120_000)
    keep(page, "proof")

    for name, address, sign in (
        ("atlas", f"{url}/atlas?board=5^7", "button.region.on"),
        ("lab", tournament(url), ".state.done"),
    ):
        page = visit(address, 1280, 860)
        page.wait_for_selector(sign, timeout=300_000)
        keep(page, name)


def terminal(path: Path) -> None:
    """Draw the application in the terminal, when it has analysed a position of Qubic."""
    session = Session(ox.Game("4^3").start(), ("human", "human"))
    for cell in map(int, LOST.removeprefix("moves:").split(",")[:7]):
        session.play(cell)

    async def run() -> None:
        app = HyperoxoApp(session, seed=1, theme="dark", analysis_seconds=5)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("a")
            while (
                session.node not in session.analyses or not session.analyses[session.node].finished
            ):
                await pilot.pause(0.2)
            await pilot.pause(0.5)
            # The font of the reader's system does: nothing is loaded from elsewhere.
            drawn = re.sub(r"@font-face \{.*?\}\s*", "", app.export_screenshot(), flags=re.DOTALL)
            path.write_text(drawn, "utf-8")

    asyncio.run(run())


def main() -> None:
    """Start a separate server, take the pictures, stop it."""
    words = [word for word in sys.argv[1:] if word != "--film"]
    folder, alone = Path(words[0] if words else "docs/images"), "--film" in sys.argv
    chromium = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if chromium is None:
        sys.exit("Chromium is not installed")
    with tempfile.TemporaryDirectory() as store:
        command = [sys.executable, "-c", "from hyperoxo.cli.main import main; main()", "serve"]
        arguments = ["--format", "json", "--port", "0", "--store", f"{store}/games.sqlite"]
        server = subprocess.Popen(  # noqa: S603
            [*command, *arguments], stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        try:
            take(json.loads(server.stdout.readline())["url"], folder, chromium, alone=alone)
        finally:
            server.terminate()
            server.wait()
    if not alone:
        terminal(folder / "terminal.svg")


if __name__ == "__main__":
    main()
