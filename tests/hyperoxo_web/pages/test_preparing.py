"""What pages say while boards are prepared, by a server that pretends to compile."""

from __future__ import annotations

import asyncio

import pytest

from hyperoxo_web.server.preparing import STATES
from tests.hyperoxo_web.pages.simulated import Table
from tests.hyperoxo_web.server.sessions import until
from tests.hyperoxo_web.server.test_preparing import SlowCompiler, begun


@pytest.fixture
def compiler(place: Table) -> SlowCompiler:
    found = SlowCompiler()
    place.core.workers.search = found.search  # type: ignore[assignment, method-assign]
    return found


async def prepared(place: Table) -> dict[str, int] | None:
    """Wait for what the page is told of how far it is."""
    async with asyncio.timeout(60):
        while True:
            message = await place._next()
            if "preparing" in message:
                found: dict[str, int] | None = message["preparing"]
                return found


@pytest.mark.more
async def test_the_first_page_says_how_far_its_board_is(
    place: Table, compiler: SlowCompiler
) -> None:
    place.core.preparation.begin()
    await until(lambda: len(compiler.begun) == 1)
    assert compiler.begun[0].given == {"game": "4^3", "agent": "level:2"}
    compiler.prepares[0]({"done": 12, "needed": 40})
    await place.open("/")
    assert 'id="preparing" role="status"' in place.shown
    assert await prepared(place) == {"done": 12, "needed": 40}
    place.send("preview", {"spec": "3^3"})
    assert await prepared(place) == {"done": 0, "needed": 1}
    compiler.finish()
    assert await prepared(place) is None
    compiler.finish()
    await until(lambda: len(compiler.begun) == 3)
    assert begun(compiler)[1:] == ["3^3", "3^3"]  # what is looked at comes next


@pytest.mark.more
async def test_a_page_that_needs_a_table_waits_for_it(place: Table, compiler: SlowCompiler) -> None:
    place.core.preparation.begin([STATES])
    await place.open("/states")
    assert place.data["kind"] == "waiting"
    await until(lambda: len(compiler.begun) == 2)
    assert compiler.begun == [STATES] * 2
    for prepares in compiler.prepares:
        prepares({"done": 1, "needed": 3})
    assert await prepared(place) == {"done": 1, "needed": 3}
    compiler.finish()
    compiler.finish()
    assert await place.gone_to() == "/states/3%5E2"
    assert place.data["kind"] == "states"


@pytest.mark.more
async def test_nothing_is_said_where_nothing_is_compiled(
    place: Table, compiler: SlowCompiler
) -> None:
    for _ in range(99):
        compiler.finish()
    place.core.preparation.begin()
    await place.open("/")
    await place.ask("preview", {"spec": "3^3"}, "previewed")
    assert not any("preparing" in message for _, message in place.client.missed(0))
