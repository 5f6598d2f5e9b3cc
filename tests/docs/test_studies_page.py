"""Pages of studies are Markdown that says what was measured and how."""

from __future__ import annotations

from hyperoxo_research.study import STUDIES, Section, Table
from tests.docs.test_documents import DOCS, load


def test_a_page_has_its_tables_and_the_command() -> None:
    module = load(DOCS / "_ext" / "studies.py")
    assert module.PARTS.keys() <= STUDIES.keys()
    rows = tuple((f"a|b {number}", 0.123456789, None, True, "oxo x") for number in range(40))
    table = Table("t", "Rows", ("quantity", "ours", "low", "agrees", "command"), rows)
    text = module.page("ising", "A title", [Section("One", "Said.", table)])
    assert text.startswith("# A title\n\nMeasured when these pages were built")
    assert "`oxo study ising --scale 0.05`" in text
    assert "| quantity | ours | agrees |" in text
    assert "| a\\|b 0 | 0.1235 | yes |" in text
    assert "10 rows more: [t.csv](ising/data/t.csv)." in text
    assert "oxo x" not in text
