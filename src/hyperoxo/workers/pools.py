"""Executors: this thread, a pool of threads or processes, or one passed in.

Compiled loops release the GIL, so threads suffice for them; agents in Python need processes. All
of it is written against `concurrent.futures.Executor`, the interface of
:class:`hyperoxo.workers.ClusterExecutor` too. Tasks lost with a worker are resubmitted.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

from hyperoxo.errors import AgentError, SpecError
from hyperoxo.processes import delayed_interrupts, end_with_parent, shielded

_QUEUED = 2
"""Tasks handed out for each worker, so that none waits for the next one to arrive."""

_LOOK_SECONDS = 0.1


class Workers:
    """An executor with its parallelism; as a context manager it shuts its own pool down.

    An `executor` that is passed in is used and left running; it determines its own number of
    workers if `count` is 1. Otherwise a pool is made, of processes or of threads.
    """

    def __init__(self, count: int = 1, executor: Executor | None = None) -> None:
        if count < 1:
            raise SpecError(f"workers must be at least 1, not {count}")
        self._count = count
        self.given = executor is not None
        self.processes = False
        self._before = set[Any]()
        self.executor = executor if executor is not None else self._new()

    @property
    def is_alone(self) -> bool:
        """True if calls run in this thread."""
        return self._count == 1 and not self.given

    @property
    def count(self) -> int:
        """Number of calls that run in parallel; a cluster may grow and shrink."""
        if not self.given or self._count > 1:
            return self._count
        width = getattr(self.executor, "width", None)
        if width is None:
            width = getattr(self.executor, "_max_workers", None)
        return max(1, int(width or os.cpu_count() or 1))

    @property
    def lost(self) -> tuple[type[BaseException], ...]:
        """The errors of futures whose call was lost with its worker."""
        more: tuple[type[BaseException], ...] = getattr(self.executor, "lost", ())
        return (BrokenExecutor, CancelledError, *more)

    def finished(
        self, futures: Collection[Future[Any]], stopped: Callable[[], bool]
    ) -> list[Future[Any]]:
        """Wait until one of the futures is done; return all that are, in the order given."""
        waiting = getattr(self.executor, "wait", wait)
        while not stopped():
            # Ctrl-C within the wait for a condition could end in "release unlocked lock".
            with delayed_interrupts():
                waiting(futures, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
            if done := [future for future in futures if future.done()]:
                return done
        raise KeyboardInterrupt

    def _new(self) -> Executor:
        # A pool starts no thread before its first call.
        if not self.processes:
            return ThreadPoolExecutor(self._count)
        # Spawn, not fork: a forked copy of a process with threads may inherit a held lock.
        self._before = set(multiprocessing.active_children())
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._count, context, end_with_parent)

    def use(self, *, processes: bool) -> None:
        """Switch to a pool of processes or of threads."""
        processes = processes and not (self.given or self.is_alone)
        if processes != self.processes:
            self._stop()
            self.processes = processes
            self.executor = self._new()

    def submit(self, function: Callable[..., Any], *values: Any) -> Future[Any]:
        """Submit a call."""
        # Submitting may start a process. Ctrl-C in between would leave one that the pool does not
        # know yet, so it waits; and a new process ignores it until `end_with_parent` has run.
        if not self.processes:
            return self.executor.submit(function, *values)
        with delayed_interrupts(), shielded():
            return self.executor.submit(function, *values)

    def renew(self) -> None:
        """Replace a broken pool; an executor passed in is kept."""
        if not self.given:
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
        """Shut the pool down now; running calls of processes are abandoned."""
        # Processes are ended first: `shutdown` waits for running calls, which may take hours.
        with delayed_interrupts() if self.processes else nullcontext():
            if self.processes:
                for child in set(multiprocessing.active_children()) - self._before:
                    child.terminate()
            self.executor.shutdown(wait=True, cancel_futures=True)


T = TypeVar("T")

Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function that another process can import, and its arguments."""

_LOSSES = 5
"""Losses after which a task itself is considered the cause."""


@dataclass
class _Shared(Generic[T]):
    """Task queue: submitted tasks by future, and lost ones to resubmit with their losses."""

    # A task is in exactly one place: not yet taken, in `running` under its one live future, in
    # `lost`, or yielded. So each result is yielded once, however often its worker dies.

    workers: Workers
    take: Callable[[], T | None]
    call: Callable[[T], Call]
    lost: deque[tuple[T, int]] = field(default_factory=deque)
    running: dict[Future[Any], tuple[T, int, Executor]] = field(default_factory=dict)

    def hand_out(self) -> None:
        while len(self.running) < _QUEUED * self.workers.count:
            task, losses = self.lost.popleft() if self.lost else (self.take(), 0)
            if task is None:
                return
            executor, (function, values) = self.workers.executor, self.call(task)
            try:
                self.running[self.workers.submit(function, *values)] = task, losses, executor
            except self.workers.lost:
                self.lose(task, losses, executor)

    def lose(self, task: T, losses: int, executor: Executor) -> None:
        if losses == _LOSSES:
            raise AgentError("worker processes died repeatedly") from None
        self.lost.append((task, losses + 1))
        # A broken pool fails all its futures at once; only the first of them finds it still in
        # use and replaces it. Futures of the old pool remember their executor.
        if executor is self.workers.executor:
            self.workers.renew()


def share_out(
    workers: Workers,
    take: Callable[[], T | None],
    call: Callable[[T], Call],
    stopped: Callable[[], bool] = lambda: False,
    *,
    processes: bool = True,
) -> Generator[tuple[T, Any], None, None]:
    """Run tasks; yield each with its result, exactly once, when it is done.

    A task whose worker dies is handed out again. Its result still comes only once, because each
    result is that of one future. Once it is `stopped`, KeyboardInterrupt is raised.
    """
    if workers.is_alone:
        yield from _run_here(take, call, stopped)
        return
    workers.use(processes=processes)
    shared = _Shared(workers, take, call)
    running = shared.running
    try:
        while True:
            shared.hand_out()
            if not running:
                return
            for future in workers.finished(running, stopped):
                out = running.pop(future)
                try:
                    result = future.result()
                except workers.lost:
                    shared.lose(*out)
                else:
                    yield out[0], result
    finally:
        # Nobody wants what is under way any more, which may take long.
        if running:
            if workers.given:
                for future in running:
                    future.cancel()
            # Our own pool ends all of them; a broken one fails on cancelled futures.
            workers.renew()


def _run_here(
    take: Callable[[], T | None], call: Callable[[T], Call], stopped: Callable[[], bool]
) -> Iterator[tuple[T, Any]]:
    while (task := take()) is not None:
        function, values = call(task)
        result = function(*values)
        # The result of a stopped piece may be incomplete.
        if stopped():
            raise KeyboardInterrupt
        yield task, result
