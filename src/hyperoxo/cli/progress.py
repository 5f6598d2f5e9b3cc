"""Progress display on stderr: bars and lines, one below another."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from hyperoxo.cli.output import console, print_remark
from hyperoxo.errors import displayed
from hyperoxo.jit import compile_events

if TYPE_CHECKING:
    from hyperoxo.solvers.proofsearch.search import ProofProgress

SLOW = 0.5
"""Seconds after which something appears."""

_PATIENCE, _SELDOM = 1.0, 20.0
_TIMES_A_SECOND = 5


class Progress:
    """Progress of a long call on stderr: a bar, or a line if the total is unknown.

    It appears `SLOW` seconds into the call, even without any report, and at a terminal it
    changes in place. Elsewhere a line is written now and then, instead of a bar too.
    """

    def __init__(self, what: str = "working", *, quiet: bool = False, spent: float = 0.0) -> None:
        self.what = what
        self._quiet = quiet
        self._begin = self._last = time.perf_counter() - spent
        self._text = ""
        self._parts: tuple[int, int] | None = None
        self._known: threading.Timer | None = None
        self._drawn: Any = None

    def __call__(self, done: int, total: int) -> None:
        """Show in a bar that `done` of `total` parts are done."""
        self._parts = done, total
        self._change(f"{self.what}: {done:,} of {total:,}")

    def line(self, text: str) -> None:
        """Show a line of figures."""
        self._text = text
        self._change(text)

    def known(self, text: str) -> None:
        """Show the result so far, once the search for more has taken some time."""
        if self._quiet or text == self.what:
            return
        self.what = text
        if not sys.stderr.isatty():
            self._forget()
            self._known = _later(SLOW, lambda: print_remark(text))

    def _forget(self) -> None:
        if self._known is not None:
            self._known.cancel()

    def _change(self, text: str) -> None:
        """Show a change in place; without a terminal, at most a line every `_SELDOM` seconds."""
        if self._quiet or self.seconds < SLOW:
            return
        if sys.stderr.isatty():
            _screen.show()
        elif time.perf_counter() - self._last >= _SELDOM:
            self._last = time.perf_counter()
            print_remark(text)

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self._begin

    def __enter__(self) -> Self:
        if not self._quiet:
            _screen.open(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._forget()
        if not self._quiet:
            _screen.close(self)

    def drawn(self) -> Any:
        """Return the bar, or the line with something before it that moves."""
        if self._parts is not None:
            from rich.markup import escape
            from rich.progress import Progress as Bar

            if not isinstance(self._drawn, Bar):
                self._drawn = Bar(console=console(stderr=True))
                self._drawn.add_task("")
            what, (done, total) = escape(displayed(self.what)), self._parts
            (task,) = self._drawn.task_ids
            self._drawn.update(task, description=what, completed=done, total=total)
            return self._drawn.get_renderable()
        from rich.spinner import Spinner
        from rich.text import Text

        if self._drawn is None:
            self._drawn = Spinner("dots")
        text = self._text or f"{self.what}, {self.seconds:.0f} s"
        self._drawn.update(text=Text(displayed(text)))
        return self._drawn


class _Screen:
    """The live display at the terminal, shared by all progress reports."""

    def __init__(self) -> None:
        # Reports nest (a search within a study) and come from several threads, timers among them.
        # The lock is reentrant: drawing may lead back here.
        self._lock = threading.RLock()
        self.whole: Progress | None = None
        self._parts: list[Progress] = []
        self._waiting: threading.Timer | None = None
        self._live: Any = None

    def open(self, part: Progress) -> None:
        """Add a part below the others, and show it before long in any case."""
        with self._lock:
            self._parts.append(part)
            if self._waiting is None and sys.stderr.isatty():
                self._waiting = _later(SLOW, self.show)

    def close(self, part: Progress) -> None:
        """Remove a part; with the last one, all that was shown disappears."""
        with self._lock:
            if self._live is not None:
                self._live.refresh()
            self._parts.remove(part)
            if self._parts:
                return
            if self._waiting is not None:
                self._waiting.cancel()
            if self._live is not None:
                self._live.stop()
            self._waiting = self._live = None

    def show(self) -> None:
        """Show all parts from now on."""
        with self._lock:
            if self._live is None and self._parts:
                from rich.live import Live

                self._live = Live(
                    console=console(stderr=True),
                    get_renderable=self._drawn,
                    transient=True,
                    refresh_per_second=_TIMES_A_SECOND,
                    redirect_stdout=sys.stdout.isatty(),
                )
                self._live.start(refresh=True)

    def _drawn(self) -> Any:
        from rich.console import Group

        # The report on the whole command is of interest only if there is no other.
        parts = [part for part in self._parts if part is not self.whole] or [*self._parts]
        return Group(*(part.drawn() for part in parts))


_screen = _Screen()


@contextmanager
def waiting(*, whole: bool = True) -> Iterator[None]:
    """Show compilation, and until the answer is printed that the `whole` command is at work."""
    compile_events.on_compile = _FirstUse()
    _screen.whole = Progress().__enter__() if whole else None
    try:
        yield
    finally:
        compile_events.on_compile = None
        end_waiting()


def end_waiting() -> None:
    """Make room for the answer of a command."""
    whole, _screen.whole = _screen.whole, None
    if whole is not None:
        whole.__exit__()


class _FirstUse:
    """Progress of compilation, which may be all that happens for a long time."""

    def __init__(self) -> None:
        self._part: Progress | None = None
        self._spent, self._next = 0.0, _PATIENCE
        self._waiting: threading.Timer | None = None

    def __call__(self, number: int, known: int) -> None:
        """Report the function being compiled, or the end of compilation."""
        if not number:
            self._end()
            return
        what = f"compiling {number} of about {known} functions, only at first use"
        if self._part is None:
            self._part = Progress(what, spent=self._spent).__enter__()
            self._waiting = _later(max(0.0, self._next - self._spent), self._write_line)
        self._part.what = what

    def _write_line(self) -> None:
        """Write a line where nothing can be shown in place."""
        part = self._part
        if part is not None and not sys.stderr.isatty():
            print_remark(f"{part.what}, {part.seconds:.0f} s so far")
            self._next = part.seconds + _SELDOM
            self._waiting = _later(_SELDOM, self._write_line)

    def _end(self) -> None:
        part, self._part = self._part, None
        if part is not None and self._waiting is not None:
            self._waiting.cancel()
            self._spent = part.seconds
            part.__exit__()


def _later(seconds: float, work: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()
    return timer


def figures(found: ProofProgress) -> str:
    """Write the progress of a proof search."""
    left = "" if found.remaining is None else f", about {found.remaining:,} classes left"
    replies = f", replies {found.replies_proved}/{found.replies}" if found.replies else ""
    return (
        f"proof number {found.proof:,}, disproof number {found.disproof:,}{left}{replies}, "
        f"{found.nodes:,} nodes, table {found.entries / found.capacity:.0%} full, "
        f"{found.seconds:.0f} s"
    )
