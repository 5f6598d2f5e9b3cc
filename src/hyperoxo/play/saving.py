"""Games saved in the notation of the file name's suffix, and loaded by content."""

from __future__ import annotations

from pathlib import Path

from hyperoxo.errors import NotationError
from hyperoxo.files import by_suffix, replace_file
from hyperoxo.notation import Record, read_named, suffixes, write
from hyperoxo.untrusted import read_text


def save_record(path: Path, record: Record) -> None:
    """Write a record to a file, whole or not at all."""
    replace_file(path, written_as(path, record).encode())


def written_as(path: Path, record: Record) -> str:
    """Write a record in the notation that a file's name stands for."""
    name = by_suffix(path, suffixes(), NotationError) if path.suffix else "record"
    return write([record], name)


def load_record(path: Path) -> Record:
    """Read the one game of a file."""
    text = read_text(path)
    try:
        _, records = read_named(text, path.name)
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None
    if len(records) != 1:
        raise NotationError(f"{path}: one game is wanted, not {len(records)}")
    return records[0]
