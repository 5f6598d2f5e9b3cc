"""Stones: shapes, names and colours."""

from __future__ import annotations

from math import cos, pi, sin

from hyperoxo.game.drawn import SHAPES

ICONS = SHAPES
"""Stones of players 1 to 8."""

_WORDS = ("Cross", "Ring", "Triangle", "Square", "Diamond", "Pentagon", "Hexagon", "Star")
NAMES = dict(zip(ICONS, _WORDS, strict=True))

INKS = ("#0b5fa5", "#d1490c", "#0a7d5b", "#8a5a00", "#8a3f8f", "#1c7f95", "#6b6f76", "#8f7a00")
"""Colours of players 1 to 8 on paper."""

# Number of corners, and the angle of the first from the top; player 8 has a star of ten, every
# other one near the middle.
_CORNERS = {3: (3, 0.0), 4: (4, pi / 4), 5: (4, 0.0), 6: (5, 0.0), 7: (6, 0.0)}


def corners_of(player: int) -> list[tuple[float, float]]:
    """Return the corners of the stone of a player from 3 on, in a square 24 units wide."""
    count, turn = _CORNERS.get(player, (10, 0.0))
    points = []
    for corner in range(count):
        radius = 3.6 if count == 10 and corner % 2 else 8.2
        angle = turn + 2 * pi * corner / count
        points.append((12 + radius * sin(angle), 12 - radius * cos(angle)))
    return points
