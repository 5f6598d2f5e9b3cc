"""Load on the server: many games with agents over HTTP, and watchers of some of them.

    .venv/bin/python benchmarks/server_load.py                 # its own server
    .venv/bin/python benchmarks/server_load.py --url http://127.0.0.1:8765
    .venv/bin/python benchmarks/server_load.py --pages 50      # and pages in Chromium

Every game has one person, whose moves are random, and agents in the other seats. A person
thinks for `--think` seconds on average (none with 0), posts a move, and waits for the agents'
answer. One move in ten is sent twice at once with the same key. Watchers hold a stream of
events each. With `--pages` so many pages of games are open in Chromium as well, each in its own
context, and note when each stone is on their board; the browser stands for other people's
machines, so it gives way to the server (nice 19), and draws no pictures in space, for which it
would need a graphics card. In the end every game and every page is compared with what was
acknowledged. The script talks to this machine only, and prints one JSON object.

Other programs make the times longer. `cpu_ms_per_move` does not depend on them: the processor time
of the server's own process while the load ran, by moves of people and agents. `cpu_share` is that
time by the clock, and `queue_share` how long the server was ready to work while others had the
processors: where it is large, the times tell about the machine and not about the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
from rows import CHROMIUM, add


class Connection:
    """One kept-alive HTTP connection, as lean as possible, so that the server is measured."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname in ("127.0.0.1", "localhost", "::1"), "only this machine is loaded"
        self.host, self.port = parts.hostname, parts.port or 80
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def send(
        self, verb: str, path: str, body: Any = None, token: str | None = None
    ) -> tuple[int, Any]:
        """Send a request; return status and answer."""
        try:
            await self.begin(verb, path, body, token)
            assert self._reader is not None
            head = await self._reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            # The server closes what was idle for long; a move has a key, and is not made twice.
            self._writer = None
            await self.begin(verb, path, body, token)
            head = await self._reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        size = re.search(rb"(?i)content-length: *(\d+)", head)
        data = await self._reader.readexactly(int(size[1])) if size else b""
        return status, json.loads(data) if data else None

    async def begin(
        self, verb: str, path: str, body: Any = None, token: str | None = None
    ) -> asyncio.StreamReader:
        """Send a request, and leave the answer to the caller."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(
                self.host, self.port, limit=2**24
            )
        data = b"" if body is None else json.dumps(body).encode()
        lines = [f"{verb} {path} HTTP/1.1", f"Host: {self.host}:{self.port}"]
        if token is not None:
            lines.append(f"Authorization: Bearer {token}")
        if data:
            lines.append("Content-Type: application/json")
        lines.append(f"Content-Length: {len(data)}")
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + data)
        assert self._reader is not None
        return self._reader

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.close()


@dataclass
class Tally:
    """Measured values."""

    moves: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    acknowledged: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    acknowledged_at: dict[tuple[str, int], float] = field(default_factory=dict)
    seen_at: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    shown: list[float] = field(default_factory=list)
    acknowledged_wall: dict[tuple[str, int], float] = field(default_factory=dict)
    repeats: int = 0
    problems: list[str] = field(default_factory=list)


async def play(
    url: str, number: int, asked: argparse.Namespace, tally: Tally, game: str, token: str
) -> None:
    """Play games on one connection until enough moves were made."""
    chance = random.Random(number)
    line, second = Connection(url), Connection(url)
    await asyncio.sleep(chance.uniform(0, max(asked.think, 0.2)))
    _, state = await line.send("GET", f"/api/games/{game}", token=token)
    for turn in range(asked.moves):
        if state["over"]:
            break
        if asked.think:
            await asyncio.sleep(chance.expovariate(1 / asked.think))
        cell, ply = chance.choice(state["legal_moves"]), state["ply"]
        body = {"cell": cell, "ply": ply, "key": f"{turn}"}
        path = f"/api/games/{game}/moves"
        begin = time.perf_counter()
        if chance.random() < 0.1:
            first, again = await asyncio.gather(
                line.send("POST", path, body, token), second.send("POST", path, body, token)
            )
            tally.repeats += 1
            if sorted((first[1]["repeated"], again[1]["repeated"])) != [False, True]:
                tally.problems.append(f"{game}: a repeated move was answered {first} {again}")
            status, receipt = first
        else:
            status, receipt = await line.send("POST", path, body, token)
        end = time.perf_counter()
        if status != 200:
            tally.problems.append(f"{game}: {status} {receipt}")
            return
        tally.moves.append(end - begin)
        tally.acknowledged[game].append((ply, cell))
        tally.acknowledged_at[game, receipt["version"]] = end
        tally.acknowledged_wall[game, cell] = time.time()
        while not state["over"] and (state["to_move"] != 1 or state["ply"] <= ply):
            version = state["version"]
            _, state = await line.send(
                "GET", f"/api/games/{game}?after={version}&wait=30", token=token
            )
        tally.answers.append(time.perf_counter() - begin)
    line.close()
    second.close()


async def watch(url: str, game: str, tally: Tally) -> None:
    """Follow the events of a game, and note when each version is seen."""
    line = Connection(url)
    reader = await line.begin("GET", f"/api/games/{game}/events")
    last = None
    try:
        while True:
            text = await reader.readline()
            if not text:
                return
            if text.startswith(b"id: "):
                version = int(text[4:])
                if last is not None and version not in (last, last + 1):
                    tally.problems.append(f"{game}: a watcher saw {version} after {last}")
                if version != last:
                    tally.seen_at.setdefault((game, version), []).append(time.perf_counter())
                last = version
    finally:
        line.close()


NOTE = """() => {
    window.shown = {};
    new MutationObserver((changes) => {
        const now = performance.timeOrigin + performance.now();
        for (const { target, addedNodes } of changes) {
            const cell = target.closest?.("[data-cell]");
            const stone = [...addedNodes].some((node) => node.classList?.contains("stone"));
            if (cell && stone) window.shown[cell.dataset.cell] ??= now;
        }
    }).observe(document.querySelector(".flat-board"), { childList: true, subtree: true });
}"""


class Pages:
    """Pages of games in Chromium, each in its own context."""

    def __init__(self, driver: Any, browser: Any) -> None:
        self._driver = driver
        self._browser = browser
        self.pages: list[tuple[str, Any]] = []
        self.ready: list[float] = []

    @classmethod
    async def opened(cls, url: str, games: list[str], server: int | None) -> Pages:
        """Start the browser and open one page for each game."""
        if not games:
            return cls(None, None)
        from playwright.async_api import async_playwright

        assert CHROMIUM is not None, "Chromium is not installed"
        driver = await async_playwright().start()
        flags = ["--no-sandbox", "--disable-gpu", "--disable-3d-apis"]
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=flags)
        pages = cls(driver, browser)
        for game in games:
            context = await browser.new_context(viewport={"width": 1280, "height": 800})
            page = await context.new_page()
            page.set_default_timeout(120_000)
            begin = time.perf_counter()
            await page.goto(f"{url}/game/{game}")
            await page.wait_for_function(
                "window.oxoGame && window.oxoGame.s.watchers !== undefined"
            )
            await page.wait_for_selector(".flat-board .cell")
            pages.ready.append(time.perf_counter() - begin)
            await page.evaluate(NOTE)
            pages.pages.append((game, page))
        give_way(os.getpid(), server)
        return pages

    async def close(self, tally: Tally) -> None:
        """Compare what the pages show with what was acknowledged, and close them."""
        for game, page in self.pages:
            shown = await page.evaluate("window.shown")
            for _, cell in tally.acknowledged[game]:
                if str(cell) not in shown:
                    tally.problems.append(f"{game}: a page does not show cell {cell}")
                else:
                    tally.shown.append(
                        shown[str(cell)] / 1000 - tally.acknowledged_wall[game, cell]
                    )
        if self._browser is not None:
            await self._browser.close()
            await self._driver.stop()


async def check(url: str, game: str, tally: Tally) -> tuple[int, int]:
    """Compare a game with what was acknowledged; return moves lost and moves doubled."""
    line = Connection(url)
    _, state = await line.send("GET", f"/api/games/{game}")
    line.close()
    acknowledged = tally.acknowledged[game]
    lost = sum(
        ply >= len(state["moves"]) or state["moves"][ply] != cell for ply, cell in acknowledged
    )
    own = state["moves"][:: state["players"]]
    return lost, max(0, len(own) - len(acknowledged))


def give_way(parent: int, besides: int | None) -> None:
    """Let all descendants of a process but one give way to all other processes."""
    for child in psutil.Process(parent).children():
        if child.pid != besides:
            with suppress(psutil.Error):
                child.nice(19)
                give_way(child.pid, besides)


def processor_time(server: int | None) -> float:
    """Return the seconds of processor time of a process, without its children."""
    if server is None or not psutil.pid_exists(server):
        return float("nan")
    times = psutil.Process(server).cpu_times()
    return times.user + times.system


def time_in_queue(server: int | None) -> float:
    """Return the seconds for which a process's main thread was ready and others ran instead."""
    place = Path(f"/proc/{server}/schedstat")
    return int(place.read_text().split()[1]) / 1e9 if place.exists() else float("nan")


