"""`njit` with a cache on the disk that can be trusted.

Numba's own cache asks only whether the file of a function has changed, not those of the functions
it calls, and two processes that compile at the same moment may give two signatures one file name.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.caching import IndexDataCacheFile

__all__ = ["njit"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


@cache
def _sources() -> str:
    """Digest of all kernels: code compiled from other sources than these is not used."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


class _SharedFile(IndexDataCacheFile):
    """Files of one function's compiled code, used by several processes at a time."""

    def save(self, key: object, data: object) -> None:
        with self._alone():
            super().save(key, data)  # type: ignore[no-untyped-call]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other processes from saving, where the file system can."""
        if sys.platform == "win32":
            yield
            return
        import fcntl

        place = os.open(self._cache_path, os.O_RDONLY)
        try:
            with suppress(OSError):
                fcntl.flock(place, fcntl.LOCK_EX)
            yield
        finally:
            os.close(place)


def njit(**options: Any) -> Callable[[_Function], _Function]:
    """Compile a function like `numba.njit`, with a cache for several processes.

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
            shared: Any = _SharedFile
            stamp = kept._cache_file._source_stamp, _sources()
            kept._cache_file = shared(kept._cache_path, kept._impl.filename_base, stamp)
        return cast("_Function", made)

    return compiled
