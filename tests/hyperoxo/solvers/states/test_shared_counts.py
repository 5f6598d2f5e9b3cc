"""Counts shared out among workers are those of one."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hyperoxo.errors import LimitError
from hyperoxo.game import Game
from hyperoxo.solvers import perft
from hyperoxo.solvers.states import enumerate as states_module
from hyperoxo.solvers.states.enumerate import enumerate_states

GAMES = ["3^2", "3^2:players=3", "4,3,3:gravity", "3^2:opening=0", "3^2:misere", "2^3"]


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states_module, "_LEAST", 3)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("symmetry", [True, False])
def test_states_of_many_workers_are_those_of_one(game: str, symmetry: bool) -> None:
    with ThreadPoolExecutor(3) as executor:
        shared = enumerate_states(game, symmetry=symmetry, executor=executor)
    assert shared == enumerate_states(game, symmetry=symmetry)


@pytest.mark.parametrize("game", GAMES)
def test_sequences_of_many_workers_are_those_of_one(game: str) -> None:
    start = Game(game).start()
    seen: list[tuple[int, int]] = []
    with ThreadPoolExecutor(3) as executor:
        shared = perft(start, 6, lambda *at: seen.append(at), executor=executor)
    assert shared == perft(start, 6)
    assert seen[-1][0] == seen[-1][1] > 0


def test_large_numbers_of_games_add_up() -> None:
    most = np.uint64(2**64 - 1)
    one = np.array([[most, 0], [most, most >> np.uint64(1)]], dtype=np.uint64)
    other = np.array([[1, 0], [most, 1]], dtype=np.uint64)
    numbers = [
        [int(low) + (int(high) << 64) for low, high in table]
        for table in (one, other, states_module._sum(one, other))
    ]
    assert [a + b for a, b in zip(*numbers[:2], strict=True)] == numbers[2]


class Stopping(Executor):
    """Does a few calls and is then interrupted."""

    width = 2

    def __init__(self, calls: int) -> None:
        self.left = calls

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.left:
            self.left -= 1
            future.set_result(fn(*args))
        return future

    def wait(self, futures: Any, timeout: float, return_when: str) -> Any:
        assert signal.getsignal(signal.SIGINT) != signal.default_int_handler  # Ctrl-C is held back
        done = {future for future in futures if future.done()}
        if not done:
            raise KeyboardInterrupt
        return type("Done", (), {"done": done})


def test_interrupts_leave_what_is_counted(tmp_path: Path) -> None:
    whole = perft(Game("3^2").start(), 5)
    part = perft(Game("3^2").start(), 5, executor=Stopping(4))
    assert not part.complete
    assert 0 < part.sequences_by_ply[-1] < whole.sequences_by_ply[-1]
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        enumerate_states("3^2", checkpoint=path, executor=Stopping(9))
    assert path.exists()
    assert enumerate_states("3^2", checkpoint=path, executor=Stopping(999)) == enumerate_states(
        "3^2"
    )


def test_limits_hold_for_many_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperoxo.solvers.states.layers.most_positions", lambda *args, **kwargs: 60)
    with ThreadPoolExecutor(2) as executor, pytest.raises(LimitError, match="more than 60"):
        enumerate_states("3^2", executor=executor)
