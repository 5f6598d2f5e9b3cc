"""Atomic writes, lock files, formats by suffix, and one policy for damaged files.

A file that the user names is refused if it is damaged (`DamagedFileError`) or of another kind
(`SpecError`), and never overwritten. A table that hyperoxo keeps for itself is computed again.
"""
# Crash safety: new content goes to a file of another name, is flushed to the disk, and then
# renamed over the old one, which POSIX and Windows do atomically. A writer that is killed leaves
# a `.part` file; it held a lock on it, so that a later process can tell it from one in use.

from __future__ import annotations

import errno
import hashlib
import logging
import os
import re
import shutil
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from hyperoxo.errors import CheckFailedError, HyperoxoError, SpecError

Found = TypeVar("Found")

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Error numbers of a full disk or quota, which are not the fault of the request."""

_OPEN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_NEW = _OPEN | os.O_RDWR | os.O_CREAT | os.O_EXCL
_WINDOWS = os.name == "nt"
"""There an open file cannot be removed, and a locked one is written by its holder alone."""

_OURS = re.compile(r"\.oxo-[0-9a-f]{16}\.(part|lock)")
_PARTIAL = re.compile(r"\.oxo-[0-9a-f]{16}\.part")
_OWNER = re.compile(r"process \d+ since [\d: -]+")
_LONGEST_OWNER = 100
_OLD_SECONDS = 60.0


class DamagedFileError(CheckFailedError):
    """A file has changed since it was written."""

    def __init__(self, path: str | os.PathLike[str], what: str = "SHA-256 mismatch") -> None:
        super().__init__(f"{os.fspath(path)!r} is damaged: {what}")


def user_folder() -> Path:
    """Return the system's usual folder for this program's data of its user."""
    import platformdirs

    return Path(platformdirs.user_data_dir("hyperoxo", appauthor=False))


@contextmanager
def atomic(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside `path`; the file written there then replaces it in one step.

    The content is flushed to disk before the rename. After an error `path` is unchanged, the
    temporary file is removed, and an OSError about it names `path` itself. A link keeps pointing to
    its file; a device or a pipe is written as it is.
    """
    if _is_device(path):
        with naming(path):
            yield Path(path)
        return
    target = Path(os.path.realpath(path))
    # Random and opened with O_EXCL: no other user can have put a link or a file there first.
    beside = target.with_name(f".oxo-{os.urandom(8).hex()}.part")
    remove_left(target.parent)
    with naming(path):
        held = os.open(beside, _NEW, 0o666)
        try:
            try:
                if not _WINDOWS:
                    with suppress(OSError):  # no locks on this file system
                        _try_lock(held)
                yield beside
                with beside.open("r+b") as file:
                    os.fsync(file.fileno())
                # Between close and rename it is unlocked; a fresh time keeps `remove_left` away.
                os.utime(beside)
            finally:
                os.close(held)
            beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


