"""Stones drawn with dots: the outlines of eight shapes, in braille characters.

A character holds two by four dots, so that dots are about as wide as they are high.
"""

from __future__ import annotations

import math
from functools import lru_cache

__all__ = ["big_stone"]

Segment = tuple[float, float, float, float]

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_BRAILLE = 0x2800
_PEN = 0.85
_CIRCLE = 48


def _polygon(corners: int, turn: float = -90.0, inner: float = 1.0) -> list[Segment]:
    """Outline of a regular polygon of radius 1; with `inner` below 1 a star."""
    count = corners if inner == 1.0 else 2 * corners
    points = []
    for number in range(count):
        angle = math.radians(turn + 360.0 * number / count)
        radius = inner if inner < 1.0 and number % 2 else 1.0
        points.append((radius * math.cos(angle), radius * math.sin(angle)))
    return [(*points[i], *points[(i + 1) % count]) for i in range(count)]


_SHAPES: tuple[list[Segment], ...] = (
    [(-0.85, -0.85, 0.85, 0.85), (-0.85, 0.85, 0.85, -0.85)],
    _polygon(_CIRCLE),
    [(0.0, -0.95, 0.98, 0.85), (0.98, 0.85, -0.98, 0.85), (-0.98, 0.85, 0.0, -0.95)],
    [(-0.85, -0.85, 0.85, -0.85), (0.85, -0.85, 0.85, 0.85),
     (0.85, 0.85, -0.85, 0.85), (-0.85, 0.85, -0.85, -0.85)],
    _polygon(4),
    _polygon(5),
    _polygon(6, turn=0.0),
    _polygon(5, inner=0.42),
)  # fmt: skip


@lru_cache(maxsize=64)
def big_stone(player: int, width: int, height: int) -> tuple[str, ...]:
    """Return the stone of a player as rows of braille characters."""
    across, down = 2 * width, 4 * height
    radius = (min(across, down) - 1) / 2
    rows = []
    for row in range(height):
        line = ""
        for column in range(width):
            bits = 0
            for dy in range(4):
                for dx in range(2):
                    x = 2 * column + dx - (across - 1) / 2
                    y = 4 * row + dy - (down - 1) / 2
                    near = min(_distance(x, y, one, radius) for one in _SHAPES[player - 1])
                    bits |= _DOTS[dy][dx] if near <= _PEN else 0
            line += chr(_BRAILLE + bits)
        rows.append(line)
    return tuple(rows)


def _distance(x: float, y: float, segment: Segment, scale: float) -> float:
    """Distance of a dot from a stroke of a shape."""
    ax, ay, bx, by = (scale * value for value in segment)
    length = (bx - ax) ** 2 + (by - ay) ** 2
    along = 0.0 if not length else ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length
    along = max(0.0, min(1.0, along))
    return math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))
