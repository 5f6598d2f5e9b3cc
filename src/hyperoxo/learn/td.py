"""The learner `td`: line weights from games against itself, by temporal differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from hyperoxo.agents import Agent
from hyperoxo.agents.options import choice_option, int_option, number_option
from hyperoxo.agents.scored import SCORING
from hyperoxo.agents.td import TdAgent
from hyperoxo.errors import SpecError, quoted
from hyperoxo.heuristics import kinds_of
from hyperoxo.heuristics.tables import LineTable, table_from_bytes, table_of_weights
from hyperoxo.kernels.td import self_play
from hyperoxo.learn.truth import Exam, quick_exam
from hyperoxo.rules import Game
from hyperoxo.solvers.arrays import tables_of

_ROUNDS = 20


class TdLearner:
    """Learns a line table by TD(lambda): rounds of games, the mean of the later ones kept."""

    name: ClassVar[str] = "td"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    def __init__(
        self,
        game: Game,
        seed: int,
        classes: str = "off",
        games: int | str = 20_000,
        rate: float | str = 0.1,
        keep: float | str = 0.8,
        epsilon: float | str = 0.1,
    ) -> None:
        SCORING.check(game)
        self.game, self.seed = game, seed
        self._exam: tuple[Exam | None] | None = None
        chosen = choice_option("classes", classes, ("off", "on", "orbits", "axes"))
        self.classes = {"off": "", "on": "orbits"}.get(chosen, chosen)
        self.games = int_option("games", games, _ROUNDS, 10**9)
        self.rate = number_option("rate", rate, 0.0, 1.0)
        self.keep = number_option("keep", keep, 0.0, 1.0)
        self.epsilon = number_option("epsilon", epsilon, 0.0, 1.0)
        self.options: dict[str, Any] = {
            "classes": self.classes,
            "games": self.games,
            "rate": self.rate,
            "keep": self.keep,
            "epsilon": self.epsilon,
        }
        pairs, self._kinds = kinds_of(game.board, self.classes)
        width = int(game.board.line_sizes.max(initial=1)) + 1
        self._weights = np.zeros((max(len(pairs), 1), width, width))
        self._total = np.zeros_like(self._weights)
        self._full = np.zeros_like(self._weights)
        for kind, (size, _) in enumerate(pairs):
            self._full[kind, size, 0] = 1e6
        self.step, self.steps = 0, _ROUNDS

    def advance(self) -> None:
        """Play the games of one round."""
        t = tables_of(self.game)
        games = self.games // _ROUNDS
        if self.step == _ROUNDS // 2:
            self._total[:] = 0.0
        rate = self.rate * (1.05 - self.step / _ROUNDS)
        sign = -1.0 if self.game.misere else 1.0
        most = min(2 * self.game.players, self.game.cells // 2)
        self_play(
            t, self._kinds, self._weights, self._full, self._total, sign, games,
            np.uint64(self.seed % 2**64), self.step, most, rate, self.keep, self.epsilon,
        )  # fmt: skip
        self.step += 1

    def table(self) -> LineTable:
        """Return what is learned so far."""
        done = self.step - (_ROUNDS // 2 if self.step > _ROUNDS // 2 else 0)
        mean = self._total / max(done * (self.games // _ROUNDS), 1)
        return self._table(mean, {})

    def agent(self) -> Agent:
        """Return the player as it is now."""
        return TdAgent(self.table())

    def exam(self) -> Exam | None:
        """Return positions with exact values; a table does not learn single positions by heart."""
        if self._exam is None:
            self._exam = (quick_exam(self.game),)
        return self._exam[0]

    def to_bytes(self, log: Mapping[str, Any]) -> bytes:
        """Return the checkpoint."""
        training = {
            **log,
            "state": {"weights": self._weights.tolist(), "total": self._total.tolist()},
        }
        mean = np.array([rows for _, _, rows in self.table().tables])
        return self._table(mean, training).to_bytes()

    def restore(self, content: bytes, name: str) -> Mapping[str, Any]:
        """Take up a checkpoint; return its log."""
        table = table_from_bytes(content, name)
        log = dict(table.training)
        try:
            state = log.pop("state")
            found = [np.array(state[key], dtype=np.float64) for key in ("weights", "total")]
            self.step = int(log["step"])
        except (KeyError, TypeError, ValueError):
            raise SpecError(f"{quoted(name)} is a line table without a run to go on with") from None
        if any(array.shape != self._weights.shape for array in found):
            raise SpecError(f"{quoted(name)} was learned on another board")
        self._weights, self._total = found
        return log

    def _table(self, weights: Any, training: Mapping[str, Any]) -> LineTable:
        return table_of_weights(
            str(self.game),
            self.game.players,
            misere=self.game.misere,
            classes=self.classes,
            board=self.game.board,
            weights=weights,
            training=training,
        )
