"""Compiled code on the disk: never from other sources, never damaged, shared by processes.

Numba's own cache asks only whether the file of a function has changed, not those of the functions
it calls; two processes that compile at the same moment may give two signatures one file name; what
has been damaged on the disk ends the program, or is run; and Ctrl-C within what LLVM calls back is
lost, or ends the process. Here every file begins with a digest of the rest. What cannot be read is
removed and compiled again; what cannot be written is used all the same.

Nothing here changes how a function is compiled, so that the checker of proofs uses it as well.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import CodeType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.caching import FunctionCache, IndexDataCacheFile, UserWideCacheLocator
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.misc.appdirs import AppDirs

from hyperoxo.first_use import news
from hyperoxo.processes import interrupts

_HAS_DOCSTRING = 0x4000000
_DIGEST_BYTES = 32
_STALE_SECONDS = 3600.0
_Function = TypeVar("_Function", bound=Callable[..., Any])


@cache
def _stamp(module: str) -> str:
    """Digest of the code of a module and of all that it imports from its package.

    Comments, docstrings and line numbers do not count, so that compiled code outlives them.
    """
    package = module.partition(".")[0] + "."
    waiting, seen = [module], {module}
    digest = hashlib.sha256()
    while waiting:
        parts, names = _code_of(waiting.pop())
        digest.update(parts)
        dotted = {name for name in names if name.startswith(package)}
        members = {f"{room}.{name}" for room in dotted for name in names if "." not in name}
        found = {name for name in dotted | members if name in sys.modules} - seen
        seen |= found
        waiting += sorted(found)
    return digest.hexdigest()


@cache
def _code_of(module: str) -> tuple[bytes, tuple[str, ...]]:
    """Return what a module does, as bytes, and the names in it, those of imports among them."""
    spec = sys.modules[module].__spec__
    loader: Any = spec and spec.loader
    code = loader.get_code(module)
    return repr(_plain_code(code)).encode(), code.co_names


def _plain_code(code: CodeType) -> tuple[object, ...]:
    """Return byte code with its constants and names, but without docstring and line numbers."""
    constants = [
        _plain_code(value)
        if isinstance(value, CodeType)
        else sorted(map(repr, value))
        if isinstance(value, frozenset)
        else value
        for value in code.co_consts
    ]
    # The first constant is the docstring; from Python 3.14 on only where a flag says so.
    documented = sys.version_info < (3, 14) or code.co_flags & _HAS_DOCSTRING
    if "__doc__" in code.co_names or (documented and not code.co_name.startswith("<")):
        del constants[:1]
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars


class CodeFile(IndexDataCacheFile):
    """Where the compiled code of one function is kept.

    What is read must be for the types asked for: a process that was killed between its two writes,
    or two that wrote without a lock, would leave other code under that name.
    """

    def load(self, key: Any) -> Any:
        """Return the code of a key; None if there is none that can be used."""
        name = self._load_index().get(key)
        if name is None:
            return None
        found = _read(self._data_path(name), pickle.loads)  # type: ignore[no-untyped-call]
        return found if found is not None and _is_for(found, _signature(key)) else None

    def save(self, key: Any, data: object) -> None:
        """Keep the code of a key."""
        known = self._load_index()
        names = map(self._data_name, itertools.count(1))
        name = known.get(key) or next(one for one in names if one not in known.values())
        # Code before the line that names it.
        _write(self._data_path(name), dumps(data))  # type: ignore[no-untyped-call]
        self._save_index({**known, key: name})

    def _load_index(self) -> dict[Any, str]:
        return _read(self._index_path, self._fresh) or {}

    def _fresh(self, data: bytes) -> dict[Any, str]:
        """Read an index; the types in one of other sources may be gone."""
        version, stamp, index = pickle.loads(data)  # noqa: S301, the digest was right
        if (version, stamp) != (self._version, self._source_stamp):
            return {}
        found: dict[Any, str] = pickle.loads(index)  # noqa: S301
        return found

    def _save_index(self, overloads: dict[Any, str]) -> None:
        index = self._version, self._source_stamp, dumps(overloads)  # type: ignore[no-untyped-call]
        _write(self._index_path, pickle.dumps(index))


def _signature(key: Any) -> object:
    """Return the types of a key, which callers of the class may have put into another."""
    while len(key) < 3:
        key = key[0]
    return key[0]


def _is_for(kept: tuple[Any, ...], signature: object) -> bool:
    """Whether code read from a file is of a function of these types."""
    kinds, _ = normalize_signature(signature)  # type: ignore[no-untyped-call]
    return tuple(kept[3].args) == tuple(kinds)


def _content(path: Path) -> bytes | None:
    """Return what a file holds after its digest; None where it is damaged."""
    data = path.read_bytes()
    digest, rest = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
    return rest if hashlib.sha256(rest).digest() == digest else None


def _read(name: str, read: Callable[[bytes], Any]) -> Any:
    """Return what a file holds, None if it is not there or cannot be read; then it is removed."""
    path = Path(name)
    try:
        data = _content(path)
    except OSError:
        return None
    if data is not None:
        try:
            return read(data)
        except MemoryError:
            return None
        except Exception:
            data = None
    with suppress(OSError):
        path.unlink()
    return None


def _write(name: str, data: bytes) -> None:
    """Write a file in one step; one process at a time does, or else the digest tells."""
    beside = Path(f"{name}.{os.urandom(8).hex()}.part")
    try:
        with beside.open("xb") as file:
            file.write(hashlib.sha256(data).digest() + data)
        beside.replace(name)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


class KeptCode(FunctionCache):
    """The compiled code of one function, in memory and on the disk."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self.name: str = self._impl.filename_base
        if "locals" not in self.name:
            # The line on which a function begins is no part of what it does.
            self.name = re.sub(r"-\d+(?=\.)", "", self.name)
            self._impl._filename_base = self.name
        file: Any = CodeFile
        self._cache_file = file(self._cache_path, self.name, _stamp(function.__module__))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for some types; None if there is none that can be used."""
        with suppress(Exception):
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for some types, where the disk lets us."""
        with suppress(OSError):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]

    def alone(self) -> AbstractContextManager[None]:
        """Keep other processes from compiling the same function, where the file system can."""
        return _alone(str(self._cache_path), self.name)


