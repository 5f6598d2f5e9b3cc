"""Reports in a browser, without scripts: on a phone, folded, and printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo_research.study import Finding, Section, Study, Table, compared
from hyperoxo_research.study.report import StudyReport, page
from tests.hyperoxo_web.pages.conftest import People

ROWS = Table("long", "Long", ("name of the row", "value"), tuple((f"r{n}", n) for n in range(40)))
WIDE = compared("wide", "Wide", [
    Finding(f"some quantity {n}", n, n, n, (0.0, n + 1.0), True, f"oxo {n}", "A remark.", "page 1")
    for n in range(3)
])  # fmt: skip


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "index.html"
    sections = (Section("One", "Text.", (ROWS, WIDE)),)
    study = Study("small", "Small", "Nowhere.", lambda _: iter(sections))
    path.write_text(page(StudyReport(study, False, 0, sections, path.parent), {}), "utf-8")
    return path


@pytest.mark.more
def test_folds_open_and_are_printed(browser: People, report: Path) -> None:
    tab = browser.context("reader", 390, 800, java_script_enabled=False).new_page()
    tab.goto(report.as_uri())
    last, command = tab.get_by_text("r39", exact=True), tab.get_by_text("oxo 1", exact=True)
    assert not last.is_visible()
    assert not command.is_visible()
    tab.emulate_media(media="print")
    assert last.is_visible()
    assert command.is_visible()
    tab.emulate_media(media="screen")
    tab.get_by_text("Show all 40 rows").click()
    assert last.is_visible()
    tab.get_by_text("Show fewer rows").click()
    tab.get_by_text("3 commands").click()
    assert command.is_visible()
    assert not last.is_visible()
    tab.goto(f"{report.as_uri()}#row-long-39")
    assert last.is_visible()
    tab.close()


@pytest.mark.more
def test_a_phone_needs_no_scrolling_sideways(browser: People, report: Path) -> None:
    tab = browser.context("phone", 320, 700).new_page()
    tab.goto(report.as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    tab.close()
