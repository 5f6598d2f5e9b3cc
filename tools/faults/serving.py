"""A server under faults, while eight games are played on it."""

from __future__ import annotations

import asyncio
import os
import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lives import (
    Case,
    Child,
    begin,
    damage,
    limit_memory,
    set_clock_often,
    small_disk,
)
from works import oxo

GAME, CELLS, AT_ONCE = "4^3", 64, 8
STORE = "games.sqlite"


def serve(store: Path, listener: socket.socket) -> None:
    """Serve, without processes that think."""
    from hyperoxo_web.server import Core
    from hyperoxo_web.server.api import create_app
    from hyperoxo_web.server.running import run

    core = Core(store)
    run(create_app(core), core, listener, lambda: None)


def import_all() -> None:
    """Import what a server is made of into this process, so that no life need do so."""
    import hyperoxo_web.server.api
    import hyperoxo_web.server.running  # noqa: F401


@dataclass(frozen=True)
class Server:
    """A server in a fork of this process."""

    address: str
    child: Child


@contextmanager
def server(
    store: Path, beside: Path, before: Callable[[], object] = lambda: None
) -> Iterator[Server]:
    """Begin a server; kill it on exit."""
    import_all()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    listener.setblocking(False)
    port = listener.getsockname()[1]
    child = begin(lambda: serve(store, listener), beside, before)
    listener.close()
    try:
        yield Server(f"http://127.0.0.1:{port}", child)
    finally:
        child.kill()


class Player:
    """Two people at one board, and what the server has acknowledged to them."""

    def __init__(self, made: dict[str, Any], seed: int) -> None:
        self.path = f"/api/games/{made['id']}"
        self.tokens = made["tokens"]
        self.moves: list[int] = []
        self.over = False
        self.sent: tuple[int, str] | None = None
        self.refused = 0
        self._chance = random.Random(seed)

    async def play(self, client: Any) -> None:
        """Play until the server ends, refuses, or the game is over; unanswered moves again."""
        while not self.over:
            if self.sent is None:
                free = sorted(set(range(CELLS)) - set(self.moves))
                self.sent = self._chance.choice(free), f"{len(self.moves)}"
            cell, key = self.sent
            answer = await client.post(
                f"{self.path}/moves",
                json={"cell": cell, "ply": len(self.moves), "key": key},
                headers={"Authorization": f"Bearer {self.tokens[len(self.moves) % 2]}"},
            )
            if answer.status_code == 503:
                self.refused += 1
                self.sent = None
                return
            assert answer.status_code == 200, answer.text
            self.moves.append(cell)
            self.sent = None
            self.over = answer.json()["result"] != "*"

    async def check(self, client: Any) -> None:
        """Compare the game with what was acknowledged; one move more may be there."""
        answer = await client.get(self.path)
        assert answer.status_code == 200, f"{self.path}: {answer.text}"
        there = answer.json()["moves"]
        assert there[: len(self.moves)] == self.moves, f"{self.path}: {there}, not {self.moves}"
        rest = there[len(self.moves) :]
        assert rest in ([], [self.sent[0]] if self.sent else []), f"{self.path}: {rest} is new"


class Table:
    """All games, and those that are played now."""

    def __init__(self, chance: random.Random) -> None:
        self.players: list[Player] = []
        self.chance = chance

    @property
    def moves(self) -> int:
        """Number of acknowledged moves."""
        return sum(len(player.moves) for player in self.players)

    async def sit_down(self, client: Any, **options: Any) -> None:
        """Make games until so many are played at once."""
        while sum(not player.over for player in self.players) < AT_ONCE:
            made = await client.post("/api/games", json={"game": GAME, **options})
            assert made.status_code == 201, made.text
            self.players.append(Player(made.json(), self.chance.randrange(2**32)))

    async def check(self, client: Any) -> None:
        """Compare all games with what was acknowledged."""
        for player in self.players:
            await player.check(client)

    async def play(self, client: Any, moves: int, then: Callable[[], object]) -> None:
        """Play until so many more moves are made; do something; and until no player can go on."""
        import httpx

        wanted = self.moves + moves
        tasks = [asyncio.create_task(player.play(client)) for player in self.players]
        while self.moves < wanted and not all(task.done() for task in tasks):
            await asyncio.sleep(0.002)
        then()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if outcome is not None and not isinstance(outcome, httpx.HTTPError):
                raise outcome