def keep(made: Any, kind: type[KeptCode] = KeptCode) -> Callable[[], AbstractContextManager[None]]:
    """Give a function a place for its code; return the lock that makes other processes wait."""
    try:
        made._cache = kind(made.py_func)
    except RuntimeError:  # no folder can be written
        return nullcontext
    return partial(made._cache.alone)


def njit(**options: Any) -> Callable[[_Function], _Function]:
    """Compile a function as `numba.njit` does, whole and in peace, and keep the code."""

    def compiled(function: _Function) -> _Function:
        made: Any = numba.njit(**options)(function)
        if isinstance(made, Dispatcher):
            _compile_in_peace(made, keep(made))
        else:  # compiling is switched off, and NumPy would say so where sums of 64 bits wrap
            made = np.errstate(over="ignore")(made)
        return cast("_Function", made)

    return compiled


def _compile_in_peace(made: Any, alone: Callable[[], AbstractContextManager[None]]) -> None:
    by_numba = made.compile

    def compile_undisturbed(signature: object) -> object:
        with global_compiler_lock, interrupts.held(), alone():
            return by_numba(signature)

    made.compile = compile_undisturbed


@cache
def _locks(folder: str) -> int:
    """Open the file whose bytes are locked, one for each function that is compiled."""
    return os.open(Path(folder) / "compiling.lock", os.O_RDWR | os.O_CREAT, 0o666)


_held: list[int] = []
"""Bytes that are locked, the innermost last; only the thread that compiles may ask."""


def _lock(place: int, byte: int) -> None:
    """Wait until no other process compiles the same function; say so where one does."""
    import fcntl

    try:
        fcntl.lockf(place, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
    except (BlockingIOError, PermissionError):
        if news.waits is not None:
            news.waits()
        try:
            fcntl.lockf(place, fcntl.LOCK_EX, 1, byte)
        finally:
            if news.hear is not None and not _held:
                news.hear(0, 0)


@contextmanager
def _alone(folder: str, name: str) -> Iterator[None]:
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
            _lock(place, byte)
        _held.append(byte)
        try:
            yield
        finally:
            _held.pop()
            if place is not None and byte not in _held:
                with suppress(OSError):
                    fcntl.lockf(place, fcntl.LOCK_UN, 1, byte)


@dataclass(frozen=True)
class Tidied:
    """What was found where compiled code is kept."""

    sound: int
    removed: int
    stuck: int
    """Files that cannot be read, and not be removed either."""


def tidy(package: Path) -> Tidied:
    """Read all code that is kept for a package, and remove what cannot be used."""
    sound = removed = stuck = 0
    for path in (path for folder in _folders(package) for path in sorted(folder.iterdir())):
        try:
            if path.suffix in {".nbi", ".nbc"}:
                if _content(path) is not None:
                    sound += path.suffix == ".nbi"
                    continue
            elif not _is_remnant(path):
                continue
            path.unlink()
        except FileNotFoundError:
            continue
        except OSError:
            stuck += 1
        else:
            removed += 1
    return Tidied(sound, removed, stuck)


def _is_remnant(path: Path) -> bool:
    """Whether a process that has ended was writing this file of code."""
    code = any(mark in path.name for mark in (".nbi.", ".nbc."))
    return code and time.time() - path.stat().st_mtime > _STALE_SECONDS


def _folders(package: Path) -> Iterator[Path]:
    """Folders in which Numba may keep code of a package, in the order in which it looks."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    wide = AppDirs(appname="numba", appauthor=False).user_cache_dir  # type: ignore[no-untyped-call]
    for init in sorted(package.rglob("__init__.py")):
        part = UserWideCacheLocator.get_suitable_cache_subpath(str(init))  # type: ignore[no-untyped-call]
        places = [init.parent / "__pycache__", Path(wide) / part]
        if named:
            places.insert(0, Path(named) / part)
        yield from (place for place in places if place.is_dir())
