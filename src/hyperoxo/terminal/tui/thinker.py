"""Work that goes on while the screen is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait

from textual.app import App

from hyperoxo.task import begin

Work = Callable[[threading.Event, Callable[..., None]], None]


class Thinker:
    """Runs one piece of work after the other in threads."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._stop = threading.Event()
        self._last: Future[None] | None = None

    def start(self, work: Work) -> None:
        """Begin a piece of work, with an event that stops it and a way to show what it finds.

        To show is to call a function of the application, later and in the application's own thread;
        once the work is stopped nothing is shown any more.
        """
        self.stop()
        self._stop = stop = threading.Event()
        before = [] if self._last is None else [self._last]

        def show(take: Callable[..., object], *found: object) -> None:
            self._app.call_later(lambda: None if stop.is_set() else take(*found))

        def run() -> None:
            wait(before)
            if not stop.is_set():
                work(stop, show)

        self._last = begin(run)

    def stop(self) -> None:
        """Ask the running work to stop, and forget what waits."""
        self._stop.set()
