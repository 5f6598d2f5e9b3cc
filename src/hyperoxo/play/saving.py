"""Games saved in the notation of the file name's suffix, and loaded by content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hyperoxo.errors import NotationError
from hyperoxo.files import by_suffix, replace_file
from hyperoxo.notation import Record, Remark, read_file, suffixes, unheard, write
from hyperoxo.untrusted import read_bytes


def save_record(path: Path, record: Record) -> None:
    """Write a record to a file, whole or not at all."""
    replace_file(path, written_as(path, record).encode())


def written_as(path: Path, record: Record) -> str:
    """Write a record in the notation of a file's suffix."""
    name = by_suffix(path, suffixes(), NotationError) if path.suffix else "record"
    return write([record], name)


def load_record(path: Path, remark: Remark = unheard, **options: Any) -> Record:
    """Read the one game of a file; options are those of its notation."""
    _, records = read_file(read_bytes(path), str(path), remark=remark, **options)
    if len(records) != 1:
        raise NotationError(f"{path}: expected one game, not {len(records)}")
    return records[0]
