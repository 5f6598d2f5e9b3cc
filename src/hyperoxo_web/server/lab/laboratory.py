"""Runs of the laboratory on the server: those in progress, and those in the store.

The results store is the single source of truth: views are read from it, whatever process plays.
So runs are listed after a restart, and runs of the command line can be watched as well.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from hyperoxo.display import as_data
from hyperoxo_web.server.boards import Boards
from hyperoxo_web.server.limits import Client, Limits
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.waiting import Latest, first_of
from hyperoxo_web.server.worker import Request, request
from hyperoxo_web.server.workers import Listener, Worker


class RunJob(Listener):
    """One run played by a process of this server."""

    def __init__(self, client: str, changed: Callable[[], None], nice: int) -> None:
        super().__init__()
        self.client = client
        self.run = self.games = self.wanted = 0
        self.sections: list[str] = []
        self.error = ""
        self.late = self.done = False
        self._changed = changed
        self._worker = Worker(nice=nice)
        self._begun = asyncio.Event()
        self._refusal = RefusedError("worker", "it was stopped before it began")
        self._task: asyncio.Task[None] | None = None

    async def begin(self, asked: Request, seconds: float) -> int:
        """Start to play; return the number of the run as soon as it is in the store."""
        self._task = asyncio.create_task(self._play(asked, seconds))
        # Either the run has a number, or the task has ended with a refusal. A client that goes
        # away in between ends the run: it could not learn its number.
        try:
            await first_of(self._task, self._begun)
        except BaseException:
            await self.stop()
            raise
        if not self.run:
            raise self._refusal
        return self.run

    async def stop(self) -> None:
        """Request an early end and wait; games played stay. `ask` kills an unresponsive process."""
        self.early.set()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _play(self, asked: Request, seconds: float) -> None:
        try:
            state = await self._worker.call(asked, self, seconds)
            self.late = state == "interrupted" and not self.early.is_set()
            if self.late:
                told = f"it did not begin within {seconds:g} seconds"
                self._refusal = RefusedError("limit", told)
        except RefusedError as refusal:
            self.error = str(refusal) if refusal.code != "worker" else "its process has ended"
            self._refusal = refusal
        finally:
            self.done = True
            await self._worker.kill()
            self._changed()

    def on_progress(self, news: dict[str, Any]) -> None:
        """Take the progress of the run."""
        if "run" in news:
            self.run = news["run"]
            self._begun.set()
        elif "section" in news:
            self.sections.append(news["section"])
        else:
            self.games, self.wanted = news["games"], news["wanted"]
        self._changed()


_KEPT = 200
_MOST_RATED = 20_000
_LIVELY = 0.5
_QUIET = 5.0
_SHARE = 4.0
_SETTLED = 1.5


class Laboratory:
    """Runs of a server."""

    def __init__(self, store: Path, reports: Path, together: int, boards: Boards) -> None:
        self._boards = boards
        self.store = store
        self.reports = reports
        self.together = together
        self.jobs: dict[int, RunJob] = {}
        self.listeners: set[Callable[[RunJob], None]] = set()
        self._beginning: set[RunJob] = set()
        self._watches: dict[tuple[int, str], RunPoller] = {}
        self._reader = Worker()

    async def start(self, asked: dict[str, Any], client: Client, workers: int = 1) -> int:
        """Start a run; return its number."""
        # Admission is checked here to refuse early, and again in `_begin`, after the `await`s: only
        # that check counts, for it and the entry into `_beginning` are one step of the loop.
        self._admit(client)
        seed = asked.get("seed")
        seeded = {**asked, "seed": secrets.randbits(32) if seed is None else seed}
        request = await self._boards.run(client, _checked, seeded, client.limits)
        return await self._begin(request, client, workers)

    async def resume(self, run: int, client: Client, workers: int | None = None) -> int:
        """Resume an interrupted run; no game is played twice."""
        self._admit(client)
        view = await self.view(run)
        if refusal := _not_resumable(view):
            raise RefusedError("nothing-to-do", refusal)
        request = await self._boards.run(client, _checked, view["request"], client.limits)
        count = view["workers"] if workers is None else workers
        return await self._begin(request, client, count, run)

    async def stop(self, run: int, client: str = "", *, trusted: bool = True) -> None:
        """Stop a run of this server; it can be resumed."""
        job = self.jobs.get(run)
        if job is None or job.done:
            await self.view(run)
            raise RefusedError("nothing-to-do", f"run {run} is not being played by this server")
        if not trusted and job.client != client:
            raise RefusedError("not-yours", "only the client that started a run may stop it")
        await job.stop()

    async def delete(self, run: int, *, trusted: bool = True) -> None:
        """Delete a run and its report."""
        if not trusted:
            raise RefusedError("not-yours", "only the server's own machine can delete runs")
        await self.view(run)  # refuses a run that is not there
        await self.query("delete", run=run)
        self.jobs.pop(run, None)
        for watch in self._pollers_of(run):
            watch.nudge.set()

    async def listing(
        self, picked: dict[str, Any] | None = None, limit: int = 50, offset: int = 0
    ) -> list[dict[str, Any]]:
        """Return runs, the latest first."""
        chosen = {"part_of": 0, **(picked or {})}
        runs: list[dict[str, Any]]
        runs = await self.query("listing", picked=chosen, limit=limit, offset=offset)
        return runs

    async def view(
        self, run: int, chosen: dict[str, Any] | None = None, seen: str = ""
    ) -> dict[str, Any]:
        """Return a run with its results so far."""
        answer: dict[str, Any] = await self.query("view", run=run, chosen=chosen, seen=seen)
        return {**answer, **self.job_view(run)} if "run" in answer else answer

    def job_view(self, run: int) -> dict[str, Any]:
        """Return the live state of a run, which the store does not have."""
        job = self.jobs.get(run)
        if job is None:
            return {"here": False, "sections": [], "error": "", "late": False, "now": None}
        return {
            "here": not job.done,
            **as_data(job, "sections error late"),
            "now": None if job.done else [job.games, job.wanted],
        }

    async def follow(
        self, run: int, chosen: dict[str, Any] | None = None, *, on: bool = False
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Yield views of a run as it goes on; slow readers skip views."""
        # Watchers of the same view share one `RunPoller`, counted by reference: a run with many
        # spectators is read as often as with one.
        key = (run, repr(sorted((chosen or {}).items())))
        if key not in self._watches:
            self._watches[key] = RunPoller(self, run, chosen)
        watch = self._watches[key]
        watch.watchers += 1
        try:
            async for view in watch.latest.values():
                yield view
                playing = run in self.jobs and not self.jobs[run].done
                if not (on or playing or view["state"] == "running"):
                    return
        finally:
            watch.watchers -= 1
            if not watch.watchers:
                watch.close()
                self._watches.pop(key, None)

    async def skills(self, run: int) -> list[dict[str, Any]]:
        """Return the ratings of a tournament by openskill, the best first."""
        view = await self.view(run)
        if view["kind"] != "tournament":
            raise RefusedError("bad-request", f"run {run} is not a tournament")
        if view["games"] > _MOST_RATED:
            raise RefusedError(
                "limit",
                f"openskill rates game by game, here up to {_MOST_RATED:,} at most; "
                "the command has no limit",
            )
        found: list[dict[str, Any]] = await self.query("skills", run=run)
        return found

    async def query(self, method: str, **given: Any) -> Any:
        """Call a method of `hyperoxo_web.server.lab.process.Runs` in the reader process."""
        return await self._reader.call(self._call(method, **given))

    def _call(self, method: str, **given: Any) -> Request:
        places = {"method": method, "store": self.store, "reports": self.reports}
        return request("lab.process:answer", boards=None, **places, **given)

    async def warm(self) -> None:
        """Start the reader process ahead of time."""
        await self._reader.start()

    async def hush(self) -> None:
        """End all views before shutdown."""
        for watch in list(self._watches.values()):
            watch.close()

    async def close(self) -> None:
        """Stop all runs (they can be resumed) and the reader process."""
        await self.hush()
        running = [*self.jobs.values(), *self._beginning]
        await asyncio.gather(*(job.stop() for job in running))
        await self._reader.kill()

    def _admit(self, client: Client) -> None:
        limits = client.limits
        playing = [job for job in (*self.jobs.values(), *self._beginning) if not job.done]
        own = sum(job.client == client.name for job in playing)
        mine = " of yours" if own >= limits.runs else ""
        count = own if mine else len(playing)
        if mine or count >= self.together - limits.leaves:
            runs = f"1 run{mine} is" if count == 1 else f"{count} runs{mine} are"
            raise RefusedError("limit", f"{runs} being played; stop one first")

    async def _begin(
        self, request: dict[str, Any], client: Client, workers: int, run: int | None = None
    ) -> int:
        self._admit(client)
        limits = client.limits
        job = RunJob(client.name, lambda: self._changed(job), limits.nice)
        self._beginning.add(job)
        count = max(1, min(workers, limits.run_workers))
        asked = self._call("play", request=request, run=run, workers=count)
        try:
            number = await job.begin(asked, limits.run_seconds)
            self.jobs[number] = job
        finally:
            self._beginning.discard(job)
        for old in [n for n, one in self.jobs.items() if one.done][:-_KEPT]:
            del self.jobs[old]
        self._changed(job)
        return number

    def _changed(self, job: RunJob) -> None:
        for listener in list(self.listeners):
            listener(job)
        for watch in self._pollers_of(job.run):
            watch.on_change(job)

    def _pollers_of(self, run: int) -> list[RunPoller]:
        return [watch for (number, _), watch in self._watches.items() if number == run]


