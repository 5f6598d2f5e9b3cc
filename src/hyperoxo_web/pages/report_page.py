"""The report of a study: a page of words alone, written as the report's own file writes figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hyperoxo_research.study.parts import Section, Table
from hyperoxo_research.study.shown import commands_of, counted, shown, verdicts
from hyperoxo_web.pages.component import Page, page
from hyperoxo_web.server import RefusedError

_FROM_RESEARCH = {"counted": counted, "verdicts": verdicts, "shown": shown, "commands": commands_of}


class ReportPage(Page):
    """The report of a study in one browser."""

    paths = ("/report/{name}",)
    missing = "There is no such report."
    why = "It may have been deleted."
    script = "report"
    styles = ("list", "results", "report")

    async def build(self, name: str) -> None:
        """Build the page."""
        report = await self.core.laboratory.ask("report", name=name)
        title = report["title"] or name
        try:
            sections = [(one, _section(one, report["tables"])) for one in report["sections"]]
            values = {"report": report, "sections": sections, **_FROM_RESEARCH}
            self.markup = page("report.html", "/lab", title, self.styles, **values)
        except (AttributeError, KeyError, TypeError, ValueError):  # no program of ours wrote it
            raise RefusedError("no-report", "there is no such report") from None


def _section(data: Mapping[str, Any], tables: Mapping[str, Mapping[str, Any]]) -> Section:
    own = [tables[name] for name in data["tables"] if name in tables]
    return Section(data["title"], data["text"], tuple(map(_table, own)))


def _table(data: Mapping[str, Any]) -> Table:
    columns = tuple(map(str, data["columns"]))
    rows = tuple(tuple(map(row.get, columns)) for row in data["rows"])
    return Table(data["name"], data["title"], columns, rows, data["text"])
