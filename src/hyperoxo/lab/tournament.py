"""A tournament: agents on every ordered seating, the same number of games each, and ratings.

Ratings are fitted by maximum likelihood. Agent i has a strength x_i and seat s an advantage a_s.
Agent i(s) on seat s has the weight exp(x_i(s) + a_s); each seat wins with probability proportional
to its weight, and a draw has the weight v times the geometric mean of all of them. With two players
this is the model of Bradley and Terry with Davidson's draws and a first-move advantage, as Davidson
and Beaver have it; with more it is that of Plackett and Luce for the first place. If all but one
share a win, as in misère play of three or more, the loser is drawn instead, with the reciprocal
weights.

It is a log-linear model, so the likelihood has one maximum. A normal prior with a standard
deviation of 1000 points on every parameter keeps it finite where an agent never lost; it matters
next to nothing elsewhere.

References
----------
R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952).
R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
experiments", JASA 65 (1970).
R. R. Davidson, R. J. Beaver, "On extending the Bradley-Terry model to incorporate within-pair order
effects", Biometrics 33 (1977).
R. D. Luce, "Individual choice behavior" (1959); R. L. Plackett, "The analysis of permutations",
Applied Statistics 24 (1975).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import permutations, product
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax, xlogy

from hyperoxo.agents import Agent
from hyperoxo.display import Result
from hyperoxo.errors import CheckFailedError, LimitError, MissingExtraError, SpecError, quoted
from hyperoxo.game import Game
from hyperoxo.lab.games import Tally, check_amount, derived_seed, entrants, seating_of
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.runs import Run
from hyperoxo.task import Progress, Task

__all__ = [
    "Estimate",
    "RatingModel",
    "SeatingResult",
    "Skill",
    "TournamentResult",
    "places_of",
    "rate",
    "skills",
    "tournament",
]

Floats = NDArray[np.float64]

POINTS = 400 / log(10)
"""Rating points a unit of log odds: odds of ten to one are 400 points."""

_PRIOR = 1000 / POINTS  # standard deviation, in log odds
_Z95 = 1.959963984540054
_STEPS = 200
_SMALL = 1e-10


@dataclass(frozen=True)
class Estimate:
    """A number and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class RatingModel(Result):
    """Ratings that fit the results best."""

    ratings: tuple[Estimate, ...]
    """Strength of each agent in points; their mean is 0."""
    seats: tuple[Estimate, ...]
    """Advantage of each seat in points; their mean is 0."""
    draws: Estimate
    """Logarithm of the weight of draws."""
    deviance: float
    """Far above `degrees` where the model is a bad one, so that the intervals are too narrow."""
    degrees: int
    """Degrees of freedom left."""

    _data = "seats=_seats first_move draws deviance degrees"

    @property
    def _seats(self) -> list[dict[str, Any]]:
        return [
            {"seat": number, "advantage": seat.value, "interval": [seat.low, seat.high]}
            for number, seat in enumerate(self.seats, start=1)
        ]

    @property
    def first_move(self) -> float:
        """Advantage of seat 1 over the mean of the others, in points."""
        others = [seat.value for seat in self.seats[1:]]
        return self.seats[0].value - sum(others) / len(others) if others else 0.0


def rate(
    agents: int, results: Sequence[tuple[Sequence[int], Tally]], *, shared: bool = False
) -> RatingModel:
    """Fit ratings to results."""
    # S seatings, q + 1 outcomes (a seat wins, or a draw), P = agents + q + 1 parameters: strengths,
    # seat advantages, draw weight.
    played = [(seated, tally) for seated, tally in results if tally.games]
    players = len(results[0][0]) if results else 2
    shape = len(played), players + 1
    rows = [_design(seated, agents, players, shared) for seated, _ in played]
    designs = np.array(rows).reshape(*shape, agents + players + 1)
    counts = np.array([_counts(tally, shared) for _, tally in played]).reshape(shape)
    at, information = _maximum(designs, counts)
    covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    expected = counts.sum(axis=1, keepdims=True) * softmax(designs @ at, axis=1)
    deviance = 2 * xlogy(counts, counts / expected).sum()
    # Strengths and advantages are determined up to a constant each.
    free = agents - 1 + players - 1 + 1
    return RatingModel(
        _centred(at, covariance, 0, agents),
        _centred(at, covariance, agents, players),
        _estimate(at[-1], covariance[-1, -1], 1.0),
        float(deviance),
        # Each seating has q + 1 outcomes, and so q free shares.
        max(0, len(played) * players - free),
    )


def _design(seated: Sequence[int], agents: int, players: int, shared: bool) -> Floats:
    """Log weights of the outcomes (seats, then a draw) as rows over the parameters."""
    # Row s has x_i(s) + a_s; the draw has their mean, the logarithm of the geometric mean, and v.
    # If the loser is drawn instead (`shared`), the weights are reciprocal.
    rows = np.zeros((players + 1, agents + players + 1))
    for seat, agent in enumerate(seated):
        rows[seat, agent] += 1.0
        rows[seat, agents + seat] += 1.0
    rows[players] = rows[:players].mean(axis=0)
    if shared:
        rows = -rows
    rows[players, -1] = 1.0
    return rows


