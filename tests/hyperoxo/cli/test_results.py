"""`oxo results`, and the options that all commands of the laboratory share."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import hyperoxo as ox
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.runs import RunInterrupted
from tests.command import answer as data
from tests.command import oxo, refusal


@pytest.fixture
def store(tmp_path: Path) -> str:
    path = str(tmp_path / "r.sqlite")
    for words in (["ising", "random", "--swap"], ["random", "random"]):
        answer = oxo("match", "3^2", *words, "--games", "20", "--seed", "5", "--store", path)
        assert answer.exit_code == 0
    return path


def test_lists(store: str) -> None:
    found = data("results", "--store", store)
    assert [run["run"] for run in found["runs"]] == [2, 1]
    assert len(found["rows"]) == 3
    text = oxo("results", "--store", store).stdout
    assert text.splitlines()[0].split()[:4] == ["run", "begun", "kind", "game"]
    assert "  3^2   random random  " in text
    assert "  3^2   ising random   " in text
    swept = ["--agent", "ising", "--vary", "bias=0:1:1", "--versus", "greedy", "--games", "2"]
    assert oxo("sweep", "3^2", *swept, "--store", store).exit_code == 0
    assert "sweep  3^2   ising greedy  " in oxo("results", "--store", store).stdout
    assert oxo("results", "3", "--store", store, "--delete").exit_code == 0
    one = oxo("results", "1", "--store", store).stdout
    assert "ising random" in one
    assert one.splitlines()[-1].startswith("run 1: match, 3^2, begun ")


def test_filters(store: str) -> None:
    assert len(data("results", "--store", store, "--agent", "ising")["rows"]) == 2
    assert data("results", "--store", store, "--game", "4^2")["runs"] == []
    assert data("results", "--store", store, "--kind", "sweep")["runs"] == []
    assert len(data("results", "--store", store, "--since", "2020-01-01")["runs"]) == 2
    assert oxo("results", "--store", store, "--until", "2020-01-01").stdout == "no results\n"


def test_files(store: str, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    answer = oxo("results", "--store", store, "--out", str(out))
    assert f"wrote 3 rows to {out}" in answer.stderr
    assert len(out.read_text("utf-8").splitlines()) == 4


def test_delete(store: str) -> None:
    assert oxo("results", "1", "--delete", "--store", store).stdout == "deleted run 1\n"
    assert [run["run"] for run in data("results", "--store", store)["runs"]] == [2]
    with ox.ResultStore(store) as opened:
        run = str(opened.begin(RunRequest("match", "3^2", {}, 1)))
        played = refusal(oxo("results", run, "--delete", "--store", store))
        assert f"run {run} is being played; stop it first" in played


def test_stores_of_several_machines_are_joined(store: str, tmp_path: Path) -> None:
    here = str(tmp_path / "here.sqlite")
    begun = ["match", "3^2", "random", "ising", "--games", "40000", "--seed", "7", "--store"]

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with ox.ResultStore(store) as there:
        whole = there.begin(RunRequest("study", "", {"study": "x"}))
        with pytest.raises(RunInterrupted):
            ox.match("3^2", ["random", "ising"], 40_000, 7, store=there, progress=stop)
        ox.match("3^2", ["random", "random"], 5, store=there.part_of(whole))
    assert oxo("match", "3^2", "greedy", "random", "--games", "5", "--store", here).exit_code == 0
    words = ["results", "--store", here, "--merge", store]
    assert oxo(*words).stdout == f"copied 5 runs of {store} into {here}\n"
    assert data(*words)["copied"] == 0
    runs = {run["run"]: run for run in data("results", "--store", here)["runs"]}
    assert [runs[run]["state"] for run in runs] == [
        *("done", "interrupted", "interrupted", "done", "done", "done"),
    ]
    assert runs[6]["settings"]["part_of"] == whole + 1
    games = {tuple(row["agents"]): row for row in data("results", "--store", store)["rows"]}
    copied = {tuple(row["agents"]): row for row in data("results", "--store", here)["rows"]}
    for agents, row in games.items():
        assert {**copied[agents], "run": row["run"]} == row
    # It goes on here, as it does there, and what has gone on there takes the place of the copy.
    assert data(*begun, store)["run"] == whole + 1
    assert data(*words)["copied"] == 1
    assert data("results", "5", "--store", here)["runs"][0]["state"] == "done"
    with ox.ResultStore(here) as opened:
        assert opened.begin(RunRequest("study", "", {"study": "x"})) == 4
        again = ox.match("3^2", ["random", "random"], 5, store=opened.part_of(4))
    assert again.run == 6
    with closing(sqlite3.connect(store)) as base, base:
        base.execute("UPDATE runs SET settings = '[]', updated = updated + 1")
    assert f"{store} is damaged" in refusal(oxo(*words), 1)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--merge", "none.sqlite"], "File 'none.sqlite' does not exist"),
        (["--delete"], "--delete needs the number of a run"),
        (["7"], "there is no such run 7"),
        (["--since", "soon"], "'soon' is not a date"),
        (["--out", "rows.txt"], "the name of rows.txt must end in"),
        (["--game", "3"], "bad game"),
    ],
)
def test_usage(store: str, words: list[str], line: str) -> None:
    assert line in refusal(oxo("results", "--store", store, *words))


def test_no_store_yet(tmp_path: Path) -> None:
    assert "there is no results store at" in refusal(
        oxo("results", "--store", str(tmp_path / "none.sqlite"))
    )


def test_nothing_is_kept_where_it_is_not_wanted(tmp_path: Path) -> None:
    found = data("match", "3^2", "random", "random", "--games", "5", "--no-store")
    assert found["run"] is None
    assert "exclude each other" in refusal(
        oxo("match", "3^2", "random", "random", "--no-store", "--store", str(tmp_path / "x"))
    )


def test_a_store_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    words = ("match", "3^2", "random", "random", "--games", "5")
    line = refusal(oxo(*words, "--store", str(blocked / "r.sqlite")))
    assert line.startswith(f"oxo match: {blocked}")
    monkeypatch.setenv("XDG_DATA_HOME", str(blocked))
    usual = oxo(*words)
    assert usual.exit_code == 0
    assert usual.stderr.startswith("results are not kept: ")


def test_an_interrupt_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hyperoxo.lab import runs as run

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "play_ranges", interrupt)
    words = ("match", "3^2", "random", "random", "--games", "50", "--store", str(tmp_path / "r"))
    answer = oxo(*words)
    assert answer.exit_code == 130
    assert answer.stderr.startswith("interrupted; run 1: 0 of 50 games are stored\nto resume: oxo ")
    assert "--seed" in answer.stderr
    assert "--seed" not in oxo(*words, "--seed", "3").stderr.splitlines()[1]


def test_until() -> None:
    words = ("match", "3^2", "ising", "random", "--seed", "1", "--until", "A>B")
    found = data(*words, "--swap")
    assert found["test"]["verdict"] == "yes"
    assert found["games"] < 1000
    answer = oxo(*words)
    assert "A>B: yes" in answer.stdout
    assert "seats are fixed" in answer.stderr
    assert oxo(*words[:-1], "A=B").exit_code == 2


def test_a_run_tells_the_verdict_of_its_test(tmp_path: Path) -> None:
    path = str(tmp_path / "r.sqlite")
    words = ("match", "3^2", "ising", "random", "--seed", "1", "--swap", "--until", "A>B")
    played = data(*words, "--store", path)
    kept = data("results", "1", "--store", path)
    assert kept["test"] == played["test"]
    line = oxo("results", "1", "--store", path).stdout.splitlines()[-2]
    assert line.startswith("A>B: yes, ")
    oxo("match", "3^2", "ising", "random", "--games", "5", "--store", path)
    assert "test" not in data("results", "2", "--store", path)
    assert "test" not in data("results", "--store", path)
