"""News that any number of tasks wait for."""

from __future__ import annotations

import asyncio


class News:
    """Counts what has been told; a slow reader misses what is overtaken."""

    def __init__(self) -> None:
        self.count = 0
        self._event = asyncio.Event()

    def tell(self) -> None:
        """Wake all who wait."""
        self.count += 1
        self._event.set()
        self._event = asyncio.Event()

    async def after(self, count: int) -> int:
        """Wait until more than `count` things have been told; return how many."""
        while self.count == count:
            await self._event.wait()
        return self.count
