"""Sections on the board: directions of lines, cells at its ends, and cells beside lines."""

from __future__ import annotations

from collections.abc import Iterator

from hyperoxo.board.directions import cell_classes, inward, limit_cells
from hyperoxo.game import Game
from hyperoxo.proof.cubes import cube_lines
from hyperoxo_research.study.parts import Finding, Picture, Section, Table, compared, exact

GAMES = ("3^2", "3^3", "4^3", "3^4")

_CUTS = (("inner", 26, 0), ("face", 17, 1), ("edge", 11, 3), ("corner", 7, 7))
"""Arrows of the published pictures of a cube of side 3, and directions with a line ahead."""


def directions() -> Section:
    """Return the section on directions."""
    rows = []
    for spec in GAMES:
        game = Game(spec)
        for one in cell_classes(game.board):
            command = f"oxo board {spec} --draw --cell {one.cell}"
            counts = (len(one.rays), len(inward(game.board, one.cell)))
            ahead = len(inward(game.board, one.cell, game.board.side or 1))
            rows.append((spec, one.kind, one.cell, one.cells, one.lines, *counts, ahead, command))
    columns = (
        "board", "kind", "cell", "such cells", "lines", "directions", "directions on the board",
        "directions with a line ahead", "command",
    )  # fmt: skip
    return Section(
        "Directions of lines",
        "The published program gives every cell the directions of {-1, 0, 1}^d and cuts off those "
        "that lead out of the board (“hair cuts”). Its four pictures are of a cell inside a cube "
        "with all 26 directions, and of a corner, an edge and a face cell with what is left. Here "
        "only directions that lines take are drawn: a line leaves a cell in two directions, or "
        "in one where it ends there. So an inner cell of 3^3 has all 26, one of 4^3 only 14. An "
        "edge cell keeps 5 and a face cell 9 directions of lines on 3^3, where the cuts leave 11 "
        "and 17, most of which no line of full length takes. Its energy takes the directions "
        "with a whole line ahead only."
        "\n\n"
        "A limit number of an axis is the number of a cell at either end of that axis. The axis "
        "x0 of the report is the last digit of a cell number in base n, here the last coordinate.",
        Table("directions", "Lines and directions by class of cells", columns, tuple(rows)),
        compared("hair-cuts", "The published pictures and tables", list(_cuts())),
        *(_picture(spec) for spec in GAMES),
    )


def _cuts() -> Iterator[Finding]:
    cube = Game("3^3").board
    cells = {one.kind: one.cell for one in cell_classes(cube)}
    for kind, cut, _ in _CUTS:
        yield exact(
            f"3^3: directions on the board from a cell of kind {kind}", cut,
            len(inward(cube, cells[kind])), command=f"oxo board 3^3 --draw --cell {cells[kind]}",
            where="2.2.1, Figure 5, arrows counted",
        )  # fmt: skip
    for kind, published in (("face", 1), ("inner", 0)):
        quantity = f"3^3: directions with three cells from a cell of kind {kind}"
        ours = len(inward(cube, cells[kind], 3))
        yield exact(quantity, published, ours, where="4.4, footnote 3")
    for axis, printed in ((0, "0, 2, 3, 5, 6, 8"), (1, "0, 1, 2, 6, 7, 8")):
        yield exact(
            f"3^2: limit numbers for x{axis}", printed,
            ", ".join(map(str, limit_cells(Game("3^2").board, 1 - axis))),
            remark="" if axis else "Captioned x1, but the numbers are those of x0.",
            where=f"2.2.1, table {axis + 1}",
        )  # fmt: skip


def _picture(spec: str) -> Picture:
    from hyperoxo_research.plots.directions import directions_svg

    return Picture(
        f"directions-{spec.replace('^', '-')}",
        f"Directions in which lines leave the cells of {spec}: oxo board {spec} --draw --out FILE",
        lambda: directions_svg(Game(spec).board),
    )


def cells_to_lines() -> Section:
    """Return the section on the ratio of cells and lines."""
    rows = []
    for dim in range(2, 6):
        for side in range(2, 8):
            lines = cube_lines(side, dim)
            rows.append((f"{side}^{dim}", side**dim, lines, side**dim / lines))
    within = sum(1 <= row[-1] <= 2 for row in rows)
    finding = Finding(
        "boards of sides 2 to 7 and dimensions 2 to 5 whose ratio is 1 to 2", "usually",
        f"{within} of {len(rows)}", len(rows), None, 2 * within > len(rows),
        "oxo board 4^3", "Below 1 wherever the side is small for the dimension.", "5",
    )  # fmt: skip
    columns = ("board", "cells", "lines", "cells / lines")
    return Section(
        "Cells and lines",
        "The report takes playing at random for almost effective where there are few cells for "
        "each line, and says that at small sizes the ratio of cells to lines, "
        "2 / ((1 + 2/n)^d - 1), is usually between 1 and 2.",
        compared("cells-lines-said", "What the report says of the ratio", [finding]),
        Table("cells-lines", "Cells and lines by board", columns, tuple(rows)),
    )
