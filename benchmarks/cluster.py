"""Speed-up by more workers: measured with a few on this machine, simulated with many.

    python benchmarks/cluster.py                # one worker, two, and a cluster of two
    python benchmarks/cluster.py --simulate     # up to 100, by measured times

Each work is done once before the clock, which compiles, and then three times, of which the best
counts. `--into` adds the rows to `results.json`.

The simulation runs the very code that hands out games, with its own clock: an executor that
needs for a range of games what such ranges were measured to take, and for each task the time that a
real scheduler on this machine was measured to need.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rows import add

import hyperoxo as ox
from hyperoxo.lab.games import Seating, Tally, play_range
from hyperoxo.lab.puzzle import make_puzzles
from hyperoxo.lab.runs import GameRange, play_ranges
from hyperoxo.solvers import perft
from hyperoxo.task import Task
from hyperoxo.workers import ClusterExecutor, Workers
from hyperoxo_research.bench.rows import best_seconds
from hyperoxo_research.lab.ladder import climb
from hyperoxo_research.lab.values import table_of_values

GAME = "4^3"
AGENTS = ("mcts:simulations=500", "minimax:depth=2")
GAMES = 120
WORKERS = (1, 2, 10, 30, 100)
VALUES = tuple(f"{size},4:gravity" for size in ("5,5", "7,4", "5,6", "6,4", "4,7", "4,6", "4,5"))
TRUTH = ("3^3", "mcts:simulations=500")
SAMPLE = 30
CALLS = 300


class Simulated(Executor):
    """Workers that take measured times by a clock that jumps from one end to the next."""

    def __init__(self, width: int, seconds: list[float], overhead: float, delay: float) -> None:
        self.width = width
        self._rng = np.random.default_rng(0)
        self._seconds = np.array(seconds)
        self._overhead = overhead
        self._delay = delay
        self._free = [0.0] * width
        self._ends: list[tuple[float, int, Future[Tally], Tally]] = []
        self._number = 0
        self.now = 0.0
        self.busy = 0.0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Note when the range would end; the client and the scheduler do one task at a time."""
        _, first, last = args
        self.now += self._overhead
        took = float(self._rng.choice(self._seconds, last - first).sum())
        start = max(heapq.heappop(self._free), self.now + self._delay)
        heapq.heappush(self._free, start + took)
        self.busy += took
        future: Future[Tally] = Future()
        tally = Tally(last - first, (last - first, 0), 0, last - first, took)
        self._number += 1
        heapq.heappush(self._ends, (start + took + self._delay, self._number, future, tally))
        return future

    def wait(self, futures: Any, timeout: float, return_when: str) -> Any:
        """Go on to the next end."""
        end, _, future, tally = heapq.heappop(self._ends)
        self.now = max(self.now, end)
        future.set_result(tally)
        return type("Done", (), {"done": {future}})


def lengths() -> list[float]:
    """Measure how long games take in sequence."""
    seating = Seating(GAME, AGENTS, 1)
    play_range(seating, 0, 1)
    return [play_range(seating, number, number + 1).seconds for number in range(SAMPLE)]


def overhead(executor: Executor) -> tuple[float, float]:
    """Measure seconds a task at full rate, and seconds that one task is under way."""
    executor.submit(max, 1, 2).result()
    begin = time.perf_counter()
    for future in [executor.submit(max, 1, 2) for _ in range(CALLS)]:
        future.result()
    rate = (time.perf_counter() - begin) / CALLS
    single = []
    for _ in range(CALLS // 10):
        begin = time.perf_counter()
        executor.submit(max, 1, 2).result()
        single.append(time.perf_counter() - begin)
    return rate, float(np.median(single))


def simulate(games: int, repeats: int) -> dict[str, Any]:
    """Simulate the same run with more and more workers."""
    from distributed import LocalCluster

    seconds = lengths()
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        executor = ClusterExecutor(cluster.scheduler_address, seconds=60)
        measured = [overhead(executor) for _ in range(repeats)]
        executor.shutdown()
    rate, way = (min(pair[i] for pair in measured) for i in range(2))
    rows = []
    for width in WORKERS:
        model = Simulated(width, seconds, rate, way / 2)
        with Workers(1, model) as workers:
            all_games = GameRange(0, Seating(GAME, AGENTS, 1), 0, games)
            for _ in play_ranges([all_games], workers):
                pass
        rows.append(
            {
                "workers": width,
                "seconds": round(model.now, 2),
                "efficiency": round(model.busy / (width * model.now), 4),
            }
        )
    return {
        "games": games,
        "seconds a game": round(float(np.mean(seconds)), 4),
        "milliseconds of scheduling a task": round(1000 * rate, 3),
        "milliseconds a task is under way": round(1000 * way, 3),
        "simulated": rows,
    }


def works(folder: str) -> dict[str, Callable[[Task], object]]:
    """Return a few seconds of work of each command."""
    proofs = Path(folder)

    def afresh(work: Callable[[Path], object]) -> object:
        """Work in an empty folder, so that nothing is resumed."""
        return work(Path(tempfile.mkdtemp(dir=proofs)))

    return {
        "match": lambda task: ox.match(GAME, AGENTS, GAMES, seed=1, progress=task),
        "perft": lambda task: perft(ox.Game("4^2").start(), 7, progress=task),
        "states": lambda task: ox.enumerate_states(
            "4^2", max_plies=9, symmetry=False, progress=task
        ),
        "truth": lambda task: ox.truth(*TRUTH, positions=3000, progress=task),
        "dataset": lambda task: afresh(
            lambda at: ox.dataset(("3^2", "3^2:misere"), at / "rows.jsonl", progress=task)
        ),
        "puzzle": lambda task: make_puzzles("4^3", 4, 200, progress=task),
        "atlas": lambda task: ox.atlas(sides=9, dims=4, seconds=5, progress=task),
        "values": lambda task: afresh(
            lambda at: table_of_values(at, VALUES, seconds=60, progress=task)
        ),
        "ladder": lambda task: [*climb(("3^2",), count=200, progress=task)],
    }


def measure(repeats: int, only: list[str]) -> Iterator[tuple[Any, ...]]:
    """Do each work on one worker, on two, and on a cluster of two; yield rows beside the first."""
    from distributed import LocalCluster

    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Task.shared(None) as alone,
        Task.shared(None, 2) as two,
        Task.shared(None, 1, ClusterExecutor(cluster.scheduler_address, seconds=60)) as spread,
    ):
        cluster.wait_for_workers(2)
        for name, work in works(folder).items():
            if only and name not in only:
                continue
            load = f"load of the machine {os.getloadavg()[0]:.1f}"
            one = best_seconds(partial(work, alone), repeats)
            for where, task in (("2 processes", two), ("2 workers of Dask", spread)):
                seconds = best_seconds(partial(work, task), repeats)
                yield f"{name}, {where}", seconds, "s", one, "1 worker", None, load


def main() -> None:
    """Measure or simulate, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("--games", type=int, default=20_000, help="games of the simulation")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", action="append", default=[], metavar="COMMAND")
    parser.add_argument("--into", type=Path, metavar="FILE", help="results.json: add rows there")
    asked = parser.parse_args()
    if asked.simulate:
        found = simulate(asked.games, asked.repeats)
        found = {"game": GAME, "agents": AGENTS, "repeats": asked.repeats, **found}
        print(json.dumps(found, indent=1))
        return
    rows = []
    for row in measure(asked.repeats, asked.only):
        rows.append(row)
        print(*row, flush=True)
    if asked.into is not None:
        add(asked.into, "cluster", rows)


if __name__ == "__main__":
    main()
