"""Every command that shares its work gives the same answer wherever the work is done."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import hyperoxo as ox
from hyperoxo.learn import truth
from hyperoxo.processes import end_with_parent
from hyperoxo.solvers.states import enumerate as states
from hyperoxo.workers import pools
from tests.command import oxo, printed
from tests.hyperoxo.workers.test_cluster import cluster, pids
from tests.hyperoxo.workers.test_tasks import Losing

__all__ = ["cluster"]

COMMANDS = {
    "match": "3^2 mcts:simulations=5 random --games 30 --no-store",
    "tournament": "3^2 random ising --games 5000 --no-store",
    "sweep": "3^2 --agent ising --vary bias=0:1:0.5 --versus random --games 60 --no-store",
    "perft": "3^2 --plies 6",
    "states": "3^2:misere",
    "replies": "3^3 --position moves:13 --memory 1",
    "truth": "3^2 mcts:simulations=20 random",
    "truth of a sample": "3^3 random --positions 12",
    "dataset": "3,2,2:gravity 3^2:misere --out data.jsonl",
    "dataset of samples": "2^2 3^2 --positions 70 --all-images --out data.jsonl",
    "atlas": "--sides 3 --dims 3 --out atlas",
    "values": "2^2 3^2:misere 3,2,2:gravity --out values",
    "ladder": "3^2 --games 4",
    "ladder of levels": "2^2 --levels --games 4 --out steps.json",
    "puzzle": "3^2 --length 1 --count 4 --solution",
}
PASSING = {
    *("seconds", "games_per_second", "workers", "milliseconds", "nodes", "strategic", "width"),
}
"""Keys of what may differ: times, and which of several proofs is found."""


def lasting(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: lasting(one) for key, one in data.items() if key not in PASSING}
    return [lasting(one) for one in data] if isinstance(data, list) else data


def answer(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, *more: str) -> Any:
    """Run a command in a new folder; return its answer and its files, but what may differ."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    words = [name.split(maxsplit=1)[0], *COMMANDS[name].split(), *more]
    text = printed(oxo(*words, "--seed", "3", "--format", "json", "-q"))
    files: dict[str, Any] = {}
    for path in sorted(folder.rglob("*.*")):
        if path.suffix == ".json":
            files[path.name] = lasting(json.loads(path.read_text()))
        elif path.suffix != ".oxo":  # these name the command
            files[path.name] = path.read_bytes()
    return lasting(json.loads(text)), files


def test_functions_take_an_executor(tmp_path: Path) -> None:
    executor = Losing(2)
    found = [
        (
            ox.truth("3^2", "minimax:depth=1", executor=given).marks[0].by_ply,
            ox.atlas(sides=2, dims=2, executor=given).entries,
            ox.dataset("3,2,2:gravity", tmp_path / "a.jsonl", executor=given),
            (tmp_path / "a.jsonl").read_bytes(),
        )
        for given in (executor, None)
    ]
    assert found[0] == found[1]
    assert executor.ran > 30


class Lasting(ProcessPoolExecutor):
    def shutdown(self, *_: Any, **__: Any) -> None:
        pass


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    """Processes that all commands share: each takes a second to start."""
    yield (pool := Lasting(2, get_context("spawn"), end_with_parent))
    ProcessPoolExecutor.shutdown(pool)


@pytest.mark.more
@pytest.mark.parametrize("name", COMMANDS)
def test_answers_do_not_depend_on_who_works(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: ProcessPoolExecutor
) -> None:
    """Compare one process, two, and workers that lose a third of their tasks."""
    monkeypatch.setattr(states, "_LEAST", 20)
    monkeypatch.setattr(truth, "_QUICK_CHUNK", 50)
    monkeypatch.setattr(pools, "ProcessPoolExecutor", lambda *_: processes)
    alone = answer(tmp_path / "alone", monkeypatch, name)
    assert answer(tmp_path / "two", monkeypatch, name, "--workers", "2") == alone
    executor = Losing(1)
    monkeypatch.setattr("hyperoxo.workers.ClusterExecutor", lambda _: executor)
    assert answer(tmp_path / "losing", monkeypatch, name, "--cluster", "here") == alone
    assert executor.ran > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_worker_changes_nothing(
    name: str, cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(states, "_LEAST", 20)
    monkeypatch.setattr(truth, "_QUICK_CHUNK", 50)
    alone = answer(tmp_path / "alone", monkeypatch, name)
    killed: list[int] = []

    class Killing(ox.ClusterExecutor):
        def submit(self, *call: Any, **more: Any) -> Any:
            if not killed:
                killed.append(min(pids(cluster)))
                os.kill(killed[0], signal.SIGKILL)
            return super().submit(*call, **more)

    monkeypatch.setattr("hyperoxo.workers.ClusterExecutor", partial(Killing, seconds=60))
    address = "--cluster", cluster.scheduler_address
    assert answer(tmp_path / "shared", monkeypatch, name, *address) == alone
    assert killed
