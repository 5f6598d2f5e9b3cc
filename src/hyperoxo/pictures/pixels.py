"""Positions in pixels and as animations: drawn four times as large by Pillow and reduced.

Pillow is loaded by the functions that draw, so that other commands do not wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hyperoxo.game import BLOCKED, FREE, Game, Layout, Position, fitted_layout
from hyperoxo.notation.stones import corners_of
from hyperoxo.pictures.colours import LIGHT, Colours
from hyperoxo.pictures.lines import CORE, NARROWEST, STROKE, Path, full_lines, winning_cells

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

Picture = NDArray[np.uint8]
"""Red, green and blue of each pixel, ``[height, width, 3]``."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, the last two behind the last pixel."""

Frame = tuple["Image.Image", float, Box]
"""A picture, the seconds for which it is shown, and the part that holds all changes."""

_SMALLEST = 4
_SPARE = 3  # pixels for the last border, and for lengths that are rounded
_OUTLINE, _TINT = 3.4, 0.22
_FINER = 4  # soft edges: slanted shapes are drawn at this multiple of their size


@dataclass(frozen=True)
class Canvas:
    """Canvas and colours of a board: cells of `cell` pixels from a corner on."""

    plan: Layout
    cell: int
    left: int
    top: int
    width: int
    height: int
    colours: Colours

    @classmethod
    def fitted(
        cls, game: Game, size: int | tuple[int, int], colours: Colours = LIGHT, largest: int = 96
    ) -> Canvas:
        """Lay out a board: its longer side at most `size` pixels, or in the middle of a rectangle.

        Cells have 4 pixels at least, even where the board becomes larger than that.
        """
        inside = size if isinstance(size, tuple) else (size, size)
        # If the shape is free, a board three quarters as high as wide looks best.
        width, height = size if isinstance(size, tuple) else (size, 3 * size // 4)
        plan = fitted_layout(game, width / largest, height / largest)
        margin = 1 / 2 if isinstance(size, tuple) else 1 / 3
        wide, high = plan.width + 2 * margin, plan.height + 2 * margin
        scale = min((inside[0] - _SPARE) / wide, (inside[1] - _SPARE) / high)
        cell = max(_SMALLEST, min(largest, int(scale)))
        across, down = round(cell * plan.width) + 1, round(cell * plan.height) + 1
        edge = round(cell * margin)
        if isinstance(size, int) or across > size[0] or down > size[1]:
            inside = across + 2 * edge, down + 2 * edge
        left, top = (inside[0] - across) // 2, (inside[1] - down) // 2
        return cls(plan, cell, left, top, *inside, colours)

    def empty(self, game: Game) -> Image.Image:
        """Draw a board without stones."""
        from PIL import Image, ImageDraw, ImageFont

        image = Image.new("RGB", (self.width, self.height), self.colours.ground)
        pen = ImageDraw.Draw(image)
        blocked = set(game.blocked)
        for number, (x, y) in enumerate(self.plan.corners):
            left, top = self._at(x, y)
            pen.rectangle((left, top, left + self.cell, top + self.cell), self.colours.rule)
            self.put(image, number, BLOCKED if number in blocked else FREE)
        if self.cell >= NARROWEST:
            font = ImageFont.load_default(max(8, 0.33 * self.cell))
            for x, y, name in self.plan.names:
                left, top = self._at(x, y)
                anchor = "rs" if self.plan.heads == "aside" else "ls"
                pen.text((left + 1, top), name, self.colours.soft, font, anchor)
        return image

    def draw(self, position: Position) -> Image.Image:
        """Draw a position: its last move tinted, the lines that ended the game marked."""
        image = self.empty(position.game)
        glowing = winning_cells(position)
        for cell, owner in enumerate(position.owners):
            if owner not in (FREE, BLOCKED):
                self.put(image, cell, owner, glows=cell in glowing, last=cell == position.last_move)
        for player, paths in full_lines(position, self.plan):
            self.cross_out(image, player, paths)
        return image

    def put(
        self,
        image: Image.Image,
        cell: int,
        owner: int,
        *,
        glows: bool = False,
        last: bool = False,
        there: float = 1.0,
    ) -> None:
        """Draw the content of a cell; a stone that is not wholly `there` is pale and larger."""
        left, top = self._at(*self.plan.corners[cell])
        tile = _tile(self.colours, self.cell - 1, owner, glows, last, there)
        image.paste(tile, (left + 1, top + 1))

    def part(self, *cells: int) -> Box:
        """Return the part of a picture that some cells take, or all of it."""
        if not cells:
            return 0, 0, self.width, self.height
        corners = [self._at(*self.plan.corners[cell]) for cell in cells]
        xs, ys = zip(*corners, strict=True)
        return min(xs), min(ys), max(xs) + self.cell, max(ys) + self.cell

    def cross_out(self, image: Image.Image, player: int, paths: Iterable[Path]) -> None:
        """Draw a full line in its owner's colour."""
        for path in paths:
            points = [(self.left + self.cell * x, self.top + self.cell * y) for x, y in path]
            _trace(image, points, STROKE * self.cell, self.colours.stones[player - 1])
            _trace(image, points, CORE * self.cell, self.colours.card)

    def _at(self, x: float, y: float) -> tuple[int, int]:
        # Halves go up everywhere, so that neighbours share a border.
        return self.left + int(self.cell * x + 0.5), self.top + int(self.cell * y + 0.5)


def as_gif(frames: Iterable[Frame]) -> bytes:
    """Write pictures that follow each other without end, each with its own palette.

    Only the changed part of each is written, at once: `save_all` would keep every frame whole in
    memory, which are gigabytes for a long game on a large board.
    """
    from PIL import Image
    from PIL.GifImagePlugin import getdata, getheader

    parts: list[bytes] = []
    for image, seconds, box in frames:
        part = image.crop(box).quantize(dither=Image.Dither.NONE)
        if not parts:
            parts += getheader(part, info={"loop": 0})[0]
        # GIF counts hundredths of a second, Pillow thousandths. Browsers show frames of less than
        # two hundredths for ten.
        duration = 10 * max(2, round(100 * seconds))
        parts += getdata(part, box[:2], duration=duration, include_color_table=True)
    return b"".join([*parts, b";"])


def _mixed(ground: str, ink: str, share: float) -> str:
    """Return a colour between two."""
    from PIL import ImageColor

    ends = zip(ImageColor.getrgb(ground), ImageColor.getrgb(ink), strict=True)
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in ends)


