#!/usr/bin/env python3
"""Draw the end of a recorded game on n^d as an SVG picture.

Usage: tools/picture.py RECORD PICTURE

RECORD is a file that `oxo play --save` writes, PICTURE the .svg file to make. The last two axes
are the rows and columns of a layer, the axis before them goes to the right, the next one down.
Colours have contrast on white and on black, and the ground is left transparent.
"""

from __future__ import annotations

import sys
from math import cos, pi, sin
from pathlib import Path

import hyperoxo as ox

CELL, GAP, MARGIN, LABEL = 40, 28, 12, 24
COLOURS = (
    "#d9480f", "#1c7ed6", "#2b8a3e", "#9c36b5", "#b58100", "#0b8a8f", "#c2255c", "#6f6f6f",
)  # fmt: skip
NAMES = ("Cross", "Ring", "Triangle", "Square", "Diamond", "Pentagon", "Hexagon", "Star")
CORNERS = {3: (3, 0.0), 4: (4, pi / 4), 5: (4, 0.0), 6: (5, 0.0), 7: (6, 0.0)}
RADIUS = 11.0
STYLE = """<style>
rect { fill: none; stroke: #8c8c8c; stroke-width: 1 }
.win { fill: #f0b400; fill-opacity: .25; stroke: #d19900; stroke-width: 2 }
.blocked { fill: #8c8c8c; fill-opacity: .5 }
text { fill: #808080; font: 13px sans-serif }
.stones { fill: none; stroke-width: 4; stroke-linecap: round; stroke-linejoin: round }
</style>"""


def stone(player: int, x: float, y: float) -> str:
    """Draw a player's mark around a point: cross, ring, then polygons and a star."""
    colour = COLOURS[player - 1]
    if player == 1:
        a = 2 * RADIUS - 4
        shape = f'<path d="M{x - a / 2:g} {y - a / 2:g}l{a:g} {a:g}m0 {-a:g}l{-a:g} {a:g}"/>'
    elif player == 2:
        shape = f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS:g}"/>'
    else:
        count, turn = CORNERS.get(player, (10, 0.0))
        points = []
        for corner in range(count):
            radius = RADIUS * (0.45 if count == 10 and corner % 2 else 1.1)
            angle = turn + 2 * pi * corner / count
            points.append(f"{x + radius * sin(angle):.1f},{y - radius * cos(angle):.1f}")
        shape = f'<polygon points="{" ".join(points)}"/>'
    return f'<g stroke="{colour}">{shape}</g>'


def corner(position: ox.Position, cell: int) -> tuple[int, int]:
    """Return the upper left corner of a cell in the picture."""
    side = position.game.side or 1
    down, right, row, column = (0, 0, 0, *position.game.board.coordinates(cell))[-4:]
    layer = side * CELL + GAP
    return (
        MARGIN + right * layer + column * CELL,
        MARGIN + LABEL + down * (layer + LABEL) + row * CELL,
    )


def picture(position: ox.Position) -> str:
    """Return a position of a game on n^d, 2 <= d <= 4, as SVG text."""
    game = position.game
    if game.side is None or game.dim not in (2, 3, 4):
        raise SystemExit(f"only n^2, n^3 and n^4 are drawn, not {game}")
    winning = {int(c) for line in position.winning_lines for c in game.board.line(line)}
    grid, labels, stones = [], [], []
    for cell in range(game.board.cell_count):
        x, y = corner(position, cell)
        owner = position.owners[cell]
        style = ' class="win"' if cell in winning else ' class="blocked"' if owner == 255 else ""
        grid.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}"{style}/>')
        if owner not in (0, 255):
            stones.append(stone(owner, x + CELL / 2, y + CELL / 2))
        *layer, row, column = game.board.coordinates(cell)
        if layer and row == column == 0:
            text = ",".join(map(str, [*layer, "·", "·"]))
            labels.append(f'<text x="{x}" y="{y - 8}">{text}</text>')
    width, height = (end + CELL + MARGIN for end in corner(position, game.board.cell_count - 1))
    grid.sort(key=lambda rect: 'class="win"' in rect)  # so that no border covers a marked cell
    told = "The game goes on."
    if position.outcome is not None:
        winner = position.outcome.winner
        told = f"{NAMES[winner - 1]} wins." if winner else f"Result {position.outcome.result}."
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{game}, {position.ply} stones. {told}</title>",
        STYLE,
        *grid,
        *labels,
        '<g class="stones">',
        *stones,
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    source, target = map(Path, sys.argv[1:])
    [record] = ox.read(source.read_text("utf-8"))
    target.write_text(picture(record.position), encoding="utf-8")
