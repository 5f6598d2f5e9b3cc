"""Guests who ask for much: the host's games go on, and what nobody waits for ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hyperoxo_web.server import HOME, PUBLIC, Core, Invitation, NewGame, RefusedError, SeatSpec
from hyperoxo_web.server.api import create_app
from hyperoxo_web.server.classroom import NewClass
from hyperoxo_web.server.match_session import Matches
from tests.hyperoxo_web.server.sessions import called, until

ENDLESS = "mcts:simulations=1000000000,nodes=100000"
HOST, GUEST, OTHER = "127.0.0.1", "10.0.0.7", "10.0.0.8"


def endless(core: Core, client: str | None) -> Any:
    """Make a game between agents that never look at a clock."""
    return core.create(NewGame("4^3", (SeatSpec(agent=ENDLESS), SeatSpec(agent=ENDLESS))), client)


@asynccontextmanager
async def matches_of(core: Core) -> AsyncIterator[Matches]:
    matches = Matches(core)
    try:
        yield matches
    finally:
        await matches.close()


def moves(made: Invitation) -> int:
    return made.live.room.position.ply


@pytest.mark.more
async def test_a_guests_games_leave_the_host_a_place(tmp_path: Path) -> None:
    async with Core(tmp_path / "g.sqlite", replace(HOME, searches=1), PUBLIC) as core:
        for number in range(8):
            await endless(core, (GUEST, OTHER)[number % 2])
        await until(lambda: len(core.workers.busy) == 1)
        seats = (SeatSpec("Ada"), SeatSpec(agent="mcts:simulations=5000,nodes=100000"))
        own = await core.create(NewGame("4^3", seats), HOST)
        await own.live.play(own.tokens[0], 0, ply=0)
        await until(lambda: moves(own) == 2, 300)
        assert "asked to move at once" not in own.live.room.tree.nodes[2].reason


@pytest.mark.more
async def test_a_guests_agent_has_the_time_of_guests_and_many_games_take_turns(
    tmp_path: Path,
) -> None:
    limits = replace(PUBLIC, agent_seconds=0.3, searches=1)
    async with Core(tmp_path / "g.sqlite", HOME, limits) as core:
        games = [await endless(core, GUEST) for _ in range(3)]
        assert core.workers._searches.count == HOME.searches + 1
        await until(lambda: all(moves(made) >= 1 for made in games))
        assert len(core.workers.busy) <= 1
        for made in games:
            assert "asked to move at once" in made.live.room.tree.nodes[1].reason


async def test_a_guests_game_is_a_guests_after_a_restart(tmp_path: Path) -> None:
    async with Core(tmp_path / "g.sqlite", HOME, PUBLIC) as core:
        own = await core.create(NewGame("3^2"), HOST)
        guests = await core.create(NewGame("3^2"), GUEST)
        found = await core.classes.create(NewClass(game="3^2", opponent="random"), HOST)
        board = await core.classes.join(found.code, "Ada", GUEST)
    async with Core(tmp_path / "g.sqlite", HOME, PUBLIC) as core:
        for game, limits in (
            (own.live.room.id, HOME),
            (guests.live.room.id, PUBLIC),
            (board.game, PUBLIC),
        ):
            assert (await core.open(game)).client.limits is limits


async def test_a_match_is_stopped_by_whom_it_belongs_to_and_by_the_host(tmp_path: Path) -> None:
    async with Core(tmp_path / "g.sqlite", HOME, PUBLIC) as core, matches_of(core) as matches:
        agents = ("random", "random")

        async def begin(client: str) -> Any:
            return await matches.begin("3^2", agents, 1000, pace=1.0, address=client)

        first = await begin(GUEST)
        with pytest.raises(RefusedError, match="1 match of yours run"):
            await begin(GUEST)
        with pytest.raises(RefusedError, match="only the client that began"):
            matches.stop(first.id, OTHER)
        await asyncio.sleep(0)
        assert first.running
        others = [await begin(f"10.0.1.{number}") for number in range(5)]
        own = await begin(HOST)
        await until(lambda: own.current is not None)
        assert [room.waiting for room in (first, *others)] == [False] * 4 + [True] * 2
        matches.stop(first.id, GUEST)
        await until(lambda: not first.running)
        assert others[3].waiting  # there is one place left, for the host
        matches.stop(others[0].id, HOST)
        await until(lambda: not (others[0].running or others[3].waiting))
        assert own.running
        assert others[4].waiting


async def test_a_match_has_a_time(tmp_path: Path) -> None:
    limits = replace(PUBLIC, run_seconds=0.5)
    async with Core(tmp_path / "g.sqlite", HOME, limits) as core, matches_of(core) as matches:
        room = await matches.begin("3^2", ("random", "random"), 1000, pace=10.0, address=GUEST)
        await until(lambda: not room.running)
        assert "was stopped" in room.error
        assert room.current is not None
        assert room.current.room.paused is not None


@pytest.mark.more
async def test_runs_leave_the_host_a_place(tmp_path: Path) -> None:
    async with Core(tmp_path / "g.sqlite", HOME, PUBLIC) as core:
        lab, options = core.laboratory, {"agents": ["mcts:seconds=1"] * 2, "games": 50}
        asked = {"kind": "match", "game": "3^2", "options": options, "seed": 1}
        lab.together = 2
        await lab.start(asked, core.client(GUEST))
        with pytest.raises(RefusedError, match="stop one first"):
            await lab.start(asked, core.client(OTHER))
        await lab.start(asked, core.client(HOST))


async def test_a_request_that_nobody_waits_for_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Core(tmp_path / "g.sqlite", HOME, PUBLIC) as core:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def proof(*_: object) -> bytes:
            begun.set()
            try:
                await asyncio.sleep(60)
            finally:
                ended.set()
            return b""

        monkeypatch.setattr(core.atlas, "proof", proof)
        app = create_app(core)
        scope = {
            "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": "/api/atlas/7^3/proof", "raw_path": b"/", "query_string": b"",
            "headers": [(b"host", b"127.0.0.1:8765")], "client": (GUEST, 1),
            "server": ("127.0.0.1", 8765),
        }  # fmt: skip
        sent: list[Any] = []
        asked = iter([{"type": "http.request", "body": b""}, None])

        async def receive() -> Any:
            message = next(asked)
            if message is None:
                await begun.wait()
                return {"type": "http.disconnect"}
            return message

        async def send(message: Any) -> None:
            sent.append(message)

        await asyncio.wait_for(app(scope, receive, send), 300)
        assert ended.is_set()


async def test_who_stays_gets_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Core(tmp_path / "g.sqlite", HOME, PUBLIC) as core:

        async def proof(*_: object) -> bytes:
            return b"proof"

        monkeypatch.setattr(core.atlas, "proof", proof)
        async with called(create_app(core), GUEST) as client:
            assert (await client.get("/api/atlas/7^3/proof")).content == b"proof"


@pytest.mark.more
async def test_an_analysis_that_is_broken_off_says_so(tmp_path: Path) -> None:
    async with Core(tmp_path / "g.sqlite", HOME, PUBLIC) as core:
        position = await core.position("4^3", "")
        first, second = (
            core.analyses.analyse(position, core.client(client), 30) for client in (GUEST, OTHER)
        )
        await second.cancel()
        assert second.error == "the analysis was broken off"
        with suppress(RefusedError):
            await first.finish()
        assert first.done
