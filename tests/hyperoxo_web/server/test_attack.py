"""A server of ours stands while it is attacked, and loses nothing when it is killed."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.hyperoxo_web.server.sessions import until
from tests.processes import tool


@pytest.mark.more
def test_a_server_stands_all_that() -> None:
    parts = "names heads bodies events proxies frames floods halves"
    said = tool("attack.py", *parts.split())
    assert "halves: 1,100 in" in said
    assert said.endswith("\n0 wrong\n")


@pytest.mark.more
def test_a_part_that_there_is_not() -> None:
    assert "no part 'nothing'" in tool("attack.py", "nothing", code=2)


SERVER = """
import sys
from pathlib import Path
from hyperoxo_web.server import Core
from hyperoxo_web.server.api import create_app
from hyperoxo_web.server.running import listen, run
listener = listen("127.0.0.1", 0)
core = Core(Path(sys.argv[1]))
ready = lambda: print(listener.getsockname()[1], flush=True)
run(create_app(core), core, listener, ready)
"""
GAMES = 8


class Player:
    """Two people at one board of 4^3, and what the server has acknowledged to them."""

    def __init__(self, path: str, tokens: list[str]) -> None:
        self.path, self.tokens = path, tokens
        self.moves: list[int] = []
        self.over = False
        self.sent: tuple[int, str] | None = None
        self.chance = random.Random(path)

    async def play(self, client: httpx.AsyncClient) -> None:
        """Play until the server is gone or the game over; a move without answer is sent again."""
        while not self.over:
            if self.sent is None:
                free = sorted(set(range(64)) - set(self.moves))
                self.sent = self.chance.choice(free), f"{len(self.moves)}"
            cell, key = self.sent
            answer = await client.post(
                f"{self.path}/moves",
                json={"cell": cell, "ply": len(self.moves), "key": key},
                headers={"Authorization": f"Bearer {self.tokens[len(self.moves) % 2]}"},
            )
            assert answer.status_code == 200, answer.text
            self.moves.append(cell)
            self.sent = None
            self.over = answer.json()["result"] != "*"

    async def check(self, client: httpx.AsyncClient) -> None:
        """Compare the game with what was acknowledged; one more move may be there."""
        there = (await client.get(self.path)).json()["moves"]
        assert there[: len(self.moves)] == self.moves
        rest = there[len(self.moves) :]
        assert rest in ([], [self.sent[0]] if self.sent else [])


async def one_life(path: Path, players: list[Player], chance: random.Random) -> None:
    """Start a server, check all games, play on, and kill it while they do."""
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        address = f"http://127.0.0.1:{int(server.stdout.readline())}"
        async with httpx.AsyncClient(base_url=address, timeout=300) as client:
            for player in players:
                await player.check(client)
            while len(players) < GAMES or chance.random() < 0.5:
                made = (await client.post("/api/games", json={"game": "4^3"})).json()
                players.append(Player(f"/api/games/{made['id']}", made["tokens"]))
            tasks = [asyncio.create_task(player.play(client)) for player in players[-GAMES:]]
            wanted = sum(len(player.moves) for player in players) + chance.randint(1, 60)
            # The last games may be over before so many moves are made.
            await until(
                lambda: (
                    sum(len(player.moves) for player in players) >= wanted
                    or all(task.done() for task in tasks)
                )
            )
            server.send_signal(signal.SIGKILL)
            for outcome in await asyncio.gather(*tasks, return_exceptions=True):
                assert outcome is None or isinstance(outcome, httpx.HTTPError), outcome
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


async def lives(path: Path, count: int) -> int:
    """Let a server live and die so many times; return the moves acknowledged."""
    chance = random.Random(count)
    players: list[Player] = []
    for _ in range(count + 1):
        await one_life(path, players, chance)
    return sum(len(player.moves) for player in players)


@pytest.mark.more
def test_acknowledged_moves_survive_a_few_kills(tmp_path: Path) -> None:
    assert asyncio.run(lives(tmp_path / "games.sqlite", 3)) >= 4


@pytest.mark.slow
def test_acknowledged_moves_survive_a_hundred_kills(tmp_path: Path) -> None:
    assert asyncio.run(lives(tmp_path / "games.sqlite", 100)) > 1000
