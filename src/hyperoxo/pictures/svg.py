"""Small boards as SVG: stones by shape and colour, nested grids, and the sheet they lie on.

Inside a board one cell is 24 units wide.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from xml.sax.saxutils import escape

from hyperoxo.game import BLOCKED, FREE, Game, Plan, plan_of
from hyperoxo.notation.stones import corners_of
from hyperoxo.pictures.colours import DARK, LIGHT, THEMES, Colours
from hyperoxo.pictures.lines import CORE, STROKE, Path

CELL = 24
"""Width of a cell, in the units of a board."""

_THIN, _FINEST, _BOLDEST = 0.05, 0.15, 1.25


def board_svg(
    game: Game,
    owners: bytes,
    box: tuple[float, float, float],
    *,
    glowing: Collection[int] = (),
    faint: Collection[int] = (),
    last: int | None = None,
    plan: Plan | None = None,
) -> str:
    """Draw a position; the cell of the last move is tinted."""
    left, top, cell = box
    plan = plan or plan_of(game)
    scale = cell / CELL
    thin = min(max(_THIN * cell, _FINEST), _BOLDEST) / scale
    place = f"translate({left:.2f} {top:.2f})scale({scale:.5f})"
    parts = [f'<g transform="{place}" stroke-width="{thin:.2f}"><use href="#board"/>']
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


def line_svg(player: int, paths: Iterable[Path], box: tuple[float, float, float]) -> str:
    """Draw a full line in its owner's colour."""
    left, top, cell = box
    drawn = "".join(
        "M" + "L".join(f"{left + cell * x:.1f} {top + cell * y:.1f}" for x, y in path)
        for path in paths
    )
    return (
        f'<g class="line"><path class="s{player}" stroke-width="{STROKE * cell:.1f}" d="{drawn}"/>'
        f'<path class="core" stroke-width="{CORE * cell:.1f}" d="{drawn}"/></g>'
    )


def sheet(
    game: Game,
    width: float,
    height: float,
    title: str,
    parts: Collection[str],
    *,
    plan: Plan | None = None,
    theme: str | None = None,
) -> str:
    """Make a whole picture, light or dark as the reader prefers unless a theme is given."""
    stones = "".join(_stone(player) for player in range(1, game.players + 1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" font-family="Inter, system-ui, '
        f'sans-serif">\n<title>{escape(title)}</title>\n<style>{sheet_style(theme)}</style>\n'
        f'<defs>{stones}<g id="board">{_empty(game, plan or plan_of(game))}</g></defs>\n'
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def sheet_style(theme: str | None = None) -> str:
    """Return the colours of a sheet: those of a theme, or light and dark."""
    if theme is not None:
        return _SHAPES + _rules(THEMES[theme])
    return f"{_SHAPES}{_rules(LIGHT)}@media(prefers-color-scheme:dark){{{_rules(DARK)}}}"


_SHAPES = (
    ".stone,.line{fill:none;stroke-linecap:round;stroke-linejoin:round}.stone{stroke-width:3.4}"
    ".edge{fill:none}"
)


def _rules(colours: Colours) -> str:
    ground, card, soft, rule = colours.ground, colours.card, colours.soft, colours.rule
    return (
        f".paper{{fill:{ground}}}.card,.cell{{fill:{card}}}.cell,.wall{{stroke:{rule}}}"
        f".wall{{fill:{rule};fill-opacity:.5}}.glow{{fill:{colours.glow};stroke:{rule}}}"
        f"text,.ink{{fill:{colours.ink}}}.soft{{fill:{soft}}}.edge{{stroke:{soft}}}"
        f".e0{{stroke:{soft}}}.f0{{fill:{soft}}}.core{{stroke:{card}}}"
    ) + "".join(
        f".s{player},.e{player}{{stroke:{colour}}}.f{player}{{fill:{colour}}}"
        for player, colour in enumerate(colours.stones, start=1)
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


def _empty(game: Game, plan: Plan) -> str:
    blocked = set(game.blocked)
    return "".join(
        f'<rect class="{"wall" if number in blocked else "cell"}" x="{CELL * x:g}" '
        f'y="{CELL * y:g}" width="{CELL}" height="{CELL}"/>'
        for number, (x, y) in enumerate(plan.corners)
    )
