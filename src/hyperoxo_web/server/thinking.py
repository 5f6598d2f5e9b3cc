"""Agents and analyses in worker processes: interim results, and *Move now* and *Stop*."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

from hyperoxo.game import Position
from hyperoxo.notation import Record
from hyperoxo.play.game_in_play import GameInPlay
from hyperoxo_web.server.answer import Answer, Object, Read
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.limits import Client
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.waiting import Latest, cancelled
from hyperoxo_web.server.worker import Request, request
from hyperoxo_web.server.workers import Listener, Prepares, Workers

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
        super().__init__(lambda _: self._publish_within(_OFTEN))
        self.player, self._tell = player, tell
        self._loop = asyncio.get_running_loop()
        self._begin = self._loop.time()
        self.found: dict[str, Any] = {}
        self._seen = False
        self._next: asyncio.TimerHandle | None = None
        self._publish_within(_PATIENCE)

    def on_progress(self, news: dict[str, Any]) -> None:
        """Take the agent's interim result."""
        self.found = news
        self._publish_within(_OFTEN)

    def move_now(self) -> None:
        """Ask for a move at once."""
        self.early.set()
        self._publish_within(0.0)

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

    def _publish_within(self, seconds: float) -> None:
        due = self._loop.time() + seconds
        if self._next is not None and not self._next.cancelled() and self._next.when() <= due:
            return
        self.end()
        self._next = self._loop.call_at(due, self._publish)

    def _publish(self) -> None:
        self._next = None
        seen, self._seen = self._seen, self.view() is not None
        if not self._seen:
            self._publish_within(max(0.0, self._begin + _PATIENCE - self._loop.time()))
        if seen or self._seen:
            self._tell()


