"""Processes that play runs at present, one for each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from hyperoxo.server.refusal import RefusedError
from hyperoxo.server.workers import Worker

PROCESS = "hyperoxo.server.lab.process"

_GRACE = 5.0


class RunJob:
    """One run that is being played here."""

    def __init__(self, request: dict[str, Any], client: str, changed: Callable[[], None]) -> None:
        self.request = request
        self.client = client
        self.run = 0
        self.games = 0
        self.wanted = 0
        self.sections: list[str] = []
        self.error = ""
        self.late = False
        self.done = False
        self._changed = changed
        self._worker = Worker(nice=True, module=PROCESS, group=True)
        self._begun: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._task: asyncio.Task[None] | None = None

    async def begin(
        self, store: Path, reports: Path, *, workers: int, seconds: float, run: int | None = None
    ) -> int:
        """Begin to play; return the number of the run as soon as it is in the store."""
        asked = {
            "kind": "play",
            "store": str(store),
            "reports": str(reports),
            "request": self.request,
            "run": run,
            "workers": workers,
        }
        self._task = asyncio.create_task(self._play(asked, seconds))
        try:
            return await asyncio.shield(self._begun)
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """End it; what was played stays. Where the process does not heed, it is killed."""
        if self._task is None:
            return
        if not self.done:
            self._worker.stop_early()
            await asyncio.wait([self._task], timeout=_GRACE)
        if not self.done:
            await self._worker.kill()
        await asyncio.wait([self._task])

    async def _play(self, asked: dict[str, Any], seconds: float) -> None:
        limit = asyncio.create_task(self._end_in(seconds))
        try:
            await self._worker.ask(asked, self._hear)
        except RefusedError as refusal:
            self.error = str(refusal) if refusal.code != "worker" else "its process has ended"
            if not self._begun.done():
                self._begun.set_exception(refusal)
        finally:
            limit.cancel()
            self.done = True
            if not self._begun.done():
                self._begun.set_exception(RefusedError("worker", "it was stopped before it began"))
            with suppress(asyncio.InvalidStateError):
                self._begun.exception()
            await self._worker.kill()
            self._changed()

    async def _end_in(self, seconds: float) -> None:
        """Stop the run when its time is up, which begins with the run, not with the process."""
        await asyncio.wait([self._begun])
        await asyncio.sleep(seconds)
        self.late = True
        self._worker.stop_early()

    def _hear(self, news: dict[str, Any]) -> None:
        if "run" in news:
            self.run = news["run"]
            if not self._begun.done():
                self._begun.set_result(self.run)
        elif "section" in news:
            self.sections.append(news["section"])
        else:
            self.games, self.wanted = news["games"], news["wanted"]
        self._changed()
