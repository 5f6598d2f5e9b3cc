"""Rules: which game is played, and the spelling of game specs."""

from hyperoxo.rules.game import MAX_PLAYERS, Game

__all__ = ["MAX_PLAYERS", "Game"]
