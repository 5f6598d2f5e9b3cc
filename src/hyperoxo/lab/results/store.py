"""Results store: one SQLite file, written while games are played.

A *run* is one request. It has *rows*, one a seating, and every row has *parts*: ranges of games
with their tallies. A part is committed atomically, so that after any end of the program each game
is either counted once or not yet played.
"""
# Several processes may use a file. Every change is a transaction that takes the write lock at its
# begin (IMMEDIATE), so that what it reads stays true until it commits. A run belongs to the
# process in `owner`; a process that has died is recognised by number and start time, and its
# runs may be resumed by others.

from __future__ import annotations

import json
import os
import platform
import socket
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.files import user_folder
from hyperoxo.lab.games import Seating, Tally
from hyperoxo.lab.requests import RunRequest, key_of
from hyperoxo.processes import born, is_alive
from hyperoxo.stores import StoreKind, json_of, reading, reason, row_of

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, game TEXT NOT NULL, settings TEXT NOT NULL,
    seed TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, owner TEXT NOT NULL,
    versions TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS runs_by_key ON runs (key);
CREATE TABLE IF NOT EXISTS rows (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, number INTEGER NOT NULL,
    agents TEXT NOT NULL, seed TEXT NOT NULL, scoring TEXT NOT NULL, wanted INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parts (
    run INTEGER NOT NULL, number INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    wins TEXT NOT NULL, draws INTEGER NOT NULL, plies INTEGER NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (run, number, first),
    FOREIGN KEY (run, number) REFERENCES rows (run, number) ON DELETE CASCADE
) WITHOUT ROWID;
"""
# Older programs of this form read and write without it.
_ADDED = ("ALTER TABLE runs ADD COLUMN workers INTEGER NOT NULL DEFAULT 1",)
_COLUMNS = {
    "runs": {
        "id": int,
        **dict.fromkeys(("kind", "game", "settings", "seed", "key", "state", "versions"), str),
        **dict.fromkeys(("created", "updated", "workers"), int),
    },
    "rows": {"number": int, "agents": str, "seed": str, "scoring": str, "wanted": int},
    "parts": {
        **dict.fromkeys(("number", "first", "last"), int),
        "wins": str,
        **dict.fromkeys(("draws", "plies"), int),
        "seconds": float,
    },
}
"""Columns that a merge copies, with the types of their values, by table."""
# The application id is "oxo2" in ASCII.
KIND = StoreKind("results store", 0x6F786F32, 1, _SCHEMA, _ADDED, longest=1 << 22)


def default_path() -> Path:
    """Return the default file of the store, in the user's data folder."""
    return user_folder() / "results.sqlite"


@dataclass(frozen=True)
class Part:
    """Games `first` to `last` - 1 of row number `row`, and their results."""

    row: int
    first: int
    last: int
    tally: Tally


@cache
def _versions() -> str:
    packages = {name: version(name) for name in ("hyperoxo", "numba", "numpy", "scipy")}
    machine = f"{platform.system()} {platform.machine()}"
    return json.dumps({**packages, "python": platform.python_version(), "machine": machine})


def _now() -> int:
    return time.time_ns() // 1_000_000


def this_process() -> str:
    """Return the owner name of this process: host, process number and start time."""
    return f"{socket.gethostname()}:{os.getpid()}:{born(os.getpid()) or ''}"


def _is_alive(owner: str) -> bool:
    """Return True if another process owns a run and is, as far as is known, alive."""
    # Earlier versions stored no start time. Processes of other hosts count as alive.
    host, pid, begun = (*owner.split(":"), "", "")[:3]
    if not pid.isdecimal() or owner == this_process():
        return False
    return host != socket.gethostname() or is_alive(int(pid), begun)


def is_left(owner: str) -> bool:
    """Return True if an owner is another process that has ended."""
    return owner != this_process() and not _is_alive(owner)


class ResultStore:
    """A file of results; as a context manager, it closes the file on exit.

    Parameters
    ----------
    path : str or Path, optional
        The file; by default the one in the user's data folder.

    Raises
    ------
    CheckFailedError
        If it is another kind of file, or was written by a newer version.
    OSError
        If it cannot be opened.

    Examples
    --------
    >>> import hyperoxo as ox, tempfile
    >>> with tempfile.TemporaryDirectory() as folder, ResultStore(folder + "/r.sqlite") as store:
    ...     found = ox.match("3^2", ["ising", "random"], games=50, store=store)
    ...     store.query("SELECT kind, game, state FROM runs")
    [('match', '3^2', 'done')]
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = default_path() if path is None else Path(path)
        self._connection = KIND.open(self.path, timeout=30.0)
        self.whole = 0
        """Number of the run of which runs begun here are parts, 0 without one."""

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._connection as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
        except sqlite3.Error as error:
            raise CheckFailedError(
                f"{self.path}: results could not be written ({reason(error)}); earlier results are "
                "kept"
            ) from None

    def part_of(self, run: int) -> ResultStore:
        """Return the same store for runs that are parts of another run.

        Finished parts are not played again when that run is resumed.

        Parameters
        ----------
        run : int
            Number of the run.

        Returns
        -------
        ResultStore
            The same file; runs begun there are parts of `run`.
        """
        parts = copy(self)
        parts.whole = run
        return parts

    def begin(self, request: RunRequest, run: int | None = None, workers: int = 1) -> int:
        """Begin a run, or resume an unfinished one of the same request; return its number.

        Parameters
        ----------
        request : RunRequest
            Specification of the run.
        run : int, optional
            Number of the run to resume; by default any unfinished one of the same request.
        workers : int, default 1
            Number of games that are played in parallel.

        Returns
        -------
        int
            Number of the run.
        """
        if self.whole:
            options = {**request.options, "part_of": self.whole}
            request = replace(request, options=options)
        finished = "" if self.whole else "AND state != 'done'"
        # Looking for an unfinished run and taking it is one transaction: two processes that begin
        # the same request get different runs. Parts of a study are taken up when finished too.
        with self._writing() as connection:
            unfinished = connection.execute(
                f"SELECT id, owner FROM runs WHERE key = ? {finished} ORDER BY id DESC",  # noqa: S608
                (request.key,),
            ).fetchall()
            for left, owner in unfinished:
                if run in (None, left) and not _is_alive(str(owner)):
                    connection.execute(
                        "UPDATE runs SET state = 'running', owner = ?, updated = ?, workers = ? "
                        "WHERE id = ?",
                        (this_process(), _now(), workers, left),
                    )
                    return int(left)
            if run is not None:
                raise SpecError(f"run {run} cannot be resumed: it is finished or still running")
            row = {
                "kind": request.kind,
                "game": request.game,
                "settings": json.dumps(request.settings, sort_keys=True),
                "seed": str(request.seed),
                "key": request.key,
                "state": "running",
                "owner": this_process(),
                "versions": _versions(),
                **dict.fromkeys(("created", "updated"), _now()),
                "workers": workers,
            }
            return _insert(connection, "runs", row)

    def delete(self, run: int) -> None:
        """Delete a run with all its rows, and the runs that are parts of it.

        Parameters
        ----------
        run : int
            Number of the run.

        Raises
        ------
        SpecError
            If there is none of that number, or a process still plays it.
        """
        with self._writing() as connection:
            of = "FROM runs WHERE id = ?1 OR json_extract(settings, '$.part_of') = ?1"
            found = dict(connection.execute(f"SELECT id, owner {of}", (run,)).fetchall())
            if run not in found:
                raise SpecError(f"there is no run {run} in {self.path}")
            if any(owner and not is_left(owner) for owner in found.values()):
                raise SpecError(f"run {run} is being played; stop it first")
            connection.execute(f"DELETE {of}", (run,))

    def merge(self, path: str | Path) -> int:
        """Copy the runs of another store, such as that of another machine.

        A run that was continued there replaces its earlier copy, unless a process still plays
        that one. A run that is not finished can be resumed here.

        Parameters
        ----------
        path : str or Path
            The other store.

        Returns
        -------
        int
            Number of runs that were copied.

        Raises
        ------
        CheckFailedError
            If it is another kind of file, or damaged.
        """
        # `numbers` maps runs of the other store to their numbers here. A run is identified by its
        # key and the time it was created, so merging twice copies nothing twice. All of it is one
        # transaction.
        with ResultStore(path) as other, self._writing() as base:
            numbers: dict[int, int | None] = {}
            copied = 0
            for run in _all_of(other, "runs"):
                # 1. A part of a study refers to the whole by number, which is another one here,
                #    and enters its key. Wholes come before their parts, as numbers ascend.
                number = run.pop("id")
                with reading(other.path):
                    settings, by = (json_of(run[one], dict) for one in ("settings", "versions"))
                if "part_of" in settings:
                    settings["part_of"] = numbers.get(settings["part_of"])
                    run["settings"] = json.dumps(settings, sort_keys=True)
                    asked = run["kind"], run["game"], settings, run["seed"]
                    run["key"] = key_of(*asked, by.get("hyperoxo"))
                # 2. The copy that was updated last wins, but a process keeps the run that it plays.
                there = base.execute(
                    "SELECT id, updated, owner FROM runs WHERE key = ? AND created = ?",
                    (run["key"], run["created"]),
                ).fetchone()
                numbers[number], updated, owner = there or (None, -1, "")
                if updated >= run["updated"] or (owner and not is_left(owner)):
                    continue
                # 3. Replace it under its number here; its rows and parts go with it (CASCADE). No
                #    process here owns the copy, so a running one counts as interrupted.
                copied += 1
                base.execute("DELETE FROM runs WHERE id = ?", (numbers[number],))
                run |= {"state": "done" if run["state"] == "done" else "interrupted", "owner": ""}
                numbers[number] = _insert(base, "runs", {**run, "id": numbers[number]})
                for table in ("rows", "parts"):
                    for row in _all_of(other, table, number):
                        _insert(base, table, {**row, "run": numbers[number]})
        return copied

    def query(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that a SELECT finds.

        Parameters
        ----------
        sql : str
            The query, with a question mark for each value.
        values : sequence, default ()
            The values.

        Returns
        -------
        list of tuple
            The rows found.

        Raises
        ------
        CheckFailedError
            If the file cannot be read.
        """
        with reading(self.path):
            return self._connection.execute(sql, values).fetchall()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _insert(base: sqlite3.Connection, table: str, row: dict[str, Any]) -> int:
    """Insert values by column; return the number of the row."""
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    sql = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608
    number = base.execute(sql, [*row.values()]).lastrowid
    assert number is not None
    return number


def _all_of(store: ResultStore, table: str, run: int | None = None) -> list[dict[str, Any]]:
    """Return the rows of a table, of one run or all, by column."""
    columns = _COLUMNS[table]
    which = "ORDER BY id" if run is None else "WHERE run = ?"
    sql = f"SELECT {', '.join(columns)} FROM {table} {which}"  # noqa: S608
    found = store.query(sql, () if run is None else (run,))
    with reading(store.path):
        rows = [row_of(row, *columns.values()) for row in found]
    return [dict(zip(columns, row, strict=True)) for row in rows]


def want_rows(store: ResultStore, run: int, rows: Sequence[tuple[int, Seating, int]]) -> None:
    """Record the rows of a run, by number, with the wanted numbers of games."""
    with store._writing() as connection:
        for number, seating, games in rows:
            agents = json.dumps(seating.agents)
            old = connection.execute(
                "SELECT agents, seed FROM rows WHERE run = ? AND number = ?", (run, number)
            ).fetchone()
            if old is not None and tuple(old) != (agents, str(seating.seed)):
                raise SpecError(f"run {run} has other agents in row {number}")
            connection.execute(
                "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
                "SET wanted = max(wanted, excluded.wanted)",
                (run, number, agents, str(seating.seed), seating.scoring, games),
            )


def parts_of(store: ResultStore, run: int) -> dict[int, list[Part]]:
    """Return the parts of a run by the number of their row."""
    found: dict[int, list[Part]] = {}
    for row in store.query(
        "SELECT number, first, last, wins, draws, plies, seconds FROM parts "
        "WHERE run = ? ORDER BY number, first",
        (run,),
    ):
        with reading(store.path):
            number, first, last, wins, draws, plies, seconds = row_of(
                row, int, int, int, str, int, int, float
            )
            won = tuple(json_of(wins, list, int))
            tally = Tally(last - first, won, draws, plies, seconds)
        found.setdefault(number, []).append(Part(number, first, last, tally))
    return found


def add_parts(store: ResultStore, run: int, parts: Sequence[Part]) -> None:
    """Commit parts of a run, all of them or none."""
    # A part that is there already, to the letter, was committed just before an interrupt. Any other
    # overlap would count games twice: two processes play the run.
    with store._writing() as connection:
        for part in parts:
            there = connection.execute(
                "SELECT first, last FROM parts "
                "WHERE run = ? AND number = ? AND first < ? AND last > ?",
                (run, part.row, part.last, part.first),
            ).fetchall()
            if there == [(part.first, part.last)]:
                continue
            if there:
                raise CheckFailedError(f"run {run} is being played by another process")
            tally = part.tally
            won = {"wins": json.dumps(tally.wins), "draws": tally.draws}
            games = {"first": part.first, "last": part.last, **won, "plies": tally.plies}
            row = {"run": run, "number": part.row, **games, "seconds": tally.seconds}
            _insert(connection, "parts", row)
        connection.execute("UPDATE runs SET updated = ? WHERE id = ?", (_now(), run))


def end_run(store: ResultStore, run: int, *, done: bool) -> None:
    """Mark a run as finished or interrupted, and release it."""
    with store._writing() as connection:
        connection.execute(
            "UPDATE runs SET state = ?, owner = '', updated = ? WHERE id = ?",
            ("done" if done else "interrupted", _now(), run),
        )
