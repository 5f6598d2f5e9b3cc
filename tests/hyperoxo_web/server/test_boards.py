"""Boards are as large as a client may have, and written for pages once."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from hyperoxo.game import Game
from hyperoxo_web.server import RefusedError
from hyperoxo_web.server.boards import Boards
from hyperoxo_web.server.budget import Account, Meter, metered
from hyperoxo_web.server.limits import HOME, PUBLIC, Asker
from hyperoxo_web.server.view import Written, as_json
from hyperoxo_web.server.workers import Workers

LARGE = "3^6:opening=poorx5"
ASKER = Asker("guest", PUBLIC)


async def test_views_are_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = Boards(Workers(1))
    game = await boards.game(LARGE, ASKER)
    assert game == Game(LARGE)
    shown = await boards.view("facts", game, ASKER)
    monkeypatch.setattr("hyperoxo_web.server.boards._VIEWS", {})
    assert await boards.view("facts", game, ASKER) == shown
    assert json.loads(shown.text)["cells"] == 729


@pytest.mark.parametrize(
    ("spec", "why"), [("3^9", "too many"), ("5^4:connect=9", "bad game"), ("^", "a board is")]
)
def test_what_is_no_game_is_refused(spec: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        asyncio.run(Boards(Workers(1)).game(spec, ASKER))


async def test_a_game_that_was_made_for_one_client_is_not_for_all() -> None:
    boards = Boards(Workers(1))
    assert (await boards.game("1400^1", Asker("", HOME))).cells == 1400
    with pytest.raises(RefusedError, match="1,400 cells"):
        await boards.game("1400^1", ASKER)


@pytest.mark.more
async def test_the_worker_that_reads_texts_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter(1e-9, 1e-9)
    monkeypatch.setattr(time, "thread_time", lambda: 0.0)
    workers = Workers(2)
    boards = Boards(workers)

    async def work() -> None:
        asked: dict[str, Any] = {"notation": None, "options": {}}
        found = await boards.call("record", ASKER, text="3^6 364", **asked)
        assert found.moves == (364,)
        with pytest.raises(RefusedError, match="bad game"):
            await boards.call("record", ASKER, text="4^5:opening=9999 0", **asked)

    try:
        await metered(work(), Account("guest", meter, meter))
    finally:
        await workers.stop()
    assert not meter.allows("guest", 1e-9)


def test_what_was_written_is_inserted_as_it_is() -> None:
    value = {"a": [Written('{"b":"é"}'), 1, Written("[]")], "c": {"d": Written("null")}}
    assert as_json(value) == b'{"a":[{"b":"\xc3\xa9"},1,[]],"c":{"d":null}}'
    assert as_json("\ud800") == b'"\\ud800"'
    with pytest.raises(TypeError, match="object has no JSON"):
        as_json([object()])
