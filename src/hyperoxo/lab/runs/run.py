"""A run: what is asked for once, such as a match, with its place in the store."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import suppress
from typing import Self

from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.lab.games.ranges import chunk_of, is_compiled
from hyperoxo.lab.games.seating import Seating
from hyperoxo.lab.games.tally import Tally
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.runs.ledger import Ledger
from hyperoxo.lab.runs.schedule import GameRange, play_ranges
from hyperoxo.task import Progress, Task
from hyperoxo.workers import Workers

__all__ = ["Run", "RunInterrupted"]


class RunInterrupted(KeyboardInterrupt):
    """A run was interrupted; what had been played is in the store."""

    def __init__(self, run: int, games: int, wanted: int) -> None:
        super().__init__(f"run {run}: {games:,} of {wanted:,} games are stored")
        self.run = run
        self.games = games
        self.wanted = wanted


class Run:
    """Plays seatings for one purpose, shares the games among workers and stores them.

    A purpose that is in the store unfinished is gone on with: games that are there are not
    played again. One that is finished is begun anew.
    """

    def __init__(
        self,
        request: RunRequest,
        *,
        store: ResultStore | None = None,
        workers: int = 1,
        executor: Executor | None = None,
        progress: Progress | None = None,
    ) -> None:
        if workers < 1:
            raise SpecError(f"workers must be at least 1, not {workers}")
        self._store = store
        self._count = self._most = workers
        self._executor = executor
        self._task = Task(progress)
        self._workers: Workers | None = None
        self.number = 0 if store is None else store.begin(request, workers=workers)
        self.ledger = Ledger(store, self.number)

    def play(self, wanted: Sequence[tuple[Seating, int]]) -> list[Tally]:
        """Make sure that so many games of each seating have been played."""
        self._refuse_unspelled(wanted)
        rows = self.ledger.want(wanted)
        tasks = [
            GameRange(row, seating, first, last, chunk_of(seating))
            for row, (seating, _) in zip(rows, wanted, strict=True)
            for first, last in self.ledger.gaps(row)
        ]
        if tasks:
            play_ranges(tasks, self._pool(tasks), self._found)
        self.ledger.flush()
        return [self.ledger.tally(row, games) for row, (_, games) in zip(rows, wanted, strict=True)]

    def _found(self, row: int, first: int, last: int, tally: Tally) -> None:
        self.ledger.add(row, first, last, tally)
        if self._workers is not None:
            self._most = max(self._most, self._workers.count)
        self._task.tell(self.ledger.games, self.ledger.wanted)

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

    @property
    def workers(self) -> int:
        """How many played at once; of a cluster, which may shrink, the most there were."""
        return self._most

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
            self._store.end(self.number, done=kind is None)
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            raise RunInterrupted(self.number, self.ledger.games, self.ledger.wanted) from None
