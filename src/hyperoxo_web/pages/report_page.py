"""The report of a study: a page of words alone, written as the report's own file writes figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hyperoxo_research.study.parts import Section, Table
from hyperoxo_research.study.shown import commands_of, counted, shown, verdicts
from hyperoxo_web.pages.component import Page
from hyperoxo_web.pages.shell import page
from hyperoxo_web.server import RefusedError


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
        try:
            tables = {key: _table(one) for key, one in report["tables"].items()}
            sections = [(one, _section(one, tables)) for one in report["sections"]]
            self.markup = page(
                "report.html",
                "/lab",
                report["title"] or name,
                self.styles,
                report=report,
                sections=sections,
                size=_size(report),
                shown=shown,
                commands_of=commands_of,
                counted=lambda section: counted(verdicts([section])),
            )
        except (AttributeError, KeyError, TypeError, ValueError):  # no program of ours wrote it
            raise RefusedError("no-report", "there is no such report") from None


def _table(data: Mapping[str, Any]) -> Table:
    columns = tuple(map(str, data["columns"]))
    rows = tuple(tuple(map(row.get, columns)) for row in data["rows"])
    return Table(data["name"], data["title"], columns, rows, data["text"])


def _section(data: Mapping[str, Any], tables: Mapping[str, Table]) -> Section:
    own = tuple(tables[name] for name in data["tables"] if name in tables)
    return Section(data["title"], data["text"], own)


def _size(report: Mapping[str, Any]) -> str:
    part = f"{100 * report['scale']:.3g} % of " if report["scale"] < 1 else ""
    return f"{part}{'full' if report['full'] else 'reduced'} samples"
