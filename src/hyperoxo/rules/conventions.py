"""Conventions of play: what a player who reaches the target does, and what a full board does."""

from __future__ import annotations

from dataclasses import dataclass

from hyperoxo.rules.traits import Trait

MOST, FEWEST = 0, -1
"""Who wins on a full board: most lines, or fewest; any other number is the player."""

DRAWN = 99
"""The result of a drawn game."""


@dataclass(frozen=True)
class Convention:
    """Who wins, as data that positions and compiled loops read alike."""

    name: str
    trait: Trait
    maker_only: bool
    reaching_wins: bool
    full_board: int
    rules: str

    def counts(self, player: int) -> bool:
        """Whether lines of a player count."""
        return player == 1 or not self.maker_only

    def result(self, scores: tuple[int, ...], target: int, *, full: bool) -> int:
        """Return p where player p wins alone, -p where they lose alone, DRAWN, or 0.

        `scores` are the full lines of each player, and `full` says that no cell is left.
        """
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