async def load(url: str, asked: argparse.Namespace, server: int | None = None) -> dict[str, Any]:
    """Put the load on a server, and return the figures."""
    tally = Tally()
    line = Connection(url)
    seats = ["human", *[asked.agent] * (asked.seats - 1)]
    games = []
    for number in range(asked.games):
        body = {"game": asked.game, "seats": seats, "title": f"load {number}", "listed": False}
        status, made = await line.send("POST", "/api/games", body)
        assert status == 201, made
        games.append((made["id"], made["tokens"][0]))
        tally.acknowledged[made["id"]] = []
    watched = [games[number % len(games)][0] for number in range(asked.watchers)]
    watchers = [asyncio.create_task(watch(url, game, tally)) for game in watched]
    opened = await Pages.opened(url, [games[n % len(games)][0] for n in range(asked.pages)], server)
    await asyncio.sleep(0.5)
    spent, queued, begin = processor_time(server), time_in_queue(server), time.perf_counter()
    await asyncio.gather(
        *(play(url, number, asked, tally, *game) for number, game in enumerate(games))
    )
    seconds = time.perf_counter() - begin
    spent, queued = processor_time(server) - spent, time_in_queue(server) - queued
    await asyncio.sleep(2 if asked.pages else 0.5)
    await opened.close(tally)
    for task in watchers:
        task.cancel()
    await asyncio.gather(*watchers, return_exceptions=True)
    counts = [await check(url, game, tally) for game, _ in games]
    for place, times in tally.seen_at.items():
        if place in tally.acknowledged_at:
            tally.seen += [at - tally.acknowledged_at[place] for at in times]
    return {
        "games": asked.games,
        "watchers": asked.watchers,
        "game": asked.game,
        "agent": asked.agent,
        "think": asked.think,
        "seconds": round(seconds, 2),
        "moves": len(tally.moves),
        "moves_per_second": round(len(tally.moves) / seconds, 1),
        "move_ms": spread(tally.moves),
        "cpu_ms_per_move": round(1000 * spent / max(1, asked.seats * len(tally.moves)), 3),
        "cpu_share": round(spent / seconds, 3),
        "queue_share": round(queued / seconds, 3),
        "answer_ms": spread(tally.answers),
        "seen_after_ms": spread(tally.seen),
        "pages": asked.pages,
        "page_ready_ms": spread(opened.ready),
        "shown_after_ms": spread(tally.shown),
        "load_average": round(os.getloadavg()[0], 1),
        "sent_twice": tally.repeats,
        "lost": sum(lost for lost, _ in counts),
        "doubled": sum(doubled for _, doubled in counts),
        "problems": tally.problems[:10],
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def rows(found: dict[str, Any]) -> Iterator[tuple[str, float, str]]:
    """Name the figures that the documentation shows."""
    yield "processor time of a move", found["cpu_ms_per_move"], "ms"
    yield "moves acknowledged", found["moves"], "moves"
    yield "moves lost", found["lost"], "moves"
    yield "moves doubled", found["doubled"], "moves"
    for name, key in (
        ("a move is acknowledged after", "move_ms"),
        ("the agent's answer is there after", "answer_ms"),
        ("a watcher sees a move after", "seen_after_ms"),
    ):
        for word, part in (("median", "median"), ("99 %", "p99")):
            yield f"{name}, {word}", found[key][part], "ms"
    yield "the server waits for a processor", 100 * found["queue_share"], "%"


def spread(seconds: list[float]) -> dict[str, float]:
    """Return median, 99th percentile and maximum in milliseconds."""
    if len(seconds) < 2:
        return {}
    return {
        "median": round(statistics.median(seconds) * 1000, 2),
        "p99": round(statistics.quantiles(seconds, n=100)[98] * 1000, 2),
        "max": round(max(seconds) * 1000, 2),
    }


def main() -> int:
    """Read the command line, start a server if none is named, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--url", help="a running server on this machine")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--watchers", type=int, default=50)
    parser.add_argument("--pages", type=int, default=0, help="open in Chromium")
    parser.add_argument("--moves", type=int, default=15, help="of each person at most")
    parser.add_argument("--think", type=float, default=1.0, help="mean seconds before a move")
    parser.add_argument("--game", default="4^3")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--agent", default="greedy")
    parser.add_argument("--api-only", action="store_true", help="serve no pages")
    parser.add_argument("--into", type=Path, metavar="FILE", help="results.json: add rows there")
    asked = parser.parse_args()
    if asked.url:
        found = asyncio.run(load(asked.url, asked))
    else:
        with tempfile.TemporaryDirectory() as folder:
            found = with_server(Path(folder), asked)
    if asked.into is None:
        print(json.dumps(found, indent=1))
    else:
        add(asked.into, "server", rows(found))
    return 1 if found["lost"] or found["doubled"] or found["problems"] else 0


def with_server(folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """Start a server with its own store, put the load on it, and stop it."""
    oxo = Path(sys.executable).with_name("oxo")
    command = [str(oxo), "serve", "--port", "0", "--format", "json", "--quiet"]
    command += ["--store", str(folder / "games.sqlite")]
    server = subprocess.Popen(
        command + (["--api-only"] if asked.api_only else []), stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        url = json.loads(server.stdout.readline())["url"]
        time.sleep(3)  # the first worker processes get ready
        return asyncio.run(load(url, asked, server.pid))
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(20)


if __name__ == "__main__":
    sys.exit(main())
