"""Places for work that takes long, shared out fairly among those who ask for it."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from hyperoxo_web.server.limits import Asker
from hyperoxo_web.server.refusal import RefusedError

_REMEMBERED = 10_000


@asynccontextmanager
async def either(
    future: asyncio.Future[Any], event: asyncio.Event
) -> AsyncIterator[asyncio.Future[Any]]:
    """Give what is done when a future is, or an event is set."""
    waiting = asyncio.ensure_future(event.wait())
    both = asyncio.wait((future, waiting), return_when=asyncio.FIRST_COMPLETED)
    found = asyncio.ensure_future(both)
    try:
        yield found
    finally:
        found.cancel()
        waiting.cancel()


@dataclass(eq=False)
class _Turn:
    """One who waits for a place, or holds it."""

    asker: Asker
    share: int
    given: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Places:
    """A number of places, which clients that wait get in turn.

    The next one goes to the client that holds fewest, of several to the one that waited longest.
    Some clients leave the last places to others: `leaves` of their limits. All of them may hold no
    more than their share.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._held: Counter[str] = Counter()
        self._waiting: list[_Turn] = []
        # When each client was last given a place, so that clients take turns.
        self._served: OrderedDict[str, int] = OrderedDict()
        self._given = 0

    @asynccontextmanager
    async def place(
        self, asker: Asker, share: int, early: asyncio.Event | None = None
    ) -> AsyncIterator[None]:
        """Wait for a place, and hold it; none is wanted any more when `early` is set."""
        turn = _Turn(asker, share)
        self._waiting.append(turn)
        self._serve()
        try:
            async with either(turn.given, early or asyncio.Event()) as first:
                await first
            if not turn.given.done():
                raise RefusedError("limit", "it was stopped before it began")
            yield
        finally:
            if turn in self._waiting:
                self._waiting.remove(turn)
            else:
                self._held[asker.client] -= 1
                self._held += Counter()  # forgets those who hold none
            self._serve()

    def waits(self, client: str) -> int:
        """Return how many places a client waits for."""
        return sum(turn.asker.client == client for turn in self._waiting)

    def _serve(self) -> None:
        """Give free places to those whose turn it is."""
        while ready := [turn for turn in self._waiting if self._may_have(turn)]:
            turn = min(ready, key=lambda turn: self._rank(turn.asker.client))
            self._waiting.remove(turn)
            self._held[turn.asker.client] += 1
            self._given += 1
            self._served.pop(turn.asker.client, None)
            self._served[turn.asker.client] = self._given
            if len(self._served) > _REMEMBERED:
                self._served.popitem(last=False)
            turn.given.set_result(None)

    def _may_have(self, turn: _Turn) -> bool:
        free = self.count - self._held.total()
        leaves = min(turn.asker.limits.leaves, self.count - 1)
        own = self._held[turn.asker.client]
        # One who was cancelled leaves at its next step.
        return not turn.given.done() and free > leaves and own < turn.share

    def _rank(self, client: str) -> tuple[int, int]:
        return self._held[client], self._served.get(client, 0)
