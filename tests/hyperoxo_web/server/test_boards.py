"""Large boards are made by a worker process, once, and pages get what it has written."""

from __future__ import annotations

import asyncio
import json
import pickle
import time
from typing import Any

import pytest
from hypothesis import given

from hyperoxo.game import Game
from hyperoxo_web.server import RefusedError, apart
from hyperoxo_web.server.boards import Boards
from hyperoxo_web.server.budget import Account, metered
from hyperoxo_web.server.limits import HOME, PUBLIC, Asker, Meter
from hyperoxo_web.server.view import Written, as_json
from hyperoxo_web.server.worker import Request
from hyperoxo_web.server.workers import Workers
from tests.strategies import games

LARGE = "3^6:opening=poorx5"
ASKER = Asker("guest", PUBLIC)


class Apart:
    """Stands for a worker process, and holds its answers back."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.cancelled = 0

    async def apart(self, request: Request, *_: object) -> Any:
        name = request.function.partition(":")[2]
        self.asked.append(name)
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        found = await asyncio.to_thread(getattr(apart, name), **request.given)
        return pickle.loads(pickle.dumps(found))


def made() -> tuple[Boards, Any]:
    process: Any = Apart()
    return Boards(process), process


@given(games(new_rules=True))
def test_a_game_comes_back_as_it_was(game: Game) -> None:
    again = pickle.loads(pickle.dumps(game))
    assert (again, again.board) == (game, game.board)
    for name in ("turns", "convention", "gravity", "blocked", "opening", "opening_moves", "target"):
        assert getattr(again, name) == getattr(game, name), name
    for name in ("line_ptr", "line_cells", "cell_ptr", "cell_lines"):
        assert getattr(again.board, name).dtype == getattr(game.board, name).dtype
    assert again.board.names == game.board.names


def test_a_large_game_is_made_once_and_kept() -> None:
    async def story() -> None:
        boards, process = made()
        process.go_on.clear()
        asking = [asyncio.create_task(boards.game(LARGE, ASKER)) for _ in range(5)]
        while not process.asked:
            await asyncio.sleep(0)
        process.go_on.set()
        for one in await asyncio.gather(*asking):
            assert one == Game(LARGE)
        await boards.game(LARGE, ASKER)
        assert process.asked == ["game"]
        shown = [await boards.view("facts", await boards.game(LARGE, ASKER), ASKER) for _ in "ab"]
        assert shown[0] == shown[1]
        assert json.loads(shown[0].text)["cells"] == 729
        assert process.asked == ["game", "facts"]

    asyncio.run(story())


def test_what_nobody_waits_for_any_more_is_dropped() -> None:
    async def story() -> None:
        boards, process = made()
        process.go_on.clear()
        asking = [asyncio.create_task(boards.game(LARGE, ASKER)) for _ in range(2)]
        while not process.asked:
            await asyncio.sleep(0)
        asking.pop().cancel()
        await asyncio.sleep(0)
        assert process.cancelled == 0
        asking.pop().cancel()
        while not process.cancelled:
            await asyncio.sleep(0)
        process.go_on.set()
        assert await boards.game(LARGE, ASKER) == Game(LARGE)
        assert process.asked == ["game", "game"]

    asyncio.run(story())


def test_small_games_are_made_here() -> None:
    async def story() -> None:
        boards, process = made()
        game = await boards.game("19,19,5", ASKER)
        assert json.loads((await boards.view("geometry", game, ASKER)).text)["cells"] == 361
        assert process.asked == []

    asyncio.run(story())


@pytest.mark.parametrize(
    ("spec", "why"), [("3^9", "too many"), ("5^4:connect=9", "bad game"), ("^", "a board is")]
)
def test_what_is_no_game_is_refused_here(spec: str, why: str) -> None:
    async def story() -> None:
        boards, process = made()
        with pytest.raises(ValueError, match=why):
            await boards.game(spec, ASKER)
        assert process.asked in ([], ["game"])

    asyncio.run(story())


def test_a_game_that_was_made_for_one_client_is_not_for_all() -> None:
    async def story() -> None:
        boards, _ = made()
        assert (await boards.game("1400^1", Asker("", HOME))).cells == 1400
        with pytest.raises(RefusedError, match="1,400 cells"):
            await boards.game("1400^1", ASKER)

    asyncio.run(story())


def test_the_worker_that_makes_them_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        meter = Meter(1e-9, 1e-9)
        monkeypatch.setattr(time, "thread_time", lambda: 0.0)
        workers = Workers(2)
        boards = Boards(workers)
        try:
            account = Account("guest", meter, meter)
            assert await metered(boards.game(LARGE, ASKER), account) == Game(LARGE)
            with pytest.raises(RefusedError, match="bad game"):
                await boards.game("4^5:opening=9999", ASKER)
        finally:
            await workers.stop()
        assert not meter.allows("guest", 1e-9)

    asyncio.run(story())


def test_what_was_written_is_inserted_as_it_is() -> None:
    value = {"a": [Written('{"b":"é"}'), 1, Written("[]")], "c": {"d": Written("null")}}
    assert as_json(value) == b'{"a":[{"b":"\xc3\xa9"},1,[]],"c":{"d":null}}'
    assert as_json("\ud800") == b'"\\ud800"'
    with pytest.raises(TypeError, match="object has no JSON"):
        as_json([object()])
