"""Small boards as SVG: stones by shape and colour, nested grids, and the sheet they lie on.

Inside a board one cell is 24 units wide. The last two axes are columns and rows, the axis before
them sets grids side by side, the next one below each other, and so on in turn.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, cos, pi, sin, sqrt
from xml.sax.saxutils import escape

import numpy as np

from hyperoxo.position import BLOCKED, FREE
from hyperoxo.rules import Game

CELL = 24
"""Width of a cell, in the units of a board."""

_GAP = 0.5
_THIN, _FINEST, _BOLDEST = 0.05, 0.15, 3.0
_LIGHT = ("#0b5fa5", "#d1490c", "#0a7d5b", "#8a5a00", "#8a3f8f", "#1c7f95", "#6b6f76", "#8f7a00")
_DARK = ("#6db5ff", "#ff9a6b", "#4fd6a8", "#f0bd4f", "#d79ad8", "#63c6dc", "#aab0b8", "#d8c24a")
_CORNERS = {3: (3, 0.0), 4: (4, pi / 4), 5: (4, 0.0), 6: (5, 0.0), 7: (6, 0.0)}


@dataclass(frozen=True)
class Plan:
    """Where the cells of a board are drawn."""

    corners: tuple[tuple[float, float], ...]
    width: float
    height: float


@lru_cache(maxsize=32)
def plan_of(game: Game) -> Plan:
    """Lay out the board of a game."""
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
        places[along] += index * (extents[along] + gap)
        extents[along] = extents[along] * side + gap * (side - 1)
    corners = tuple((float(x), float(y)) for x, y in places.T)
    return Plan(corners, extents[0], extents[1])


def board_svg(
    game: Game,
    owners: bytes,
    box: tuple[float, float, float],
    *,
    glowing: Collection[int] = (),
    faint: Collection[int] = (),
    last: int | None = None,
) -> str:
    """Draw a position; the cell of the last move is tinted."""
    left, top, cell = box
    plan = plan_of(game)
    scale = cell / CELL
    thin = min(max(_THIN * cell, _FINEST), _BOLDEST) / scale
    parts = [
        f'<g transform="translate({left:.2f} {top:.2f})scale({scale:.5f})">',
        f'<use href="#board" stroke-width="{thin:.2f}"/>',
    ]
    corners = [(f"{CELL * x:g}", f"{CELL * y:g}") for x, y in plan.corners]
    parts += [
        f'<rect class="glow" x="{corners[number][0]}" y="{corners[number][1]}" width="{CELL}" '
        f'height="{CELL}"/>'
        for number in glowing
    ]
    if last is not None and last not in glowing:
        x, y = corners[last]
        parts.append(
            f'<rect class="f{owners[last]}" fill-opacity=".22" x="{x}" y="{y}" width="{CELL}" '
            f'height="{CELL}"/>'
        )
    for number, owner in enumerate(owners):
        if owner in (FREE, BLOCKED):
            continue
        x, y = corners[number]
        extra = ' stroke-opacity=".36"' if number in faint else ""
        parts.append(f'<use href="#p{owner}" x="{x}" y="{y}"{extra}/>')
    return "".join(parts) + "</g>"


def text_svg(x: float, y: float, size: float, text: str, extra: str = "") -> str:
    """Write a line of text."""
    space = " " if extra else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}"{space}{extra}>{escape(text)}</text>'


def sheet(game: Game, width: float, height: float, title: str, parts: Collection[str]) -> str:
    """Make a whole picture, light or dark as the reader prefers."""
    stones = "".join(_stone(player) for player in range(1, game.players + 1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" font-family="Inter, system-ui, '
        f'sans-serif">\n<title>{escape(title)}</title>\n<style>{sheet_style()}</style>\n'
        f'<defs>{stones}<g id="board">{_empty(game)}</g></defs>\n'
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def sheet_style() -> str:
    """Return the colours of a sheet, light and dark."""

    def rules(ground: str, card: str, ink: str, soft: str, rule: str, glow: str) -> str:
        return (
            f".paper{{fill:{ground}}}.card,.cell{{fill:{card}}}.cell,.wall{{stroke:{rule}}}"
            f".wall{{fill:{rule};fill-opacity:.6}}.glow{{fill:{glow}}}text,.ink{{fill:{ink}}}"
            f".soft{{fill:{soft}}}.edge{{stroke:{soft}}}.e0{{stroke:{soft}}}.f0{{fill:{soft}}}"
        )

    def colours(table: tuple[str, ...]) -> str:
        return "".join(
            f".s{player},.e{player}{{stroke:{colour}}}.f{player}{{fill:{colour}}}"
            for player, colour in enumerate(table, start=1)
        )

    light = rules("#f6f3ec", "#ffffff", "#23262b", "#6d6f73", "#cfc8b6", "#ffe28a")
    dark = rules("#15181c", "#242a31", "#eceae4", "#9aa0a6", "#4a525c", "#7a6420")
    return (
        ".stone{fill:none;stroke-width:3.4;stroke-linecap:round;stroke-linejoin:round}"
        ".edge{fill:none}"
        f"{light}{colours(_LIGHT)}"
        f"@media(prefers-color-scheme:dark){{{dark}{colours(_DARK)}}}"
    )


def _stone(player: int) -> str:
    if player == 1:
        shape = '<path d="M6 6 18 18M18 6 6 18"/>'
    elif player == 2:
        shape = '<circle cx="12" cy="12" r="6.8"/>'
    else:
        count, turn = _CORNERS.get(player, (10, 0.0))
        points = []
        for corner in range(count):
            radius = 3.6 if count == 10 and corner % 2 else 8.2
            angle = turn + 2 * pi * corner / count
            points.append(f"{12 + radius * sin(angle):.1f},{12 - radius * cos(angle):.1f}")
        shape = f'<polygon points="{" ".join(points)}"/>'
    return f'<g id="p{player}" class="stone s{player}">{shape}</g>'


def _empty(game: Game) -> str:
    blocked = set(game.blocked)
    return "".join(
        f'<rect class="{"wall" if number in blocked else "cell"}" x="{CELL * x:g}" '
        f'y="{CELL * y:g}" width="{CELL}" height="{CELL}"/>'
        for number, (x, y) in enumerate(plan_of(game).corners)
    )
