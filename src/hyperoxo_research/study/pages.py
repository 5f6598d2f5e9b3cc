"""Reports: a page for each study, and one that sums up several.

No page needs another file or runs a script: what is folded away opens by the page's own means, and
is printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from hyperoxo.display import Result
from hyperoxo_research.study.parts import Section, Study, Table
from hyperoxo_research.study.shown import (
    INTERVAL,
    LEGEND,
    SIGNS,
    VERDICTS,
    VISIBLE,
    Published,
    Verdict,
    counted,
    published,
    shown,
    summary,
    verdicts,
)

_EXPLAINED = (
    f"<footer><p>Where a {INTERVAL} is given, it holds the true figure behind ours in 95 of 100 "
    "such samples. “agrees” says that chance, in both samples, makes a difference as great as that "
    "between the two figures at least once in a hundred times; among many figures a few may "
    "disagree by chance. “cannot tell”: the published sample is too small, or of something else, "
    "as the remark says. “open”: nothing of ours stands beside the published figure. All digits "
    "are in <code>data</code>, a file for each table.</p></footer>"
)
_FEW = 12
"""Rows named in a summary; more are folded."""


@dataclass(frozen=True)
class StudyReport(Result):
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

    _data = (
        "study=study.name title=study.title full seed scale folder source=study.source summary "
        "sections tables"
    )

    @property
    def summary(self) -> dict[str, int]:
        """Verdicts of all figures, counted."""
        return counted(verdicts(self.sections))


def made_by(data: dict[str, Any], name: str) -> tuple[str, str]:
    """Return the command that made a report, and its sample sizes in words."""
    size = "full sample sizes" if data["full"] else "reduced sample sizes"
    scale = data.get("scale", 1)
    words = f"{' --full' if data['full'] else ''}{f' --scale {scale:g}' if scale < 1 else ''}"
    return (
        f"oxo study {name}{words} --seed {data['seed']}",
        f"{scale:g} of {size}" if scale < 1 else size,
    )


def page(
    data: dict[str, Any], study: Study, sections: Sequence[Section], figures: dict[str, str]
) -> str:
    """Write the page of a study."""
    command, size = made_by(data, study.name)
    body = [
        f"<header><h1>{escape(study.title)}</h1>",
        paragraphs(study.source),
        f"<p class='soft'>Made by <code>{escape(command)}</code>, with {size}.</p></header>",
        _summary(verdicts(sections)),
        _contents(sections),
    ]
    for number, section in enumerate(sections, start=1):
        body += [
            f"<section id='section-{number}'><h2>{escape(section.title)}</h2>",
            paragraphs(section.text),
            *(_table(table) for table in section.tables),
            _files(section),
            *(
                _figure(_own_ids(figures[picture.name], picture.name), picture.caption)
                for picture in section.pictures
                if picture.name in figures
            ),
            "</section>",
        ]
    return whole(study.title, [*body, _EXPLAINED])


def index_page(reports: Sequence[StudyReport], places: Sequence[str]) -> str:
    """Write a page that sums up several reports; `places` are the folders with their pages."""
    found = [verdicts(report.sections) for report in reports]
    rows = [
        (f"#{report.study.name}", report.study.title, counted(one))
        for report, one in zip(reports, found, strict=True)
    ]
    every = counted([one for some in found for one in some])
    body = [
        "<header><h1>Published and measured again</h1></header>",
        f"<section><p class='lead'>{summary(every)}</p>{_counts('study', rows)}</section>",
    ]
    for report, one, place in zip(reports, found, places, strict=True):
        there = f"{escape(place)}/index.html"
        command, size = made_by(report.as_data(), report.study.name)
        contents = "".join(
            f"<li><a href='{there}#section-{number}'>{escape(section.title)}</a></li>"
            for number, section in enumerate(report.sections, start=1)
        )
        body.append(
            f"<section id='{escape(report.study.name)}'><h2><a href='{there}'>"
            f"{escape(report.study.title)}</a></h2>{paragraphs(report.study.source)}"
            f"<p class='lead'>{summary(counted(one))}</p>{_named(one, there)}<ol>{contents}</ol>"
            f"<p class='soft'>Made by <code>{escape(command)}</code>, with {size}.</p></section>"
        )
    return whole("Published and measured again", [*body, _EXPLAINED])


def whole(title: str, body: Sequence[str]) -> str:
    """Put a page together from its title and parts."""
    style = files("hyperoxo_research.study").joinpath("style.css").read_text("utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        + "\n".join(part for part in body if part)
        + "\n</body>\n</html>\n"
    )


def _summary(found: Sequence[Verdict]) -> str:
    """Sum up a report: in a sentence, table by table, and all that does not agree."""
    if not found:
        return ""
    tables = {one.table.name: one.table for one in found}
    rows = [
        (f"#table-{name}", table.title, counted([one for one in found if one.table.name == name]))
        for name, table in tables.items()
    ]
    return (
        f"<section><h2>Summary</h2><p class='lead'>{summary(counted(found))}</p>"
        f"{_named(found)}{_counts('table', rows)}</section>"
    )


def _counts(what: str, rows: Sequence[tuple[str, str, dict[str, int]]]) -> str:
    """Write how often each verdict was given, a row a link with its text and counts."""
    given = [words for words in SIGNS if any(counts[words] for _, _, counts in rows)]
    heads = "".join(f"<th class='number'>{words}</th>" for words in given)
    lines = "".join(
        f"<tr><td><a href='{escape(link)}'>{escape(text)}</a></td>"
        + "".join(
            f"<td class='number {_class(words)}'>{counts[words] or ''}</td>" for words in given
        )
        + "</tr>"
        for link, text, counts in rows
    )
    return (
        f"<div class='scroll'><table><thead><tr><th>{what}</th>{heads}</tr></thead>"
        f"<tbody>{lines}</tbody></table></div>"
    )


def _named(found: Sequence[Verdict], there: str = "") -> str:
    """Name the rows that do not agree, with links to them."""
    parts = []
    for words in (words for words in SIGNS if words != VERDICTS[True]):
        rows = [one for one in found if one.words == words]
        links = "; ".join(
            f"<a href='{there}#{_row_id(one.table, one.row)}'>{escape(one.quantity)}</a>"
            for one in rows
        )
        head = f"<span class='{_class(words)}'>{words.capitalize()}</span>"
        if len(rows) > _FEW:
            parts.append(
                f"<details><summary>{head}: {len(rows)} rows</summary><p>{links}</p></details>"
            )
        elif rows:
            parts.append(f"<p>{head}: {links}.</p>")
    return "".join(parts)


def _contents(sections: Sequence[Section]) -> str:
    items = "".join(
        f"<li><a href='#section-{number}'>{escape(section.title)}</a></li>"
        for number, section in enumerate(sections, start=1)
    )
    return f"<nav aria-label='Contents'><ol>{items}</ol></nav>"


def _table(table: Table) -> str:
    """Write a table: the published one with ours beside, then row by row, then the commands."""
    shapes = list(published(table))
    parts = [f"<h3 id='table-{table.name}'>{escape(table.title)}</h3>"]
    if shapes:
        parts += [_published(table, shape) for shape in shapes]
        parts.append(f"<p class='soft'>{escape(LEGEND)}</p>")
    return "".join([*parts, _rows(table, folded=bool(shapes)), _commands(table),
                    paragraphs(table.text)])  # fmt: skip


def _published(table: Table, shape: Published) -> str:
    heads = "".join(f"<th>{escape(name)}</th>" for name in (shape.title, *shape.columns))
    rows = []
    for name, cells in shape.rows:
        row = "".join(
            "<td></td>"
            if cell is None
            else f"<td class='{_class(cell.words)}'>"
            f"<a href='#{_row_id(table, cell.row)}'>{escape(cell.text)}</a></td>"
            for cell in cells
        )
        rows.append(f"<tr><th>{escape(name)}</th>{row}</tr>")
    return (
        f"<div class='scroll'><table class='published'><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _rows(table: Table, *, folded: bool) -> str:
    """Write the rows; those beyond the first of a long table appear when they are asked for."""
    told = shown(table)
    notes = _notes(table)
    heads = "".join(
        f"<th{_of_class('number' if name in told.numbers else '')}>{escape(name)}</th>"
        for name in told.columns
    )
    rows = [
        f"<tr id='{_row_id(table, number)}'>"
        + "".join(
            _cell(cell, name, notes, number=name in told.numbers)
            for cell, name in zip(row, told.columns, strict=True)
        )
        + "</tr>"
        for number, row in enumerate(told.rows)
    ]
    first = 0 if folded else len(rows) if len(rows) <= VISIBLE + 3 else VISIBLE
    rest = f"<tbody class='rest'>{''.join(rows[first:])}</tbody>" if first < len(rows) else ""
    head = f"<thead><tr>{heads}</tr></thead>"
    if folded:
        head, rest = "", f"<tbody class='rest'><tr>{heads}</tr>{''.join(rows)}</tbody>"
    fold = (
        f"<input type='checkbox' class='fold' id='all-{table.name}'/><label for='all-{table.name}'>"
        f"<span class='more'>Show all {len(rows)} rows</span>"
        "<span class='less'>Show fewer rows</span></label>"
    )
    return (
        f"<div><div class='scroll'><table>{head}<tbody>{''.join(rows[:first])}</tbody>{rest}"
        f"</table></div>{fold if rest else ''}</div>"
        + "".join(f"<p>Note {number}: {escape(text)}</p>" for text, number in notes.items())
    )


def _commands(table: Table) -> str:
    """Fold the commands away, each with the rows that it measures."""
    if "command" not in table.columns:
        return ""
    place = table.columns.index("command")
    rows: dict[str, list[str]] = {}
    for row in table.rows:
        if row[place]:
            rows.setdefault(str(row[place]), []).append(str(row[0]))
    items = "".join(
        f"<li>{escape(_listed(names))}: <code>{escape(command)}</code></li>"
        for command, names in rows.items()
    )
    count = "Command" if len(rows) == 1 else f"{len(rows)} commands"
    return f"<details><summary>{count}</summary><ol>{items}</ol></details>" if rows else ""


def _listed(names: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(names))
    if len(distinct) <= 3:
        return "; ".join(distinct)
    return f"{distinct[0]} and {len(distinct) - 1} more rows"


def _notes(table: Table) -> dict[str, int]:
    """Number the remarks that stand in several rows, which are given once below the table."""
    if "remark" not in table.columns:
        return {}
    place = table.columns.index("remark")
    times = Counter(str(row[place]) for row in table.rows if row[place])
    repeated = [text for text, count in times.items() if count > 1]
    return {text: number for number, text in enumerate(repeated, start=1)}


def _cell(cell: str, name: str, notes: dict[str, int], *, number: bool) -> str:
    if name == "remark" and cell in notes:
        return f"<td>note {notes[cell]}</td>"
    kind = (
        "number" if number and not name.startswith(INTERVAL)
        else "interval" if name.startswith(INTERVAL)
        else _class(cell) if name == "agrees"
        else "remark" if name == "remark" and cell
        else ""
    )  # fmt: skip
    return f"<td{_of_class(kind)}>{escape(cell)}</td>"


def _of_class(kind: str) -> str:
    return f" class='{kind}'" if kind else ""


def _class(words: str) -> str:
    return words.partition(" ")[0]


def _row_id(table: Table, number: int) -> str:
    return f"row-{table.name}-{number}"


def _files(section: Section) -> str:
    drawn = [one for one in section.files if one.name.endswith(".svg")]
    items = [
        f'<li><a href="files/{escape(one.name)}">{escape(one.name)}</a>: {escape(one.caption)}</li>'
        for one in section.files
        if one not in drawn
    ]
    figures = (
        _figure(
            f'<a href="files/{escape(one.name)}"><img src="files/{escape(one.name)}" '
            f'alt="{escape(one.caption)}"></a>',
            one.caption,
        )
        for one in drawn
    )
    return "".join(figures) + (f"<ul>{''.join(items)}</ul>" if items else "")


def _figure(drawn: str, caption: str) -> str:
    return f"<figure>{drawn}<figcaption>{escape(caption)}</figcaption></figure>"


def _own_ids(svg: str, name: str) -> str:
    """Give a figure ids of its own, for several stand in one page."""
    for mark in ('id="', 'href="#', "url(#"):
        svg = svg.replace(mark, f"{mark}{name}-")
    return svg


def paragraphs(text: str) -> str:
    """Write paragraphs."""
    return "".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n") if part)
