"""A cluster of two worker processes on this machine, one of which is killed."""

from __future__ import annotations

import json
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
from hyperoxo.solvers import perft
from hyperoxo.solvers.proofsearch.split import SplitSearch
from hyperoxo.solvers.states import enumerate as counting
from hyperoxo.solvers.states.enumerate import enumerate_states
from hyperoxo.workers import cluster as module
from tests.command import oxo

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


def test_commands_take_the_address(cluster: Any) -> None:
    words = ["match", "3^2", "ising", "random", "--games", "50", "--seed", "1", "--no-store"]
    alone = oxo(*words)
    shared = oxo(*words, "--cluster", cluster.scheduler_address)
    assert shared.exit_code == 0, shared.output
    assert alone.stdout.splitlines()[:-1] == shared.stdout.splitlines()[:-1]


def test_counts_and_proofs_on_a_cluster(
    executor: ox.ClusterExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_LEAST", 20)
    assert enumerate_states("3^2", executor=executor) == enumerate_states("3^2")
    start = ox.Game("3^2").start()
    assert perft(start, 7, executor=executor) == perft(start, 7)
    split = SplitSearch(ox.Game("3^3").position("moves:13"), megabytes=1)
    assert sorted(reply.cell for reply in split.run(executor=executor)) == [0, 1, 4]


def test_commands_that_count_take_the_address(cluster: Any) -> None:
    address = ["--cluster", cluster.scheduler_address]
    for words in (
        ["perft", "3^2", "--plies", "5"],
        ["states", "3^2"],
        ["replies", "3^3", "--position", "moves:13", "--memory", "1"],
    ):
        answers = [oxo(*words, "--format", "json", "-q", *more) for more in ([], address)]
        assert [answer.exit_code for answer in answers] == [0, 0], answers[1].output
        alone, shared = (json.loads(answer.stdout) for answer in answers)
        for key in ("sequences_by_ply", "positions_by_ply", "winner"):
            assert alone.get(key) == shared.get(key)


def test_a_scheduler_that_is_gone_just_now_is_told(
    executor: ox.ClusterExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nthreads() -> dict[str, int]:
        raise OSError("in <TCP (closed)>: Stream is closed")

    monkeypatch.setattr(executor._client, "nthreads", nthreads)
    executor._looked = -math.inf
    with pytest.raises(CheckFailedError, match="went away"):
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
    with pytest.raises(CheckFailedError, match="went away"):
        executor.submit(max, 1, 2)
    executor.shutdown()
