"""The page of a report: HTML with its style and figures inside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from hyperoxo.lab.study.parts import Section, Study, Table

__all__ = ["page"]

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
figure svg { max-width: 100%; height: auto; display: block; }
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
        + "\n<footer><p>Intervals are of 95 %. “agrees” says that chance makes a difference as "
        "great as that between the two figures at least once in a hundred times; among many "
        "figures a few may disagree by chance.</p></footer>\n</body>\n</html>\n"
    )


def _files(section: Section) -> str:
    items = [
        f'<li><a href="files/{escape(one.name)}">{escape(one.name)}</a>: {escape(one.caption)}</li>'
        for one in section.files
    ]
    return f"<ul>{''.join(items)}</ul>" if items else ""


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
        for cell, column in zip(row, columns, strict=True)
    )


def _cell(cell: object, column: str) -> str:
    if cell is None:
        return "<td></td>"
    if isinstance(cell, bool):
        return f'<td class="{"yes" if cell else "no"}">{"yes" if cell else "no"}</td>'
    if isinstance(cell, int | float):
        text = f"{cell:,}" if isinstance(cell, int) else f"{cell:.6g}"
        return f'<td class="number">{text}</td>'
    text = escape(str(cell))
    if column == "remark" and text:
        return f'<td class="remark">{text}</td>'
    if column == "command" and text:
        return f'<td class="command"><code>{text}</code></td>'
    return f"<td>{text}</td>"
