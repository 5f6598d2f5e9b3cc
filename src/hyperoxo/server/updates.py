"""What is told about a game: receipts to whoever changed it, updates to whoever watches."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from hyperoxo.play.changes import Change
from hyperoxo.play.game_in_play import GameInPlay
from hyperoxo.server.times import now
from hyperoxo.server.view import change_view, state_view

if TYPE_CHECKING:
    from hyperoxo.server.live import LiveRoom

__all__ = ["Receipt", "Subscription", "Update"]

_BACKLOG = 256


@dataclass(frozen=True)
class Receipt:
    """What became of a request that changed a game."""

    version: int
    change: Change
    room: GameInPlay
    repeated: bool = False
    token: str | None = None


@dataclass(frozen=True)
class Update:
    """What a subscriber is told."""

    kind: str
    room: GameInPlay
    change: Change | None = None
    present: tuple[int, ...] = ()
    watchers: int = 0

    @cached_property
    def state(self) -> dict[str, Any]:
        """The state without tokens, which all who watch share; not to be changed."""
        state = state_view(self.room, now())
        del state["you"], state["host"]
        return {**state, "present": list(self.present), "watchers": self.watchers}

    @cached_property
    def event(self) -> bytes:
        """The update as a server-sent event, which all subscribers of a stream share."""
        data = {
            "kind": self.kind,
            "change": None if self.change is None else change_view(self.change),
            "state": self.state,
        }
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return f"id: {self.room.version}\nevent: {self.kind}\ndata: {text}\n\n".encode()


class Subscription:
    """The updates of one game, in order; iterate over it, and leave the ``async with``.

    A subscriber that is more than 256 updates behind misses the oldest; every update
    carries the whole state, so that nothing else is lost.
    """

    def __init__(self, live: LiveRoom, token: str | None, *, counted: bool = True) -> None:
        self._live = live
        self.counted = counted
        self.players = live.room.seats_of(token)
        self.ended = False
        self._waiting: asyncio.Queue[Update | None] = asyncio.Queue()

    async def __aenter__(self) -> Self:
        self._live.join(self)
        return self

    async def __aexit__(self, *problem: object) -> None:
        self._live.leave(self)

    async def __aiter__(self) -> AsyncIterator[Update]:
        while (update := await self._waiting.get()) is not None:
            yield update
        self.ended = True

    async def next(self, timeout: float) -> Update | None:
        """Return the next update, or None after `timeout` seconds or when it has `ended`."""
        try:
            update = await asyncio.wait_for(self._waiting.get(), timeout)
        except TimeoutError:
            return None
        self.ended = self.ended or update is None
        return update

    def put(self, update: Update | None) -> None:
        """Add an update, or None for the end; for `LiveRoom` alone."""
        if self._waiting.qsize() >= _BACKLOG:
            self._waiting.get_nowait()
        self._waiting.put_nowait(update)
