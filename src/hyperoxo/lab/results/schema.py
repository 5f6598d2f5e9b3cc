"""The file of the result store: its tables, and how one is opened."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from hyperoxo.errors import CheckFailedError

__all__ = ["VERSION", "connect", "reason"]

VERSION = 1
"""Version of the tables below; older files would be brought up to it here."""

_APPLICATION = 0x6F786F32
_REASONS = {
    sqlite3.SQLITE_BUSY: "another program has been writing to it for too long",
    sqlite3.SQLITE_READONLY: "the file or its folder cannot be written",
    sqlite3.SQLITE_CANTOPEN: "its folder cannot be written",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk is full, or failed",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
}
_SCHEMA = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, game TEXT NOT NULL, settings TEXT NOT NULL,
    seed TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, owner TEXT NOT NULL,
    versions TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
    workers INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX runs_by_key ON runs (key);
CREATE TABLE rows (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, number INTEGER NOT NULL,
    agents TEXT NOT NULL, seed TEXT NOT NULL, scoring TEXT NOT NULL, wanted INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE parts (
    run INTEGER NOT NULL, number INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    wins TEXT NOT NULL, draws INTEGER NOT NULL, plies INTEGER NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (run, number, first),
    FOREIGN KEY (run, number) REFERENCES rows (run, number) ON DELETE CASCADE
) WITHOUT ROWID;
"""


def connect(path: Path) -> sqlite3.Connection:
    """Open a result store, made if there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.open("ab").close()  # an OSError that names the file, where there is no right to it
    connection = sqlite3.connect(path, timeout=30.0, isolation_level=None)
    try:
        _prepare(connection, path)
    except sqlite3.OperationalError as error:
        connection.close()
        raise CheckFailedError(f"{path} could not be opened: {reason(error)}") from None
    except sqlite3.DatabaseError as error:
        connection.close()
        raise CheckFailedError(f"{path} is not a results store: {reason(error)}") from None
    except BaseException:
        connection.close()
        raise
    return connection


def reason(error: sqlite3.Error) -> str:
    """Return what is wrong with a file that SQLite cannot use, in words for all."""
    return _REASONS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, str(error))


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("BEGIN IMMEDIATE")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != _APPLICATION and tables:
        connection.execute("ROLLBACK")
        raise CheckFailedError(f"{path} is an SQLite database, but not a hyperoxo results store")
    if version > VERSION:
        connection.execute("ROLLBACK")
        raise CheckFailedError(
            f"{path} was written by a newer version of hyperoxo (form {version}, this one "
            f"reads {VERSION})"
        )
    if not tables:
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    columns = connection.execute("SELECT name FROM pragma_table_info('runs')").fetchall()
    if ("workers",) not in columns:  # older programs of this form read and write without it
        connection.execute("ALTER TABLE runs ADD COLUMN workers INTEGER NOT NULL DEFAULT 1")
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode = WAL")
