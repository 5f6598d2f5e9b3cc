"""A process that thinks for the server, by the requests and answers of its pipes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import combinations, count
from pathlib import Path
from typing import Any

import pytest

MORE = 48
"""Megabytes that a process may hold more after all boards than after the first; it held 240."""


class Thinker:
    """Asks the process, one request after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._numbers = count(1)

    def analyse(self, game: str) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        asked = {"kind": "analyse", "game": game, "setup": None, "moves": [0], "seconds": 0.1}
        number = next(self._numbers)
        self.process.stdin.write(json.dumps({**asked, "task": number}) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = {}
        while "done" not in answer:
            answer = json.loads(self.process.stdout.readline())
            assert "error" not in answer

    def megabytes(self) -> int:
        """What is its own of its memory, once it has had a moment to give some back."""
        time.sleep(0.5)
        lines = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text("ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Anonymous:")) // 1024


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    words = [sys.executable, "-m", "hyperoxo_web.server.worker", "--nice=0"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Thinker(process)
        finally:
            process.kill()


@pytest.mark.more
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_memory_of_searches_is_given_back(thinker: Thinker) -> None:
    games = [f"3^3:blocked={a}+{b}" for a, b in combinations(range(1, 27), 2)][::9]
    for game in games[:3]:  # code is loaded and compiled
        thinker.analyse(game)
    first = thinker.megabytes()
    for game in games:
        thinker.analyse(game)
    assert len(games) > 30
    assert thinker.megabytes() < first + MORE, first
