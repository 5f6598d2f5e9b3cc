"""Quiet moves: those that neither win, nor block a three, nor make a three.

A *three* is a line on which all cells but one hold stones of one player and that one is free;
on 4^3 it has three stones. A quiet move leaves the other side free to answer anywhere, which is
what makes a proof large: its *quiet depth* is the most quiet moves of the attacker on a path.
Under gravity a three counts while its free cell can be played, as everywhere with threats.
"""

from __future__ import annotations

from hyperoxo.position import FREE, Position, completing_cells
from hyperoxo.solvers.threats.search import THREATS

__all__ = ["is_quiet", "quiet_moves"]


def is_quiet(position: Position, cell: int) -> bool:
    """Whether a move neither wins, nor blocks a three, nor makes a three.

    Parameters
    ----------
    position : Position
        A position of a game for two that one line wins in normal play.
    cell : int
        A legal move of the player to move.

    Returns
    -------
    bool
        Whether the move is quiet.

    Raises
    ------
    IllegalMoveError
        If the move is not legal.
    NotSupportedError
        If the game has no threats of this kind.

    Examples
    --------
    >>> from hyperoxo.rules import Game
    >>> position = Game("4^3").position("moves:0,3,60,21")
    >>> is_quiet(position, 15)
    True
    >>> is_quiet(position.play(12).play(51), 4)  # three of 0-4-8-12
    False
    """
    THREATS.check(position.game)
    after = position.play(cell)
    mover = position.to_move
    return (
        not after.lines_owned[mover - 1]
        and cell not in completing_cells(position, 3 - mover)
        and not _makes_three(position, after, cell, mover)
    )


def quiet_moves(position: Position) -> tuple[int, ...]:
    """Return the legal moves that are quiet.

    Parameters
    ----------
    position : Position
        As for `is_quiet`.

    Returns
    -------
    tuple of int
        Cells, ascending; none when the game is over.

    Raises
    ------
    NotSupportedError
        If the game has no threats of this kind.

    Examples
    --------
    >>> from hyperoxo.rules import Game
    >>> quiet_moves(Game("3^2").position("moves:0,5"))
    (7,)
    """
    return tuple(cell for cell in position.legal_moves if is_quiet(position, cell))


def _makes_three(position: Position, after: Position, cell: int, mover: int) -> bool:
    """Whether a stone gives its owner a three, or lets him play the free cell of one."""
    playable = completing_cells(after, mover)
    if set(playable) - set(completing_cells(position, mover)):
        return True
    board, owners = position.game.board, after.owners
    for line in board.lines_through(cell):
        free = [int(other) for other in board.line(line) if owners[other] == FREE]
        stones = sum(owners[other] == mover for other in board.line(line))
        if len(free) == 1 and stones == len(board.line(line)) - 1 and free[0] in playable:
            return True
    return False
