"""Rewards of a game's end."""

from __future__ import annotations

import numpy as np
import pytest

from hyperoxo.adapters.rewards import rewards_of
from hyperoxo.game import Outcome


@pytest.mark.parametrize(
    ("outcome", "players", "rewards"),
    [
        (None, 3, [0, 0, 0]),
        (Outcome(None, None, ()), 3, [0, 0, 0]),
        (Outcome(2, 1, (2,)), 2, [-1, 1]),
        (Outcome(2, None, (2,)), 3, [-0.5, 1, -0.5]),
        (Outcome(None, 3, (1, 2, 4)), 4, [1 / 3, 1 / 3, -1, 1 / 3]),
    ],
)
def test_winners_share_what_the_others_lose(
    outcome: Outcome | None, players: int, rewards: list[float]
) -> None:
    found = rewards_of(outcome, players)
    assert found.dtype == np.float32
    assert found == pytest.approx(rewards)
