"""Cutting what is to be played into ranges of games and handing them to workers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from hyperoxo.errors import AgentError
from hyperoxo.lab.games.ranges import play_range
from hyperoxo.lab.games.seating import Seating
from hyperoxo.lab.games.tally import Tally
from hyperoxo.lab.runs.workers import Workers

__all__ = ["Task", "play_tasks"]

_SECONDS = 0.3
_QUEUED = 2
_DEATHS = 5


@dataclass(frozen=True)
class Task:
    """Games of one seating that are to be played.

    Attributes
    ----------
    row : int
        The caller's number of the seating.
    seating : Seating
        Who plays.
    first, last : int
        Numbers of games, `last` not included.
    chunk : int
        Ranges had better begin and end at multiples of it.
    """

    row: int
    seating: Seating
    first: int
    last: int
    chunk: int


Found = Callable[[int, int, int, Tally], None]
"""Called with row, first, last and the tally of a range that was played."""


class _Pace:
    """How long a game takes, and with that how many games make a handy range."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._seconds: dict[int, float] = {}
        self._latest: float | None = None

    def note(self, task: Task, tally: Tally) -> None:
        self._latest = tally.seconds / max(tally.games, 1)
        self._seconds[task.row] = self._latest

    def end_of_range(self, task: Task, first: int) -> int:
        left = task.last - first
        known = self._seconds.get(task.row, self._latest)
        wanted = 1 if known is None else int(_SECONDS / max(known, 1e-9))
        # Nobody should be left with a long range while the others have nothing more to do.
        games = max(1, min(wanted, -(-left // self._workers)))
        chunks = max(1, round(games / task.chunk))
        return min(task.last, (first // task.chunk + chunks) * task.chunk)


def play_tasks(tasks: Sequence[Task], workers: Workers, found: Found) -> None:
    """Play all tasks; `found` hears of each range as it is done, in this thread.

    Raises
    ------
    AgentError
        If an agent breaks its contract, or worker processes die again and again.
    """
    pace = _Pace(workers.count)
    todo = deque(task for task in tasks if task.first < task.last)
    running: dict[Future[Tally], tuple[Task, int, int]] = {}
    deaths = 0
    while todo or running:
        try:
            while todo and len(running) < (_QUEUED * workers.count if workers.count > 1 else 1):
                task, last = todo[0], pace.end_of_range(todo[0], todo[0].first)
                future = workers.executor.submit(play_range, task.seating, task.first, last)
                running[future] = (task, task.first, last)
                todo.popleft()
                if last < task.last:
                    rest = Task(task.row, task.seating, last, task.last, task.chunk)
                    todo.appendleft(rest)
            for future, (task, first, last) in _done(running):
                tally = future.result()
                del running[future]
                pace.note(task, tally)
                found(task.row, first, last, tally)
        except BrokenProcessPool:
            deaths += 1
            if deaths > _DEATHS or workers.given:
                raise AgentError("worker processes died again and again") from None
            # What was under way is lost with them, and was not counted: it is played again.
            for task, first, last in running.values():
                todo.appendleft(Task(task.row, task.seating, first, last, task.chunk))
            running.clear()
            workers.renew()


def _done(
    running: dict[Future[Tally], tuple[Task, int, int]],
) -> Iterator[tuple[Future[Tally], tuple[Task, int, int]]]:
    done = wait(running, return_when=FIRST_COMPLETED).done
    for future in [known for known in running if known in done]:
        yield future, running[future]
