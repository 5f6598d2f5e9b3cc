"""Running compiled loops so that Ctrl-C, clocks and other threads can end them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hyperoxo.compiling import working_time

__all__ = ["Stop", "run_stoppable", "watched"]

_LOOK_SECONDS = 0.01
_TELL_SECONDS = 0.2


class Stop(Protocol):
    """What says that work should end: a `threading.Event`, or one of `multiprocessing`."""

    def is_set(self) -> bool:
        """Whether the work should end."""


@contextmanager
def watched(
    flag: NDArray[np.int64], stop: Stop | None, seconds: float | None = None
) -> Iterator[None]:
    """Set the flag of a compiled loop when `stop` is set or the time is over."""
    if stop is None and seconds is None:
        yield
        return
    if (stop is not None and stop.is_set()) or (seconds is not None and seconds <= 0):
        flag[0] = 1
        yield
        return
    end = None if seconds is None else working_time() + seconds
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK_SECONDS):
            if (stop is not None and stop.is_set()) or (end is not None and working_time() >= end):
                flag[0] = 1
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def run_stoppable(
    work: Callable[[], object],
    stop: NDArray[np.int64],
    tell: Callable[[], object] | None = None,
) -> bool:
    """Run compiled `work` in a thread, and set its stop flag on Ctrl-C."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            while tell is not None and not wait([future], _TELL_SECONDS).done:
                tell()
            future.result()
        except KeyboardInterrupt:
            stop[0] = 1
            return False
    return True
