"""MaskablePPO of sb3-contrib, which plays itself in all seats of a game."""

from __future__ import annotations

import copy
import importlib
import json
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperoxo.adapters.running import Running
from hyperoxo.agents.base import Explanation, Randomness, ThinkingAgent, because, moves_of
from hyperoxo.agents.network import Tensors, file_of, tensors_of
from hyperoxo.agents.options import int_option, number_option
from hyperoxo.errors import CheckFailedError, NotSupportedError, SpecError, quoted
from hyperoxo.files import DamagedFileError
from hyperoxo.game import Game, Position, Why
from hyperoxo.learn.truth import Exam, quick_exam
from hyperoxo.task import ALONE, Task
from hyperoxo.untrusted import parse_json, read_bytes

_FORMAT = "hyperoxo ppo 1"
_BATCH = 64
_GAMES = 8  # side by side: one evaluation serves them all
_ENTROPY = 0.03  # without it the policy settles on a few moves early, and unlearns


class PpoAgent(ThinkingAgent):
    """Plays the likeliest move of a learned policy, or draws one by its chances.

    A checkpoint of ``oxo train GAME ppo`` plays its game alone. It needs no PyTorch.
    """

    name = "ppo"
    opponents = ()

    def __init__(
        self, checkpoint: str | tuple[Game, Tensors], temperature: float | str = 0.0
    ) -> None:
        self.temperature = number_option("temperature", temperature, 0.0, 1e6)
        if isinstance(checkpoint, tuple):
            self.checkpoint, (self._game, self._weights) = "(unsaved)", checkpoint
            return
        self.checkpoint, (tensors, log) = checkpoint, _contents(read_bytes(checkpoint), checkpoint)
        try:
            self._game, self._weights = Game(log["game"]), _part(tensors, "policy/")
            self.think(self._game.start())
        except (AttributeError, LookupError, TypeError, ValueError):
            raise SpecError(f"{quoted(checkpoint)} is no checkpoint of ppo") from None
        if not all(np.isfinite(one).all() for one in self._weights.values()):
            raise DamagedFileError(checkpoint, "weights that are not numbers")

    def check(self, game: Game) -> None:
        """Refuse a game that it did not learn; see :meth:`Agent.check`."""
        if game != self._game:
            learned = f"the policy {quoted(self.checkpoint)} was learned on {self._game}"
            raise NotSupportedError(f"{learned} and does not fit {game}")

    def quick(self, game: Game) -> bool:
        """True: a move is one evaluation of a small network."""
        return True

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move and give the chances of all; see :meth:`Agent.think`."""
        self.check(position.game)
        legal = np.array(moves_of(position))
        stones, mask = Running(position).observe(position.to_move - 1)
        # The library joins the parts of an observation in the order of their names.
        seen = np.concatenate([mask, stones.ravel()])
        logits = self._output("policy", "action", seen)[legal]
        value = float(self._output("value", "value", seen)[0])
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        # The greatest logit with Gumbel noise is drawn in proportion to the chances.
        noise = self.temperature * np.random.default_rng(rng).gumbel(size=len(legal))
        best = int((logits + noise).argmax())
        why = because(Why.NETWORK, position, int(legal[best]), chance=chances[best], value=value)
        order = np.argsort(-chances, kind="stable")
        candidates = zip(legal[order].tolist(), chances[order].tolist(), strict=True)
        return Explanation(int(legal[best]), tuple(candidates), why)

    def _output(self, body: str, head: str, found: NDArray[Any]) -> NDArray[Any]:
        """Evaluate two hidden layers and a head."""
        for layer in (f"mlp_extractor.{body}_net.0", f"mlp_extractor.{body}_net.2", f"{head}_net"):
            found = self._weights[f"{layer}.weight"] @ found + self._weights[f"{layer}.bias"]
            found = np.tanh(found) if layer[0] == "m" else found
        return found


def _contents(content: bytes, name: str) -> tuple[Tensors, dict[str, Any]]:
    """Return the arrays of a checkpoint, and its log."""
    tensors, metadata = tensors_of(content, name)
    log = parse_json(metadata.get("log", "null"))
    if metadata.get("format") != _FORMAT or not isinstance(log, dict):
        raise SpecError(f"{quoted(name)} is no checkpoint of ppo")
    return tensors, log


def _part(tensors: Mapping[str, Any], head: str) -> dict[str, Any]:
    """Return the arrays whose names begin so, by the rest of their names."""
    return {key.removeprefix(head): one for key, one in tensors.items() if key.startswith(head)}


class PpoLearner:
    """Learns by proximal policy optimisation, with the usual settings but for the entropy."""

    suffixes: ClassVar[tuple[str, ...]] = (".safetensors",)
    known: ClassVar[tuple[str, ...]] = ("steps", "plies")

    def __init__(
        self, game: Game, seed: int, steps: int | str = 200, plies: int | str = 2048
    ) -> None:
        try:
            modules = "sb3_contrib", "torch", "stable_baselines3.common"
            library, self._torch, common = map(importlib.import_module, modules)
        except ImportError:
            raise CheckFailedError("ppo needs sb3-contrib: pip install sb3-contrib") from None
        from hyperoxo.adapters.gymnasium import SeatEnv

        # Several threads add floats in changing orders, and a run would not repeat.
        self._torch.set_num_threads(1)
        self.game, self.seed, self.step = game, seed, 0
        self.steps = int_option("steps", steps, 1, 10**9)
        self._plies = int_option("plies", plies, _BATCH, 10**6)
        if self._plies % _BATCH:
            raise SpecError(f"plies must be a multiple of {_BATCH}, not {plies}")
        self.options = {"steps": self.steps, "plies": self._plies}
        self._weights: Tensors = {}
        # The opponent shares the weights, so the learner always meets its present self.
        other = PpoAgent((game, self._weights), temperature=1.0)
        seats = [lambda: SeatEnv(game, opponent=other, seat=None)] * _GAMES
        self._model = library.MaskablePPO(
            *("MultiInputPolicy", common.vec_env.DummyVecEnv(seats)),
            n_steps=self._plies // _GAMES,
            ent_coef=_ENTROPY,
            seed=self._drawn_seed(),
            device="cpu",
        )
        # These arrays share the memory of PyTorch's, so that all seats learn.
        self._weights |= {key: one.numpy() for key, one in self._model.policy.state_dict().items()}
        # The usual logger makes a folder even where it writes nothing.
        self._model.set_logger(common.logger.Logger(None, []))

    def _drawn_seed(self) -> int:
        return int(np.random.default_rng([self.seed, self.step]).integers(2**32))

    def advance(self) -> None:
        """Play some plies, and learn from them."""
        # Each step begins new games with a seed of its own, so that a checkpoint needs neither.
        self._model.set_random_seed(self._drawn_seed())
        self._model.learn(self._plies)
        self.step += 1

    def agent(self) -> PpoAgent:
        """Return the current player."""
        return PpoAgent((self.game, copy.deepcopy(self._weights)))

    def exam(self) -> Exam | None:
        """Return positions with exact values; none are held out."""
        return quick_exam(self.game)

    def to_bytes(self, log: Mapping[str, Any]) -> bytes:
        """Return the checkpoint: weights, and the state of the optimiser."""
        tensors = {f"policy/{name}": one for name, one in self._weights.items()}
        for number, state in self._model.policy.optimizer.state_dict()["state"].items():
            tensors |= {f"adam/{number}/{name}": one.numpy() for name, one in state.items()}
        return file_of(tensors, {"format": _FORMAT, "log": json.dumps(log)})

    def restore(self, content: bytes, name: str) -> Mapping[str, Any]:
        """Resume from a checkpoint and return its log."""
        tensors, log = _contents(content, name)
        found = {key: self._torch.from_numpy(one.copy()) for key, one in tensors.items()}
        policy = self._model.policy
        adam = policy.optimizer.state_dict()
        if (log["game"], log["options"]) == (str(self.game), self.options):
            policy.load_state_dict(_part(found, "policy/"))
            numbers = adam["param_groups"][0]["params"]
            states = {number: _part(found, f"adam/{number}/") for number in numbers}
            policy.optimizer.load_state_dict({**adam, "state": states})
            self.step = int(log["step"])
        return log
