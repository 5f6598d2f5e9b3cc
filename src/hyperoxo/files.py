"""Files that appear whole or not at all, forms named by suffixes, and one policy for damage.

A file that the user names is refused if it is damaged (`DamagedFileError`) or of another kind
(`SpecError`), and never overwritten. A table that hyperoxo keeps for itself is computed again.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from hyperoxo.errors import CheckFailedError, HyperoxoError, SpecError, quoted

Found = TypeVar("Found")

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of the system where a file finds no room, which is no fault of the request."""

_MOST_LEFT = 8
"""How many writers of one file may be killed at the same time, and nothing of them stays."""


class DamagedFileError(CheckFailedError):
    """A file has changed since it was written."""

    def __init__(self, path: str | os.PathLike[str], what: str = "SHA-256 mismatch") -> None:
        super().__init__(f"{quoted(os.fspath(path))} is damaged: {what}")


@contextmanager
def atomic(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside `path`; the file written there then replaces it in one step.

    The content is on the disk before the name is. After an error `path` is unchanged, the temporary
    file is gone, and an OSError about it names `path` itself. What a writer that was killed left
    is used again by the next one, or removed by `remove_left`. A link keeps pointing to its file;
    a device or a pipe is written as it is.
    """
    given = Path(path)
    if given.exists() and not (given.is_file() or given.is_dir()):
        with naming(path):
            yield given
        return
    target = Path(os.path.realpath(path))
    with naming(path):
        beside, held = _claim(target)
    try:
        with naming(path):
            yield beside
            with beside.open("rb") as file:
                os.fsync(file.fileno())
            beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)  # while it is locked; once renamed it may be another's
        raise
    finally:
        os.close(held)


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Let an OSError about `path`, its partial file or no file name `path`, and a full disk."""
    try:
        yield
    except OSError as error:
        given, named = os.fspath(path), os.fspath(error.filename or path)
        partial = named.startswith(os.path.realpath(path)) and named.endswith(".part")
        if named != given and not partial:
            raise
        raise OSError(error.errno, reason(error, path), given) from None


def reason(error: OSError, path: str | os.PathLike[str]) -> str:
    """Return what the system says; on a full disk, which one it is."""
    if error.errno not in FULL:
        return f"{error.strerror}"
    disk = Path(os.path.realpath(path)).parent
    with suppress(OSError):
        while not disk.is_mount():
            disk = disk.parent
        free = shutil.disk_usage(disk).free
        return f"{error.strerror} ({disk} has {free / 1e6:,.1f} MB left)"
    return f"{error.strerror}"


def remove_left(path: str | os.PathLike[str]) -> None:
    """Remove what writers of a file that were killed left beside it."""
    target = Path(os.path.realpath(path))
    for number in range(_MOST_LEFT):
        beside = _beside(target, number)
        with suppress(OSError):
            held = os.open(beside, os.O_RDWR)
            try:
                if try_lock(held) and _is_named(held, beside):
                    beside.unlink()
            finally:
                os.close(held)


def try_lock(descriptor: int) -> bool:
    """Lock a file for as long as it is open; return False where another one has it locked."""
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _claim(target: Path) -> tuple[Path, int]:
    """Return the first partial name that no writer has, and its file, empty and locked.

    Names are fixed, so that no file is left for ever by a writer that was killed.
    """
    number = 0
    while True:
        beside = _beside(target, number)
        held = os.open(beside, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            free = try_lock(held)
        except OSError:  # no locks on this file system
            beside.unlink()
            own = target.with_name(f"{target.name}.{os.getpid()}.part")
            os.close(held)
            return own, os.open(own, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o666)
        # It may have been renamed or removed by another process while it was opened here.
        if free and _is_named(held, beside):
            os.truncate(held, 0)
            remove_left(target)
            return beside, held
        os.close(held)
        number += not free


def _beside(target: Path, number: int) -> Path:
    return target.with_name(f"{target.name}.{number}.part" if number else f"{target.name}.part")


def _is_named(descriptor: int, path: Path) -> bool:
    """Whether an open file is the one of that name."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a whole file in one step."""
    with atomic(path) as beside:
        beside.write_bytes(data)


def by_suffix(
    path: Path, table: Mapping[str, Found], error: type[HyperoxoError] = SpecError
) -> Found:
    """Return the entry of a table for the suffix of a name, upper or lower case."""
    suffix = path.suffix.lower()
    if suffix not in table:
        raise error(f"the name of {path} must end in {', '.join(table)}")
    return table[suffix]


def sha256(*parts: bytes | memoryview) -> str:
    """Return the SHA-256 of all parts together, in hexadecimal digits."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
