"""A cluster of two worker processes on this machine, one of which is killed."""

from __future__ import annotations

import logging
import math
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hyperoxo as ox
from hyperoxo.errors import CheckFailedError
from hyperoxo.lab import ResultStore
from hyperoxo.lab.results import result_rows
from hyperoxo.lab.results.store import parts_of
from hyperoxo.lab.runs import RunInterrupted
from hyperoxo.workers import cluster as module

pytestmark = pytest.mark.slow


def distributed() -> Any:
    """Import it for these tests, and not wherever tests are collected, which takes a second."""
    return pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed().LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0",
        silence_logs=50,
    ) as started:  # fmt: skip
        yield started


@pytest.fixture
def executor(cluster: Any) -> Iterator[ox.ClusterExecutor]:
    found = ox.ClusterExecutor(cluster.scheduler_address, seconds=60)
    yield found
    found.shutdown(cancel_futures=True)


def pids(cluster: Any) -> set[int]:
    with distributed().Client(cluster.scheduler_address, set_as_default=False) as client:
        return set(client.run(os.getpid).values())


AGENTS = ["mcts:simulations=20", "random"]


def test_a_killed_worker_loses_nothing(
    cluster: Any, executor: ox.ClusterExecutor, tmp_path: Path
) -> None:
    alone = ox.match("3^2", AGENTS, games=200, seed=9)
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if not killed:
            killed.append(min(pids(cluster)))
            os.kill(killed[0], signal.SIGKILL)

    with ResultStore(tmp_path / "r.sqlite") as store:
        shared = ox.match(
            "3^2", AGENTS, games=200, seed=9, executor=executor, store=store, progress=kill
        )
        (row,) = result_rows(store)
        ranges = sorted((part.first, part.last) for part in parts_of(store, 1)[0])
        assert [first for first, _ in ranges] == [0, *(last for _, last in ranges[:-1])]
    assert killed
    assert row.tally.games == shared.games == 200
    assert (shared.wins, shared.draws, shared.plies) == (alone.wins, alone.draws, alone.plies)
    assert row.tally.wins == alone.wins
    assert shared.workers in {1, 2}


def test_an_interrupt_on_a_cluster_keeps_what_is_played(
    executor: ox.ClusterExecutor, tmp_path: Path
) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with ResultStore(tmp_path / "r.sqlite") as store:
        with pytest.raises(RunInterrupted) as left:
            ox.match("3^2", AGENTS, 50, 1, executor=executor, store=store, progress=stop)
        assert left.value.games > 0
        again = ox.match("3^2", AGENTS, 50, 1, executor=executor, store=store)
    assert (again.run, again.games) == (1, 50)


def test_a_scheduler_that_is_gone_just_now_is_told(
    executor: ox.ClusterExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nthreads() -> dict[str, int]:
        raise OSError("in <TCP (closed)>: Stream is closed")

    monkeypatch.setattr(executor._client, "nthreads", nthreads)
    executor._looked = -math.inf
    with pytest.raises(CheckFailedError, match="was lost"):
        _ = executor.width
    for name in ("distributed.client", "tornado.application"):
        assert not logging.getLogger(name).isEnabledFor(logging.CRITICAL)


def test_what_is_wrong_with_a_cluster_is_told(
    cluster: Any, executor: ox.ClusterExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_VERSION", "99")
    with pytest.raises(CheckFailedError, match="another version of hyperoxo"):
        ox.ClusterExecutor(cluster.scheduler_address, seconds=60)
    with pytest.raises(CheckFailedError, match="a worker of the cluster has hyperoxo"):
        executor.submit(max, 1, 2).result(timeout=60)


def test_a_scheduler_that_goes_away_is_told() -> None:
    with distributed().LocalCluster(
        n_workers=0, processes=False, dashboard_address=":0", silence_logs=50
    ) as empty:
        with pytest.raises(CheckFailedError, match="has no workers"):
            ox.ClusterExecutor(empty.scheduler_address, seconds=0.2)
        empty.scale(1)
        executor = ox.ClusterExecutor(empty.scheduler_address, seconds=60)
        future = executor.submit(time.sleep, 0.5)
        future.result(timeout=60)
    deadline = time.monotonic() + 60
    while executor._client.status == "running" and time.monotonic() < deadline:
        time.sleep(0.05)
    with pytest.raises(CheckFailedError, match="was lost"):
        executor.submit(max, 1, 2)
    executor.shutdown()
