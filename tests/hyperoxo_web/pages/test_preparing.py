"""What pages say while boards are prepared, by a server that pretends to compile."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hyperoxo_web.server.preparing import STATES
from hyperoxo_web.server.worker import Request
from hyperoxo_web.server.workers import Prepares
from tests.hyperoxo_web.pages.simulated import Table


class SlowCompiler:
    """Takes as long for every part as a test likes."""

    def __init__(self, place: Table) -> None:
        self.asked: asyncio.Queue[tuple[Request, Prepares]] = asyncio.Queue()
        self.done = asyncio.Event()
        place.core.workers.search = self._search  # type: ignore[assignment]

    async def _search(
        self, request: Request, _asker: object, *, prepares: Prepares, **_: Any
    ) -> dict[str, Any]:
        await self.asked.put((request, prepares))
        await self.done.wait()
        return {}


async def prepared(place: Table) -> dict[str, int] | None:
    """Wait for what the page is told of how far it is."""
    async with asyncio.timeout(60):
        while True:
            message = await place._next()
            if "preparing" in message:
                found: dict[str, int] | None = message["preparing"]
                return found


@pytest.mark.more
async def test_the_first_page_says_how_far_its_board_is(place: Table) -> None:
    slow = SlowCompiler(place)
    place.core.preparation.begin()
    request, prepares = await slow.asked.get()
    assert request.given == {"game": "4^3", "agent": "level:2"}
    prepares({"done": 12, "needed": 40})
    await place.open("/")
    assert 'id="preparing" role="status"' in place.shown
    assert await prepared(place) == {"done": 12, "needed": 40}
    place.send("look", {"spec": "3^3"})
    assert await prepared(place) == {"done": 0, "needed": 1}
    slow.done.set()
    assert await prepared(place) is None
    games = [(await slow.asked.get())[0].given["game"] for _ in range(2)]
    assert games == ["3^3", "3^3"]  # what is looked at comes next


@pytest.mark.more
async def test_a_page_that_needs_a_table_waits_for_it(place: Table) -> None:
    slow = SlowCompiler(place)
    place.core.preparation.begin([STATES])
    await place.open("/states")
    assert place.data["kind"] == "waiting"
    for _ in range(2):
        request, prepares = await slow.asked.get()
        assert request == STATES
        prepares({"done": 1, "needed": 3})
    assert await prepared(place) == {"done": 1, "needed": 3}
    slow.done.set()
    assert await place.gone_to() == "/states/3%5E2"
    assert place.data["kind"] == "states"


@pytest.mark.more
async def test_nothing_is_said_where_nothing_is_compiled(place: Table) -> None:
    slow = SlowCompiler(place)
    slow.done.set()
    place.core.preparation.begin()
    await place.open("/")
    place.send("look", {"spec": "3^3"})
    await place.heard("looked")
    assert not any("preparing" in message for _, message in place.client.missed(0))
