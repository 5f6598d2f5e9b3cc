"""Bad input to the laboratory: one clear line, the right exit code, nothing lost."""

from __future__ import annotations

import errno
import json
import resource
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import hyperoxo as ox
from hyperoxo.lab import ResultStore
from hyperoxo.lab.results import run_infos
from hyperoxo.lab.results.store import KIND
from hyperoxo_research.study import STUDIES, Bench, Section, Study, Table
from hyperoxo_research.study import running as report_module
from tests.command import oxo, printed, refusal
from tests.processes import oxo_on_full_disk

SWEEP = ("sweep", "3^2", "--agent", "ising", "--versus", "random", "--vary")
MATCH = ("match", "3^2", "random", "random")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("match", "3^2", "isng", "random"), "unknown agent 'isng'; did you mean 'ising'?"),
        (("match", "3^2", "mcts:simulations=0", "random"), "simulations must be 1 to"),
        (("match", "3^2", "minimax:depth=-1", "random"), "depth must be a whole number"),
        (("match", "3^2", "random"), "2 seats, one agent each; 1 named"),
        ((*MATCH, "--games", "0"), "--games: 0 is not in the range"),
        ((*MATCH, "--workers", "0"), "--workers / --threads: 0 is not in the range"),
        ((*MATCH, "--until", "A>C"), "'C' is not one of the agents"),
        ((*MATCH, "--until", "A>B", "--alpha", "2"), "--alpha: 2.0 is not in the range"),
        ((*MATCH, "--alpha", "0.01"), "--alpha belongs to --until"),
        (("match", "3^-2", "random", "random"), "bad game"),
        ((*SWEEP, "bias=0:1:0"), "the step must be greater than 0"),
        ((*SWEEP, "bais=0:1:0.5"), "has no option 'bais'"),
        ((*SWEEP, "bias=0:1:0.5", "--seat", "3"), "the seat must be 1 to 2, not 3"),
        ((*SWEEP, "bias=0:1:0.5", "--degree", "x"), "--degree"),
        ((*SWEEP, "bias=0:1:0.5", "--figure", "no/such/f.svg"), "there is no folder no/such"),
        ((*SWEEP, "bias=0:1:1e-9"), "1,000,000,001 values; the limit is"),
        (("tournament", "3^2", "random"), "takes two agents or more"),
        (("tournament", "3^2", "ising", "ising"), "named twice"),
        (
            ("tournament", "3^2", "4^3:gravity", "ising", "random"),
            "'4^3:gravity' is a game, not an agent; a tournament is of one game, here 3^2",
        ),
        (("study", "isng"), "there is no study 'isng'; there are"),
        (("results", "99"), "there is no results store"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(
    words: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    line = refusal(oxo(*words, "--store", str(tmp_path / "r.sqlite")))
    assert line.startswith(f"oxo {words[0]}: ")
    assert told in line


@pytest.mark.parametrize("words", [MATCH, ("tournament", "3^2", "random", "ising"), ("results",)])
def test_a_store_of_a_newer_version_is_left_as_it_is(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "r.sqlite"
    with ResultStore(path) as store:
        ox.match("3^2", ["random", "random"], games=5, store=store)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {KIND.version + 1}")
    connection.close()
    before = path.read_bytes()
    line = refusal(oxo(*words, "--store", str(path)), 1)
    assert "was written by a newer version of hyperoxo" in line
    assert path.read_bytes() == before


@pytest.mark.more
def test_a_disk_that_fills_up_loses_no_game_that_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    # Every value of a sweep has rows of its own, so that the file grows.
    words = [
        "sweep", "3^2", "--agent", "ising", "--versus", "random", "--vary", "bias=0:1:0.002",
        "--games", "2", "--seed", "1", "--store", str(path), "--format", "json", "-q",
    ]  # fmt: skip
    full = oxo_on_full_disk(64 * 1024, *words)
    assert full.returncode == 1, full.stderr
    assert full.stdout == ""
    assert full.stderr.count("\n") == 1
    assert "could not be written" in full.stderr
    with ResultStore(path) as store:
        assert store.query("PRAGMA integrity_check") == [("ok",)]
    again = printed(oxo(*words))
    found = json.loads(again)
    assert [point["games"] for point in found["points"]] == [2] * 501
    with ResultStore(path) as store:
        assert [info.games for info in run_infos(store)][-1] == 2 * 501
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY


def sections(bench: Bench) -> Iterator[Section]:
    result, _ = bench.match("3^2", ["random", "ising"], 50)
    yield Section("One", "", Table("one", "One", ("games",), ((result.games,),)))


def test_a_report_that_finds_no_room_is_written_later_without_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("tiny_study")
    module.STUDY = Study("tiny", "Tiny", "Nowhere.", sections)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tiny_study", module)
    monkeypatch.setitem(STUDIES, "tiny", ("tiny_study", "Tiny"))
    words = ["study", "tiny", "--out", str(tmp_path / "r"), "--no-figures"]
    words += ["--store", str(tmp_path / "s.sqlite")]

    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    with monkeypatch.context() as patched:
        patched.setattr(report_module, "replace_file", full)
        refused = oxo(*words, "-q")
    assert refused.exit_code != 0
    assert refused.stderr.count("\n") == 1
    assert "No space left on device" in refused.stderr
    assert oxo(*words).exit_code == 0
    with ResultStore(tmp_path / "s.sqlite") as store:
        assert len(run_infos(store)) == 2
    assert (tmp_path / "r" / "index.html").exists()


@pytest.mark.more
def test_a_figure_that_finds_no_room_does_not_hide_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hyperoxo.lab.plots import style

    def full(figure: object, path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(style, "save", full)
    for words in ([*SWEEP, "bias=0:1:0.5"], ["tournament", "3^2", "random", "ising"]):
        answer = oxo(*words, "--games", "20", "--no-store", "--figure", str(tmp_path / "x.svg"))
        assert answer.exit_code != 0
        assert answer.stdout
        assert answer.stderr.count("\n") == 1