@lru_cache(maxsize=256)
def _tile(
    colours: Colours, size: int, owner: int, glows: bool, last: bool, there: float
) -> Image.Image:
    from PIL import Image, ImageDraw

    ground = colours.glow if glows else colours.card
    if owner == BLOCKED:
        ground = _mixed(colours.card, colours.rule, 0.5)
    stone = owner not in (FREE, BLOCKED)
    if stone and last and not glows:
        ground = _mixed(ground, colours.stones[owner - 1], _TINT)
    tile = Image.new("RGB", (_FINER * size, _FINER * size), ground)
    if stone:
        ink = _mixed(ground, colours.stones[owner - 1], there)
        unit = _FINER * size / 24 * (1.3 - 0.3 * there)
        pen, width = ImageDraw.Draw(tile), round(_OUTLINE * unit)

        def at(x: float, y: float) -> tuple[float, float]:
            return tile.width / 2 + unit * (x - 12), tile.height / 2 + unit * (y - 12)

        if owner == 1:
            _stroke(pen, [at(6, 6), at(18, 18)], width, ink)
            _stroke(pen, [at(18, 6), at(6, 18)], width, ink)
        elif owner == 2:
            pen.circle(at(12, 12), unit * (6.8 + _OUTLINE / 2), outline=ink, width=width)
        else:
            corners = [at(*corner) for corner in corners_of(owner)]
            _stroke(pen, [*corners, corners[0]], width, ink)
    return tile.reduce(_FINER)


def _trace(
    image: Image.Image, points: Sequence[tuple[float, float]], width: float, ink: str
) -> None:
    """Draw a line with round ends and soft edges through some points."""
    from PIL import Image, ImageDraw

    reach = width / 2 + 1
    xs, ys = zip(*points, strict=True)
    left, top = int(min(xs) - reach), int(min(ys) - reach)
    size = int(max(xs) + reach) + 1 - left, int(max(ys) + reach) + 1 - top
    mask = Image.new("L", (_FINER * size[0], _FINER * size[1]))
    finer = [(_FINER * (x - left), _FINER * (y - top)) for x, y in points]
    _stroke(ImageDraw.Draw(mask), finer, round(_FINER * width), 255)
    image.paste(ink, (left, top), mask.reduce(_FINER))


def _stroke(
    pen: ImageDraw.ImageDraw, points: Sequence[tuple[float, float]], width: int, ink: str | int
) -> None:
    pen.line(points, ink, width)
    for point in points:
        pen.circle(point, width / 2, ink)
