"""A tournament: agents on every ordered seating, so many games each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import permutations, product
from typing import Any

from hyperoxo.agents import Agent
from hyperoxo.errors import LimitError, SpecError, quoted
from hyperoxo.lab.games import Tally, entrants, seating_of
from hyperoxo.lab.intervals import wilson_interval
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.runs import Run
from hyperoxo.lab.tournament.ratings import RatingModel, rate
from hyperoxo.lab.tournament.skill import Skill, skills
from hyperoxo.rules import Game
from hyperoxo.task import Progress

__all__ = ["SeatingResult", "TournamentResult", "places_of", "tournament"]

_MOST_SEATINGS = 10_000
_A_GAME = re.compile(r"\d+[\^,]\d")


@dataclass(frozen=True)
class SeatingResult:
    """One row of a tournament's table.

    Attributes
    ----------
    places : tuple of int
        Number, from 0, of the agent on each seat.
    agents : tuple of str
        Spec of the agent on each seat.
    seed : int
        Seed of these games.
    tally : Tally
        What they came to.
    """

    places: tuple[int, ...]
    agents: tuple[str, ...]
    seed: int
    tally: Tally

    @property
    def interval(self) -> tuple[tuple[float, float], ...]:
        """95 % Wilson interval of each seat's win rate."""
        return tuple(wilson_interval(won, self.tally.games) for won in self.tally.wins)

    def as_data(self) -> dict[str, Any]:
        """Return the row as plain values."""
        tally = self.tally
        return {
            "agents": list(self.agents),
            "games": tally.games,
            "wins": list(tally.wins),
            "draws": tally.draws,
            "interval": [list(pair) for pair in self.interval],
            "plies": tally.plies / max(tally.games, 1),
            "seconds": tally.seconds,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class TournamentResult:
    """What a tournament came to.

    Attributes
    ----------
    game : str
        The game.
    agents : tuple of str
        The agents.
    table : tuple of SeatingResult
        Every ordered seating.
    seed : int
        Seed of the tournament.
    shared : bool
        Whether all but one share a win.
    seconds : float
        Time of play, shared out among the workers.
    run : int
        Number of the run in the store; 0 without one.
    """

    game: str
    agents: tuple[str, ...]
    table: tuple[SeatingResult, ...]
    seed: int
    shared: bool
    seconds: float
    run: int = 0

    @cached_property
    def model(self) -> RatingModel:
        """Ratings by Bradley and Terry, or Plackett and Luce."""
        return rate(len(self.agents), self._results, shared=self.shared)

    def skills(self) -> list[Skill]:
        """Ratings by openskill.

        Raises
        ------
        MissingExtraError
            If it is not installed.
        """
        return skills(len(self.agents), self._results, self.seed % 2**64, shared=self.shared)

    @property
    def _results(self) -> list[tuple[tuple[int, ...], Tally]]:
        return [(row.places, row.tally) for row in self.table]

    def totals(self) -> list[dict[str, int]]:
        """Games, wins, draws and losses of each agent, over all seats it had."""
        found = [dict.fromkeys(("games", "wins", "draws", "losses"), 0) for _ in self.agents]
        for row in self.table:
            for seat, place in enumerate(row.places, start=1):
                total = found[place]
                total["games"] += row.tally.games
                total["wins"] += row.tally.wins[seat - 1]
                total["draws"] += row.tally.draws
                total["losses"] += row.tally.losses(seat)
        return found

    def as_data(self, *, openskill: bool = False) -> dict[str, Any]:
        """Return the result as plain values, with the ratings by openskill if wanted."""
        model = self.model
        ratings = [
            {"agent": spec, "rating": rating.value, "interval": [rating.low, rating.high], **total}
            for spec, rating, total in zip(self.agents, model.ratings, self.totals(), strict=True)
        ]
        if openskill:
            for row, skill in zip(ratings, self.skills(), strict=True):
                row["openskill"] = asdict(skill)
        return {
            "game": self.game,
            "agents": list(self.agents),
            "table": [row.as_data() for row in self.table],
            "ratings": sorted(ratings, key=lambda row: -row["rating"]),
            "model": {
                "seats": [
                    {"seat": number, "advantage": seat.value, "interval": [seat.low, seat.high]}
                    for number, seat in enumerate(model.seats, start=1)
                ],
                "first_move": model.first_move,
                "draws": asdict(model.draws),
                "deviance": model.deviance,
                "degrees": model.degrees,
            },
            "seconds": round(self.seconds, 6),
            "seed": self.seed,
            "run": self.run or None,
        }


def tournament(
    game: Game | str,
    agents: Sequence[Agent | str],
    games: int = 100,
    seed: int = 0,
    *,
    distinct: bool = False,
    scoring: str = "rules",
    workers: int = 1,
    executor: Executor | None = None,
    store: ResultStore | None = None,
    progress: Progress | None = None,
) -> TournamentResult:
    """Let agents play each other on every ordered seating.

    Parameters
    ----------
    game : Game or str
        The game.
    agents : sequence of Agent or str
        Two or more.
    games : int
        Games of each seating.
    seed : int
        Seed; results do not depend on `workers`.
    distinct : bool
        Leave out the seatings in which an agent sits twice.
    scoring, workers, executor, store, progress
        As in :func:`hyperoxo.match`.

    Returns
    -------
    TournamentResult
        The table, and ratings.

    Raises
    ------
    SpecError
        If agents or numbers make no sense.
    LimitError
        If there are more than 10,000 seatings.
    AgentError
        If an agent cannot play the game.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> result = ox.tournament("3^2", ["random", "ising", "greedy"], games=200)
    >>> len(result.table), result.model.ratings[1].value > result.model.ratings[0].value
    (9, True)
    """
    game = game if isinstance(game, Game) else Game(game)
    _refuse_games(agents, game)
    players = entrants(agents, game)
    specs = tuple(player.spec for player in players)
    _check(specs, games, seed)
    places = places_of(len(players), game.players, distinct=distinct)
    seatings = [
        seating_of(game, [players[place] for place in row], seed, scoring=scoring) for row in places
    ]
    asked = {
        "agents": list(specs),
        "games": games,
        "distinct": distinct,
        "scoring": scoring,
    }
    with Run(
        RunRequest("tournament", str(game), asked, seed),
        store=store,
        workers=workers,
        executor=executor,
        progress=progress,
    ) as run:
        tallies = run.play([(seating, games) for seating in seatings])
    table = tuple(
        SeatingResult(row, seating.agents, seating.seed, tally)
        for row, seating, tally in zip(places, seatings, tallies, strict=True)
    )
    shared = game.misere and game.players > 2
    seconds = sum(tally.seconds for tally in tallies) / run.workers
    return TournamentResult(str(game), specs, table, seed, shared, seconds, run.number)


def _refuse_games(agents: Sequence[Agent | str], game: Game) -> None:
    for spec in agents:
        if isinstance(spec, str) and _A_GAME.match(spec):
            raise SpecError(
                f"{quoted(spec)} is a game, not an agent; a tournament is of one game, here {game}"
            )


def _check(specs: tuple[str, ...], games: int, seed: int) -> None:
    if len(specs) < 2:
        raise SpecError("a tournament takes two agents or more")
    if len(set(specs)) < len(specs):
        twice = next(spec for spec in specs if specs.count(spec) > 1)
        raise SpecError(f"{twice} is named twice; name each agent once")
    if games < 1:
        raise SpecError(f"the number of games must be at least 1, not {games}")
    if seed < 0:
        raise SpecError(f"a seed must not be negative, not {seed}")


def places_of(agents: int, players: int, *, distinct: bool) -> list[tuple[int, ...]]:
    """Return the seatings of a tournament in their order: who, from 0, sits on each seat."""
    if distinct and agents < players:
        raise SpecError(f"{players} seats take {players} different agents, not {agents}")
    seatings = agents**players
    if seatings > _MOST_SEATINGS:
        raise LimitError(
            f"{agents} agents on {players} seats make {seatings:,} seatings; "
            f"the limit is {_MOST_SEATINGS:,}"
        )
    numbers = range(agents)
    return list(permutations(numbers, players) if distinct else product(numbers, repeat=players))
