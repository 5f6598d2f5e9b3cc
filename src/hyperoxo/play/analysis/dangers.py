"""Cells where a player would complete a line with one stone."""

from __future__ import annotations

import numpy as np

from hyperoxo.play.analysis.findings import PlayerThreats
from hyperoxo.position import FREE, Position, playable_cells

__all__ = ["completing_cells", "threats_of"]


def completing_cells(position: Position, player: int) -> tuple[int, ...]:
    """Return the free cells where a stone of `player` would complete a line, ascending."""
    board = position.game.board
    if not board.line_count:
        return ()
    owners = np.frombuffer(position.owners, np.uint8)
    lines = board.lines
    real = lines >= 0
    there = owners[lines]
    own = ((there == player) & real).sum(axis=1)
    free = (there == FREE) & real
    ready = (own == board.line_sizes - 1) & (free.sum(axis=1) == 1)
    return tuple(np.unique(lines[ready][free[ready]]).tolist())


def threats_of(position: Position) -> tuple[PlayerThreats, ...]:
    """Return where each player would complete a line; nothing when the game is over."""
    if position.is_over:
        return ()
    found = []
    for player in range(1, position.game.players + 1):
        cells = completing_cells(position, player)
        playable = set(playable_cells(position, player)) if cells else set()
        now = tuple(cell for cell in cells if cell in playable)
        later = tuple(cell for cell in cells if cell not in playable)
        found.append(PlayerThreats(player, now, later))
    return tuple(found)
