"""How much each level sees, by kind of game: settings found by measurement.

A figure that is changed here is measured again: ``oxo study ladder --levels --out levels.json``;
the result comes with the research, and a test compares its settings with these.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

from hyperoxo.game import Game

_TINY = 36
_SHORT = 3


@dataclass(frozen=True)
class Skill:
    """What an opponent for people sees.

    Attributes
    ----------
    sight : float
        Chance to see that a line along an axis lacks one stone; its square on diagonals of a plane,
        its cube on those of space. Own lines are seen more often: it is the root of these.
    attention : float
        Chance that a free cell is looked at.
    simulations : int
        Size of the guided tree that judges the cells; 0 leaves that to their lines.
    """

    sight: float
    attention: float
    simulations: int = 0

    @property
    def figures(self) -> tuple[float, float, int]:
        """Sight, attention and simulations, as data."""
        sight, attention, simulations = astuple(self)
        return sight, attention, simulations


def _row(*skills: tuple[float, float] | tuple[float, float, int]) -> tuple[Skill, ...]:
    return tuple(Skill(*figures) for figures in skills)


SKILLS: dict[str, tuple[Skill, ...]] = {
    "race": _row(
        (0.04, 0.015),
        (0.072, 0.035),
        (0.105, 0.055),
        (0.155, 0.088),
        (0.215, 0.13),
        (0.33, 0.2),
        (0.8, 0.48),
    ),
    "several": _row(
        (0.05, 0.02),
        (0.1, 0.05),
        (0.16, 0.09),
        (0.25, 0.15),
        (0.34, 0.21),
        (0.58, 0.36),
        (0.8, 0.48),
    ),
    "gravity": _row(
        (0.13, 0.08),
        (0.27, 0.165),
        (0.49, 0.3),
        (0.71, 0.45),
        (0.9, 0.46, 40),
        (1.0, 0.6, 100),
        (1.0, 0.88, 100),
    ),
    "misere": _row(
        (0.28, 0.17),
        (0.38, 0.24),
        (0.53, 0.33),
        (0.68, 0.43),
        (1.0, 0.46, 100),
        (1.0, 0.63, 100),
        (1.0, 0.81, 100),
    ),
    "tiny": _row(
        (0.16, 0.1),
        (0.38, 0.24),
        (0.55, 0.35),
        (0.69, 0.44),
        (0.82, 0.54),
        (0.89, 0.6),
        (0.96, 0.7),
    ),
    "wide": _row(
        (0.28, 0.17),
        (0.36, 0.22),
        (0.46, 0.29),
        (0.56, 0.35),
        (0.69, 0.43),
        (0.8, 0.48),
        (0.9, 0.46, 100),
    ),
    "short": _row(
        (0.05, 0.02),
        (0.1, 0.05),
        (0.17, 0.1),
        (0.28, 0.17),
        (0.45, 0.28),
        (0.66, 0.42),
        (1.0, 0.67, 100),
    ),
    "large": _row(
        (0.13, 0.08),
        (0.215, 0.135),
        (0.37, 0.23),
        (0.58, 0.36),
        (0.82, 0.51),
        (1.0, 0.68, 100),
        (1.0, 0.97, 100),
    ),
}
"""Settings of levels 1 to 7 by kind of game; level 8 is the expert."""


def kind_of(game: Game) -> str:
    """Return which row of the settings holds for a game."""
    if game.target > 1:
        return "race"
    if game.players > 2:
        return "several"
    if game.gravity is not None:
        return "gravity"
    if not game.convention.reaching_wins:
        return "misere"
    if game.board.line_count < game.cells:
        return "tiny" if game.cells <= _TINY else "wide"
    return "short" if game.board.line_sizes.max(initial=0) <= _SHORT else "large"


def skill_of(game: Game, number: int) -> Skill | None:
    """Return how a level plays a game; None for the one above all settings."""
    row = SKILLS[kind_of(game)]
    return row[number - 1] if number <= len(row) else None
