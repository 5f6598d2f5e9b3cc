"""Processes: which one it is, whether it still runs, what it may use, and ends that are told."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType

_LOOK_SECONDS = 10.0
_TRIES = 20
_AGAIN_SECONDS = 0.1


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def born(pid: int) -> str | None:
    """When a process began, in the words of its system; "" if they are not known, None if it ended.

    A number is given again to another process. Number and beginning together are one process.
    """
    if sys.platform == "win32":
        return ""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return _born_elsewhere(pid)
    # The name of the program, in parentheses, may hold spaces and parentheses itself.
    state, *rest = stat.rpartition(b")")[2].split()
    # A zombie has ended; its parent has not asked for its exit code yet.
    return None if state in b"ZX" else f"{_boot()}-{int(rest[18])}"


@cache
def _boot() -> str:
    """Name the time since the machine was started, from which Linux counts."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()[:8]
    except OSError:
        return ""


def _born_elsewhere(pid: int) -> str | None:
    """Ask as every Unix can be asked."""
    import subprocess

    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    words = ["ps", "-o", "lstart=", "-p", str(pid)]
    try:
        told = subprocess.run(  # noqa: S603, its only argument is a number
            words,
            capture_output=True,
            text=True,
            timeout=_LOOK_SECONDS,
            check=True,
            env={**os.environ, "LC_ALL": "C", "TZ": "UTC"},
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return "-".join(told.stdout.split()).replace(":", ".")


def is_alive(pid: int, begun: str) -> bool:
    """Whether the process of this number that began then still runs, as far as can be told."""
    now = born(pid)
    return now is not None and (not now or not begun or now == begun)


def end_with_parent() -> None:
    """Let this process of a pool end with Ctrl-C, and when the one that began it has ended.

    The process that has the store decides what Ctrl-C means; those that work for it just end.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def give_way(nice: int) -> None:
    """Leave the processors to others, as far as the system lets this process say so."""
    if not hasattr(os, "nice"):
        return
    value = os.nice(nice)
    if os.getsid(0) != os.getpid():
        return
    # Linux may share the processors among sessions first, each of which has such a value itself.
    for _ in range(_TRIES):
        try:
            Path("/proc/self/autogroup").write_text(str(value), encoding="ascii")
        except BlockingIOError:  # somebody else has just set one
            time.sleep(_AGAIN_SECONDS)
        except OSError:
            return
        else:
            return


@contextmanager
def shielded() -> Iterator[None]:
    """Let processes that begin meanwhile not hear of Ctrl-C before they call `end_with_parent`."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Interrupts:
    """Holds Ctrl-C back while what must not be broken off is done."""

    def __init__(self) -> None:
        self._handler: Callable[[int, FrameType | None], object] | None = None
        self._pressed = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hear of Ctrl-C in the end only."""
        # Only the main thread is interrupted.
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        first = self._handler is None
        if first and not self._hold():
            yield
            return
        handler = self._handler
        try:
            yield
        finally:
            if first and handler is not None:
                signal.signal(signal.SIGINT, handler)
                self._handler = None
        if self._pressed and handler is not None:
            self._pressed = False
            handler(signal.SIGINT, sys._getframe())

    def _hold(self) -> bool:
        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler):
            return False
        self._handler, self._pressed = handler, False
        signal.signal(signal.SIGINT, self._press)
        return True

    def _press(self, signum: int, frame: FrameType | None) -> None:
        self._pressed = True


interrupts = Interrupts()


class Ends:
    """Lets the signals by which a system ends a program do what Ctrl-C does.

    So work that is ended by its system, a closed terminal or a batch queue keeps what Ctrl-C keeps,
    and all that waits for Ctrl-C hears of it.
    """

    def __init__(self) -> None:
        self.by: int | None = None
        """The signal that ended this program."""

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Hear the signals meanwhile, but for those that are ignored, as under ``nohup``."""
        self.by = None
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {
            number: signal.signal(number, self._end)
            for number in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
            if number is not None and signal.getsignal(number) == signal.SIG_DFL
        }
        # A shell's script begins what is to run beside it with Ctrl-C ignored.
        if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
            before[signal.SIGINT] = signal.signal(signal.SIGINT, self._only_when_ended)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.by = number
        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler):
            raise KeyboardInterrupt
        handler(signal.SIGINT, frame)

    def _only_when_ended(self, number: int, frame: FrameType | None) -> None:
        if self.by is not None:
            raise KeyboardInterrupt


ends = Ends()
