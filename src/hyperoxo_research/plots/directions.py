"""Pictures of the directions in which lines leave a cell, as SVG.

Boards of one and two dimensions are drawn flat, of three as a lattice seen from above, of four in
layers.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import numpy as np

from hyperoxo.board import Board
from hyperoxo.board.directions import CellClass, Ray
from hyperoxo.errors import LimitError
from hyperoxo.game.layout import spread
from hyperoxo.lab.plots.compass import caption, cells_to_draw
from hyperoxo.lab.plots.style import COLOURS
from hyperoxo.pictures.svg import document, tag

Point = tuple[float, float]


@dataclass(frozen=True)
class Shade:
    """Style of a direction, by the number of axes along which it moves."""

    colour: str
    tint: str
    dash: str | None


SHADES = (
    Shade(COLOURS["blue"], "#9fc9e6", None),
    Shade(COLOURS["red"], "#f2b999", "6 3"),
    Shade(COLOURS["green"], "#99d8c7", "2 3"),
    Shade(COLOURS["purple"], "#ebc9dc", None),
)


class Scene(NamedTuple):
    """A picture of one cell and its directions: its size, and its parts."""

    width: float
    height: float
    parts: list[str]


def scene_of(board: Board, one: CellClass) -> Scene:
    """Draw one cell."""
    shape = board.shape or ()
    if len(shape) <= 2:
        return _flat(board, one)
    return _lattice(board, one) if len(shape) == 3 else _layers(board, one)


def _axes_of(ray: Ray) -> int:
    return sum(step != 0 for step in ray.step)


def _flat(board: Board, one: CellClass) -> Scene:
    rows, columns = (1, *(board.shape or ()))[-2:]
    size = max(14.0, min(44.0, 180.0 / max(rows, columns)))

    def middle(cell: int) -> Point:
        row, column = divmod(cell, columns)
        return (column + 0.5) * size, (row + 0.5) * size

    blocked = set(board.blocked)
    parts = []
    for cell in range(board.cell_count):
        x, y = middle(cell)
        fill = "#8c8c8c" if cell in blocked else "#ffffff"
        parts.append(_square(x - size / 2, y - size / 2, size, fill))
    parts += [_arrow(middle(one.cell), middle(ray.end), _axes_of(ray) - 1) for ray in one.rays]
    parts.append(_mark(middle(one.cell), max(3.5, size / 6)))
    return Scene(columns * size, rows * size, parts)


def _lattice(board: Board, one: CellClass) -> Scene:
    """Layers one above the other, the first at the bottom, rows towards the reader."""
    shape = board.shape or ()
    unit = max(12.0, min(48.0, 170.0 / max(shape)))
    # All rows together sink by less than a layer, so that layers do not cover each other.
    rise, slant, sink = 1.2 * unit, 0.42 * unit, 0.8 * unit / max(shape[1] - 1, 1)
    pad = unit / 3
    left = pad + slant * (shape[1] - 1)

    def at(cell: int) -> Point:
        layer, row, column = board.coordinates(cell)
        below = shape[0] - 1 - layer
        return left + column * unit - row * slant, pad + below * rise + row * sink

    blocked = set(board.blocked)
    ends = {ray.end for ray in one.rays}
    edges, dots = [], []
    for cell in range(board.cell_count):
        here = board.coordinates(cell)
        for axis in range(3):
            if here[axis] + 1 < shape[axis]:
                there = [*here[:axis], here[axis] + 1, *here[axis + 1 :]]
                edges.append(_line(at(cell), at(board.cell(there)), "#c9c9c4", 0.8))
        fill = "#1a1a1a" if cell in blocked else "#777777" if cell in ends else "#b9b9b4"
        x, y = at(cell)
        dots.append(tag("circle", cx=x, cy=y, r=2.6, fill=fill))
    # Long arrows first: a short one may lie upon them.
    arrows = [
        _arrow(at(one.cell), at(ray.end), _axes_of(ray) - 1)
        for ray in sorted(one.rays, key=_axes_of, reverse=True)
    ]
    mark = _mark(at(one.cell), max(4.0, unit / 9))
    width = left + (shape[2] - 1) * unit + pad
    height = pad + (shape[0] - 1) * rise + (shape[1] - 1) * sink + pad
    return Scene(width, height, [*edges, *dots, *arrows, mark])


def _layers(board: Board, one: CellClass) -> Scene:
    """Boards of the last two axes, in the order of all pictures."""
    shape = board.shape or ()
    size = max(5.0, min(15.0, 180.0 / (shape[0] * shape[3])))
    gaps = 0.0, size * 0.8
    corners, (width, height) = spread(
        shape, None, None, (size, size), lambda level: (gaps[level], gaps[level])
    )
    xs, ys = corners.tolist()
    here = np.array(board.coordinates(one.cell))
    tints: dict[int, int] = {}
    for number in board.lines_through(one.cell).tolist():
        for other in board.line(number).tolist():
            tints[other] = int((np.array(board.coordinates(other)) != here).sum())
    blocked = set(board.blocked)
    parts = []
    for cell in range(board.cell_count):
        moved = tints.get(cell, 0)
        fill = "#8c8c8c" if cell in blocked else SHADES[moved - 1].tint if moved else "#ffffff"
        parts.append(_square(xs[cell], ys[cell], size, fill))
    parts.append(_mark((xs[one.cell] + size / 2, ys[one.cell] + size / 2), size / 4))
    return Scene(width, height, parts)


MOST_DRAWN = 1500
"""Most cells of a board that is drawn; more would be too small to see."""

_PER_ROW = 4
_GAP = 26.0
_TITLE = 34.0
_LEGEND = 30.0


def directions_svg(
    board: Board, cell: int | None = None, *, every: bool = False, half: bool = False
) -> str:
    """Draw the directions in which lines leave a cell, or a cell of each class."""
    shown = cells_to_draw(board, cell, every=every, half=half)
    if board.cell_count > MOST_DRAWN:
        raise LimitError(
            f"boards of up to {MOST_DRAWN:,} cells are drawn; this one has {board.cell_count:,}"
        )
    scenes = [scene_of(board, one) for one in shown]
    columns = min(_PER_ROW, len(scenes))
    wide, high = max(one.width for one in scenes), max(one.height for one in scenes)
    # A legend of three shades needs some room even under a small picture.
    width = max(columns * (wide + _GAP) + _GAP, 120.0 * _depth(board))
    height = -(-len(scenes) // columns) * (high + _TITLE + _GAP) + _GAP + _LEGEND
    parts = [tag("rect", width="100%", height="100%", fill="#ffffff"), _heads()]
    for number, (one, scene) in enumerate(zip(shown, scenes, strict=True)):
        x = _GAP + (number % columns) * (wide + _GAP) + (wide - scene.width) / 2
        y = _GAP + (number // columns) * (high + _TITLE + _GAP)
        parts.append(_panel(board, one, scene, x, y))
    parts += _legend(board, _GAP, height - _LEGEND / 2)
    kinds = ", ".join(dict.fromkeys(one.kind for one in shown))
    title = f"Directions in which lines leave cells of {board.spelling}: {kinds}"
    return document(width, height, title, parts, "sans-serif")


def _depth(board: Board) -> int:
    return len(board.shape or ())


def _heads() -> str:
    """Return the arrowheads, one a shade; SVG 1.1 cannot inherit their colour from the stroke."""
    size = {"markerWidth": 6, "markerHeight": 6, "orient": "auto"}
    heads = (
        tag(
            "marker", tag("path", d="M0 0.8L8 4L0 7.2z", fill=shade.colour), id=f"head{i}",
            viewBox="0 0 8 8", refX=6.5, refY=4, **size,
        )
        for i, shade in enumerate(SHADES)
    )  # fmt: skip
    return tag("defs", *heads)


def _panel(board: Board, one: CellClass, scene: Scene, x: float, y: float) -> str:
    first, second = caption(board, one)
    parts = (
        _words(scene.width / 2, 4.0, first, text_anchor="middle", font_weight="bold"),
        _words(scene.width / 2, 19.0, second, text_anchor="middle", fill="#444444"),
        tag("g", *scene.parts, transform=f"translate(0 {_TITLE:.0f})"),
    )
    return tag("g", *parts, class_="panel", transform=f"translate({x:.1f} {y:.1f})")


def _words(x: float, y: float, text: str, size: int = 12, **more: str) -> str:
    return tag("text", escape(text), x=x, y=y, font_size=size, **more)


def _square(x: float, y: float, size: float, fill: str) -> str:
    edge = {"fill": fill, "stroke": "#9a9a96", "stroke_width": 0.8}
    return tag("rect", x=x, y=y, width=size, height=size, **edge)


def _mark(at: Point, r: float) -> str:
    edge = {"fill": "#1a1a1a", "stroke": "#ffffff", "stroke_width": 1.5}
    return tag("circle", cx=at[0], cy=at[1], r=r, **edge)


def _arrow(start: Point, end: Point, shade: int) -> str:
    stroke = {"stroke_dasharray": SHADES[shade].dash, "marker_end": f"url(#head{shade})"}
    return _line(start, end, SHADES[shade].colour, 2.0, **stroke)


def _line(start: Point, end: Point, colour: str, width: float, **more: str | None) -> str:
    ends = dict(zip(("x1", "y1", "x2", "y2"), (*start, *end), strict=True))
    return tag("line", **ends, stroke=colour, stroke_width=width, **more)


def _legend(board: Board, x: float, y: float) -> list[str]:
    parts = []
    for i, shade in enumerate(SHADES[: _depth(board)]):
        left = x + (0.0 if i == 0 else 120.0 * i - 50.0)
        if _depth(board) > 3:
            parts.append(_square(left + 12, y - 10, 12.0, shade.tint))
        else:
            parts.append(_arrow((left, y - 4), (left + 24, y - 4), i))
        parts.append(_words(left + 30, y, "axis" if i == 0 else f"{i + 1} axes at once", 11))
    return parts