class Bots:
    """Move provider: runs agents in worker processes."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def choose(self, room: GameInPlay, thinking: Thinking, client: Client) -> Choice:
        """Return the move of the agent to move, and its reason."""
        # Its time is the limit of the client who owns the game. At the deadline it plays the best
        # move so far; an agent that cannot be interrupted plays a simpler move.
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
            return await self._call(asked, thinking, client, quick=quick)
        except RefusedError as refusal:
            if refusal.code != "worker":
                raise
        # The shared process died, possibly because of another game's agent: retry once, in a
        # separate process, with the same seed.
        return await self._call(asked, thinking, client, quick=False)

    async def _call(
        self, asked: Request, thinking: Thinking, client: Client, *, quick: bool
    ) -> Choice:
        seconds = client.limits.agent_seconds
        try:
            if quick:
                # No early end in a shared process: it would not stop this request alone.
                heard = Listener(thinking.prepare)
                answer = self._workers.quick(asked, client, seconds, heard)
            else:
                answer = self._workers.search(
                    asked, client, seconds=seconds, listener=thinking, grace=_HURRY
                )
            return Choice(**await answer)
        except RefusedError as refusal:
            if refusal.code != "limit":
                raise
        # The agent cannot be interrupted, or the queue was so long that it never began.
        given = {name: asked.given[name] for name in ("position", "seed")}
        simple = request("tasks:simple", **given)
        return Choice(**await self._workers.quick(simple, client, _SLACK))


# Analyses beside the games.

_KEPT = 200
_BROKEN_OFF = "the analysis was broken off"
_SUGGESTIONS = 20_000
_FINISHING = 2.0


class JobAnswer(Answer):
    """An analysis, or a proof search."""

    id: str
    state: Literal["running", "done", "failed"]
    error: str | None
    preparing: Annotated[Preparing | None, Read(lambda job: job.preparing)]
    result: Object | None


class AnalysisJob(Listener):
    """One analysis or proof search, running or done."""

    def __init__(self, client: str, prepares: Prepares | None = None) -> None:
        super().__init__(prepares)
        self.id = secrets.token_urlsafe(12)
        self.client = client
        self.error: str | None = None
        self.done = False
        self._task: asyncio.Task[None] | None = None
        self._found = Latest[dict[str, Any]]()

    @property
    def state(self) -> str:
        """Its state: ``running``, ``failed`` or ``done``."""
        return "running" if not self.done else "failed" if self.error else "done"

    @property
    def result(self) -> dict[str, Any] | None:
        """The result so far."""
        return self._found.value

    def updates(self) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the result whenever it changes, and the final one."""
        return self._found.values()

    async def views(self) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the view of the job whenever its result changes, and after a failure."""
        async for _ in self.updates():
            yield JobAnswer.of(self)
        if self.error is not None:
            yield JobAnswer.of(self)

    def stop(self) -> None:
        """Request an early end; the result so far stays."""
        self.early.set()

    async def finish(self) -> None:
        """Request an early end and wait; cancel a process that does not respond."""
        self.stop()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=_FINISHING)
        if not self.done:
            await self.cancel()

    async def cancel(self) -> None:
        """Cancel the job and kill its process."""
        await cancelled(self._task)
        if not self.done:  # a task cancelled before its first step runs no `finally`
            self.error = _BROKEN_OFF
            self._end()

    def begin(self, search: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        """Start the search of this job."""
        self._task = asyncio.create_task(self._run(search))

    async def _run(self, search: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        try:
            self.on_progress(await search())
        except RefusedError as refusal:
            self.error = str(refusal)
        except asyncio.CancelledError:
            self.error = None if self.result else _BROKEN_OFF
            raise
        finally:
            self._end()

    def _end(self) -> None:
        # `done` first: the last result is published once more, so that readers who format it by
        # `done` see it as final, also where nothing new was found.
        self.done = True
        self.prepare(None)
        if self.result is not None:
            self.on_progress(self.result)
        self._found.end()

    def on_progress(self, news: dict[str, Any]) -> None:
        """Publish an interim result."""
        self._found.put(news)


class Analyses:
    """Job registry of a server; the last 200 finished jobs are kept."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._jobs: dict[str, AnalysisJob] = {}

    def analyse(
        self,
        what: Position | Record,
        client: Client,
        seconds: float,
        prepares: Prepares | None = None,
    ) -> AnalysisJob:
        """Start the analysis of a position or a record, with `seconds` for each position."""
        positions = len(what.moves) + 1 if isinstance(what, Record) else 1
        asked = request("tasks:analyse", what=what, seconds=seconds)
        return self._begin(asked, client, prepares, positions=positions)

    def proof(
        self,
        position: Position,
        client: Client,
        seconds: float,
        prepares: Prepares | None = None,
        *,
        suggestions: Sequence[tuple[Position, int]] = (),
        every_move: bool = False,
        attacker: int | None = None,
        continues: str | None = None,
    ) -> AnalysisJob:
        """Start a proof search; see :func:`hyperoxo_web.server.proving.prove`."""
        if len(suggestions) > _SUGGESTIONS:
            raise RefusedError("bad-request", f"at most {_SUGGESTIONS:,} moves are suggested")
        asked = request(
            "tasks:prove",
            position=position,
            seconds=seconds,
            suggestions=suggestions,
            every_move=every_move,
            attacker=attacker,
            megabytes=client.limits.proof_megabytes,
        )
        return self._begin(asked, client, prepares, continues=continues)

    def find(self, job: str) -> AnalysisJob:
        """Return a job by its identifier."""
        if job not in self._jobs:
            raise RefusedError("no-analysis", "there is no such analysis")
        return self._jobs[job]

    async def forget(self, job: str) -> None:
        """Cancel and delete a job, with the tables of its search."""
        found = self.find(job)
        await found.cancel()
        self._jobs.pop(job, None)
        await self._workers.release(job)

    async def stop(self) -> None:
        """Cancel all jobs."""
        await asyncio.gather(*(job.cancel() for job in self._jobs.values()))

    def _begin(
        self,
        asked: Request,
        client: Client,
        prepares: Prepares | None,
        *,
        positions: int = 1,
        continues: str | None = None,
    ) -> AnalysisJob:
        seconds, most = asked.given["seconds"] * positions, client.limits.analysis_seconds
        if not 0 < seconds <= most:
            raise RefusedError("limit", f"an analysis takes up to {most:g} seconds here")
        running = sum(job.client == client.name and not job.done for job in self._jobs.values())
        if running >= client.limits.analyses:
            raise RefusedError("limit", f"{running} of your analyses run already; stop one first")
        job = AnalysisJob(client.name, prepares)
        self._jobs[job.id] = job
        for old in [name for name, entry in self._jobs.items() if entry.done][:-_KEPT]:
            del self._jobs[old]
        search = partial(
            self._workers.search,
            asked,
            client,
            seconds=seconds * 1.5 + _SLACK,
            listener=job,
            analysis=True,
            name=job.id if asked.function == "tasks:prove" else None,
            continues=continues,
        )
        job.begin(search)
        return job


def check_analysis(room: GameInPlay) -> None:
    """Refuse to analyse a running game that is played without help."""
    if not room.may_analyse:
        raise RefusedError(
            "not-yet", "this game is played without analysis; analyse it after its end"
        )
