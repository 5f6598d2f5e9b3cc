"""Rows of figures that are measured here and not by `oxo bench`, for `results.json`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hyperoxo_research.bench.rows import Row

_BROWSERS = ("chromium", "chromium-headless-shell", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, _BROWSERS)), None)
"""Path of the browser, None where it is not installed."""


def add(file: Path, case: str, figures: Iterable[tuple[Any, ...]]) -> None:
    """Put rows of a case in place of its old ones: name, figure, unit, and optionally a peer's."""
    data = json.loads(file.read_text("utf-8"))
    rows = [row for row in data["rows"] if row["case"] != case]
    rows += [Row(*figure, case=case).as_data() for figure in figures]
    text = json.dumps({**data, "rows": rows}, indent=1)
    file.write_text(text + "\n", "utf-8")
