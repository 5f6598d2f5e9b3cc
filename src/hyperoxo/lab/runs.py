"""Runs: many games of many seatings, shared among workers, stored as they are played."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Executor
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from typing import Self

from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.lab.games import Seating, Tally, chunk_of, is_compiled, play_range
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.results.store import Part, ResultStore, add_parts, end_run, parts_of, want_rows
from hyperoxo.task import ALONE, Task
from hyperoxo.workers import Workers, share_out

_FLUSH_SECONDS = 0.25


@dataclass
class _Row:
    seating: Seating
    wanted: int
    total: Tally
    parts: list[Part] = field(default_factory=list)


class Ledger:
    """The rows of a run: a seating each, with the ranges of its games that were played."""

    def __init__(self, store: ResultStore | None = None, run: int = 0) -> None:
        self._store = store
        self._run = run
        self._rows: list[_Row] = []
        self._known: dict[Seating, int] = {}
        self._waiting: list[Part] = []
        self._flushed = time.monotonic()

    def want(self, wanted: Sequence[tuple[Seating, int]]) -> list[int]:
        """Note how many games of each seating are wanted; return their rows."""
        new = [pair for pair in wanted if pair[0] not in self._known]
        stored = {} if self._store is None else parts_of(self._store, self._run)
        for seating, games in new:
            number = len(self._rows)
            self._known[seating] = number
            row = _Row(seating, games, Tally.none(len(seating.agents)))
            self._rows.append(row)
            for part in stored.get(number, ()):
                self._count(part)
        rows = [self._known[seating] for seating, _ in wanted]
        for number, (_, games) in zip(rows, wanted, strict=True):
            self._rows[number].wanted = max(self._rows[number].wanted, games)
        if self._store is not None:
            seated = [(n, self._rows[n].seating, self._rows[n].wanted) for n in set(rows)]
            want_rows(self._store, self._run, seated)
        return rows

    def gaps(self, row: int) -> list[tuple[int, int]]:
        """Ranges of games of a row that are wanted and not yet played, in order."""
        found = []
        at = 0
        for first, last in sorted((part.first, part.last) for part in self._rows[row].parts):
            if first > at:
                found.append((at, first))
            at = max(at, last)
        wanted = self._rows[row].wanted
        if at < wanted:
            found.append((at, wanted))
        return [(first, min(last, wanted)) for first, last in found if first < wanted]

    def _count(self, part: Part) -> None:
        self._rows[part.row].parts.append(part)
        self._rows[part.row].total += part.tally

    def add(self, part: Part) -> None:
        """Note a range that was played."""
        self._count(part)
        if self._store is not None:
            self._waiting.append(part)
            if time.monotonic() - self._flushed > _FLUSH_SECONDS:
                self.flush()

    def flush(self) -> None:
        """Commit what has not been written yet."""
        if self._store is not None and self._waiting:
            add_parts(self._store, self._run, self._waiting)
            self._waiting = []
        self._flushed = time.monotonic()

    def tally(self, row: int, games: int) -> Tally:
        """The first `games` games of a row, or all where it was not cut there."""
        total = self._rows[row].total
        first = Tally.none(len(total.wins))
        for part in self._rows[row].parts:
            if part.last <= games:
                first += part.tally
        return first if first.games == games else total

    @property
    def games(self) -> int:
        """Games played so far."""
        return sum(row.total.games for row in self._rows)

    @property
    def wanted(self) -> int:
        """Games wanted so far."""
        return sum(max(row.wanted, row.total.games) for row in self._rows)


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


class _Pace:
    """How long games take, and so how many of them make a range of useful length."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._seconds: dict[int, float] = {}
        self._latest: float | None = None

    def note(self, part: Part) -> None:
        self._latest = part.tally.seconds / max(part.tally.games, 1)
        self._seconds[part.row] = self._latest

    def end_of_range(self, task: GameRange) -> int:
        known = self._seconds.get(task.row, self._latest)
        seconds = max(_SECONDS, _SECONDS_EACH * self._workers.count)
        wanted = 1 if known is None else int(seconds / max(known, 1e-9))
        # No worker should be left with a long range while the others have nothing to do.
        games = max(1, min(wanted, -(-(task.last - task.first) // self._workers.count)))
        chunk = chunk_of(task.seating)
        chunks = max(1, round(games / chunk))
        return min(task.last, (task.first // chunk + chunks) * chunk)


def play_ranges(tasks: Sequence[GameRange], workers: Workers) -> Generator[Part, None, None]:
    """Play all tasks; yield each range when it is done."""
    pace = _Pace(workers)
    todo = deque(tasks)

    def take() -> GameRange | None:
        if not todo:
            return None
        task = todo.popleft()
        last = pace.end_of_range(task)
        if last < task.last:
            todo.appendleft(replace(task, first=last))
        return replace(task, last=last)

    ranges = share_out(
        workers, take, lambda task: (play_range, (task.seating, task.first, task.last))
    )
    with closing(ranges):
        for task, tally in ranges:
            part = Part(task.row, task.first, task.last, tally)
            pace.note(part)
            yield part


class RunInterrupted(KeyboardInterrupt):
    """A run was interrupted; what had been played is in the store."""

    def __init__(self, run: int, games: int, wanted: int) -> None:
        super().__init__(f"run {run}: {games:,} of {wanted:,} games are stored")
        self.run = run
        self.games = games
        self.wanted = wanted


class Run:
    """Plays the seatings of one request, shares the games among workers and stores them.

    An unfinished run of the same request in the store is resumed: its games are not played
    again. A finished one starts from the beginning. The end of the task interrupts a run.
    """

    def __init__(
        self,
        request: RunRequest,
        *,
        store: ResultStore | None = None,
        workers: int = 1,
        executor: Executor | None = None,
        task: Task = ALONE,
    ) -> None:
        if workers < 1:
            raise SpecError(f"workers must be at least 1, not {workers}")
        self._store = store
        self._count = workers
        self.workers = workers
        """Number of workers; of a cluster, which may shrink, the greatest."""
        self._executor = executor
        self._task = task
        self._workers: Workers | None = None
        self.number = 0 if store is None else store.begin(request, workers=workers)
        self.ledger = Ledger(store, self.number)

    def play(self, wanted: Sequence[tuple[Seating, int]]) -> list[Tally]:
        """Play the games that each seating still lacks; return their tallies."""
        self._refuse_unspelled(wanted)
        rows = self.ledger.want(wanted)
        tasks = [
            GameRange(row, seating, first, last)
            for row, (seating, _) in zip(rows, wanted, strict=True)
            for first, last in self.ledger.gaps(row)
        ]
        if tasks:
            workers = self._pool(tasks)
            with closing(play_ranges(tasks, workers)) as parts:
                for part in parts:
                    self.ledger.add(part)
                    self.workers = max(self.workers, workers.count)
                    self._task.tell(self.ledger.games, self.ledger.wanted)
                    if self._task.over and self.ledger.games < self.ledger.wanted:
                        raise KeyboardInterrupt
        self.ledger.flush()
        return [self.ledger.tally(row, games) for row, (_, games) in zip(rows, wanted, strict=True)]

    def _refuse_unspelled(self, wanted: Sequence[tuple[Seating, int]]) -> None:
        unspelled = [seating for seating, _ in wanted if seating.players is not None]
        if not unspelled:
            return
        names = ", ".join(unspelled[0].agents)
        if self._store is not None:
            raise SpecError(f"no spec describes {names} completely, so its games cannot be stored")
        if self._executor is not None or (self._count > 1 and not is_compiled(unspelled[0])):
            raise SpecError(
                f"no spec describes {names} completely, so it plays with one worker only"
            )

    def _pool(self, tasks: Sequence[GameRange]) -> Workers:
        processes = not all(is_compiled(task.seating) for task in tasks)
        if self._workers is not None and processes and not self._workers.processes:
            self._workers.__exit__(None)
            self._workers = None
        if self._workers is None:
            self._workers = Workers(self._count, processes=processes, executor=self._executor)
        return self._workers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        if self._workers is not None:
            self._workers.__exit__(kind)
            self._workers = None
        if self._store is None:
            return
        # Where the store itself failed, trying once more must not hide why.
        hidden = () if kind is None else (CheckFailedError,)
        with suppress(*hidden):
            self.ledger.flush()
        with suppress(*hidden):
            end_run(self._store, self.number, done=kind is None)
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            raise RunInterrupted(self.number, self.ledger.games, self.ledger.wanted) from None
