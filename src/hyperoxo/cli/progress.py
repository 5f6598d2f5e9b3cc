"""Progress of a long call: a bar or a line on stderr."""

from __future__ import annotations

import sys
import time
from typing import Any, Self

from hyperoxo.cli.output import console

SLOW = 0.5
"""Seconds after which something appears."""

_SELDOM = 20.0


class Progress:
    """What a long call is doing, on stderr: a bar, or a line where no end is in sight.

    Both appear once the call has taken a while, and at a terminal they change in place. Elsewhere
    there is no bar, and a line is written now and then.
    """

    def __init__(self, what: str = "", *, quiet: bool = False) -> None:
        self._what = what
        self._quiet = quiet
        self._begin = self._last = time.perf_counter()
        self._shown: Any = None
        self._task: Any = None

    def __call__(self, done: int, total: int) -> None:
        """Show in a bar that `done` of `total` parts are done."""
        if not self._is_due() or not sys.stderr.isatty():
            return
        if self._shown is None:
            from rich.progress import Progress as Bar

            self._shown = Bar(console=console(stderr=True), transient=True)
            self._task = self._shown.add_task(self._what, total=total)
            self._shown.start()
        self._shown.update(self._task, completed=done, total=total)

    def line(self, text: str) -> None:
        """Show a line of figures."""
        if not self._is_due():
            return
        if not sys.stderr.isatty():
            if time.perf_counter() - self._last >= _SELDOM:
                self._last = time.perf_counter()
                print(text, file=sys.stderr, flush=True)  # noqa: T201
            return
        if self._shown is None:
            self._shown = console(stderr=True).status(text)
            self._shown.start()
        self._shown.update(text)

    def _is_due(self) -> bool:
        return not self._quiet and time.perf_counter() - self._begin >= SLOW

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown.stop()
