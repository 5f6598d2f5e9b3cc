#!/usr/bin/env python3
"""Attack a server that is open to others, while its host plays a game.

    .venv/bin/python tools/guests.py               # 90 seconds, on its own server
    .venv/bin/python tools/guests.py --seconds 20

The server listens on 127.0.0.1; who comes from any other address of the loopback network counts as
a guest. Each of four guests begins games between agents that never look at a clock, opens puzzle
pages, asks for puzzles and goes away, begins matches, and stops those of others. The host plays
against an agent that searches, and against one that answers at once. One JSON object tells how long
the host waited for each answer; the exit code is 1 if one did not come within the time that the
host's agents have, or if a match was stopped by a stranger.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import uvicorn
import websockets

from hyperoxo_web.pages import mount
from hyperoxo_web.server import HOME, PUBLIC, Core
from hyperoxo_web.server.api import create_app
from hyperoxo_web.server.running import listen

HOST = "127.0.0.1"
GUESTS = ("127.0.0.11", "127.0.0.12", "127.0.0.13", "127.0.0.14")
ENDLESS = "mcts:simulations=1000000000,nodes=100000"
AGENTS = ("expert:simulations=200", "greedy")
GAMES, PUZZLES = 8, 20
_DATA = re.compile(r'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)


class Strangers:
    """Lets everybody but one address come from elsewhere."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a request."""
        address, port = scope.get("client") or (HOST, 0)
        if address != HOST:
            scope = {**scope, "client": (address.replace("127.", "10.", 1), port)}
        await self.app(scope, receive, send)


class Person:
    """Someone with a browser, at an address."""

    def __init__(self, url: str, address: str) -> None:
        self.url, self.address = url, address
        transport = httpx.AsyncHTTPTransport(local_address=address)
        self.http = httpx.AsyncClient(base_url=url, transport=transport, timeout=300)

    async def open(self, path: str) -> Any:
        """Open a page; return its connection."""
        data = _DATA.search((await self.http.get(path, headers={"accept": "text/html"})).text)
        assert data is not None
        live = f"{self.url.replace('http', 'ws', 1)}/live/{json.loads(data[1])['client']}"
        return await websockets.connect(live, local_addr=(self.address, 0))

    async def do(self, path: str, event: str, value: Any, answers: tuple[str, ...]) -> Any:
        """Do one thing on a page; return the answer."""
        async with asyncio.timeout(120), await self.open(path) as page:
            await page.send(json.dumps([event, value]))
            while (message := json.loads(await page.recv())).get("call") not in answers:
                pass
        return message["call"], message["value"]


async def match(person: Person, agent: str) -> tuple[str, Any]:
    """Begin a match; return ``begun`` and its name, or ``failed`` and why."""
    wanted = {"game": "4^3", "agents": [agent, agent], "games": 1000, "pace": 0}
    found: tuple[str, Any] = await person.do("/matches", "begin", wanted, ("begun", "failed"))
    return found


async def running(person: Person) -> dict[str, bool]:
    """Return which matches there are, and whether they run."""
    data = _DATA.search((await person.http.get("/matches")).text)
    assert data is not None
    return {entry["id"]: entry["running"] for entry in json.loads(data[1])["props"]["matches"]}


async def attack(guest: Person, end: float) -> None:
    """Ask for all that takes long, again and again."""
    for _ in range(GAMES // len(GUESTS)):
        body = {"game": "4^3", "seats": [ENDLESS, ENDLESS], "listed": False}
        await guest.http.post("/api/games", json=body)
    await match(guest, ENDLESS)
    while time.monotonic() < end:
        for _ in range(PUZZLES // len(GUESTS)):
            page = await guest.open("/puzzles")
            seed = random.randrange(10**9)
            wanted = {"game": "4^3", "length": 6, "seed": seed}
            await page.send(json.dumps(["make", wanted]))
            await page.close()
        for name in await running(guest):
            async with await guest.open("/matches") as page:
                await page.send(json.dumps(["stop", {"id": name}]))
        await asyncio.sleep(1)


async def play(host: Person, agent: str, end: float, waited: list[float]) -> str | None:
    """Play one game after another; return what went wrong."""
    while time.monotonic() < end:
        body = {"game": "4^3", "seats": ["human", agent], "listed": False}
        made = (await host.http.post("/api/games", json=body)).json()
        path, state = f"/api/games/{made['id']}", made["state"]
        token = {"Authorization": f"Bearer {made['tokens'][0]}"}
        while state["result"] == "*" and time.monotonic() < end:
            begin = time.monotonic()
            wanted = {"cell": random.choice(state["legal_moves"]), "wait": HOME.agent_seconds}
            answer = await host.http.post(f"{path}/moves", json=wanted, headers=token)
            state = answer.json().get("state") or {}
            waited.append(time.monotonic() - begin)
            if answer.status_code != 200 or not (state["to_move"] == 1 or state["result"] != "*"):
                return f"no answer of {agent} in {waited[-1]:.0f} s: {answer.status_code} {state}"
            await asyncio.sleep(0.2)
    return None


async def besieged(url: str, seconds: float) -> dict[str, Any]:
    """Let guests attack while the host plays, and return what happened."""
    host, guests = Person(url, HOST), [Person(url, address) for address in GUESTS]
    kind, own = await match(host, "random" if seconds < 30 else "mcts:simulations=300")
    assert kind == "begun", own
    end = time.monotonic() + seconds
    attacks = [asyncio.create_task(attack(guest, end)) for guest in guests]
    waited: dict[str, list[float]] = {agent: [] for agent in AGENTS}
    told = await asyncio.gather(*(play(host, agent, end, waited[agent]) for agent in AGENTS))
    problems = [words for words in told if words]
    results = await asyncio.gather(*attacks, return_exceptions=True)
    problems += [f"a guest's script: {found!r}" for found in results if found is not None]
    if not (await running(host))[own]:
        problems.append("the host's match was stopped")
    for person in (host, *guests):
        await person.http.aclose()
    return {
        "seconds": seconds,
        "answers": {agent: len(times) for agent, times in waited.items()},
        "longest": {agent: round(max(times, default=0.0), 2) for agent, times in waited.items()},
        "problems": problems,
    }


async def served(folder: Path, seconds: float) -> dict[str, Any]:
    """Serve to host and guests, and return what happened."""
    core = Core(folder / "games.sqlite", HOME, PUBLIC, warm=True)
    app = create_app(core)
    mount(app, core)
    listener = listen(HOST, 0)
    config = uvicorn.Config(Strangers(app), log_level="warning", timeout_graceful_shutdown=3)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.05)
    try:
        return await besieged(f"http://{HOST}:{listener.getsockname()[1]}", seconds)
    finally:
        await core.hush()
        server.should_exit = True
        with suppress(asyncio.CancelledError):
            await serving


def main() -> int:
    """Read the command line, and print what happened."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=90.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(served(Path(folder), asked.seconds))
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 1 if found["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
