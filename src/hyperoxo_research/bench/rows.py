"""Benchmark results: rows with display and serialisation, timers, and the machine's description."""

from __future__ import annotations

import os
import platform
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from timeit import Timer
from typing import Any

from hyperoxo import __version__
from hyperoxo.cli.doctor import processor, version_of
from hyperoxo.display import Result
from hyperoxo.processes import cores

_SMALLER = ("s", "ms", "ns", "MiB", "kB", "moves", "positions", "requests")
"""Units in which less is better."""

EXPONENT = "exponent"
"""Unit of growth rows; neither more nor less of it is better."""


@dataclass(frozen=True)
class Point:
    """One measured size."""

    at: float
    seconds: float
    touched: float


@dataclass(frozen=True)
class Growth(Result):
    """Growth of time with one size: the times behind an exponent."""

    axis: str
    low: float
    high: float
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Row(Result):
    """One figure, beside a peer's if there is one."""

    name: str
    ours: float
    unit: str
    peer: float | None = None
    peer_name: str = ""
    target: float | None = None
    remark: str = ""
    growth: Growth | None = None
    case: str = ""

    @property
    def ratio(self) -> float | None:
        """Ratio to the peer; above 1 ours is better."""
        if self.unit == EXPONENT or self.peer is None or not self.peer or not self.ours:
            return None
        return self.peer / self.ours if self.unit in _SMALLER else self.ours / self.peer

    @property
    def met(self) -> bool | None:
        """True if the target is met; None without one."""
        if self.target is None:
            return None
        return self.ours <= self.target if self.unit in _SMALLER else self.ours >= self.target

    @property
    def text(self) -> str:
        """Our figure as text, with its interval if there is one."""
        found = figure(self.ours, self.unit)
        if self.growth is not None:
            found += f" ({self.growth.low:.2f} to {self.growth.high:.2f})"
        return found

    @property
    def cells(self) -> tuple[str, ...]:
        """Cells of a table under `HEADINGS`."""
        return (
            self.name,
            self.text,
            "" if self.target is None else figure(self.target, self.unit),
            "" if self.peer is None else figure(self.peer, self.unit),
            "" if self.ratio is None else f"{self.ratio:,.{1 + (self.ratio < 1)}f}",
            "; ".join(filter(None, ("" if self.peer is None else self.peer_name, self.remark))),
        )

    _data = "case name ours peer ratio unit peer_name=_named remark|None target met growth?"

    @property
    def _named(self) -> str | None:
        return self.peer_name if self.peer is not None else None


HEADINGS = ("benchmark", "ours", "target", "peer", "ratio", "peer is")
"""The columns of a table of rows."""


def figure(value: float, unit: str) -> str:
    """Return a number with its unit as text."""
    if unit == EXPONENT:
        return f"{value:.2f}"
    if unit == "/s" and value >= 1e6:
        return f"{value / 1e6:,.2f} M/s"
    if unit == "/s":
        return f"{value:,.0f} /s"
    return f"{value:.4g} {unit}"


_ENOUGH = 1.5
"""Seconds after which work is not repeated a third time."""


def best_seconds(
    work: Callable[[], object],
    repeats: int = 3,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Run `work` once to compile and then `repeats` times; return the shortest time.

    Long work is done twice at least, for its times differ by little.
    """
    work()
    times: list[float] = []
    while len(times) < min(repeats, 2) or (len(times) < repeats and sum(times) < _ENOUGH):
        times.append(taken(work, clock))
    return min(times)


def taken(work: Callable[[], object], clock: Callable[[], float], count: int = 1) -> float:
    """Return the seconds of one call, the mean of `count` in succession."""
    return Timer(work, timer=clock).timeit(count) / count


def rate(work: Callable[[], int], seconds: float, clock: Callable[[], float]) -> float:
    """Repeat work for a few seconds; return the sum of its results per second."""
    begin, done = clock(), 0
    while True:
        done += work()
        if (spent := clock() - begin) >= seconds:
            return done / spent


def random_play_of(game: Any) -> Callable[[], int]:
    """Return a function that plays a random game in OpenSpiel's Python API and counts moves."""
    rng = random.Random(0)

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        return int(state.move_number())

    return play


_PACKAGES = ("numba", "numpy", "llvmlite", "open_spiel", "pettingzoo", "jax", "pgx")


def about(begun: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a description of this machine; given that of the start, with the duration of the run.

    The load is the mean number of runnable processes in the minute before: about 0 for a machine
    that was quiet when the run began.
    """
    if begun is not None:
        began = time.mktime(time.strptime(begun["began"], _FORMAT))
        return {**begun, "seconds": round(time.time() - began), "load_at_end": _load()}
    return {
        "processor": processor()["name"],
        "cores": cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "hyperoxo": __version__,
        "packages": {name: version for name in _PACKAGES if (version := version_of(name))},
        "began": time.strftime(_FORMAT),
        "load": _load(),
    }


_FORMAT = "%Y-%m-%d %H:%M:%S"


def _load() -> float | None:
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
