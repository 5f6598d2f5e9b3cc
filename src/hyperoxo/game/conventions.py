"""Conventions of play: effect of the target and of a full board, and the order of turns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from hyperoxo.game.traits import Trait

MOST, FEWEST = 0, -1
"""The winner on a full board: the most lines or the fewest; any other number is the player."""

DRAWN = 99
"""The result of a drawn game."""


@dataclass(frozen=True)
class Convention:
    """Rules of winning as data, shared by positions and compiled loops."""

    name: str
    trait: Trait
    maker_only: bool
    reaching_wins: bool
    full_board: int
    rules: str

    def counts(self, player: int) -> bool:
        """Return True if lines of a player count."""
        return player == 1 or not self.maker_only

    def result(self, scores: tuple[int, ...], target: int, *, full: bool) -> int:
        """Return p if player p wins alone, -p if they lose alone, DRAWN, or 0 if it goes on.

        `scores` are the full lines of each player; `full` means that no cell is left.
        """
        # At most one player has reached it: a stone completes lines of its own player alone.
        for player, score in enumerate(scores[:1] if self.maker_only else scores, start=1):
            if score >= target:
                return player if self.reaching_wins else -player
        if not full:
            return 0
        if self.full_board > 0:
            return self.full_board
        best = min(scores) if self.full_board == FEWEST else max(scores)
        return DRAWN if scores.count(best) > 1 else scores.index(best) + 1


STRONG = Convention("strong", Trait.STRONG, False, True, MOST, "")
MISERE = Convention("misere", Trait.MISERE, False, False, FEWEST, "")

CONVENTIONS = {
    one.name: one
    for one in (
        Convention(
            "maker-breaker",
            Trait.MAKER_BREAKER,
            maker_only=True,
            reaching_wins=True,
            full_board=2,
            rules="Player 1, the Maker, wins with {lines}; player 2, the Breaker, otherwise.",
        ),
        Convention(
            "avoider-enforcer",
            Trait.AVOIDER_ENFORCER,
            maker_only=True,
            reaching_wins=False,
            full_board=1,
            rules="Player 1, the Avoider, loses with {lines}; player 2, the Enforcer, otherwise.",
        ),
    )
}
"""Conventions that ``convention=`` names; a new one is an entry here and its trait."""


@dataclass(frozen=True)
class Turns:
    """The order of play: a periodic sequence of players, beginning with the first.

    The first turn lacks `short` cells: play begins that far in the cycle.
    """

    first: int
    bias: tuple[int, ...]
    short: int = 0

    @cached_property
    def cycle(self) -> tuple[int, ...]:
        """Movers of the plies of one period, from the first ply."""
        return self._round[self.short :] + self._round[: self.short]

    @cached_property
    def _round(self) -> tuple[int, ...]:
        """Movers of a whole round, one entry per cell."""
        # Ply p of the game is place p + short of the sequence that repeats this round; functions
        # below count places, and take the lacking cells of the first player off again.
        players = len(self.bias)
        seats = [(self.first - 1 + i) % players for i in range(players)]
        return tuple(seat + 1 for seat in seats for _ in range(self.bias[seat]))

    @property
    def alternate(self) -> bool:
        """True if all players take one cell a turn."""
        return max(self.bias) == 1

    def left(self, ply: int) -> int:
        """Cells that the player who takes cell number `ply` still takes in that turn."""
        # A player has one block of cells in a round, so the rest of it is all that `count` finds.
        rest = self._round[(ply + self.short) % len(self._round) :]
        return rest.count(rest[0])

    def mover(self, ply: int) -> int:
        """Player who takes cell number `ply`, counted from 0."""
        return self.cycle[ply % len(self.cycle)]

    def made(self, player: int, ply: int) -> int:
        """Cells that a player has taken before cell number `ply`."""
        rounds, rest = divmod(ply + self.short, len(self._round))
        lacking = self.short if player == self.first else 0
        return rounds * self.bias[player - 1] + self._round[:rest].count(player) - lacking

    def ply_of(self, moves: int) -> int:
        """Number of the cell that the first player takes after `moves` of their own."""
        rounds, rest = divmod(moves + self.short, self.bias[self.first - 1])
        return rounds * len(self._round) + rest - self.short
