"""Running a study: measure, and write the report."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any

from hyperoxo.errors import SpecError
from hyperoxo.files import replace_file
from hyperoxo.lab.plots.style import check_drawing, save, svg_text
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.study.parts import VERDICTS, Bench, Section, Study, Table, worded
from hyperoxo.lab.study.registry import find_study
from hyperoxo.task import Progress

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --bad: #c0392b; --good: #0a7d5b; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; font-size: .9rem; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; }
thead th { background: var(--soft); }
tbody td:first-child { min-width: 7rem; }
td.command, td.remark { min-width: 16rem; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.no { color: var(--bad); font-weight: 600; }
td.yes { color: var(--good); }
code { font-size: .85em; overflow-wrap: anywhere; }
figure { margin: 1rem 0; background: #fff; color: #000; padding: .5rem; border-radius: .3rem; }
figure svg, figure img { max-width: 100%; height: auto; display: block; }
figcaption { font-size: .9rem; }
footer { margin-top: 3rem; font-size: .85rem; border-top: 1px solid var(--line); }
"""


def page(
    data: dict[str, Any], study: Study, sections: Sequence[Section], figures: dict[str, str]
) -> str:
    """Write the page."""
    size = "full sample sizes" if data["full"] else "reduced sample sizes"
    scale = data.get("scale", 1)
    words = f"{' --full' if data['full'] else ''}{f' --scale {scale:g}' if scale < 1 else ''}"
    command = f"oxo study {study.name}{words} --seed {data['seed']}"
    size = f"{scale:g} of {size}" if scale < 1 else size
    body = [f"<h1>{escape(study.title)}</h1>", _paragraphs(study.source)]
    body.append(f"<p>Made by <code>{escape(command)}</code>, with {size}.</p>")
    for section in sections:
        body.append(f"<h2>{escape(section.title)}</h2>")
        body.append(_paragraphs(section.text))
        body += [_table(table) for table in section.tables]
        body.append(_files(section))
        for picture in section.pictures:
            if picture.name in figures:
                caption = f"<figcaption>{escape(picture.caption)}</figcaption>"
                body.append(
                    f"<figure>{_own_ids(figures[picture.name], picture.name)}{caption}</figure>"
                )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(study.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(part for part in body if part)
        + "\n<footer><p>Intervals are of 95 %. “agrees” says that chance, in both samples, makes a "
        "difference as great as that between the two figures at least once in a hundred times; "
        "among many figures a few may disagree by chance. “cannot tell”: the published sample is "
        "too small, or of something else, as the remark says.</p></footer>\n</body>\n</html>\n"
    )


def _files(section: Section) -> str:
    items = [
        f'<li><a href="files/{escape(one.name)}">{escape(one.name)}</a>: {escape(one.caption)}</li>'
        for one in section.files
        if not one.name.endswith(".svg")
    ]
    shown = "".join(
        f'<figure><a href="files/{escape(one.name)}"><img src="files/{escape(one.name)}" '
        f'alt="{escape(one.caption)}"></a><figcaption>{escape(one.caption)}</figcaption></figure>'
        for one in section.files
        if one.name.endswith(".svg")
    )
    return shown + (f"<ul>{''.join(items)}</ul>" if items else "")


def _own_ids(svg: str, name: str) -> str:
    """Give a figure ids of its own, for several stand in one page."""
    for mark in ('id="', 'href="#', "url(#"):
        svg = svg.replace(mark, f"{mark}{name}-")
    return svg


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n") if part)


def _table(table: Table) -> str:
    notes = _notes(table)
    heads = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
    rows = "".join(f"<tr>{_cells(row, table.columns, notes)}</tr>" for row in table.rows)
    return (
        f"<div class='scroll'><table><caption>{escape(table.title)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
        + "".join(f"<p>Note {number}: {escape(text)}</p>" for text, number in notes.items())
        + _paragraphs(table.text)
    )


def _notes(table: Table) -> dict[str, int]:
    """Number the remarks that stand in several rows, which are given once below the table."""
    if "remark" not in table.columns:
        return {}
    place = table.columns.index("remark")
    counted = Counter(str(row[place]) for row in table.rows if row[place])
    repeated = [text for text, times in counted.items() if times > 1]
    return {text: number for number, text in enumerate(repeated, start=1)}


def _cells(row: Sequence[object], columns: Sequence[str], notes: Mapping[str, int]) -> str:
    return "".join(
        f"<td>note {notes[str(cell)]}</td>"
        if column == "remark" and cell in notes
        else _cell(cell, column)
        for cell, column in zip(worded(row, columns), columns, strict=True)
    )


