"""Bounded reading of untrusted files, streams and JSON.

Sizes are checked before anything is read, and streams without a size, such as pipes, are read up
to the limit and no further. JSON is bounded in size and depth, and its numbers are finite.
"""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Callable, Iterator
from io import UnsupportedOperation
from pathlib import Path
from typing import Any, BinaryIO

from hyperoxo.errors import LimitError, NotationError, SpecError, quoted

DEFAULT_MEMORY_BUDGET = 2 * 2**30
"""Bytes that one call may take, such as building a board; ``HYPEROXO_MEMORY`` overrides it."""

_DEEPEST = 40
_PIECE = 1 << 20
_LEAST_LIMIT = 1 << 24
_FILE_SHARE, _JSON_SHARE = 8, 32
"""Parts of the memory budget for a file and for JSON, which take so much more once taken apart."""

_LONGEST_LINE = 1 << 24


def memory_limit() -> int:
    """Return the bytes that one call may take: 2 GiB, or ``HYPEROXO_MEMORY``."""
    text = os.environ.get("HYPEROXO_MEMORY", "")
    if not text:
        return DEFAULT_MEMORY_BUDGET
    if not (text.isascii() and text.isdigit()):
        raise LimitError(f"HYPEROXO_MEMORY must be a number of bytes, not {quoted(text)}")
    return int(text)


def most_bytes() -> int:
    """Return the size of a file up to which it is read, an eighth of the memory budget."""
    return max(_LEAST_LIMIT, memory_limit() // _FILE_SHARE)


def read_bytes(path: str | os.PathLike[str], most: int | None = None) -> bytes:
    """Return the content of a file of at most `most` bytes, by default `most_bytes`."""
    with Path(path).open("rb", buffering=0) as file:
        return read_stream(file, os.fspath(path), most)


def read_stream(file: Any, name: str, most: int | None = None) -> bytes:
    """Return the rest of a binary stream, unless it is too large, or a device without an end."""
    limit = most_bytes() if most is None else most
    why = "; it may be an eighth of HYPEROXO_MEMORY (bytes)" if most is None else ""
    refusal = f"{_called(name)} is not read: it is larger than {limit / 2**20:,.0f} MiB{why}"
    if _size(file, name) > limit:
        raise LimitError(refusal)
    found = bytearray()
    while piece := file.read(min(_PIECE, limit + 1 - len(found))):
        found += piece
        if len(found) > limit:
            raise LimitError(refusal)
    return bytes(found)


def read_lines(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the lines of a file of UTF-8 text, which may be large."""
    with Path(path).open("rb") as file:
        _size(file, os.fspath(path))
        while line := file.readline(_LONGEST_LINE + 1):
            if len(line) > _LONGEST_LINE:
                raise LimitError(f"{quoted(path)} has a line of over {_LONGEST_LINE:,} bytes")
            yield decoded(line, os.fspath(path))


def _size(file: BinaryIO, name: str) -> int:
    """Return the size of a stream by its status, 0 if it has none."""
    try:
        status = os.fstat(file.fileno())
    except (UnsupportedOperation, AttributeError):  # bytes in memory
        return 0
    endless = stat.S_ISBLK(status.st_mode) or stat.S_ISCHR(status.st_mode)
    if endless and not file.isatty() and status.st_rdev != Path(os.devnull).stat().st_rdev:
        raise SpecError(f"{_called(name)} is a device, not a file")
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _called(name: str) -> str:
    return "standard input" if name == "-" else quoted(name)


def decoded(data: bytes, name: str, encoding: str = "utf-8") -> str:
    """Return text that is in an encoding."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        what = f"{encoding.upper()} text (byte {error.start + 1})"
        raise NotationError(f"{_called(name)} is not {what}") from None


def read_text(path: str | os.PathLike[str], most: int | None = None) -> str:
    """Return the content of a file of UTF-8 text."""
    return decoded(read_bytes(path, most), os.fspath(path))


def parse_json(
    text: str | bytes,
    most: int | None = None,
    *,
    pairs: Callable[[list[tuple[str, Any]]], Any] | None = None,
) -> Any:
    """Read JSON of at most `most` characters; `pairs` makes its objects, by default dicts.

    It may not be too deep, and have no number that is not finite.
    """
    limit = memory_limit() // _JSON_SHARE if most is None else most
    if len(text) > limit:
        raise NotationError(f"not read: it is larger than {limit / 2**20:,.0f} MiB")
    too_deep = NotationError("not read: brackets are nested too deeply")
    try:
        found = json.loads(
            text, parse_constant=_finite, parse_float=_finite, object_pairs_hook=pairs
        )
    except NotationError:
        raise
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise NotationError(f"not JSON: {error.msg} at {place}") from None
    except UnicodeDecodeError:
        raise NotationError("not JSON: it is not UTF-8 text") from None
    except RecursionError:
        raise too_deep from None
    except ValueError:
        raise NotationError("not read: a number has too many digits") from None
    inner: list[Any] = [[found]]
    for _ in range(_DEEPEST + 1):
        within = (one.values() if isinstance(one, dict) else one for one in inner)
        inner = [each for values in within for each in values if isinstance(each, list | dict)]
    if inner:
        raise too_deep
    return found


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise NotationError(f"not read: {quoted(text)} is not a finite number")
    return value