def _is_device(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is a device or a pipe, also one in ``/dev/fd``."""
    given = Path(path)
    return given.exists() and not (given.is_file() or given.is_dir())


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Rewrite an OSError about a temporary file to name `path`, and to describe a full disk."""
    try:
        yield
    except OSError as error:
        given, named = os.fspath(path), os.fspath(error.filename or path)
        if named != given and not _OURS.fullmatch(Path(named).name):
            raise
        raise OSError(error.errno, reason(error, path), given) from None


def reason(error: OSError, path: str | os.PathLike[str]) -> str:
    """Return the system's message; for a full disk with its name and free space."""
    if error.errno not in FULL:
        return f"{error.strerror}"
    disk = Path(os.path.realpath(path)).parent
    with suppress(OSError):
        while not os.path.ismount(disk):
            disk = disk.parent
        free = shutil.disk_usage(disk).free
        return f"{error.strerror} ({disk} has {free / 1e6:,.1f} MB left)"
    return f"{error.strerror}"


@cache
def remove_left(folder: Path) -> None:
    """Remove the partial files of killed writers from a folder, once in a process.

    Their names match ours, no writer locks them, and they are older than it takes to lock one.
    """
    with suppress(OSError):
        for path in folder.iterdir():
            if _PARTIAL.fullmatch(path.name):
                with suppress(OSError):
                    _remove_if_left(path)


def _remove_if_left(path: Path) -> None:
    held = os.open(path, _OPEN | os.O_RDWR)
    try:
        status = os.fstat(held)
        old = time.time() - status.st_mtime > _OLD_SECONDS
        left = stat.S_ISREG(status.st_mode) and old and (_WINDOWS or _try_lock(held))
    except BaseException:
        os.close(held)
        raise
    _close(held, path if left else None)


def _close(held: int, remove: Path | None = None) -> None:
    """Close a locked file, and remove it before that (on Windows after it)."""
    try:
        if remove is not None and not _WINDOWS:
            remove.unlink()
    finally:
        os.close(held)
    if remove is not None and _WINDOWS:
        remove.unlink()


def _try_lock(descriptor: int) -> bool:
    """Lock a file for as long as it is open; return False if another one has it locked."""
    from filelock import lock_descriptor

    return lock_descriptor(descriptor, blocking=False)


@contextmanager
def sole_writer(path: str | os.PathLike[str]) -> Iterator[None]:
    """Exclude other writers of a file by a lock file beside it that names this process.

    Devices, pipes and file systems without locks are not protected.
    """
    if _is_device(path):
        yield
        return
    target = Path(os.path.realpath(path))
    with naming(path):
        held = claim(target.parent, target.name)
    if isinstance(held, str):
        raise CheckFailedError(f"{os.fspath(path)} is being written by {held}")
    try:
        yield
    finally:
        held.release()


@dataclass(frozen=True)
class Claim:
    """A lock file held by this process until it releases it or ends."""

    descriptor: int
    lock: Path

    def release(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            _close(self.descriptor, self.lock)


def claim(folder: Path, key: str) -> Claim | str:
    """Acquire the lock file of a key in a folder, or return the writer who holds it."""
    # The lock of the system, not the existence of the file, excludes others, so the file of a
    # killed process does not block others. Removing lock files makes one race possible: between
    # opening and locking, another process may have removed the name, and a third recreated it.
    lock = folder / f".oxo-{sha256(os.fsencode(key))[:16]}.lock"
    while True:
        # 1. Make the file, or open the one that is there; if it vanishes meanwhile, try again.
        new = True
        try:
            held = os.open(lock, _NEW, 0o666)
        except FileExistsError:
            new = False
            try:
                held = os.open(lock, _OPEN | os.O_RDONLY)
            except FileNotFoundError:
                continue
        # 2. Lock it without waiting: a lock held by another process is the answer.
        try:
            free = _try_lock(held)
        except OSError:
            _remark_unlocked(folder)
            return Claim(held, lock)
        if not free:
            os.lseek(held, 1, os.SEEK_SET)  # on Windows none can read the first byte
            owner = os.read(held, _LONGEST_OWNER).decode(errors="replace")
            os.close(held)
            return owner if _OWNER.fullmatch(owner) else "another process"
        # 3. The claim counts if this process made the file and the name still leads to it. Any
        #    other file is stale: it is removed while locked, and the next round makes one.
        there = _is_at(held, lock)
        if there and new:
            since = time.strftime("%Y-%m-%d %H:%M:%S")
            with suppress(OSError):  # a full disk
                os.write(held, f"\nprocess {os.getpid()} since {since}".encode())
            return Claim(held, lock)
        with suppress(FileNotFoundError):
            _close(held, lock if there else None)  # its process was killed


def _is_at(held: int, path: Path) -> bool:
    """Return True if a path still names an open file."""
    try:
        return os.path.samestat(os.fstat(held), path.lstat())
    except FileNotFoundError:
        return False


@cache
def _remark_unlocked(folder: Path) -> None:
    logging.getLogger(__name__).warning(
        "%s: this file system has no locks; let no other program write here meanwhile", folder
    )


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
