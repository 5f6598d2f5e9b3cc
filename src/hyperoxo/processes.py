"""Process identity, liveness, CPU budget and shutdown signals."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_CLOCK_SECONDS = 60
"""Beginnings are by the clock, which may have been set meanwhile."""


def cores() -> int:
    """Return the number of processors that this process may use."""
    from psutil import Process, cpu_count

    process = Process()
    # macOS has no such restrictions.
    return (
        len(process.cpu_affinity() or ()) if hasattr(process, "cpu_affinity") else cpu_count() or 1
    )


def born(pid: int) -> str | None:
    """Return the second in which a process began; "" if it is not known, None if it ended.

    A number is given again to another process. Number and beginning together are one process.
    """
    import psutil

    try:
        process = psutil.Process(pid)
        # A zombie has ended; its parent has not asked for its exit code yet.
        ended = process.status() == psutil.STATUS_ZOMBIE
        return None if ended else f"{process.create_time():.0f}"
    except psutil.NoSuchProcess:
        return None
    except psutil.AccessDenied:
        return ""


def is_alive(pid: int, begun: str) -> bool:
    """Return False if the process with this number and start time has surely ended.

    Earlier versions wrote other start times, which count as unknown.
    """
    now = born(pid)
    if not (now and begun.isdecimal()):
        return now is not None
    return abs(int(now) - int(begun)) <= _CLOCK_SECONDS


def end_with_parent() -> None:
    """Let this process of a pool end on Ctrl-C, and when its parent has ended.

    The parent, which owns the store, decides the meaning of Ctrl-C; its workers just end.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is None:
        return

    def end_with_parent() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end_with_parent, name="parent", daemon=True).start()


@contextmanager
def shielded() -> Iterator[None]:
    """Block SIGINT in processes started meanwhile, until they call `end_with_parent`."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_replaced: list[Callable[[int, FrameType | None], object]] = []
"""Handlers of Ctrl-C that are replaced while it is held back; the first is the program's."""


@contextmanager
def delayed_interrupts() -> Iterator[None]:
    """Critical section: delay Ctrl-C until it ends."""
    # Sections nest (a callee is compiled within its caller). A Ctrl-C in an inner one reaches
    # the program's handler, the first of `_replaced`, at the end of that inner one.
    before = signal.getsignal(signal.SIGINT)
    # Only the main thread is interrupted.
    in_main = threading.current_thread() is threading.main_thread()
    if not (in_main and callable(before)):
        yield
        return
    pressed: list[int] = []
    _replaced.append(before)
    signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        handler = _replaced[0]
        _replaced.pop()
    if pressed:
        handler(signal.SIGINT, sys._getframe())


@contextmanager
def shutdown_signals() -> Iterator[list[int]]:
    """Convert SIGTERM and SIGHUP into Ctrl-C; yield the signals received.

    So work ended by the system, a closed terminal or a batch queue saves what Ctrl-C saves.
    Signals that are ignored, as under ``nohup``, stay so.
    """
    # Each signal calls whatever handler Ctrl-C has at that moment: the delay of a critical section
    # (`delayed_interrupts`) then holds for it too.
    ended: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        ended.append(number)
        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler):
            raise KeyboardInterrupt
        handler(signal.SIGINT, frame)

    def interrupt_when_ended(*_: object) -> None:
        if ended:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield ended
        return
    before = {
        number: signal.signal(number, end)
        for number in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
        if number is not None and signal.getsignal(number) == signal.SIG_DFL
    }
    # A shell's script begins what is to run beside it with Ctrl-C ignored.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        before[signal.SIGINT] = signal.signal(signal.SIGINT, interrupt_when_ended)
    try:
        yield ended
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
