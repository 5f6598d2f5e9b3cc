"""Standard output and error that escape control characters of untrusted texts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from hyperoxo.errors import displayed


class _Displayed:
    """A stream on which control characters are written as escapes."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        return self.stream.write(displayed(text))

    def writelines(self, lines: list[str]) -> None:
        self.stream.writelines(map(displayed, lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def displaying() -> Iterator[None]:
    """Escape printed text; only `raw` streams take colours and data as they are."""
    before = sys.stdout, sys.stderr
    shown = [stream and _Displayed(stream) for stream in before]
    sys.stdout, sys.stderr = cast("list[TextIO]", shown)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def raw(stream: TextIO) -> TextIO:
    """Return the stream itself, for escaped text and for data."""
    return stream.stream if isinstance(stream, _Displayed) else stream


def data_stream() -> TextIO:
    """Return standard output for data: byte for byte, unless a terminal would obey it."""
    return sys.stdout if sys.stdout.isatty() else raw(sys.stdout)
