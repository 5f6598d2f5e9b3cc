"""Files read, data printed on stdout, remarks on stderr, tables in plain text."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hyperoxo as ox
from hyperoxo.display import UNBROKEN
from hyperoxo.errors import displayed
from hyperoxo.files import replace_file
from hyperoxo.registry import loaded
from hyperoxo.terminal.streams import data_stream, raw
from hyperoxo.untrusted import decoded, read_stream

if TYPE_CHECKING:
    from rich.table import Table

    from hyperoxo.notation import Remark

INTERRUPTED = 130
FAILED = 1
"""Exit codes: after Ctrl-C, and where the answer is no."""


def as_json(answer: Any) -> str:
    """Write an answer as one line of JSON; NumPy scalars, arrays and sets of numbers included."""
    # Control characters that JSON leaves as they are become escapes: a terminal would obey them.
    text = json.dumps(answer, default=_plain, ensure_ascii=False, allow_nan=False)
    return displayed(text, lambda one: json.dumps(one)[1:-1])


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, bytes):
        return value.decode("ascii")
    raise TypeError(f"a {type(value).__name__} has no JSON form")


def command_line() -> str:
    """Return the command as it was called, for the files that it writes."""
    return " ".join(["oxo", *sys.argv[1:]])


def print_remark(message: str) -> None:
    """Print one remark on stderr, if that can be written."""
    with suppress(OSError):
        click.echo(message, err=True)


def load_group(group: str) -> Iterator[tuple[str, Any]]:
    """Load the objects of a group of entry points by name; report those that do not load."""
    return loaded(group, lambda error: print_remark(f"oxo: {error}"))


def console(*, stderr: bool = False) -> Any:
    """Return a rich console, without colour where ``NO_COLOR`` is set or a file is written."""
    from rich.console import Console

    stream = raw(sys.stderr if stderr else sys.stdout)
    plain = bool(os.environ.get("NO_COLOR"))
    width = None if stream.isatty() else UNBROKEN
    return Console(file=stream, no_color=plain, width=width, highlight=False, emoji=False)


def print_text(parts: Iterable[str | Table]) -> None:
    """Print lines and tables on stdout."""
    for part in parts:
        if isinstance(part, str):
            click.echo(part)
        else:
            console().print(part)


def one_of_each_class(
    moves: Iterable[Mapping[str, Any]],
    position: ox.Position,
    *,
    every: bool,
    most: int | None = None,
) -> dict[str, Any]:
    """Return the first of each class of moves that are alike, or of `every` move, and a remark.

    Moves have a ``cell``; the first of a class gets the size of its class as ``alike``. At most
    `most` are returned, unless every move is asked for.
    """
    from hyperoxo.solvers.arrays import move_classes

    class_of = {} if every else move_classes(position)
    classes: dict[int, list[Mapping[str, Any]]] = {}
    for move in moves:
        classes.setdefault(class_of.get(move["cell"], move["cell"]), []).append(move)
    total = sum(map(len, classes.values()))
    grouped = len(classes) < total
    found = [
        {**alike[0], **({"alike": len(alike)} if grouped else {})} for alike in classes.values()
    ]
    shown = found[: None if every else most]
    more = ""
    if len(shown) < len(found):
        more = f"and {len(found) - len(shown)} more; --all lists every move"
    elif grouped:
        more = f"{total} moves, one of each class; --all lists every move"
    return {"rows": shown, "more": more}


def read_bytes(name: str) -> bytes:
    """Read a file, or stdin for ``-``."""
    with click.open_file(name, "rb") as stream:
        return read_stream(stream, name)


def read_text(name: str) -> str:
    """Read a file of text."""
    return decoded(read_bytes(name), name)


def read_records(
    source: str, notation: str | None, remark: Remark, **options: Any
) -> tuple[str, list[ox.Record]]:
    """Read all records of a file, by its content unless a notation is named; return that too."""
    from hyperoxo.notation import read_file

    return read_file(read_bytes(source), source, notation, remark=remark, **options)


def write(path: str | Path, content: str | bytes) -> bool:
    """Write a whole file in one step, or on stdout for ``-``; return whether it was a file."""
    if str(path) == "-":
        click.echo(content, file=data_stream(), nl=False)
        return False
    replace_file(path, content.encode() if isinstance(content, str) else content)
    return True
