"""Runs: games of many seatings, distributed among workers, stored as they are played."""
# Exactly once: a range is committed as one part, after which its games count; a range that was
# not committed leaves a gap, which the next run of the same request plays again. As games are
# reproducible, neither the cut of the ranges nor the order in which they end matters.

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from typing import Self

from hyperoxo.display import number_of
from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.lab.games import Seating, Tally, chunk_of, is_compiled, play_range
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.results.store import Part, ResultStore, add_parts, end_run, parts_of, want_rows
from hyperoxo.task import ALONE, Task
from hyperoxo.workers import Workers, share_out

_FLUSH_SECONDS = 0.25
_SECONDS = 0.3
"""Target duration of a range of games: short, so that an interrupt loses little."""
_SECONDS_EACH = 0.03
"""The same for each of many workers, which one scheduler must serve."""


@dataclass(frozen=True)
class GameRange:
    """Games `first` to `last` - 1 of one seating, not yet played."""

    row: int
    seating: Seating
    first: int
    last: int


@dataclass
class GameRow:
    """Progress of one seating in a run: the ranges played so far."""

    number: int
    seating: Seating
    wanted: int = 0
    parts: list[Part] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.total = Tally.none(len(self.seating.agents))

    def add(self, part: Part) -> None:
        """Add a range that was played."""
        self.parts.append(part)
        self.total += part.tally

    def gaps(self) -> list[GameRange]:
        """Ranges of wanted games not yet played, in order."""
        found = []
        at = 0
        for part in sorted(self.parts, key=lambda part: part.first):
            found.append((at, part.first))
            at = max(at, part.last)
        found.append((at, self.wanted))
        return [
            GameRange(self.number, self.seating, first, min(last, self.wanted))
            for first, last in found
            if first < min(last, self.wanted)
        ]

    def first(self, games: int) -> Tally:
        """Tally of the first `games` games, or of all if no range ends there."""
        first = Tally.none(len(self.total.wins))
        for part in self.parts:
            if part.last <= games:
                first += part.tally
        return first if first.games == games else self.total


