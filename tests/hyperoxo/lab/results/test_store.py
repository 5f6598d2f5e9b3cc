"""The result store: listed, filtered, exported, and refused where it is something else."""

from __future__ import annotations

import csv
import importlib
import json
import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

import hyperoxo as ox
from hyperoxo.errors import CheckFailedError, HyperoxoError, MissingExtraError, SpecError
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.results import ResultStore, export_rows, result_rows, run_infos
from hyperoxo.lab.results.listing import COLUMNS, Filter, moment
from hyperoxo.lab.results.store import KIND, end_run, this_process
from hyperoxo.processes import born


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ResultStore]:
    with ResultStore(tmp_path / "folder" / "r.sqlite") as opened:
        ox.match("3^2", ["ising:bias=0.5", "random"], games=30, seed=2**70, store=opened)
        ox.match("3^2", ["random", "random"], games=10, seed=1, swap=True, store=opened)
        ox.match("3^2:players=3", ["greedy", "random", "ising"], games=20, store=opened)
        yield opened


def test_rows_hold_all_that_they_depend_on(store: ResultStore) -> None:
    row = result_rows(store, Filter(run=1))[0]
    assert row.agents == ("ising:bias=0.5", "random")
    assert row.info.seed == 2**70
    assert row.tally.games == row.wanted == 30
    assert row.tally.seconds > 0
    assert row.info.versions["hyperoxo"] == ox.__version__
    assert {"numba", "numpy", "python", "machine"} <= row.info.versions.keys()
    assert row.info.settings["games"] == 30
    json.dumps(row.as_data())


@pytest.mark.parametrize(
    ("picked", "runs", "rows"),
    [
        (Filter(), 3, 4),
        (Filter(game="3^2"), 2, 3),
        (Filter(agent="ising"), 2, 2),
        (Filter(agent="ising:bias=0.5"), 1, 1),
        (Filter(agent="isi"), 0, 0),
        (Filter(kind="match"), 3, 4),
        (Filter(kind="sweep"), 0, 0),
        (Filter(since=moment("2020-01-01")), 3, 4),
        (Filter(until=moment("2020-01-01")), 0, 0),
        (Filter(run=2, game="3^2"), 1, 2),
        (Filter(run=9), 0, 0),
    ],
)
def test_filters(store: ResultStore, picked: Filter, runs: int, rows: int) -> None:
    assert len(run_infos(store, picked)) == runs
    assert len(result_rows(store, picked)) == rows


def test_dates_are_read_in_any_zone() -> None:
    assert moment("2026-01-31T12:00+01:00") == moment("2026-01-31T11:00")
    with pytest.raises(SpecError, match="'soon' is not a date"):
        moment("soon")


def test_csv_and_json_hold_every_row(store: ResultStore, tmp_path: Path) -> None:
    rows = result_rows(store)
    export_rows(rows, tmp_path / "rows.csv")
    export_rows(rows, tmp_path / "rows.json")
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    objects = json.loads((tmp_path / "rows.json").read_text("utf-8"))
    assert len(table) == len(objects) == 4
    assert tuple(table[0]) == COLUMNS == tuple(objects[0])
    for flat, data in zip(table, objects, strict=True):
        assert json.loads(flat["agents"]) == data["agents"]
        assert json.loads(flat["wins"]) == data["wins"]
        assert int(flat["seed"]) == data["seed"]
    assert not list(tmp_path.glob("*.part"))


def test_parquet_holds_every_row_or_names_the_extra(store: ResultStore, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    try:
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        with pytest.raises(MissingExtraError, match='the extra "tables"'):
            export_rows(result_rows(store), path)
        assert not path.exists()
        return
    export_rows(result_rows(store), path)
    assert parquet.read_table(path).num_rows == 4


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"must end in \.csv, \.json, \.parquet"):
        export_rows([], tmp_path / "rows.txt")


def test_deleted_runs_are_gone(store: ResultStore) -> None:
    store.delete(2)
    assert [info.run for info in run_infos(store)] == [3, 1]
    assert store.query("SELECT count(*) FROM parts WHERE run = 2") == [(0,)]
    with pytest.raises(SpecError, match="there is no run 2"):
        store.delete(2)


