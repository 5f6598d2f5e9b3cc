"""Reports of studies: one structure, rendered by templates as HTML and as Markdown.

Pages are self-contained and run no script: folded parts are plain HTML, and are printed.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hyperoxo.display import Result
from hyperoxo.errors import MissingExtraError
from hyperoxo_research.study import display
from hyperoxo_research.study.display import Verdict, counted, verdicts
from hyperoxo_research.study.parts import Section, Study, Table

if TYPE_CHECKING:
    from jinja2 import Environment

_ROWS = 30
"""Longer tables of Markdown are cut here."""

_DISPLAY = (
    "INTERVAL", "LEGEND", "SIGNS", "VISIBLE", "commands_of", "counted", "published",
    "repeated_remarks", "summary", "text_table",
)  # fmt: skip
"""The names of `display` that templates use."""


@dataclass(frozen=True)
class StudyReport(Result):
    """The result of a study."""

    study: Study
    full: bool
    seed: int
    sections: tuple[Section, ...]
    folder: Path
    scale: float = 1.0

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables."""
        return tuple(table for section in self.sections for table in section.tables)

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """The verdicts on all published figures."""
        return verdicts(self.sections)

    @property
    def by_table(self) -> list[tuple[str, str, dict[str, int]]]:
        """Tables that compare figures: link, title, and numbers of verdicts."""
        tables = {one.table.name: one.table for one in self.verdicts}
        return [
            (f"#table-{name}", table.title, counted([v for v in self.verdicts if v.table is table]))
            for name, table in tables.items()
        ]

    @property
    def command(self) -> str:
        """The command that made it."""
        words = " --full" if self.full else ""
        words += f" --scale {self.scale:g}" if self.scale < 1 else ""
        return f"oxo study {self.study.name}{words} --seed {self.seed}"

    @property
    def size(self) -> str:
        """Its sample sizes in words."""
        size = "full sample sizes" if self.full else "reduced sample sizes"
        return f"{self.scale:g} of {size}" if self.scale < 1 else size

    _data = (
        "study=study.name title=study.title full seed scale folder source=study.source summary "
        "sections tables"
    )

    @property
    def summary(self) -> dict[str, int]:
        """Verdicts of all figures, counted."""
        return counted(self.verdicts)


@cache
def templates() -> Environment:
    """Load the templates of pages."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
    except ImportError:
        raise MissingExtraError("research", "writing reports") from None
    found = Environment(
        loader=PackageLoader("hyperoxo_research.study"),
        autoescape=select_autoescape(["html"]),
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    found.globals.update({name: getattr(display, name) for name in _DISPLAY}, ROWS=_ROWS)
    found.filters.update(plain=_plain, own_ids=_own_ids)
    return found


def page(report: StudyReport, figures: Mapping[str, str]) -> str:
    """Return the page of a study; `figures` are SVG by name."""
    return templates().get_template("report.html").render(report=report, figures=figures)


def index_page(reports: Sequence[StudyReport]) -> str:
    """Return a summary page of several reports, whose folders are beside it."""
    rows = [(f"#{one.study.name}", one.study.title, counted(one.verdicts)) for one in reports]
    every = [verdict for one in reports for verdict in one.verdicts]
    return templates().get_template("index.html").render(reports=reports, rows=rows, every=every)


def as_markdown(
    title: str,
    intro: str,
    sections: Sequence[Section],
    folder: str = "",
    *,
    pictures: Container[str] | None = None,
) -> str:
    """Return a report as Markdown; its files are in `folder`, `pictures` are those drawn."""
    text = (
        templates()
        .get_template("report.md")
        .render(
            title=title, intro=intro, sections=sections, folder=folder, pictures=pictures,
            found=verdicts(sections),
        )
    )  # fmt: skip
    return "\n\n".join(filter(None, (part.strip("\n") for part in text.split("\n\n")))) + "\n"


def _plain(text: str) -> str:
    """Escape text for Markdown, in one line."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("\n", " ")


def _own_ids(svg: str, name: str) -> Any:
    """Prefix the ids of a figure, so that several can share a page."""
    from markupsafe import Markup

    for mark in ('id="', 'href="#', "url(#"):
        svg = svg.replace(mark, f"{mark}{name}-")
    return Markup(svg)  # noqa: S704 - drawn by this program
