"""Pictures of the directions in which lines leave a cell: as SVG and by matplotlib.

All pictures are laid out once, as strokes and dots, and then drawn either way. Boards of one and
two dimensions are drawn flat, of three as a lattice seen from above, of four in layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from hyperoxo.board import Board
from hyperoxo.board.directions import CellClass, Ray
from hyperoxo.errors import LimitError
from hyperoxo.lab.plots.compass import caption, shown_cells
from hyperoxo.lab.plots.style import COLOURS, empty_figure, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Ends = tuple[float, float, float, float]


@dataclass(frozen=True)
class Shade:
    """How a direction is drawn, by the number of axes along which it moves."""

    colour: str
    tint: str
    dash: str
    style: Any


SHADES = (
    Shade(COLOURS["blue"], "#9fc9e6", "", "-"),
    Shade(COLOURS["red"], "#f2b999", "6 3", (0, (4, 2))),
    Shade(COLOURS["green"], "#99d8c7", "2 3", (0, (1.2, 1.6))),
    Shade(COLOURS["purple"], "#ebc9dc", "", "-."),
)


@dataclass(frozen=True)
class Box:
    """A square of a flat board."""

    x: float
    y: float
    size: float
    fill: str


@dataclass(frozen=True)
class Dot:
    """A cell of a lattice."""

    x: float
    y: float
    r: float
    fill: str


@dataclass
class Scene:
    """A picture of one cell and its directions."""

    width: float
    height: float
    mark: Dot
    boxes: list[Box] = field(default_factory=list)
    edges: list[Ends] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    arrows: list[tuple[Ends, int]] = field(default_factory=list)


def scene_of(board: Board, one: CellClass) -> Scene:
    """Lay out the picture of one cell."""
    shape = board.shape or ()
    if len(shape) <= 2:
        return _flat(board, one)
    return _lattice(board, one) if len(shape) == 3 else _layers(board, one)


def _axes_of(ray: Ray) -> int:
    return sum(step != 0 for step in ray.step)


def _flat(board: Board, one: CellClass) -> Scene:
    rows, columns = (1, *(board.shape or ()))[-2:]
    size = max(14.0, min(44.0, 180.0 / max(rows, columns)))

    def middle(cell: int) -> tuple[float, float]:
        row, column = divmod(cell, columns)
        return (column + 0.5) * size, (row + 0.5) * size

    scene = Scene(columns * size, rows * size, Dot(*middle(one.cell), max(3.5, size / 6), ""))
    blocked = set(board.blocked)
    for cell in range(board.cell_count):
        x, y = middle(cell)
        fill = "#8c8c8c" if cell in blocked else "#ffffff"
        scene.boxes.append(Box(x - size / 2, y - size / 2, size, fill))
    for ray in one.rays:
        scene.arrows.append(((*middle(one.cell), *middle(ray.end)), _axes_of(ray) - 1))
    return scene


def _lattice(board: Board, one: CellClass) -> Scene:
    """Layers one above the other, rows towards the reader."""
    shape = board.shape or ()
    unit = max(12.0, min(48.0, 170.0 / max(shape)))
    # All rows together sink by less than a layer, so that layers do not cover each other.
    rise, lean, sink = 1.2 * unit, 0.42 * unit, 0.8 * unit / max(shape[1] - 1, 1)
    pad = unit / 3
    left = pad + lean * (shape[1] - 1)

    def at(cell: int) -> tuple[float, float]:
        layer, row, column = board.coordinates(cell)
        return left + column * unit - row * lean, pad + layer * rise + row * sink

    width = left + (shape[2] - 1) * unit + pad
    height = pad + (shape[0] - 1) * rise + (shape[1] - 1) * sink + pad
    scene = Scene(width, height, Dot(*at(one.cell), max(4.0, unit / 9), ""))
    blocked = set(board.blocked)
    ends = {ray.end for ray in one.rays}
    for cell in range(board.cell_count):
        here = board.coordinates(cell)
        for axis in range(3):
            if here[axis] + 1 < shape[axis]:
                there = [*here[:axis], here[axis] + 1, *here[axis + 1 :]]
                scene.edges.append((*at(cell), *at(board.cell(there))))
        fill = "#1a1a1a" if cell in blocked else "#777777" if cell in ends else "#b9b9b4"
        scene.dots.append(Dot(*at(cell), 2.6, fill))
    # Long arrows first: a short one may lie upon them.
    for ray in sorted(one.rays, key=_axes_of, reverse=True):
        scene.arrows.append(((*at(one.cell), *at(ray.end)), _axes_of(ray) - 1))
    return scene


def _layers(board: Board, one: CellClass) -> Scene:
    """Boards of the last two axes: the second axis goes across, the first down."""
    shape = board.shape or ()
    size = max(5.0, min(15.0, 180.0 / (shape[1] * shape[3])))
    gap = size * 0.8

    def corner(cell: int) -> tuple[float, float]:
        a, b, row, column = board.coordinates(cell)
        x = b * (shape[3] * size + gap) + column * size
        return x, a * (shape[2] * size + gap) + row * size

    here = np.array(board.coordinates(one.cell))
    tints: dict[int, int] = {}
    for number in board.lines_through(one.cell).tolist():
        for other in board.line(number).tolist():
            tints[other] = int((np.array(board.coordinates(other)) != here).sum())
    width = shape[1] * (shape[3] * size + gap) - gap
    height = shape[0] * (shape[2] * size + gap) - gap
    x, y = corner(one.cell)
    scene = Scene(width, height, Dot(x + size / 2, y + size / 2, size / 4, ""))
    blocked = set(board.blocked)
    for cell in range(board.cell_count):
        moved = tints.get(cell, 0)
        fill = "#8c8c8c" if cell in blocked else SHADES[moved - 1].tint if moved else "#ffffff"
        scene.boxes.append(Box(*corner(cell), size, fill))
    return scene


MOST_DRAWN = 1500
"""Cells of a board that is drawn; on more they would be specks."""

_PER_ROW = 4
_GAP = 26.0
_TITLE = 34.0
_LEGEND = 30.0


def directions_svg(
    board: Board, cell: int | None = None, *, every: bool = False, half: bool = False
) -> str:
    """Draw the directions in which lines leave a cell, or a cell of each class."""
    shown, scenes, (rows, columns), (wide, high) = _laid_out(board, cell, every=every, half=half)
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


def _laid_out(
    board: Board, cell: int | None, *, every: bool = False, half: bool = False
) -> tuple[tuple[CellClass, ...], list[Scene], tuple[int, int], tuple[float, float]]:
    """Return what is drawn, the pictures, how many rows and columns of them, and their size."""
    shown = shown_cells(board, cell, every=every, half=half)
    if board.cell_count > MOST_DRAWN:
        raise LimitError(
            f"boards of up to {MOST_DRAWN:,} cells are drawn; this one has {board.cell_count:,}"
        )
    scenes = [scene_of(board, one) for one in shown]
    columns = min(_PER_ROW, len(scenes))
    size = max(one.width for one in scenes), max(one.height for one in scenes)
    return shown, scenes, (-(-len(scenes) // columns), columns), size


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


@styled()
def directions_figure(board: Board, cell: int | None = None) -> Figure:
    """Draw the same by matplotlib."""
    shown, scenes, (rows, columns), (wide, high) = _laid_out(board, cell)

    scale = 1.9 / wide
    size = (columns * 2.1, rows * (high * scale + 0.75) + 0.3)
    figure = empty_figure(*size)
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
