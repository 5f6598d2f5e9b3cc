"""The tables of what is known: n^d from the stored atlas, other games from `known.csv`.

Sizes of Connect Four come from `connect_four.json`, the answer of `oxo prove values`.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hyperoxo_research.draws.published import GOLOMB_HALES
from hyperoxo_research.lab.atlas import STATUS, AtlasEntry, stored_atlas
from hyperoxo_research.lab.values import GAMES, PLIES

STATUSES = {"proved": "proved here", "cited": "proved elsewhere (cited)", "open": "open"}
"""How much is known of a game of `known.csv`, in words."""

KINDS = {
    "lines": "Other boards",
    "handicap": "Qubic with a handicap",
    "several": "Several lines to win",
    "gravity": "With gravity",
    "misere": "Misère play",
    "maker-breaker": "Maker–Breaker",
    "avoider-enforcer": "Avoider–Enforcer",
    "players": "Three and more players",
}
"""Kinds of games in `known.csv`, and their headings."""

_WINNERS = {1: "first", 2: "first", 3: "first", 4: "draw", 5: "draw"}
_VALUES = {
    frozenset({"first"}): "the first player wins",
    frozenset({"draw"}): "draw",
    frozenset({"first", "draw"}): "open: a draw, or the first player wins",
}

Row = dict[str, str]


def setup(app: Any) -> dict[str, Any]:
    """Write the tables before Sphinx reads the page that includes them."""
    app.connect("builder-inited", lambda app: write_tables(Path(app.srcdir)))
    return {"version": "1", "parallel_read_safe": True}


def write_tables(docs: Path) -> None:
    """Write the tables that `known.md` includes."""
    (docs / "_known").mkdir(exist_ok=True)
    for name, lines in (
        ("cubes", _cubes()),
        ("wrong", _wrong()),
        ("games", _games(read_rows(docs))),
        ("sizes", _sizes(read_sizes(docs))),
    ):
        (docs / "_known" / f"{name}.md").write_text("\n".join(lines) + "\n", "utf-8")


def read_rows(docs: Path) -> list[Row]:
    """Read the rows of other games."""
    with (docs / "known.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def read_sizes(docs: Path) -> list[dict[str, Any]]:
    """Read what `oxo prove values` found of sizes of Connect Four."""
    found: list[dict[str, Any]] = json.loads((docs / "connect_four.json").read_bytes())["values"]
    return found


def value_of(entry: AtlasEntry) -> str:
    """Say who wins, as far as it is known."""
    return _VALUES[frozenset(_WINNERS[region] for region in entry.cited)]


def _cubes() -> Iterator[str]:
    yield from _head("board", "value", "region", "published", "status", "because", "command")
    for entry in stored_atlas().entries:
        steps = entry.answer["evidence"]
        because = "; ".join(one["theorem"] for one in steps)
        if entry.answer["cited_in"]:
            because += f"; also {entry.answer['cited_in']}"
        published = "" if entry.published is None else str(entry.published)
        yield _line(
            str(entry),
            value_of(entry),
            " or ".join(map(str, entry.cited)),
            published + (" ✗" if entry.contradicted else ""),
            STATUS[entry.status][0],
            because,
            f"`oxo classify {entry} --proof FILE`",
        )


def _wrong() -> Iterator[str]:
    yield from _head("board", "published", "in", "but", "certificate")
    for entry in stored_atlas().entries:
        if entry.contradicted:
            claims = [one["claim"] for one in entry.answer["evidence"]]
            yield _line(
                str(entry),
                f"region {entry.published}",
                GOLOMB_HALES,
                claims[-1],
                f"`oxo classify {entry} --proof FILE`, then `oxo verify FILE`",
            )


def _games(rows: Sequence[Row]) -> Iterator[str]:
    for kind, title in KINDS.items():
        yield f"## {title}\n"
        yield from _head("game", "value", "status", "by", "rests on")
        for row in rows:
            if row["kind"] == kind:
                status = STATUSES[row["status"]]
                yield _line(f"`{row['game']}`", row["value"], status, row["how"], row["rests"])
        yield ""


def _sizes(found: Sequence[dict[str, Any]]) -> Iterator[str]:
    signs = {one["game"]: " ○" if one["by_search_alone"] else " ✓" for one in found}
    words = {"win": "first", "draw": "draw", "loss": "second"}
    cells = {
        spec: f"{words[source[0]]} {PLIES[spec]}{signs.get(spec, '')}"
        for spec, source in GAMES.items()
        if source and spec in PLIES
    }
    widths = range(4, 13)
    yield from _head("rows", *(f"{width} columns" for width in widths))
    for height in range(4, 10):
        row = (cells.get(f"{width},{height},4:gravity", "") for width in widths)
        yield _line(str(height), *row)


def _head(*names: str) -> Iterator[str]:
    yield _line(*names)
    yield _line(*["---"] * len(names))


def _line(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
