"""Turns: who starts, and how many cells each player takes before the next one moves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Turns:
    """The order of play: a cycle of players, which begins with the first player."""

    first: int
    bias: tuple[int, ...]

    @cached_property
    def cycle(self) -> tuple[int, ...]:
        """Movers of the first round, one entry a cell."""
        players = len(self.bias)
        seats = [(self.first - 1 + i) % players for i in range(players)]
        return tuple(seat + 1 for seat in seats for _ in range(self.bias[seat]))

    @property
    def alternate(self) -> bool:
        """Whether all players take one cell a turn."""
        return max(self.bias) == 1

    def left(self, ply: int) -> int:
        """Cells that the player who takes cell number `ply` still takes in that turn."""
        rest = self.cycle[ply % len(self.cycle) :]
        return rest.count(rest[0])

    def mover(self, ply: int) -> int:
        """Player who takes cell number `ply`, counted from 0."""
        return self.cycle[ply % len(self.cycle)]

    def made(self, player: int, ply: int) -> int:
        """Cells that a player has taken before cell number `ply`."""
        rounds, rest = divmod(ply, len(self.cycle))
        return rounds * self.bias[player - 1] + self.cycle[:rest].count(player)

    def ply_of(self, moves: int) -> int:
        """Number of the cell that the first player takes after `moves` of their own."""
        rounds, rest = divmod(moves, self.bias[self.first - 1])
        return rounds * len(self.cycle) + rest
