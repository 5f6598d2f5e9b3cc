"""Printing: data on stdout, remarks on stderr, tables in plain text."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

UNBROKEN = 1000
"""Width of text that goes into a file or a pipe, where lines should not be broken."""


def as_json(answer: Any) -> str:
    """Write an answer as one line of JSON; NumPy scalars, arrays and sets of numbers included."""
    return json.dumps(answer, default=_plain, ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, bytes):
        return value.decode("ascii")
    raise TypeError(f"a {type(value).__name__} has no JSON form")


def say(message: str) -> None:
    """Print one remark on stderr."""
    click.echo(message, err=True)


def console(*, stderr: bool = False) -> Any:
    """Return a rich console, without colour where ``NO_COLOR`` is set or nobody looks."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    plain = bool(os.environ.get("NO_COLOR"))
    width = None if stream.isatty() else UNBROKEN
    return Console(file=stream, no_color=plain, width=width, highlight=False, emoji=False)


def table(
    headings: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None
) -> None:
    """Print a table on stdout; columns of numbers are set to the right."""
    from rich.table import Table
    from rich.text import Text

    filled = [tuple(row) for row in rows]
    shown = Table(title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column, heading in enumerate(headings):
        numeric = all(_is_number(row[column]) for row in filled)
        shown.add_column(Text(heading), justify="right" if numeric else "left")
    for row in filled:
        shown.add_row(*(Text(str(cell)) for cell in row))
    console().print(shown)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) or hasattr(value, "dtype")
