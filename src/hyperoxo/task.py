"""Control of a long call: progress reports, a stop signal, and a time limit."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import working_time
from hyperoxo.processes import held_interrupts

_LOOK_SECONDS = 0.01
_TELL_SECONDS = 0.2

Progress = Callable[[int, int], object]
"""Called with the number of parts done, and the number of all parts."""


Found = TypeVar("Found")


def begin(work: Callable[[], Found]) -> Future[Found]:
    """Run work in a thread of its own, which ends with the program at the latest."""
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
        """Whether the work should end."""


@dataclass(frozen=True)
class Task:
    """Progress, stop and time limit of a long call, passed down to all that does the work."""

    progress: Progress | None = None
    stop: Stop | None = None
    end: float = math.inf
    """When it is over, by :func:`hyperoxo.jit.working_time`."""
    on_report: Callable[[Any], object] | None = None
    """Called now and then with what is known so far, such as a `hyperoxo.agents.base.Thought`."""

    @classmethod
    def of(cls, given: Progress | None) -> Task:
        """Return a task that is given as such, or by its progress alone."""
        return given if isinstance(given, Task) else cls(given)

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

    def tell(self, done: int, total: int) -> None:
        """Report that `done` of `total` parts are done."""
        if self.progress is not None:
            self.progress(done, total)

    __call__ = tell  # a task will do where its progress is asked for

    def report(self, found: object) -> None:
        """Report what is known so far."""
        if self.on_report is not None:
            self.on_report(found)

    def share(self, part: float, most: float = math.inf) -> Task:
        """Return a task that ends after a part of the time left, but `most` seconds at most."""
        return replace(self, end=working_time() + min(part * self.left, most))

    @property
    def is_alone(self) -> bool:
        """True if it is neither stopped from outside nor asked for reports."""
        return self.stop is None and self.on_report is None

    @property
    def stopped(self) -> bool:
        """Whether it was stopped from outside."""
        return self.stop is not None and self.stop.is_set()

    @property
    def left(self) -> float:
        """Seconds left, 0 when it was ended from outside."""
        return 0.0 if self.stopped else max(self.end - working_time(), 0.0)

    @property
    def over(self) -> bool:
        """Whether it was stopped, or its time is up."""
        return self.left <= 0

    @contextmanager
    def watched(self, flag: NDArray[np.int64]) -> Iterator[None]:
        """Set the flag of a compiled loop as soon as the task is over."""
        over = self.over
        if over:
            flag[0] = 1
        if over or (self.stop is None and self.end == math.inf):
            yield
            return
        done = threading.Event()

        def watch() -> None:
            while not done.wait(_LOOK_SECONDS):
                if self.over:
                    flag[0] = 1
                    return

        watcher = threading.Thread(target=watch, daemon=True)
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
                with held_interrupts():
                    begun.append(begin(work))
                # A signal that comes just before a wait without end begins would not be heard.
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


ALONE = Task()
"""A task without limits, which neither reports nor is stopped."""
