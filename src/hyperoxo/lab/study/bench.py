"""What a study measures with, and the commands that repeat it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, TypeVar

from hyperoxo.lab.match import MatchResult, match
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.sweep import SweepResult, sweep
from hyperoxo.lab.tournament import TournamentResult, tournament
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
        result = match(
            game,
            agents,
            games,
            self.seed,
            scoring=scoring,
            **self.means,
        )
        return result, self._command("match", game, *agents, games=games, scoring=scoring)

    def tournament(
        self, game: str, agents: Sequence[str], games: int, *, scoring: str = "rules"
    ) -> tuple[TournamentResult, str]:
        """Play a tournament; return it and the command that repeats it."""
        result = tournament(
            game,
            agents,
            games,
            self.seed,
            scoring=scoring,
            **self.means,
        )
        return result, self._command("tournament", game, *agents, games=games, scoring=scoring)

    def sweep(
        self,
        game: str,
        agent: str,
        vary: str,
        versus: str,
        *,
        seat: int,
        games: int,
        measure: str = "score",
        fit: str = "polynomial",
        degree: int | None = None,
        scoring: str = "rules",
    ) -> tuple[SweepResult, str]:
        """Sweep a parameter; return the result and the command that repeats it."""
        result = sweep(
            game,
            agent,
            vary,
            versus,
            seat,
            games,
            self.seed,
            measure=measure,
            fit=fit,
            degree=degree,
            scoring=scoring,
            **self.means,
        )
        words = ["--agent", agent, "--vary", vary, "--versus", versus, "--seat", str(seat)]
        words += ["--measure", measure, "--fit", fit]
        words += [] if degree is None else ["--degree", str(degree)]
        return result, self._command("sweep", game, *words, games=games, scoring=scoring)

    def _command(self, *words: str, games: int, scoring: str) -> str:
        more = ["--games", str(games), "--seed", str(self.seed)]
        more += [] if scoring == "rules" else ["--scoring", scoring]
        return "oxo " + shlex.join([*words, *more])
