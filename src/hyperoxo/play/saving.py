"""Games saved to files and loaded from them; the ending of the name says in which notation."""

from __future__ import annotations

from pathlib import Path

from hyperoxo.errors import NotationError
from hyperoxo.notation import FORMATS, Record, read, write

__all__ = ["format_of", "load_record", "save_record", "written_as"]


def format_of(path: Path) -> str | None:
    """Return the notation that the name of a file stands for, or None."""
    ending = path.suffix.lower()
    return next((entry.name for entry in FORMATS.values() if ending in entry.extensions), None)


def save_record(path: Path, record: Record) -> None:
    """Write a record to a file, whole or not at all."""
    text = written_as(path, record)
    draft = path.with_name(path.name + ".part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None


def written_as(path: Path, record: Record) -> str:
    """Write a record in the notation that a file's name stands for."""
    name = format_of(path) if path.suffix else "record"
    if name is None:
        known = ", ".join(ending for entry in FORMATS.values() for ending in entry.extensions)
        raise NotationError(f"{path}: the name must end in one of {known}")
    return write([record], name)


def load_record(path: Path) -> Record:
    """Read the one game of a file."""
    try:
        text = path.read_text(encoding="utf-8")
        records = read(text, format_of(path))
    except UnicodeDecodeError:
        raise NotationError(f"{path}: not a text file") from None
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None
    if len(records) != 1:
        raise NotationError(f"{path}: one game is wanted, not {len(records)}")
    return records[0]
