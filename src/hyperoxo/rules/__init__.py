"""Rules: which game is played, its traits, and the spelling of game specs."""

from hyperoxo.rules.game import MAX_PLAYERS, Game
from hyperoxo.rules.traits import CLASSIC, Axis, Requires, Trait

__all__ = ["CLASSIC", "MAX_PLAYERS", "Axis", "Game", "Requires", "Trait"]
