"""News that any number of tasks wait for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


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
