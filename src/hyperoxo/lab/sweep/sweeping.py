"""A sweep: the same match for every value of one or two parameters of an agent."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np

from hyperoxo.display import Result, as_data
from hyperoxo.errors import LimitError, SpecError, quoted
from hyperoxo.game import Game
from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.games import Tally, check_amount, entrants, seating_of
from hyperoxo.lab.requests import RunRequest, Variation, read_variation, with_option
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.runs import Run
from hyperoxo.lab.sweep.curve import Fit, Samples, check_fit, fit_polynomial, fit_spline
from hyperoxo.run_options import FITS, MEASURES
from hyperoxo.task import Progress, Task

_MOST_POINTS = 100_000
_ROUNDS = (0.4, 0.2, 0.2, 0.2)
"""Shares of an adaptive sweep's games: evenly at first, then where the best may lie."""


@dataclass(frozen=True)
class Point(Result):
    """Results with one value, or one pair of values."""

    values: tuple[float, ...]
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """Games played with it."""
        return self.wins + self.draws + self.losses

    def share(self, measure: str) -> float:
        """Share of the games by the measure."""
        counted = {"score": self.wins + self.draws / 2, "wins": self.wins, "losses": self.losses}
        return counted[measure] / max(self.games, 1)

    def variance(self, measure: str) -> float:
        """Variance of the share; half a game of each kind is added, so that it is never 0."""
        games = self.games + 1.5
        won, drawn, lost = ((n + 0.5) / games for n in (self.wins, self.draws, self.losses))
        if measure == "score":
            mean = won + drawn / 2
            one = won + drawn / 4 - mean * mean
        else:
            share = won if measure == "wins" else lost
            one = share * (1 - share)
        return one / max(self.games, 1)

    _data = "value wins draws losses games interval"

    @property
    def value(self) -> float | tuple[float, ...]:
        """The value, or the pair of values."""
        return self.values[0] if len(self.values) == 1 else self.values

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval of the share of wins."""
        return wilson_interval(self.wins, self.games)


_ROWS = 41


@dataclass(frozen=True)
class SweepResult(Result):
    """The result of a sweep."""

    game: str
    agent: str
    names: tuple[str, ...]
    """The parameters that vary."""
    versus: tuple[str, ...]
    """The agents on the other seats, in order."""
    seat: int
    measure: str
    fit_kind: str
    degree: int | None
    points: tuple[Point, ...]
    """Results by value; with two parameters the second varies faster."""
    seed: int
    seconds: float
    """Time of play by the clock."""
    run: int = 0
    """Number of the run in the store; 0 without one."""

    @cached_property
    def fit(self) -> Fit:
        """Curve or surface through the points."""
        samples, least = self.samples, self.measure == "losses"
        if self.fit_kind == "spline" and len(self.names) == 1:
            return fit_spline(samples, least=least, seed=self.seed)
        return fit_polynomial(samples, self.degree, least=least, seed=self.seed)

    @property
    def samples(self) -> Samples:
        """The measured shares."""
        points, measure = self.points, self.measure
        return Samples(
            np.array([point.values for point in points], dtype=np.float64),
            np.array([point.share(measure) for point in points]),
            np.array([point.variance(measure) for point in points]),
            # A score has three values, so its variance does not follow from its mean.
            None if measure == "score" else np.array([point.games for point in points], np.float64),
        )

    @property
    def best_point(self) -> Point:
        """The point with the best share; of several the first."""
        sign = -1 if self.measure == "losses" else 1
        return max(self.points, key=lambda point: sign * point.share(self.measure))

    _data = (
        "game agent vary=names versus seat points fit=_fit_data best_point seconds:6 seed run|None"
    )

    @property
    def _text(self) -> str:
        """A row for each of not too many points, then the best value."""
        names = " | ".join(f"{name}={{values.{at}:g}}" for at, name in enumerate(self.names))
        few = len(self.points) <= _ROWS
        rows = (
            f"|_rows| {names} | games | wins | draws | losses | % {{measure}}={{share:.1p}} "
            "| fit={ends.0:.1p} ({ends.1:.1p} to {ends.2:.1p}) |"
        )
        many = f"{len(self.points):,} points; --format json lists them"
        return f"{rows if few else many}\n?chart {{chart}}\n{{_summary}}"

    @property
    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                **as_data(one),
                "values": one.values,
                "share": one.share(self.measure),
                "ends": [*ends],
            }
            for one, ends in zip(self.points, self.fit.at_points, strict=True)
        ]

    @property
    def _summary(self) -> str:
        """The best value, in a sentence."""
        fit = as_data(self.fit)
        kind = fit["kind"] if fit["degree"] is None else f"{fit['kind']} of degree {fit['degree']}"
        best = fit["optimum"]
        if best is None:
            return f"{kind}: no value is better than the others, as far as these games tell"
        alone = not isinstance(best["value"], list)
        values, spans = ([best[key]] if alone else best[key] for key in ("value", "interval"))
        places = ", ".join(
            f"{name} {value:.4g} ({low:.4g} to {high:.4g})"
            for name, value, (low, high) in zip(self.names, values, spans, strict=True)
        )
        low, high = best["fit_interval"]
        return (
            f"{kind}: best at {places}, with {100 * best['fit']:.2f} % {self.measure} "
            f"({100 * low:.2f} to {100 * high:.2f}); seed {self.seed}"
        )

    @property
    def _fit_data(self) -> dict[str, Any]:
        return {"measure": self.measure, **as_data(self.fit)}


def sweep(
    game: Game | str,
    agent: str,
    vary: str | Sequence[str],
    versus: str | Sequence[str],
    seat: int = 1,
    games: int = 100,
    seed: int = 0,
    *,
    measure: str = "score",
    fit: str = "polynomial",
    degree: int | None = None,
    adaptive: bool = False,
    scoring: str = "rules",
    workers: int = 1,
    executor: Executor | None = None,
    store: ResultStore | None = None,
    progress: Progress | None = None,
) -> SweepResult:
    """Let an agent play with many values of one or two of its parameters.

    Parameters
    ----------
    game : Game or str
        The game.
    agent : str
        Spec of the agent, without the parameters that vary.
    vary : str or two of them
        ``"NAME=FROM:TO:STEP"``, the end included.
    versus : str or sequence of str
        Agent on every other seat, or one for each.
    seat : int
        The agent's seat.
    games : int
        Games a value; with `adaptive` on average.
    seed : int
        Seed; results do not depend on `workers`.
    measure : {"score", "wins", "losses"}
        The quantity to fit; losses are best when fewest.
    fit : {"polynomial", "spline"}
        Curve through a sweep of one parameter; two parameters get a polynomial surface.
    degree : int, optional
        Degree of the polynomial; the one of least BIC if not given.
    adaptive : bool
        Play two fifths of the games evenly and the rest, in three rounds, only with values that
        may be the best by the 95 % band of the fit so far.
    scoring, workers, executor, store, progress
        As in :func:`hyperoxo.match`.

    Returns
    -------
    SweepResult
        Points, and the fit through them.

    Raises
    ------
    SpecError
        If an argument makes no sense.
    LimitError
        If there are more than 100,000 points.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> result = ox.sweep("3^2", "ising", "bias=0:1:0.25", "random", seat=2, games=500)
    >>> [point.values[0] for point in result.points]
    [0, 0.25, 0.5, 0.75, 1]
    >>> result.points[0].losses > result.points[2].losses
    True
    """
    game = game if isinstance(game, Game) else Game(game)
    variations = [read_variation(text) for text in ([vary] if isinstance(vary, str) else vary)]
    others = _others(game, [versus] if isinstance(versus, str) else list(versus))
    check_amount(games, seed)
    _check(game, variations, seat, measure, fit, degree)
    rivals = entrants(others, game)
    seatings = []
    for texts in product(*(variation.texts for variation in variations)):
        spec = agent
        for variation, text in zip(variations, texts, strict=True):
            spec = with_option(spec, variation.name, text)
        (ours,) = entrants([spec], game)
        seated = [*rivals[: seat - 1], ours, *rivals[seat - 1 :]]
        seatings.append(seating_of(game, seated, seed, scoring=scoring))
    asked = {
        "agent": agent,
        "vary": [vary] if isinstance(vary, str) else list(vary),
        "versus": others,
        "seat": seat,
        "games": games,
        "measure": measure,
        "fit": fit,
        "degree": degree,
        "adaptive": adaptive,
        "scoring": scoring,
    }
    request = RunRequest("sweep", str(game), asked, seed)
    specs = [rival.spec for rival in rivals]
    with Task.shared(progress, workers, executor) as task, Run(request, store, task) as run:
        # Evenly at first. After each round of an adaptive sweep a point stays a candidate unless
        # its whole band lies below the best lower end. Only candidates get more games; `wanted`
        # are totals, never less than before.
        first, *rest = _ROUNDS if adaptive else (1.0,)
        wanted = np.full(len(seatings), max(1, round(first * games)))
        tallies = run.play(list(zip(seatings, wanted.tolist(), strict=True)))
        for share in rest:
            ends = result_of(request, tallies, specs).fit.at_points
            low, high = ends[:, 1], ends[:, 2]
            if measure == "losses":
                low, high = -high, -low
            candidates = high >= low.max()
            more = round(share * (games * len(seatings)) / candidates.sum())
            wanted = wanted + candidates * max(1, more)
            tallies = run.play(list(zip(seatings, wanted.tolist(), strict=True)))
    return result_of(request, tallies, specs, run=run.number, workers=run.workers)


def result_of(
    request: RunRequest,
    tallies: Sequence[Tally],
    rivals: Sequence[str],
    *,
    run: int = 0,
    workers: int = 1,
) -> SweepResult:
    """Return the result of a sweep from the tallies of its points, in their order."""
    asked, seat = request.options, request.options["seat"]
    points = tuple(
        Point(value, tally.wins[seat - 1], tally.draws, tally.losses(seat))
        for value, tally in zip(values_of(request), tallies, strict=True)
    )
    variations = [read_variation(text) for text in asked["vary"]]
    return SweepResult(
        request.game,
        asked["agent"],
        tuple(variation.name for variation in variations),
        tuple(rivals),
        seat,
        asked["measure"],
        asked["fit"],
        asked["degree"],
        points,
        request.seed,
        sum(tally.seconds for tally in tallies) / workers,
        run,
    )


def values_of(request: RunRequest) -> list[tuple[float, ...]]:
    """Return the values of a sweep, or the pairs of them, in their order."""
    variations = (read_variation(text) for text in request.options["vary"])
    return list(product(*(variation.values for variation in variations)))


def _others(game: Game, versus: list[str]) -> list[str]:
    versus = versus * (game.players - 1) if len(versus) == 1 else versus
    if len(versus) != game.players - 1:
        raise SpecError(f"versus takes {game.players - 1} for {game}, not {len(versus)}")
    return versus


def _check(
    game: Game, variations: list[Variation], seat: int, measure: str, fit: str, degree: int | None
) -> None:
    if not 1 <= len(variations) <= 2:
        raise SpecError(f"one or two parameters are varied, not {len(variations)}")
    if len({variation.name for variation in variations}) < len(variations):
        raise SpecError(f"{variations[0].name} is varied twice")
    if not 1 <= seat <= game.players:
        raise SpecError(f"the seat must be 1 to {game.players}, not {seat}")
    for name, value, known in (("measure", measure, MEASURES), ("fit", fit, FITS)):
        if value not in known:
            raise SpecError(f"{name} must be one of {', '.join(known)}, not {quoted(value)}")
    points = prod(len(variation.texts) for variation in variations)
    if points > _MOST_POINTS:
        raise LimitError(f"the sweep has {points:,} points; the limit is {_MOST_POINTS:,}")
    check_fit(fit, degree, points, len(variations))
