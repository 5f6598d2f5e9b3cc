"""Checkpoints of a proof search: its table in a file, from which another run goes on.

A file is one line of JSON with the game, the attacker, the width and the SHA-256 of what
follows: the filled entries of the table. The width is part of it because a
failure says only that the moves looked at do not win.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np

from hyperoxo.errors import CheckFailedError, quoted
from hyperoxo.files import DamagedFileError, atomic, sha256
from hyperoxo.kernels.proof_table import refill
from hyperoxo.solvers.proofsearch.search import ProofSearch

_FORMAT = "hyperoxo-proof-search"
_VERSION = 2


def save_checkpoint(search: ProofSearch, path: str | os.PathLike[str]) -> int:
    """Write the table of a search, which may be running, into a file."""
    entries = search.table.reshape(-1, search.entry_words)
    filled = np.ascontiguousarray(entries[entries[:, 2] != 0])
    data = filled.astype("<u8", copy=False).tobytes()
    head = json.dumps(
        {
            "format": _FORMAT,
            "version": _VERSION,
            "game": str(search.game),
            "attacker": search.attacker,
            "width": search.width,
            "entries": len(filled),
            "sha256": sha256(data),
        }
    )
    with atomic(path) as beside, beside.open("wb") as file:
        file.writelines([head.encode(), b"\n", data])
    return len(filled)


def load_checkpoint(search: ProofSearch, path: str | os.PathLike[str]) -> int:
    """Fill the table of a search from a file."""
    name = quoted(os.fspath(path))
    with Path(path).open("rb") as file:
        line = file.readline(4096)
        data = file.read()
    try:
        head = json.loads(line)
        told = head["format"], head["version"], head["sha256"], head["entries"]
        belongs = head["game"], head["attacker"], head["width"]
    except (ValueError, KeyError, TypeError):
        raise CheckFailedError(f"{name} is not a checkpoint of a proof search") from None
    if told[:2] != (_FORMAT, _VERSION):
        raise CheckFailedError(f"{name} is not a checkpoint of a proof search")
    if sha256(data) != told[2] or len(data) != 8 * search.entry_words * told[3]:
        raise DamagedFileError(path)
    wanted = str(search.game), search.attacker, search.width
    if belongs != wanted:
        raise CheckFailedError(
            f"checkpoint {name} is of {_spelled(*belongs)}, not of {_spelled(*wanted)}"
        )
    entries = np.frombuffer(data, dtype="<u8").astype(np.uint64)
    search.entries = int(refill(search.table, entries, search.sets_of((0, 0))[0]))
    return int(told[3])


def _spelled(game: str, attacker: int, width: int) -> str:
    return f"{game} with player {attacker} to win, width {width}"