def play_ranges(
    tasks: Sequence[GameRange], workers: Workers, processes: bool = True
) -> Generator[Part, None, None]:
    """Play all tasks; yield each range when it is done."""
    # Ranges are cut off the front of the queue when a worker asks, not before: their size follows
    # the speed measured by then.
    todo = deque(tasks)
    pace: dict[int | None, float] = {}  # seconds of a game by row, and of the latest for None

    def take() -> GameRange | None:
        if not todo:
            return None
        task = todo.popleft()
        known = pace.get(task.row, pace.get(None))
        seconds = max(_SECONDS, _SECONDS_EACH * workers.count)
        wanted = 1 if known is None else int(seconds / max(known, 1e-9))
        # At most an equal share of the rest, so that all workers finish at about the same time.
        games = max(1, min(wanted, -(-(task.last - task.first) // workers.count)))
        # A range ends where a chunk does: one that begins inside a chunk plays its prefix twice.
        chunk = chunk_of(task.seating)
        chunks = max(1, round(games / chunk))
        last = min(task.last, (task.first // chunk + chunks) * chunk)
        if last < task.last:
            todo.appendleft(replace(task, first=last))
        return replace(task, last=last)

    ranges = share_out(
        workers,
        take,
        lambda task: (play_range, (task.seating, task.first, task.last)),
        processes=processes,
    )
    with closing(ranges):
        for task, tally in ranges:
            pace[task.row] = pace[None] = tally.seconds / max(tally.games, 1)
            yield Part(task.row, task.first, task.last, tally)


class RunInterrupted(KeyboardInterrupt):
    """A run was interrupted; its games so far are in the store."""

    def __init__(self, run: int, games: int, wanted: int) -> None:
        super().__init__(f"run {run}: {games:,} of {number_of(wanted, 'game')} are stored")
        self.run = run
        self.games = games
        self.wanted = wanted


class Run:
    """Plays the seatings of one request on workers, and stores the results.

    An unfinished run of the same request in the store is resumed: its games are not played
    again. If it is finished, a new run begins. The end of the task interrupts a run. Compiled
    agents play in threads, others in processes.
    """

    def __init__(
        self,
        request: RunRequest,
        store: ResultStore | None = None,
        task: Task = ALONE,
    ) -> None:
        self._store = store
        self._crew = task.crew or Workers()
        self.workers = self._crew.count
        """Number of workers; on a cluster, which may shrink, the maximum."""
        self._task = task
        self.number = 0 if store is None else store.begin(request, workers=self.workers)
        self._rows: dict[Seating, GameRow] = {}
        self._by_number: list[GameRow] = []
        self._waiting: list[Part] = []
        self._flushed = time.monotonic()

    def play(self, wanted: Sequence[tuple[Seating, int]]) -> list[Tally]:
        """Play the games that each seating still lacks; return their tallies."""
        self._refuse_unspelled(wanted)
        self._want(wanted)
        tasks = [task for seating in dict(wanted) for task in self._rows[seating].gaps()]
        processes = not all(map(is_compiled, self._rows))
        with closing(play_ranges(tasks, self._crew, processes)) as parts:
            for part in parts:
                self._add(part)
        self._flush()
        return [self._rows[seating].first(games) for seating, games in wanted]

    def _want(self, wanted: Sequence[tuple[Seating, int]]) -> None:
        """Register the wanted numbers of games, and load the parts already played."""
        stored = {} if self._store is None else parts_of(self._store, self.number)
        for seating, games in wanted:
            if seating not in self._rows:
                row = GameRow(len(self._rows), seating)
                for part in stored.get(row.number, ()):
                    row.add(part)
                self._rows[seating] = row
                self._by_number.append(row)
            self._rows[seating].wanted = max(self._rows[seating].wanted, games)
        if self._store is not None:
            rows = [self._rows[seating] for seating in dict(wanted)]
            seated = [(row.number, row.seating, row.wanted) for row in rows]
            want_rows(self._store, self.number, seated)

    def _add(self, part: Part) -> None:
        """Add a range that was played; commit now and then."""
        self._by_number[part.row].add(part)
        if self._store is not None:
            self._waiting.append(part)
            if time.monotonic() - self._flushed > _FLUSH_SECONDS:
                self._flush()
        self.workers = max(self.workers, self._crew.count)
        games, wanted = self._progress
        self._task.report_progress(games, wanted)
        if self._task.over and games < wanted:
            raise KeyboardInterrupt

    def _flush(self) -> None:
        """Commit the parts not yet written."""
        # Cleared after the commit: Ctrl-C in between leads to a second commit of the same parts,
        # which `add_parts` recognises.
        if self._store is not None and self._waiting:
            add_parts(self._store, self.number, self._waiting)
            self._waiting = []
        self._flushed = time.monotonic()

    @property
    def _progress(self) -> tuple[int, int]:
        """Games played and games wanted so far."""
        rows = self._rows.values()
        wanted = sum(max(row.wanted, row.total.games) for row in rows)
        return sum(row.total.games for row in rows), wanted

    def _refuse_unspelled(self, wanted: Sequence[tuple[Seating, int]]) -> None:
        unspelled = [seating for seating, _ in wanted if seating.players is not None]
        if not unspelled:
            return
        names = ", ".join(unspelled[0].agents)
        if self._store is not None:
            raise SpecError(f"no spec describes {names} completely, so its games cannot be stored")
        if self._crew.given or not (self._crew.is_alone or is_compiled(unspelled[0])):
            raise SpecError(
                f"no spec describes {names} completely, so it plays with one worker only"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        if self._store is None:
            return
        # If the store itself failed, a second failure here must not hide the first.
        hidden = () if kind is None else (CheckFailedError,)
        with suppress(*hidden):
            self._flush()
        with suppress(*hidden):
            end_run(self._store, self.number, done=kind is None)
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            raise RunInterrupted(self.number, *self._progress) from None
