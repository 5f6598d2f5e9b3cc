"""A simulated browser for the logic of pages: no JavaScript runs, messages to it are recorded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nicegui.testing import User
from nicegui.testing.user_simulation import user_simulation

from hyperoxo.server import Core
from hyperoxo.web.component import PageElement
from hyperoxo.web.pages import serve
from tests.server.rooms import until


@dataclass
class Table:
    """A person with a browser, and the server."""

    user: User
    core: Core
    told: list[tuple[str, Any]] = field(default_factory=list)

    def send(self, kind: type[PageElement], event: str, value: dict[str, Any]) -> None:
        """Do what the page's script does."""
        self.user.find(kind).trigger(event, value)

    def element(self, kind: type[PageElement]) -> PageElement:
        """Return the element of the page."""
        (found,) = self.user.find(kind).elements
        return found

    async def heard(self, method: str, seconds: float = 60.0) -> Any:
        """Wait for a message to the page, and take it."""
        end = asyncio.get_running_loop().time() + seconds
        while True:
            for number, (name, value) in enumerate(self.told):
                if name == method:
                    del self.told[: number + 1]
                    return value
                assert name != "failed", value
            assert asyncio.get_running_loop().time() < end, f"{method}: {self.told}"
            await asyncio.sleep(0.005)

    async def gone_to(self, pages: int) -> str:
        """Wait until the browser has been sent to that many pages; return the last one's path."""
        await until(lambda: len(self.user.back_history) >= pages)
        return self.user.back_history[-1]

    async def until(self, method: str, wanted: Callable[[Any], bool]) -> Any:
        """Wait for a message for which something holds."""
        while True:
            value = await self.heard(method)
            if wanted(value):
                return value


@asynccontextmanager
async def table(folder: Path, monkeypatch: Any) -> AsyncIterator[Table]:
    """Serve the pages, and open a browser."""
    async with user_simulation() as user, Core(folder / "games.sqlite") as core:
        found = Table(user, core)

        def tell(_: PageElement, method: str, value: Any) -> None:
            found.told.append((method, value))

        monkeypatch.setattr(PageElement, "tell", tell)
        serve(core)
        yield found


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run a test."""
    asyncio.run(asyncio.wait_for(work, 60))
