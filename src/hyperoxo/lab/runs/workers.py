"""Who plays: this thread, a pool of threads or processes, or any executor that is handed in.

Compiled games leave the interpreter's lock alone, so threads do for them; agents in Python need
processes. Everything is written against `concurrent.futures.Executor`, which the client of a
cluster offers as well.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Self

__all__ = ["InlineExecutor", "Workers"]


class InlineExecutor(Executor):
    """Runs each call at once, in the calling thread.

    Examples
    --------
    >>> InlineExecutor().submit(max, 1, 2).result()
    2
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call the function and return what it gave as a future that is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Workers:
    """An executor and how many calls it runs at once; as a context, ends what it began.

    Parameters
    ----------
    count : int
        How many.
    processes : bool
        Whether the work needs processes; threads otherwise.
    executor : Executor, optional
        One that is there already; it is used and left alone.

    Examples
    --------
    >>> with Workers(2, processes=False) as workers:
    ...     workers.executor.submit(max, 1, 2).result()
    2
    """

    def __init__(self, count: int, *, processes: bool, executor: Executor | None = None) -> None:
        self.count = count
        self.given = executor is not None
        self.processes = processes and count > 1 and not self.given
        self._before = set(multiprocessing.active_children())
        self.executor = executor if executor is not None else self._new()

    def _new(self) -> Executor:
        if self.count == 1:
            return InlineExecutor()
        if not self.processes:
            return ThreadPoolExecutor(self.count)
        # Forked copies of a process with threads may hang, so workers start from nothing.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.count, context, _begin_worker)

    def renew(self) -> None:
        """Replace a pool of processes one of which died."""
        self._stop()
        self.executor = self._new()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self.given:
            return
        if kind is None:
            self.executor.shutdown()
        else:
            self._stop()

    def _stop(self) -> None:
        """End the pool now; calls that are under way in processes are given up."""
        if self.processes:
            for child in set(multiprocessing.active_children()) - self._before:
                child.terminate()
        self.executor.shutdown(wait=True, cancel_futures=True)


def _begin_worker() -> None:
    # The process that has the store decides what an interrupt means; workers just end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
