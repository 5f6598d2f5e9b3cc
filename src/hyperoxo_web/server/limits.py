"""Limits of what clients may ask of the server, and places for long work that they share."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from hyperoxo.board.limits import Allowance, Size
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.waiting import first_of

_REMEMBERED = 10_000

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Recent(dict[_Key, _Value]):
    """The entries that were set last, at most so many; the oldest comes first."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: _Key, value: _Value) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._most:
            del self[next(iter(self))]


@dataclass(frozen=True)
class Limits:
    """Limits of a server; those on clients hold for each address by itself.

    `processor_share` is the processor time that a client may cost the server a second, and
    `processor_burst` how much of it may come at once; see `budget`.
    `searches` and `answers` are places that a client may hold at a time in `workers`, for long
    searches and for quick answers; `leaves` are those that all such clients leave to others.
    Processes that work for a client have the priority `nice`.
    """

    cells: int = 2_000
    lines: int = 20_000
    request_bytes: int = 1_000_000
    processor_share: float = 100.0
    processor_burst: float = 1_000.0
    request_seconds: float = 60.0
    connections: int = 10_000
    games_per_hour: int = 100_000
    classes_per_hour: int = 1_000
    pupils: int = 500
    codes_per_minute: int = 600
    subscriptions: int = 1_000
    agent_seconds: float = 60.0
    analysis_seconds: float = 600.0
    analyses: int = 4
    proof_megabytes: int = 256
    searches: int = 4
    answers: int = 64
    leaves: int = 0
    nice: int = 5
    runs: int = 4
    run_games: int = 100_000_000
    run_seconds: float = 604_800.0
    run_workers: int = 8
    rooms: int = 2_000

    @property
    def boards(self) -> Allowance:
        """How large boards may be."""
        return Allowance(Size(self.cells, self.lines), "this server")


HOME = Limits()
"""For people on this machine."""

PUBLIC = Limits(
    cells=1_300,
    request_bytes=200_000,
    processor_share=0.2,
    processor_burst=2.0,
    request_seconds=20.0,
    connections=250,
    games_per_hour=120,
    classes_per_hour=12,
    pupils=60,
    codes_per_minute=20,
    subscriptions=30,
    agent_seconds=20.0,
    analysis_seconds=60.0,
    analyses=1,
    proof_megabytes=64,
    searches=2,
    answers=4,
    leaves=1,
    nice=10,
    runs=1,
    run_games=200_000,
    run_seconds=600.0,
    run_workers=1,
)
"""For everybody else."""


@dataclass(frozen=True)
class Asker:
    """The client that asks the server for work, by its address, and its limits."""

    client: str
    limits: Limits


NOBODY = Asker("nobody", replace(HOME, searches=2, leaves=1))
"""The server itself, which prepares what people may ask for."""


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
        self._served = Recent[str, int](_REMEMBERED)
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
            await first_of(turn.given, early or asyncio.Event())
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

    def _serve(self) -> None:
        """Give free places to those whose turn it is."""
        while ready := [turn for turn in self._waiting if self._may_have(turn)]:
            turn = min(ready, key=self._rank)
            self._waiting.remove(turn)
            self._held[turn.asker.client] += 1
            self._given += 1
            self._served[turn.asker.client] = self._given
            turn.given.set_result(None)

    def _may_have(self, turn: _Turn) -> bool:
        free = self.count - self._held.total()
        leaves = min(turn.asker.limits.leaves, self.count - 1)
        own = self._held[turn.asker.client]
        # One who was cancelled leaves at its next step.
        return not turn.given.done() and free > leaves and own < turn.share

    def _rank(self, turn: _Turn) -> tuple[int, int]:
        return self._held[turn.asker.client], self._served.get(turn.asker.client, 0)
