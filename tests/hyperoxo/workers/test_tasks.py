"""Tasks come back once each, whatever happens to those who run them."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import closing
from itertools import chain, repeat
from typing import Any

import pytest

import hyperoxo as ox
from hyperoxo.errors import AgentError, CheckFailedError, MissingExtraError, SpecError
from hyperoxo.workers import ClusterExecutor, Workers, pools, share_out
from tests.command import oxo, refusal
from tests.processes import python


class GoneError(Exception):
    """What this executor says of a call that was lost."""


class Losing(Executor):
    """Loses calls, some before they ran and some after, and answers out of order."""

    lost = (GoneError,)
    width = 3

    def __init__(self, seed: int, share: float = 0.3) -> None:
        self.random = random.Random(seed)
        self.share = share
        self.ran = 0
        self.waiting: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, fn, args))
        return future

    def wait(self, futures: Any, timeout: float, return_when: str) -> Any:
        """Run one of the calls that wait, and tell which are done, as `wait` does."""
        future, fn, args = self.waiting.pop(self.random.randrange(len(self.waiting)))
        lost = self.random.random() < self.share
        if not lost or self.random.random() < 0.5:
            result = fn(*args)
            self.ran += 1
        if lost:
            kind = self.random.choice([GoneError, BrokenExecutor, None])
            if kind is None:
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                future.set_exception(kind())
        else:
            future.set_result(result)
        return type("Done", (), {"done": {future}})


@pytest.mark.parametrize("seed", range(5))
def test_every_task_comes_once(seed: int) -> None:
    executor = Losing(seed)
    numbers = iter(range(50))
    with Workers(1, executor) as workers:
        found = dict(share_out(workers, lambda: next(numbers, None), lambda n: (pow, (n, 2))))
    assert found == {n: n * n for n in range(50)}
    assert executor.ran > 50


@pytest.mark.parametrize("agents", [("ising", "random"), ("mcts:simulations=5", "random")])
def test_lost_games_are_played_again_and_counted_once(agents: tuple[str, str]) -> None:
    games = 20_000 if agents[0] == "ising" else 30
    alone = ox.match("3^2", agents, games=games, seed=9, swap=True)
    executor = Losing(1)
    shared = ox.match("3^2", agents, games=games, seed=9, swap=True, executor=executor)
    assert (shared.games, shared.wins, shared.draws, shared.plies) == (
        games, alone.wins, alone.draws, alone.plies,
    )  # fmt: skip
    assert shared.workers == 3


def test_a_task_that_is_always_lost_ends_it() -> None:
    numbers = iter(range(3))
    with (
        Workers(1, Losing(1, share=1.0)) as workers,
        pytest.raises(AgentError, match="died repeatedly"),
    ):
        list(share_out(workers, lambda: next(numbers, None), lambda n: (pow, (n, 2))))


def test_errors_of_tasks_are_errors() -> None:
    numbers = iter([0])
    with Workers(1) as workers, pytest.raises(ZeroDivisionError):
        list(share_out(workers, lambda: next(numbers, None), lambda n: (divmod, (1, n))))


def test_what_is_out_is_cancelled_when_nobody_wants_more() -> None:
    executor = Losing(1, share=0.0)
    numbers = iter(range(50))
    with Workers(1, executor) as workers:
        tasks = share_out(workers, lambda: next(numbers, None), lambda n: (pow, (n, 2)))
        with closing(tasks):
            next(tasks)
    assert executor.waiting
    assert all(future.cancelled() for future, _, _ in executor.waiting)


def test_processes_are_ended_when_nobody_wants_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their pool does not trip over calls that have not begun; a thread that fails is an error."""
    monkeypatch.setattr(pools, "_QUEUED", 8)
    seconds = chain([0], repeat(60))
    with Workers(2) as workers:
        workers.use(processes=True)
        shutdown = workers.executor.shutdown

        def later(**how: bool) -> None:
            """Shut the pool down after it has seen that its processes ended."""
            time.sleep(0.5)
            shutdown(**how)

        monkeypatch.setattr(workers.executor, "shutdown", later)
        tasks = share_out(workers, lambda: next(seconds, None), lambda n: (time.sleep, (n,)))
        with closing(tasks):
            next(tasks)


def test_numbers_of_workers() -> None:
    with pytest.raises(SpecError, match="workers must be at least 1"):
        Workers(0)
    assert Workers(1).is_alone
    assert Workers(1, Losing(1)).count == 3
    assert Workers(4, Losing(1)).count == 4
    assert Workers(1, Executor()).count >= 1


def test_a_cluster_takes_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match='needs the extra "cluster"'):
        ClusterExecutor("tcp://127.0.0.1:1")


@pytest.mark.parametrize("address", ["", "tcp://x:y", "tcp://127.0.0.1:1", "x://127.0.0.1:1"])
def test_a_scheduler_that_is_not_there_is_told(address: str) -> None:
    with pytest.raises(CheckFailedError, match="there is no scheduler"):
        ClusterExecutor(address, seconds=0.5)


@pytest.mark.more
def test_nothing_is_left_of_a_cluster_that_is_not_there() -> None:
    code = "import hyperoxo as ox; ox.ClusterExecutor('nonsense', seconds=0.5)"
    last = python("-c", code).stderr.splitlines()[-1]
    assert last.endswith("CheckFailedError: there is no scheduler of a cluster at 'nonsense'")


def test_commands_have_workers_or_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["match", "3^2", "ising", "random", "--no-store", "--cluster", "tcp://127.0.0.1:1"]
    assert "exclude each other" in refusal(oxo(*words, "--workers", "2"))
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert refusal(oxo(*words), 1)