def test_what_is_no_store_is_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a database, but a text that is long enough to be looked at\n" * 20)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(CheckFailedError, match=r"not a (hyperoxo )?results store"):
            ResultStore(path)
        assert path.read_bytes() == before


def test_a_newer_store_is_left_alone(store: ResultStore) -> None:
    store._connection.execute(f"PRAGMA user_version = {KIND.version + 1}")
    with pytest.raises(CheckFailedError, match="newer version of hyperoxo"):
        ResultStore(store.path)


def test_a_full_disk_is_one_line_and_keeps_what_was_there(store: ResultStore) -> None:
    (pages,) = store.query("PRAGMA page_count")[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    kept = len(run_infos(store))
    with pytest.raises(HyperoxoError, match=r"could not be written.*full") as refused:
        _play_on(store)
    assert "\n" not in str(refused.value)
    store._connection.execute("PRAGMA max_page_count = 1000000")
    assert len(run_infos(store)) >= kept
    assert store.query("PRAGMA integrity_check") == [("ok",)]


def _play_on(store: ResultStore) -> None:
    for seed in range(10_000):
        ox.match("3^2", ["random", "random"], games=1, seed=100 + seed, store=store)


def test_a_store_of_before_workers_were_kept_is_gone_on_with(store: ResultStore) -> None:
    store._connection.execute("ALTER TABLE runs DROP COLUMN workers")
    with ResultStore(store.path) as again:
        assert [info.workers for info in run_infos(again)] == [1, 1, 1]
        ox.match("3^2", ["random", "random"], games=5, workers=3, store=again)
        assert run_infos(again)[0].workers == 3


def test_what_keeps_a_store_from_being_opened_is_told(
    store: ResultStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda path, **more: connect(path, **(more | {"timeout": 0.01}))
    )
    store._connection.execute("BEGIN IMMEDIATE")
    with pytest.raises(CheckFailedError, match=r"could not be opened: another program") as refused:
        ResultStore(store.path)
    assert "no store" not in str(refused.value)
    store._connection.execute("ROLLBACK")
    with ResultStore(store.path) as again:
        assert len(run_infos(again)) == 3


def test_a_store_that_cannot_be_read_is_one_line(store: ResultStore) -> None:
    with pytest.raises(CheckFailedError, match=r"is damaged \(no such table: nowhere\)") as refused:
        store.query("SELECT * FROM nowhere")
    assert "\n" not in str(refused.value)


HOST = socket.gethostname()


@pytest.mark.parametrize(
    ("owner", "copied"),
    [
        (this_process(), 0),
        (f"{HOST}:{os.getppid()}:{born(os.getppid())}", 0),
        ("another-host:1:1", 0),
        (f"{HOST}:{os.getppid()}:0", 1),  # that process has ended
        ("", 1),
    ],
    ids=["this process", "another process", "another machine", "an ended process", "none"],
)
def test_runs_that_are_played_stay(tmp_path: Path, owner: str, copied: int) -> None:
    """Neither a merge replaces them, if the other copy went on longer, nor are they deleted."""
    request = RunRequest("match", "3^2", {}, 1)
    with ResultStore(tmp_path / "here") as here, ResultStore(tmp_path / "there") as there:
        run = here.begin(request)
        assert there.merge(here.path) == 1
        end_run(there, there.begin(request), done=True)
        there._connection.execute("UPDATE runs SET updated = updated + 60000")
        here._connection.execute("UPDATE runs SET owner = ?", (owner,))
        for count in (copied, 0):
            assert here.merge(there.path) == count
        states = [("done", "")] if copied else [("running", owner)]
        assert here.query("SELECT state, owner FROM runs WHERE id = ?", (run,)) == states
        end_run(here, here.part_of(run).begin(request), done=True)
        refused = pytest.raises(SpecError, match=f"run {run} is being played; stop it first")
        with nullcontext() if copied else refused:
            here.delete(run)
        assert bool(run_infos(here)) != copied
