"""How a game ended, as data."""

from __future__ import annotations

from dataclasses import dataclass

from hyperoxo.rules.conventions import DRAWN


@dataclass(frozen=True)
class Outcome:
    """Result of a finished game.

    Attributes
    ----------
    winner : int or None
        The one player who won; None in a draw, and when several share the win
        because one player lost (misère with three or more players).
    loser : int or None
        The one player who lost against all others: in misère play the player who
        reached the target, and with two players the opponent of the winner.
    winners : tuple of int
        All players who won, ascending; empty in a draw.

    Examples
    --------
    >>> Outcome(winner=1, loser=2, winners=(1,)).result
    '1'
    >>> Outcome(winner=None, loser=2, winners=(1, 3)).result
    '1+3'
    >>> Outcome(winner=None, loser=None, winners=()).result
    '='
    """

    winner: int | None
    loser: int | None
    winners: tuple[int, ...]

    @property
    def draw(self) -> bool:
        """Whether nobody won."""
        return not self.winners

    @property
    def result(self) -> str:
        """Players who won joined by ``+``, or ``=`` for a draw."""
        return "+".join(map(str, self.winners)) or "="

    @classmethod
    def of(cls, result: int, players: int) -> Outcome | None:
        """Outcome that a convention's result stands for; see `Convention.result`."""
        if result == 0:
            return None
        if result == DRAWN:
            return cls(None, None, ())
        player = abs(result)
        others = tuple(other for other in range(1, players + 1) if other != player)
        opponent = others[0] if players == 2 else None
        return cls(player, opponent, (player,)) if result > 0 else cls(opponent, player, others)
