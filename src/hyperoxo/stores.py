"""Stores: SQLite files, used only if they are ours, intact, and of a known schema.

A file is untrusted until validated, which happens before anything is written to it: its schema must
be ours to the letter, so that no foreign view, trigger or virtual table is ever queried, and no
value may be longer than those that hyperoxo writes. It must have one name: SQLite keeps its journal
(WAL) in a file beside it, found by the name, so a file with two names (hard links) loses changes,
or becomes malformed, if both are used. Symbolic links are followed.
"""

from __future__ import annotations

import errno
import math
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hyperoxo.checkpoint import check_version
from hyperoxo.errors import CheckFailedError, HyperoxoError, NotationError, quoted
from hyperoxo.files import claim, naming
from hyperoxo.untrusted import parse_json

_REASONS = {
    sqlite3.SQLITE_BUSY: "another program has been writing to it for too long",
    sqlite3.SQLITE_READONLY: "the file or its folder cannot be written",
    sqlite3.SQLITE_CANTOPEN: "its folder cannot be written",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk is full, or failed",
    sqlite3.SQLITE_INTERRUPT: "reading it takes too long for its size",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
}
_PATIENCE, _BYTES_A_SECOND = 20.0, 5e6
"""Time limit of checking a file: base in seconds, and bytes a second for large files."""

_STEPS = 100_000
"""Virtual machine steps of SQLite between two looks at the clock."""

_Schema = dict[str, tuple[str, str, str]]
"""Type, table and text of each object, by its name."""

_NOT_DAMAGE = set(_REASONS) - {sqlite3.SQLITE_CORRUPT}


def reason(error: Exception) -> str:
    """Return the plain-language reason of an error of SQLite or of a value for it."""
    return _REASONS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, str(error))


class DamagedStoreError(CheckFailedError):
    """A store is unreadable, or holds content that the program has not written."""

    def __init__(self, path: Path, what: object) -> None:
        super().__init__(f"{path} is damaged ({' '.join(str(what).split())})")


@dataclass(frozen=True)
class StoreKind:
    """A kind of store: its application id, the version of its tables, and their schema.

    `added` are statements that migrate older files of the same version; `longest` is the
    greatest number of bytes of a value.
    """

    noun: str
    application: int
    version: int
    schema: str
    added: tuple[str, ...] = ()
    longest: int = 1 << 24

    def open(self, path: Path, timeout: float, **options: Any) -> sqlite3.Connection:
        """Open a store, created if missing; transactions are begun and ended by hand."""
        # 1. A file with content is checked read-only: a foreign one is never written to.
        _make(path)
        with reading(path, self.noun):
            if path.stat().st_size:
                self._inspect(path, timeout)
            # 2. Tables are made or migrated, and verified, in one transaction with the write lock
            #    held from its begin: of two processes that open a new file, one makes the tables.
            base = self._connect(path, isolation_level=None, timeout=timeout, **options)
            try:
                base.execute("PRAGMA foreign_keys = ON")
                base.execute("BEGIN IMMEDIATE")
                if self._version(base, path) < self.version:
                    for statement in self.schema.split(";"):
                        base.execute(statement)
                    base.execute(f"PRAGMA application_id = {self.application}")
                    base.execute(f"PRAGMA user_version = {self.version}")
                found = _schema_of(base)
                for statement in self.added[self._schema_number(found, path) :]:
                    base.execute(statement)
                self._schema_number(_schema_of(base), path, whole=True)
                base.execute("COMMIT")
                base.execute("PRAGMA journal_mode = WAL")
            except BaseException:
                base.close()
                raise
        return base

    def _inspect(self, path: Path, timeout: float) -> None:
        """Check all pages of a file through a read-only connection, if possible."""
        # After a crash in the middle of a transaction, SQLite must roll back its journal before
        # anything can be read, which needs a writable connection.
        try:
            self._read_all(path, "ro", timeout)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK:
                raise
            self._read_all(path, "rw", timeout)

    def _read_all(self, path: Path, mode: str, timeout: float) -> None:
        address = f"file:{quote(os.fspath(path.absolute()))}?mode={mode}"
        with closing(self._connect(address, uri=True, timeout=timeout)) as base:
            limit = time.monotonic() + _PATIENCE + path.stat().st_size / _BYTES_A_SECOND
            base.set_progress_handler(lambda: time.monotonic() > limit, _STEPS)
            self._version(base, path)
            self._schema_number(_schema_of(base), path)
            found = base.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise DamagedStoreError(path, found)

    def _connect(self, target: str | Path, **options: Any) -> sqlite3.Connection:
        base: sqlite3.Connection = sqlite3.connect(target, **options)
        base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self.longest)
        base.execute("PRAGMA trusted_schema = OFF")
        base.execute("PRAGMA cell_size_check = ON")
        return base

    @cached_property
    def _schemas(self) -> list[_Schema]:
        """Schemas of files of this version: the original one, and after each migration."""
        forms: list[_Schema] = []
        with closing(sqlite3.connect(":memory:")) as base:
            base.executescript(self.schema)
            forms.append(_schema_of(base))
            for statement in self.added:
                base.execute(statement)
                forms.append(_schema_of(base))
        return forms

    def _schema_number(self, found: _Schema, path: Path, *, whole: bool = False) -> int:
        """Return the number of the latest schema that contains the file's, or refuse it."""
        for number, form in reversed([*enumerate(self._schemas)]):
            if found == form or (found.items() <= form.items() and not whole):
                return number
        if whole:
            raise DamagedStoreError(path, "a table or an index is missing")
        strange = next(iter(sorted(dict(found.items() - self._schemas[-1].items()))), "")
        raise DamagedStoreError(path, f"its {quoted(strange)} is not one of the program's")

    def _version(self, base: sqlite3.Connection, path: Path) -> int:
        """Return the version of the tables in a file, 0 if it is empty, or refuse it."""
        application = base.execute("PRAGMA application_id").fetchone()[0]
        version: int = base.execute("PRAGMA user_version").fetchone()[0]
        tables = base.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if tables and application != self.application:
            raise CheckFailedError(f"{path} is an SQLite database, but not a hyperoxo {self.noun}")
        check_version(path, version, self.version)
        return version if tables else 0


