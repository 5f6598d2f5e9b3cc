"""Layout of the pictures of directions: where strokes, dots and squares go, in points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hyperoxo.board import Board
from hyperoxo.board.directions import CellClass, Ray
from hyperoxo.lab.plots.style import COLOURS

__all__ = ["SHADES", "Box", "Dot", "Ends", "Scene", "Shade", "scene_of"]

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
