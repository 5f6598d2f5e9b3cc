"""Rules: which game is played, its traits, the spelling of game specs, and how boards lie."""

import hyperoxo.position  # noqa: F401 - games make positions once their module is there
from hyperoxo.rules.game import MAX_PLAYERS, Game
from hyperoxo.rules.plan import Plan, fitted_plan, plan_of
from hyperoxo.rules.traits import CLASSIC, Axis, Requires, Trait

__all__ = [
    "CLASSIC",
    "MAX_PLAYERS",
    "Axis",
    "Game",
    "Plan",
    "Requires",
    "Trait",
    "fitted_plan",
    "plan_of",
]
