"""Running a study: measure, and write the report."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from hyperoxo.errors import MissingExtraError, SpecError
from hyperoxo.files import replace_file
from hyperoxo.lab.plots.style import check_drawing, save, svg_text
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.results.store import ResultStore, end_run
from hyperoxo.task import Progress, Task
from hyperoxo_research.study.parts import Bench, Section, Study, Table
from hyperoxo_research.study.registry import find_study, study_titles
from hyperoxo_research.study.report import (
    StudyReport,
    as_markdown,
    index_page,
    page,
    templates,
)


def write_report(report: StudyReport, *, figures: bool) -> None:
    """Write a report; each file appears under its name once it is complete."""
    folder, sections = report.folder, report.sections
    drawn = _figures(sections, folder / "figures") if figures else {}
    (folder / "data").mkdir(exist_ok=True)
    for section in sections:
        for table in section.tables:
            replace_file(folder / "data" / f"{table.name}.csv", _as_csv(table))
        for attached in section.files:
            (folder / "files").mkdir(exist_ok=True)
            attached.write(folder / "files" / attached.name)
    # Without the folder, so that equal reports are equal and can be moved.
    data = {name: value for name, value in report.as_data().items() if name != "folder"}
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    replace_file(folder / "tables.json", text.encode())
    intro = f"{report.study.source}\n\nMade by `{report.command}`, with {report.size}."
    markdown = as_markdown(report.study.title, intro, sections, pictures=drawn)
    replace_file(folder / "report.md", markdown.encode())
    replace_file(folder / "index.html", page(report, drawn).encode())


def _figures(sections: Sequence[Section], folder: Path) -> dict[str, str]:
    """Draw all pictures; return them by name as SVG."""
    folder.mkdir(exist_ok=True)
    drawn = {}
    for section in sections:
        for picture in section.pictures:
            figure = picture.draw()
            if isinstance(figure, str):
                replace_file(folder / f"{picture.name}.svg", figure.encode())
                drawn[picture.name] = figure
                continue
            for ending in ("svg", "png"):
                save(figure, folder / f"{picture.name}.{ending}")
            drawn[picture.name] = svg_text(figure)
    return drawn


def _as_csv(table: Table) -> bytes:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(["" if cell is None else cell for cell in row] for row in table.rows)
    return stream.getvalue().encode()


def study(
    name: str,
    folder: str | Path | None = None,
    *,
    full: bool = False,
    scale: float = 1.0,
    parts: int | None = None,
    seed: int = 0,
    figures: bool | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    store: ResultStore | None = None,
    progress: Progress | None = None,
    note: Callable[[str], None] | None = None,
) -> StudyReport:
    """Measure the tables of a study again, and write a report.

    Parameters
    ----------
    name : str
        One of :func:`hyperoxo_research.study.study_titles`.
    folder : str or Path, optional
        Folder of the report; ``study-NAME`` in the current folder by default. It receives
        ``index.html``, which needs no other file, ``report.md``, ``tables.json``, ``data/*.csv``,
        ``figures/*.svg`` and ``.png``, and ``files`` with proofs where a study has some.
    full : bool
        Samples of full size; otherwise of a size that takes about a minute.
    scale : float
        Fraction of each sample to play, 0 to 1, for a quick look.
    parts : int, optional
        Number of sections, from the first on; all if not given.
    seed : int
        Seed of everything.
    figures : bool, optional
        Whether figures are drawn, which needs matplotlib; where it is installed, if not given.
    workers : int
        Number of games played in parallel; results do not depend on it.
    executor : concurrent.futures.Executor, optional
        Executor of the games, instead of workers that this call starts.
    store : ResultStore, optional
        Store of the results. An unfinished study is resumed.
    progress : callable, optional
        Called with (games played, games wanted) of the current sample.
    note : callable, optional
        Called with the title of each section when it is done, and before with why figures are
        left out.

    Returns
    -------
    StudyReport
        The tables.

    Raises
    ------
    SpecError
        If there is no such study.
    MissingExtraError
        If jinja2 is not installed, or figures are asked for and matplotlib is not.
    OSError
        If the folder cannot be written.
    """
    if seed < 0:
        raise SpecError(f"a seed must be at least 0, not {seed}")
    if not 0 < scale <= 1:
        raise SpecError(f"the scale must be above 0 and at most 1, not {scale}")
    found = find_study(name)
    place = Path(f"study-{name}") if folder is None else Path(folder)
    templates()  # before the games rather than after them, as what is missing below
    try:
        if figures is not False:
            check_drawing()
            figures = True
    except MissingExtraError as error:
        if figures:
            raise
        figures = False
        if note is not None:
            note(f"without figures: {error}")
    place.mkdir(parents=True, exist_ok=True)
    sections = []
    with (
        Task.shared(progress, workers, executor) as task,
        _record(found, full, scale, seed, store, task.width) as record,
    ):
        bench = Bench(full, seed, record, task, scale, place)
        for section in islice(found.sections(bench), parts):
            sections.append(section)
            if note is not None:
                note(section.title)
        # Written while the study counts as unfinished: where that fails, nothing is played again.
        report = StudyReport(found, full, seed, tuple(sections), place, scale)
        write_report(report, figures=figures)
    return report


def studies(
    folder: str | Path = "studies", names: Sequence[str] = (), **settings: Any
) -> list[StudyReport]:
    """Measure several studies, and write a page that sums them up.

    Parameters
    ----------
    folder : str or Path
        Folder that receives ``index.html`` and a report ``study-NAME`` for each study.
    names : sequence of str
        Which studies; all if not given.
    **settings
        Options of :func:`study`, for all of them.

    Returns
    -------
    list of StudyReport
        The reports, in the order of `names`.

    Raises
    ------
    SpecError, MissingExtraError, OSError
        As :func:`study` does.

    Examples
    --------
    >>> reports = ox.studies("reports", ["prolog"], scale=0.02, parts=1)  # doctest: +SKIP
    """
    wanted = [find_study(name).name for name in names or study_titles()]
    reports = [study(name, Path(folder) / f"study-{name}", **settings) for name in wanted]
    write_index(reports, Path(folder))
    return reports


def write_index(reports: Sequence[StudyReport], folder: Path) -> Path:
    """Write the summary page of reports in folders of `folder`; return its path."""
    replace_file(folder / "index.html", index_page(reports).encode())
    return folder / "index.html"


@contextmanager
def _record(
    found: Study,
    full: bool,
    scale: float,
    seed: int,
    store: ResultStore | None,
    workers: int,
) -> Iterator[ResultStore | None]:
    """Record the study in the store; runs within it are stored as its parts."""
    if store is None:
        yield None
        return
    settings = {"study": found.name, "full": full, **({} if scale == 1 else {"scale": scale})}
    run = store.begin(RunRequest("study", "", settings, seed), workers=workers)
    try:
        yield store.part_of(run)
    except BaseException:
        end_run(store, run, done=False)
        raise
    end_run(store, run, done=True)
