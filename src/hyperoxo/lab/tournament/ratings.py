"""Ratings of agents from the results of seatings, by maximum likelihood.

Agent i has a strength x_i and seat s an advantage a_s. Who sits on seat s as agent i(s) has the
weight exp(x_i(s) + a_s); each seat wins with probability proportional to its weight, and a draw has
the weight v times the geometric mean of all of them. With two players this is the model of Bradley
and Terry with Davidson's draws and a first-move advantage, as Davidson and Beaver have it; with
more it is that of Plackett and Luce for the first place. Where all but one share a win, as in
misère play of three or more, the loser is drawn instead, with the reciprocal weights.

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

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError
from hyperoxo.lab.games import Tally

__all__ = ["Estimate", "RatingModel", "rate"]

Floats = NDArray[np.float64]

POINTS = 400 / log(10)
"""Rating points a unit of log odds: odds of ten to one are 400 points."""

_PRIOR = 1000 / POINTS
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
class RatingModel:
    """Ratings that fit the results best.

    Attributes
    ----------
    ratings : tuple of Estimate
        Strength of each agent in points; their mean is 0.
    seats : tuple of Estimate
        Advantage of each seat in points; their mean is 0.
    draws : Estimate
        Logarithm of the weight of draws.
    deviance : float
        Twice how much the log likelihood falls short of that of the rates themselves; far
        above `degrees` where the model does not describe the games well, so that the
        intervals are too narrow.
    degrees : int
        Degrees of freedom that are left.
    """

    ratings: tuple[Estimate, ...]
    seats: tuple[Estimate, ...]
    draws: Estimate
    deviance: float
    degrees: int

    @property
    def first_move(self) -> float:
        """Advantage of seat 1 over the mean of the others, in points."""
        others = [seat.value for seat in self.seats[1:]]
        return self.seats[0].value - sum(others) / len(others) if others else 0.0


def rate(
    agents: int, results: Sequence[tuple[Sequence[int], Tally]], *, shared: bool = False
) -> RatingModel:
    """Fit ratings to results.

    Parameters
    ----------
    agents : int
        How many agents there are.
    results : sequence of (sequence of int, Tally)
        Number of the agent on each seat, from 0, and what their games came to.
    shared : bool
        Whether all but one share a win, so that results tell who lost.

    Returns
    -------
    RatingModel
        Ratings with 95 % intervals from the curvature of the likelihood.

    Raises
    ------
    CheckFailedError
        If the search for the maximum fails.

    Examples
    --------
    >>> model = rate(2, [((0, 1), Tally(100, (60, 20), 20, 0)),
    ...                  ((1, 0), Tally(100, (45, 35), 20, 0))])
    >>> model.ratings[0].value > model.ratings[1].value, model.first_move > 0
    (True, True)
    """
    played = [(seated, tally) for seated, tally in results if tally.games]
    players = len(results[0][0]) if results else 2
    designs = [_design(seated, agents, players, shared) for seated, _ in played]
    counts = [_counts(tally, shared) for _, tally in played]
    at, information = _maximum(designs, counts, agents + players + 1)
    covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    deviance = sum(_deviance(x, n, at) for x, n in zip(designs, counts, strict=True))
    # Strengths and advantages count up to a constant each.
    free = agents - 1 + players - 1 + 1
    return RatingModel(
        _centred(at, covariance, 0, agents),
        _centred(at, covariance, agents, players),
        _estimate(at[-1], covariance[-1, -1], 1.0),
        float(deviance),
        max(0, len(played) * players - free),
    )


def _design(seated: Sequence[int], agents: int, players: int, shared: bool) -> Floats:
    """Log weights of the outcomes (seats, then a draw) as rows over the parameters."""
    rows = np.zeros((players + 1, agents + players + 1))
    for seat, agent in enumerate(seated):
        rows[seat, agent] += 1.0
        rows[seat, agents + seat] += 1.0
    rows[players] = rows[:players].mean(axis=0)
    if shared:
        rows = -rows
    rows[players, -1] = 1.0
    return rows


def _counts(tally: Tally, shared: bool) -> Floats:
    seats = range(1, len(tally.wins) + 1)
    counted = [tally.losses(seat) if shared else tally.wins[seat - 1] for seat in seats]
    return np.array([*counted, tally.draws], dtype=np.float64)


def _probabilities(design: Floats, at: Floats) -> Floats:
    logs = design @ at
    weights = np.exp(logs - logs.max())
    chances: Floats = weights / weights.sum()
    return chances


def _maximum(designs: list[Floats], counts: list[Floats], size: int) -> tuple[Floats, Floats]:
    """Newton's method with halved steps; returns the maximum and the information there."""
    at = np.zeros(size)
    value = _log_posterior(designs, counts, at)
    for _ in range(_STEPS):
        slope = -at / _PRIOR**2
        information = np.eye(size) / _PRIOR**2
        for design, count in zip(designs, counts, strict=True):
            chances = _probabilities(design, at)
            games = count.sum()
            slope = slope + design.T @ (count - games * chances)
            spread = np.diag(chances) - np.outer(chances, chances)
            information = information + games * design.T @ spread @ design
        step = np.linalg.solve(information, slope)
        if slope @ step < _SMALL:
            return at, information
        scale = 1.0
        while (tried := _log_posterior(designs, counts, at + scale * step)) < value:
            scale /= 2
            if scale < _SMALL:
                return at, information
        at = at + scale * step
        value = tried
    raise CheckFailedError("no maximum of the likelihood was found; are the results in order?")


def _log_posterior(designs: list[Floats], counts: list[Floats], at: Floats) -> float:
    value = -float(at @ at) / (2 * _PRIOR**2)
    for design, count in zip(designs, counts, strict=True):
        logs = design @ at
        top = logs.max()
        value += float(count @ logs - count.sum() * (top + np.log(np.exp(logs - top).sum())))
    return value


def _deviance(design: Floats, count: Floats, at: Floats) -> float:
    seen = count > 0
    expected = count.sum() * _probabilities(design, at)
    return float(2 * (count[seen] * np.log(count[seen] / expected[seen])).sum())


def _centred(at: Floats, covariance: Floats, first: int, size: int) -> tuple[Estimate, ...]:
    centre = np.eye(size) - 1 / size
    block = slice(first, first + size)
    values = centre @ at[block]
    spread = centre @ covariance[block, block] @ centre.T
    return tuple(_estimate(values[i], spread[i, i], POINTS) for i in range(size))


def _estimate(value: float, variance: float, scale: float) -> Estimate:
    half = _Z95 * float(np.sqrt(max(variance, 0.0)))
    return Estimate(scale * float(value), scale * float(value - half), scale * float(value + half))
