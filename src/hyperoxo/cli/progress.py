"""How far a long count or match has come: a bar on stderr."""

from __future__ import annotations

import sys
import time
from typing import Any, Self

from hyperoxo.cli.output import console

SLOW = 0.5
"""Seconds after which the bar appears."""

_SELDOM = 20.0


class Progress:
    """A bar on stderr that appears once something has taken a while, at a terminal."""

    def __init__(self, what: str, *, quiet: bool = False) -> None:
        self._what = what
        self._quiet = quiet or not sys.stderr.isatty()
        self._begin = time.perf_counter()
        self._bar: Any = None
        self._task: Any = None

    def __call__(self, done: int, total: int) -> None:
        """Note that `done` of `total` parts are done."""
        if self._quiet or time.perf_counter() - self._begin < SLOW:
            return
        if self._bar is None:
            self._start(total)
        self._bar.update(self._task, completed=done, total=total)

    def _start(self, total: int) -> None:
        from rich.progress import Progress as Bar

        self._bar = Bar(console=console(stderr=True), transient=True)
        self._task = self._bar.add_task(self._what, total=total)
        self._bar.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


class SearchStatus:
    """The figures of a search without an end in sight, on stderr.

    A terminal shows one line that changes; elsewhere a line is written now and then.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._begin = time.perf_counter()
        self._last = self._begin
        self._status: Any = None

    def __call__(self, line: str) -> None:
        """Show a line."""
        now = time.perf_counter()
        if self._quiet or now - self._begin < SLOW:
            return
        if not sys.stderr.isatty():
            if now - self._last >= _SELDOM:
                self._last = now
                print(line, file=sys.stderr, flush=True)  # noqa: T201
            return
        if self._status is None:
            self._status = console(stderr=True).status(line)
            self._status.start()
        self._status.update(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()
