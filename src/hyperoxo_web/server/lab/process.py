"""Laboratory service in a worker process: plays runs, reads their results.

The server names methods of `Runs` in requests. When the server ends, so do this process and the
processes that play for it; games played are in the store.
"""

from __future__ import annotations

import _thread
import json
import os
import shutil
import signal
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Game
from hyperoxo.lab.recall import recall
from hyperoxo.lab.requests import RunRequest, carry_out
from hyperoxo.lab.results import ResultStore, result_rows, run_infos
from hyperoxo.lab.results.listing import Filter, csv_text
from hyperoxo.lab.results.store import is_left, this_process
from hyperoxo.lab.tournament import TournamentResult
from hyperoxo.task import Task
from hyperoxo_research.study import find_study, study_titles
from hyperoxo_web.server.lab.reports import report_data, report_list
from hyperoxo_web.server.lab.views import brief, run_view
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.worker import Job, job

_OFTEN = 0.2
_UNFINISHED = ".unfinished-"


def answer(method: str, store: Path, reports: Path, **given: Any) -> Any:
    """Call a method of `Runs`; failures of the disk are refusals that name no folder."""
    try:
        return getattr(Runs(store, reports), method)(**given)
    except OSError as error:
        message = f"a file could not be read or written: {error.strerror or 'the disk failed'}"
        raise RefusedError("store", message) from None
    except CheckFailedError as error:
        text = str(error)
        for folder in (store.parent, reports):
            text = text.replace(f"{folder}{os.sep}", "")
        raise RefusedError("store", text) from None


class Runs:
    """A store of results, and a folder of reports."""

    def __init__(self, store: Path, reports: Path) -> None:
        self._store, self._reports = store, reports

    def play(self, request: dict[str, Any], run: int | None, workers: int) -> str:
        """Play until done or stopped; return the state of the run."""
        # Reports the number of the `run`, its `games`, and each `section` of a study.
        # A stop is an interrupt, as by Ctrl-C in a command: what plays knows how to end on it.
        # Otherwise the process ignores SIGINT. The handler is set before `on_stop`, and the flag is
        # read after it: a stop that came earlier is seen by the flag, a later one interrupts.
        work, previous = job(), signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            work.on_stop = _interrupt
            if work.stopped.is_set():
                return "interrupted"
            self._carry_out(RunRequest(**request), run, workers, work)
        except KeyboardInterrupt:
            return "interrupted"
        finally:
            work.on_stop = lambda: None
            signal.signal(signal.SIGINT, previous)
        return "done"

    def _carry_out(self, asked: RunRequest, run: int | None, workers: int, work: Job) -> None:
        unfinished = _report_folder(self._reports)
        last = 0.0

        def progress(games: int, wanted: int) -> None:
            nonlocal last
            if time.monotonic() - last > _OFTEN:
                last = time.monotonic()
                work.tell({"games": games, "wanted": wanted})

        with _ReportingStore(self._store, run, work) as store:
            try:
                carry_out(
                    asked,
                    store,
                    workers=workers,
                    task=Task(progress),
                    note=lambda title: work.tell({"section": title}),
                    folder=unfinished if asked.kind == "study" else None,
                )
                # The report is written beside its place and renamed: readers see all or nothing.
                if asked.kind == "study":
                    name = self._reports / f"run-{store.number}"
                    shutil.rmtree(name, ignore_errors=True)
                    unfinished.replace(name)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)

    def listing(self, picked: dict[str, Any], limit: int, offset: int) -> list[dict[str, Any]]:
        """Return runs."""
        if not self._store.exists():
            return []
        with ResultStore(self._store) as store:
            return [brief(info) for info in run_infos(store, _filter(picked), limit, offset)]

    def view(self, run: int, chosen: dict[str, Any] | None, seen: str) -> dict[str, Any]:
        """Return a run with its results so far; see `run_view`."""
        if self._store.exists():
            with ResultStore(self._store) as store:
                if run_infos(store, Filter(run=run)):
                    return run_view(store, run, chosen, seen)
        raise RefusedError("no-run", f"there is no run {run}")

    def rows(self, picked: dict[str, Any], form: str) -> str:
        """Return rows as CSV or JSON text."""
        rows = []
        if self._store.exists():
            with ResultStore(self._store) as store:
                rows = result_rows(store, _filter(picked))
        if form == "json":
            return json.dumps({"rows": [row.as_data() for row in rows]})
        return csv_text(rows)

    def skills(self, run: int) -> Any:
        """Return openskill ratings of a tournament, the best first."""
        with ResultStore(self._store) as store:
            found = recall(store, run)
        assert isinstance(found, TournamentResult)
        rated = [
            {"agent": spec, **asdict(skill)}
            for spec, skill in zip(found.agents, found.skills(), strict=True)
        ]
        return sorted(rated, key=lambda row: -row["ordinal"])

    def delete(self, run: int) -> None:
        """Delete a run and its report."""
        with ResultStore(self._store) as store:
            try:
                store.delete(run)
            except SpecError as error:
                raise RefusedError("nothing-to-do", str(error)) from None
        shutil.rmtree(self._reports / f"run-{run}", ignore_errors=True)

    def studies(self) -> dict[str, Any]:
        """Return the studies, and the reports on the disk."""
        studies = [
            {"name": name, "title": title, "source": find_study(name).source}
            for name, title in study_titles().items()
        ]
        return {"studies": studies, "reports": report_list(self._reports)}

    def report(self, name: str) -> dict[str, Any]:
        """Return a report as plain values."""
        found = report_data(self._reports, name)
        if found is None:
            raise RefusedError("no-report", "there is no such report")
        return found


class _ReportingStore(ResultStore):
    """Results store that reports the number of its run when it begins."""

    number = 0

    def __init__(self, path: Path, run: int | None, work: Job) -> None:
        super().__init__(path)
        self._run, self._work = run, work

    def begin(self, asked: RunRequest, run: int | None = None, workers: int = 1) -> int:
        if self.whole:
            return super().begin(asked, workers=workers)
        self.number = super().begin(asked, self._run, workers)
        self._work.tell({"run": self.number})
        return self.number


def _interrupt() -> None:
    """Interrupt the main thread, even in a blocking wait."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _report_folder(reports: Path) -> Path:
    """Return this process's folder for an unfinished report; remove those of dead processes."""
    for left in reports.glob(f"{_UNFINISHED}*"):
        if is_left(left.name.removeprefix(_UNFINISHED).replace("+", ":")):
            shutil.rmtree(left, ignore_errors=True)
    return reports / f"{_UNFINISHED}{this_process().replace(':', '+')}"


def _filter(picked: dict[str, Any]) -> Filter:
    """Build a filter from non-empty values, the game by its canonical spec."""
    chosen = {name: one for name, one in picked.items() if one not in (None, "")}
    if "game" in chosen:
        chosen["game"] = str(Game(chosen["game"]))
    return Filter(**chosen)
