"""Reports as Markdown: one text, with figures and whole tables in the files beside it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from hyperoxo_research.study.parts import Section, Table
from hyperoxo_research.study.shown import (
    LEGEND,
    VERDICTS,
    counted,
    published,
    shown,
    summary,
    verdicts,
)

_ROWS = 30
"""Longer tables are cut here."""


def as_markdown(
    title: str,
    intro: str,
    sections: Sequence[Section],
    folder: str = "",
    *,
    pictures: Container[str] | None = None,
) -> str:
    """Write a report; its files are in `folder`, and of the pictures those that were drawn."""
    found = verdicts(sections)
    parts = [f"# {title}", intro]
    if found:
        parts += ["## Summary", f"**{summary(counted(found))}**"]
        for words in (words for words in counted(found) if words != VERDICTS[True]):
            named = "; ".join(one.quantity for one in found if one.words == words)
            parts.append(_plain(f"{words.capitalize()}: {named}.") if named else "")
    for section in sections:
        parts += [f"## {section.title}", section.text]
        for table in section.tables:
            parts += [f"**{table.title}**", *_shapes(table), _rows(table, folder), table.text]
        parts += [
            f"![{one.caption}]({folder}figures/{one.name}.svg)\n\n*{one.caption}.*"
            for one in section.pictures
            if pictures is None or one.name in pictures
        ]
        parts += [f"[{one.name}]({folder}files/{one.name}): {one.caption}" for one in section.files]
    return "\n\n".join(part for part in parts if part) + "\n"


def _shapes(table: Table) -> Iterator[str]:
    """Write the published tables with ours beside."""
    for shape in published(table):
        yield _lines(
            (shape.title, *shape.columns),
            [(name, *("" if cell is None else cell.text for cell in row))
             for name, row in shape.rows],
        )  # fmt: skip
    if table.places:
        yield LEGEND


def _rows(table: Table, folder: str) -> str:
    whole = f"[{table.name}.csv]({folder}data/{table.name}.csv)"
    if table.places:
        return f"{len(table.rows)} rows with intervals and commands: {whole}."
    told = shown(table)
    text = _lines(told.columns, told.rows[:_ROWS])
    more = len(table.rows) - _ROWS
    return f"{text}\n\n{more} rows more: {whole}." if more > 0 else text


def _lines(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(_plain, line))} |" for line in lines)


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("\n", " ")
