"""Where the cells of a board are drawn, in any kind of flat picture; one cell is one unit wide.

The last two axes are columns and rows of a layer. Of the others the last runs down, the one before
it across, and so on in turn, as in the view in space of the web pages: cubes side by side, their
layers below each other. Stones fall down. A first axis without a partner wraps: row, 2x2, 2+1,
stack. `static/lib/plan.js` of the web pages is the twin of this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, prod, sqrt
from typing import Literal

import numpy as np

from hyperoxo.game.game import Game

Heads = Literal["", "above", "aside"]
"""Where the names of layers stand."""

HEAD = 0.375
"""Space for the name of a layer, in cells."""

_HEADS: tuple[Heads, ...] = ("above", "aside")
_GAPS = (0.0, 0.25, 0.75, 1.5)  # between cells, layers, groups of layers
_SHARED = 0.125  # how much of the space for names the gap between layers has already


@dataclass(frozen=True)
class Plan:
    """Where the cells of a board are drawn: left upper corners, and the size of the whole."""

    corners: tuple[tuple[float, float], ...]
    width: float
    height: float
    heads: Heads = ""


def courses(shape: tuple[int, ...], gravity: int | None) -> list[tuple[int, bool, int]]:
    """Return axis, whether it runs down, and level of nesting; the innermost axis first."""
    count = len(shape)
    down = [depth == 1 if depth < 2 else depth % 2 == 0 for depth in range(count)]
    depth = 0 if gravity is None else count - 1 - gravity
    if depth > 1 and not down[depth]:  # the axis of gravity takes the place of its partner
        down[depth], down[depth - 1] = True, False
    return [(count - 1 - depth, down[depth], depth // 2) for depth in range(count)]


def arrangements(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many blocks may stand side by side along a first axis without a partner."""
    rows = range(1, shape[0] + 1) if len(shape) > 1 and len(shape) % 2 else ()
    return tuple(dict.fromkeys(ceil(shape[0] / count) for count in rows))


@lru_cache(maxsize=64)
def plan_of(game: Game, across: int | None = None, heads: Heads = "") -> Plan:
    """Lay out the board of a game; blocks that the first axis sets side by side go on below."""
    count = game.board.cell_count
    shape = game.board.shape or (ceil(count / ceil(sqrt(count))), ceil(sqrt(count)))
    heads = heads if len(shape) > 2 else ""
    first = HEAD if heads == "aside" else 0.0, HEAD if heads == "above" else 0.0
    x, y = (np.full(count, one) for one in first)
    width, height = 1.0, 1.0
    for axis, down, level in courses(shape, game.gravity):
        side, index = shape[axis], np.arange(count) // prod(shape[axis + 1 :]) % shape[axis]
        wide = 1 if down else side
        if axis == 0 and arrangements(shape):
            wide = min(across or side, side)
        high = ceil(side / wide)
        right, below = (
            extent + _GAPS[min(level, 3)] + (HEAD - _SHARED if level and head else 0.0)
            for extent, head in zip((width, height), first, strict=True)
        )
        row = index // wide
        x += index % wide * right
        y += (high - 1 - row if game.gravity == axis else row) * below
        width += (wide - 1) * right
        height += (high - 1) * below
    corners = tuple((float(a), float(b)) for a, b in zip(x, y, strict=True))
    return Plan(corners, first[0] + width, first[1] + height, heads)


def fitted_plan(game: Game, width: float, height: float) -> Plan:
    """Lay out a board in a rectangle with cells as large as possible, at most one unit."""
    shape = game.board.shape or ()
    best, most = plan_of(game), 0.0
    for across in arrangements(shape) or (None,):
        # Names of several coordinates are too wide to stand aside.
        for heads in _HEADS if len(shape) == 3 else _HEADS[:1]:
            plan = plan_of(game, across, heads)
            size = min(width / plan.width, height / plan.height, 1.0)
            if size > most * 1.000001:
                best, most = plan, size
    return best
