"""What a Maker-Breaker search remembers, in a file from which another run goes on.

The file is a line of JSON, with the game and the player whose lines are meant, and then the entries
of the table: two words of a name, three numbers of 32 bits, and the words of a zone.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np

from hyperoxo.errors import CheckFailedError, quoted
from hyperoxo.files import DamagedFileError, replace_file, sha256
from hyperoxo.kernels.makers_search import WORK, take_over
from hyperoxo.solvers.makers.search import MakerSearch

_FORMAT, _VERSION = "hyperoxo-maker-search", 1


def save_checkpoint(search: MakerSearch, path: str | os.PathLike[str]) -> None:
    """Write the table of a search that is not running into a file."""
    names, numbers, zones = search.table
    used = np.flatnonzero(numbers[:, WORK])
    data = b"".join(
        part[used].astype(part.dtype.newbyteorder("<"), copy=False).tobytes()
        for part in (names, numbers, zones)
    )
    replace_file(Path(path), json.dumps(_head(search, data)).encode() + b"\n" + data)


def load_checkpoint(search: MakerSearch, path: str | os.PathLike[str]) -> None:
    """Fill the table of a search from a file."""
    line, _, data = Path(path).read_bytes().partition(b"\n")
    try:
        head = json.loads(line)
        kind = head["format"], head["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        kind = None
    name = quoted(os.fspath(path))
    if kind != (_FORMAT, _VERSION):
        raise CheckFailedError(f"{name} is not a checkpoint of a Maker-Breaker search")
    wanted = _head(search, data)
    words = search.table.zones.shape[1]
    count, rest = divmod(len(data), 28 + 8 * words)
    if head.get("sha256") != wanted["sha256"] or rest:
        raise DamagedFileError(path)
    if head != wanted:
        raise CheckFailedError(
            f"checkpoint {name} is of player {head.get('maker')}'s lines in {head.get('game')}, "
            f"not of player {search.maker}'s in {search.game}"
        )
    names, numbers, zones = np.split(np.frombuffer(data, np.uint8), [16 * count, 28 * count])
    take_over(
        names.view("<u8").astype(np.uint64).reshape(count, 2),
        numbers.view("<i4").astype(np.int32).reshape(count, 3),
        zones.view("<u8").astype(np.uint64).reshape(count, words),
        search.table,
    )


def _head(search: MakerSearch, data: bytes) -> dict[str, object]:
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "game": str(search.game),
        "maker": search.maker,
        "sha256": sha256(data),
    }
