"""Files that appear whole or not at all, forms named by suffixes, and one policy for damage.

A file that the user names is refused if it is damaged (`DamagedFileError`) or of another kind
(`SpecError`), and never overwritten. A table that hyperoxo keeps for itself is computed again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from hyperoxo.errors import CheckFailedError, HyperoxoError, SpecError, quoted

Found = TypeVar("Found")


class DamagedFileError(CheckFailedError):
    """A file has changed since it was written."""

    def __init__(self, path: str | os.PathLike[str], what: str = "SHA-256 mismatch") -> None:
        super().__init__(f"{quoted(os.fspath(path))} is damaged: {what}")


@contextmanager
def atomic(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside `path`; the file written there then replaces it in one step.

    The content is on the disk before the name is. After an error `path` is unchanged, the temporary
    file is gone, and an OSError about it names `path` itself.
    """
    target = Path(path)
    beside = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        yield beside
        with beside.open("rb") as file:
            os.fsync(file.fileno())
        beside.replace(target)
    except OSError as error:
        if error.filename not in (None, beside, str(beside)):
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    finally:
        beside.unlink(missing_ok=True)


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
