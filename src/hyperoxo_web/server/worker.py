"""Worker process: remote procedure calls over standard input and output.

Messages are length-prefixed pickles in both directions: the server and its processes are one
program, and nothing that a client sends is unpickled. At the end of its input, because the
server stopped or was killed, the process ends immediately, whatever it was doing.

An answer is the number of its request, a kind and a value:

==============  ============================================================================
kind            value
==============  ============================================================================
``begun``       nothing: what the request needs is loaded
``news``        what the function has found so far
``done``        what the function returned
``error``       a code, if it has one, and a sentence
``preparing``   of request 0, for all who wait: the number of functions compiled, ``done``, and
                of those ``needed``, also where another process does so; None ends it
==============  ============================================================================

Each carries the processor time of its request.
"""
# The main thread computes, one request at a time. `_receive` reads in a separate thread, for a
# stop must reach a request while it runs. Any thread of a search may report, so a lock keeps each
# message in one piece on the pipe.

from __future__ import annotations

import ctypes
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from hyperoxo.board.limits import Allowance, allowing
from hyperoxo.errors import HyperoxoError, LimitError
from hyperoxo.game import Game
from hyperoxo.jit import compile_events
from hyperoxo_web.server.limits import HOME
from hyperoxo_web.server.refusal import RefusedError

Send = Callable[..., None]
LENGTH = 8
"""Bytes of the length before each message."""

_TRIES, _AGAIN_SECONDS = 20, 0.1


@dataclass(frozen=True)
class Request:
    """A call: ``module:function`` of this package, keyword arguments, board size limit."""

    function: str
    given: dict[str, Any]
    boards: Allowance | None


def request(function: str, *, boards: Allowance | None = HOME.boards, **given: Any) -> Request:
    """Return a call."""
    return Request(function, given, boards)


class Job:
    """A running request: reports interim results, can be stopped early."""

    def __init__(self, tell: Callable[[Any], None]) -> None:
        self.tell = tell
        self.stopped = threading.Event()
        self.on_stop: Callable[[], object] = lambda: None

    def stop(self) -> None:
        """Request the result so far."""
        self.stopped.set()
        self.on_stop()


_jobs: dict[int, Job] = {}
_job: ContextVar[Job] = ContextVar("job")


def job() -> Job:
    """Return the running request of this process."""
    return _job.get()


class _Pickler(pickle.Pickler):
    """Pickles games as specs and NumPy scalars as Python numbers, which JSON accepts."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Game):
            return _game, (str(value),)
        if isinstance(value, np.generic):
            plain = value.item()
            return type(plain), (plain,)
        return NotImplemented


@lru_cache(maxsize=64)
def _game(spec: str) -> Game:
    """Return one shared object per game, with the caches of its board."""
    return Game(spec)


def packed(message: object) -> bytes:
    """Encode a message: length, then pickle."""
    data = BytesIO()
    _Pickler(data).dump(message)
    return len(data.getvalue()).to_bytes(LENGTH, "big") + data.getvalue()


def give_way(nice: int) -> None:
    """Lower the priority of this process, and of its session where Linux groups by session."""
    if not hasattr(os, "nice"):
        return
    value = os.nice(nice)
    if os.getsid(0) != os.getpid():
        return
    # Linux may share the processors among sessions first, each of which has such a value itself.
    for _ in range(_TRIES):
        try:
            Path("/proc/self/autogroup").write_text(str(value), encoding="ascii")
        except BlockingIOError:  # another process has just set one
            time.sleep(_AGAIN_SECONDS)
        except OSError:
            return
        else:
            return


def main() -> None:
    """Serve requests from the input in order, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    give_way(int(sys.argv[1].removeprefix("--nice=")))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a stray print of a library goes to standard error, not between the answers
    lock = threading.Lock()

    def send(number: int, kind: str, value: Any = None, cpu: float = 0.0) -> None:
        data = packed((number, kind, value, cpu))
        with lock:
            answers.write(data)
            answers.flush()

    waiting: queue.SimpleQueue[tuple[int, Request]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, waiting, send), daemon=True).start()
    preparing = compile_events.on_compile = _Preparing(partial(send, 0, "preparing"))
    give_back = _gives_back()
    while True:
        number, asked = waiting.get()
        preparing.begin()
        _carry_out(number, asked, send)
        if waiting.empty():
            give_back()


def _carry_out(number: int, asked: Request, send: Send) -> None:
    # `_receive` has entered the job before it queued the request; a stop that came while the
    # request waited has set its flag already.
    _job.set(_jobs[number])
    before = time.process_time()
    try:
        module, _, name = asked.function.partition(":")
        function = getattr(import_module(f"hyperoxo_web.server.{module}"), name)
        send(number, "begun")
        with allowing(asked.boards):
            kind, value = "done", function(**asked.given)
    except HyperoxoError as error:
        code = "limit" if isinstance(error, LimitError) else "bad-request"
        code = error.code if isinstance(error, RefusedError) else code
        kind, value = "error", (code, str(error))
    except Exception as error:
        traceback.print_exc()
        # Clients may be anyone, and texts of errors of the system name files.
        kind, value = "error", ("bad-request", f"this failed ({type(error).__name__})")
    del _jobs[number]
    send(number, kind, value, time.process_time() - before)


def _receive(
    requests: BinaryIO, waiting: queue.SimpleQueue[tuple[int, Request]], send: Send
) -> None:
    while length := requests.read(LENGTH):
        # Trusted: the only writer of this pipe is the server.
        number, asked = pickle.loads(requests.read(int.from_bytes(length, "big")))  # noqa: S301
        if asked is not None:
            _jobs[number] = Job(partial(send, number, "news"))
            waiting.put((number, asked))
        elif (begun := _jobs.get(number)) is not None:
            begun.stop()
    # The server has ended. This process leads its group: the signal also ends its own workers.
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)


def _gives_back() -> Callable[[], object]:
    """Return a function that returns free heap memory to the system (`malloc_trim`)."""
    # Otherwise the freed tables of one search may stay resident beside those of the next.
    if sys.platform != "linux":
        return lambda: None
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return (lambda: None) if trim is None else partial(trim, 0)


class _Preparing:
    """Reports the numbers of functions compiled for a request and needed by it."""

    def __init__(self, send: Callable[[dict[str, Any] | None], None]) -> None:
        self._say = send
        self._before = self._seen = 0, 0

    def begin(self) -> None:
        """Start counting for another request."""
        self._before = self._seen

    def __call__(self, number: int, known: int) -> None:
        if not number:
            self._say(None)
            return
        self._seen = number, known
        count = number - self._before[0]
        self._say({"done": count - 1, "needed": max(count, known - self._before[1])})
