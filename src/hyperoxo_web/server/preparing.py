"""Ahead-of-time compilation of kernels, in the order in which people reach them.

Compiled code is cached on the disk, so this matters for the first start on a machine only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from hyperoxo_web.server.limits import SERVER
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.waiting import cancelled
from hyperoxo_web.server.worker import Request, request
from hyperoxo_web.server.workers import Listener, Prepares, Workers

_AGENT = "level:2"
"""Whom the first page chooses."""
_FIRST = ("4^3", "3^2", "4^3:gravity", "3^4:blocked=centre,target=9,players=4")
"""Games as they appear on the first page."""
_NEXT = ("3^3", "3^3:players=3", "7,6,4:gravity", "3^3:misere", "2^3:players=4", "15,15,5")
_OTHERS = ("level:6", "level:8", "minimax:depth=2", "mcts:simulations=10")
_SECONDS, _LOOK = 300.0, 1.0
_PAUSE, _OFTEN = 0.2, 0.5
_MOST = 100


def _agent_kernels(agent: str, game: str) -> Request:
    return request("tasks:prepare_agent", game=game, agent=agent)


def _game_kernels(game: str) -> Request:
    return request("tasks:prepare_analysis", game=game, seconds=_LOOK)


STATES = request("tasks:prepare_states", game="3^2")
PROOF = request("tasks:prepare_proof", game="4^3")
PUZZLE = request("tasks:prepare_puzzle", game="4^3")


def steps() -> Iterator[Request]:
    """Yield the requests of the start-up queue, the most wanted first."""
    yield from (_agent_kernels(_AGENT, game) for game in _FIRST)
    yield PUZZLE
    yield from map(_game_kernels, _FIRST)
    yield from (STATES, PROOF)
    yield from (_agent_kernels(_AGENT, game) for game in _NEXT)
    yield from (_agent_kernels(agent, _FIRST[0]) for agent in _OTHERS)
    yield from map(_game_kernels, _NEXT)
    yield _agent_kernels("level:8", "3^3")


class Preparation:
    """Background queue of compilations; pauses while a client waits for a compilation."""

    # A request is in at most one of `_waiting` and `_running`; `_known` also remembers those
    # done, up to `_MOST`, so that nothing is queued twice. One task, `_run`, works at a time.

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._waiting: list[Request] = []
        self._known: list[Request] = []
        self._running: list[Request] = []
        self._begun = False
        self._preparing: dict[str, int] | None = None
        self._task: asyncio.Task[None] | None = None
        self.listeners: set[Callable[[], object]] = set()
        """Called when a view may have changed."""
        self._saying: asyncio.TimerHandle | None = None

    def begin(self, wanted: Sequence[Request] | None = None) -> None:
        """Start the queue, with the requests of `steps` unless others are given."""
        self._begun = True
        self._waiting = list(steps()) if wanted is None else list(wanted)
        self._known = list(self._waiting)
        self._go_on()

    def prefer(self, game: str, agents: Sequence[str] = ()) -> None:
        """Move a game to the front: first its agents, then the rest of its requests."""
        if not self._begun:
            return
        asked = [_agent_kernels(agent, game) for agent in agents]
        fresh = [one for one in (*asked, _game_kernels(game)) if one not in self._known]
        if agents:
            self._known = [*self._known, *fresh][-_MOST:]
            self._waiting += fresh
        # Boards for these agents come first; the order of the rest stays.
        self._waiting.sort(key=lambda one: (one not in asked, one.given["game"] != game))
        self._go_on()

    def lacks(self, wanted: Request) -> bool:
        """Return True if a request is still queued or running."""
        return self._begun and wanted in (*self._waiting, *self._running)

    async def ready(self, wanted: Request, prepares: Prepares) -> None:
        """Wait until a request is done, reporting progress to `prepares`."""
        # A request that runs already is made once more: only its own answer shows this caller
        # that the code is there, and most of it comes from the cache by then.
        if self.lacks(wanted):
            if wanted in self._waiting:
                self._waiting.remove(wanted)
            await self._prepare(wanted, prepares)

    def view(self, game: str) -> dict[str, int] | None:
        """Return the progress of the compiler for a game, or None if it is not queued."""
        asked = _agent_kernels(_AGENT, game)
        if asked in self._running:
            return self._preparing
        return self._preparing and {"done": 0, "needed": 1} if asked in self._waiting else None

    async def stop(self) -> None:
        """End at once."""
        self._begun = False
        if self._saying is not None:
            self._saying.cancel()
        await cancelled(self._task)

    def _go_on(self) -> None:
        if self._waiting and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while self._waiting:
            # Requests of clients have the compiler to themselves.
            while self._workers.compiling:
                await asyncio.sleep(_PAUSE)
            await self._prepare(self._waiting.pop(0), self._on_progress)
            self._on_progress(None)

    async def _prepare(self, wanted: Request, prepares: Prepares) -> None:
        listener = Listener(prepares)
        self._running.append(wanted)
        try:
            with suppress(RefusedError):
                await self._workers.search(wanted, SERVER, seconds=_SECONDS, listener=listener)
        finally:
            self._running.remove(wanted)

    def _on_progress(self, preparing: dict[str, int] | None) -> None:
        self._preparing = preparing
        if self._saying is None:
            self._saying = asyncio.get_running_loop().call_later(_OFTEN, self._publish)

    def _publish(self) -> None:
        self._saying = None
        for listener in list(self.listeners):
            listener()
