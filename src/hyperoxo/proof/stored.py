"""Proofs that come with the program: strategic moves, and a strategy with endgames."""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

from hyperoxo.game import Game
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_file import read_proof
from hyperoxo.proof.endgames import FILE, EndgameStrategy

DICTIONARIES: Mapping[str, str] = MappingProxyType(
    {
        "4^3": "qubic.oxo",
        "4^3:opening=poor": "qubic-poor.oxo.xz",
        "4^3:opening=poorx2": "qubic-poorx2.oxo.xz",
        "4^3:opening=poorx3": "qubic-poorx3.oxo.xz",
        "4^3:opening=poorx5": "qubic-poorx5.oxo",
    }
)
"""File names by canonical game spec; ``.xz`` files are compressed."""

ENDGAMES: Mapping[str, str] = MappingProxyType({"7,6,4:gravity": "connect-four.oxo.xz"})
"""Stored strategies with endgames."""

STORED: Mapping[str, str] = MappingProxyType({**DICTIONARIES, **ENDGAMES})
"""All stored proofs with moves."""


def stored_file(name: str, most: int = -1, package: str = "hyperoxo") -> bytes:
    """Return the content of a file in a package, decompressed, or its first `most` bytes."""
    with (files(package) / "data" / name).open("rb") as raw:
        return lzma.open(raw).read(most) if name.endswith(".xz") else raw.read(most)


def stored_proof(game: Game) -> bytes | None:
    """Return the stored proof file of a game, or None."""
    name = STORED.get(str(game))
    return None if name is None else stored_file(name)


@lru_cache(maxsize=8)
def stored_dictionary(game: Game) -> Dictionary | None:
    """Return the stored dictionary of a game, or None."""
    return read_proof(stored_file(DICTIONARIES[str(game)])) if str(game) in DICTIONARIES else None


@lru_cache(maxsize=8)
def stored_endgames(game: Game) -> EndgameStrategy | None:
    """Return the stored strategy with endgames of a game, or None."""
    return FILE.read_proof(stored_file(ENDGAMES[str(game)])) if str(game) in ENDGAMES else None
