"""Files that keep a long count so that it can go on later.

A checkpoint is a zip of arrays as NumPy writes it: ``head``, a JSON text in bytes with the
purpose, the counts so far and the SHA-256 of the arrays; then ``keys``, ``games``, ``orbit``.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import SpecError

__all__ = ["read_checkpoint", "write_checkpoint"]

Arrays = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int64]]


def write_checkpoint(
    path: Path, purpose: dict[str, Any], counts: dict[str, Any], arrays: Arrays
) -> None:
    """Replace a checkpoint by a newer one; an interrupt leaves the old one as it was."""
    head = json.dumps({"purpose": purpose, "counts": counts, "sha256": _digest(counts, arrays)})
    keys, games, orbit = arrays
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as stream:
            np.savez(
                stream,
                head=np.frombuffer(head.encode(), np.uint8),
                keys=keys,
                games=games,
                orbit=orbit,
            )
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read_checkpoint(path: Path, purpose: dict[str, Any]) -> tuple[dict[str, Any], Arrays] | None:
    """Read a checkpoint."""
    if not path.exists():
        return None
    if not zipfile.is_zipfile(path) and path.stat().st_size:
        raise SpecError(f"{path} is not a checkpoint; name another file")
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as parts:
            head = json.loads(parts["head"].tobytes())
            arrays: Arrays = (parts["keys"], parts["games"], parts["orbit"])
        found, counts, digest = head["purpose"], head["counts"], head["sha256"]
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        return None
    if found != purpose:
        raise SpecError(f"{path} is a checkpoint of another count ({found.get('game')})")
    return (counts, arrays) if digest == _digest(counts, arrays) else None


def _digest(counts: dict[str, Any], arrays: Arrays) -> str:
    digest = hashlib.sha256(json.dumps(counts, sort_keys=True).encode())
    for part in arrays:
        digest.update(part.tobytes())
    return digest.hexdigest()
