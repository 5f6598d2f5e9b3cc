"""A strategy as a plain value: what one player does wherever his own play can lead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hyperoxo.errors import SpecError, quoted
from hyperoxo.position import Outcome, Position
from hyperoxo.proof.beginning import BeginsSomewhere
from hyperoxo.rules import Game

__all__ = ["CLAIMS", "Strategy", "holds"]

CLAIMS = ("win", "draw")


@dataclass(frozen=True)
class Strategy(BeginsSomewhere):
    """One player's strategy, and what it is said to force against all others together.

    Attributes
    ----------
    game : Game
        The game.
    seat : int
        The player who follows the strategy, 1..q.
    claim : {"win", "draw"}
        ``"win"``: he wins, whatever the others do. ``"draw"``: nobody wins unless he does, so
        that with two players he does not lose.
    moves : mapping of bytes to int
        Where he plays, by the owners of the position (0 free, 1..q stones, 255 blocked). Each
        position stands in the form that `forms_of` gives it, and the cell is a cell of that
        form. Every position where he is to move and that this strategy can lead to is listed,
        and no other.
    begins : Position or None
        Where the strategy begins; None at the start of the game.

    Raises
    ------
    SpecError
        If there is no such seat or claim, or the position belongs to another game.

    Examples
    --------
    >>> strategy = Strategy(Game("2^2"), 1, "win", {})
    >>> strategy.statement
    'player 1 wins 2^2'
    """

    game: Game
    seat: int
    claim: str
    moves: Mapping[bytes, int]
    begins: Position | None = None

    def __post_init__(self) -> None:
        if self.claim not in CLAIMS:
            raise SpecError(f"a claim is 'win' or 'draw', not {quoted(self.claim)}")
        if not 1 <= self.seat <= self.game.players:
            raise SpecError(f"seat must be 1 to {self.game.players}, not {self.seat}")
        self._check_beginning()

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        does = "wins" if self.claim == "win" else "gets at least a draw in"
        return f"player {self.seat} {does} {self.game}{self._from}"


def holds(claim: str, seat: int, outcome: Outcome) -> bool:
    """Tell whether the end of a game is what a claim promises to a player."""
    return seat in outcome.winners or (claim == "draw" and outcome.draw)
