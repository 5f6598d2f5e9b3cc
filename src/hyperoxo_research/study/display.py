"""Display of study tables: verdicts, significant digits, and tables in their published shape."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hyperoxo_research.study.parts import Cell, Section, Table

VERDICTS = {True: "agrees", False: "disagrees", None: "cannot tell"}
"""Verdicts on published figures in words; a figure without ours is `OPEN`."""

OPEN = "open"
SIGNS = {"agrees": "≈", "disagrees": "≠", "cannot tell": "?", OPEN: "–"}
"""Signs between a published figure and ours, in place of words."""

LEGEND = (
    "Published, then ours: = the same, ≈ agrees, ≠ disagrees, ? cannot tell, – open; (ours alone)."
)

VISIBLE = 12
"""Rows of a longer table that are shown before it is expanded."""

INTERVAL = "95 % interval"
_PAIRS = {"low": "high", "low, %": "high, %"}
_BESIDE = ("published", "ours", "low", "high")


@dataclass(frozen=True)
class Verdict:
    """The verdict on one published figure."""

    table: Table
    row: int
    words: str

    @property
    def quantity(self) -> str:
        """The published quantity."""
        return str(self.table.rows[self.row][self.table.columns.index("quantity")])


@dataclass(frozen=True)
class TextTable:
    """A table as text: its non-empty columns, its cells, and the columns of numbers."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[str]


def verdict(row: Sequence[Cell], columns: Sequence[str]) -> str:
    """Return the verdict of a row in words; empty if no published figure is compared.

    Examples
    --------
    >>> verdict((49, 49, None), ("published", "ours", "agrees"))
    'cannot tell'
    """
    if not {"published", "agrees"} <= set(columns):
        return ""
    cells: dict[str, Any] = dict(zip(columns, row, strict=True))
    if cells["published"] is None:
        return ""
    if cells["agrees"] is None and cells.get("ours", "") is None:
        return OPEN
    return VERDICTS[cells["agrees"]]


def verdicts(sections: Sequence[Section]) -> list[Verdict]:
    """Return the verdicts on all published figures, without readings that are only tried."""
    return [
        Verdict(table, number, words)
        for section in sections
        for table in section.tables
        for number, row in enumerate(table.rows)
        if number not in table.tried
        and "quantity" in table.columns
        and (words := verdict(row, table.columns))
    ]


def counted(found: Sequence[Verdict]) -> dict[str, int]:
    """Return the numbers of verdicts by word, with all four words."""
    counts = Counter(one.words for one in found)
    return {words: counts[words] for words in SIGNS}


def summary(counts: dict[str, int]) -> str:
    """Return a summary of verdicts as text.

    Examples
    --------
    >>> summary({"agrees": 24, "disagrees": 0, "cannot tell": 3, "open": 1})
    '24 of 24 comparable figures agree. Cannot tell: 3. Open: 1.'
    """
    comparable = counts["agrees"] + counts["disagrees"]
    verb = "agrees" if counts["agrees"] == 1 else "agree"
    said = [f"{counts['agrees']} of {comparable} comparable figures {verb}."] if comparable else []
    said += [f"{words.capitalize()}: {counts[words]}." for words in ("cannot tell", OPEN)
             if counts[words]]  # fmt: skip
    return " ".join(said) or "No published figures are compared."


def text_table(table: Table, *, without: Sequence[str] = ("command",)) -> TextTable:
    """Return a table as text, without empty columns and those of `without`."""
    columns = table.columns
    rows = [_texts(row, columns) for row in table.rows]
    names = [
        name
        for name in columns
        if name not in (*without, *_PAIRS.values()) and any(row[name] for row in rows)
    ]
    numbers = {
        name
        for i, name in enumerate(columns)
        if name in _PAIRS
        or all(row[i] is None or _is_number(row[i]) for row in table.rows)
    }  # fmt: skip
    return TextTable(
        tuple(_heading(name) for name in names),
        tuple(tuple(row[name] for name in names) for row in rows),
        frozenset(_heading(name) for name in names if name in numbers),
    )


