"""Running a study: measure, and write the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from hyperoxo.errors import SpecError
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.study.bench import Bench
from hyperoxo.lab.study.parts import Section, Study, Table
from hyperoxo.lab.study.registry import find_study
from hyperoxo.lab.study.report import write_report
from hyperoxo.task import Progress

__all__ = ["StudyReport", "study"]


@dataclass(frozen=True)
class StudyReport:
    """What a study came to."""

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

    def as_data(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "study": self.study.name,
            "title": self.study.title,
            "full": self.full,
            "seed": self.seed,
            "scale": self.scale,
            "folder": str(self.folder),
            "source": self.study.source,
            "sections": [section.as_data() for section in self.sections],
            "tables": [table.as_data() for table in self.tables],
        }


def study(
    name: str,
    folder: str | Path | None = None,
    *,
    full: bool = False,
    scale: float = 1.0,
    parts: int | None = None,
    seed: int = 0,
    figures: bool = True,
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
        One of :data:`hyperoxo.lab.study.STUDIES`.
    folder : str or Path, optional
        Where the report goes; ``study-NAME`` in the current folder by default. It gets
        ``index.html``, which needs no other file, ``tables.json``, ``data/*.csv``,
        ``figures/*.svg`` and ``.png``, and ``files`` with proofs where a study has some.
    full : bool
        Samples of full size; otherwise what takes about a minute.
    scale : float
        Part of each sample that is taken, 0 to 1, for a quick look.
    parts : int, optional
        How many sections there are to be, from the first on; all if not given.
    seed : int
        Seed of everything.
    figures : bool
        Whether figures are drawn, which takes matplotlib.
    workers : int
        How many play at once; results do not depend on it.
    executor : concurrent.futures.Executor, optional
        Who plays, instead of workers of this call's own.
    store : ResultStore, optional
        Where all that is played is kept. A study that was left before its end is gone on with.
    progress : callable, optional
        Called with (games played, games wanted) of what is being played.
    note : callable, optional
        Called with the title of each section when it is done.

    Returns
    -------
    StudyReport
        The tables.

    Raises
    ------
    SpecError
        If there is no such study.
    MissingExtraError
        If figures are wanted and matplotlib is not installed.
    OSError
        If the folder cannot be written.
    """
    if seed < 0:
        raise SpecError(f"a seed must not be negative, not {seed}")
    if not 0 < scale <= 1:
        raise SpecError(f"the scale must be above 0 and at most 1, not {scale}")
    found = find_study(name)
    place = Path(f"study-{name}") if folder is None else Path(folder)
    if figures:
        _check_figures()
    place.mkdir(parents=True, exist_ok=True)
    sections = []
    with _kept(found, full, scale, seed, store, workers) as kept:
        bench = Bench(full, seed, workers, kept, progress, executor, scale)
        for section in islice(found.sections(bench), parts):
            sections.append(section)
            if note is not None:
                note(section.title)
        # Written while the study counts as unfinished: where that fails, nothing is played again.
        report = StudyReport(found, full, seed, tuple(sections), place, scale)
        # Where it was made says nothing about it: it may be moved, and equal ones are equal.
        data = {name: value for name, value in report.as_data().items() if name != "folder"}
        write_report(data, found, report.sections, place, figures=figures)
    return report


def _check_figures() -> None:
    """Refuse before the games rather than after them."""
    from hyperoxo.lab.plots import styled

    with styled():
        pass


@contextmanager
def _kept(
    found: Study,
    full: bool,
    scale: float,
    seed: int,
    store: ResultStore | None,
    workers: int,
) -> Iterator[ResultStore | None]:
    """Note the study in the store, and make what it plays a part of it."""
    if store is None:
        yield None
        return
    settings = {"study": found.name, "full": full, **({} if scale == 1 else {"scale": scale})}
    run = store.begin(RunRequest("study", "", settings, seed), workers=workers)
    try:
        yield store.part_of(run)
    except BaseException:
        store.end(run, done=False)
        raise
    store.end(run, done=True)
