"""Measure calls of the library on small boards, and what `oxo solve 3^2` takes to start.

Calls are timed by processor time in one process. Commands run by turns with a bare process that
loads one cached kernel, and each figure is the median. `--into` adds the rows to `results.json`.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from rows import add

import hyperoxo as ox

_BARE = """
from numba import njit
@njit(cache=True)
def total(n):
    s = 0
    for i in range(n):
        s += i
    return s
total(10)
"""


def positions_of(spec: str) -> list[ox.Position]:
    """Return all positions of a small game that are not over, in an order of chance."""
    found: dict[bytes, ox.Position] = {}
    ahead = [ox.Game(spec).start()]
    while ahead:
        position = ahead.pop()
        if not position.is_over and position.owners not in found:
            found[position.owners] = position
            ahead += map(position.play, position.legal_moves)
    return random.Random(1).sample([*found.values()], len(found))


def seconds(work: Callable[[], object], repeats: int = 1) -> float:
    """Return the least processor time of several calls."""
    taken = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return min(taken)


def calls() -> Iterator[tuple[str, float, str]]:
    """Rows on calls."""
    positions = positions_of("3^2")
    ox.solve(positions[0])
    some = positions[:500]
    minimax = ox.agent("minimax")
    minimax.choose(positions[0], 0)

    def solve() -> None:
        for position in some:
            ox.solve(position)

    def choose() -> None:
        for position in some:
            minimax.choose(position, 0)

    yield "ox.solve of a new position of 3^2", 1e3 * seconds(solve) / len(some), "ms"
    yield "ox.solve of one that it solved before", 1e3 * seconds(solve, 5) / len(some), "ms"
    yield "minimax chooses a move of 3^2", 1e3 * seconds(choose, 3) / len(some), "ms"
    many = ox.Positions("3^2", [list(one.owners) for one in positions] * 20)
    ox.move_values(many)
    rate = int(ox.move_values(many).legal.sum()) / seconds(lambda: ox.move_values(many), 5)
    yield "ox.move_values of 3^2, from a table", rate, "values/s"


def usage(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Return processor seconds and MiB of a process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def starts(repeats: int) -> Iterator[tuple[str, float, str]]:
    """Rows on a command, beside the bare process."""
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder, "bare.py")
        bare.write_text(_BARE)
        commands = {
            "bare": [sys.executable, str(bare)],
            "oxo solve 3^2": [sys.executable, "-m", "hyperoxo", "solve", "3^2"],
        }
        seen: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for _ in range(repeats + 1):
            for name, command in commands.items():
                seen[name].append(usage(command, environment))
    pairs = list(zip(seen["oxo solve 3^2"][1:], seen["bare"][1:], strict=True))
    ratio = statistics.median(ours[0] / peer[0] for ours, peer in pairs)
    yield "oxo solve 3^2, processor time beside one kernel in a bare process", ratio, "times"
    yield "oxo solve 3^2, memory", max(ours[1] for ours, _ in pairs), "MiB"
    yield "one kernel in a bare process, memory", max(peer[1] for _, peer in pairs), "MiB"


def main() -> None:
    """Measure, and print the figures or add them to the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--into", type=Path, metavar="FILE", help="results.json: add rows there")
    asked = parser.parse_args()
    found = [*starts(asked.repeats), *calls()]  # a process is as large as the one that forks it
    if asked.into is not None:
        add(asked.into, "library", found)
    for name, figure, unit in found:
        print(f"{name}: {figure:,.3g} {unit}")


if __name__ == "__main__":
    main()
