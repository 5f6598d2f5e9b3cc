"""The pages of classes, without a browser."""

from __future__ import annotations

import asyncio

import pytest

from hyperoxo_web.server.classroom import NewClass
from tests.hyperoxo_web.pages.simulated import Table


@pytest.mark.more
async def test_the_puzzle_of_the_day_for_a_class(place: Table) -> None:
    await place.open("/class?game=nonsense")
    assert place.props["game"] == "4^3"
    place.send("make", {"game": "puzzle", "opponent": None, "boards": 3})
    path = await place.gone_to()
    room = await place.core.classes.open(path.partition("?")[0].rpartition("/")[2])
    assert (room.new.game, room.new.opponent, room.new.boards) == ("4^3", "level:8", 3)
    assert room.new.position is not None
    assert room.new.position.startswith("moves:")
    assert room.players == 2


async def test_only_the_teacher_is_shown_boards(place: Table) -> None:
    room = await place.core.classes.create(NewClass(game="3^2", opponent=None))
    await place.core.classes.join(room.code, "Ada")
    await place.open(f"/class/{room.code}")
    assert room.teacher not in place.shown
    place.send("hello", {"teacher": "guess", "origin": "http://x"})
    await place.heard("role")
    for event, value in (
        ("say", {"words": "x"}),
        ("fill", {"number": 0}),
        ("drop", {"number": 0}),
        ("close", {}),
    ):
        place.send(event, value)
        with pytest.raises(AssertionError, match="Only the teacher"):
            await place.heard("never", 5)
    await place.core.classes.join(room.code, "Bob")
    await asyncio.sleep(0)
    assert not place.client.missed(place._read)
    place.send("hello", {"teacher": room.teacher, "origin": "http://x"})
    taught = await place.heard("teach")
    assert taught["desks"][0]["names"] == ["Ada", "Bob"]
    assert (await place.heard("desk"))["number"] == 0
