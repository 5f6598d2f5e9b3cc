"""MaskablePPO of sb3-contrib, which plays itself in all seats of a game."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperoxo.adapters.running import Running
from hyperoxo.agents import Agent
from hyperoxo.agents.base import Randomness
from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game, Position


class PpoAgent(Agent):
    """Plays the move of a policy that learns: the likeliest one, or one drawn by its chances."""

    name = "maskable-ppo"

    def __init__(self, model: Any = None, *, drawn: bool = False) -> None:
        self.model, self.drawn = model, drawn

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a move."""
        return int(self.choose_many([position], rng)[0])

    def choose_many(
        self, positions: Sequence[Position], rng: Randomness = None
    ) -> NDArray[np.int32]:
        """Choose a move in each position, all of them by one call of the policy."""
        seen = [Running(position).observe(position.to_move - 1) for position in positions]
        stones, masks = (np.array(part) for part in zip(*seen, strict=True))
        given = {"observation": stones, "action_mask": masks}
        chosen, _ = self.model.predict(given, action_masks=masks, deterministic=not self.drawn)
        return np.asarray(chosen, dtype=np.int32)


class PpoLearner:
    """Learns by proximal policy optimisation, with the usual settings of its library."""

    name: ClassVar[str] = PpoAgent.name
    steps: ClassVar[int] = 10**9

    def __init__(self, game: Game, seed: int, plies: int = 512) -> None:
        try:
            library, torch = map(importlib.import_module, ("sb3_contrib", "torch"))
        except ImportError:
            needed = f"{self.name} needs sb3-contrib: pip install sb3-contrib"
            raise CheckFailedError(needed) from None
        from hyperoxo.adapters.gymnasium import SeatEnv

        torch.set_num_threads(1)
        self.options = {"plies": plies}
        self.step = 0
        other = PpoAgent(drawn=True)
        env = SeatEnv(game, opponent=other, seat=None)
        self._plies = plies
        self._model = library.MaskablePPO("MultiInputPolicy", env, n_steps=plies, seed=seed)
        other.model = self._model

    def advance(self) -> None:
        """Play some plies, and learn from them."""
        self._model.learn(self._plies, reset_num_timesteps=not self.step)
        self.step += 1

    def agent(self) -> Agent:
        """Return the player as it is now."""
        return PpoAgent(self._model)
