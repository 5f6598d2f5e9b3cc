"""Where the cells of a board are drawn, in any kind of picture.

The last two axes are columns and rows, the axis before them sets grids side by side, the next one
below each other, and so on in turn. One cell is one unit wide.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt

import numpy as np

from hyperoxo.rules.game import Game

__all__ = ["Plan", "plan_of"]

_GAP = 0.5


@dataclass(frozen=True)
class Plan:
    """Where the cells of a board are drawn."""

    corners: tuple[tuple[float, float], ...]
    width: float
    height: float


@lru_cache(maxsize=32)
def plan_of(game: Game) -> Plan:
    """Lay out the board of a game."""
    count = game.board.cell_count
    shape = game.board.shape or (ceil(count / ceil(sqrt(count))), ceil(sqrt(count)))
    places = np.zeros((2, count))
    extents: list[float] = [1, 1]
    numbers = np.unravel_index(np.arange(count), shape)
    for step, axis in enumerate(reversed(range(len(shape)))):
        side, along = shape[axis], step % 2
        gap = _GAP * (step // 2)
        index = numbers[axis]
        if game.gravity == axis and along == 1:
            index = side - 1 - index
        places[along] += index * (extents[along] + gap)
        extents[along] = extents[along] * side + gap * (side - 1)
    corners = tuple((float(x), float(y)) for x, y in places.T)
    return Plan(corners, extents[0], extents[1])
