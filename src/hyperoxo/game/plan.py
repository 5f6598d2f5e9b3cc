"""Where the cells of a board are drawn, in any kind of picture.

The last two axes are columns and rows, the axis before them sets grids side by side, the next one
below each other, and so on in turn. One cell is one unit wide.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt

import numpy as np

from hyperoxo.game.game import Game

_GAP = 0.5
_BETTER = 1.12


@dataclass(frozen=True)
class Plan:
    """Where the cells of a board are drawn."""

    corners: tuple[tuple[float, float], ...]
    width: float
    height: float


@lru_cache(maxsize=64)
def plan_of(game: Game, across: int | None = None) -> Plan:
    """Lay out the board of a game; grids that the first axis sets side by side go on below."""
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
        if across is not None and axis == 0 and _wraps(shape):
            places[1] += index // across * (extents[1] + gap)
            index, rows, side = index % across, ceil(side / across), across
            extents[1] = extents[1] * rows + gap * (rows - 1)
        places[along] += index * (extents[along] + gap)
        extents[along] = extents[along] * side + gap * (side - 1)
    corners = tuple((float(x), float(y)) for x, y in places.T)
    return Plan(corners, extents[0], extents[1])


def fitted_plan(game: Game, width: float, height: float) -> Plan:
    """Lay out a board in a rectangle, measured in the largest cells wanted; full rows count."""
    shape = game.board.shape or ()
    best, most = plan_of(game), 0.0
    for across in range(shape[0], 0, -1) if _wraps(shape) else ():
        plan = plan_of(game, across)
        full = shape[0] / (across * ceil(shape[0] / across))
        worth = min(width / plan.width, height / plan.height, 1.0) * full**2
        if worth > _BETTER * most:
            best, most = plan, worth
    return best


def _wraps(shape: tuple[int, ...]) -> bool:
    """Whether the first axis sets grids side by side."""
    return len(shape) > 1 and len(shape) % 2 == 1
