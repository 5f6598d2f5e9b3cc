"""What a benchmark reports."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

_SMALLER = ("s", "ms", "ns", "MiB", "moves")
"""Units in which less is better."""


@dataclass(frozen=True)
class Row:
    """One figure, beside a peer's where there is one."""

    name: str
    ours: float
    unit: str
    peer: float | None = None
    peer_name: str = ""
    target: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times better we are than the peer."""
        if self.peer is None or not self.peer or not self.ours:
            return None
        return self.peer / self.ours if self.unit in _SMALLER else self.ours / self.peer

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if self.target is None:
            return None
        return self.ours <= self.target if self.unit in _SMALLER else self.ours >= self.target


def best_seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Run `work` once to compile and then `repeats` times; return the shortest time."""
    work()
    shortest = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        shortest = min(shortest, time.perf_counter() - begin)
    return shortest
