"""What solving a position gives: its value, that of its moves, and the evidence."""

from __future__ import annotations

from dataclasses import dataclass

from hyperoxo.position import Position
from hyperoxo.proof import Proof
from hyperoxo.rules import Game

__all__ = ["MoveValue", "Solution"]


@dataclass(frozen=True)
class MoveValue:
    """What one legal move is worth to the player who makes it.

    Attributes
    ----------
    cell : int
        The move.
    value : str
        ``"win"``, ``"draw"``, ``"loss"`` (``"nothing"`` with three or more players), or
        ``"unknown"``.
    remoteness : int or None
        Plies of the game under best play, this move included, where established.
    bounds : tuple of str
        Lowest and highest value that is possible.
    """

    cell: int
    value: str
    remoteness: int | None
    bounds: tuple[str, str]


@dataclass(frozen=True)
class Solution:
    """The value of a position as far as it was established.

    Attributes
    ----------
    game : Game
        The game.
    position : Position
        The position solved.
    player : int
        The player to move.
    value : str
        For the player to move ``"win"``, ``"draw"`` or ``"loss"``; with three or more players
        what he can force against all others together: ``"win"``, ``"draw"`` or
        ``"nothing"``; ``"unknown"`` where it was not decided.
    winner : int or None
        Who wins under best play, 0 where no win is forced; None where not decided.
    remoteness : int or None
        Plies until the end under best play: who wins shortens the game, who loses
        prolongs it, and draws run to the full board. None where not established.
    moves : tuple of MoveValue
        Every legal move, ascending.
    bounds : tuple of str
        Lowest and highest value that is possible.
    evidence : tuple of str
        Each theorem and search used, a sentence each.
    nodes : int
        Positions visited.
    seconds : float
        Time taken.
    strategy : Proof or None
        What proves the value, if it was asked for: a strategy, a pairing, mirroring, or
        the replies of all the others.
    proof : str or None
        File that it was written to.
    complete : bool
        False where an interrupt or a limit ended the search.
    interrupted : bool
        Whether it was an interrupt.
    """

    game: Game
    position: Position
    player: int
    value: str
    winner: int | None
    remoteness: int | None
    moves: tuple[MoveValue, ...]
    bounds: tuple[str, str]
    evidence: tuple[str, ...]
    nodes: int
    seconds: float
    strategy: Proof | None = None
    proof: str | None = None
    complete: bool = True
    interrupted: bool = False
