"""Listing and export of a result store: runs and rows, filtered by game, agent, kind and date."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hyperoxo.display import Result
from hyperoxo.errors import SpecError, quoted
from hyperoxo.files import atomic, by_suffix
from hyperoxo.lab.games import Tally
from hyperoxo.lab.requests import RunInfo
from hyperoxo.lab.results.store import ResultStore, is_left, parts_of
from hyperoxo.solvers.states.graph_files import parquet_modules
from hyperoxo.stores import json_of, reading, row_of


@dataclass(frozen=True)
class Filter:
    """Filter of runs and rows; None matches all."""

    run: int | None = None
    kind: str | None = None
    game: str | None = None
    agent: str | None = None
    since: int | None = None
    until: int | None = None
    part_of: int | None = None


@dataclass(frozen=True)
class ResultRow(Result):
    """Games of one seating in a run, with everything that determines them."""

    info: RunInfo
    number: int
    agents: tuple[str, ...]
    seed: int
    scoring: str
    wanted: int
    tally: Tally

    _data = (
        "run=info.run row=number begun=info.begun kind=info.kind state=info.state game=info.game "
        "agents games=tally.games wanted wins=tally.wins draws=tally.draws interval=tally.interval "
        "plies seconds=tally.seconds scoring run_seed=info.seed seed settings=info.settings "
        "versions=info.versions"
    )

    @property
    def plies(self) -> float | None:
        """Mean length of a game; None without games."""
        return self.tally.plies / self.tally.games if self.tally.games else None


def moment(text: str) -> int:
    """Read a date, or date and time, as milliseconds since 1970; without a zone it is UTC."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise SpecError(
            f"{quoted(text)} is not a date; write 2026-01-31 or 2026-01-31T18:30"
        ) from None
    if read.tzinfo is None:
        read = read.replace(tzinfo=UTC)
    return round(read.timestamp() * 1000)


_RUNS = """
SELECT runs.id, kind, game, settings, runs.seed, state, owner, versions, created, updated,
    (SELECT count(*) FROM rows WHERE run = runs.id),
    (SELECT coalesce(sum(last - first), 0) FROM parts WHERE run = runs.id),
    (SELECT coalesce(sum(wanted), 0) FROM rows WHERE run = runs.id), workers
FROM runs
"""


def run_infos(
    store: ResultStore, picked: Filter | None = None, limit: int = -1, offset: int = 0
) -> list[RunInfo]:
    """List runs, the latest first."""
    picked = Filter() if picked is None else picked
    conditions = {
        "runs.id = ?": picked.run,
        "kind = ?": picked.kind,
        "game = ?": picked.game,
        "created >= ?": picked.since,
        "created < ?": picked.until,
    }
    used = {text: value for text, value in conditions.items() if value is not None}
    if picked.agent is not None:
        used[_WITH_AGENT] = picked.agent
    if picked.part_of is not None:
        used["coalesce(json_extract(settings, '$.part_of'), 0) = ?"] = picked.part_of
    where = f" WHERE {' AND '.join(used)}" if used else ""
    found = store.query(
        f"{_RUNS}{where} ORDER BY runs.id DESC LIMIT ? OFFSET ?", [*used.values(), limit, offset]
    )
    with reading(store.path):
        return [_info(row) for row in found]


def _info(row: tuple[Any, ...]) -> RunInfo:
    run, kind, game, settings, seed, state, owner, versions, created, updated, *counts = row_of(
        row, int, *[str] * 7, *[int] * 6
    )
    return RunInfo(
        run,
        kind,
        game,
        json_of(settings, dict),
        int(seed),
        "interrupted" if state == "running" and is_left(owner) else state,
        json_of(versions, dict, str),
        *(_written(created), _written(updated)),
        *counts,
    )


def _written(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="seconds")


# A spec finds itself and itself with further options, as in `_sits`.
_WITH_AGENT = """EXISTS (SELECT 1 FROM rows, json_each(rows.agents) AS one, (SELECT ? AS spec)
WHERE rows.run = runs.id AND (one.value = spec OR substr(one.value, 1, length(spec) + 1)
= spec || ':'))"""


def result_rows(store: ResultStore, picked: Filter | None = None) -> list[ResultRow]:
    """List rows, those of the latest run first."""
    found, agent = [], None if picked is None else picked.agent
    for info in run_infos(store, picked):
        parts = parts_of(store, info.run)
        for row in store.query(
            "SELECT number, agents, seed, scoring, wanted FROM rows WHERE run = ? ORDER BY number",
            (info.run,),
        ):
            with reading(store.path):
                number, agents, seed, scoring, wanted = row_of(row, int, str, str, str, int)
                seated = tuple(json_of(agents, list, str))
                named = (f"{one}:".startswith(f"{agent}:") for one in seated)
                if agent is not None and not any(named):
                    continue
                tally = sum((part.tally for part in parts.get(number, ())), Tally.none(len(seated)))
                found.append(ResultRow(info, number, seated, int(seed), scoring, wanted, tally))
    return found


COLUMNS = tuple(one.partition("=")[0] for one in ResultRow._data.split())
"""Columns of the tables; lists and objects are written as JSON."""


def _flat(row: ResultRow) -> dict[str, Any]:
    data = row.as_data()
    flat = {
        name: json.dumps(value) if isinstance(value, list | dict) else value
        for name, value in data.items()
    }
    # Seeds have up to 64 bits, which tables of signed numbers cannot hold.
    return {**flat, "run_seed": str(data["run_seed"]), "seed": str(data["seed"])}


def csv_text(rows: Sequence[ResultRow]) -> str:
    """Return rows as a table of comma-separated values."""
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_flat(row) for row in rows)
    return stream.getvalue()


def _write_parquet(rows: Sequence[ResultRow], path: Path) -> None:
    arrow, parquet = parquet_modules()
    flat = [_flat(row) for row in rows]
    columns = {name: [row[name] for row in flat] for name in COLUMNS}
    parquet.write_table(arrow.table(columns), path)


FORMS: dict[str, Callable[[Sequence[ResultRow], Path], object]] = {
    ".csv": lambda rows, path: path.write_text(csv_text(rows), "utf-8", newline=""),
    ".json": lambda rows, path: path.write_text(
        json.dumps([row.as_data() for row in rows], indent=1) + "\n", "utf-8"
    ),
    ".parquet": _write_parquet,
}
"""Writers by the suffix of the file's name."""


def export_rows(rows: Sequence[ResultRow], path: str | Path) -> None:
    """Write rows to a file, which appears under its name once it is complete."""
    path = Path(path)
    write = by_suffix(path, FORMS)
    with atomic(path) as beside:
        write(rows, beside)
