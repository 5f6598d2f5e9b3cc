"""A process that plays runs of the laboratory, or reads what has been played.

It speaks as the other processes of the server do: a request a line on standard input, news and
answers on standard output, all of them JSON. When its input ends, because the server stopped or
was killed, it ends with all processes that play for it; what was played is in the store.

==============  ============================================================================
request         answer
==============  ============================================================================
``play``        ``state``, ``done`` or ``interrupted``; before, news of ``run``, ``games``
                and ``wanted``, and each ``section`` of a study
``list``        runs
``view``        a run with all that is known of it; see `views`
``rows``        rows as a table, in a text
``skills``      ratings of a tournament by openskill
``delete``      ``{}``
``studies``     the studies, and reports on the disk
``report``      a report as plain values
==============  ============================================================================
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

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo.lab.recall import Look, recall
from hyperoxo.lab.requests import RunRequest, carry_out
from hyperoxo.lab.results import ResultStore, result_rows, run_infos
from hyperoxo.lab.results.export import csv_text
from hyperoxo.lab.results.listing import Filter
from hyperoxo.lab.results.store import is_left, this_process
from hyperoxo.lab.tournament import TournamentResult
from hyperoxo_research.study import find_study, study_titles
from hyperoxo_web.server.lab.reports import report_data, report_list
from hyperoxo_web.server.lab.views import brief, run_view
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.worker import News, Work, serve

_OFTEN = 0.2
_UNFINISHED = ".unfinished-"
_playing = threading.Event()
_stopped: set[int] = set()


def main() -> None:
    """Serve requests until the input ends."""
    serve(_answer, _stop)


def _stop(task: int) -> None:
    _stopped.add(task)
    if _playing.is_set():
        _interrupt()


def _answer(request: dict[str, Any], tell: News) -> dict[str, Any]:
    try:
        return _WORK[request["kind"]](request, tell)
    except OSError as error:
        message = f"a file could not be read or written: {error.strerror or 'the disk failed'}"
        raise RefusedError("store", message) from None
    except CheckFailedError as error:
        raise RefusedError("store", _without_folders(str(error), request)) from None


def _without_folders(text: str, request: dict[str, Any]) -> str:
    """Return a message that names files, but not where they are on this machine."""
    for folder in (Path(request["store"]).parent, Path(request["reports"])):
        text = text.replace(f"{folder}{os.sep}", "")
    return text


def _interrupt() -> None:
    """Interrupt the main thread, also where it waits for others."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _play(request: dict[str, Any], tell: News) -> dict[str, Any]:
    """Play until all is played or a stop is asked for; only here are interrupts heard."""
    if request["task"] in _stopped:
        return {"state": "interrupted"}
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        _playing.set()
        _carry_out(request, tell)
    except KeyboardInterrupt:
        return {"state": "interrupted"}
    finally:
        _playing.clear()
        signal.signal(signal.SIGINT, previous)
    return {"state": "done"}


def _carry_out(request: dict[str, Any], tell: News) -> None:
    store = _ReportingStore(request, tell)
    asked = RunRequest(**request["request"])
    reports = Path(request["reports"])
    unfinished = _place(reports)
    last = 0.0

    def progress(games: int, wanted: int) -> None:
        nonlocal last
        if time.monotonic() - last > _OFTEN:
            last = time.monotonic()
            tell({"games": games, "wanted": wanted})

    with store:
        try:
            carry_out(
                asked,
                store,
                workers=request["workers"],
                progress=progress,
                note=lambda title: tell({"section": title}),
                folder=unfinished if asked.kind == "study" else None,
            )
            if asked.kind == "study":
                _publish(unfinished, reports / f"run-{store.number}")
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)


class _ReportingStore(ResultStore):
    """A store that reports the number of its run."""

    number = 0

    def __init__(self, request: dict[str, Any], tell: News) -> None:
        super().__init__(request["store"])
        self._run, self._announce = request["run"], tell

    def begin(self, asked: RunRequest, run: int | None = None, workers: int = 1) -> int:
        if self.is_part:
            return super().begin(asked, workers=workers)
        self.number = super().begin(asked, self._run, workers)
        self._announce({"run": self.number})
        return self.number


def _place(reports: Path) -> Path:
    """Return where this process makes a report, and remove what others that were killed left."""
    for left in reports.glob(f"{_UNFINISHED}*"):
        if is_left(left.name.removeprefix(_UNFINISHED).replace("+", ":")):
            shutil.rmtree(left, ignore_errors=True)
    return reports / f"{_UNFINISHED}{this_process().replace(':', '+')}"


def _publish(made: Path, name: Path) -> None:
    """Give a whole report its name, in place of an older one."""
    shutil.rmtree(name, ignore_errors=True)
    made.replace(name)


def _list(request: dict[str, Any], _: News) -> dict[str, Any]:
    if not Path(request["store"]).exists():
        return {"runs": []}
    with ResultStore(request["store"]) as store:
        found = run_infos(store, _picked(request), request["limit"], request["offset"])
        return {"runs": [brief(info) for info in found]}


def _picked(request: dict[str, Any]) -> Filter:
    """Read a filter; a game is spelled as the store spells it, where it is one."""
    picked = dict(request["filter"])
    if picked.get("game"):
        picked["game"] = str(Game(picked["game"]))
    return Filter(**picked)


def _view(request: dict[str, Any], _: News) -> dict[str, Any]:
    if not Path(request["store"]).exists():
        return {"missing": True}
    with ResultStore(request["store"]) as store:
        if not run_infos(store, Filter(run=request["run"])):
            return {"missing": True}
        look = None if request["look"] is None else Look(**request["look"])
        return run_view(store, request["run"], look, request["seen"])


def _rows(request: dict[str, Any], _: News) -> dict[str, Any]:
    if not Path(request["store"]).exists():
        return {"text": csv_text([])}
    with ResultStore(request["store"]) as store:
        rows = result_rows(store, _picked(request))
    if request["form"] == "json":
        return {"text": json.dumps({"rows": [row.as_data() for row in rows]})}
    return {"text": csv_text(rows)}


def _skills(request: dict[str, Any], _: News) -> dict[str, Any]:
    with ResultStore(request["store"]) as store:
        found = recall(store, request["run"])
    assert isinstance(found, TournamentResult)
    rated = [
        {"agent": spec, **asdict(skill)}
        for spec, skill in zip(found.agents, found.skills(), strict=True)
    ]
    return {"skills": sorted(rated, key=lambda row: -row["ordinal"])}


def _delete(request: dict[str, Any], _: News) -> dict[str, Any]:
    with ResultStore(request["store"]) as store:
        for part in run_infos(store, Filter(part_of=request["run"])):
            store.delete(part.run)
        store.delete(request["run"])
    shutil.rmtree(Path(request["reports"]) / f"run-{request['run']}", ignore_errors=True)
    return {}


def _studies(request: dict[str, Any], _: News) -> dict[str, Any]:
    studies = [
        {"name": name, "title": title, "source": find_study(name).source}
        for name, title in study_titles().items()
    ]
    return {"studies": studies, "reports": report_list(Path(request["reports"]))}


def _report(request: dict[str, Any], _: News) -> dict[str, Any]:
    found = report_data(Path(request["reports"]), request["name"])
    return {"missing": True} if found is None else found


_WORK: dict[str, Work] = {
    one.__name__.removeprefix("_"): one
    for one in (_play, _list, _view, _rows, _skills, _delete, _studies, _report)
}
"""What is done for each kind of request."""


if __name__ == "__main__":
    main()
