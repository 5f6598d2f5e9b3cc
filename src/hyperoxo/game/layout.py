"""The arrangement of a board's cells in flat pictures; one cell is one unit wide.

The last two axes are columns and rows of a layer. Of the others the last runs upwards, the one
before it across, and so on in turn, as in the view in space of the web pages: cubes side by side,
layer 1 of each at the bottom. Stones fall down. A first axis without a partner wraps, its rows from
below: row, 2x2, 2+1, stack. The web pages lay boards out by these plans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, prod, sqrt
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from hyperoxo.game.game import Game
from hyperoxo.game.names import layer_name

Heads = Literal["", "above", "aside"]
"""Position of the names of layers: beside no layer, above each, or to the left of each."""

HEAD = 0.375
"""Space for the name of a layer, in cells."""

_HEADS: tuple[Heads, ...] = ("above", "aside")
_GAPS = (0.0, 0.25, 0.75, 1.5)  # between cells, layers, groups of layers
_SHARED = 0.125  # how much of the space for names the gap between layers has already


@dataclass(frozen=True)
class Layout:
    """Arrangement of a board: left upper corners of its cells, and the size of the whole."""

    corners: tuple[tuple[float, float], ...]
    width: float
    height: float
    heads: Heads = ""
    names: tuple[tuple[float, float, str], ...] = ()
    """Base points of the names of layers, and the names; those aside end at their points."""


def courses(shape: tuple[int, ...], gravity: int | None) -> list[tuple[int, bool, int]]:
    """Return axis, uprightness and level of nesting, the innermost axis first."""
    count = len(shape)
    upright = [depth == 1 if depth < 2 else depth % 2 == 0 for depth in range(count)]
    depth = 0 if gravity is None else count - 1 - gravity
    if depth > 1 and not upright[depth]:  # the axis of gravity takes the place of its partner
        upright[depth], upright[depth - 1] = True, False
    return [(count - 1 - depth, upright[depth], depth // 2) for depth in range(count)]


def arrangements(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the possible numbers of blocks side by side along an unpaired first axis."""
    rows = range(1, shape[0] + 1) if len(shape) > 1 and len(shape) % 2 else ()
    return tuple(dict.fromkeys(ceil(shape[0] / count) for count in rows))


def spread(
    shape: tuple[int, ...],
    gravity: int | None,
    across: int | None,
    cell: tuple[float, float],
    gaps: Callable[[int], tuple[float, float]],
) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Return the corners of cells, ``[2, N]``, and the size of all, with `gaps` by level.

    Blocks of the first axis that do not fit side by side continue above.
    """
    # From the innermost axis out: (width, height) is the size of one block of the axes done so far,
    # and each axis shifts its blocks across or upwards by that size and a gap.
    count = prod(shape)
    corners, (width, height) = np.zeros((2, count)), cell
    for axis, upright, level in courses(shape, gravity):
        side, index = shape[axis], np.arange(count) // prod(shape[axis + 1 :]) % shape[axis]
        wide = 1 if upright else side
        if axis == 0 and arrangements(shape):
            wide = min(across or side, side)
        high = ceil(side / wide)
        beside, below = gaps(level)
        row = index // wide
        corners[0] += index % wide * (width + beside)
        corners[1] += (high - 1 - row if level or gravity == axis else row) * (height + below)
        width += (wide - 1) * (width + beside)
        height += (high - 1) * (height + below)
    return corners, (width, height)


Length = TypeVar("Length", int, float)


def named_layers(
    game: Game, corners: Sequence[tuple[Length, Length]]
) -> Iterator[tuple[Length, Length, str]]:
    """Yield the corner of each layer of a board that has several, and its name."""
    shape = game.board.shape or ()
    size = prod(shape[-2:])
    for first in range(0, game.board.cell_count, size) if len(shape) > 2 else ():
        xs, ys = zip(*corners[first : first + size], strict=True)
        yield min(xs), min(ys), layer_name(game, first)


def sides_of(game: Game) -> tuple[int, ...]:
    """Return the shape of a board; a board without coordinates becomes a near-square."""
    wide = ceil(sqrt(game.board.cell_count))
    return game.board.shape or (ceil(game.board.cell_count / wide), wide)


@lru_cache(maxsize=64)
def layout_of(game: Game, across: int | None = None, heads: Heads = "") -> Layout:
    """Lay out the board of a game."""
    count, shape = game.board.cell_count, sides_of(game)
    heads = heads if len(shape) > 2 else ""
    first = HEAD if heads == "aside" else 0.0, HEAD if heads == "above" else 0.0

    def gaps(level: int) -> tuple[float, float]:
        right, below = (HEAD - _SHARED if level and head else 0.0 for head in first)
        return _GAPS[min(level, 3)] + right, _GAPS[min(level, 3)] + below

    (x, y), (width, height) = spread(shape, game.gravity, across, (1.0, 1.0), gaps)
    x, y = x + first[0], y + first[1]
    corners = tuple((float(a), float(b)) for a, b in zip(x[:count], y[:count], strict=True))
    right, down = (-0.1, 0.3) if heads == "aside" else (0.0, -0.1)
    names = tuple((x + right, y + down, name) for x, y, name in named_layers(game, corners))
    return Layout(corners, first[0] + width, first[1] + height, heads, names)


def layouts_of(game: Game) -> list[Layout]:
    """Return the alternative plans of a board, for rectangles of different proportions."""
    shape = sides_of(game)
    # Names of several coordinates are too wide for the margin.
    heads = _HEADS if len(shape) == 3 else _HEADS[:1]
    return [
        layout_of(game, across, one) for across in arrangements(shape) or (None,) for one in heads
    ]


def fitted_layout(game: Game, width: float, height: float) -> Layout:
    """Lay out a board in a rectangle with cells as large as possible, at most one unit."""
    best, most = layout_of(game), 0.0
    for plan in layouts_of(game):
        size = min(width / plan.width, height / plan.height, 1.0)
        # Rounding must not decide between plans of the same size: the earlier one stays.
        if size > most * 1.000001:
            best, most = plan, size
    return best
