"""Files that keep a long count so that it can go on later.

A checkpoint is a zip of arrays as NumPy writes it: ``head``, a JSON text in bytes with the
purpose, the counts so far and the SHA-256 of the arrays; then ``keys``, ``games``, ``orbit``.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import SpecError
from hyperoxo.files import DamagedFileError, atomic, sha256

__all__ = ["read_checkpoint", "write_checkpoint"]

Arrays = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int64]]


def write_checkpoint(
    path: Path, purpose: dict[str, Any], counts: dict[str, Any], arrays: Arrays
) -> None:
    """Replace a checkpoint by a newer one; an interrupt leaves the old one as it was."""
    head = json.dumps({"purpose": purpose, "counts": counts, "sha256": _digest(counts, arrays)})
    keys, games, orbit = arrays
    title = np.frombuffer(head.encode(), np.uint8)
    with atomic(path) as beside, beside.open("wb") as stream:
        np.savez(stream, head=title, keys=keys, games=games, orbit=orbit)


def read_checkpoint(path: Path, purpose: dict[str, Any]) -> tuple[dict[str, Any], Arrays] | None:
    """Read a checkpoint; None where there is no file, or an empty one."""
    if not path.exists() or not path.stat().st_size:
        return None
    if not zipfile.is_zipfile(path):
        raise SpecError(f"{path} is not a checkpoint; name another file")
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as parts:
            head = json.loads(parts["head"].tobytes())
            arrays: Arrays = (parts["keys"], parts["games"], parts["orbit"])
        found, counts, digest = head["purpose"], head["counts"], head["sha256"]
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise DamagedFileError(path, "not as NumPy writes it") from None
    if found != purpose:
        raise SpecError(f"{path} is a checkpoint of another count ({found.get('game')})")
    if digest != _digest(counts, arrays):
        raise DamagedFileError(path)
    return counts, arrays


def _digest(counts: dict[str, Any], arrays: Arrays) -> str:
    return sha256(json.dumps(counts, sort_keys=True).encode(), *(a.tobytes() for a in arrays))
