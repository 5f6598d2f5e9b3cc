"""The directions in which lines leave a cell, as text."""

from __future__ import annotations

from dataclasses import replace

from hyperoxo.board import Board
from hyperoxo.board.directions import CellClass, Ray, cell_classes, cell_kind, inward, rays

_ARROWS = "↖↑↗←○→↙↓↘"
_LETTERS = "\\^/<o>/v\\"
"""Signs of the steps within a layer, row by row."""


def directions_text(
    board: Board,
    cell: int | None = None,
    *,
    ascii_only: bool = False,
    every: bool = False,
    half: bool = False,
) -> str:
    """Draw the directions as text: a block of three by three for each layer around the cell."""
    blocks, depth = [], len(board.shape or ())
    for one in cells_to_draw(board, cell, every=every, half=half):
        lines = [": ".join(caption(board, one)), *_compasses(one, depth, ascii_only=ascii_only)]
        blocks.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join(blocks)


def _compasses(one: CellClass, depth: int, *, ascii_only: bool) -> list[str]:
    """Return the blocks: layers side by side, a row of them for each step along a fourth axis."""
    steps = {(0,) * (4 - depth) + ray.step for ray in one.rays}
    lines = []
    for first in (-1, 0, 1) if depth > 3 else (0,):
        seconds = (-1, 0, 1) if depth > 2 else (0,)
        if depth > 2:
            heads = [_head(first, second, depth) for second in seconds]
            lines.append("  " + "   ".join(f"{head:<9}" for head in heads))
        for row in (-1, 0, 1) if depth > 1 else (0,):
            cells = [
                " ".join(
                    _sign((first, second, row, column), steps, ascii_only=ascii_only)
                    for column in (-1, 0, 1)
                )
                for second in seconds
            ]
            lines.append("  " + "       ".join(cells))
    return lines


def _head(first: int, second: int, depth: int) -> str:
    signs = {-1: "-1", 0: "0", 1: "+1"}
    return f"layer {signs[second]}" if depth == 3 else f"{signs[first]},{signs[second]}"


def _sign(step: tuple[int, ...], steps: set[tuple[int, ...]], *, ascii_only: bool) -> str:
    sign = (_LETTERS if ascii_only else _ARROWS)[4 + 3 * step[2] + step[3]]
    if not any(step):
        return sign
    if step not in steps:
        return "." if ascii_only else "·"
    # Straight up or down: there is no arrow within a layer for it.
    return ("x" if ascii_only else "×") if step[2:] == (0, 0) else sign


def cells_to_draw(
    board: Board, cell: int | None = None, *, every: bool = False, half: bool = False
) -> tuple[CellClass, ...]:
    """Return the cells of a board to draw: one cell, or one of each class."""
    # With `every` the directions are all that stay on the board, also those that no line takes.
    # With `half` there is one of each two opposite directions, that in which the last coordinate to
    # change grows.
    if cell is None:
        shown = cell_classes(board)
    else:
        found, lines = rays(board, cell), len(board.lines_through(cell))
        shown = (CellClass(cell_kind(board, cell), cell, 1, lines, found),)
    if every:
        shown = tuple(replace(one, rays=_inward(board, one.cell)) for one in shown)
    if half:
        shown = tuple(replace(one, rays=tuple(filter(_grows, one.rays))) for one in shown)
    return shown


def _grows(ray: Ray) -> bool:
    return next(step for step in reversed(ray.step) if step) > 0


def _inward(board: Board, cell: int) -> tuple[Ray, ...]:
    """The directions that stay on the board, each with the cell next to this one."""
    here = board.coordinates(cell)
    return tuple(
        Ray(step, board.cell([x + s for x, s in zip(here, step, strict=True)]))
        for step in inward(board, cell)
    )


def caption(board: Board, one: CellClass) -> tuple[str, str]:
    """Return the two lines of text above a picture."""
    place = ",".join(map(str, board.coordinates(one.cell)))
    lines, ways = one.lines, len(one.rays)
    return (
        f"{one.kind} cell {one.cell} ({place})",
        f"{lines} line{'s' * (lines != 1)}, {ways} direction{'s' * (ways != 1)}",
    )
