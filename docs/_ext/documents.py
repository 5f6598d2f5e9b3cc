"""The table of `documents.csv` as a page, with verdicts of the studies from `verdicts.json`."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hyperoxo_research.study import find_study

WORDS = {"works": "works", "better": "better", "worse": "works, but worse", "missing": "missing"}
"""Verdicts of the table, and how they are worded."""

Row = dict[str, str]


def setup(app: Any) -> dict[str, Any]:
    """Write the table before Sphinx reads the page that includes it."""
    app.connect("builder-inited", lambda app: write_table(Path(app.srcdir)))
    return {"version": "1", "parallel_read_safe": True}


def write_table(docs: Path) -> None:
    """Write the tables that `documents.md` includes."""
    (docs / "_documents").mkdir(exist_ok=True)
    recorded = json.loads((docs / "verdicts.json").read_text("utf-8"))
    text = tables(read_rows(docs), recorded["verdicts"])
    (docs / "_documents" / "tables.md").write_text(text, "utf-8")


def read_rows(docs: Path) -> list[Row]:
    """Read the rows of the table."""
    with (docs / "documents.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def tables(rows: Sequence[Row], recorded: dict[str, dict[str, int]]) -> str:
    """Return a table of counts, and one for each document."""
    documents = list(dict.fromkeys(row["document"] for row in rows))
    counts = {name: Counter(r["verdict"] for r in rows if r["document"] == name)
              for name in documents}  # fmt: skip
    counts["all"] = sum(counts.values(), Counter())
    lines = [["study", *WORDS.values()], ["---"] * (1 + len(WORDS))]
    lines += [[name, *(str(one[word]) for word in WORDS)] for name, one in counts.items()]
    parts = [_lines(lines)]
    for name in documents:
        study = find_study(name)
        parts += [f"## {study.title}", study.source]
        lines = [["", "place", "what", "how", "verdict"], ["---"] * 5]
        lines += [
            [*(row[column] for column in ("row", "place", "what", "how")), _verdict(row, recorded)]
            for row in rows
            if row["document"] == name
        ]
        parts.append(_lines(lines))
    return "\n\n".join(parts) + "\n"


def _verdict(row: Row, recorded: dict[str, dict[str, int]]) -> str:
    """Say how well a row works, what the study found of its figures, and what else there is."""
    counts = recorded.get(row["study"], {})
    found = ", ".join(f"{words}: {count}" for words, count in counts.items() if count)
    return "; ".join(part for part in (f"**{WORDS[row['verdict']]}**", found, row["note"]) if part)


def _lines(lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |"
                     for line in lines)  # fmt: skip
