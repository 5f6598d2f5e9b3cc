"""The directions in which lines leave an inner, a face, an edge and a corner cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hyperoxo.lab.study.parts import Picture, Section, Table
from hyperoxo.rules import Game

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["directions", "directions_figure", "leaving", "typical_cells"]

KINDS = ("inner", "face", "edge", "corner")
"""By how many coordinates are at an end: in a cube from none to three."""

GAMES = ("3^3", "4^3")


def typical_cells(game: Game) -> dict[str, int]:
    """Return a cell of each kind of a cube with a side of at least 3.

    Examples
    --------
    >>> typical_cells(Game("3^3"))
    {'inner': 13, 'face': 4, 'edge': 1, 'corner': 0}
    """
    coordinates = np.array(np.unravel_index(np.arange(game.board.cell_count), _shape(game)))
    last = _shape(game)[0] - 1
    ends = ((coordinates == 0) | (coordinates == last)).sum(axis=0)
    return {kind: int(np.flatnonzero(ends == i)[0]) for i, kind in enumerate(KINDS)}


def leaving(game: Game, cell: int) -> list[tuple[int, ...]]:
    """Return the directions from a cell in which there are more cells of a line through it.

    Examples
    --------
    >>> game = Game("3^3")
    >>> [len(leaving(game, cell)) for cell in typical_cells(game).values()]
    [26, 9, 5, 7]
    """
    here = np.array(np.unravel_index(cell, _shape(game)))
    found = set()
    for number in game.board.lines_through(cell).tolist():
        others = game.board.line(number)
        steps = np.sign(np.array(np.unravel_index(others, _shape(game))).T - here)
        found |= {tuple(int(step) for step in row) for row in steps if row.any()}
    return sorted(found)


def directions() -> Section:
    """Return the section."""
    rows = []
    for spec in GAMES:
        game = Game(spec)
        for kind, cell in typical_cells(game).items():
            lines = len(game.board.lines_through(cell))
            command = f"oxo board {spec} --draw --cell {cell}"
            rows.append((spec, kind, cell, lines, len(leaving(game, cell)), command))
    columns = ("board", "kind", "cell", "lines", "directions", "command")
    return Section(
        "Directions of lines",
        "Lines that pass through a cell leave it in two directions, those that end there in one. "
        "The command draws any cell of any board in layers.",
        (Table("directions", "Lines and directions by kind of cell", columns, tuple(rows)),),
        tuple(_picture(spec) for spec in GAMES),
    )


def _shape(game: Game) -> tuple[int, ...]:
    side = round(game.board.cell_count ** (1 / 3))
    return (side, side, side)


def _picture(spec: str) -> Picture:
    name = f"directions-{spec.replace('^', '-')}"
    caption = (
        f"Directions in which lines leave an inner, a face, an edge and a corner cell of {spec}"
    )
    return Picture(name, caption, lambda: directions_figure(Game(spec)))


def directions_figure(game: Game) -> Figure:
    """Draw the four kinds of cells of a cube, with the lines through each."""
    from hyperoxo.lab.plots.style import COLOURS, styled

    with styled():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.2, 2.4), layout="constrained")
        every = np.array(np.unravel_index(np.arange(game.board.cell_count), _shape(game)))
        for place, (kind, cell) in enumerate(typical_cells(game).items(), 1):
            axes = figure.add_subplot(1, 4, place, projection="3d")
            # Drawn in this order, or the cell could lie behind its lines.
            axes.computed_zorder = False
            axes.scatter(*every, s=3, color=COLOURS["grey"], depthshade=False)
            for number in game.board.lines_through(cell).tolist():
                axes.plot(*every[:, game.board.line(number)], color=COLOURS["blue"], linewidth=1)
            axes.scatter(*every[:, [cell]], s=30, color=COLOURS["red"], depthshade=False, zorder=9)
            axes.set_axis_off()
            axes.set_title(f"{kind}: {len(leaving(game, cell))} directions")
    return figure
