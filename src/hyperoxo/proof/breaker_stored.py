"""Plans of Breaker's that come with the program."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from hyperoxo.proof.breaker import BreakerPlan, read_plan
from hyperoxo.rules import Game

STORED_PLANS = {"7^3": "breaker-7-3.oxo"}
"""Games, in their canonical spelling, and the names of the files."""


@lru_cache(maxsize=8)
def stored_plan(game: Game) -> BreakerPlan | None:
    """Return the stored plan of a game, or None where there is none."""
    name = STORED_PLANS.get(str(game))
    return None if name is None else read_plan((files("hyperoxo") / "data" / name).read_bytes())
