"""Work that goes on while the screen is shown."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

Work = Callable[[threading.Event], None]


class Thinker:
    """Runs one piece of work after the other in a thread of its own."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._queue: queue.Queue[tuple[Work, threading.Event]] = queue.Queue()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, work: Work) -> None:
        """Begin a piece of work; it is called with an event that tells it to stop."""
        self.stop()
        self._stop = threading.Event()
        self._queue.put((work, self._stop))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ask the running work to stop, and forget what waits."""
        self._stop.set()

    def _run(self) -> None:
        while True:
            work, stop = self._queue.get()
            if not stop.is_set():
                work(stop)
