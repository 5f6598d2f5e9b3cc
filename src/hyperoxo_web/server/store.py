"""Event store with group commit: every change of every game in one SQLite file.

All waiting changes share one transaction and are acknowledged after its COMMIT: many games
share one fsync, and no acknowledged change is lost. A game is loaded by replaying its changes.

The event loop executes the statements, which takes microseconds; a thread only commits. (A
thread that also wrote would contend for the GIL many times a change, milliseconds each while
the event loop is busy.)
"""
# Two connections, each used by one thread at a time: `_reader` by its executor alone, `_writer`
# by the loop between rounds and by the commit thread while a round awaits it. So reads never
# see half a transaction (WAL snapshots) and `check_same_thread=False` is safe.

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from hyperoxo import __version__
from hyperoxo.files import user_folder
from hyperoxo.notation import Record
from hyperoxo.play.changes import Change
from hyperoxo.play.game_in_play import GameInPlay
from hyperoxo.stores import Hold, StoreKind, reason
from hyperoxo.untrusted import parse_json
from hyperoxo_web.server.answer import Answer
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.view import change_from_dict, change_to_dict, game_path

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, title TEXT NOT NULL, names TEXT NOT NULL,
    listed INTEGER NOT NULL, result TEXT NOT NULL, ply INTEGER NOT NULL,
    version INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS games_by_time ON games (updated DESC);
