"""Stores: only files that are ours, whole, of a known form, and with one name."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.stores import Hold, StoreKind, reading
from tests.processes import python

_BIRDS = """
CREATE TABLE IF NOT EXISTS birds (name TEXT PRIMARY KEY, song TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS birds_by_song ON birds (song)
"""
KIND = StoreKind("store of birds", 0x62697264, 2, _BIRDS)


def made(path: Path, birds: int = 1) -> Path:
    with closing(KIND.open(path, 1)) as base:
        base.executemany(
            "INSERT INTO birds VALUES (?, ?)", ((f"bird {n}", "tweet" * 20) for n in range(birds))
        )
    return path


def test_a_store_is_made_and_opened_again(tmp_path: Path) -> None:
    path = made(tmp_path / "new" / "birds.sqlite")
    with closing(KIND.open(path, 1)) as base:
        assert base.execute("SELECT name FROM birds").fetchall() == [("bird 0",)]
        assert base.execute("PRAGMA user_version").fetchone() == (2,)


def test_an_older_store_is_brought_up(tmp_path: Path) -> None:
    path = made(tmp_path / "birds.sqlite")
    with closing(sqlite3.connect(path)) as base:
        base.executescript("DROP INDEX birds_by_song; PRAGMA user_version = 0")
    with closing(KIND.open(path, 1)) as base:
        assert base.execute("PRAGMA user_version").fetchone() == (2,)
        base.execute("SELECT * FROM birds INDEXED BY birds_by_song WHERE song = ''")


@pytest.mark.parametrize("form", ["newer", "of another program"])
def test_what_is_not_for_us_is_left_as_it_is(tmp_path: Path, form: str) -> None:
    path = made(tmp_path / "birds.sqlite")
    newer = form == "newer"
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA user_version = 3" if newer else "PRAGMA application_id = 77")
    before = path.read_bytes()
    said = r"newer version of hyperoxo \(form 3, this one reads 2\)" if newer else "not a hyperoxo"
    with pytest.raises(CheckFailedError, match=said):
        KIND.open(path, 1)
    assert path.read_bytes() == before


def test_damage_is_one_line_and_nothing_is_written(tmp_path: Path) -> None:
    path = made(tmp_path / "birds.sqlite", 400)
    whole = path.read_bytes()
    rng, told = random.Random(5), 0
    for _ in range(60):
        data = bytearray(whole)
        at, size = rng.randrange(len(data)), rng.choice([1, 8, 600, 5000])
        if rng.random() < 0.2:
            del data[max(at, 1) :]
        else:
            data[at : at + size] = rng.randbytes(min(size, len(data) - at))
        path.write_bytes(data)
        said = _said(path)
        if said is not None:
            told += 1
            assert said.startswith(f"{path} is ")
            assert "\n" not in said
            assert path.read_bytes() == data
    assert told > 20


def _said(path: Path) -> str | None:
    try:
        with reading(path), closing(KIND.open(path, 1)) as base:
            base.execute("SELECT * FROM birds").fetchall()
    except CheckFailedError as error:
        return str(error)
    return None


_KILLED = """
import os, sqlite3, sys
base = sqlite3.connect(sys.argv[1], isolation_level=None)
base.execute("PRAGMA journal_mode = DELETE")
base.execute("PRAGMA cache_size = 1")
base.execute("BEGIN IMMEDIATE")
base.execute("DELETE FROM birds")
base.executemany("INSERT INTO birds VALUES (?, 'caw')", ((f"crow {n}",) for n in range(2000)))
os._exit(0)
"""


def test_what_was_half_written_is_taken_back(tmp_path: Path) -> None:
    """A process was killed before the store kept what is to come in a file beside it."""
    path = made(tmp_path / "birds.sqlite", 400)
    assert python("-c", _KILLED, path).returncode == 0
    assert path.with_name("birds.sqlite-journal").stat().st_size > 512
    with closing(KIND.open(path, 1)) as base:
        assert base.execute("SELECT count(*) FROM birds WHERE song = 'caw'").fetchone() == (0,)
        assert base.execute("SELECT count(*) FROM birds").fetchone() == (400,)


def test_a_file_with_two_names_is_refused(tmp_path: Path) -> None:
    path, other = made(tmp_path / "birds.sqlite"), tmp_path / "other.sqlite"
    os.link(path, other)
    for name in (path, other):
        with pytest.raises(CheckFailedError, match="has a second name"):
            KIND.open(name, 1)
    other.unlink()
    KIND.open(path, 1).close()


def test_there_must_be_a_right_to_a_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as refused:
        KIND.open(tmp_path, 1)
    assert refused.value.filename == str(tmp_path)


def test_what_makes_no_sense_is_damage_and_what_is_asked_wrongly_is_not(tmp_path: Path) -> None:
    for error in (KeyError("wins"), TypeError("no number"), OverflowError("int too large")):
        with pytest.raises(CheckFailedError, match="is damaged"), reading(tmp_path):
            raise error
    with pytest.raises(SpecError), reading(tmp_path):
        raise SpecError("no such degree")


_HOLDER = """
import sys
from pathlib import Path
from hyperoxo.stores import Hold
Hold(Path(sys.argv[1]), "in use")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_file_is_held_under_every_name(tmp_path: Path) -> None:
    path = made(tmp_path / "birds.sqlite")
    link, moved = tmp_path / "link.sqlite", tmp_path / "moved.sqlite"
    link.symlink_to(path)
    words = [sys.executable, "-c", _HOLDER, str(path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        for name in (path, link):
            with pytest.raises(CheckFailedError, match="in use"):
                Hold(name, "in use")
        path.rename(moved)
        with pytest.raises(CheckFailedError, match="in use"):
            Hold(moved, "in use")
        moved.rename(path)
        process.kill()
    Hold(link, "in use").close()


def test_a_refused_hold_takes_no_lock_of_sqlite_away(tmp_path: Path) -> None:
    path = made(tmp_path / "birds.sqlite")
    held = Hold(path, "in use")
    with closing(KIND.open(path, 1)) as base:
        base.execute("BEGIN IMMEDIATE")
        with pytest.raises(CheckFailedError, match="in use"):
            Hold(path, "in use")
        writer = (
            f"import sqlite3; sqlite3.connect({str(path)!r}, timeout=0).execute('BEGIN IMMEDIATE')"
        )
        assert "database is locked" in python("-c", writer).stderr
        base.execute("ROLLBACK")
    held.close()
    Hold(path, "in use").close()
