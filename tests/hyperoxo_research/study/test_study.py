"""The frame of studies, with a small one, and the first real one."""

from __future__ import annotations

import csv
import json
import re
import shlex
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest

import hyperoxo as ox
from hyperoxo.errors import MissingExtraError, SpecError
from hyperoxo.lab import ResultStore
from hyperoxo.lab.results import run_infos
from hyperoxo.lab.runs import RunInterrupted
from hyperoxo_research.study import (
    STUDIES,
    Bench,
    Finding,
    Picture,
    Section,
    Study,
    Table,
    compared,
    find_study,
)
from hyperoxo_research.study.parts import share
from hyperoxo_research.study.report import templates
from tests.command import answer, oxo, printed


def sections(bench: Bench) -> Iterator[Section]:
    from hyperoxo.lab.plots.figures import sweep_figure

    result, command = bench.match("3^2", ["random", "ising"], bench.size(50, 100))
    lost = share("random lost, %", (85.77, 10_000), (result.wins[1], result.games), command)
    wrong = Finding("two & two", 5, 4, agrees=False, remark="They make <four>.")
    swept, _ = bench.sweep("3^2", "ising", "bias=0:1:0.5", "random", seat=2, games=50)
    yield Section(
        "First",
        "One paragraph.\n\nAnother.",
        compared("first", "Compared", [lost, wrong]),
        Picture("curve", "A curve", lambda: sweep_figure(swept)),
    )
    played, _ = bench.play("tournament", "3^2", agents=["random", "ising"], games=20)
    yield Section("Second", "", Table("second", "Rows", ("rows",), ((len(played.table),),)))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Study:
    module = ModuleType("small_study")
    study = Study("small", "A small <study>", "Nowhere.", sections)
    module.STUDY = study  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "small_study", module)
    monkeypatch.setitem(STUDIES, "small", ("small_study", "Small"))
    return study