def meet(case: Case, found: Server, meeting: Callable[[Any], Any]) -> None:
    """Let people meet on a server; note what went wrong."""
    import httpx

    async def together() -> None:
        async with httpx.AsyncClient(base_url=found.address, timeout=120) as client:
            await meeting(client)

    try:
        asyncio.run(together())
    except (AssertionError, httpx.HTTPError) as error:
        case.blame(f"{type(error).__name__}: {error}")


def kill(case: Case) -> None:
    """Kill a server while games are played; its next life has what it acknowledged."""
    table, folder = Table(case.chance), case.place()
    for _ in range(case.chance.randint(5, 15)):
        with server(folder / STORE, folder) as found:

            async def meeting(client: Any, found: Server = found) -> None:
                await table.check(client)
                await table.sit_down(client)
                await table.play(client, case.chance.randint(1, 60), found.child.kill)

            meet(case, found, meeting)
        case.note("killed")
    with server(folder / STORE, folder) as found:
        meet(case, found, table.check)
    case.note("moves acknowledged", table.moves)


def full(case: Case) -> None:
    """Serve on a disk that fills up, is emptied again, and then is left as it is."""
    table, folder = Table(case.chance), case.place()
    by_disk = case.chance.random() < 0.7
    with small_disk(folder, "size=4m") if by_disk else nullcontext() as disk:
        where = disk or folder
        filler = where / "filler"
        with server(where / STORE, folder) as found:

            async def meeting(client: Any) -> None:
                await table.sit_down(client)
                await table.play(client, case.chance.randint(1, 60), fill)
                refused = sum(player.refused for player in table.players)
                case.note("refused", refused)
                if not refused:
                    case.note("games over before the disk was full")
                await table.check(client)
                empty()
                before = table.moves
                await table.sit_down(client)
                await table.play(client, 20, lambda: None)
                case.note("moves after it", table.moves - before)

            def fill() -> None:
                if disk is None:
                    limit_files_of(found.child.pid, (where / STORE).stat().st_size)
                else:
                    fill_up(filler)

            def empty() -> None:
                filler.unlink(missing_ok=True)
                limit_files_of(found.child.pid, None)

            meet(case, found, meeting)
        with server(where / STORE, folder) as found:
            meet(case, found, table.check)


def limit_files_of(pid: int, most: int | None) -> None:
    """Limit how long files of a server become, or no longer."""
    import resource

    hard = resource.RLIM_INFINITY
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard if most is None else most, hard))


