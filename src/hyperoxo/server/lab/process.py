"""A process that plays runs of the laboratory, or reads what has been played.

It speaks as the other processes of the server do: a request a line on standard input, news and
answers on standard output, all of them JSON. When its input ends, because the server stopped or
was killed, it ends at once with all processes that play for it; what was played is in the store.

==============  ============================================================================
request         answer
==============  ============================================================================
``play``        ``state``, ``done`` or ``interrupted``; before, news of ``run``, ``games``
                and ``wanted``, and each ``section`` of a study
``list``        runs
``view``        a run with all that can be told of it; see `views`
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
import queue
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hyperoxo.errors import CheckFailedError, HyperoxoError

News = Callable[[dict[str, Any]], None]
_OFTEN = 0.2
_playing = threading.Event()
_stopped: set[int] = set()


def main() -> None:
    """Serve requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if "--nice" in sys.argv and hasattr(os, "nice"):
        os.nice(5)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else prints must not come between the answers
    waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(waiting,), daemon=True).start()

    def say(number: int, kind: str, value: Any) -> None:
        text = json.dumps({"task": number, kind: value}, separators=(",", ":"), default=float)
        answers.write(text + "\n")
        answers.flush()

    import hyperoxo.server.lab.views  # noqa: F401  # slow to load, so before it is asked for

    while True:
        request = waiting.get()
        number = request["task"]
        try:
            say(number, "done", _WORK[request["kind"]](request, partial(say, number, "news")))
        except OSError as error:
            named = error.filename is not None
            message = f"{error.filename}: {error.strerror}" if named else str(error)
            say(number, "error", {"code": "store", "message": message})
        except HyperoxoError as error:
            code = "store" if isinstance(error, CheckFailedError) else "bad-request"
            say(number, "error", {"code": code, "message": str(error)})
        except Exception as error:
            traceback.print_exc()
            say(number, "error", {"message": f"{type(error).__name__}: {error}"})


def _receive(waiting: queue.SimpleQueue[dict[str, Any]]) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if "stop" not in request:
            waiting.put(request)
            continue
        _stopped.add(request["stop"])
        if _playing.is_set():
            _interrupt()
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)


def _interrupt() -> None:
    """Interrupt the main thread, also where it waits for others."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _play(request: dict[str, Any], tell: News) -> dict[str, Any]:
    """Play until all is played or somebody says stop; an interrupt is heard here only."""
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
    from hyperoxo.lab.requests import RunRequest, carry_out

    store = _told_store(request, tell)
    asked = RunRequest(**request["request"])
    reports = Path(request["reports"])
    unfinished = reports / f".unfinished-{os.getpid()}"
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


def _told_store(request: dict[str, Any], tell: News) -> Any:
    from hyperoxo.lab.requests import RunRequest
    from hyperoxo.lab.results.store import ResultStore

    class ToldStore(ResultStore):
        """A store that tells the number of the run which was asked for."""

        number = 0

        def begin(self, asked: RunRequest, run: int | None = None, workers: int = 1) -> int:
            if self.is_part:
                return super().begin(asked, workers=workers)
            self.number = super().begin(asked, request["run"], workers)
            tell({"run": self.number})
            return self.number

    return ToldStore(request["store"])


def _publish(made: Path, name: Path) -> None:
    """Give a whole report its name, in place of an older one."""
    shutil.rmtree(name, ignore_errors=True)
    made.replace(name)


def _list(request: dict[str, Any], _: News) -> dict[str, Any]:
    from hyperoxo.lab.results import ResultStore, run_infos
    from hyperoxo.server.lab.views import brief

    if not Path(request["store"]).exists():
        return {"runs": []}
    with ResultStore(request["store"]) as store:
        found = run_infos(store, _picked(request), request["limit"], request["offset"])
        return {"runs": [brief(info) for info in found]}


def _picked(request: dict[str, Any]) -> Any:
    """Read a filter; a game is spelled as the store spells it, where it is one."""
    from hyperoxo.lab.results.listing import Filter
    from hyperoxo.rules import Game

    picked = dict(request["filter"])
    if picked.get("game"):
        picked["game"] = str(Game(picked["game"]))
    return Filter(**picked)


def _view(request: dict[str, Any], _: News) -> dict[str, Any]:
    from hyperoxo.lab.recall import Look
    from hyperoxo.lab.results import ResultStore, run_infos
    from hyperoxo.lab.results.listing import Filter
    from hyperoxo.server.lab.views import run_view

    if not Path(request["store"]).exists():
        return {"missing": True}
    with ResultStore(request["store"]) as store:
        if not run_infos(store, Filter(run=request["run"])):
            return {"missing": True}
        look = None if request["look"] is None else Look(**request["look"])
        return run_view(store, request["run"], look, request["seen"])


def _rows(request: dict[str, Any], _: News) -> dict[str, Any]:
    from hyperoxo.lab.results import ResultStore, result_rows
    from hyperoxo.lab.results.export import csv_text

    if not Path(request["store"]).exists():
        return {"text": csv_text([])}
    with ResultStore(request["store"]) as store:
        rows = result_rows(store, _picked(request))
    if request["form"] == "json":
        return {"text": json.dumps({"rows": [row.as_data() for row in rows]})}
    return {"text": csv_text(rows)}


def _skills(request: dict[str, Any], _: News) -> dict[str, Any]:
    from dataclasses import asdict

    from hyperoxo.lab.recall import recall
    from hyperoxo.lab.results import ResultStore
    from hyperoxo.lab.tournament import TournamentResult

    with ResultStore(request["store"]) as store:
        found = recall(store, request["run"])
    assert isinstance(found, TournamentResult)
    rated = [
        {"agent": spec, **asdict(skill)}
        for spec, skill in zip(found.agents, found.skills(), strict=True)
    ]
    return {"skills": sorted(rated, key=lambda row: -row["ordinal"])}


def _delete(request: dict[str, Any], _: News) -> dict[str, Any]:
    from hyperoxo.lab.results import ResultStore, run_infos
    from hyperoxo.lab.results.listing import Filter

    with ResultStore(request["store"]) as store:
        for part in run_infos(store, Filter(part_of=request["run"])):
            store.delete(part.run)
        store.delete(request["run"])
    shutil.rmtree(Path(request["reports"]) / f"run-{request['run']}", ignore_errors=True)
    return {}


def _studies(request: dict[str, Any], _: News) -> dict[str, Any]:
    from hyperoxo.lab.study import STUDIES, find_study
    from hyperoxo.server.lab.reports import report_list

    studies = [
        {"name": name, "title": title, "source": find_study(name).source}
        for name, (_, title) in STUDIES.items()
    ]
    return {"studies": studies, "reports": report_list(Path(request["reports"]))}


def _report(request: dict[str, Any], _: News) -> dict[str, Any]:
    from hyperoxo.server.lab.reports import report_data

    found = report_data(Path(request["reports"]), request["name"])
    return {"missing": True} if found is None else found


_WORK: dict[str, Callable[[dict[str, Any], News], dict[str, Any]]] = {
    "play": _play,
    "list": _list,
    "view": _view,
    "rows": _rows,
    "skills": _skills,
    "delete": _delete,
    "studies": _studies,
    "report": _report,
}


if __name__ == "__main__":
    main()
