"""Games in an event loop: receipts, watchers, clocks, and agents that people wait for."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest

from hyperoxo.play.changes import now, ticks
from hyperoxo_web.server import (
    Core,
    GameInPlay,
    Invitation,
    Limits,
    NewGame,
    RefusedError,
    SeatSpec,
    actions,
    game_session,
)
from hyperoxo_web.server.game_session import GameMessage, GameSession, _pace
from hyperoxo_web.server.limits import Client
from hyperoxo_web.server.thinking import Choice, Thinking
from tests.expect import require
from tests.hyperoxo_web.server.sessions import made, room, until

PEOPLE = (SeatSpec("Ada"), SeatSpec("Bob"))


async def two(core: Core, **more: object) -> Invitation:
    return await core.create(NewGame(seats=PEOPLE, **more))  # type: ignore[arg-type]


async def test_a_move_that_arrives_many_times_at_once_is_played_once(core: Core) -> None:
    made = await two(core)
    live, (ada, bob) = made.live, made.tokens
    receipts = await asyncio.gather(*(live.play(ada, 4, ply=0, key="k") for _ in range(20)))
    assert [receipt.repeated for receipt in receipts].count(False) == 1
    assert {receipt.version for receipt in receipts} == {2}
    with pytest.raises(RefusedError, match="another move"):
        await live.play(ada, 5, ply=0, key="k")
    await live.play(bob, 0, ply=1, key="k")  # another seat's key is another key
    rivals = await asyncio.gather(
        *(live.play(ada, cell, ply=2) for cell in (1, 2, 3)), return_exceptions=True
    )
    assert sum(isinstance(rival, RefusedError) for rival in rivals) == 2
    assert len(live.room.tree.moves) == 3


async def test_keys_are_remembered_after_a_restart(tmp_path: Path) -> None:
    async with Core(tmp_path / "g.sqlite") as core:
        made = await two(core)
        await made.live.play(made.tokens[0], 4, ply=0, key="k")
    async with Core(tmp_path / "g.sqlite") as core:
        live = await core.open(made.live.room.id)
        receipt = await live.play(made.tokens[0], 4, ply=0, key="k")
        assert (receipt.repeated, live.room.version) == (True, 2)
        assert live.room == made.live.room
        with pytest.raises(RefusedError, match="no such game"):
            await core.open("other")


async def test_every_watcher_sees_every_change(core: Core) -> None:
    async def watch(live: GameSession, seen: list[GameMessage]) -> None:
        async with live.subscribe() as updates:
            async for update in updates:
                seen.append(update)  # noqa: PERF401 - seen meanwhile

    made = await two(core)
    live, (ada, bob) = made.live, made.tokens
    watchers: list[list[GameMessage]] = [[] for _ in range(50)]
    tasks = [asyncio.create_task(watch(live, seen)) for seen in watchers]
    await until(lambda: all(watchers))
    for ply, cell in enumerate((4, 0, 3, 1)):
        await live.play((ada, bob)[ply % 2], cell, ply=ply)
    await until(lambda: all(len(seen) == 5 for seen in watchers))
    for seen in watchers:
        assert [update.room.version for update in seen] == [1, 2, 3, 4, 5]
        assert [update.kind for update in seen] == ["state", *["moved"] * 4]
    assert live.watchers == 50
    await core.delete(live.room.id, made.host)
    await asyncio.gather(*tasks)
    assert all(seen[-1].kind == "deleted" for seen in watchers)


async def test_presence_is_told(core: Core) -> None:
    made = await two(core)
    live = made.live
    async with live.subscribe(made.tokens[0]) as updates:
        assert (await updates.next(60)).present == (1,)  # type: ignore[union-attr]
        async with live.subscribe(made.tokens[1]):
            told = require(await updates.next(60))
            assert (told.kind, told.present) == ("present", (1, 2))
        told = require(await updates.next(60))
        assert told.present == (1,)
        assert await updates.next(0.01) is None
        assert not updates.ended


async def test_a_slow_watcher_misses_old_states_but_never_the_last(core: Core) -> None:
    made = await two(core)
    async with made.live.subscribe() as updates:
        for number in range(300):
            await made.live.do(actions.title, made.host, f"title {number}")
        seen = [await updates.next(60) for _ in range(256)]
        assert seen[-1] is not None
        assert seen[-1].room.title == "title 299"
        assert await updates.next(0.01) is None


async def test_a_client_that_goes_away_does_not_break_off_its_move(core: Core) -> None:
    made = await two(core)
    for ply, cell in enumerate((4, 0, 3, 1)):
        token = made.tokens[ply % 2]
        task = asyncio.create_task(made.live.play(token, cell, ply=ply))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await until(lambda at=ply: len(made.live.room.tree.moves) > at)  # type: ignore[misc]
    changes = await core.store.load(made.live.room.id)
    assert len(changes) == made.live.room.version == 5


@pytest.mark.more
async def test_agents_answer_and_say_why(core: Core) -> None:
    made = await core.create(
        NewGame(
            "3^2:players=3",
            (SeatSpec("Ada"), SeatSpec(agent="greedy"), SeatSpec(agent="random")),
        )
    )
    live = made.live
    for turn in range(3):
        await live.play(made.tokens[0], live.room.position.legal_moves[0], ply=3 * turn)
        await until(lambda: live.room.is_over or live.room.to_move == 1)
        if live.room.is_over:
            break
    assert "scores highest" in live.room.tree.nodes[2].reason
    assert [seat.name for seat in live.room.seats] == ["Ada", "greedy", "random"]
    assert len(await core.store.load(live.room.id)) == live.room.version


@pytest.mark.more
async def test_agents_play_a_game_to_its_end_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = (SeatSpec(agent="random"), SeatSpec(agent="greedy"))
    async with Core(tmp_path / "g.sqlite") as core:
        made = await core.create(NewGame(seats=agents, seed=1))
        await until(lambda: made.live.room.is_over)
        moves = made.live.room.tree.moves
        choose, chosen = core.bots.choose, asyncio.Event()

        async def spied(room: GameInPlay, thinking: Thinking, client: Client) -> Choice:
            found = await choose(room, thinking, client)
            chosen.set()
            return found

        monkeypatch.setattr(core.bots, "choose", spied)
        paced = await core.create(NewGame(seats=agents, pace=60.0))
        await chosen.wait()
        await paced.live.do(
            actions.title, paced.host, "after what was chosen, were it played at once"
        )
        assert paced.live.room.tree.moves == ()
        await paced.live.do(actions.pause, paced.host)
    async with Core(tmp_path / "g.sqlite") as core:
        assert (await core.open(made.live.room.id)).room.tree.moves == moves


@pytest.mark.parametrize(
    ("agent", "tokens", "clock", "least"),
    [
        ("level:6", ("a", None), None, 0.5),
        ("level:7", ("a", None), None, 0.0),
        ("level:2", ("a", None), (60.0, 0.0), 0.0),
        ("level:2", (None, None), None, 0.0),
    ],
)
def test_beginners_who_play_people_without_a_clock_wait_a_moment(
    agent: str, tokens: tuple[str | None, ...], clock: tuple[float, float] | None, least: float
) -> None:
    found = room(tokens=tokens, clock=clock, moves=(4,))
    seats = (found.seats[0], replace(found.seats[1], agent=agent))
    assert _pace(replace(found, seats=seats)) == least


@pytest.mark.more
async def test_an_agent_plays_what_it_has_found_when_its_time_is_up(tmp_path: Path) -> None:
    seats = (SeatSpec("Ada"), SeatSpec(agent="mcts:simulations=1000000000,nodes=100000"))
    async with Core(tmp_path / "g.sqlite", Limits(agent_seconds=1.0)) as core:
        made = await core.create(NewGame("4^3", seats))
        await made.live.play(made.tokens[0], 0, ply=0)
        await until(lambda: made.live.room.position.ply == 2)
        assert "asked to move at once" in made.live.room.tree.nodes[2].reason


async def test_a_search_dies_with_its_game(core: Core) -> None:
    seats = (SeatSpec("Ada"), SeatSpec(agent="mcts:simulations=1000000000"))
    made = await core.create(NewGame("4^3", seats))
    await made.live.play(made.tokens[0], 0, ply=0)
    await until(lambda: any(worker.alive for worker in core.workers.busy))
    (worker,) = core.workers.busy
    await made.live.do(actions.request, made.tokens[0], "undo")
    await until(lambda: not worker.alive)
    assert made.live.room.tree.moves == ()
    await made.live.play(made.tokens[0], 1, ply=0)
    await until(lambda: any(worker.alive for worker in core.workers.busy))
    (worker,) = core.workers.busy
    await core.delete(made.live.room.id, made.host)
    await until(lambda: not worker.alive)


async def test_the_flag_falls_by_itself(core: Core) -> None:
    made = await two(core, clock=(0.3, 0.0))
    await made.live.play(made.tokens[0], 4, ply=0)
    await until(lambda: made.live.room.is_over)
    ending = require(made.live.room.ending)
    assert (ending.how, ending.player, made.live.room.result) == ("time", 2, "1")
    with pytest.raises(RefusedError) as caught:
        await made.live.play(made.tokens[1], 0, ply=1)
    assert caught.value.code == "over"


async def test_a_clock_goes_on_after_a_restart_without_the_time_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Core(tmp_path / "g.sqlite") as core:
        made = await two(core, clock=(60.0, 0.0))
        await made.live.play(made.tokens[0], 4, ply=0)
    begin = ticks() - 3_600_000  # another process may well count from elsewhere
    monkeypatch.setattr(game_session, "ticks", lambda: begin)
    async with Core(tmp_path / "g.sqlite") as core:
        again = await core.open(made.live.room.id)
        assert again.room.time_left(2, begin) == 60_000


@pytest.mark.parametrize("hours", [-1, 1])
async def test_a_clock_of_the_machine_that_is_set_moves_no_clock_of_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    real = time.time_ns

    async with Core(tmp_path / "g.sqlite") as core:
        made = await two(core, clock=(600.0, 0.0))
        await made.live.play(made.tokens[0], 4, ply=0)
        monkeypatch.setattr(time, "time_ns", lambda: real() + hours * 3_600_000_000_000)
        state = GameMessage("state", made.live.room).state
        assert 500 < state["clock"]["left"][1] <= 600
        await made.live.play(made.tokens[1], 0, ply=1)
        assert 500_000 < made.live.room.remaining[1] <= 600_000
        assert not made.live.room.is_over
        assert abs(made.live.room.updated - now()) < 600_000
    monkeypatch.setattr(time, "time_ns", real)
    async with Core(tmp_path / "g.sqlite") as core:
        again = await core.open(made.live.room.id)
        left = require(again.room.time_left(1, ticks()))
        assert 500_000 < left <= 600_000


async def test_idle_games_leave_the_memory_and_come_back(tmp_path: Path) -> None:
    async with Core(tmp_path / "g.sqlite", Limits(rooms=10)) as core:
        games = [await two(core, title=f"game {number}") for number in range(30)]
        assert len(core.rooms) <= 11
        live = await core.open(games[0].live.room.id)
        await live.play(games[0].tokens[0], 4, ply=0)
        assert live.room.title == "game 0"
        both = await asyncio.gather(*(core.open(games[1].live.room.id) for _ in range(5)))
        assert len(set(map(id, both))) == 1


class Loads:
    """Loads of a store, as slow as wanted; the first fails, if wanted."""

    def __init__(self, core: Core, *, fails: bool = False) -> None:
        self._load, self._fails = core.store.load, fails
        self.now = self.most = self.count = 0
        self.gate = asyncio.Event()

    async def load(self, game: str) -> Any:
        self.count += 1
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await self.gate.wait()
            if self._fails and self.count == 1:
                raise RefusedError("store", "the store is busy")
            return await self._load(game)
        finally:
            self.now -= 1


async def stored(core: Core) -> str:
    """A game that is in the store alone."""
    live = (await two(core)).live
    del core.rooms[live.room.id]
    await live.close()
    return live.room.id


async def test_a_game_is_opened_once_also_after_a_failure(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of those who ask meanwhile and those who ask later, none loads it beside another."""
    game, loads = await stored(core), Loads(core, fails=True)
    monkeypatch.setattr(core.store, "load", loads.load)
    asked = [asyncio.create_task(core.open(game)) for _ in range(3)]
    await until(lambda: loads.now == 1)
    loads.gate.set()
    with pytest.raises(RefusedError, match="busy"):
        await asked[0]
    loads.gate.clear()
    asked += [asyncio.create_task(core.open(game)) for _ in range(3)]
    await until(lambda: loads.now > 0)
    await asyncio.sleep(0.05)
    loads.gate.set()
    found = await asyncio.gather(*asked[1:], return_exceptions=True)
    assert loads.most == 1
    assert {id(one) for one in found if isinstance(one, GameSession)} == {id(core.rooms[game])}
    assert isinstance(found[-1], GameSession)


