"""Figures of speed in the text are those of the last full run of the benchmarks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hyperoxo_research.bench.bench import CASES
from hyperoxo_research.bench.rows import Row
from tests.docs.test_documents import load

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FIGURES = load(DOCS / "_ext" / "figures.py")
_, ROWS = FIGURES.read(DOCS)
NEAR = 2.0
"""A figure of the README is rounded, and may be off by this factor."""


def test_every_case_is_in_the_file() -> None:
    assert {row.case for row in ROWS} == {
        *(*CASES, "server", "pages", "library", "cluster", "connect four"),
    }


def test_rows_are_read_as_they_were_written() -> None:
    grown = [row for row in ROWS if row.growth is not None]
    assert grown
    for row in [*grown, *ROWS[:3]]:
        assert FIGURES.row_of(json.loads(json.dumps(row.as_data()))) == row


def test_roles_name_rows() -> None:
    asked = [
        (page.name, name)
        for page in sorted(DOCS.glob("*.md"))
        for name in re.findall(r"(?<!`` ){bench}`([^`]+)`", page.read_text("utf-8"))
    ]
    assert len(asked) > 10
    for _, name in asked:
        assert FIGURES.said(ROWS, name)


def test_the_readme_agrees() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    found = re.findall(r"([\d.]+) (\w+) <!-- bench: (.+?) -->", text)
    assert len(found) == text.count("<!-- bench:") > 0
    for number, unit, name in found:
        (row,) = (row for row in ROWS if row.name == name)
        assert row.unit == unit
        assert 1 / NEAR <= float(number) / row.ours <= NEAR, f"{name} takes {row.shown}"


def test_a_role_says_one_figure() -> None:
    rows = [
        Row("walk", 2.0, "s", 5.0, "a dog, here"),
        Row("dig", 3.0, "ms"),
        Row("dig", 30.0, "positions", 60.0),
    ]
    asked = ("walk", "walk | ratio", "walk | peer", "dig | positions", "dig | positions | ratio")
    assert [FIGURES.said(rows, one) for one in asked] == ["2 s", "2.5", "5 s", "30 positions", "2"]
    for wrong in ("run", "dig", "dig | ms | ratio", "dig | s"):
        with pytest.raises(ValueError, match=r"results\.json has"):
            FIGURES.said(rows, wrong)


def test_tables_have_the_columns_that_are_used() -> None:
    lines = list(FIGURES._table([Row("walk", 2.0, "s"), Row("a|b", 3.0, "ms", target=4.0)]))
    assert lines == [
        "| benchmark | ours | target |",
        "| --- | --- | --- |",
        "| walk | 2 s |  |",
        "| a\\|b | 3 ms | 4 ms |",
    ]