def _schema_of(base: sqlite3.Connection) -> _Schema:
    rows = base.execute("SELECT name, type, tbl_name, coalesce(sql, '') FROM sqlite_schema")
    return {name: (kind, table, "".join(sql.split())) for name, kind, table, sql in rows}


def row_of(row: Sequence[Any], *kinds: type) -> tuple[Any, ...]:
    """Check the types of a row's values, which SQLite does not enforce."""
    values = tuple(row)
    for value, kind in zip(values, kinds, strict=True):
        if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
            raise TypeError(f"{quoted(value)} is not of type {kind.__name__}")
    return values


def json_of(text: str, kind: type, within: type | None = None) -> Any:
    """Parse JSON and check its type, and that of its values if `within` is given."""
    found = parse_json(text)
    values = found.values() if isinstance(found, dict) else found
    if type(found) is not kind or (within and any(type(one) is not within for one in values)):
        raise TypeError(f"{quoted(text)} is not a {kind.__name__} in the program's spelling")
    return found


@contextmanager
def reading(path: Path, noun: str = "store") -> Iterator[None]:
    """Convert errors of reading a store into errors about the file."""
    try:
        yield
    except NotationError as error:
        raise DamagedStoreError(path, error) from None
    except HyperoxoError:
        raise
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            raise CheckFailedError(f"{path} is not a {noun}: {error}") from None
        if code in _NOT_DAMAGE:
            raise CheckFailedError(f"{path} could not be opened: {reason(error)}") from None
        raise DamagedStoreError(path, error) from None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
        raise DamagedStoreError(path, f"{type(error).__name__}: {error}") from None


def _make(path: Path) -> None:
    """Create an empty file if missing; an OSError names the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # An existing file is not opened: closing any descriptor of it would drop the POSIX locks that
    # SQLite holds on it in this process.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not path.is_file():
        raise CheckFailedError(f"{path} is not a file")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    if path.stat().st_nlink > 1:
        raise CheckFailedError(
            f"{path} has a second name (a hard link), by which another program could damage it; "
            "remove one of the names, or use a copy"
        )


class Hold:
    """Exclusive hold on a file until it is released or this process ends.

    A lock file beside it is named by device and inode, so that links and new names in the folder
    lead to the same lock. Locks of the file itself would collide with SQLite's on some systems.
    """

    def __init__(self, path: Path, refusal: str) -> None:
        _make(path)
        status = path.stat()
        with naming(path):
            found = claim(Path(os.path.realpath(path)).parent, f"{status.st_dev}:{status.st_ino}")
        if isinstance(found, str):
            raise CheckFailedError(refusal)
        self.close = found.release
