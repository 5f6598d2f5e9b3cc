"""Streams of changes as server-sent events."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from starlette.responses import StreamingResponse

from hyperoxo.server.analyses import AnalysisJob
from hyperoxo.server.api.replies import as_json
from hyperoxo.server.limits import Limits
from hyperoxo.server.live import LiveRoom
from hyperoxo.server.refusal import RefusedError

__all__ = ["Streams", "analysis_events", "game_events", "run_events"]

_SILENCE = 15.0


class Streams:
    """Counts the streams that each client holds open."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    async def counted(
        self, client: str, limits: Limits, events: AsyncIterator[bytes]
    ) -> StreamingResponse:
        """Return a stream as an answer.

        Raises
        ------
        RefusedError
            ``limit``, if the client holds too many.
        """
        if self._open[client] >= limits.subscriptions:
            raise RefusedError("limit", "too many streams of yours are open")

        async def counted() -> AsyncIterator[bytes]:
            self._open[client] += 1
            try:
                async for event in events:
                    yield event
            finally:
                self._open[client] -= 1
                if not self._open[client]:
                    del self._open[client]

        return StreamingResponse(counted(), media_type="text/event-stream")


async def game_events(live: LiveRoom, token: str | None) -> AsyncIterator[bytes]:
    """Yield every change of a game, beginning with its present state."""
    async with live.subscribe(token) as updates:
        yield b"retry: 1000\n\n"
        while True:
            update = await updates.next(_SILENCE)
            if update is not None:
                yield update.event
            elif updates.ended:
                return
            else:
                yield b": still here\n\n"


async def analysis_events(job: AnalysisJob) -> AsyncIterator[bytes]:
    """Yield what an analysis has found so far, as it goes on, and ``done`` at the end."""
    async for _ in job.updates():
        kind = b"done" if job.done else b"news"
        yield b"event: " + kind + b"\ndata: " + as_json(job.view()) + b"\n\n"
    if job.error is not None:
        yield b"event: done\ndata: " + as_json(job.view()) + b"\n\n"


async def run_events(views: AsyncGenerator[dict[str, Any], None]) -> AsyncIterator[bytes]:
    """Yield what a run has come to as it is played, and ``done`` when it is not any more."""
    async with aclosing(views):
        async for view in views:
            kind = b"news" if view["state"] == "running" else b"done"
            yield b"event: " + kind + b"\ndata: " + as_json(view) + b"\n\n"
