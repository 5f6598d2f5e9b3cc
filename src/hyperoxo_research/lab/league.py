"""A league of learners: error against exact values, and rating, after equal times of learning.

Every player meets agents that do not learn, from `random` up to `expert`, once in each seat after
each of the same random openings. The error is the share of positions of the `test` split in which
its move does not keep the exact value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, product
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from hyperoxo.agents import Agent, agent
from hyperoxo.display import Result
from hyperoxo.errors import HyperoxoError, LimitError, NotSupportedError
from hyperoxo.game import Game
from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.games import Tally
from hyperoxo.lab.match import match
from hyperoxo.lab.tournament import Estimate, rate
from hyperoxo.learn.learner import learner_class, learner_names
from hyperoxo.learn.rating import opening_plies
from hyperoxo.learn.td import ROUNDS, TdLearner
from hyperoxo.learn.training import learner_of
from hyperoxo.learn.truth import Exam, exam, random_positions
from hyperoxo.task import Progress, Task
from hyperoxo_research.lab.stored_answers import Measurements, place_of

LEAGUE_GAMES = (
    *("3^2", "4^2", "3^3", "5,5,4", "4^3", "3^4", "7,6,4:gravity", "4^3:gravity"),
    *("4^2:misere", "3^3:misere", "3^2:players=3", "3^3:players=3"),
)
"""The games of the league."""

FIXED = ("random", "greedy", "mcts:simulations=1000", "expert:simulations=1000")
"""Agents that do not learn: each player meets them all, and they meet each other."""

_MOST_STEPS = 10**9
_MOST_FREE = 27
"""Free cells of a position whose exact value is searched."""

_Key = tuple[str, str, float, int]


@dataclass(frozen=True)
class Entry(Result):
    """A player of the league: its moves in positions of known value, and its games."""

    game: str
    player: str
    """The learner, or the agent that does not learn."""
    minutes: float
    """Processor time that it may learn for; 0 for an agent that does not learn."""
    seed: int
    options: dict[str, Any]
    """Options of the learner; empty for an agent that does not learn."""
    spent: float
    """Minutes that it learned for: whole steps, two at least."""
    positions: int
    """Positions of known value in which the move matters."""
    kept: int
    """Positions of known value that its move keeps."""
    games: dict[str, list[list[int]]]
    """Against each agent that does not learn a row for each seat: wins of all seats, and draws."""

    @property
    def key(self) -> _Key:
        """Key of the entry in a file."""
        return self.game, self.player, self.minutes, self.seed

    @property
    def error(self) -> float | None:
        """Share of the positions in which the value is lost; None where no value is known."""
        return 1 - self.kept / self.positions if self.positions else None

    @property
    def current(self) -> bool:
        """True if the learner has the same options today, and the others are still met."""
        same = not self.minutes or self.options == _options(self.player, Game(self.game))
        return same and self.games.keys() <= {*FIXED}

    _data = "* error"


def league(
    games: Sequence[str] = (),
    *,
    minutes: Sequence[float] = (1, 10),
    seeds: int = 3,
    seed: int = 0,
    count: int = 20,
    positions: int = 1000,
    out: Path | None = None,
    progress: Progress | None = None,
) -> list[Entry]:
    """Train learners and measure them, except for entries in the file `out`.

    `count` openings are played in each seat against each agent that does not learn. The file gets
    each entry when it is measured.
    """
    numbers = range(seed, seed + seeds)
    runs = [*product(FIXED, (0.0,), (0,)), *product(learner_names(), minutes, numbers)]
    wanted: list[_Key] = [
        (str(game), player, time, number)
        for game in map(Game, games or LEAGUE_GAMES)
        for player, time, number in runs
        if not refusal(player, game)
    ]
    return ENTRIES.measure(_entry, wanted, (count, positions), out, progress)


def missing() -> dict[str, str]:
    """Return the learners that are not installed, each with the command that installs it."""
    found = {name: refusal(name, Game("3^2")) for name in learner_names()}
    return {name: str(error) for name, error in found.items() if error and error.exit_code == 1}


def refusal(player: str, game: Game) -> HyperoxoError | None:
    """Return the error with which an agent or a learner refuses a game, if it does."""
    try:
        _options(player, game) if player in learner_names() else agent(player).check(game)
    except HyperoxoError as error:
        return error
    return None


@lru_cache
def _options(name: str, game: Game) -> dict[str, Any]:
    """Return the options of a learner but those that the time decides."""
    found = learner_of(name, game, 0).options
    return {key: one for key, one in found.items() if key not in ("games", "steps")}


def _entry(
    spec: str, name: str, minutes: float, seed: int, count: int, positions: int, _: Task
) -> Entry:
    """Let one player learn, and measure it."""
    game = Game(spec)
    if name in FIXED:
        player, spent, options = agent(name), 0.0, {}
        # Each pair of these meets once, in the entry of the later one.
        others = FIXED[: FIXED.index(name)]
    else:
        player, spent = _learned(name, game, minutes, seed)
        others, options = FIXED, _options(name, game)
    # Where values are out of reach, the entry has games alone.
    known = _exam(game, positions)
    mark = None if known is None else known.mark(player, seed)
    total = 0 if known is None else known.count
    preserved = 0 if mark is None or mark.kept is None else round(mark.kept * total)
    played = {
        other: _games(game, player, other, count, seed)
        for other in others
        if not refusal(other, game)
    }
    return Entry(spec, name, minutes, seed, options, round(spent, 3), total, preserved, played)


def _learned(name: str, game: Game, minutes: float, seed: int) -> tuple[Agent, float]:
    """Let a learner learn two steps or more; the first, which compiles, counts as the second."""
    sized = f"{name}:steps={_MOST_STEPS}" if "steps" in learner_class(name).known else name
    if name == "td":
        # Its rounds are of equally many games; where it then tunes, they have half of the time.
        tried = TdLearner(game, seed)
        tried.advance()
        begin = process_time()
        tried.advance()
        share = (30 if tried.generations else 60) * minutes / ROUNDS
        games = round(share / (process_time() - begin) * tried.games)
        sized = f"td:games={max(games, ROUNDS)}"
    learner = learner_of(sized, game, seed)
    learner.advance()
    begin = process_time()
    learner.advance()
    player = learner.agent()
    begin -= process_time() - begin
    while learner.step < learner.steps and process_time() - begin < 60 * minutes:
        learner.advance()
        player = learner.agent()  # waits for steps that JAX has only begun
    return player, (process_time() - begin) / 60


@lru_cache(maxsize=2)
def _exam(game: Game, count: int) -> Exam | None:
    """Return positions of random games that are of the test split, if values are within reach."""
    try:
        drawn = random_positions(game, count, "test", np.random.default_rng(0))
        late = drawn[game.cells - drawn.plies <= _MOST_FREE]
        return exam(game, [*late]) if len(late) else None
    except (LimitError, NotSupportedError):
        return None


def _games(game: Game, player: Agent, other: str, count: int, seed: int) -> list[list[int]]:
    """Play one agent in each seat against copies of another."""
    seats, plies = range(game.players), opening_plies(game)
    rows = []
    for seat in seats:
        agents = [player if one == seat else other for one in seats]
        found = match(game, agents, count, seed, random_plies=plies)
        rows.append([*found.wins, found.draws])
    return rows


ENTRIES = Measurements(
    "league.json",
    "entries of the league",
    lambda row: Entry(**row),
    lambda entry: (
        *(place_of(entry.game, LEAGUE_GAMES), place_of(entry.player, (*FIXED, *learner_names()))),
        *(entry.minutes, entry.seed),
    ),
)
"""Entries in files, and those that come with the package."""


def ratings(found: Sequence[Entry]) -> dict[tuple[str, float], Estimate]:
    """Rate the players of one game by all of their games; runs of other seeds are one player."""
    game = Game(found[0].game)
    seats = range(game.players)
    names = [*dict.fromkeys((entry.player, entry.minutes) for entry in found)]
    results = []
    for entry in found:
        mine = names.index((entry.player, entry.minutes))
        for other, rows in entry.games.items():
            theirs = names.index((other, 0))
            for seat, (*wins, draws) in enumerate(rows):
                seated = [mine if one == seat else theirs for one in seats]
                results.append((seated, Tally(sum(wins) + draws, tuple(wins), draws, 0)))
    model = rate(len(names), results, shared=game.misere and game.players > 2)
    return dict(zip(names, model.ratings, strict=True))


def league_table(found: Sequence[Entry]) -> tuple[list[str], list[list[str]]]:
    """Return a head and rows, one for each player of each game, runs of other seeds together."""
    rows = []
    for game, entries in groupby(found, lambda entry: entry.game):
        every = [*entries]
        for (player, minutes), one in ratings(every).items():
            runs = [entry for entry in every if (entry.player, entry.minutes) == (player, minutes)]
            spent = sum(run.spent for run in runs) / len(runs)
            learned = (f"{minutes:g} ({spent:.2f})", str(len(runs))) if minutes else ("", "")
            value, low, high = map(round, (one.value, one.low, one.high))
            rating = f"{value:+} ({low:+} to {high:+})"
            rows.append([game, player, *learned, _error(runs), rating])
    return ["game", "player", "minutes (spent)", "runs", "error, %", "rating"], rows


def _error(runs: Sequence[Entry]) -> str:
    total = sum(entry.positions for entry in runs)
    if not total:
        return ""
    lost = total - sum(entry.kept for entry in runs)
    low, high = wilson_interval(lost, total)
    return f"{100 * lost / total:.1f} ({100 * low:.1f} to {100 * high:.1f})"
