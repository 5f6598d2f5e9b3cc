"""Where a player would complete a line: the definition, on positions alone."""

from __future__ import annotations

import numpy as np

from hyperoxo.position.position import FREE, Position


def playable_cells(position: Position, player: int) -> tuple[int, ...]:
    """Return the cells where a player may put the next stone, unless they are taken first.

    While the opening bears on that stone and another player is to move, these are opening cells
    only: the move between may uncover one.
    """
    if player == position.to_move:
        return position.legal_moves
    game, landing, opening = position.game, position.landing_cells, position.game.opening
    if (
        opening is None
        or player != game.first
        or position.owners.count(player) >= game.opening_moves
    ):
        return landing
    return tuple(cell for cell in landing if cell in opening)


def lacking_cells(position: Position, player: int) -> tuple[int, ...]:
    """Return the cells that would complete a line of a player, playable or not."""
    board = position.game.board
    if not board.line_count or position.owners.count(player) + 1 < board.line_sizes.min():
        return ()
    lines = board.lines
    there = np.frombuffer(position.owners, np.uint8)[lines]
    real = lines >= 0
    own = ((there == player) & real).sum(axis=1)
    near = np.flatnonzero(own == board.line_sizes - 1)
    lacking = there[near] != player
    free = lacking & real[near] & (there[near] == FREE)
    return tuple(sorted({*lines[near][free].tolist()}))


def completing_cells(position: Position, player: int) -> tuple[int, ...]:
    """Return the cells where a player may complete a line with the next stone."""
    lacking = lacking_cells(position, player)
    playable = set(playable_cells(position, player)) if lacking else set()
    return tuple(cell for cell in lacking if cell in playable)
