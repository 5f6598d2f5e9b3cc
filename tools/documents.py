#!/usr/bin/env python3
"""Note what the studies say of the rows of docs/documents.csv, in docs/verdicts.json.

Usage: tools/documents.py FOLDER

FOLDER is what `oxo study all --out FOLDER` wrote. The column `study` of a row names a study, its
table, or several with '+', and what the quantities of the row begin with, with '*' for anything.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from hyperoxo_research.study.display import SIGNS, verdict

DOCS = Path(__file__).parents[1] / "docs"


def found(reports: dict[str, Any], key: str) -> dict[str, int]:
    """Count the verdicts of the quantities that a key names."""
    study, names, pattern = [*key.split(":", 2), ""][:3]
    counts: Counter[str] = Counter()
    for table in reports[study]["tables"]:
        if table["name"] in names.split("+"):
            columns = table["columns"]
            rows = [row for row in table["rows"] if fnmatchcase(row["quantity"], f"{pattern}*")]
            counts.update(verdict([row[name] for name in columns], columns) for row in rows)
    del counts[""]
    if not counts:
        raise SystemExit(f"no published figure is named by {key!r}")
    return {words: counts[words] for words in SIGNS if counts[words]}


def main(folder: Path) -> None:
    """Read the reports, and write the verdicts."""
    with (DOCS / "documents.csv").open(encoding="utf-8", newline="") as stream:
        keys = sorted({row["study"] for row in csv.DictReader(stream)} - {""})
    reports = {
        path.parent.name.removeprefix("study-"): json.loads(path.read_text("utf-8"))
        for path in sorted(folder.glob("study-*/tables.json"))
    }
    one = next(iter(reports.values()))
    words = " --full" if one["full"] else ""
    data = {
        "command": f"oxo study all{words} --seed {one['seed']}",
        "verdicts": {key: found(reports, key) for key in keys},
    }
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    (DOCS / "verdicts.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
