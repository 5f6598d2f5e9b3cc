"""asyncio helpers: first of several, cancel and join, broadcast of the latest value."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, Generic, TypeVar

_Value = TypeVar("_Value")


async def first_of(future: asyncio.Future[Any], event: asyncio.Event) -> None:
    """Wait until a future is done, or an event is set."""
    waiting = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait((future, waiting), return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()


async def cancelled(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel tasks and wait until they have ended; None entries are skipped."""
    there = [task for task in tasks if task is not None]
    for task in there:
        task.cancel()
    await asyncio.gather(*there, return_exceptions=True)


class Latest(Generic[_Value]):
    """Broadcast of the latest value: slow readers skip those overtaken."""

    # Each `put` sets the current event and puts a fresh one in its place: all waiting readers wake
    # up exactly once, and none has to clear an event that others still wait for. By the count a
    # reader notices a value set while it was busy, so that no wake-up is lost.

    def __init__(self) -> None:
        self.value: _Value | None = None
        self._count, self._ended = 0, False
        self._error: Exception | None = None
        self._news = asyncio.Event()

    def put(self, value: _Value) -> None:
        """Publish a value."""
        self.value = value
        self._count += 1
        self._wake()

    def end(self, error: Exception | None = None) -> None:
        """End the stream, with an error if given."""
        self._ended, self._error = True, error
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def values(self) -> AsyncGenerator[_Value, None]:
        """Yield the present value, if any, and later ones until the end."""
        seen = 0
        while True:
            while self._count == seen and not self._ended:
                await self._news.wait()
            if self._count == seen:
                break
            seen = self._count
            assert self.value is not None
            yield self.value
        if self._error is not None:
            raise self._error
