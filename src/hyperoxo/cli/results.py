"""`oxo results`: what was played before, listed, written to files or deleted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.display import as_data, as_text

if TYPE_CHECKING:
    from hyperoxo.lab.results import RunInfo
    from hyperoxo.lab.sequential import Comparison


_RUNS = """
!listed no results
|listed| run | begun | kind | game | of whom={whom} | rows | games | of={wanted} | seed | state |
"""
_ROWS = """
!rows no rows
|rows| row | agents={agents:; } | games | of={wanted} | wins={wins:; } | draws \
| seconds={seconds:.2f} |
?verdict {verdict}
?rows run {info.run}: {info.kind}, {info.game}, begun {info.begun}, {info.state}; {versions}
"""


@cli.command("results", "results --agent ising --out rows.csv")
def command(
    options: cli.Options,
    run: int | None = cli.argument("[RUN]", cli.WholeRange(min=1), required=False),
    game: str | None = cli.option("Only this game, as it was written."),
    agent: str | None = cli.option("Only rows with this agent: its spec, or only its name."),
    kind: str | None = cli.choice(
        "Only runs of this kind.", ["match", "tournament", "sweep", "study", "program"]
    ),
    since: str | None = cli.option("Only runs started on this date or later, as in 2026-01-31."),
    before: str | None = cli.option("Only runs started before this date.", spelled="--until"),
    out: Path | None = cli.output_file("Write the rows to this file: .csv, .parquet or .json."),
    delete: bool = cli.flag("Delete this run."),
    merge: Path | None = cli.plain_file("Add the runs of this other store.", exists=True),
    store: Path | None = cli.plain_file("File of the results, instead of the usual one."),
) -> None:
    """List the stored runs, newest first, or the rows of one RUN.

    A run is one match, tournament or other job; a row holds the games of one seating with its seed,
    versions and times. --out writes all rows that pass the filters.
    """
    from hyperoxo.files import by_suffix
    from hyperoxo.lab.results import default_path, export_rows, result_rows, run_infos
    from hyperoxo.lab.results.listing import FORMS, Filter, moment

    if out is not None:
        by_suffix(out, FORMS)
    picked = Filter(
        run,
        kind,
        None if game is None else str(ox.Game(game)),
        agent,
        None if since is None else moment(since),
        None if before is None else moment(before),
    )
    path = default_path() if store is None else store
    if merge is not None:
        with ox.ResultStore(path) as opened:
            answer = {"store": str(path), "merged": str(merge), "copied": opened.merge(merge)}
        options.emit(answer, "copied {copied:#run|runs} of {merged} into {store}")
        return
    if not path.exists():
        if store is not None or run is not None:
            raise click.UsageError(f"there is no results store at {path}")
        options.emit({"store": str(path), "runs": [], "rows": []}, "no results yet")
        return
    with ox.ResultStore(path) as opened:
        if delete:
            if run is None:
                raise click.UsageError("--delete needs the number of a run")
            opened.delete(run)
            options.emit({"store": str(path), "deleted": run}, "deleted run {deleted}")
            return
        infos = run_infos(opened, picked)
        if run is not None and not infos:
            raise click.UsageError(f"there is no such run {run} in {path}")
        wanted = out is not None or options.json or run is not None
        rows = result_rows(opened, picked) if wanted else []
        test = _test_of(opened, infos[0]) if run is not None else None
    if out is not None:
        export_rows(rows, out)
        options.note(f"wrote {len(rows)} rows to {out}")
    answer = {
        "store": str(path),
        "runs": [vars(info) for info in infos],
        "rows": [row.as_data() for row in rows],
        **({} if test is None else {"test": as_data(test)}),
    }
    if run is None:
        listed = [{**vars(info), "whom": _whom(info)} for info in infos]
        options.emit(answer, _RUNS, listed=listed)
    else:
        options.emit(
            answer,
            _ROWS,
            info=infos[0],
            verdict=test and as_text(test),
            versions=[f"{name} {number}" for name, number in infos[0].versions.items()],
        )


def _test_of(store: ox.ResultStore, info: RunInfo) -> Comparison | None:
    """Return the state of a match's sequential test, or None."""
    from hyperoxo.lab.match import MatchResult
    from hyperoxo.lab.recall import recall

    if not info.settings.get("until"):
        return None
    found = recall(store, info.run)
    return found.test if isinstance(found, MatchResult) else None


def _whom(info: RunInfo) -> str:
    """Name the agents of a run, or its study."""
    asked = info.settings
    agents = asked.get("agents") or [asked.get("agent"), *asked.get("versus", [])]
    return " ".join(filter(None, [asked.get("study"), *agents]))
