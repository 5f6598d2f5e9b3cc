"""Cutting what is to be played into ranges of games and handing them to workers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from hyperoxo.lab.games.ranges import play_range
from hyperoxo.lab.games.seating import Seating
from hyperoxo.lab.games.tally import Tally
from hyperoxo.workers import Workers, share_out

__all__ = ["GameRange", "play_ranges"]

_SECONDS = 0.3
"""What a range of games should take, so that little is under way when a run is interrupted."""
_SECONDS_EACH = 0.03
"""The same for each worker, where there are many: one scheduler serves them all."""


@dataclass(frozen=True)
class GameRange:
    """Games of one seating that are to be played."""

    row: int
    seating: Seating
    first: int
    last: int
    chunk: int


Found = Callable[[int, int, int, Tally], None]
"""Called with row, first, last and the tally of a range that was played."""


class _Pace:
    """How long a game takes, and with that how many games make a handy range."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._seconds: dict[int, float] = {}
        self._latest: float | None = None

    def note(self, task: GameRange, tally: Tally) -> None:
        self._latest = tally.seconds / max(tally.games, 1)
        self._seconds[task.row] = self._latest

    def end_of_range(self, task: GameRange, first: int) -> int:
        left = task.last - first
        known = self._seconds.get(task.row, self._latest)
        seconds = max(_SECONDS, _SECONDS_EACH * self._workers.count)
        wanted = 1 if known is None else int(seconds / max(known, 1e-9))
        # Nobody should be left with a long range while the others have nothing more to do.
        games = max(1, min(wanted, -(-left // self._workers.count)))
        chunks = max(1, round(games / task.chunk))
        return min(task.last, (first // task.chunk + chunks) * task.chunk)


def play_ranges(tasks: Sequence[GameRange], workers: Workers, found: Found) -> None:
    """Play all tasks; `found` hears of each range as it is done, in this thread."""
    pace = _Pace(workers)
    todo = deque(task for task in tasks if task.first < task.last)

    def take() -> GameRange | None:
        if not todo:
            return None
        task = todo.popleft()
        last = pace.end_of_range(task, task.first)
        if last < task.last:
            todo.appendleft(replace(task, first=last))
        return replace(task, last=last)

    ranges = share_out(
        workers, take, lambda task: (play_range, (task.seating, task.first, task.last))
    )
    with closing(ranges):
        for task, tally in ranges:
            pace.note(task, tally)
            found(task.row, task.first, task.last, tally)
