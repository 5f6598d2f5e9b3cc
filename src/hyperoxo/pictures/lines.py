"""Full lines as strokes through the middles of their cells."""

from __future__ import annotations

from itertools import pairwise

from hyperoxo.game import Game, Layout, Position, cells_of_lines

Path = tuple[tuple[float, float], ...]
"""Points that a stroke goes through, in the units of a plan."""

STROKE, CORE = 0.16, 0.05
"""Widths of a stroke and of the light line inside it, in cells."""

NARROWEST = 16
"""Cells of fewer points leave no room for names."""

_BOW, _BENDS = 0.12, 8


def winning_cells(position: Position) -> frozenset[int]:
    """Return the cells of the lines that ended a game."""
    return cells_of_lines(position, position.winning_lines)


def full_lines(position: Position, plan: Layout) -> list[tuple[int, list[Path]]]:
    """Return the lines that ended a game, each with its owner and its strokes."""
    board = position.game.board
    found = []
    for line in position.winning_lines:
        cells = [int(cell) for cell in board.line(line)]
        steps = [pair for pair in pairwise(cells) if _near(position.game, *pair)]
        found.append((position.owners[cells[0]], [_step(plan, a, b) for a, b in steps]))
    return found


def _near(game: Game, first: int, second: int) -> bool:
    """True if a step stays on the board; those over an edge are left out."""
    board = game.board
    if board.shape is None or not game.wrap:
        return True
    pairs = zip(board.coordinates(first), board.coordinates(second), strict=True)
    return all(abs(a - b) < 2 for a, b in pairs)


def _step(plan: Layout, first: int, second: int) -> Path:
    """Return the stroke between two cells: straight to a neighbour, else a little bent."""
    (ax, ay), (bx, by) = ((x + 0.5, y + 0.5) for x, y in (plan.corners[c] for c in (first, second)))
    across, down = bx - ax, by - ay
    if max(abs(across), abs(down)) < 1.01:
        return ((ax, ay), (bx, by))
    mx, my = (ax + bx) / 2 - down * _BOW, (ay + by) / 2 + across * _BOW
    return tuple(
        (
            (1 - t) ** 2 * ax + 2 * t * (1 - t) * mx + t**2 * bx,
            (1 - t) ** 2 * ay + 2 * t * (1 - t) * my + t**2 * by,
        )
        for t in (bend / _BENDS for bend in range(_BENDS + 1))
    )
