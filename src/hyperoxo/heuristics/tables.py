"""Learned line tables: weights by kind of line, own and rivals' stones, as small JSON files.

A file is one JSON object: `format`, the `game` on which the table was learned with its `players`
and `misere`, the `classes` of lines, the number of `stages` of the game (optional), the `tables`,
and `training`, the state of the learner (optional). `sha256`, if given, is that of all the rest.
Files are read as data; nothing in them is run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board import Board
from hyperoxo.display import as_data
from hyperoxo.errors import NotationError, SpecError, quoted
from hyperoxo.files import DamagedFileError, sha256
from hyperoxo.heuristics.line import CLASSES, MOST_STAGES, LineHeuristic, kinds_of
from hyperoxo.untrusted import parse_json, read_bytes

FORMAT = "hyperoxo line table 1"
_LARGEST_FILE = 1 << 24
_LONGEST = 64

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class LineTable:
    """Weights of lines by stage, size and class, then own stones, then rivals' stones."""

    game: str
    players: int
    misere: bool
    classes: str
    tables: tuple[tuple[int, int, int, Rows], ...]
    """Stage, size, class and rows of weights; the entry of a full line is not used."""
    stages: int = 1
    training: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __call__(
        self, own: int, rivals: int, size: int, players: int, line_class: int = 0, stage: int = 0
    ) -> float:
        """Return one weight, as line heuristics do."""
        if players != self.players:
            raise SpecError(
                f"a line table of {self.game} serves {self.players} players, not {players}"
            )
        for *kind, rows in self.tables:
            if kind == [stage, size, line_class]:
                return rows[own][rivals]
        return self._from_other_size(own, rivals, size, stage)

    def _from_other_size(self, own: int, rivals: int, size: int, stage: int) -> float:
        """Read the table of the nearest size by the stones that are missing."""
        # Missing stones matter more than present ones: a longer line with k cells to fill is
        # treated as a line of the nearest size with k cells to fill.
        if self.classes:
            raise SpecError(f"a line table of {self.game} with classes serves that board alone")
        of_stage = [(known, rows) for at, known, _, rows in self.tables if at == stage]
        of_size, rows = min(of_stage, key=lambda entry: (abs(entry[0] - size), entry[0]))
        more = size - of_size
        return rows[max(own - more, 0)][max(rivals - more, 0)]

    def heuristic(self, name: str) -> LineHeuristic:
        """Return the table as a line heuristic."""
        return LineHeuristic(name, self, classes=self.classes, stages=self.stages)

    def __str__(self) -> str:
        return f"table of {self.game}"

    def as_data(self) -> dict[str, Any]:
        """Return the content of its file."""
        data = {"format": FORMAT, **as_data(self, "game players misere classes")}
        if self.stages > 1:
            data["stages"] = self.stages
        data["tables"] = [
            {
                **({"stage": stage} if self.stages > 1 else {}),
                "size": size,
                "class": number,
                "weights": [list(row) for row in rows],
            }
            for stage, size, number, rows in self.tables
        ]
        if self.training:
            data["training"] = dict(self.training)
        return data

    def to_bytes(self) -> bytes:
        """Return its file."""
        data = self.as_data()
        return (_spelled({**data, "sha256": sha256(_spelled(data).encode())}) + "\n").encode()


def tables_of_weights(
    board: Board, weights: NDArray[np.float64], classes: str = "", stages: int = 1
) -> tuple[tuple[int, int, int, Rows], ...]:
    """Return the tables of a line table from weights ``[K, W, W]`` by the kinds of lines."""
    kinds, _ = kinds_of(board, classes, stages)
    return tuple(
        (*kind, tuple(tuple(map(float, row[: kind[1] + 1])) for row in table[: kind[1] + 1]))
        for kind, table in zip(kinds, weights, strict=True)
    )


def read_table(path: str | Path) -> LineTable:
    """Read a line table from a file."""
    return table_from_bytes(read_bytes(path, _LARGEST_FILE), str(path))


