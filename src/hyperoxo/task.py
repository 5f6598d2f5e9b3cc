"""Control of a long call: progress reports, a stop signal, and a time limit."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import working_time
from hyperoxo.processes import delayed_interrupts

if TYPE_CHECKING:
    from hyperoxo.workers import Call, Workers

_LOOK_SECONDS = 0.01
_TELL_SECONDS = 0.2

Progress = Callable[[int, int], object]
"""Called with the number of parts done, and the number of all parts."""


Found = TypeVar("Found")


def begin(work: Callable[[], Found]) -> Future[Found]:
    """Run work in a daemon thread; return its future."""
    future: Future[Found] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # it is raised where the result is asked for
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


class Stop(Protocol):
    """A signal that work should end: a `threading.Event`, or one of `multiprocessing`."""

    def is_set(self) -> bool:
        """Return True if the work should end."""


@dataclass(frozen=True)
class Task:
    """Progress, stop signal and time limit of a long call, passed down to its parts."""

    progress: Progress | None = None
    stop: Stop | None = None
    end: float = math.inf
    """When it is over, by :func:`hyperoxo.jit.working_time`."""
    on_report: Callable[[Any], object] | None = None
    """Called now and then with what is known so far, such as a `hyperoxo.agents.base.Thought`."""
    crew: Workers | None = None
    """The workers among whom `spread` shares pieces of work; None for this process."""

    @classmethod
    def of(cls, given: Progress | None, stop: Stop | None = None) -> Task:
        """Return a task from a task or a progress callback, with a stop signal if given."""
        task = given if isinstance(given, Task) else cls(given)
        return task if stop is None else replace(task, stop=stop)

    @classmethod
    @contextmanager
    def shared(
        cls,
        given: Progress | None,
        workers: int = 1,
        executor: Executor | None = None,
        stop: Stop | None = None,
    ) -> Iterator[Task]:
        """Yield a task with workers: those of the given task, or new ones that end with it."""
        from hyperoxo.workers import Workers

        task = cls.of(given, stop)
        if task.crew is not None:
            yield task
            return
        with Workers(workers, executor) as crew:
            yield replace(task, crew=crew)

    @classmethod
    def within(
        cls,
        seconds: float | None,
        stop: Stop | None = None,
        on_report: Callable[[Any], object] | None = None,
    ) -> Task:
        """Return a task that begins now, with a time limit."""
        end = math.inf if seconds is None else working_time() + seconds
        return cls(stop=stop, end=end, on_report=on_report)

    def report_progress(self, done: int, total: int) -> None:
        """Report that `done` of `total` parts are done."""
        if self.progress is not None:
            self.progress(done, total)

    __call__ = report_progress  # a task is a `Progress` too

    def report(self, found: object) -> None:
        """Report an interim result."""
        if self.on_report is not None:
            self.on_report(found)

    def share(self, part: float, most: float = math.inf) -> Task:
        """Return a task that ends after a part of the time left, but `most` seconds at most."""
        return replace(self, end=working_time() + min(part * self.left, most))

    @property
    def is_alone(self) -> bool:
        """True if it has no stop signal and no report callback."""
        return self.stop is None and self.on_report is None

    @property
    def stopped(self) -> bool:
        """True if it was stopped from outside."""
        return self.stop is not None and self.stop.is_set()

    @property
    def left(self) -> float:
        """Seconds left, 0 when it was ended from outside."""
        return 0.0 if self.stopped else max(self.end - working_time(), 0.0)

    @property
    def over(self) -> bool:
        """True if it was stopped, or its time limit has passed."""
        return self.left <= 0

    @property
    def width(self) -> int:
        """Number of pieces of work that are done in parallel."""
        return 1 if self.crew is None else self.crew.count

    @property
    def is_spread(self) -> bool:
        """True if pieces of work go to other workers than this thread."""
        return self.crew is not None and not self.crew.is_alone

    def spread(
        self,
        function: Callable[..., Found],
        pieces: Sequence[tuple[Any, ...]],
        parts: Sequence[slice] | None = None,
    ) -> Generator[tuple[int, Found], None, None]:
        """Call a function for independent pieces; yield number and result of each when it is done.

        The crew makes the calls, this process the call for a single piece. A task comes last in
        each of them, with the stop signal and the time limit of this one. Progress counts pieces,
        or what is in the `parts` that they are of. A stop raises KeyboardInterrupt.
        """
        from hyperoxo.workers import Workers, share_out

        crew = Workers() if self.crew is None or len(pieces) == 1 else self.crew
        inner = replace(self, crew=crew, progress=self.progress if len(pieces) == 1 else None)
        sizes = [1] * len(pieces) if parts is None else [part.stop - part.start for part in parts]
        numbers = iter(range(len(pieces)))
        done = 0

        def take() -> int | None:
            number = next(numbers, None)
            if number is not None and self.stopped:
                raise KeyboardInterrupt
            return number

        results = share_out(
            crew, take, lambda number: inner.call(function, *pieces[number]), lambda: self.stopped
        )
        with closing(results):
            for number, result in results:
                yield number, result
                done += sizes[number]
                self.report_progress(done, sum(sizes))

    def call(self, function: Callable[..., Any], *piece: Any) -> Call:
        """Return the call for a piece of work, with this task or, on a worker, one of its own."""
        if not self.is_spread:
            return function, (*piece, self)
        # A worker gets the seconds left, not the end: its clock may differ from this one.
        return _on_worker, (function, piece, None if self.end == math.inf else self.left)

    @contextmanager
    def watched(self, flag: NDArray[np.int64]) -> Iterator[None]:
        """Set the flag of a compiled loop as soon as the task is over (polled by a thread)."""
        # `flag` is int64 ``[1]``, read by the loop now and then without the GIL. A write of 1 by
        # another thread is all the synchronisation needed: it is never reset while work runs.
        over = self.over
        if over:
            flag[0] = 1
        if over or (self.stop is None and self.end == math.inf):
            yield
            return
        done = threading.Event()

        def monitor() -> None:
            while not done.wait(_LOOK_SECONDS):
                if self.over:
                    flag[0] = 1
                    return

        watcher = threading.Thread(target=monitor, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def run(
        self,
        work: Callable[[], object],
        flag: NDArray[np.int64],
        tell: Callable[[], object] | None = None,
    ) -> bool:
        """Run compiled `work` in a thread, and set its flag when the task is over or on Ctrl-C.

        False is returned after Ctrl-C. `tell` is called several times a second while it runs.
        """
        with self.watched(flag):
            begun: list[Future[object]] = []
            try:
                # 1. Ctrl-C waits until the future is known: `finally` must find what was begun.
                with delayed_interrupts():
                    begun.append(begin(work))
                # 2. The main thread must stay in Python to receive Ctrl-C, so work is in another
                #    thread. With a timeout: a signal just before an endless wait goes unnoticed.
                while not wait(begun, _TELL_SECONDS).done:
                    if tell is not None:
                        tell()
                begun[0].result()
            except KeyboardInterrupt:
                flag[0] = 1
                return False
            except BaseException:
                # The error comes out once the work has ended.
                flag[0] = 1
                raise
            finally:
                # 3. In all cases the work has ended before its arrays are used or freed.
                wait(begun)
        return True

    def result(
        self,
        work: Callable[[], Found],
        flag: NDArray[np.int64],
        tell: Callable[[], object] | None = None,
    ) -> Found:
        """Run compiled `work` as `run` does, and return its result; after Ctrl-C it is raised."""
        found: list[Found] = []
        if not self.run(lambda: found.append(work()), flag, tell):
            raise KeyboardInterrupt
        return found[0]


def _on_worker(
    function: Callable[..., Found], piece: tuple[Any, ...], seconds: float | None
) -> Found:
    """Call a function for a piece of work, in whichever process that is."""
    from hyperoxo.workers import Cancelled

    return function(*piece, Task.within(seconds, Cancelled()))


def slices(count: int, size: int) -> list[slice]:
    """Return the slices of `size` (the last one shorter) that cover `count` items."""
    return [slice(first, min(first + size, count)) for first in range(0, count, size)]


def in_order(found: Iterable[tuple[int, Found]]) -> Iterator[Found]:
    """Reorder results by their numbers; each is yielded once all before it have come."""
    early: dict[int, Found] = {}
    due = 0
    for number, result in found:
        early[number] = result
        while due in early:
            yield early.pop(due)
            due += 1


ALONE = Task()
"""A task without limits, which neither reports nor is stopped."""
