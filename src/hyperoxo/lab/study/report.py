"""Reports as folders: one page that stands alone, figures, and the tables as data."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hyperoxo.files import replace_file
from hyperoxo.lab.study.page import page
from hyperoxo.lab.study.parts import Section, Study, Table

__all__ = ["write_report"]


def write_report(
    data: dict[str, Any],
    study: Study,
    sections: Sequence[Section],
    folder: Path,
    *,
    figures: bool,
) -> None:
    """Write a report; each file appears under its name once it is complete."""
    drawn = _figures(sections, folder / "figures") if figures else {}
    (folder / "data").mkdir(exist_ok=True)
    for section in sections:
        for table in section.tables:
            replace_file(folder / "data" / f"{table.name}.csv", _as_csv(table))
        for attached in section.files:
            (folder / "files").mkdir(exist_ok=True)
            attached.write(folder / "files" / attached.name)
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    replace_file(folder / "tables.json", text.encode())
    replace_file(folder / "index.html", page(data, study, sections, drawn).encode())


def _figures(sections: Sequence[Section], folder: Path) -> dict[str, str]:
    """Draw all pictures; return them by name as SVG."""
    from hyperoxo.lab.plots import save, svg_text

    folder.mkdir(exist_ok=True)
    drawn = {}
    for section in sections:
        for picture in section.pictures:
            figure = picture.draw()
            for ending in ("svg", "png"):
                save(figure, folder / f"{picture.name}.{ending}")
            drawn[picture.name] = svg_text(figure)
    return drawn


def _as_csv(table: Table) -> bytes:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(["" if cell is None else cell for cell in row] for row in table.rows)
    return stream.getvalue().encode()
