"""Pages of the studies: a small part of each is measured when the documentation is built."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hyperoxo as ox
from hyperoxo_research.study import Section
from hyperoxo_research.study.report import as_markdown

SCALE = 0.05
# Sections to be measured here, from the first on; all of them would take minutes.
PARTS = {"ising": 2, "prolog": 1, "q-players": 1, "qubic": 5, "tesseract": 2}


def setup(app: Any) -> dict[str, Any]:
    """Write the pages before Sphinx looks for them."""
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir)))
    return {"version": "1", "parallel_read_safe": True}


def write_pages(docs: Path) -> None:
    """Measure, and write a page a study; pages of the same version are left as they are."""
    folder = docs / "_studies"
    stamp = folder / "version.txt"
    state = f"{ox.__version__} {SCALE} {PARTS} {_age()}"
    if stamp.exists() and stamp.read_text() == state:
        return
    shutil.rmtree(folder, ignore_errors=True)
    for name, parts in PARTS.items():
        report = ox.study(name, folder / name, scale=SCALE, parts=parts)
        (folder / f"{name}.md").write_text(page(name, report.study.title, report.sections), "utf-8")
    stamp.write_text(state)


def _age() -> float:
    source = Path(ox.__file__).parent / "lab"
    return max(path.stat().st_mtime for path in source.rglob("*.py"))


def page(name: str, title: str, sections: Sequence[Section]) -> str:
    """Return the page of a study in Markdown."""
    intro = (
        f"Measured when these pages were built, {_how_many(len(sections))} of "
        f"`oxo study {name} --scale {SCALE:g}`: samples are small, and intervals wide. "
        f"`oxo study {name}` has all sections and takes minutes, `--full` has samples of "
        "full size."
    )
    return as_markdown(title, intro, sections, f"{name}/")


def _how_many(sections: int) -> str:
    return "the first section" if sections == 1 else f"the first {sections} sections"
