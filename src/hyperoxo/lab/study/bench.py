"""What a study measures with, and the commands that repeat it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, TypeVar

from hyperoxo.lab.match import MatchResult
from hyperoxo.lab.requests import RunRequest, carry_out, command_of
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.sweep import SweepResult
from hyperoxo.lab.tournament import TournamentResult
from hyperoxo.task import Progress

__all__ = ["Bench"]

Size = TypeVar("Size")

_LEAST = 5
"""The smallest sample."""


@dataclass(frozen=True)
class Bench:
    """Settings of a study, handed to all that it plays."""

    full: bool = False
    seed: int = 0
    workers: int = 1
    store: ResultStore | None = None
    progress: Progress | None = None
    executor: Executor | None = None
    scale: float = 1.0

    @property
    def means(self) -> dict[str, Any]:
        """Who plays, where it is kept and who hears of it, as keywords of functions."""
        return {
            "workers": self.workers,
            "executor": self.executor,
            "store": self.store,
            "progress": self.progress,
        }

    def size(self, reduced: Size, full: Size) -> Size:
        """Pick the reduced or the full size; numbers are scaled, lists of boards are not."""
        picked = full if self.full else reduced
        scaled: Any = picked
        if self.scale < 1 and isinstance(picked, int):
            scaled = max(_LEAST, round(self.scale * picked))
        elif self.scale < 1 and isinstance(picked, float):
            scaled = self.scale * picked
        found: Size = scaled
        return found

    def match(
        self, game: str, agents: Sequence[str], games: int, *, scoring: str = "rules"
    ) -> tuple[MatchResult, str]:
        """Play a match; return it and the command that repeats it."""
        return self._play("match", game, agents=list(agents), games=games, scoring=scoring)

    def tournament(
        self, game: str, agents: Sequence[str], games: int, *, scoring: str = "rules"
    ) -> tuple[TournamentResult, str]:
        """Play a tournament; return it and the command that repeats it."""
        return self._play("tournament", game, agents=list(agents), games=games, scoring=scoring)

    def sweep(
        self, game: str, agent: str, vary: str, versus: str, **options: Any
    ) -> tuple[SweepResult, str]:
        """Sweep a parameter; return the result and the command that repeats it."""
        usual = {"measure": "score", "fit": "polynomial"}
        ours = {"agent": agent, "vary": [vary], "versus": [versus]}
        return self._play("sweep", game, **ours, **usual | options)

    def _play(self, kind: str, game: str, **options: Any) -> tuple[Any, str]:
        request = RunRequest(kind, game, options, self.seed)
        return carry_out(request, **self.means), command_of(request)
