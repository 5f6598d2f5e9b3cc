"""Move requests to agents in worker processes, with progress and early moves."""

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
"""Time limit in seconds of the fallback move, which ends soon by itself."""
_HURRY = 2.0
"""Grace period in seconds of an agent that is asked to move immediately."""


class Choice(NamedTuple):
    """Move of an agent and its reason."""

    cell: int
    reason: str = ""


class Preparing(Answer):
    """Numbers of kernels compiled and needed."""

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
    """Progress of one move choice, throttled for its watchers.

    `tell` is called after three seconds and then at most twice a second; progress of the
    compiler is reported earlier.
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
        """Take the agent's interim result."""
        self.found = news
        self._say_within(_OFTEN)

    def move_now(self) -> None:
        """Ask for a move at once."""
        self.early.set()
        self._say_within(0.0)

    def view(self) -> dict[str, Any] | None:
        """Return the progress as plain values for JSON; None during the first seconds."""
        seconds = self._loop.time() - self._begin
        if self.preparing is None and seconds < _PATIENCE and not self.early.is_set():
            return None
        return Thought.of(self, seconds=round(seconds, 1))

    def end(self) -> None:
        """Cancel the pending report."""
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
    """Move provider: runs agents in worker processes."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def choose(self, room: GameInPlay, thinking: Thinking, asker: Asker) -> Choice:
        """Return the move of the agent to move, and its reason.

        Its time is the limit of the client who owns the game. At the deadline it plays the best
        move so far; an agent that cannot be interrupted plays a simpler move.
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
        # The shared process died, perhaps by another game's agent: retry once, in a process of
        # its own, with the same seed.
        return await self._ask(asked, thinking, asker, quick=False)

    async def _ask(
        self, asked: Request, thinking: Thinking, asker: Asker, *, quick: bool
    ) -> Choice:
        seconds = asker.limits.agent_seconds
        try:
            if quick:
                # No early end in a shared process: it would not stop this request alone.
                heard = Listener(thinking.prepare)
                answer = self._workers.quick(asked, asker, seconds, heard)
            else:
                answer = self._workers.search(
                    asked, asker, seconds=seconds, listener=thinking, grace=_HURRY
                )
            return Choice(**await answer)
        except RefusedError as refusal:
            if refusal.code != "limit":
                raise
        # The agent cannot be interrupted, or the queue was so long that it never began.
        given = {name: asked.given[name] for name in ("position", "seed")}
        simple = request("tasks:simple", **given)
        return Choice(**await self._workers.quick(simple, asker, _SLACK))
