"""Small boards as SVG: stones by shape and colour, nested grids, and the sheet they lie on.

Inside a board one cell is 24 units wide.
"""

from __future__ import annotations

from collections.abc import Collection
from xml.sax.saxutils import escape

from hyperoxo.notation.stones import INKS, corners_of
from hyperoxo.position import BLOCKED, FREE
from hyperoxo.rules import Game, plan_of

CELL = 24
"""Width of a cell, in the units of a board."""

_THIN, _FINEST, _BOLDEST = 0.05, 0.15, 3.0
_DARK = ("#6db5ff", "#ff9a6b", "#4fd6a8", "#f0bd4f", "#d79ad8", "#63c6dc", "#aab0b8", "#d8c24a")


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
        f"{light}{colours(INKS)}"
        f"@media(prefers-color-scheme:dark){{{dark}{colours(_DARK)}}}"
    )


def _stone(player: int) -> str:
    if player == 1:
        shape = '<path d="M6 6 18 18M18 6 6 18"/>'
    elif player == 2:
        shape = '<circle cx="12" cy="12" r="6.8"/>'
    else:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners_of(player))
        shape = f'<polygon points="{points}"/>'
    return f'<g id="p{player}" class="stone s{player}">{shape}</g>'


def _empty(game: Game) -> str:
    blocked = set(game.blocked)
    return "".join(
        f'<rect class="{"wall" if number in blocked else "cell"}" x="{CELL * x:g}" '
        f'y="{CELL * y:g}" width="{CELL}" height="{CELL}"/>'
        for number, (x, y) in enumerate(plan_of(game).corners)
    )
