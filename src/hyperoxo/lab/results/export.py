"""Rows of results as files: CSV, Parquet and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hyperoxo.files import atomic, by_suffix
from hyperoxo.lab.results.listing import ResultRow
from hyperoxo.solvers.states.graph_files import parquet_modules

COLUMNS = (
    "run", "row", "begun", "kind", "state", "game", "agents", "games", "wanted", "wins", "draws",
    "interval", "plies", "seconds", "scoring", "run_seed", "seed", "settings", "versions",
)  # fmt: skip
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


def _json_text(rows: Sequence[ResultRow]) -> str:
    return json.dumps([row.as_data() for row in rows], indent=1) + "\n"


def _write_parquet(rows: Sequence[ResultRow], path: Path) -> None:
    arrow, parquet = parquet_modules()
    flat = [_flat(row) for row in rows]
    columns = {name: [row[name] for row in flat] for name in COLUMNS}
    parquet.write_table(arrow.table(columns), path)


FORMS: dict[str, Callable[[Sequence[ResultRow], Path], object]] = {
    ".csv": lambda rows, path: path.write_text(csv_text(rows), "utf-8", newline=""),
    ".json": lambda rows, path: path.write_text(_json_text(rows), "utf-8"),
    ".parquet": _write_parquet,
}
"""Writers by the suffix of the file's name."""


def export_rows(rows: Sequence[ResultRow], path: str | Path) -> None:
    """Write rows to a file, which appears under its name once it is complete."""
    path = Path(path)
    write = by_suffix(path, FORMS)
    with atomic(path) as beside:
        write(rows, beside)