def _counts(tally: Tally, shared: bool) -> list[int]:
    seats = range(1, len(tally.wins) + 1)
    counted = [tally.losses(seat) if shared else tally.wins[seat - 1] for seat in seats]
    return [*counted, tally.draws]


def _maximum(designs: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Newton's method with halved steps; returns the maximum and the information there."""
    # `designs` `[S, q + 1, P]` are log weights over the parameters, `counts` `[S, q + 1]` games.

    def log_posterior(at: Floats) -> float:
        prior = float(at @ at) / (2 * _PRIOR**2)
        return float((counts * log_softmax(designs @ at, axis=1)).sum()) - prior

    size = designs.shape[2]
    rows = designs.reshape(-1, size)
    games = counts.sum(axis=1, keepdims=True)
    at = np.zeros(size)
    value = log_posterior(at)
    for _ in range(_STEPS):
        # Gradient: observed minus expected counts, in the parameters, minus the pull of the prior.
        # The log posterior is concave, so Newton's direction ascends, and halving finds a step.
        chances = softmax(designs @ at, axis=1)
        slope = rows.T @ (counts - games * chances).ravel() - at / _PRIOR**2
        # The covariance of the outcome of one game is diag(c) - c c^T.
        weighed = chances[..., None] * designs
        means = weighed.sum(axis=1)
        information = np.eye(size) / _PRIOR**2 - means.T @ (games * means)
        information += rows.T @ (games[..., None] * weighed).reshape(-1, size)
        step = np.linalg.solve(information, slope)
        if slope @ step < _SMALL:
            return at, information
        scale = 1.0
        while (tried := log_posterior(at + scale * step)) < value:
            scale /= 2
            if scale < _SMALL:
                return at, information
        at = at + scale * step
        value = tried
    raise CheckFailedError("the likelihood has no maximum; check the results")


def _centred(at: Floats, covariance: Floats, first: int, size: int) -> tuple[Estimate, ...]:
    # Only differences are determined: the projection takes the free constant out of the values and
    # of their covariance.
    centre = np.eye(size) - 1 / size
    block = slice(first, first + size)
    values = centre @ at[block]
    spread = centre @ covariance[block, block] @ centre.T
    return tuple(_estimate(values[i], spread[i, i], POINTS) for i in range(size))


def _estimate(value: float, variance: float, scale: float) -> Estimate:
    half = _Z95 * float(np.sqrt(max(variance, 0.0)))
    return Estimate(scale * float(value), scale * float(value - half), scale * float(value + half))


@dataclass(frozen=True)
class Skill:
    """The rating of an agent by openskill, where it starts at mu 25 and sigma 25/3."""

    mu: float
    sigma: float
    ordinal: float
    """mu - 3 sigma, a cautious estimate to rank by."""


def skills(
    agents: int,
    results: Sequence[tuple[Sequence[int], Tally]],
    seed: int = 0,
    *,
    shared: bool = False,
) -> list[Skill]:
    """Rate agents by the Plackett-Luce model of openskill."""
    # The games are rated one at a time, in an order drawn from the seed; later games weigh a little
    # more than early ones. Seatings in which an agent sits twice are left out.
    try:
        models = importlib.import_module("openskill.models")
    except ImportError:
        raise MissingExtraError("ratings", "rating by openskill") from None
    model = models.PlackettLuce()
    ratings: list[Any] = [model.rating() for _ in range(agents)]
    games = [
        (tuple(seated), ranks)
        for seated, tally in results
        if len(set(seated)) == len(seated)
        for ranks, count in _ranks(tally, shared)
        for _ in range(count)
    ]
    for i in np.random.default_rng(seed).permutation(len(games)):
        seated, ranks = games[i]
        rated = model.rate([[ratings[agent]] for agent in seated], ranks=list(ranks))
        for agent, (new,) in zip(seated, rated, strict=True):
            ratings[agent] = new
    return [Skill(float(r.mu), float(r.sigma), float(r.ordinal())) for r in ratings]


def _ranks(tally: Tally, shared: bool) -> list[tuple[tuple[float, ...], int]]:
    """Ranks by seat (1 is best) with the number of games that ended so."""
    players = len(tally.wins)
    found: list[tuple[tuple[float, ...], int]] = [((1.0,) * players, tally.draws)]
    for seat in range(players):
        count = tally.losses(seat + 1) if shared else tally.wins[seat]
        alone, others = (2.0, 1.0) if shared else (1.0, 2.0)
        ranks = tuple(alone if other == seat else others for other in range(players))
        found.append((ranks, count))
    return found


_MOST_SEATINGS = 10_000
_A_GAME = re.compile(r"\d+[\^,]\d")


@dataclass(frozen=True)
class SeatingResult(Result):
    """One row of a tournament's table."""

    places: tuple[int, ...]
    """Number, from 0, of the agent on each seat."""
    agents: tuple[str, ...]
    seed: int
    tally: Tally

    _data = (
        "agents games=tally.games wins=tally.wins draws=tally.draws interval=tally.interval plies "
        "seconds=tally.seconds seed"
    )

    @property
    def plies(self) -> float:
        """Mean length of a game."""
        return self.tally.plies / max(self.tally.games, 1)


_DRAWS = "% draws={draws/games:.1p} | ms a game={seconds/games:.3m}"
_RATINGS = """
|ratings| agent | rating={rating:+.0f} | 95 % interval={interval:+.0f; to } | wins | draws \
| losses | openskill?={openskill.mu:.2f} ± {openskill.sigma:.2f} |
first move {model.first_move:+.0f} points; deviance {model.deviance:.1f} \
on {model.degrees} degrees of freedom; seed {seed}
"""


@dataclass(frozen=True)
class TournamentResult(Result):
    """The result of a tournament."""

    game: str
    agents: tuple[str, ...]
    table: tuple[SeatingResult, ...]
    seed: int
    shared: bool
    """True if all but one share a win."""
    seconds: float
    """Time of play by the clock."""
    run: int = 0
    """Number of the run in the store; 0 without one."""

    @cached_property
    def model(self) -> RatingModel:
        """Ratings by Bradley and Terry, or Plackett and Luce."""
        return rate(len(self.agents), self._results, shared=self.shared)

    def skills(self) -> list[Skill]:
        """Ratings by openskill."""
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

    @property
    def _text(self) -> str:
        """A column of results for each seat."""
        seats = range(1, len(self.table[0].agents) + 1)
        agents = " | ".join(f"seat {one}={{agents.{one - 1}}}" for one in seats)
        shares = " | ".join(f"% seat {one}={{wins.{one - 1}/games:.1p}}" for one in seats)
        return f"|table| {agents} | games | {shares} | {_DRAWS} |\n{_RATINGS}"

    @property
    def ratings(self) -> list[dict[str, Any]]:
        """Rating and totals of each agent, the best first."""
        rated = zip(self.agents, self.model.ratings, self.totals(), strict=True)
        rows = [
            {"agent": spec, "rating": one.value, "interval": [one.low, one.high], **total}
            for spec, one, total in rated
        ]
        return sorted(rows, key=lambda row: -row["rating"])

    _data = "game agents table ratings model seconds:6 seed run|None"

    def as_data(self, *, openskill: bool = False) -> dict[str, Any]:
        """Return the result as plain values, with the ratings by openskill if wanted."""
        data = super().as_data()
        if openskill:
            by_agent = dict(zip(self.agents, self.skills(), strict=True))
            for row in data["ratings"]:
                row["openskill"] = asdict(by_agent[row["agent"]])
        return data


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
    """Let agents play each other in every ordered seating.

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
    for named in agents:
        if isinstance(named, str) and _A_GAME.match(named):
            raise SpecError(
                f"{quoted(named)} is a game, not an agent; a tournament is of one game, here {game}"
            )
    players = entrants(agents, game)
    specs = [player.spec for player in players]
    if len(specs) < 2:
        raise SpecError("a tournament takes two agents or more")
    if len(set(specs)) < len(specs):
        twice = next(spec for spec in specs if specs.count(spec) > 1)
        raise SpecError(f"{twice} is named twice; name each agent once")
    check_amount(games, seed)
    asked = {"agents": specs, "games": games, "distinct": distinct, "scoring": scoring}
    request = RunRequest("tournament", str(game), asked, seed)
    seatings = [
        seating_of(game, [players[place] for place in row], seed, scoring=scoring)
        for row in seatings_of(request)
    ]
    with Task.shared(progress, workers, executor) as task, Run(request, store, task) as run:
        tallies = run.play([(seating, games) for seating in seatings])
    return result_of(request, tallies, run=run.number, workers=run.workers)


def result_of(
    request: RunRequest, tallies: Sequence[Tally], *, run: int = 0, workers: int = 1
) -> TournamentResult:
    """Return the result of a tournament from the tallies of its seatings, in their order."""
    game, agents = Game(request.game), tuple(request.options["agents"])
    table = []
    for row, tally in zip(seatings_of(request), tallies, strict=True):
        specs = tuple(agents[place] for place in row)
        seed = derived_seed(request.seed, request.game, *specs, "0")
        table.append(SeatingResult(row, specs, seed, tally))
    seconds = sum(tally.seconds for tally in tallies) / workers
    shared = game.misere and game.players > 2
    return TournamentResult(request.game, agents, tuple(table), request.seed, shared, seconds, run)


def seatings_of(request: RunRequest) -> list[tuple[int, ...]]:
    """Return the seatings of a tournament as `places_of` orders them."""
    options = request.options
    return places_of(
        len(options["agents"]), Game(request.game).players, distinct=options["distinct"]
    )


def places_of(agents: int, players: int, *, distinct: bool) -> list[tuple[int, ...]]:
    """Return the seatings of a tournament in order: the agent, from 0, on each seat."""
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
