"""Waiting for tasks and events, and for news that any number of tasks hear."""

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
    """Cancel tasks, where there are some, and wait until they have ended."""
    there = [task for task in tasks if task is not None]
    for task in there:
        task.cancel()
    await asyncio.gather(*there, return_exceptions=True)


class Latest(Generic[_Value]):
    """The latest of several values; a slow reader misses those that are overtaken."""

    def __init__(self) -> None:
        self.value: _Value | None = None
        self._count, self._ended = 0, False
        self._error: Exception | None = None
        self._news = asyncio.Event()

    def put(self, value: _Value) -> None:
        """Tell all who wait a new value."""
        self.value = value
        self._count += 1
        self._wake()

    def end(self, error: Exception | None = None) -> None:
        """Let all who wait know that no other value comes, and why."""
        self._ended, self._error = True, error
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def values(self) -> AsyncGenerator[_Value, None]:
        """Yield the present value, if there is one, and each later one until the end."""
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
