"""`oxo study`: published tables measured again, as reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.lab import LabOptions, lab_options_of_seed
from hyperoxo.cli.options import Options
from hyperoxo.cli.output import table
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.lab.study import StudyReport

__all__ = ["command"]

_COMPARED = ("quantity", "published", "ours", "low", "high", "sample", "agrees")


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--full", is_flag=True, help="Samples of full size; without it about a minute.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the report, instead of ./study-NAME; with 'all' one that holds them.",
)
@click.option("--no-figures", is_flag=True, help="Draw no figures, which take the extra 'plot'.")
@lab_options_of_seed(0)
def command(
    name: str | None,
    full: bool,
    out: Path | None,
    no_figures: bool,
    lab: LabOptions,
    options: Options,
) -> None:
    """Measure the tables of the study NAME again, or of all; list the studies without a NAME.

    The report is a folder: a page that stands alone, figures, and the tables as CSV and JSON, with
    what was published beside ours, intervals, and the command for each figure. The seed is 0 unless
    given.
    """
    from hyperoxo.lab.study import STUDIES, find_study

    if name is None:
        listed = [{"name": key, "title": title} for key, (_, title) in STUDIES.items()]
        options.emit({"studies": listed}, text=lambda: _print_studies(listed))
        return
    names = list(STUDIES) if name == "all" else [find_study(name).name]
    reports = []
    for one in names:
        folder = Path(f"study-{one}") if out is None else out / f"study-{one}"
        place = out if out is not None and name != "all" else folder
        reports.append(_run(one, place, full, no_figures, lab, options))
    if name == "all":
        data: dict[str, Any] = {"studies": [report.as_data() for report in reports]}
        data["tables"] = [entry for study in data["studies"] for entry in study["tables"]]
    else:
        data = reports[0].as_data()
    options.emit(data, text=lambda: _print(reports))


def _run(
    name: str, folder: Path, full: bool, no_figures: bool, lab: LabOptions, options: Options
) -> StudyReport:
    from hyperoxo.lab.study import study

    options.note(f"study {name} ...")
    with (
        lab.opened(options) as store,
        lab.shared() as shared,
        Progress("playing", quiet=options.quiet) as progress,
    ):
        report = study(
            name,
            folder,
            full=full,
            seed=options.seed or 0,
            figures=not no_figures,
            store=store,
            progress=progress,
            note=lambda title: options.note(f"  {title}"),
            **shared,
        )
    options.note(f"wrote {folder / 'index.html'}")
    return report


def _print_studies(listed: list[dict[str, str]]) -> None:
    table(["study", "about"], [(one["name"], one["title"]) for one in listed])


def _print(reports: list[StudyReport]) -> None:
    for report in reports:
        for shown in report.tables:
            # The reasons and commands are in the report; lines of a terminal are short.
            kept = [
                i
                for i, column in enumerate(shown.columns)
                if column in _COMPARED or ("published" not in shown.columns and column != "command")
            ]
            rows = [tuple(_cell(row[i]) for i in kept) for row in shown.rows]
            table([shown.columns[i] for i in kept], rows, title=f"\n{shown.title}")


def _cell(cell: object) -> object:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:.5g}" if isinstance(cell, float) else cell