def table_from_bytes(content: bytes, name: str) -> LineTable:
    """Read a line table from the content of a file."""
    try:
        data = parse_json(content)
    except NotationError as error:
        # It begins like a line table but does not parse: it was cut off or edited.
        if content.lstrip().startswith(b'{"format": "hyperoxo line table'):
            if str(error).startswith("not JSON"):
                raise DamagedFileError(name, "it ends too early or is not JSON") from None
            raise SpecError(f"{quoted(name)} is not a line table: {error}") from None
        raise SpecError(f"{quoted(name)} is not a line table") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SpecError(f"{quoted(name)} is not a line table")
    # Spelling what was parsed gives the signed text again: JSON in Python keeps the order of keys
    # and the shortest form of every number.
    digest = data.pop("sha256", None)
    if digest is not None and digest != sha256(_spelled(data).encode()):
        raise DamagedFileError(name)
    try:
        return _table(data)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        why = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise SpecError(f"{quoted(name)} is not a line table: {why}") from None


_KEYS = {"format", "game", "players", "misere", "classes", "stages", "tables", "training"}


def _table(data: Mapping[str, Any]) -> LineTable:
    if unknown := sorted(set(data) - _KEYS):
        raise ValueError(f"{quoted(unknown[0])} is not known")
    classes = str(data["classes"])
    if classes and classes not in CLASSES:
        raise ValueError(f"there are no classes {quoted(classes)}")
    stages = int(data.get("stages", 1))
    if not 1 <= stages <= MOST_STAGES:
        raise ValueError(f"stages must be 1 to {MOST_STAGES}, not {quoted(stages)}")
    tables = []
    for entry in data["tables"]:
        if not isinstance(entry, dict):
            raise TypeError(f"{quoted(entry)} is not a table")
        stage, size, number = int(entry.get("stage", 0)), int(entry["size"]), int(entry["class"])
        rows = np.array(entry["weights"], dtype=np.float64)
        if not 1 <= size <= _LONGEST or rows.shape != (size + 1, size + 1):
            raise ValueError(f"lines of {quoted(size)} cells need {quoted(size)} + 1 equal rows")
        if not np.isfinite(rows).all():
            raise ValueError("a weight is not finite")
        tables.append((stage, size, number, tuple(tuple(row) for row in rows.tolist())))
    if {entry[0] for entry in tables} != set(range(stages)):
        which = "tables" if stages == 1 else f"tables for stages 0 to {stages - 1}"
        raise ValueError(f"its {which} are missing or different")
    return LineTable(
        str(data["game"]),
        int(data["players"]),
        bool(data["misere"]),
        classes,
        tuple(tables),
        stages,
        dict(data.get("training", {})),
    )


def _spelled(data: Mapping[str, Any]) -> str:
    return json.dumps(data, separators=(", ", ": "))


@cache
def shipped_tables() -> tuple[LineTable, ...]:
    """Return the line tables that come with this package, those of single games first."""
    content = files("hyperoxo").joinpath("data", "line-tables.json").read_text("utf-8")
    return tuple(_table(entry) for entry in parse_json(content))


def shipped_table(game: str, sizes: Iterable[int], players: int, *, misere: bool) -> LineTable:
    """Return the table for a game: its own, or one of the shipped weights for these line sizes."""
    sizes = sorted(set(sizes))
    fitting = [
        table for table in shipped_tables() if (table.players, table.misere) == (players, misere)
    ]
    for table in fitting:
        if table.game == game:
            return table
    # Without its own table, a game gets the weights of each line size from plain tables.
    plain = [table for table in fitting if not table.classes and table.stages == 1]
    known = {entry[1]: entry for table in plain for entry in table.tables}
    missing = [size for size in sizes if size not in known]
    if missing:
        kind = f"{players} players{' in misère play' if misere else ''}"
        there = f"of {_counted(sorted(known))} cells" if known else "none"
        raise SpecError(
            f"no line table for lines of {missing[0]} cells among {kind} comes with hyperoxo, "
            f"there are {there}; 'oxo train' makes one"
        )
    return LineTable(game, players, misere, "", tuple(known[size] for size in sizes))


def _counted(sizes: Sequence[int]) -> str:
    return f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 2 else " and ".join(map(str, sizes))


def shipped_heuristic() -> LineHeuristic:
    """Return the shipped tables as one line heuristic, by cells on a line and players."""
    return LineHeuristic("td", _shipped_weight)


def _shipped_weight(own: int, rivals: int, size: int, players: int) -> float:
    return shipped_table("", [size], players, misere=False)(own, rivals, size, players)
