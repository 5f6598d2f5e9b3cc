"""Work that goes on while the screen is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait

from hyperoxo.task import begin

Work = Callable[[threading.Event], None]


class Thinker:
    """Runs one piece of work after the other in threads."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._last: Future[None] | None = None

    def start(self, work: Work) -> None:
        """Begin a piece of work; it is called with an event that tells it to stop."""
        self.stop()
        self._stop = stop = threading.Event()
        before = [] if self._last is None else [self._last]

        def run() -> None:
            wait(before)
            if not stop.is_set():
                work(stop)

        self._last = begin(run)

    def stop(self) -> None:
        """Ask the running work to stop, and forget what waits."""
        self._stop.set()
