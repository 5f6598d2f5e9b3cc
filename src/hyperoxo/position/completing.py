"""Where a player would complete a line: the definition, on positions alone."""

from __future__ import annotations

from functools import lru_cache

from hyperoxo.board import Board
from hyperoxo.position.position import FREE, Position

__all__ = ["completing_cells", "landing_cells", "playable_cells"]


def landing_cells(position: Position) -> tuple[int, ...]:
    """Return the cells a stone may come to lie on, no matter whose turn it is."""
    owners, below = position.owners, position.game.below
    return tuple(
        cell
        for cell, owner in enumerate(owners)
        if owner == FREE and (below is None or below[cell] < 0 or owners[below[cell]] != FREE)
    )


def playable_cells(position: Position, player: int) -> tuple[int, ...]:
    """Return the cells where a player may put the next stone, if nobody takes them first.

    While the opening bears on that stone and another player is to move, these are opening cells
    only: the move between may uncover one.
    """
    if player == position.to_move:
        return position.legal_moves
    game, landing = position.game, landing_cells(position)
    opening = game.opening
    if (
        opening is None
        or player != game.first
        or position.owners.count(player) >= game.opening_moves
    ):
        return landing
    return tuple(cell for cell in landing if cell in opening)


def completing_cells(position: Position, player: int) -> tuple[int, ...]:
    """Return the cells where a player may complete a line with the next stone."""
    playable = set(playable_cells(position, player))
    found = (_missing(position.owners, line, player) for line in _lines_of(position.game.board))
    return tuple(sorted({cell for cell in found if cell in playable}))


def _missing(owners: bytes, line: tuple[int, ...], player: int) -> int | None:
    """Return the free cell of a line whose other cells are all the player's."""
    missing = None
    for cell in line:
        if owners[cell] == player:
            continue
        if missing is not None or owners[cell] != FREE:
            return None
        missing = cell
    return missing


@lru_cache(maxsize=32)
def _lines_of(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return the cells of all lines, as plain numbers."""
    return tuple(tuple(board.line(line).tolist()) for line in range(board.line_count))
