"""Layout of a board on a grid of characters.

The order of layers is that of all pictures, `hyperoxo.game.layout`. Gaps grow with every level, so
that groups are visibly separate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hyperoxo.game import Game
from hyperoxo.game.layout import arrangements, named_layers, spread

_PER_ROW = 10


@dataclass(frozen=True)
class Size:
    """Size of a cell in characters."""

    width: int
    height: int
    gap_x: int
    gap_y: int
    level_x: int
    level_y: int


SIZES = (Size(7, 3, 1, 1, 4, 1), Size(5, 1, 1, 1, 3, 1), Size(3, 1, 0, 0, 2, 1))
"""The sizes there are, the largest first."""


@dataclass(frozen=True)
class Place:
    """Place of a cell: its top left corner, and the shade of its ground."""

    x: int
    y: int
    dark: bool


@dataclass(frozen=True)
class Layout:
    """A board laid out."""

    size: Size
    places: tuple[Place, ...]
    width: int
    height: int
    rows: dict[int, list[int]]
    """Cells that have a part in each row of characters, from left to right."""
    labels: dict[int, list[tuple[int, str]]]
    """Labels above layers: for each row of characters, columns and texts."""

    def cell_at(self, x: int, y: int) -> int | None:
        """Return the cell drawn at a place, None between cells."""
        cells = self.rows.get(y, ())
        return next((c for c in cells if 0 <= x - self.places[c].x < self.size.width), None)

    def neighbour(self, cell: int, dx: int, dy: int) -> int:
        """Return the nearest cell in a direction, or the cell itself at the edge."""
        here = self.places[cell]
        best, least = cell, math.inf
        for other, there in enumerate(self.places):
            along = (there.x - here.x) * dx + (there.y - here.y) * dy
            aside = abs((there.x - here.x) * dy) + abs((there.y - here.y) * dx)
            # Cells straight ahead come first, the nearest of them before others.
            if along > 0 and (worth := along + 1000 * aside) < least:
                best, least = other, worth
        return best


def layout_of(game: Game, size: Size, across: int | None = None) -> Layout:
    """Lay the board of a game out; blocks of a first axis without a partner may go on below."""
    cells = game.board.cell_count
    shape = game.board.shape or (-(-cells // _PER_ROW), min(cells, _PER_ROW))

    def gaps(level: int) -> tuple[int, int]:
        return size.gap_x + level * size.level_x, size.gap_y + level * size.level_y

    cell_size = size.width, size.height
    corners, (width, height) = spread(shape, game.gravity, across, cell_size, gaps)
    xs, ys = corners[:, :cells].astype(int).tolist()
    labels: dict[int, list[tuple[int, str]]] = {}
    for x, y, name in sorted(named_layers(game, list(zip(xs, ys, strict=True)))):
        labels.setdefault(y, []).append((x, name))
    head = 1 if labels else 0
    dark = np.indices(shape).sum(axis=0).ravel() % 2 == 1
    places = [Place(x, y + head, d) for x, y, d in zip(xs, ys, dark.tolist(), strict=False)]
    rows: dict[int, list[int]] = {}
    for cell in sorted(range(len(places)), key=xs.__getitem__):
        for y in range(places[cell].y, places[cell].y + size.height):
            rows.setdefault(y, []).append(cell)
    return Layout(size, tuple(places), int(width), int(height) + head, rows, labels)


def fitting(game: Game, width: int, height: int) -> Layout:
    """Return the layout with the largest cells that fits, or the lowest with the smallest."""
    ways = arrangements(game.board.shape or ()) or (None,)
    narrow = []
    for size in SIZES:
        layouts = [layout_of(game, size, across) for across in ways]
        narrow = [one for one in layouts if one.width <= width] or layouts[-1:]
        for layout in narrow:
            if layout.width <= width and layout.height <= height:
                return layout
    return narrow[0]
