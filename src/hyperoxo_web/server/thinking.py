"""Agents that choose moves in worker processes: what people who wait are told, and may ask for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from hyperoxo.play.game_in_play import GameInPlay
from hyperoxo_web.server.answer import Answer, Read
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.limits import Asker
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.worker import Request, request
from hyperoxo_web.server.workers import Listener, Workers

_PATIENCE, _OFTEN = 3.0, 0.5
_SLACK = 60.0
"""Seconds given to what ends soon by itself, and cannot be done without."""
_HURRY = 2.0
"""Seconds that an agent has for its move when that is asked for at once."""


class Choice(NamedTuple):
    """What an agent plays, and why."""

    cell: int
    reason: str = ""


class Preparing(Answer):
    """How far the kernels are compiled that work needs."""

    done: int
    needed: int


class Thought(Answer):
    """Interim result of an agent."""

    player: int
    seconds: float
    preparing: Annotated[Preparing | None, Read(lambda thinking: thinking.preparing)]
    best: Annotated[int | None, Read(lambda thinking: thinking.found.get("best"))]
    depth: Annotated[int, Read(lambda thinking: thinking.found.get("depth", 0))]
    games: Annotated[int, Read(lambda thinking: thinking.found.get("games", 0))]
    hurried: Annotated[bool, Read(lambda thinking: thinking.early.is_set())]


class Thinking(Listener):
    """One choice: what has been found so far, and whether it is to end now.

    `tell` is called when there is something to say: after three seconds, and from then on
    twice a second at most; what has to be compiled first is said sooner.
    """

    def __init__(self, player: int, tell: Callable[[], object]) -> None:
        super().__init__(lambda _: self._say_within(_OFTEN))
        self.player, self._tell = player, tell
        self._loop = asyncio.get_running_loop()
        self._begin = self._loop.time()
        self.found: dict[str, Any] = {}
        self._seen = False
        self._next: asyncio.TimerHandle | None = None
        self._say_within(_PATIENCE)

    def hear(self, news: dict[str, Any]) -> None:
        """Hear what the agent has found so far."""
        self.found = news
        self._say_within(_OFTEN)

    def move_now(self) -> None:
        """Ask for a move at once."""
        self.early.set()
        self._say_within(0.0)

    def view(self) -> dict[str, Any] | None:
        """Return what is known as plain values for JSON; None where it is too early to say."""
        seconds = self._loop.time() - self._begin
        if self.preparing is None and seconds < _PATIENCE and not self.early.is_set():
            return None
        return Thought.of(self, seconds=round(seconds, 1))

    def end(self) -> None:
        """Say nothing any more."""
        if self._next is not None:
            self._next.cancel()

    def _say_within(self, seconds: float) -> None:
        due = self._loop.time() + seconds
        if self._next is not None and not self._next.cancelled() and self._next.when() <= due:
            return
        if self._next is not None:
            self._next.cancel()
        self._next = self._loop.call_at(due, self._say)

    def _say(self) -> None:
        self._next = None
        seen, self._seen = self._seen, self.view() is not None
        if not self._seen:
            self._say_within(max(0.0, self._begin + _PATIENCE - self._loop.time()))
        if seen or self._seen:
            self._tell()


class Bots:
    """Lets agents choose moves in worker processes."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def choose(self, room: GameInPlay, thinking: Thinking, asker: Asker) -> Choice:
        """Return the cell that the agent to move plays, and why.

        An agent has as many seconds as the client whose game it is may give it. When they are over
        it plays what it has found; one that cannot be cut short plays a simpler move.
        """
        from hyperoxo.agents import agent

        mover, game = room.mover, room.game
        assert mover is not None
        assert mover.agent is not None
        asked = request(
            "tasks:choose",
            position=room.position,
            agent=mover.agent,
            seed=[room.seed, room.tree.node, room.version],
        )
        quick = await in_thread(lambda spec: agent(spec).quick(game), mover.agent)
        try:
            return await self._ask(asked, thinking, asker, quick=quick)
        except RefusedError as refusal:
            if refusal.code != "worker":
                raise
        # Another game's agent has brought the process down, or the system has: once more.
        return await self._ask(asked, thinking, asker, quick=False)

    async def _ask(
        self, asked: Request, thinking: Thinking, asker: Asker, *, quick: bool
    ) -> Choice:
        seconds = asker.limits.agent_seconds
        try:
            if quick:
                heard = Listener(thinking.prepare)  # in a process of all, nothing ends early
                answer = self._workers.quick(asked, asker, seconds, heard)
            else:
                answer = self._workers.search(
                    asked, asker, seconds=seconds, listener=thinking, grace=_HURRY
                )
            return Choice(**await answer)
        except RefusedError as refusal:
            if refusal.code != "limit":
                raise
        # It cannot be cut short, or was not even begun.
        given = {name: asked.given[name] for name in ("position", "seed")}
        simple = request("tasks:simple", **given)
        return Choice(**await self._workers.quick(simple, asker, _SLACK))
