"""Agents that people wait for: what they are told, and a move at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from hyperoxo_web.server import Core, Invitation, Limits, NewGame, RefusedError, SeatSpec
from hyperoxo_web.server.thinking import Thinking
from tests.hyperoxo_web.server.rooms import made, until

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
    with pytest.raises(RefusedError, match="nobody is thinking"):
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
    thinking.hear({"best": 5, "depth": 4, "games": 0})
    await until(lambda: (told[-1] or {}).get("depth") == 4)
    assert (told[-1] or {})["preparing"] is None
    thinking.end()
    assert len(told) <= 4
