"""Positions in pixels: stones with soft edges, by the distance of each pixel from their outline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hyperoxo.game import BLOCKED, FREE, Game, Plan, Position, fitted_plan
from hyperoxo.notation.stones import corners_of
from hyperoxo.pictures.colours import LIGHT, Colours
from hyperoxo.pictures.lines import CORE, HEAD, NARROWEST, STROKE, Path, full_lines, layer_names

__all__ = ["Easel", "Picture"]

Picture = NDArray[np.uint8]
"""Red, green and blue of each pixel, ``[height, width, 3]``."""

_SMALLEST = 4
_SPARE = 3  # pixels for the last border, and for lengths that are rounded
_OUTLINE, _TINT = 3.4, 0.22
_SHADES = 15  # few enough that every picture has a palette

# Points of strokes in a square 4 wide and 6 high, column before row.
_GLYPHS = {
    "0": "10 30 41 45 36 16 05 01 10", "1": "11 20 26", "2": "01 10 30 41 42 06 46",
    "3": "01 10 30 41 42 33 13/33 44 45 36 16 05", "4": "36 30 04 44",
    "5": "40 00 03 33 44 45 36 16 05", "6": "30 10 01 05 16 36 45 44 33 03", "7": "00 40 16",
    "8": "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
    "9": "43 13 02 01 10 30 41 45 36 16", ",": "16 07",
}  # fmt: skip
_GLYPH = 0.04
"""Width of a unit of that square, in cells."""


@dataclass(frozen=True)
class Easel:
    """Where and in which colours a board is drawn: cells of `cell` pixels from a corner on."""

    plan: Plan
    cell: int
    left: int
    top: int
    width: int
    height: int
    colours: Colours

    @classmethod
    def fitted(
        cls, game: Game, size: int | tuple[int, int], colours: Colours = LIGHT, largest: int = 96
    ) -> Easel:
        """Lay out a board: its longer side at most `size` pixels, or in the middle of a rectangle.

        Cells have 4 pixels at least, even where the board becomes larger than that.
        """
        inside = size if isinstance(size, tuple) else (size, size)
        # Where the shape is free, a board three quarters as high as wide looks best.
        width, height = size if isinstance(size, tuple) else (size, 3 * size // 4)
        plan = fitted_plan(game, width / largest, height / largest)
        margin = 1 / 2 if isinstance(size, tuple) else 1 / 3
        head = HEAD if next(layer_names(game, plan), None) else 0.0
        wide, high = plan.width + 2 * margin, plan.height + 2 * margin + head
        room = min((inside[0] - _SPARE) / wide, (inside[1] - _SPARE) / high)
        cell = max(_SMALLEST, min(largest, int(room)))
        above = round(cell * head) if cell >= NARROWEST else 0
        across, down = round(cell * plan.width) + 1, round(cell * plan.height) + 1 + above
        edge = round(cell * margin)
        if isinstance(size, int) or across > size[0] or down > size[1]:
            inside = across + 2 * edge, down + 2 * edge
        left, top = (inside[0] - across) // 2, (inside[1] - down) // 2 + above
        return cls(plan, cell, left, top, *inside, colours)

    def empty(self, game: Game) -> Picture:
        """Draw a board without stones."""
        picture = np.full((self.height, self.width, 3), _rgb(self.colours.ground), dtype=np.uint8)
        blocked = set(game.blocked)
        for number, (x, y) in enumerate(self.plan.corners):
            left, top = self._at(x, y)
            whole = (slice(top, top + self.cell + 1), slice(left, left + self.cell + 1))
            picture[whole] = _rgb(self.colours.rule)
            self.put(picture, number, BLOCKED if number in blocked else FREE)
        if self.cell >= NARROWEST:
            for x, y, name in layer_names(game, self.plan):
                self._write(picture, x, y, name)
        return picture

    def draw(self, position: Position) -> Picture:
        """Draw a position: its last move tinted, the lines that ended the game marked."""
        picture = self.empty(position.game)
        glowing = lit(position)
        for cell, owner in enumerate(position.owners):
            if owner not in (FREE, BLOCKED):
                self.put(
                    picture, cell, owner, glows=cell in glowing, last=cell == position.last_move
                )
        for player, paths in full_lines(position, self.plan):
            self.cross_out(picture, player, paths)
        return picture

    def put(
        self,
        picture: Picture,
        cell: int,
        owner: int,
        *,
        glows: bool = False,
        last: bool = False,
        there: float = 1.0,
    ) -> None:
        """Draw what a cell holds; a stone that is not wholly `there` is pale and larger."""
        rule, glow, card = (
            _rgb(colour) for colour in (self.colours.rule, self.colours.glow, self.colours.card)
        )
        left, top = self._at(*self.plan.corners[cell])
        size = self.cell - 1
        ground = card + 0.5 * (rule - card) if owner == BLOCKED else glow if glows else card
        inside = np.tile(ground, (size, size, 1))
        if owner not in (FREE, BLOCKED):
            ink = _rgb(self.colours.stones[owner - 1])
            if last and not glows:
                inside += _TINT * (ink - inside)
            share = there * _stone(owner, size, 1.3 - 0.3 * there)[..., None]
            inside += np.rint(share * _SHADES) / _SHADES * (ink - inside)
        picture[top + 1 : top + self.cell, left + 1 : left + self.cell] = np.rint(inside)

    def part(self, *cells: int) -> tuple[slice, slice]:
        """Return the rows and columns of a picture that hold some cells; without any, all."""
        if not cells:
            return slice(0, self.height), slice(0, self.width)
        lefts, tops = zip(*(self._at(*self.plan.corners[cell]) for cell in cells), strict=True)
        return (
            slice(min(tops), max(tops) + self.cell + 1),
            slice(min(lefts), max(lefts) + self.cell + 1),
        )

    def cross_out(self, picture: Picture, player: int, paths: Iterable[Path]) -> None:
        """Draw a full line in its owner's colour."""
        ink, core = _rgb(self.colours.stones[player - 1]), _rgb(self.colours.card)
        for path in paths:
            points = [(self.left + self.cell * x, self.top + self.cell * y) for x, y in path]
            _trace(picture, points, STROKE * self.cell, ink)
            _trace(picture, points, CORE * self.cell, core)

    def _write(self, picture: Picture, x: float, y: float, name: str) -> None:
        """Write the name of a layer above it."""
        unit = _GLYPH * self.cell
        corner = self._at(x, y)
        left, top = corner[0] + unit, corner[1] - 8.5 * unit
        for place, sign in enumerate(name):
            for stroke in _GLYPHS[sign].split("/"):
                points = [
                    (left + unit * (6 * place + int(point[0])), top + unit * int(point[1]))
                    for point in stroke.split()
                ]
                _trace(picture, points, max(1.2, 0.9 * unit), _rgb(self.colours.soft))

    def _at(self, x: float, y: float) -> tuple[int, int]:
        # Halves go up everywhere, so that neighbours share a border.
        return self.left + int(self.cell * x + 0.5), self.top + int(self.cell * y + 0.5)