def fill_up(path: Path) -> None:
    """Write a file until its disk is full."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


def harm(case: Case) -> None:
    """Damage a store that a killed server has left: games as they were, or refusals in a line."""
    table, folder = Table(case.chance), case.place()
    with server(folder / STORE, folder) as found:

        async def meeting(client: Any) -> None:
            await table.sit_down(client)
            await table.play(client, case.chance.randint(20, 200), found.child.kill)

        meet(case, found, meeting)
    files = [path for path in folder.glob("games.sqlite*") if path.stat().st_size]
    damage(case.chance.choice(sorted(files)), case.chance)
    with server(folder / STORE, folder) as found:
        if refuses_to_start(found):
            life = found.child.end()
            case.note("refused")
            if not life.refused:
                case.blame(f"ended with {life.code}", life.said)
            return

        async def look(client: Any) -> None:
            for player in table.players:
                answer = await client.get(player.path)
                assert answer.status_code < 500 or answer.status_code == 503, answer.text
                if answer.status_code == 200:
                    there = answer.json()["moves"]
                    most = [*player.moves, *([player.sent[0]] if player.sent else [])]
                    assert there == most[: len(there)], f"{player.path}: {there}, not {most}"
                    case.note("games as they were, or shorter")
                else:
                    case.note("games refused")

        meet(case, found, look)


def refuses_to_start(found: Server) -> bool:
    """Wait until a server answers, or has ended."""
    import httpx

    limit = time.monotonic() + 120
    while not found.child.over and time.monotonic() < limit:
        with suppress(httpx.HTTPError):
            httpx.get(f"{found.address}/api/games", timeout=5)
            return False
        time.sleep(0.01)
    return True


def twice(case: Case) -> None:
    """Begin another server on the same store, by its name, a symbolic or a hard link."""
    table, folder = Table(case.chance), case.place()
    store, other = folder / STORE, folder / "other.sqlite"
    with server(store, folder) as found:

        async def meeting(client: Any) -> None:
            await table.sit_down(client)
            await table.play(client, case.chance.randint(1, 30), lambda: None)

        meet(case, found, meeting)
        by = case.chance.choice(("name", "symbolic link", "hard link", "copied name"))
        if by == "symbolic link":
            other.symlink_to(store)
        elif by == "hard link":
            os.link(store, other)
        elif by == "copied name":
            other = folder / ".." / folder.name / STORE
        words = ["--api-only", "--port", "0", "--store", str(store if by == "name" else other)]
        life = begin(lambda: oxo("serve", *words), folder).end(120)
        case.note("refused")
        if not life.refused:
            case.blame(f"a second server by {by} ended with {life.code}", life.said)
        meet(case, found, table.check)
    if by == "hard link":
        other.unlink()
    with server(store, folder) as found:
        meet(case, found, table.check)


SECONDS = 3600


def clock(case: Case) -> None:
    """Serve while the clock is set; the clocks of games lose only what has passed."""
    table, folder = Table(case.chance), case.place()
    seed, start = case.chance.randrange(2**32), time.monotonic()
    for _ in range(2):
        with server(folder / STORE, folder, lambda: set_clock_often(seed)) as found:

            async def meeting(client: Any) -> None:
                await table.check(client)
                await table.sit_down(client, clock={"seconds": SECONDS, "increment": 0})
                for _ in range(5):
                    await table.play(client, 5, lambda: None)
                    await asyncio.sleep(0.3)
                    await look(client)

            async def look(client: Any) -> None:
                for player in table.players:
                    state = (await client.get(player.path)).json()
                    assert state["ending"] is None, f"{player.path}: {state['ending']}"
                    passed = time.monotonic() - start
                    left = sum(state["clock"]["left"])
                    assert 2 * SECONDS - passed - 1 <= left <= 2 * SECONDS, f"{left} s are left"
                    case.note("clocks looked at")

            meet(case, found, meeting)


def memory(case: Case) -> None:
    """Serve with little memory: games are as acknowledged, whatever becomes of the server."""
    table, folder = Table(case.chance), case.place()
    megabytes = case.chance.randint(4, 64)
    with server(folder / STORE, folder, lambda: limit_memory(megabytes)) as found:
        import httpx

        async def meeting(client: Any) -> None:
            with suppress(httpx.HTTPError, AssertionError):
                await table.sit_down(client)
            with suppress(AssertionError):
                await table.play(client, 100, lambda: None)

        if not refuses_to_start(found):
            meet(case, found, meeting)
        case.note("ended" if found.child.over else "served in spite of it")
    with server(folder / STORE, folder) as found:
        meet(case, found, table.check)
    case.note("moves acknowledged", table.moves)


FAULTS: dict[str, Callable[[Case], object]] = {
    "kill": kill,
    "full": full,
    "damage": harm,
    "twice": twice,
    "memory": memory,
    "clock": clock,
}
