"""Counts of games."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Tally"]


@dataclass(frozen=True)
class Tally:
    """What a number of games came to; tallies of different games are added."""

    games: int
    wins: tuple[int, ...]
    draws: int
    plies: int
    seconds: float = 0.0

    @staticmethod
    def none(players: int) -> Tally:
        """Return the tally of no games."""
        return Tally(0, (0,) * players, 0, 0)

    def __add__(self, other: Tally) -> Tally:
        """Count the games of both."""
        return Tally(
            self.games + other.games,
            tuple(a + b for a, b in zip(self.wins, other.wins, strict=True)),
            self.draws + other.draws,
            self.plies + other.plies,
            self.seconds + other.seconds,
        )

    def losses(self, seat: int) -> int:
        """Games that seat `seat` (from 1) neither won nor drew."""
        return self.games - self.draws - self.wins[seat - 1]

    def score(self, seat: int) -> float:
        """Share of the points of seat `seat` (from 1), a draw counting half; 0 without games."""
        if not self.games:
            return 0.0
        return (self.wins[seat - 1] + self.draws / 2) / self.games