CREATE TABLE IF NOT EXISTS changes (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, version INTEGER NOT NULL,
    key TEXT, change TEXT NOT NULL, PRIMARY KEY (game, version)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS changes_by_key ON changes (game, key) WHERE key IS NOT NULL;
CREATE TABLE IF NOT EXISTS reports (
    game TEXT PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE, played TEXT NOT NULL,
    found TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
KIND = StoreKind("store of games", 0x6F786F31, 1, _SCHEMA)


def default_path() -> Path:
    """Return the default file of the store, in the user's data folder."""
    return user_folder() / "games.sqlite"


class Listing(Answer):
    """One game of a list."""

    id: str
    game: str
    title: str
    names: list[str]
    result: str
    ply: int
    created: int
    updated: int
    url: str


Work = Callable[[sqlite3.Connection], Any]


class Store:
    """Games on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Hold(
            path, f"{path} is in use by another server; name another file with --store"
        )
        try:
            self._writer = _connect(path)
            self._reader = _connect(path)
        except BaseException:
            self._lock.close()
            raise
        self._waiting: list[_Item] = []
        self._rounds: asyncio.Task[None] | None = None
        self._committing = ThreadPoolExecutor(1, "store-writer")
        self._reading = ThreadPoolExecutor(1, "store-reader")

    async def append(self, room: GameInPlay, change: Change, key: str | None = None) -> None:
        """Append a change; `room` is the state after it. Returns when it is on the disk."""
        text = json.dumps(change_to_dict(change), ensure_ascii=False, separators=(",", ":"))
        await self._done(lambda base: _append(base, room, key, text))

    async def load(self, game: str) -> list[tuple[str | None, Change]]:
        """Return the changes of a game with their keys, oldest first; empty if there is none."""
        rows = await self._read(
            "SELECT key, change FROM changes WHERE game = ? ORDER BY version", (game,)
        )
        with legible():
            return [(key, change_from_dict(parse_json(change))) for key, change in rows]

    async def games(
        self, query: str = "", status: str = "all", limit: int = 50, offset: int = 0
    ) -> list[Listing]:
        """Return listed games, the latest first."""
        wanted, values = ["listed"], list[Any]()
        if status != "all":
            wanted.append("result = '*'" if status == "open" else "result <> '*'")
        for word in query.split()[:8]:
            wanted.append("id || ' ' || game || ' ' || title || ' ' || names LIKE ? ESCAPE '\\'")
            values.append("%" + re.sub(r"([\\%_])", r"\\\1", word) + "%")
        rows = await self._read(
            "SELECT id, game, title, result, ply, created, updated, names FROM games "  # noqa: S608
            f"WHERE {' AND '.join(wanted)} ORDER BY updated DESC, id LIMIT ? OFFSET ?",
            (*values, limit, offset),
        )
        keys = ("id", "game", "title", "result", "ply", "created", "updated")
        return [
            Listing(
                **dict(zip(keys, row, strict=False)), names=_names(row[-1]), url=game_path(row[0])
            )
            for row in rows
        ]

    async def delete(self, game: str) -> None:
        """Delete a game with its changes and report."""
        await self._execute("DELETE FROM games WHERE id = ?", game)

    async def fact(self, name: str) -> Any:
        """Return the JSON value stored under a name, or None."""
        return await self._value("SELECT value FROM facts WHERE name = ?", name)

    async def put_fact(self, name: str, value: Any) -> None:
        """Store a JSON value under a name."""
        text = json.dumps(value, ensure_ascii=False)
        await self._execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, text)

    async def drop_fact(self, name: str) -> None:
        """Delete the value stored under a name."""
        await self._execute("DELETE FROM facts WHERE name = ?", name)

    async def report(self, game: str, record: Record) -> Any:
        """Return the stored analysis of exactly these moves, or None."""
        query = "SELECT found FROM reports WHERE game = ? AND played = ?"
        return await self._value(query, game, _played(record))

    async def put_report(self, game: str, record: Record, found: Any) -> None:
        """Store the analysis of a game, replacing an earlier one."""
        text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
        values = game, _played(record), text
        await self._execute("INSERT OR REPLACE INTO reports VALUES (?, ?, ?)", *values)

    async def drain(self) -> None:
        """Wait until all pending writes are committed."""
        while self._rounds is not None:
            await self._rounds

    def close(self) -> None:
        """Close the file; no write may be pending."""
        self._committing.shutdown()
        self._reading.shutdown()
        for base in (self._writer, self._reader, self._lock):
            base.close()

    async def _execute(self, statement: str, *values: str) -> None:
        await self._done(lambda base: base.execute(statement, values))

    async def _done(self, work: Work) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, future))
        if self._rounds is None:
            self._rounds = asyncio.create_task(self._write())
        await future

    async def _read(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        def read() -> list[Any]:
            with legible():
                return self._reader.execute(query, values).fetchall()

        return await asyncio.get_running_loop().run_in_executor(self._reading, read)

    async def _value(self, query: str, *values: str) -> Any:
        rows = await self._read(query, values)
        with legible():
            return parse_json(rows[0][0]) if rows else None

    async def _write(self) -> None:
        """Write whatever waits, in one transaction a round, until nothing does."""
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                # 1. Take all work since the last round. Work that arrives during the commit goes
                #    to the new list, and into the next transaction.
                batch, self._waiting = self._waiting, []
                # 2. Execute without an `await`: the transaction holds exactly this batch.
                problems = _statements(self._writer, [work for work, _ in batch])
                # 3. Commit in the thread. The loop leaves `_writer` alone until it has ended.
                failure = await loop.run_in_executor(
                    self._committing, _tried, self._writer, _commit
                )
                # 4. Acknowledge. A failed commit has undone the whole batch, so it fails all.
                for (_, future), problem in zip(batch, problems, strict=True):
                    if future.cancelled():
                        continue
                    if (refusal := failure or problem) is not None:
                        future.set_exception(refusal)
                    else:
                        future.set_result(None)
        finally:
            # No `await` since the list was seen empty: `_done` finds either this task still at
            # work or None, and then begins another. No write is left waiting.
            self._rounds = None


@contextmanager
def legible() -> Iterator[None]:
    """Convert errors of reading a damaged store into a refusal."""
    try:
        yield
    except RefusedError:
        raise
    except sqlite3.Error as error:
        raise RefusedError("store", f"games could not be read: {reason(error)}") from None
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
        raise RefusedError("store", "this cannot be read: the file of games is damaged") from None


def _played(record: Record) -> str:
    """Return the cache key of an analysis: the moves, the result and the program's version."""
    return json.dumps([__version__, record.moves, record.result, record.resigned])


def _names(text: str) -> list[str]:
    try:
        return list(map(str, parse_json(text)))
    except (TypeError, ValueError):  # one damaged game does not hide the others
        return []


_Item = tuple[Work, "asyncio.Future[None]"]


def _statements(base: sqlite3.Connection, batch: list[Work]) -> list[RefusedError | None]:
    """Do all work of a batch in a transaction; return the refusal of each, or None."""
    # A violated constraint ("twice") undoes only its own statement, and the rest of the batch goes
    # on. Any other error has rolled everything back: it fails what comes after, which must not
    # be written outside a transaction, and what came before.
    failure = _tried(base, lambda base: base.execute("BEGIN IMMEDIATE"))
    problems = []
    for work in batch:
        problem = failure or _tried(base, work)
        if problem is not None and problem.code == "store":
            failure = problem
        problems.append(problem)
    return [failure or problem for problem in problems]


def _tried(base: sqlite3.Connection, work: Work) -> RefusedError | None:
    """Do some work; return the refusal if it fails, after a rollback unless it was a conflict."""
    try:
        work(base)
    except sqlite3.IntegrityError:
        return RefusedError("twice", "this change has been made already")
    except (sqlite3.Error, ArithmeticError, TypeError, ValueError) as error:  # or cannot be bound
        with suppress(sqlite3.Error):
            base.execute("ROLLBACK")
        return RefusedError("store", f"the game could not be stored: {reason(error)}")
    return None


def _commit(base: sqlite3.Connection) -> None:
    """Commit; with ``synchronous = FULL`` the transaction is on the disk afterwards."""
    if base.in_transaction:
        base.execute("COMMIT")


def _append(base: sqlite3.Connection, room: GameInPlay, key: str | None, change: str) -> None:
    names = json.dumps([seat.name for seat in room.seats], ensure_ascii=False)
    shown = (
        str(room.game), room.title, names, room.listed, room.result,
        len(room.position.history), room.version, room.created, room.updated,
    )  # fmt: skip
    row = (room.id, room.version, key, change)
    # The change comes before the summary in `games`: a second change of the same version, or of
    # the same key, violates a unique index here, and nothing of it is written.
    if room.version == 1:
        base.execute("INSERT INTO games VALUES (?,?,?,?,?,?,?,?,?,?)", (room.id, *shown))
        base.execute("INSERT INTO changes VALUES (?,?,?,?)", row)
    else:
        base.execute("INSERT INTO changes VALUES (?,?,?,?)", row)
        base.execute(
            "UPDATE games SET game = ?, title = ?, names = ?, listed = ?, result = ?, ply = ?, "
            "version = ?, created = ?, updated = ? WHERE id = ?",
            (*shown, room.id),
        )


def _connect(path: Path) -> sqlite3.Connection:
    base = KIND.open(path, timeout=10, check_same_thread=False)
    base.execute("PRAGMA synchronous = FULL")
    return base