def _heading(name: str) -> str:
    return name.replace("low", INTERVAL) if name in _PAIRS else name


def _texts(row: Sequence[Cell], columns: Sequence[str]) -> dict[str, str]:
    """Return the cells of a row as text; a published figure and ours have the same decimals."""
    cells = dict(zip(columns, row, strict=True))
    places = _decimals(cells)
    texts = {
        name: _text(cell, places if name in _BESIDE[1:] else None) for name, cell in cells.items()
    }
    for low, high in _PAIRS.items():
        if low in cells and high in cells:
            texts[low] = f"{texts[low]} to {texts[high]}" if cells[low] is not None else ""
    if {"published", "agrees"} <= cells.keys():
        texts["agrees"] = verdict(row, columns)
    return texts


def _decimals(cells: dict[str, Any]) -> int | None:
    """Return the decimals of a figure: two digits of its uncertainty, or as published.

    >>> _decimals({"published": 85.77, "ours": 85.883, "low": 81.1, "high": 89.9})
    2
    >>> _decimals({"published": 35, "ours": 35.6, "low": 31.52, "high": 39.9})
    1
    """
    published, _, low, high = (cells.get(name) for name in _BESIDE)
    if not isinstance(low, int | float) or not isinstance(high, int | float) or low == high:
        return None
    by_width = 1 - math.floor(math.log10(high - low))
    _, _, digits = f"{published}".partition(".") if isinstance(published, float) else ("", "", "")
    return min(max(by_width, len(digits), 0), 6)


def _text(cell: Cell, places: int | None = None) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        if places is not None:
            return f"{cell:,.{places}f}"
        return f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.4g}"
    return cell


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def commands_of(table: Table) -> dict[str, list[str]]:
    """Return the commands of a table, each with the different rows that it measures."""
    rows: dict[str, dict[str, None]] = {}
    for row in table.rows if "command" in table.columns else ():
        command = row[table.columns.index("command")]
        if command:
            rows.setdefault(str(command), {})[str(row[0])] = None
    return {command: [*names] for command, names in rows.items()}


def repeated_remarks(table: Table) -> dict[str, int]:
    """Return numbers for remarks of several rows, which are printed once below the table."""
    if "remark" not in table.columns:
        return {}
    place = table.columns.index("remark")
    times = Counter(str(row[place]) for row in table.rows if row[place])
    repeated = [text for text, count in times.items() if count > 1]
    return {text: number for number, text in enumerate(repeated, start=1)}


@dataclass(frozen=True)
class Compared:
    """A published figure with ours beside it: the verdict, and the number of the row."""

    text: str
    words: str
    row: int


@dataclass(frozen=True)
class Published:
    """A table in its published shape; None for cells without a published figure."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Compared | None, ...]], ...]

    @property
    def texts(self) -> list[list[str]]:
        """The rows as texts."""
        return [[name, *(cell.text if cell else "" for cell in cells)] for name, cells in self.rows]


def published(table: Table) -> Iterator[Published]:
    """Yield the published tables of a table's figures, rows and columns by first appearance."""
    placed = {
        place: _beside(table, number)
        for number, place in enumerate(table.places)
        if place is not None
    }
    for title in dict.fromkeys(place[0] for place in placed):
        rows, columns = (
            tuple(dict.fromkeys(place[i] for place in placed if place[0] == title)) for i in (1, 2)
        )
        yield Published(
            title,
            columns,
            tuple(
                (row, tuple(placed.get((title, row, column)) for column in columns)) for row in rows
            ),
        )


def _beside(table: Table, number: int) -> Compared:
    row = table.rows[number]
    texts = _texts(row, table.columns)
    words = verdict(row, table.columns)
    theirs, ours = texts["published"], texts["ours"]
    sign = "=" if words == VERDICTS[True] and theirs == ours else SIGNS.get(words)
    text = f"{theirs} {sign} {ours}".rstrip() if sign else f"({ours})"
    return Compared(text, words, number)