class Tags(HTMLParser):
    """Checks that tags are closed, and that nothing is fetched from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"meta", "br"}:
            self.open.append(tag)
        self.outside += [
            v for k, v in attrs if k in {"src", "href"} and v and not v.startswith("#")
        ]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.more
def test_a_report_is_complete(small: Study, tmp_path: Path) -> None:
    titles: list[str] = []
    report = ox.study("small", tmp_path / "r", seed=3, note=titles.append)
    assert titles == ["First", "Second"]
    page = (tmp_path / "r" / "index.html").read_text("utf-8")
    tags = Tags()
    tags.feed(page)
    assert (tags.open, tags.outside) == ([], [])
    assert "A small &lt;study&gt;" in page
    assert "They make &lt;four&gt;." in page
    assert page.count("<svg") == 1
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    with (tmp_path / "r" / "data" / "first.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["quantity"] for row in rows] == ["random lost, %", "two & two"]
    assert rows[1]["agrees"] == "False"
    assert {p.name for p in (tmp_path / "r" / "figures").iterdir()} == {"curve.svg", "curve.png"}
    data = json.loads((tmp_path / "r" / "tables.json").read_text("utf-8"))
    assert data == {k: v for k, v in report.as_data().items() if k != "folder"}
    assert data["tables"][0]["rows"][0]["sample"] == 50
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.more
def test_reports_are_the_same_for_the_same_seed(small: Study, tmp_path: Path) -> None:
    for name, workers in (("one", 1), ("two", 2)):
        ox.study("small", tmp_path / name, workers=workers)
    for file in ("index.html", "figures/curve.svg", "figures/curve.png", "data/first.csv"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_commands_give_the_figures_again(small: Study, tmp_path: Path) -> None:
    report = ox.study("small", tmp_path / "r", seed=5, figures=False)
    row = report.tables[0].as_data()["rows"][0]
    words = shlex.split(row["command"])
    assert words[0] == "oxo"
    again = oxo(*words[1:], "--format", "json", "--no-store")
    found = json.loads(again.stdout)
    assert 100 * found["wins"][1] / found["games"] == pytest.approx(row["ours"])


def test_full_samples_are_larger_and_those_of_a_quick_look_smaller(
    small: Study, tmp_path: Path
) -> None:
    report = ox.study("small", tmp_path / "r", full=True, figures=False)
    assert report.tables[0].as_data()["rows"][0]["sample"] == 100
    report = ox.study("small", tmp_path / "r", scale=0.2, parts=1, figures=False)
    assert [section.title for section in report.sections] == ["First"]
    assert report.tables[0].as_data()["rows"][0]["sample"] == 10
    assert "--scale 0.2" in (tmp_path / "r" / "index.html").read_text("utf-8")
    with pytest.raises(SpecError, match="the scale must be above 0"):
        ox.study("small", tmp_path / "r", scale=0)


def test_an_interrupted_study_goes_on(small: Study, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if total == 80:
            raise KeyboardInterrupt

    with ResultStore(tmp_path / "s.sqlite") as store:
        with pytest.raises(RunInterrupted):
            ox.study("small", tmp_path / "r", store=store, figures=False, progress=stop)
        assert [info.state for info in run_infos(store)] == [
            "interrupted", "done", "done", "interrupted",
        ]  # fmt: skip
        seen: list[int] = []
        ox.study(
            "small", tmp_path / "r", store=store, figures=False,
            progress=lambda done, total: seen.append(total),
        )  # fmt: skip
        assert set(seen) == {80}
        assert [info.state for info in run_infos(store)] == ["done"] * 4
        ox.study("small", tmp_path / "r", store=store, figures=False)
        assert len(run_infos(store)) == 8


def test_wrong_studies_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="there is no study 'nothing'; there are bias, breaker"):
        ox.study("nothing")
    with pytest.raises(SpecError, match="must be at least 0"):
        ox.study("ising", tmp_path, seed=-1)


def test_figures_need_matplotlib(
    small: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match='"plot"'):
        ox.study("small", tmp_path / "r", figures=True)
    assert not (tmp_path / "r").exists()
    said: list[str] = []
    ox.study("small", tmp_path / "r", note=said.append)
    assert said[0].startswith('without figures: drawing figures needs the extra "plot"')
    assert (tmp_path / "r" / "index.html").exists()
    assert not (tmp_path / "r" / "figures").exists()
    ox.study("small", tmp_path / "q", figures=False, note=said.append)
    assert sum("without figures" in text for text in said) == 1


def test_reports_need_jinja(small: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    templates.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtraError, match='writing reports needs the extra "research"'):
        ox.study("small", tmp_path / "r", figures=False)
    assert not (tmp_path / "r").exists()


def test_shares_are_compared_by_an_exact_test() -> None:
    assert share("x", (50.0, 100), (520, 1000)).agrees
    assert not share("x", (50.0, 100), (900, 1000)).agrees
    alone = share("x", None, (5, 10))
    assert (alone.agrees, alone.published, alone.ours) == (None, None, 50.0)


def test_every_study_is_found() -> None:
    for name in STUDIES:
        assert find_study(name).name == name


def test_commands_of_studies(small: Study, tmp_path: Path) -> None:
    assert "ising" in oxo("study").stdout
    words = ["study", "small", "--out", str(tmp_path / "r"), "--no-figures"]
    done = oxo(*words)
    assert "random lost, %" in printed(done)
    assert f"wrote {tmp_path / 'r' / 'index.html'}" in done.stderr
    found = answer(*words)
    assert (found["study"], found["seed"]) == ("small", 0)
    assert [table["name"] for table in found["tables"]] == ["first", "second"]
    wrong = oxo("study", "nothing")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    blocked = tmp_path / "file"
    blocked.write_text("")
    refused = oxo("study", "small", "--out", str(blocked / "r"))
    assert refused.exit_code == 2
    assert refused.stderr.count("\n") == 2


def test_studies_are_shown_in_the_terminal(small: Study, tmp_path: Path) -> None:
    words = ["study", "small", "--out", str(tmp_path / "r"), "--no-figures", "--no-store"]
    plain = oxo(*words).stdout
    shown = oxo(*words, "--show").stdout
    assert "●" not in plain
    assert "● ours, with its interval; x published" in shown
    assert "A curve\n" in shown
    assert "polynomial" in shown or "measured" in shown


def test_an_interrupted_command_tells_how_to_go_on(
    small: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(bench: Bench) -> Iterator[Section]:
        yield Section("First", "")
        raise KeyboardInterrupt

    study = Study("small", "Small", "Nowhere.", stopped)
    monkeypatch.setattr(sys.modules["small_study"], "STUDY", study)
    words = ["study", "small", "--out", str(tmp_path / "r"), "--store", str(tmp_path / "s.sqlite")]
    left = oxo(*words)
    assert left.exit_code == 130
    assert "the same command resumes it" in left.stderr
    assert not (tmp_path / "r" / "index.html").exists()


def test_all_studies(small: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in STUDIES.keys() - {"small"}:
        monkeypatch.delitem(STUDIES, name)
    found = answer("study", "all", "--out", str(tmp_path), "--no-figures")
    assert [one["study"] for one in found["studies"]] == ["small"]
    assert len(found["tables"]) == 2
    assert (tmp_path / "study-small" / "index.html").exists()


@pytest.mark.slow
def test_the_ising_study_finds_the_published_table(tmp_path: Path) -> None:
    report = ox.study("ising", tmp_path / "r", figures=False)
    tables = {table.name: table.as_data()["rows"] for table in report.tables}
    pairings = tables["pairings"]
    assert len(pairings) == 27
    impossible = [row for row in pairings if row["remark"]]
    assert [row["quantity"] for row in impossible] == [
        "random – random: % lost", "random – MiniMax: % lost", "random – Ising: % lost",
    ]  # fmt: skip
    assert all("116" in row["remark"] or "of 100 games" in row["remark"] for row in impossible)
    assert all(row["agrees"] for row in pairings if not row["remark"])
    as_played = [row for row in tables["random-ising"] if "scan, b = 0.8" in row["quantity"]]
    assert as_played
    assert all(row["agrees"] for row in as_played)
    boards = [row["board"] for row in tables["bias"]]
    assert boards == ["3^2", "4^2", "5^2", "6^2", "3^3", "4^3"]
    program = tables["program-matches"]
    assert all(row["agrees"] in (True, None) for row in program)
    assert all(row["command"].startswith("oxo ") for row in tables["bias"])


def told(bench: Bench) -> Iterator[Section]:
    again = [Finding(f"row {n}", 1, 2, agrees=False, remark="Said twice.") for n in range(2)]
    once = Finding("row 2", 1, 2, agrees=False, remark="Said once.")
    exact = Table("exact", "Exact", ("quantity", "published", "exact"), (("lost, %", 34, 35.25),))
    yield Section("Remarks", "", compared("remarks", "Compared", [*again, once]), exact)


@pytest.fixture
def remarked(small: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["small_study"], "STUDY", Study("small", "T", "N.", told))


@pytest.mark.usefixtures("remarked")
def test_remarks_of_several_rows_are_notes_below_the_table(tmp_path: Path) -> None:
    ox.study("small", tmp_path / "r", figures=False)
    page = (tmp_path / "r" / "index.html").read_text("utf-8")
    assert page.count("Said twice.") == 1
    assert "<p>Note 1: Said twice.</p>" in page
    assert page.count("<td>note 1</td>") == 2
    assert page.count("Said once.") == 1
    assert (tmp_path / "r" / "data" / "remarks.csv").read_text("utf-8").count("Said twice.") == 2


@pytest.mark.usefixtures("remarked")
def test_the_terminal_shows_every_column_of_figures(tmp_path: Path) -> None:
    words = ["study", "small", "--out", str(tmp_path / "r"), "--no-figures", "--show", "--no-store"]
    text = printed(oxo(*words))
    assert "lost, %" in text
    assert "35.25" in text
