"""The learner `alphazero`: options, steps, model selection, checkpoints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from hyperoxo.agents import Agent
from hyperoxo.agents.alphazero import AlphazeroAgent
from hyperoxo.agents.network import FORMAT, Network, Tensors, file_of, tensors_of
from hyperoxo.agents.options import int_option, number_option
from hyperoxo.errors import SpecError, quoted
from hyperoxo.files import sha256
from hyperoxo.game import Game
from hyperoxo.learn.alphazero.selfplay import Learned, SelfPlay, Settings
from hyperoxo.learn.truth import Exam, part_of, quick_exam
from hyperoxo.untrusted import parse_json

# After `selfplay`, whose error names the extra where JAX is missing.
import jax  # isort: skip

_MEASURED = 5
"""Steps between two measurements by exact values; the best weights are kept."""


class AlphazeroLearner:
    """Learns one network for one game or several, which take turns."""

    name: ClassVar[str] = "alphazero"
    suffixes: ClassVar[tuple[str, ...]] = (".safetensors",)

    known: ClassVar[tuple[str, ...]] = (
        *("steps", "also", "start", "device"),
        *(one.name for one in fields(Settings)),
    )

    def __init__(
        self, game: Game, seed: int, *, steps: int | str = 200, also: str = "", **options: Any
    ) -> None:
        values: dict[str, Any] = {}
        for field in fields(Settings):
            given = options.get(field.name, field.default)
            check = int_option if isinstance(field.default, int) else number_option
            values[field.name] = check(field.name, given, **field.metadata)
        settings = Settings(**values)
        if settings.boards * settings.plies % settings.batch:
            raise SpecError("batch must divide boards times plies")
        self.steps = int_option("steps", steps, 1, 10**9)
        self.step = 0
        games = [game, *(Game(spec) for spec in also.split("+") if spec)]
        self.options: dict[str, Any] = {"steps": self.steps, "also": also, **vars(settings)}
        self._key = jax.random.key(seed)
        self._plays = [SelfPlay(one, settings) for one in games]
        self._learned: Learned = self._plays[0].first(seed, max(one.players for one in games))
        self._boards = [play.ended() for play in self._plays]
        # Three sets of weights: "network" learns and plays, "average" is its running mean (and is
        # measured), `_best` the average with the best score on positions with exact values.
        self._best, self._score = self._learned["average"], np.float32(-1)
        self._device = _device(options["device"]) if "device" in options else None
        if "start" in options:
            self._begin_from(options["start"])

    def _begin_from(self, path: str | Path) -> None:
        """Start with the weights of a checkpoint, whose digest becomes part of the options."""
        found, first = Network.read(path), self._learned["network"]
        blocks = {key: found.blocks.get(key, block) for key, block in first.items()}
        if found.rounds != sum(key.endswith(".kinds") for key in first):
            raise SpecError(f"{quoted(path)} has another architecture: give rounds={found.rounds}")
        self._learned |= {"network": blocks, "average": blocks}
        self._best = blocks
        self.options["from"] = sha256(*(blocks[key].tobytes() for key in sorted(blocks)))

    def advance(self) -> None:
        """Play some plies of many games and learn from them; games take turns."""
        # The random key is a function of seed and step, so a resumed run draws the same numbers.
        turn = self.step % len(self._plays)
        play, boards = self._plays[turn], self._boards[turn]
        with jax.default_device(self._device):
            playing, learning = jax.random.split(jax.random.fold_in(self._key, self.step))
            self._boards[turn], lessons = play.play(self._learned["network"], playing, boards)
            self._learned, _ = play.learn(self._learned, learning, lessons)
        self.step += 1
        # Selection uses positions whose classes may be learned from; those held out (`exam`) stay
        # untouched until the curve is measured.
        exams = [seen for _, seen in self._exams if seen is not None]
        if not exams:
            self._best = self._learned["average"]
        elif self.step % _MEASURED == 0 or self.step == self.steps:
            player = AlphazeroAgent(_network(self._learned["average"]))
            shares = [exam.mark(player).kept or 0.0 for exam in exams]
            score = np.float32(sum(shares) / len(shares))
            if score >= self._score:
                self._best, self._score = self._learned["average"], score

    @cached_property
    def _exams(self) -> list[tuple[Exam | None, Exam | None]]:
        """For each game, positions with exact values: held-out ones, and all others."""
        found: list[tuple[Exam | None, Exam | None]] = []
        for play in self._plays:
            exam = quick_exam(play.game)
            if exam is None:
                found.append((None, None))
                continue
            held = play.held_out(exam.positions.owners)
            parts = (part_of(exam, chosen) if chosen.any() else None for chosen in (held, ~held))
            found.append((next(parts), next(parts)))
        return found

    def exam(self) -> Exam | None:
        """Return the positions with exact values that are held out, of the first game."""
        return self._exams[0][0]

    def agent(self) -> Agent:
        """Return the player with the best weights so far, without search."""
        return AlphazeroAgent(_network(self._best))

    def to_bytes(self, log: Mapping[str, Any]) -> bytes:
        """Return a checkpoint: weights of the player, and the state to resume."""
        tensors: Tensors = {
            f"network/{name}": block for name, block in _network(self._best).blocks.items()
        }
        leaves, _ = jax.tree_util.tree_flatten_with_path(self._carried())
        tensors |= {_name(path): np.asarray(leaf) for path, leaf in leaves}
        metadata = {"format": FORMAT, "learner": self.name, "log": json.dumps(log)}
        return file_of(tensors, metadata)

    def restore(self, content: bytes, name: str) -> Mapping[str, Any]:
        """Resume from a checkpoint and return its log."""
        network = Network.of(content, name)
        tensors, metadata = tensors_of(content, name)
        if metadata.get("learner") != self.name:
            raise SpecError(f"{quoted(name)} has only weights, so it cannot be resumed")
        log: dict[str, Any] = parse_json(metadata["log"])
        if log["game"] == str(self._plays[0].game) and log["options"] == self.options:
            self._take_up(tensors, name)
            self._best = network.blocks
            self.step = int(log["step"])
        return log

    def _carried(self) -> Any:
        """Return the learning state, a tree of arrays."""
        return self._learned, self._boards, self._score

    def _take_up(self, tensors: Tensors, name: str) -> None:
        def found(path: Any, leaf: Any) -> jax.Array:
            array = tensors.get(_name(path))
            if array is None or array.shape != leaf.shape or array.dtype != leaf.dtype:
                raise SpecError(f"{quoted(name)} holds a network of another architecture")
            return jax.numpy.asarray(array)

        carried = jax.tree_util.tree_map_with_path(found, self._carried())
        self._learned, self._boards, self._score = carried


def _name(path: Any) -> str:
    """Return the checkpoint name of an array of the learning state."""
    return "resume" + jax.tree_util.keystr(path).replace("._", ".")


def _device(kind: str) -> Any:
    """Return the first device of a kind."""
    try:
        return jax.devices(kind)[0]
    except RuntimeError:
        known = ", ".join(sorted({one.platform for one in jax.devices()}))
        raise SpecError(f"JAX finds no device {quoted(kind)} here, only {known}") from None


def _network(blocks: Mapping[str, Any]) -> Network:
    return Network({name: np.asarray(block) for name, block in blocks.items()}, {})
