"""What of a run is played already: games by row and range, in memory and in the store."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from hyperoxo.lab.games.seating import Seating
from hyperoxo.lab.games.tally import Tally
from hyperoxo.lab.results.store import Part, ResultStore

__all__ = ["Ledger"]

_FLUSH_SECONDS = 0.25


@dataclass
class _Row:
    seating: Seating
    wanted: int
    total: Tally
    parts: list[tuple[int, int, Tally]] = field(default_factory=list)

    def add(self, first: int, last: int, tally: Tally) -> None:
        self.parts.append((first, last, tally))
        self.total += tally


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
        stored = {} if self._store is None else self._store.rows_of(self._run)
        for seating, games in new:
            number = len(self._rows)
            self._known[seating] = number
            row = _Row(seating, games, Tally.none(len(seating.agents)))
            for part in stored.get(number, ()):
                row.add(part.first, part.last, part.tally)
            self._rows.append(row)
        rows = [self._known[seating] for seating, _ in wanted]
        for number, (_, games) in zip(rows, wanted, strict=True):
            self._rows[number].wanted = max(self._rows[number].wanted, games)
        if self._store is not None:
            self._store.want(
                self._run, [(n, self._rows[n].seating, self._rows[n].wanted) for n in set(rows)]
            )
        return rows

    def gaps(self, row: int) -> list[tuple[int, int]]:
        """Ranges of games of a row that are wanted and not yet played, in order."""
        found = []
        at = 0
        for first, last in sorted(part[:2] for part in self._rows[row].parts):
            if first > at:
                found.append((at, first))
            at = max(at, last)
        wanted = self._rows[row].wanted
        if at < wanted:
            found.append((at, wanted))
        return [(first, min(last, wanted)) for first, last in found if first < wanted]

    def add(self, row: int, first: int, last: int, tally: Tally) -> None:
        """Note a range that was played."""
        self._rows[row].add(first, last, tally)
        if self._store is not None:
            self._waiting.append(Part(row, first, last, tally))
            if time.monotonic() - self._flushed > _FLUSH_SECONDS:
                self.flush()

    def flush(self) -> None:
        """Commit what has not been written yet."""
        if self._store is not None and self._waiting:
            self._store.add(self._run, self._waiting)
            self._waiting = []
        self._flushed = time.monotonic()

    def tally(self, row: int, games: int) -> Tally:
        """The first so many games of a row; all of them where they were not cut there."""
        total = self._rows[row].total
        first = Tally.none(len(total.wins))
        for _, last, tally in self._rows[row].parts:
            if last <= games:
                first += tally
        return first if first.games == games else total

    @property
    def games(self) -> int:
        """Games played so far."""
        return sum(row.total.games for row in self._rows)

    @property
    def wanted(self) -> int:
        """Games wanted so far."""
        return sum(max(row.wanted, row.total.games) for row in self._rows)
