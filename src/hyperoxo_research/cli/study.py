"""`oxo study`: published tables measured again, as reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli import options as cli
from hyperoxo.cli.output import print_text
from hyperoxo.cli.runs import LabOptions, laboratory, requested
from hyperoxo.display import table

if TYPE_CHECKING:
    from hyperoxo.lab.requests import RunRequest
    from hyperoxo_research.study import Picture, StudyReport, Table

_LEFT_OUT = ("read in", "remark", "command")
"""Columns that are in the report only: lines of a terminal are short."""

_ROWS = 30
"""Longer tables are cut here, unless all rows are wanted."""


@cli.command("study ising", "study all --full --out reports")
def command(
    options: cli.Options,
    request: RunRequest = requested("study"),
    out: Path | None = cli.option(
        "Folder for the report, instead of ./study-NAME; with 'all', the folder for all reports "
        "and a page that sums them up, instead of ./studies.",
        click.Path(file_okay=False, path_type=Path),
    ),
    all_rows: bool = cli.flag("Print long tables whole."),
    no_figures: bool = cli.flag("Draw no figures."),
    show: bool = cli.flag("Draw the figures in the terminal."),
    lab: LabOptions = laboratory(),
) -> int:
    """Repeat the measurements of a study, or of 'all'; without NAME, list the studies.

    The report is a folder: a self-contained page, the same as Markdown, figures, and the tables as
    CSV and JSON, with published figures beside ours, intervals, and the command for each figure.
    The seed is 0 unless given.
    """
    from hyperoxo_research.study import find_study, study_titles
    from hyperoxo_research.study.running import write_index

    if show:
        from hyperoxo.lab.plots.style import check_drawing

        check_drawing()  # before the games
    name = request.options["study"]
    if name is None:
        listed = [{"name": key, "title": title} for key, title in study_titles().items()]
        options.emit(
            {"studies": listed},
            "|studies| study={name} | about={title} |",
        )
        return 0
    names = list(study_titles()) if name == "all" else [find_study(name).name]
    reports = []
    whole = (out or Path("studies")) if name == "all" else None
    for one in names:
        folder = f"study-{one}"
        place = whole / folder if whole is not None else out or Path(folder)
        try:
            reports.append(_run(request, one, place, False if no_figures else None, lab, options))
        except KeyboardInterrupt:
            return options.interrupted("the same command resumes it and repeats no game")
    if whole is not None:
        options.note(f"wrote {write_index(reports, whole)}")
        data: dict[str, Any] = {"studies": [report.as_data() for report in reports]}
        data["tables"] = [entry for study in data["studies"] for entry in study["tables"]]
    else:
        data = reports[0].as_data()
    options.emit(data, text=lambda: _print(reports, show=show, all_rows=all_rows))
    return 0


def _run(
    request: RunRequest,
    name: str,
    folder: Path,
    figures: bool | None,
    lab: LabOptions,
    options: cli.Options,
) -> StudyReport:
    options.note(f"study {name} ...")
    with cli.sole_writer_of_folder(folder):
        report: StudyReport = lab.carry_out(
            replace(request, options={**request.options, "study": name}),
            options,
            folder=folder,
            figures=figures,
            note=lambda title: options.note(f"  {title}"),
        )
    options.note(f"wrote {folder / 'index.html'}")
    return report


def _print(reports: list[StudyReport], *, show: bool, all_rows: bool) -> None:
    from hyperoxo_research.study.display import counted, summary, verdicts

    for report in reports:
        for section in report.sections:
            _print_tables(section.tables, report.folder, show=show, all_rows=all_rows)
            if show:
                _print_pictures(section.pictures)
        found = verdicts(report.sections)
        click.echo(f"\n{report.study.title}: {summary(counted(found))}")
        for words in ("disagrees", "open"):
            named = "; ".join(one.quantity for one in found if one.words == words)
            if named:
                click.echo(f"{words.capitalize()}: {named}.")


def _print_tables(tables: Sequence[Table], folder: Path, *, show: bool, all_rows: bool) -> None:
    from hyperoxo_research.study.display import LEGEND, published, text_table

    for one in tables:
        texts, title = text_table(one, without=_LEFT_OUT), f"\n{one.title}"
        shapes = list(published(one))
        for shape in shapes:
            rows = [(name, *(cell and cell.text for cell in row)) for name, row in shape.rows]
            head = title if shape is shapes[0] else ""
            print_text([table([shape.title, *shape.columns], rows, title=head)])
        if shapes:
            click.echo(LEGEND)
        limit = len(texts.rows) if all_rows else 0 if shapes else _ROWS
        if limit:
            shown = table(texts.columns, texts.rows[:limit], title=title, right=texts.numbers)
            print_text([shown])
        if limit < len(texts.rows):
            path = folder / "data" / f"{one.name}.csv"
            click.echo(f"{'All' if shapes else 'The other'} {len(texts.rows) - limit} rows: {path}")
        if show and {"published", "ours", "low"} <= set(one.columns):
            _print_compared(one)


def _print_pictures(pictures: Sequence[Picture]) -> None:
    from hyperoxo_research.plots.text import figure_text

    for picture in pictures:
        figure = picture.draw()
        if not isinstance(figure, str) and (drawn := figure_text(figure)):
            click.echo(f"\n{picture.caption}\n{drawn}")


def _print_compared(text_table: Table) -> None:
    """Draw percentages, with their intervals and published figures."""
    from hyperoxo.lab.plots.text import text_intervals

    rows: list[dict[str, Any]] = [
        dict(zip(text_table.columns, row, strict=True))
        for row in text_table.rows
        if str(row[0]).endswith("%")
    ]
    if rows:
        spans = [None if row["low"] is None else (row["low"], row["high"]) for row in rows]
        names = [str(row["quantity"]) for row in rows]
        chart = text_intervals(
            names, [row["ours"] for row in rows], spans, [row["published"] for row in rows]
        )
        click.echo(f"\n{chart}\n● ours, with its interval; x published")
