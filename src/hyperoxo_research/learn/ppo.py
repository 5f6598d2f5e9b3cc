"""MaskablePPO of sb3-contrib, which plays itself in all seats of a game."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperoxo.adapters.running import Running
from hyperoxo.agents import Agent
from hyperoxo.agents.base import Randomness
from hyperoxo.agents.network import file_of, tensors_of
from hyperoxo.agents.options import int_option
from hyperoxo.errors import CheckFailedError, SpecError, quoted
from hyperoxo.game import Game, Position
from hyperoxo.learn.truth import Exam, quick_exam
from hyperoxo.untrusted import parse_json

_FORMAT = "hyperoxo ppo 1"
_BATCH = 64


class PpoAgent(Agent):
    """Plays the move of a policy that learns: the likeliest one, or one drawn by its chances."""

    name = "ppo"

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

    suffixes: ClassVar[tuple[str, ...]] = (".safetensors",)
    known: ClassVar[tuple[str, ...]] = ("steps", "plies")

    def __init__(
        self, game: Game, seed: int, steps: int | str = 200, plies: int | str = 512
    ) -> None:
        try:
            library, self._torch = map(importlib.import_module, ("sb3_contrib", "torch"))
        except ImportError:
            needed = "ppo needs sb3-contrib: pip install sb3-contrib"
            raise CheckFailedError(needed) from None
        from hyperoxo.adapters.gymnasium import SeatEnv

        # Several threads add floats in changing orders, and a run would not repeat.
        self._torch.set_num_threads(1)
        self.game, self.seed, self.step = game, seed, 0
        self.steps = int_option("steps", steps, 1, 10**9)
        self._plies = int_option("plies", plies, _BATCH, 10**6)
        if self._plies % _BATCH:
            raise SpecError(f"plies must be a multiple of {_BATCH}, not {plies}")
        self.options = {"steps": self.steps, "plies": self._plies}
        # The opponent shares the model, so the learner always meets its present self.
        other = PpoAgent(drawn=True)
        env = SeatEnv(game, opponent=other, seat=None)
        self._model = other.model = library.MaskablePPO(
            "MultiInputPolicy", env, n_steps=self._plies, seed=self._drawn_seed(), device="cpu"
        )

    def _drawn_seed(self) -> int:
        return int(np.random.default_rng([self.seed, self.step]).integers(2**32))

    def advance(self) -> None:
        """Play some plies, and learn from them."""
        # Each step begins new games with a seed of its own, so that a checkpoint needs neither.
        self._model.set_random_seed(self._drawn_seed())
        self._model.learn(self._plies)
        self.step += 1

    def agent(self) -> Agent:
        """Return the player as it is now."""
        return PpoAgent(self._model)

    def exam(self) -> Exam | None:
        """Return positions with exact values; none are held out."""
        return quick_exam(self.game)

    def to_bytes(self, log: Mapping[str, Any]) -> bytes:
        """Return the checkpoint: weights, and the state of the optimiser."""
        policy = self._model.policy
        tensors = {f"policy/{name}": one.numpy() for name, one in policy.state_dict().items()}
        for number, state in policy.optimizer.state_dict()["state"].items():
            tensors |= {f"adam/{number}/{name}": one.numpy() for name, one in state.items()}
        return file_of(tensors, {"format": _FORMAT, "log": json.dumps(log)})

    def restore(self, content: bytes, name: str) -> Mapping[str, Any]:
        """Resume from a checkpoint and return its log."""
        tensors, metadata = tensors_of(content, name)
        if metadata.get("format") != _FORMAT:
            raise SpecError(f"{quoted(name)} is no checkpoint of ppo")

        def part(head: str) -> dict[str, Any]:
            return {
                key.removeprefix(head): self._torch.from_numpy(array.copy())
                for key, array in tensors.items()
                if key.startswith(head)
            }

        policy = self._model.policy
        adam = policy.optimizer.state_dict()
        log: dict[str, Any] = parse_json(metadata["log"])
        if (log["game"], log["options"]) == (str(self.game), self.options):
            policy.load_state_dict(part("policy/"))
            numbers = adam["param_groups"][0]["params"]
            states = {number: part(f"adam/{number}/") for number in numbers}
            policy.optimizer.load_state_dict({**adam, "state": states})
            self.step = int(log["step"])
        return log
