"""Reports as they are read: summaries, published tables in shape, digits, folds, an index."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import hyperoxo as ox
from hyperoxo_research.study import Finding, Section, Study, Table, compared
from hyperoxo_research.study.display import (
    VISIBLE,
    Compared,
    counted,
    published,
    summary,
    text_table,
    verdict,
    verdicts,
)
from hyperoxo_research.study.report import StudyReport, as_markdown, index_page, page

FINDINGS = [
    Finding("a: won", 34, 35.612, 500, (31.52, 39.93), True, "oxo a", place=("T", "a", "won")),
    Finding("a: lost", 85.77, 85.883, 500, (81.04, 89.91), False, "oxo a", "Odd.",
            place=("T", "a", "lost")),
    Finding("b: won", 12, 12, agrees=True, command="oxo b", place=("T", "b", "won")),
    Finding("b: lost", None, 5, command="oxo b", place=("T", "b", "lost")),
    Finding("c: won", 16, 20, agrees=None, place=("T", "c", "won")),
    Finding("c: lost", 16, None, place=("T", "c", "lost")),
]  # fmt: skip
SHAPED = compared("shaped", "Shaped", FINDINGS)
LONG = Table("long", "Long", ("n", "low", "high", "nothing", "command"),
             tuple((n, n / 3, n / 2, None, "oxo x") for n in range(40)))  # fmt: skip
SECTIONS = [Section("First <one>", "", SHAPED), Section("Second", "", LONG)]
STUDY = Study("small", "Small", "Nowhere.", lambda _: iter(SECTIONS))


def whole(*sections: Section) -> str:
    return page(StudyReport(STUDY, False, 0, sections or tuple(SECTIONS), Path()), {})


def test_a_summary_counts_verdicts_and_leaves_out_readings_that_are_tried() -> None:
    counts = counted(verdicts(SECTIONS))
    assert counts == {"agrees": 2, "disagrees": 1, "cannot tell": 1, "open": 1}
    assert summary(counts) == "2 of 3 comparable figures agree. Cannot tell: 1. Open: 1."
    tried = compared("tried", "Tried", [replace(one, tried=True) for one in FINDINGS[:2]])
    assert not verdicts([Section("Tried", "", tried)])
    assert summary(counted([])) == "No published figures are compared."


def test_only_published_figures_have_a_verdict() -> None:
    columns = ("published", "ours", "agrees")
    assert verdict((None, 5, None), columns) == ""
    assert verdict((4, None, None), columns) == "open"
    assert verdict((4, 4, None), columns) == "cannot tell"
    assert verdict((4, 4, False), columns) == "disagrees"
    assert verdict((4, 4), ("published", "ours")) == ""


def test_columns_that_say_nothing_are_left_out_and_ends_become_an_interval() -> None:
    told = text_table(LONG)
    assert told.columns == ("n", "95 % interval")
    assert told.rows[1] == ("1", "0.33 to 0.50")
    assert told.numbers == {"n", "95 % interval"}


def test_figures_have_two_digits_of_their_uncertainty_or_those_that_were_published() -> None:
    rows = dict(zip(("won", "lost"), text_table(SHAPED).rows, strict=False))
    assert rows["won"][1:4] == ("34", "35.6", "31.5 to 39.9")
    assert rows["lost"][1:4] == ("85.77", "85.88", "81.04 to 89.91")
    plain = Table("p", "P", ("x",), ((123456.7,), (0.123456,), (1234567,), (False,)))
    assert [row[0] for row in text_table(plain).rows] == ["123,457", "0.1235", "1,234,567", "no"]


def test_published_tables_keep_their_shape() -> None:
    (shape,) = published(SHAPED)
    assert (shape.title, shape.columns) == ("T", ("won", "lost"))
    assert [name for name, _ in shape.rows] == ["a", "b", "c"]
    texts = [[cell.text for cell in cells if cell] for _, cells in shape.rows]
    assert texts == [["34 ≈ 35.6", "85.77 ≠ 85.88"], ["12 = 12", "(5)"], ["16 ? 20", "16 –"]]
    (holed,) = published(compared("h", "H", [FINDINGS[0], FINDINGS[5]]))
    assert [cells for _, cells in holed.rows] == [
        (Compared("34 ≈ 35.6", "agrees", 0), None), (None, Compared("16 –", "open", 1)),
    ]  # fmt: skip


def test_every_link_of_a_page_leads_somewhere() -> None:
    text = whole()
    links = set(re.findall(r"href='#([^']*)'", text))
    ids = re.findall(r" id='([^']*)'", text)
    assert links <= set(ids)
    assert len(ids) == len(set(ids))
    assert {"section-1", "section-2", "table-shaped", "row-shaped-1", "row-shaped-5"} <= links
    assert "2 of 3 comparable figures agree" in text
    assert "First &lt;one&gt;" in text


def test_commands_are_folded_away_one_for_the_rows_it_measures() -> None:
    text = whole()
    assert "<th>command" not in text
    assert "<summary>2 commands</summary>" in text
    assert "<li>a: won; a: lost: <code>oxo a</code></li>" in text
    assert "<summary>Command</summary><ol><li>0 and 39 more rows: <code>oxo x</code>" in text


def test_long_tables_show_their_first_rows() -> None:
    text = whole()
    assert "Show all 40 rows" in text
    visible = text.split("id='table-long'")[1].split("<tbody class='rest'>")[0]
    assert visible.count("<tr id=") == VISIBLE
    assert "Show all 6 rows" in text  # what is in the published table already
    short = replace(LONG, rows=LONG.rows[: VISIBLE + 1])
    assert "Show all" not in whole(Section("S", "", short))


def test_markdown_has_the_same() -> None:
    text = as_markdown("Small", "Intro.", SECTIONS)
    assert "**2 of 3 comparable figures agree. Cannot tell: 1. Open: 1.**" in text
    assert "Disagrees: a: lost." in text
    assert "| T | won | lost |\n| --- | --- | --- |\n| a | 34 ≈ 35.6 | 85.77 ≠ 85.88 |" in text
    assert "10 rows more: [long.csv](data/long.csv)." in text
    assert "oxo x" not in text


def test_an_index_sums_up_several_reports() -> None:
    other = replace(STUDY, name="other", title="Other")
    reports = [
        StudyReport(one, False, 0, tuple(SECTIONS), Path(f"r/study-{one.name}"))
        for one in (STUDY, other)
    ]
    text = index_page(reports)
    assert "<p class='lead'>4 of 6 comparable figures agree. Cannot tell: 2. Open: 2.</p>" in text
    assert "href='study-other/index.html#row-shaped-1'" in text
    assert "href='study-small/index.html#section-2'" in text
    assert "href='#other'" in text
    assert "id='other'" in text


def test_several_studies_are_measured_from_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from hyperoxo_research.study import running

    monkeypatch.setattr(running, "find_study", lambda name: replace(STUDY, name=name))
    reports = ox.studies(tmp_path / "r", ["one", "two"], figures=False)
    assert [report.study.name for report in reports] == ["one", "two"]
    assert "study-two/index.html" in (tmp_path / "r" / "index.html").read_text("utf-8")
    assert (tmp_path / "r" / "study-one" / "report.md").read_text("utf-8").startswith("# Small\n")
    assert reports[0].as_data()["summary"]["agrees"] == 2