def _cell(cell: object, column: str) -> str:
    if cell is None:
        return "<td></td>"
    if isinstance(cell, bool) or cell in (VERDICTS[True], VERDICTS[False]):
        good = cell in (True, VERDICTS[True])
        words = "yes" if good else "no"
        return f'<td class="{words}">{words if isinstance(cell, bool) else cell}</td>'
    if isinstance(cell, int | float):
        text = f"{cell:,}" if isinstance(cell, int) else f"{cell:.6g}"
        return f'<td class="number">{text}</td>'
    text = escape(str(cell))
    if column == "remark" and text:
        return f'<td class="remark">{text}</td>'
    if column == "command" and text:
        return f'<td class="command"><code>{text}</code></td>'
    return f"<td>{text}</td>"


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


@dataclass(frozen=True)
class StudyReport:
    """The result of a study."""

    study: Study
    full: bool
    seed: int
    sections: tuple[Section, ...]
    folder: Path
    scale: float = 1.0

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables."""
        return tuple(table for section in self.sections for table in section.tables)

    def as_data(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "study": self.study.name,
            "title": self.study.title,
            "full": self.full,
            "seed": self.seed,
            "scale": self.scale,
            "folder": str(self.folder),
            "source": self.study.source,
            "sections": [section.as_data() for section in self.sections],
            "tables": [table.as_data() for table in self.tables],
        }


def study(
    name: str,
    folder: str | Path | None = None,
    *,
    full: bool = False,
    scale: float = 1.0,
    parts: int | None = None,
    seed: int = 0,
    figures: bool = True,
    workers: int = 1,
    executor: Executor | None = None,
    store: ResultStore | None = None,
    progress: Progress | None = None,
    note: Callable[[str], None] | None = None,
) -> StudyReport:
    """Measure the tables of a study again, and write a report.

    Parameters
    ----------
    name : str
        One of :data:`hyperoxo.lab.study.STUDIES`.
    folder : str or Path, optional
        Folder of the report; ``study-NAME`` in the current folder by default. It receives
        ``index.html``, which needs no other file, ``tables.json``, ``data/*.csv``,
        ``figures/*.svg`` and ``.png``, and ``files`` with proofs where a study has some.
    full : bool
        Samples of full size; otherwise of a size that takes about a minute.
    scale : float
        Fraction of each sample to play, 0 to 1, for a quick look.
    parts : int, optional
        Number of sections, from the first on; all if not given.
    seed : int
        Seed of everything.
    figures : bool
        Whether figures are drawn, which needs matplotlib.
    workers : int
        Number of games played in parallel; results do not depend on it.
    executor : concurrent.futures.Executor, optional
        Where the games run, instead of workers that this call starts.
    store : ResultStore, optional
        Where the results are kept. An unfinished study is resumed.
    progress : callable, optional
        Called with (games played, games wanted) of the current sample.
    note : callable, optional
        Called with the title of each section when it is done.

    Returns
    -------
    StudyReport
        The tables.

    Raises
    ------
    SpecError
        If there is no such study.
    MissingExtraError
        If figures are wanted and matplotlib is not installed.
    OSError
        If the folder cannot be written.
    """
    if seed < 0:
        raise SpecError(f"a seed must not be negative, not {seed}")
    if not 0 < scale <= 1:
        raise SpecError(f"the scale must be above 0 and at most 1, not {scale}")
    found = find_study(name)
    place = Path(f"study-{name}") if folder is None else Path(folder)
    if figures:
        check_drawing()  # before the games rather than after them
    place.mkdir(parents=True, exist_ok=True)
    sections = []
    with _kept(found, full, scale, seed, store, workers) as kept:
        bench = Bench(full, seed, workers, kept, progress, executor, scale)
        for section in islice(found.sections(bench), parts):
            sections.append(section)
            if note is not None:
                note(section.title)
        # Written while the study counts as unfinished: where that fails, nothing is played again.
        report = StudyReport(found, full, seed, tuple(sections), place, scale)
        # Where it was made says nothing about it: it may be moved, and equal ones are equal.
        data = {name: value for name, value in report.as_data().items() if name != "folder"}
        write_report(data, found, report.sections, place, figures=figures)
    return report


@contextmanager
def _kept(
    found: Study,
    full: bool,
    scale: float,
    seed: int,
    store: ResultStore | None,
    workers: int,
) -> Iterator[ResultStore | None]:
    """Note the study in the store, and make what it plays a part of it."""
    if store is None:
        yield None
        return
    settings = {"study": found.name, "full": full, **({} if scale == 1 else {"scale": scale})}
    run = store.begin(RunRequest("study", "", settings, seed), workers=workers)
    try:
        yield store.part_of(run)
    except BaseException:
        store.end(run, done=False)
        raise
    store.end(run, done=True)