async def test_a_game_is_opened_also_if_the_first_to_ask_goes(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, loads = await stored(core), Loads(core)
    monkeypatch.setattr(core.store, "load", loads.load)
    first, second = (asyncio.create_task(core.open(game)) for _ in range(2))
    await until(lambda: loads.now == 1)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    loads.gate.set()
    assert await second is core.rooms[game]
    assert loads.count == 1


async def test_a_game_is_not_loaded_again_while_it_is_deleted(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, gate, delete = await two(core), asyncio.Event(), core.store.delete
    game = made.live.room.id

    async def slow(game: str) -> None:
        await gate.wait()
        await delete(game)

    monkeypatch.setattr(core.store, "delete", AsyncMock(side_effect=RefusedError("store", "full")))
    with pytest.raises(RefusedError, match="full"):
        await core.delete(game, made.host)
    await (await core.open(game)).play(made.tokens[0], 0, ply=0)  # it goes on
    monkeypatch.setattr(core.store, "delete", slow)
    deleting = asyncio.create_task(core.delete(game, made.host))
    await asyncio.sleep(0.05)
    core.limits = replace(core.limits, rooms=1)
    await two(core)  # no place is left for an idle game
    found = await core.open(game)
    with pytest.raises(RefusedError, match="is being closed"):
        await found.play(made.tokens[0], 4, ply=0)
    async with asyncio.timeout(20), found.subscribe() as updates:
        assert [update.kind async for update in updates] == ["state", "deleted"]
    gate.set()
    await deleting
    with pytest.raises(RefusedError, match="no such game"):
        await core.open(game)


SLOW = "mcts:simulations=1000000000,nodes=100000"


async def against(core: Core, agent: str, game: str = "4^3") -> Invitation:
    """Make a game against an agent, and play the first move."""
    found = await core.create(NewGame(game, (SeatSpec("Ada"), SeatSpec(agent=agent))))
    await found.live.play(found.tokens[0], 0, ply=0)
    return found


@pytest.mark.more
async def test_an_agent_says_what_it_has_found_and_moves_when_asked(core: Core) -> None:
    made = await against(core, SLOW)
    live = made.live
    async with live.subscribe(made.tokens[0]) as updates:
        async for update in updates:
            thought = update.thought or {}
            if thought.get("games"):
                break
    assert update.kind == "thinking"
    assert update.state["thought"] == thought
    assert thought["player"] == 2
    assert thought["best"] in live.room.position.legal_moves
    with pytest.raises(RefusedError, match="no seat"):
        live.move_now("nobody")
    live.move_now(made.tokens[0])
    await until(lambda: live.room.position.ply == 2)
    assert "asked to move at once" in live.room.tree.nodes[2].reason
    assert live.thought is None
    with pytest.raises(RefusedError, match="no player is thinking"):
        live.move_now(made.tokens[0])


@pytest.mark.more
@pytest.mark.parametrize("asked", [True, False])
async def test_who_cannot_be_cut_short_plays_a_simpler_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: bool
) -> None:
    """Its process is ended, when its time is up or somebody asks."""
    monkeypatch.setattr("hyperoxo_web.server.thinking._HURRY", 0.2)
    limits = Limits() if asked else Limits(agent_seconds=1.0)
    async with Core(tmp_path / "g.sqlite", limits) as core:
        worker = core.workers._take(None)
        core.workers._spare.append(worker)
        send = worker._send
        monkeypatch.setattr(
            worker, "_send", lambda number, asked=None: asked and send(number, asked)
        )
        made = await against(core, SLOW)
        await until(lambda: worker in core.workers.busy)
        if asked:
            made.live.move_now(made.host)
        await until(lambda: made.live.room.position.ply == 2)
        assert "a simpler move, by greedy" in made.live.room.tree.nodes[2].reason
        assert not worker.alive


@pytest.mark.more
async def test_a_move_at_once_over_http(client: httpx.AsyncClient) -> None:
    game, headers = await made(client, game="4^3", seats=["human", SLOW])
    assert (await client.post(f"{game}/now", headers=headers[0])).status_code == 409
    await client.post(f"{game}/moves", json={"cell": 0}, headers=headers[0])
    assert (await client.post(f"{game}/now")).status_code == 403
    answer = await client.post(f"{game}/now", headers=headers[0])
    assert answer.json()["thought"]["hurried"]
    state = (await client.get(f"{game}?after=2&wait=60")).json()
    assert "asked to move at once" in state["reason"]
    assert state["thought"] is None


@pytest.mark.more
async def test_little_is_said_and_not_at_once() -> None:
    told: list[dict[str, Any] | None] = []
    thinking = Thinking(2, lambda: told.append(thinking.view()))
    for done in range(100):
        thinking.prepare({"done": done, "needed": 100})
        await asyncio.sleep(0)
    thinking.prepare(None)
    assert (told, thinking.view()) == ([], None)  # it was over before anything was said
    thinking.prepare({"done": 3, "needed": 7})
    await until(lambda: len(told) > 0)
    assert told[0] is not None
    assert told[0]["preparing"] == {"done": 3, "needed": 7}
    thinking.prepare(None)
    thinking.on_progress({"best": 5, "depth": 4, "games": 0})
    await until(lambda: (told[-1] or {}).get("depth") == 4)
    assert (told[-1] or {})["preparing"] is None
    thinking.end()
    assert len(told) <= 4
