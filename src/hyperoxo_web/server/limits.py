"""Limits of clients, and fair slots for long work."""

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

# Seconds that a page asks for, at first and after *Longer*: of a position, of each move of a
# review, of a proof search.
ANALYSIS, REVIEW, PROOF = (4.0, 20.0), (1.0, 10.0), (60.0, 600.0)
_REMEMBERED = 10_000

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Recent(dict[_Key, _Value]):
    """Mapping that keeps the `most` entries set last, the oldest first."""

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
    """Limits of a server; those on clients hold for each address separately.

    `processor_share` is the CPU time that a client may cost the server a second, and
    `processor_burst` the most of it at once; see `budget`.
    `analysis_seconds` limits an analysis as a whole, all its positions together.
    `searches` and `answers` are slots that a client may hold at a time in `workers`, for long
    searches and for quick answers; `leaves` are slots that all such clients leave to others.
    Processes of a client have the priority `nice`.
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
    # For a move. The option `seconds` of an agent asks for less: `_SECONDS` of agents/expert.py.
    agent_seconds: float = 60.0
    # For all positions of an analysis. Less is asked for by pages, `ANALYSIS`, and by `seconds` of
    # api/models.py; in the terminal by `--seconds` of cli/play.py and cli/analyse.py.
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
        """Size limit of boards."""
        return Allowance(Size(self.cells, self.lines), "this server")


HOME = Limits()
"""Limits of clients on this machine."""

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
"""Limits of all other clients."""


@dataclass(frozen=True)
class Client:
    """A client and its limits."""

    name: str
    limits: Limits


SERVER = Client("server", replace(HOME, searches=2, leaves=1))
"""The server itself as a client, for its background compilations."""


@dataclass(eq=False)
class _Turn:
    """A waiter for a slot, or its holder."""

    client: Client
    share: int
    given: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class FairSemaphore:
    """Fair semaphore: `count` slots, shared by clients.

    A free slot goes to the client that holds fewest, among equals to the one served longest ago.
    Some clients leave the last slots to others: `leaves` of their limits. None holds more than
    its share.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._held: Counter[str] = Counter()
        self._waiting: list[_Turn] = []
        # When each client last got a slot, so that clients take turns.
        self._served = Recent[str, int](_REMEMBERED)
        self._given = 0

    @asynccontextmanager
    async def slot(
        self, client: Client, share: int, early: asyncio.Event | None = None
    ) -> AsyncIterator[None]:
        """Wait for a slot and hold it; setting `early` ends the wait."""
        # The turn is either in `_waiting` or counted in `_held`, never both: `_serve` moves it in
        # one step of the loop. So the `finally` knows what to give back, also for a turn that is
        # cancelled in the moment between its grant and its next step.
        turn = _Turn(client, share)
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
                self._held[client.name] -= 1
                self._held += Counter()  # drops zero counts
            self._serve()

    def _serve(self) -> None:
        """Grant free slots, the fairest waiter first."""
        while ready := [turn for turn in self._waiting if self._may_have(turn)]:
            turn = min(ready, key=self._rank)
            self._waiting.remove(turn)
            self._held[turn.client.name] += 1
            self._given += 1
            self._served[turn.client.name] = self._given
            turn.given.set_result(None)

    def _may_have(self, turn: _Turn) -> bool:
        free = self.count - self._held.total()
        leaves = min(turn.client.limits.leaves, self.count - 1)
        own = self._held[turn.client.name]
        # A future that is done belongs to a cancelled waiter, which leaves at its next step.
        return not turn.given.done() and free > leaves and own < turn.share

    def _rank(self, turn: _Turn) -> tuple[int, int]:
        return self._held[turn.client.name], self._served.get(turn.client.name, 0)
