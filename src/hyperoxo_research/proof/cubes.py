"""Plain boards n^d by their spelling alone, for theorems on boards too large to build."""

from __future__ import annotations

import re

from hyperoxo.errors import SpecError
from hyperoxo.game import Game

_CUBE = re.compile(r"([1-9][0-9]{0,5})\^([1-9][0-9]?)")


def plain_cube(spec: str) -> tuple[int, int] | None:
    """Return side and dimension of a game spelled ``n^d`` without any option, else None."""
    found = _CUBE.fullmatch(spec)
    return None if found is None else (int(found[1]), int(found[2]))


def known_game(spec: str) -> str:
    """Check that a game is spelled canonically; plain cubes need not be built for that."""
    if plain_cube(spec) is None and str(Game(spec)) != spec:
        raise SpecError(f"the game is spelled {Game(spec)}, not {spec}")
    return spec


def cube_lines(side: int, dim: int) -> int:
    """Count the lines of n^d."""
    return 1 if side == 1 else ((side + 2) ** dim - side**dim) // 2
