"""What more workers bring: measured with a few on this machine, simulated with many.

    python benchmarks/cluster.py                # one and two workers, the best of three runs each
    python benchmarks/cluster.py --simulate     # up to 100, by measured times

The simulation runs the very code that hands out games, with a clock of its own: an executor that
needs for a range of games what such ranges were measured to take, and for each task the time that a
real scheduler on this machine was measured to need.
"""

from __future__ import annotations

import argparse
import heapq
import json
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np

import hyperoxo as ox
from hyperoxo.lab.games import Seating, Tally, play_range
from hyperoxo.lab.runs import GameRange, play_ranges
from hyperoxo.workers import ClusterExecutor, Workers

GAME = "4^3"
AGENTS = ("mcts:simulations=500", "minimax:depth=2")
GAMES = 120
WORKERS = (1, 2, 10, 30, 100)
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
    """Measure how long games take, one after the other."""
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
        with Workers(1, processes=True, executor=model) as workers:
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


def measure(games: int, repeats: int) -> dict[str, Any]:
    """Play the same match on clusters of one and of two workers."""
    from distributed import LocalCluster

    best: dict[int, float] = {}
    for count in (1, 2):
        with LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=":0") as cluster:
            executor = ClusterExecutor(cluster.scheduler_address, seconds=60)
            cluster.wait_for_workers(count)
            for number in range(repeats + 1):
                begin = time.perf_counter()
                ox.match(GAME, AGENTS, games, seed=1, executor=executor)
                took = time.perf_counter() - begin
                if number:  # the first run compiles
                    best[count] = min(took, best.get(count, took))
            executor.shutdown()
    return {
        "games": games,
        "seconds with 1 worker": round(best[1], 2),
        "seconds with 2 workers": round(best[2], 2),
        "efficiency of 2": round(best[1] / (2 * best[2]), 3),
    }


def main() -> None:
    """Measure or simulate, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("--games", type=int)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    if asked.simulate:
        found = simulate(asked.games or 20_000, asked.repeats)
    else:
        found = measure(asked.games or GAMES, asked.repeats)
    found = {"game": GAME, "agents": AGENTS, "repeats": asked.repeats, **found}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
