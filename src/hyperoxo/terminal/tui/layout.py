"""Where the cells of a board lie on a grid of characters.

As in the drawings of a board, the last two axes make a grid of rows and columns, the axis before
them sets grids side by side, the one before that below each other, and so on in turn. Gaps grow
with every level, so that groups stand apart. A board of three axes is wrapped where it is too
wide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from hyperoxo.game import Game
from hyperoxo.game.names import layer_name

_PER_ROW = 10


@dataclass(frozen=True)
class Size:
    """How large a cell is drawn, in characters."""

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
    """Where a cell is drawn: its top left corner, and whether its ground is the darker one."""

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
    rows: dict[int, tuple[int, ...]] = field(default_factory=dict, repr=False, compare=False)
    labels: dict[int, tuple[tuple[int, str], ...]] = field(default_factory=dict, compare=False)
    """What stands above layers: for each row of characters, columns and texts."""

    def row(self, y: int) -> tuple[int, ...]:
        """Return the cells that have a part in a row of characters, from left to right."""
        return self.rows.get(y, ())

    def cell_at(self, x: int, y: int) -> int | None:
        """Return the cell drawn at a place, None between cells."""
        for cell in self.row(y):
            if self.places[cell].x <= x < self.places[cell].x + self.size.width:
                return cell
        return None

    def neighbour(self, cell: int, dx: int, dy: int) -> int:
        """Return the nearest cell in a direction, or the cell itself at the edge."""
        here = self.places[cell]
        best, least = cell, math.inf
        for other, there in enumerate(self.places):
            along = (there.x - here.x) * dx + (there.y - here.y) * dy
            aside = abs((there.x - here.x) * dy) + abs((there.y - here.y) * dx)
            if along > 0 and (worth := along + 1000 * aside) < least:
                best, least = other, worth
        return best


def layout_of(game: Game, size: Size, width: int | None = None) -> Layout:
    """Lay the board of a game out."""
    shape = game.board.shape
    if shape is None:
        shape = _sheet(game.board.cell_count)
    wrapped = _wrapping(shape, size, width)
    places = [_place(game, shape, size, cell, wrapped) for cell in range(game.board.cell_count)]
    labels = _labels(game, places)
    if labels:
        places = [replace(place, y=place.y + 1) for place in places]
    rows: dict[int, list[int]] = {}
    for cell in sorted(range(len(places)), key=lambda c: places[c].x):
        for y in range(places[cell].y, places[cell].y + size.height):
            rows.setdefault(y, []).append(cell)
    return Layout(
        size,
        tuple(places),
        max(place.x for place in places) + size.width,
        max(place.y for place in places) + size.height,
        {y: tuple(cells) for y, cells in rows.items()},
        labels,
    )


def _labels(game: Game, places: list[Place]) -> dict[int, tuple[tuple[int, str], ...]]:
    """Return the names of layers, in the row above each."""
    board = game.board
    if board.shape is None or len(board.shape) < 3:
        return {}
    size = board.shape[-1] * board.shape[-2]
    labels: dict[int, list[tuple[int, str]]] = {}
    for first in range(0, board.cell_count, size):
        layer = places[first : first + size]
        x = min(place.x for place in layer)
        name = layer_name(game, first)
        labels.setdefault(min(place.y for place in layer), []).append((x, name))
    return {y: tuple(sorted(row)) for y, row in labels.items()}


def fitting(game: Game, width: int, height: int) -> Layout:
    """Return the layout with the largest cells that fits, or the one with the smallest."""
    layouts = [layout_of(game, size, width) for size in SIZES]
    fits = (one for one in layouts if one.width <= width and one.height <= height)
    return next(fits, layouts[-1])


def _sheet(cells: int) -> tuple[int, ...]:
    columns = min(cells, _PER_ROW)
    return (-(-cells // columns), columns)


def _wrapping(shape: tuple[int, ...], size: Size, width: int | None) -> int:
    """How many grids of a board of three axes stand side by side."""
    if len(shape) != 3 or width is None:
        return 0
    grid = _steps(shape, size)[0] - size.level_x - size.gap_x
    return max(1, (width + size.level_x + size.gap_x) // (grid + size.level_x + size.gap_x))


def _steps(shape: tuple[int, ...], size: Size) -> list[int]:
    """Distance between neighbours along each axis."""
    steps = [0] * len(shape)
    for axis in range(len(shape) - 1, -1, -1):
        level = (len(shape) - 1 - axis) // 2
        inner = axis + 2
        across = (len(shape) - 1 - axis) % 2 == 0
        if inner >= len(shape):
            steps[axis] = size.width + size.gap_x if across else size.height + size.gap_y
        else:
            extra = size.level_x if across else size.level_y
            steps[axis] = steps[inner] * shape[inner] + level * extra
    return steps


def _place(game: Game, shape: tuple[int, ...], size: Size, cell: int, wrapped: int) -> Place:
    steps = _steps(shape, size)
    x = y = total = 0
    rest = cell
    for axis in range(len(shape) - 1, -1, -1):
        rest, index = divmod(rest, shape[axis])
        total += index
        if (len(shape) - 1 - axis) % 2 == 0:
            if wrapped and axis == 0:
                y += index // wrapped * (steps[1] * shape[1] + size.level_y)
                index %= wrapped
            x += index * steps[axis]
        else:
            upright = game.board.shape is not None and axis == game.gravity
            y += (shape[axis] - 1 - index if upright else index) * steps[axis]
    return Place(x, y, total % 2 == 1)
