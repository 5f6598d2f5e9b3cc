"""Key plans that come with the program, all of player 2 from the empty board."""

from __future__ import annotations

from functools import lru_cache

from hyperoxo.game import Game
from hyperoxo.proof.stored import stored_file
from hyperoxo_research.proof.keyplan.file import plan_without_states, read_plan
from hyperoxo_research.proof.keyplan.plan import KeyPlan

STORED_PLANS = {"6^3": "breaker-6-3.oxo.xz", "7^3": "breaker-7-3.oxo"}
"""Games, in their canonical spelling, and the names of the files, of which some are packed."""
PACKED_PLANS = frozenset(spec for spec, name in STORED_PLANS.items() if name.endswith(".xz"))
"""Games whose plans are large, and take long to check."""

_HEAD = 1 << 16


def stored_plan_file(game: Game, most: int = -1) -> bytes | None:
    """Return the plan file of a game, or its first bytes; None where there is none."""
    name = STORED_PLANS.get(str(game))
    return None if name is None else stored_file(name, most, "hyperoxo_research")


@lru_cache(maxsize=8)
def stored_plan(game: Game) -> KeyPlan | None:
    """Return the stored plan of a game, or None where there is none."""
    data = stored_plan_file(game)
    return None if data is None else read_plan(data)


@lru_cache(maxsize=8)
def stored_claim(game: Game) -> KeyPlan | None:
    """Return the stored plan of a game without its states; None where there is none."""
    head = stored_plan_file(game, _HEAD)
    return None if head is None else plan_without_states(head)
