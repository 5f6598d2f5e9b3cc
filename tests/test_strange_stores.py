"""Stores that somebody else made, to be hung on, to exhaust memory, or to be run."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.lab.match import match
from hyperoxo.lab.results.store import KIND as RESULTS
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.stores import StoreKind
from hyperoxo_web.server.store import KIND as GAMES
from tests.command import oxo

ENDLESS = """CREATE VIEW {} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
SELECT i AS id, 'match' AS kind, '3^2' AS game, '{{}}' AS settings FROM n"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "results.sqlite"
    with ResultStore(path) as store:
        match("3^2", ["random", "random"], games=2, seed=1, store=store)
    return path


def change(path: Path, *statements: str) -> None:
    """Change a store by hand; it is one file then."""
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            base.execute(statement)
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")


SCHEMAS = {
    "a view instead of a table": ("DROP TABLE runs", ENDLESS.format("runs")),
    "a view beside the tables": (ENDLESS.format("more"),),
    "a trigger": ("CREATE TRIGGER t AFTER UPDATE ON runs BEGIN DELETE FROM runs; END",),
    "a virtual table": ("CREATE VIRTUAL TABLE words USING fts5(text)",),
    "a table of others": ("CREATE TABLE other (x)",),
    "an index on an expression": ("CREATE INDEX i ON runs (length(settings))",),
    "another column": ("ALTER TABLE rows ADD COLUMN x DEFAULT 1",),
    "a generated column": ("ALTER TABLE rows ADD COLUMN x AS (zeroblob(1000000000))",),
    "a table is missing": ("DROP TABLE parts",),
}


@pytest.mark.parametrize("what", SCHEMAS)
def test_only_tables_as_the_program_makes_them_are_read(path: Path, what: str) -> None:
    change(path, *SCHEMAS[what])
    before = path.read_bytes()
    with pytest.raises(CheckFailedError, match="is damaged"):
        ResultStore(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("kind", [RESULTS, GAMES])
def test_functions_and_sizes_are_limited_in_every_store(tmp_path: Path, kind: StoreKind) -> None:
    with closing(kind.open(tmp_path / "s.sqlite", 1)) as base:
        assert base.execute("PRAGMA trusted_schema").fetchone() == (0,)
        assert base.getlimit(sqlite3.SQLITE_LIMIT_LENGTH) == kind.longest


def columns() -> Iterator[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(";".join([RESULTS.schema, *RESULTS.added]))
        for table in ("runs", "rows", "parts"):
            for column in base.execute(f"SELECT name FROM pragma_table_info('{table}')"):
                yield table, column[0]


VALUES = {
    "nested": f"'{'[' * 100_000}'",
    "nested and closed": f"'{'[' * 900}{']' * 900}'",
    "NaN": "'NaN'",
    "a number": "'17'",
    "a list of lists": "'[[1], [2]]'",
    "an object": '\'{"agents": 7, "agent": [NaN]}\'',
    "infinite": "'[1e999]'",
    "many digits": f"'{'9' * 5000}'",
    "bytes": "x'00ff1b5d'",
    "a large number": "9223372036854775807",
    "controls": "'\x1b]0;x\x07\u202e'",
    "a surrogate": "'\"\\ud800\"'",
}


@pytest.mark.more
@pytest.mark.parametrize("value", VALUES)
def test_no_value_of_a_stranger_ends_in_more_than_a_line(path: Path, value: str) -> None:
    whole = path.read_bytes()
    for table, column in columns():
        path.write_bytes(whole)
        with suppress(sqlite3.IntegrityError):  # SQLite itself keeps texts out of row numbers
            change(path, f"UPDATE {table} SET {column} = {VALUES[value]}")
        for words in (["results"], ["results", "1"], ["results", "--format", "json"]):
            done = oxo(*words, "--store", str(path))
            assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
            assert done.exit_code in (0, 1, 2), (table, column)
            assert done.exit_code == 0 or done.stderr.count("\n") == 1
            assert "\x1b" not in done.output
            assert "\u202e" not in done.output


def test_a_value_that_is_too_long_is_never_loaded(path: Path) -> None:
    change(path, "UPDATE runs SET versions = zeroblob(5000000)")
    with ResultStore(path) as store, pytest.raises(CheckFailedError, match="too big"):
        store.query("SELECT versions FROM runs")
