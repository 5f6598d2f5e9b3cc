"""The directions in which lines leave a cell, drawn in plain text."""

from __future__ import annotations

from hyperoxo.board import Board
from hyperoxo.board.directions import CellClass
from hyperoxo.lab.plots.directions import caption, shown_cells

__all__ = ["directions_text"]

_ARROWS: dict[tuple[int, ...], str] = {
    (-1, -1): "↖", (-1, 0): "↑", (-1, 1): "↗", (0, -1): "←", (0, 0): "○", (0, 1): "→",
    (1, -1): "↙", (1, 0): "↓", (1, 1): "↘",
}  # fmt: skip
_LETTERS: dict[tuple[int, ...], str] = {
    (-1, -1): "\\", (-1, 0): "^", (-1, 1): "/", (0, -1): "<", (0, 0): "o", (0, 1): ">",
    (1, -1): "/", (1, 0): "v", (1, 1): "\\",
}  # fmt: skip


def directions_text(board: Board, cell: int | None = None, *, ascii_only: bool = False) -> str:
    """Draw the directions as text: a block of three by three for each layer around the cell.

    Parameters
    ----------
    board : Board
        A board of one to four dimensions with coordinates.
    cell : int, optional
        A cell; by default one of each class.
    ascii_only : bool
        Without arrows.

    Returns
    -------
    str
        Lines of text; ``○`` and, off the middle, ``×`` stand for steps that change no row or
        column within the layer.

    Raises
    ------
    SpecError
        If the board has no coordinates, more than four axes, or no such cell.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> print(directions_text(ox.hypercube(3, 2), 0))
    corner cell 0 (0,0): 3 lines, 3 directions
      · · ·
      · ○ →
      · ↓ ↘
    """
    blocks = []
    for one in shown_cells(board, cell):
        first, second = caption(board, one)
        lines = [
            f"{first}: {second}",
            *_compasses(one, len(board.shape or ()), ascii_only=ascii_only),
        ]
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
    signs = _LETTERS if ascii_only else _ARROWS
    if not any(step):
        return signs[0, 0]
    if step not in steps:
        return "." if ascii_only else "·"
    # Straight up or down: there is no arrow within a layer for it.
    return ("x" if ascii_only else "×") if step[2:] == (0, 0) else signs[step[2:]]
