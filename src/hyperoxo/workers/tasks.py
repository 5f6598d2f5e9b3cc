"""Handing out tasks, and handing them out again when they are lost with a worker."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from hyperoxo.errors import AgentError
from hyperoxo.workers.pools import Workers

T = TypeVar("T")

Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function that another process can import, and its arguments."""

_LOSSES = 5
"""Number of losses after which a task is taken to be their cause."""


@dataclass
class _Out(Generic[T]):
    """A task that is out, or waits to go out again."""

    task: T
    losses: int = 0
    executor: Executor | None = None


def share_out(
    workers: Workers, take: Callable[[], T | None], call: Callable[[T], Call]
) -> Generator[tuple[T, Any], None, None]:
    """Run tasks; yield each with its result, exactly once, when it is done.

    A task whose worker dies is handed out again. Its result still comes only once, because each
    result is that of one future.
    """
    again: deque[_Out[T]] = deque()
    running: dict[Future[Any], _Out[T]] = {}
    try:
        while True:
            _hand_out(workers, take, call, again, running)
            if not running and not again:
                return
            for future in workers.finished(running):
                out = running.pop(future)
                try:
                    result = future.result()
                except workers.lost:
                    _lose(workers, out, again)
                else:
                    yield out.task, result
    finally:
        for future in running:
            future.cancel()


def _hand_out(
    workers: Workers,
    take: Callable[[], T | None],
    call: Callable[[T], Call],
    again: deque[_Out[T]],
    running: dict[Future[Any], _Out[T]],
) -> None:
    while len(running) < workers.places:
        if again:
            out = again.popleft()
        else:
            task = take()
            if task is None:
                return
            out = _Out(task)
        out.executor = workers.executor
        function, values = call(out.task)
        try:
            future = workers.executor.submit(function, *values)
        except workers.lost:
            _lose(workers, out, again)
        else:
            running[future] = out


def _lose(workers: Workers, out: _Out[T], again: deque[_Out[T]]) -> None:
    out.losses += 1
    if out.losses > _LOSSES:
        raise AgentError("worker processes died repeatedly") from None
    again.append(out)
    # A pool that breaks takes all that is out in it down; it is replaced once.
    if out.executor is workers.executor:
        workers.renew()
