"""Steps between difficulty levels, measured by matches of neighbours.

A step is a match of level K + 1 against level K, with rotating seats and some random plies to
begin with: with q players one of the stronger against q - 1 of the weaker. With more than two
players the share of the points is converted to that against a single rival: at odds of k to 1
against each of q - 1 rivals, the share is k / (k + q - 1), and 50 % is equal for any q.

The latest measurements come with the package, with the settings of both levels at that time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hyperoxo.agents import LEVELS, agent
from hyperoxo.agents.level import skill_of
from hyperoxo.display import Result, number_of
from hyperoxo.errors import NotSupportedError
from hyperoxo.game import Game
from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.match import match
from hyperoxo.task import Progress, Task
from hyperoxo_research.lab.stored_answers import Measurements, place_of

AIM = (0.6, 0.8)
"""Range of shares in which a step has the right size."""

LEVEL_GAMES = (
    "3^2",
    "4^2",
    "3^3",
    "4^3",
    "5^3",
    "3^4",
    "4^3:gravity",
    "7,6,4:gravity",
    "3^3:misere",
    "4^3:misere",
    "3^3:players=3",
    "3^4:players=4",
    "3^4:players=4,target=9,blocked=centre",
)
"""The games on which levels are measured: each kind with its own settings."""

# Games from each seat in a round, and what divides their number where a clock decides the moves.
_ROUND = 20
_CLOCKED = 5

Figures = tuple[float, float, int] | None


@dataclass(frozen=True)
class Step(Result):
    """A level, the one below, and the match between them."""

    game: str
    level: int
    """The number of the stronger one."""
    games: int
    won: int
    drawn: int
    lost: int
    milliseconds: float
    """Mean time of a move, of both."""
    stronger: Figures
    """Sight, attention and simulations; None for the expert."""
    weaker: Figures

    @property
    def share(self) -> float:
        """Share of the points, against a single rival."""
        return self._against_one(self._points / self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval of the share; conservative if there are draws."""
        low, high = wilson_interval(self._points, self.games)
        return self._against_one(low), self._against_one(high)

    @property
    def _players(self) -> int:
        return Game(self.game).players

    @property
    def _points(self) -> float:
        return self.won + self.drawn / self._players

    def _against_one(self, share: float) -> float:
        # One among q players with the share s has the odds s (q - 1) : (1 - s) against a single
        # rival; so 1/q, the share of equals, becomes 1/2.
        odds = share * (self._players - 1)
        return odds / (odds + 1 - share)

    @property
    def key(self) -> tuple[str, int]:
        """The game and the level, of which a file has one step."""
        return self.game, self.level

    @property
    def holds(self) -> bool:
        """True unless the higher level is weaker beyond the interval."""
        return self.interval[1] >= 0.5

    @property
    def current(self) -> bool:
        """True if both levels have the same settings today."""
        return settings_of(Game(self.game), self.level) == (self.weaker, self.stronger)

    _data = "* share interval"


def settings_of(game: Game, level: int) -> tuple[Figures, Figures]:
    """Return the settings of the level below, and of a level."""
    return skill_of(game, level - 1), skill_of(game, level)


def measure(
    games: Sequence[str] = (),
    *,
    count: int = 200,
    seed: int = 0,
    out: Path | None = None,
    progress: Progress | None = None,
) -> list[Step]:
    """Play each level against the one below, except steps in the file `out`.

    A step ends after `count` games, a fifth of them where a clock decides, or as soon as its whole
    interval lies within the aim; the file gets it then.
    """
    played = [*map(Game, games or LEVEL_GAMES)]
    for game in played:
        if game.misere and game.players > 2:
            raise NotSupportedError(f"steps of levels are not measured where several win: {game}")
    wanted = [(str(game), level.number) for game in played for level in LEVELS[1:]]
    return STEPS.measure(_step, wanted, (count, seed), out, progress)


def _step(spec: str, level: int, count: int, seed: int, _: Task) -> Step:
    """Play a level against the one below."""
    game = Game(spec)
    stronger, weaker = (agent(LEVELS[number - 1].spec) for number in (level, level - 1))
    agents = [stronger, *[weaker] * (game.players - 1)]
    most = count if stronger.repeatable else max(1, count // _CLOCKED)
    each = _ROUND if stronger.repeatable else _ROUND // _CLOCKED
    weak, strong = settings_of(game, level)
    won = drawn = played = 0
    plies = seconds = 0.0
    while True:
        size = min(each * game.players, most - played)
        # With one seed for all rounds, agents without randomness would repeat the first.
        found = match(game, agents, size, seed + played, swap=True, random_plies=game.players)
        played, won, drawn = played + size, won + found.wins[0], drawn + found.draws
        plies, seconds = plies + size * found.plies, seconds + found.seconds
        lost = played - won - drawn
        took = round(1000 * seconds / plies, 1)
        step = Step(str(game), level, played, won, drawn, lost, took, strong, weak)
        low, high = step.interval
        if played >= most or (AIM[0] <= low and high <= AIM[1]):
            return step


def _step_of(row: dict[str, Any]) -> Step:
    return Step(**{**row, "stronger": _figures(row["stronger"]), "weaker": _figures(row["weaker"])})


def _figures(row: Sequence[float] | None) -> Figures:
    return None if row is None else (float(row[0]), float(row[1]), int(row[2]))


STEPS = Measurements(
    "levels.json",
    "steps of levels",
    _step_of,
    lambda step: (place_of(step.game, LEVEL_GAMES), step.level),
)
"""Steps in files, and those that come with the package."""


def steps_table(steps: Sequence[Step]) -> tuple[list[str], list[list[str]]]:
    """Return the header and a row for each game: shares in per cent, and their intervals."""
    found = {(step.game, step.level): step for step in steps}
    levels = [level.number for level in LEVELS[1:]]
    head = ["game", *(f"{number} on {number - 1}" for number in levels)]
    rows = []
    for game in dict.fromkeys(step.game for step in steps):
        row = [found.get((game, number)) for number in levels]
        rows.append([game, *("" if step is None else _cell(step) for step in row)])
    return head, rows


def _cell(step: Step) -> str:
    low, high = step.interval
    drawn = f", {number_of(step.drawn, 'draw')}" if step.drawn > step.games / 2 else ""
    return f"{100 * step.share:.0f} ({100 * low:.0f} to {100 * high:.0f}){drawn}"
