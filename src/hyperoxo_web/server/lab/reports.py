"""Reports of studies on the disk: listing, contents, files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hyperoxo.display import as_data
from hyperoxo.untrusted import parse_json, read_bytes

FILES = {
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
}
"""Media types of a report's files by suffix; proofs may have any suffix."""

_PLACES = ("", "figures", "data", "files")


def report_list(folder: Path) -> list[dict[str, Any]]:
    """Return the reports in a folder, the latest first."""
    found = []
    for tables in folder.glob("*/tables.json"):
        data = _read(tables)
        if data is not None and file_of(folder, tables.parent.name, "index.html"):
            made = tables.stat().st_mtime
            found.append((made, {**_head(data), "name": tables.parent.name, "made": _date(made)}))
    return [entry for _, entry in sorted(found, key=lambda pair: -pair[0])]


def report_data(folder: Path, name: str) -> dict[str, Any] | None:
    """Return a report as plain values, or None if it does not exist."""
    tables = file_of(folder, name, "tables.json")
    data = None if tables is None else _read(tables)
    if tables is None or data is None:
        return None
    drawn = {path.stem for path in (tables.parent / "figures").glob("*.svg")}
    names = [table["name"] for table in data["tables"]]
    sections = data.get("sections") or [
        {"title": "", "text": "", "tables": names, "pictures": [], "files": []}
    ]
    for section in sections:
        section["pictures"] = [one for one in section["pictures"] if one["name"] in drawn]
    made = _date(tables.stat().st_mtime)
    return {
        **_head(data),
        "name": name,
        "made": made,
        "source": data.get("source", ""),
        "sections": sections,
        "tables": {table["name"]: table for table in data["tables"]},
    }


def file_of(folder: Path, report: str, path: str) -> Path | None:
    """Return the path of a report's file, or None if the name is invalid or absent."""
    # Both parts come from an address. A name has no separator and no leading dot, its folder is one
    # of `_PLACES`, and the resolved file must lie inside: no request leaves the reports.
    place, _, name = path.rpartition("/")
    strange = any(c in report + name for c in "/\\\0") or report.startswith(".")
    if strange or name.startswith(".") or place not in _PLACES or not report or not name:
        return None
    found = folder / report / place / name
    try:
        # A link could lead out of the folder.
        inside = found.is_file() and found.resolve().is_relative_to(folder.resolve())
    except OSError:  # no file can have such a name
        return None
    return found if inside and (found.suffix in FILES or place == "files") else None


def _read(path: Path) -> dict[str, Any] | None:
    try:
        data = parse_json(read_bytes(path))
        whole = isinstance(data["tables"], list) and isinstance(data["study"], str)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return data if whole else None


def _head(data: dict[str, Any]) -> dict[str, Any]:
    return {**as_data(data, "study title full seed"), "scale": data.get("scale", 1)}


def _date(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
