"""What players get at the end of a game: always zero in all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hyperoxo.game import Outcome

__all__ = ["rewards_of"]


def rewards_of(
    outcome: Outcome | None, players: int, dtype: DTypeLike = np.float32
) -> NDArray[np.floating[Any]]:
    """Return the reward of each player, ``[q]``: winners share 1, the others lose 1.

    All zero in a draw, and while the game goes on (`outcome` None).
    """
    rewards = np.zeros(players, dtype=dtype)
    if outcome is not None and outcome.winners:
        won = np.array(outcome.winners) - 1
        rewards[:] = -1.0 / (players - len(won))
        rewards[won] = 1.0 / len(won)
    return rewards
