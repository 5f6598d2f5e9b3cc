"""Watching a run: one reader for all who look at it, as often as reading it allows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from hyperoxo.server.refusal import RefusedError

if TYPE_CHECKING:
    from hyperoxo.server.lab.jobs import RunJob
    from hyperoxo.server.lab.laboratory import Laboratory

_LIVELY = 0.5
_QUIET = 5.0
_SHARE = 4.0
_SETTLED = 1.5


class Watch:
    """A run as it is seen by all who look at it in the same way."""

    def __init__(self, laboratory: Laboratory, run: int, look: dict[str, Any] | None) -> None:
        self.watchers = 0
        self._laboratory = laboratory
        self._run = run
        self._look = look
        self._view: dict[str, Any] | None = None
        self._refusal: RefusedError | None = None
        self._closed = False
        self._version = 0
        self._news = asyncio.Condition()
        self._nudge = asyncio.Event()
        self._ended = False
        self._first: tuple[float, float] | None = None
        self._task: asyncio.Task[None] | None = None

    async def views(self) -> AsyncGenerator[dict[str, Any], None]:
        """Yield what there is to see, each time that it has changed."""
        self.watchers += 1
        seen = 0
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._read())
        try:
            while True:
                async with self._news:
                    while self._version == seen and not self._closed:
                        await self._news.wait()
                    seen = self._version
                if self._closed:
                    return
                if self._refusal is not None:
                    raise self._refusal
                if self._view is not None:
                    yield self._view
        finally:
            self.watchers -= 1
            if not self.watchers:
                self._task.cancel()

    def heard(self, job: RunJob) -> None:
        """Look again when the run begins, ends, or a section is done."""
        known = self._view
        if job.done or known is None or not known["here"] or job.sections != known["sections"]:
            self.nudge()

    def nudge(self) -> None:
        """Look again now."""
        self._nudge.set()

    def close(self) -> None:
        """Let all watchers go."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
        self._told = asyncio.ensure_future(self._announce())

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            begun = loop.time()
            try:
                await self._look_again(begun)
            except RefusedError as refusal:
                self._refusal = refusal
                await self._announce()
                return
            running = self._view is not None and self._view["state"] == "running"
            # Reading takes at most a share of the reader's time, however long a run becomes.
            pause = max(_LIVELY if running else _QUIET, _SHARE * (loop.time() - begun))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._nudge.wait(), pause)
            self._nudge.clear()

    async def _look_again(self, at: float) -> None:
        seen = "" if self._view is None else self._view["stamp"]
        found = await self._laboratory.view(self._run, self._look, seen)
        if "run" not in found:
            assert self._view is not None
            found = {**self._view, **self._laboratory.job_view(self._run)}
        view = {**found, "seconds_left": self._seconds_left(found, at)}
        if view != self._view:
            self._view = view
            await self._announce()

    def _seconds_left(self, view: dict[str, Any], at: float) -> float | None:
        """Seconds until the end, from how many seconds of play each second has brought."""
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

    async def _announce(self) -> None:
        async with self._news:
            self._version += 1
            self._news.notify_all()
