"""`njit` with a cache on the disk that can be trusted.

Numba's own cache asks only whether the file of a function has changed, not those of the functions
it calls, and two processes that compile at the same moment may give two signatures one file name.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import types
from numba.core.caching import IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

__all__ = ["njit", "working_time"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


@cache
def _sources() -> str:
    """Digest of all kernels: code compiled from other sources than these is not used."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


@cache
def _locks(folder: str) -> int:
    """Open the file whose bytes are locked, one for each function that is compiled."""
    return os.open(Path(folder) / "compiling.lock", os.O_RDWR | os.O_CREAT, 0o666)


@contextmanager
def _alone(folder: str, name: str) -> Iterator[None]:
    """Keep other processes from compiling the same function, where the file system can.

    They wait, and then find it on the disk. A process waits only for functions called by those
    that it compiles itself, so that no two wait for each other; its other threads wait meanwhile.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    digest = hashlib.sha256(name.encode()).digest()
    byte = int.from_bytes(digest[:7], "little")
    place = None
    with global_compiler_lock:
        with suppress(OSError):
            place = _locks(folder)
            fcntl.lockf(place, fcntl.LOCK_EX, 1, byte)
        try:
            yield
        finally:
            if place is not None:
                with suppress(OSError):
                    fcntl.lockf(place, fcntl.LOCK_UN, 1, byte)


def _plain(kind: object) -> object:
    """Return the type of a constant without its value, and any other type as it is."""
    return types.unliteral(kind)  # type: ignore[no-untyped-call]


class _Watch:
    """Adds up the time in which this process compiles, or loads what is compiled."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._since: float | None = None

    @property
    def spent(self) -> float:
        since = self._since
        return self._spent + (0.0 if since is None else time.perf_counter() - since)

    @contextmanager
    def running(self) -> Iterator[None]:
        # One thread at a time compiles; what it compiles on the way counts once.
        with global_compiler_lock:
            if self._since is not None:
                yield
                return
            self._since = time.perf_counter()
            try:
                yield
            finally:
                self._spent, self._since = self.spent, None


_watch = _Watch()


def working_time() -> float:
    """Return seconds of a clock that stands still while kernels are compiled.

    Limits of time are told by it, so that the first search on a machine does as much as any other.

    Returns
    -------
    float
        Seconds since some moment.

    Examples
    --------
    >>> begin = working_time()
    >>> 0 <= working_time() - begin < 60
    True
    """
    # A compilation that ends between the two readings would set the clock back.
    spent = _watch.spent
    return time.perf_counter() - spent


def njit(**options: Any) -> Callable[[_Function], _Function]:
    """Compile a function like `numba.njit`, with a cache for several processes.

    Constants in calls from other kernels have the type of any other value. Numba would compile
    the function again for each of them.

    Parameters
    ----------
    **options
        Those of `numba.njit`.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @njit(nogil=True)
    ... def double(number):
    ...     return 2 * number
    >>> double(21)
    42
    """

    def compiled(function: _Function) -> _Function:
        made: Any = numba.njit(**options)(function)
        kept: Any = getattr(made, "_cache", None)
        # Without a place on the disk, or without compiling, there are no files.
        if getattr(kept, "_cache_file", None) is not None:
            folder, name = kept._cache_path, kept._impl.filename_base
            stamp = kept._cache_file._source_stamp, _sources()
            kept._cache_file = IndexDataCacheFile(folder, name, stamp)  # type: ignore[no-untyped-call]
            by_numba = made.compile

            def compile_once(signature: object) -> object:
                with _watch.running(), _alone(folder, name):
                    return by_numba(signature)

            made.compile = compile_once
        if isinstance(made, Dispatcher):
            dispatcher: Any = made
            by_kinds = dispatcher.get_call_template

            def by_plain_kinds(args: Iterable[Any], named: dict[str, Any]) -> object:
                return by_kinds(
                    tuple(_plain(kind) for kind in args),
                    {name: _plain(kind) for name, kind in named.items()},
                )

            dispatcher.get_call_template = by_plain_kinds
        return cast("_Function", made)

    return compiled
