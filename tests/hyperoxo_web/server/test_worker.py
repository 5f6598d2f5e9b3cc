"""A process that thinks for the server, by the requests and answers of its pipes."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, count
from pathlib import Path

import numpy as np
import pytest

from hyperoxo.game import Game
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.worker import LENGTH, packed, request
from hyperoxo_web.server.workers import Worker

MORE = 48
"""Megabytes that a process may hold more after all boards than after the first; it held 240."""


class BackgroundRunner:
    """Asks the process, one request after the other."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._numbers = count(1)

    def analyse(self, game: str) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        asked = request("tasks:analyse", what=Game(game).start().play(0), seconds=0.1)
        self.process.stdin.write(packed((next(self._numbers), asked)))
        self.process.stdin.flush()
        kind = ""
        while kind != "done":
            length = int.from_bytes(self.process.stdout.read(LENGTH), "big")
            _, kind, *_ = pickle.loads(self.process.stdout.read(length))
            assert kind != "error"

    def megabytes(self) -> int:
        """What is its own of its memory, once it has had a moment to give some back."""
        time.sleep(0.5)
        lines = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text("ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Anonymous:")) // 1024


@pytest.fixture
def thinker() -> Iterator[BackgroundRunner]:
    code = "from hyperoxo_web.server.worker import main; main()"
    words = [sys.executable, "-c", code, "--nice=0"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield BackgroundRunner(process)
        finally:
            process.kill()


@pytest.mark.more
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_memory_of_searches_is_given_back(thinker: BackgroundRunner) -> None:
    games = [f"3^3:blocked={a}+{b}" for a, b in combinations(range(1, 27), 2)][::9]
    for game in games[:3]:  # code is loaded and compiled
        thinker.analyse(game)
    first = thinker.megabytes()
    for game in games:
        thinker.analyse(game)
    assert len(games) > 30
    assert thinker.megabytes() < first + MORE, first


@pytest.mark.more
@pytest.mark.parametrize("moment", [0.0, 0.003, 0.1])
async def test_a_request_after_the_end_of_a_process_is_answered_or_refused(moment: float) -> None:
    worker, asked = Worker(), request("tasks:analyse", what=Game("3^2").start(), seconds=0.1)
    try:
        await worker.call(asked)
        assert worker._process is not None
        os.kill(worker._process.pid, signal.SIGKILL)
        await asyncio.sleep(moment)
        with suppress(RefusedError):
            await asyncio.wait_for(worker.call(asked), 60)
        assert await asyncio.wait_for(worker.call(asked), 60)
    finally:
        await worker.kill()


def test_a_game_arrives_as_one_object() -> None:
    """What a search computes of its board is there for the next one."""
    game = Game("3^2:misere")
    first, again = (pickle.loads(packed(game.start().play(cell))[LENGTH:]) for cell in (0, 4))
    assert (first, again.history) == (game.start().play(0), (4,))
    assert first.game is again.game


def test_numbers_arrive_as_json_has_them() -> None:
    sent = {"cell": np.int64(3), "share": [np.float64(0.5)], "sure": np.bool_(True)}
    found = pickle.loads(packed(sent)[LENGTH:])
    assert json.dumps(found) == '{"cell": 3, "share": [0.5], "sure": true}'
    assert type(found["share"][0]) is float
