"""Small boards as SVG: stones by shape and colour, nested grids, and the sheet they lie on.

Inside a board one cell is 24 units wide.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from xml.sax.saxutils import escape

from hyperoxo.game import BLOCKED, FREE, Game, Layout, Position, layout_of
from hyperoxo.notation.stones import corners_of
from hyperoxo.pictures.colours import DARK, THEMES, TONES, Colours, tone_of
from hyperoxo.pictures.lines import CORE, STROKE, Path, winning_cells

CELL = 24
"""Width of a cell, in the units of a board."""

_FONT = "Inter, system-ui, sans-serif"
_THIN, _FINEST, _BOLDEST = 0.05, 0.15, 1.25


def board_svg(
    position: Position,
    box: tuple[float, float, float],
    *,
    glowing: Collection[int] | None = None,
    faint: Collection[int] = (),
    last: int | None = None,
    plan: Layout | None = None,
    notes: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """Draw a position; the cell of the last move and those with a value are tinted.

    Cells of the lines that ended the game glow, unless others are given.
    """
    left, top, cell = box
    plan = plan or layout_of(position.game)
    owners = position.owners
    glowing = sorted(winning_cells(position)) if glowing is None else glowing
    scale = cell / CELL
    # The limits are in pixels, but the stroke is scaled with the board.
    thin = min(max(_THIN * cell, _FINEST), _BOLDEST) / scale
    place = f"translate({left:.2f} {top:.2f})scale({scale:.5f})"
    parts = [f'<g transform="{place}" stroke-width="{thin:.2f}"><use href="#board"/>']
    parts += [_square(*plan.corners[number], "glow") for number in glowing]
    for number, note in notes.items():
        if tone := tone_of(note):
            parts.append(_square(*plan.corners[number], f"cell {tone}"))
            if note.endswith("%"):
                parts.append(_square(*plan.corners[number], "guess"))
    if last is not None and last not in glowing:
        parts.append(_square(*plan.corners[last], f"f{owners[last]}", fill_opacity=".22"))
    for number, owner in enumerate(owners):
        if owner not in (FREE, BLOCKED):
            x, y = (f"{CELL * along:g}" for along in plan.corners[number])
            pale = ".36" if number in faint else None
            parts.append(tag("use", href=f"#p{owner}", x=x, y=y, stroke_opacity=pale))
    return "".join(parts) + "</g>"


def tag(name: str, *content: str, **attributes: object) -> str:
    """Write an element: `content` as it is, `class_` as class, numbers with one decimal."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(content)
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def _number(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def title_svg(text: str) -> str:
    """Write the tooltip of an element."""
    return tag("title", escape(text))


def document(
    width: float, height: float, title: str, parts: Iterable[str], font: str = _FONT
) -> str:
    """Make a whole picture of its parts."""
    size = {"width": f"{width:.0f}", "height": f"{height:.0f}"}
    head = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width:.0f} {height:.0f}"}
    lines = "\n".join(["", title_svg(title), *parts, ""])
    return tag("svg", lines, **head, **size, role="img", font_family=font) + "\n"


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
    strokes = ((f"s{player}", STROKE), ("core", CORE))
    lines = (tag("path", class_=of, stroke_width=wide * cell, d=drawn) for of, wide in strokes)
    return tag("g", *lines, class_="line")


def sheet(
    game: Game,
    width: float,
    height: float,
    title: str,
    parts: Collection[str],
    *,
    plan: Layout | None = None,
    theme: str | None = None,
    toned: bool = False,
) -> str:
    """Make a whole picture, light or dark as the reader prefers unless a theme is given.

    If it is `toned`, cells may have the colours of values.
    """
    stones = [_stone(player) for player in range(1, game.players + 1)]
    corners, blocked = (plan or layout_of(game)).corners, set(game.blocked)
    kinds = ("wall" if cell in blocked else "cell" for cell in range(len(corners)))
    cells = (_square(*corner, kind) for corner, kind in zip(corners, kinds, strict=True))
    board = tag("g", *cells, id="board")
    size = {"width": f"{width:.0f}", "height": f"{height:.0f}"}
    head = [
        tag("style", sheet_style(theme, toned=toned)),
        tag("defs", *stones, board, *([_STRIPES] if toned else ())),
        tag("rect", class_="paper", **size),
    ]
    return document(width, height, title, [*head, *parts])


def sheet_style(theme: str | None = None, *, toned: bool = False) -> str:
    """Return the colours of a sheet: those of a theme, or light and dark."""
    light, dark = (_rules(one, TONES if toned else ()) for one in (THEMES[theme or "light"], DARK))
    shapes = _SHAPES + ".guess{fill:url(#guess)}" * toned
    return shapes + light + f"@media(prefers-color-scheme:dark){{{dark}}}" * (theme is None)


_STRIPES = (
    '<pattern id="guess" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path class="card" d="M0 0h3v6h-3Z"/></pattern>'
)


_SHAPES = (
    ".stone,.line{fill:none;stroke-linecap:round;stroke-linejoin:round}.stone{stroke-width:3.4}"
    ".edge{fill:none}"
)


def _rules(colours: Colours, tones: Collection[str]) -> str:
    ground, card, soft, rule = colours.ground, colours.card, colours.soft, colours.rule
    return (
        f".paper{{fill:{ground}}}.card,.cell{{fill:{card}}}.cell,.wall{{stroke:{rule}}}"
        f".wall{{fill:{rule};fill-opacity:.5}}.glow{{fill:{colours.glow};stroke:{rule}}}"
        f"text,.ink{{fill:{colours.ink}}}.soft{{fill:{soft}}}.edge{{stroke:{soft}}}"
        f".e0{{stroke:{soft}}}.f0{{fill:{soft}}}.core{{stroke:{card}}}"
        + "".join(
            f".{tone}{{fill:{fill}}}" for tone, fill in zip(tones, colours.values, strict=False)
        )
    ) + "".join(
        f".s{player},.e{player}{{stroke:{colour}}}.f{player}{{fill:{colour}}}"
        for player, colour in enumerate(colours.stones, start=1)
    )


def _stone(player: int) -> str:
    if player == 1:
        shape = tag("path", d="M6 6 18 18M18 6 6 18")
    elif player == 2:
        shape = tag("circle", cx=12, cy=12, r=6.8)
    else:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners_of(player))
        shape = tag("polygon", points=points)
    return tag("g", shape, id=f"p{player}", class_=f"stone s{player}")


def _square(x: float, y: float, kind: str, **more: str) -> str:
    place = {"x": f"{CELL * x:g}", "y": f"{CELL * y:g}"}
    return tag("rect", class_=kind, **more, **place, width=CELL, height=CELL)