def lit(position: Position) -> frozenset[int]:
    """Return the cells of the lines that ended a game."""
    board = position.game.board
    return frozenset(int(cell) for line in position.winning_lines for cell in board.line(line))


def _rgb(colour: str) -> NDArray[np.float64]:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.float64)


@lru_cache(maxsize=128)
def _stone(player: int, size: int, scale: float) -> NDArray[np.float64]:
    """Return how much of each pixel a stone covers, ``[size, size]``, from 0 to 1."""
    unit = 24.0 / size / scale
    y, x = (np.mgrid[:size, :size] + 0.5 - size / 2) * unit + 12
    if player == 1:
        away = np.minimum(
            _from_segment(x, y, (6, 6), (18, 18)), _from_segment(x, y, (18, 6), (6, 18))
        )
    elif player == 2:
        away = np.abs(np.hypot(x - 12, y - 12) - 6.8)
    else:
        corners = corners_of(player)
        edges = zip(corners, [*corners[1:], corners[0]], strict=True)
        away = np.min([_from_segment(x, y, a, b) for a, b in edges], axis=0)
    covered: NDArray[np.float64] = np.clip((_OUTLINE / 2 - away) / unit + 0.5, 0.0, 1.0)
    return covered


def _trace(
    picture: Picture,
    points: Sequence[tuple[float, float]],
    width: float,
    ink: NDArray[np.float64],
) -> None:
    """Draw a line with round ends through some points."""
    reach = width / 2 + 1
    xs, ys = zip(*points, strict=True)
    left, top = max(0, int(min(xs) - reach)), max(0, int(min(ys) - reach))
    part = picture[top : int(max(ys) + reach) + 1, left : int(max(xs) + reach) + 1]
    y, x = np.mgrid[: part.shape[0], : part.shape[1]]
    x, y = x + left + 0.5, y + top + 0.5
    away = np.min([_from_segment(x, y, a, b) for a, b in pairwise(points)], axis=0)
    share = np.rint(np.clip(width / 2 - away + 0.5, 0.0, 1.0) * _SHADES) / _SHADES
    part[:] = np.rint(part + share[..., None] * (ink - part))


def _from_segment(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    a: tuple[float, float],
    b: tuple[float, float],
) -> NDArray[np.float64]:
    """Return the distance of each pixel from a segment."""
    across, down = b[0] - a[0], b[1] - a[1]
    along = ((x - a[0]) * across + (y - a[1]) * down) / (across**2 + down**2)
    along = np.clip(along, 0.0, 1.0)
    found: NDArray[np.float64] = np.hypot(x - a[0] - along * across, y - a[1] - along * down)
    return found
