"""What is compiled before it is asked for: its order, and what people are told meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from hyperoxo.game import Game
from hyperoxo_web.server import worker
from hyperoxo_web.server.limits import SERVER, Client
from hyperoxo_web.server.preparing import PROOF, STATES, Preparation, steps
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.worker import Request, request
from hyperoxo_web.server.workers import Listener, Prepares, Workers
from tests.hyperoxo_web.server.sessions import until
from tests.processes import python


class SlowCompiler:
    """Stands for processes whose compiler takes as long as a test likes."""

    def __init__(self) -> None:
        self.compiling = False
        self.begun: list[Request] = []
        self.prepares: list[Prepares] = []
        self.refused = False
        self._done = asyncio.Semaphore(0)

    async def search(
        self, request: Request, _: Client, *, seconds: float, listener: Listener
    ) -> None:
        assert seconds > 0
        self.begun.append(request)
        self.prepares.append(listener.prepare)
        await self._done.acquire()
        if self.refused:
            raise RefusedError("worker", "the process has ended")

    def finish(self) -> None:
        """End one request."""
        self._done.release()


def begun(compiler: SlowCompiler) -> list[str]:
    return [one.given["game"] for one in compiler.begun]


@pytest.fixture
def compiler() -> SlowCompiler:
    return SlowCompiler()


@pytest.fixture
async def preparation(compiler: SlowCompiler) -> AsyncIterator[Preparation]:
    made = Preparation(cast("Workers", compiler))
    yield made
    await made.stop()


def ask(game: str, agent: str = "level:2") -> Request:
    return request("tasks:prepare_agent", game=game, agent=agent)


def test_what_people_reach_first_is_prepared_first() -> None:
    order = list(steps())
    assert order[0] == ask("4^3")
    assert [step.given["game"] for step in order[1:4]] == [
        "3^2",
        "4^3:gravity",
        "3^4:blocked=centre,target=9,players=4",
    ]
    assert len(order) == len({repr(step) for step in order})


async def test_a_game_that_is_begun_comes_next_and_waits_for_nobody(
    compiler: SlowCompiler, preparation: Preparation
) -> None:
    preparation.prefer("6^3", ["expert"])  # a server that prepares nothing
    preparation.begin([ask("4^3"), ask("3^2"), ask("3^3"), ask("6^3")])
    await until(lambda: begun(compiler) == ["4^3"])
    preparation.prefer("6^3", ["expert"])
    preparation.prefer("3^3")
    preparation.prefer("6^3", ["expert"])
    compiler.compiling = True  # somebody waits for a move
    compiler.finish()
    await asyncio.sleep(0.3)
    assert begun(compiler) == ["4^3"]
    compiler.compiling = False
    for count in range(2, 7):
        await until(lambda most=count: len(compiler.begun) == most)  # type: ignore[misc]
        compiler.finish()
    assert begun(compiler) == ["4^3", "6^3", "6^3", "6^3", "3^3", "3^2"]
    assert compiler.begun[1] == ask("6^3", "expert")
    functions = [step.function for step in compiler.begun]
    assert functions.count("tasks:prepare_analysis") == 1
    preparation.prefer("6^3", ["expert"])  # known by now
    preparation.prefer("5^3", ["expert"])
    await until(lambda: begun(compiler)[-1] == "5^3")


async def test_what_fails_is_left_out(compiler: SlowCompiler, preparation: Preparation) -> None:
    compiler.refused = True
    preparation.begin([ask("4^3"), ask("3^2")])
    await until(lambda: begun(compiler) == ["4^3"])
    compiler.finish()
    await until(lambda: begun(compiler) == ["4^3", "3^2"])


async def test_a_page_hears_how_far_its_game_is(
    compiler: SlowCompiler, preparation: Preparation
) -> None:
    heard: list[Any] = []
    preparation.listeners.add(lambda: heard.append(preparation.view("3^2")))
    preparation.begin([ask("4^3"), ask("3^2")])
    await until(lambda: len(compiler.begun) == 1)
    assert preparation.view("4^3") is None  # nothing is compiled, as where all is on the disk
    compiler.prepares[0]({"done": 2, "needed": 9})
    assert preparation.view("4^3") == {"done": 2, "needed": 9}
    assert preparation.view("6^3") is None
    await until(lambda: heard == [{"done": 0, "needed": 1}])
    compiler.finish()
    await until(lambda: len(compiler.begun) == 2)
    assert preparation.view("4^3") is None
    compiler.prepares[1]({"done": 3, "needed": 4})
    await until(lambda: heard[-1] == {"done": 3, "needed": 4})


async def test_a_page_waits_for_what_it_needs_and_only_then(
    compiler: SlowCompiler, preparation: Preparation
) -> None:
    await preparation.ready(STATES, lambda _: None)
    assert compiler.begun == []
    preparation.begin([ask("4^3"), STATES])
    heard: list[Any] = []
    assert preparation.lacks(STATES)
    waiting = asyncio.create_task(preparation.ready(STATES, heard.append))
    await until(lambda: STATES in compiler.begun)
    compiler.prepares[compiler.begun.index(STATES)]({"done": 1, "needed": 2})
    assert heard == [{"done": 1, "needed": 2}]
    compiler.finish()
    compiler.finish()
    await waiting
    await until(lambda: not preparation.lacks(STATES))
    await preparation.ready(PROOF, heard.append)
    assert compiler.begun.count(STATES) == 1


def test_a_process_counts_what_is_compiled_for_each_request() -> None:
    told: list[Any] = []
    hear = worker._Preparing(told.append)
    hear(1, 2)
    hear(2, 2)
    hear(0, 0)
    hear.begin()
    hear(3, 5)
    assert told == [
        {"done": 0, "needed": 2},
        {"done": 1, "needed": 2},
        None,
        {"done": 0, "needed": 3},
    ]


@pytest.mark.more
async def test_who_asks_a_process_that_is_only_started_hears_that_it_is_loaded() -> None:
    workers = Workers(4)
    heard: list[Any] = []
    asked = request("tasks:simple", position=Game("3^2").start(), seed=0)
    try:
        answer = workers.quick(asked, SERVER, 60.0, Listener(heard.append))
        assert 0 <= (await answer)["cell"] < 9
        assert heard[0] == {"done": 0, "needed": 0}
        assert heard[-1] is None
        heard.clear()
        await workers.quick(asked, SERVER, 60.0, Listener(heard.append))
        assert {"done": 0, "needed": 0} not in heard
    finally:
        await workers.stop()


@pytest.mark.more
async def test_processes_load_what_they_need_before_they_are_asked() -> None:
    workers = Workers(4)
    try:
        await workers.warm()
        assert workers.compiling
        await until(lambda: not workers.compiling)
    finally:
        await workers.stop()


@pytest.mark.more
def test_a_process_starts_without_the_compiler() -> None:
    """It is loaded when something is asked, or at once where the server says so."""
    code = "import sys, hyperoxo_web.server.worker; print('numba' in sys.modules)"
    assert python("-c", code).stdout.split() == ["False"]
