"""The directions in which lines leave an inner, a face, an edge and a corner cell."""

from __future__ import annotations

from hyperoxo.board.directions import cell_classes
from hyperoxo.lab.study.parts import Picture, Section, Table
from hyperoxo.rules import Game

__all__ = ["directions"]

GAMES = ("3^2", "3^3", "4^3", "3^4")


def directions() -> Section:
    """Return the section."""
    rows = []
    for spec in GAMES:
        for one in cell_classes(Game(spec).board):
            command = f"oxo board {spec} --draw --cell {one.cell}"
            rows.append((spec, one.kind, one.cell, one.cells, one.lines, len(one.rays), command))
    columns = ("board", "kind", "cell", "such cells", "lines", "directions", "command")
    return Section(
        "Directions of lines",
        "The published program gives every cell the directions of {-1, 0, 1}^d and cuts off those "
        "that lead out of the board (“hair cuts”). Its four pictures are of a cell inside a cube "
        "with all 26 directions, and of a corner, an edge and a face cell with what is left. Here "
        "only directions that lines take are drawn: a line leaves a cell in two directions, or "
        "in one where it ends there. So an inner cell of 3^3 has all 26, one of 4^3 only 14. An "
        "edge cell keeps 5 and a face cell 9 directions of lines on 3^3, where the cuts leave 11 "
        "and 17, most of which no line of full length takes.",
        (Table("directions", "Lines and directions by class of cells", columns, tuple(rows)),),
        tuple(_picture(spec) for spec in GAMES),
    )


def _picture(spec: str) -> Picture:
    from hyperoxo.lab.plots import directions_figure

    return Picture(
        f"directions-{spec.replace('^', '-')}",
        f"Directions in which lines leave the cells of {spec}: oxo board {spec} --draw --out FILE",
        lambda: directions_figure(Game(spec).board),
    )
