"""Background work of the full screen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait

from textual.app import App

from hyperoxo.task import begin

Work = Callable[[threading.Event, Callable[..., None]], None]


class BackgroundRunner:
    """Runs one piece of work after the other in threads."""

    def __init__(self, app: App[None]) -> None:
        # Results are shown by the application's own thread, which also sets `stop`: a check there
        # that work has not been stopped holds until its result is shown. Work waits for the end of
        # the one before it, as agents and searches may have state.
        self._app = app
        self._stop = threading.Event()
        self._last: Future[None] | None = None

    def start(self, work: Work) -> None:
        """Start a piece of work with a stop event and a callback `show` for its results."""
        # `show` calls a function later in the application's own thread, unless the work has been
        # stopped by then.
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
        """Stop the running work, and drop its pending results."""
        self._stop.set()
