"""Agents that play on the server."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any

from hyperoxo.play.game_in_play import GameInPlay
from hyperoxo.rules import Game
from hyperoxo.server.limits import Limits
from hyperoxo.server.refusal import RefusedError
from hyperoxo.server.workers import Workers

__all__ = ["Bots", "is_quick", "request_for"]

_COMPILING = 120.0
_QUICK_SECONDS = 10.0


class Bots:
    """Lets agents choose moves in worker processes."""

    def __init__(self, workers: Workers, limits: Limits) -> None:
        self._workers = workers
        self.limits = limits
        self.compiling = _COMPILING

    async def choose(self, room: GameInPlay) -> tuple[int, str]:
        """Return the cell that the agent to move plays, and why."""
        mover = room.mover
        assert mover is not None
        assert mover.agent is not None
        request = {
            **request_for(room),
            "kind": "choose",
            "agent": mover.agent,
            "seed": [room.seed, room.tree.node, room.version],
        }
        quick = await asyncio.to_thread(is_quick, mover.agent, room.game)
        try:
            return await self._ask(request, quick=quick)
        except RefusedError as refusal:
            if refusal.code != "worker":
                raise
        # Another game's agent has brought the process down, or the system has: once more.
        return await self._ask(request, quick=False)

    async def _ask(self, request: dict[str, Any], *, quick: bool) -> tuple[int, str]:
        if quick:
            answer = await self._workers.quick(request, self.compiling + _QUICK_SECONDS)
        else:
            limit = self.limits.agent_seconds + self.compiling
            answer = await self._workers.search(request, seconds=limit)
        return answer["cell"], answer["reason"]


def request_for(room: GameInPlay) -> dict[str, Any]:
    """Return what a worker needs to set up the position of a game."""
    return {
        "game": str(room.game),
        "setup": None if room.start.setup is None else room.start.text,
        "moves": list(room.tree.moves),
    }


@lru_cache(maxsize=64)
def is_quick(spec: str, game: Game) -> bool:
    """Whether an agent answers within some ten milliseconds, as it says itself."""
    from hyperoxo.agents import agent

    return agent(spec).quick(game)