def _checked(asked: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Validate a request; compiled code is imported here, in a thread."""
    from dataclasses import asdict

    from hyperoxo.lab.requests import RunRequest
    from hyperoxo_web.server.lab.checks import checked

    return asdict(checked(RunRequest(**{**asked, "seed": int(asked["seed"])}), limits))


def _not_resumable(view: dict[str, Any]) -> str:
    from hyperoxo import __version__

    run = view["run"]
    if view["state"] != "interrupted":
        return f"run {run} is {'finished' if view['state'] == 'done' else 'being played'}"
    if view["part_of"]:
        return f"run {run} is a part of run {view['part_of']}; resume that"
    if view["request"] is None:
        return f"run {run} is of kind {view['kind']}, which is resumed in Python"
    if view["version"] != __version__:
        return f"run {run} was begun by version {view['version']}; this is {__version__}"
    return ""


class RunPoller:
    """Shared poller of one view of a run, active while it has watchers."""

    def __init__(self, laboratory: Laboratory, run: int, chosen: dict[str, Any] | None) -> None:
        self.watchers = 0
        self.latest = Latest[dict[str, Any]]()
        self._laboratory = laboratory
        self._run = run
        self._chosen = chosen
        self.nudge = asyncio.Event()
        """Set to poll now."""
        self._first: tuple[float, float] | None = None
        self._task = asyncio.create_task(self._read())

    def on_change(self, job: RunJob) -> None:
        """Poll early when the run begins, ends, or finishes a section."""
        known = self.latest.value
        if job.done or known is None or not known["here"] or job.sections != known["sections"]:
            self.nudge.set()

    def close(self) -> None:
        """End the view for all watchers."""
        self._task.cancel()
        self.latest.end()

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            begun = loop.time()
            try:
                await self._poll_again(begun)
            except RefusedError as refusal:
                self.latest.end(refusal)
                return
            view = self.latest.value
            running = view is not None and view["state"] == "running"
            # A pause of `_SHARE` times the duration of the read: this view takes at most a fifth
            # of the reader's time, however long a run becomes.
            pause = max(_LIVELY if running else _QUIET, _SHARE * (loop.time() - begun))
            with suppress(TimeoutError):
                await asyncio.wait_for(self.nudge.wait(), pause)
            self.nudge.clear()

    async def _poll_again(self, at: float) -> None:
        # The reader answers with the stamp alone while the store has nothing new: then only the
        # live state and the estimate of the remaining time are brought up to date.
        known = self.latest.value
        seen = "" if known is None else known["stamp"]
        found = await self._laboratory.view(self._run, self._chosen, seen)
        if "run" not in found:
            found = {**(known or {}), **self._laboratory.job_view(self._run)}
        view = {**found, "seconds_left": self._seconds_left(found, at)}
        if view != known:
            self.latest.put(view)

    def _seconds_left(self, view: dict[str, Any], at: float) -> float | None:
        """Estimated seconds until the end."""
        # Seconds of play left, divided by the seconds of play gained in each second since this
        # view first saw the run playing (more than one with several workers).
        if view["state"] != "running" or view["left"] is None:
            self._first = None
            return None
        if self._first is None:
            self._first = (at, view["played"])
        since, played = self._first
        gained = view["played"] - played
        if at - since < _SETTLED or gained <= 0:
            return None
        return float(view["left"] * (at - since) / gained)
