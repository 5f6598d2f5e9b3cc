"""Pictures of the directions in which lines leave a cell: as SVG and by matplotlib.

All pictures are laid out once, as strokes and dots, and then drawn either way. Boards of one and
two dimensions are drawn flat, of three as a lattice seen from above, of four in layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from hyperoxo.board import Board
from hyperoxo.board.directions import CellClass, cell_classes, cell_kind, rays
from hyperoxo.errors import LimitError
from hyperoxo.lab.plots.direction_scenes import SHADES, Ends, Scene, scene_of
from hyperoxo.lab.plots.style import styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["caption", "directions_figure", "directions_svg", "shown_cells"]

MOST_DRAWN = 1500
"""Cells of a board that is drawn; on more they would be specks."""

_PER_ROW = 4
_GAP = 26.0
_TITLE = 34.0
_LEGEND = 30.0


def shown_cells(board: Board, cell: int | None = None) -> tuple[CellClass, ...]:
    """Return what is drawn of a board: one cell, or one of each class."""
    if cell is None:
        return cell_classes(board)
    found = rays(board, cell)
    return (CellClass(cell_kind(board, cell), cell, 1, len(board.lines_through(cell)), found),)


def caption(board: Board, one: CellClass) -> tuple[str, str]:
    """Return the two lines of text above a picture."""
    place = ",".join(map(str, board.coordinates(one.cell)))
    lines, ways = one.lines, len(one.rays)
    return (
        f"{one.kind} cell {one.cell} ({place})",
        f"{lines} line{'s' * (lines != 1)}, {ways} direction{'s' * (ways != 1)}",
    )


def directions_svg(board: Board, cell: int | None = None) -> str:
    """Draw the directions in which lines leave a cell, or a cell of each class.

    Parameters
    ----------
    board : Board
        A board of one to four dimensions with coordinates.
    cell : int, optional
        A cell; by default one of each class.

    Returns
    -------
    str
        SVG that needs nothing else.

    Raises
    ------
    SpecError
        If the board has no coordinates, more than four axes, or no such cell.
    LimitError
        If it has more than 1,500 cells.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> picture = directions_svg(ox.hypercube(3, 3))
    >>> picture.startswith("<svg"), picture.count('class="panel"')
    (True, 4)
    """
    shown = _drawable(board, cell)
    scenes = [scene_of(board, one) for one in shown]
    wide, high = max(s.width for s in scenes), max(s.height for s in scenes)
    columns = min(_PER_ROW, len(scenes))
    rows = -(-len(scenes) // columns)
    # A legend of three shades needs some room even under a small picture.
    width = max(columns * (wide + _GAP) + _GAP, 120.0 * _depth(board))
    height = rows * (high + _TITLE + _GAP) + _GAP + _LEGEND
    size = f'width="{width:.0f}" height="{height:.0f}"'
    box = f'viewBox="0 0 {width:.0f} {height:.0f}" {size}'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="sans-serif" role="img">',
        f"<title>{escape(_title(board, shown))}</title>",
        f'<rect {size} fill="#ffffff"/>',
        *_markers(),
    ]
    for number, (one, scene) in enumerate(zip(shown, scenes, strict=True)):
        x = _GAP + (number % columns) * (wide + _GAP) + (wide - scene.width) / 2
        y = _GAP + (number // columns) * (high + _TITLE + _GAP)
        parts.append(_panel(board, one, scene, x, y))
    parts.append(_legend(board, _GAP, height - _LEGEND / 2))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _drawable(board: Board, cell: int | None) -> tuple[CellClass, ...]:
    shown = shown_cells(board, cell)
    if board.cell_count > MOST_DRAWN:
        raise LimitError(
            f"boards of up to {MOST_DRAWN:,} cells are drawn; this one has {board.cell_count:,}"
        )
    return shown


def _depth(board: Board) -> int:
    return len(board.shape or ())


def _title(board: Board, shown: Sequence[CellClass]) -> str:
    kinds = ", ".join(dict.fromkeys(one.kind for one in shown))
    return f"Directions in which lines leave cells of {board.spelling}: {kinds}"


def _markers() -> list[str]:
    """Return the heads of the arrows, one a shade; SVG 1.1 cannot take them from the stroke."""
    heads = "".join(
        f'<marker id="head{i}" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="6" '
        f'markerHeight="6" orient="auto"><path d="M0 0.8L8 4L0 7.2z" fill="{shade.colour}"/>'
        "</marker>"
        for i, shade in enumerate(SHADES)
    )
    return [f"<defs>{heads}</defs>"]


def _panel(board: Board, one: CellClass, scene: Scene, x: float, y: float) -> str:
    first, second = (escape(text) for text in caption(board, one))
    parts = [
        f'<g class="panel" transform="translate({x:.1f} {y:.1f})">',
        _words(scene.width / 2, 4, first, 'font-weight="bold"'),
        _words(scene.width / 2, 19, second, 'fill="#444444"'),
        f'<g transform="translate(0 {_TITLE:.0f})">',
        *(_square(box.x, box.y, box.size, box.fill) for box in scene.boxes),
        *(_line(edge, "#c9c9c4", 0.8) for edge in scene.edges),
        *(
            f'<circle cx="{dot.x:.1f}" cy="{dot.y:.1f}" r="{dot.r}" fill="{dot.fill}"/>'
            for dot in scene.dots
        ),
        *(_arrow(arrow, shade) for arrow, shade in scene.arrows),
    ]
    mark = scene.mark
    parts.append(
        f'<circle cx="{mark.x:.1f}" cy="{mark.y:.1f}" r="{mark.r}" fill="#1a1a1a" '
        'stroke="#ffffff" stroke-width="1.5"/>'
    )
    return "\n".join([*parts, "</g>", "</g>"])


def _words(x: float, y: float, text: str, more: str) -> str:
    return f'<text x="{x:.1f}" y="{y}" font-size="12" text-anchor="middle" {more}>{text}</text>'


def _square(x: float, y: float, size: float, fill: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{size:.1f}" height="{size:.1f}" fill="{fill}" '
        'stroke="#9a9a96" stroke-width="0.8"/>'
    )


def _arrow(ends: Ends, shade: int) -> str:
    dash = f' stroke-dasharray="{SHADES[shade].dash}"' if SHADES[shade].dash else ""
    return _line(ends, SHADES[shade].colour, 2.0, f'{dash} marker-end="url(#head{shade})"')


def _line(ends: Ends, colour: str, width: float, more: str = "") -> str:
    x1, y1, x2, y2 = ends
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{width}"{more}/>'
    )


def _legend(board: Board, x: float, y: float) -> str:
    parts = []
    for i, shade in enumerate(SHADES[: _depth(board)]):
        left = x + (0.0 if i == 0 else 120.0 * i - 50.0)
        if _depth(board) > 3:
            parts.append(_square(left + 12, y - 10, 12, shade.tint))
        else:
            parts.append(_arrow((left, y - 4, left + 24, y - 4), i))
        words = "axis" if i == 0 else f"{i + 1} axes at once"
        parts.append(f'<text x="{left + 30:.1f}" y="{y:.1f}" font-size="11">{words}</text>')
    return "\n".join(parts)


def directions_figure(board: Board, cell: int | None = None) -> Figure:
    """Draw the same by matplotlib."""
    shown = _drawable(board, cell)
    scenes = [scene_of(board, one) for one in shown]
    columns = min(_PER_ROW, len(scenes))
    rows = -(-len(scenes) // columns)
    with styled():
        from matplotlib.figure import Figure

        wide, high = (max(getattr(s, side) for s in scenes) for side in ("width", "height"))
        scale = 1.9 / wide
        size = (columns * 2.1, rows * (high * scale + 0.75) + 0.3)
        figure = Figure(figsize=size, layout="constrained")
        for number, (one, scene) in enumerate(zip(shown, scenes, strict=True), 1):
            axes = figure.add_subplot(rows, columns, number)
            _draw(axes, scene)
            axes.set_title("\n".join(caption(board, one)), fontsize=8)
        _figure_legend(figure, board)
    return figure


def _draw(axes: Axes, scene: Scene) -> None:
    from matplotlib.patches import Rectangle

    for box in scene.boxes:
        axes.add_patch(
            Rectangle((box.x, box.y), box.size, box.size, facecolor=box.fill, edgecolor="#9a9a96",
                      linewidth=0.6)
        )  # fmt: skip
    for x1, y1, x2, y2 in scene.edges:
        axes.plot([x1, x2], [y1, y2], color="#c9c9c4", linewidth=0.6, zorder=1)
    for dot in scene.dots:
        axes.plot(dot.x, dot.y, "o", color=dot.fill, markersize=1.2 * dot.r, zorder=2)
    for (x1, y1, x2, y2), shade in scene.arrows:
        arrow = {
            "arrowstyle": "-|>,head_width=0.18,head_length=0.36",
            "color": SHADES[shade].colour, "shrinkA": 0, "shrinkB": 0, "linewidth": 1.2,
            "linestyle": SHADES[shade].style,
        }  # fmt: skip
        axes.annotate("", (x2, y2), (x1, y1), arrowprops=arrow, zorder=3)
    mark = scene.mark
    axes.plot(mark.x, mark.y, "o", color="#1a1a1a", markersize=6, zorder=4, markeredgecolor="white")
    axes.set(xlim=(-6, scene.width + 6), ylim=(scene.height + 6, -6), aspect="equal")
    axes.set_axis_off()


def _figure_legend(figure: Figure, board: Board) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    shades = SHADES[: _depth(board)]
    words = ["axis", *(f"{i} axes at once" for i in range(2, len(shades) + 1))]
    handles = [
        Patch(facecolor=shade.tint, edgecolor="#9a9a96", label=word)
        if len(shades) > 3
        else Line2D([], [], color=shade.colour, linestyle=shade.style, label=word)
        for shade, word in zip(shades, words, strict=True)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=8)
