"""Ratings by the package openskill, which looks at one game after the other."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hyperoxo.errors import MissingExtraError
from hyperoxo.lab.games import Tally

__all__ = ["Skill", "skills"]


@dataclass(frozen=True)
class Skill:
    """What openskill thinks of an agent.

    Attributes
    ----------
    mu, sigma : float
        Mean and standard deviation of the skill, which begins at 25 with 25/3.
    ordinal : float
        mu - 3 sigma, a cautious estimate to rank by.
    """

    mu: float
    sigma: float
    ordinal: float


def skills(
    agents: int,
    results: Sequence[tuple[Sequence[int], Tally]],
    seed: int = 0,
    *,
    shared: bool = False,
) -> list[Skill]:
    """Rate agents by the Plackett-Luce model of openskill.

    It is told of the games one at a time, in an order drawn from the seed; later games weigh a
    little more than early ones. Seatings in which an agent sits twice are left out.

    Parameters
    ----------
    agents : int
        How many agents there are.
    results : sequence of (sequence of int, Tally)
        Number of the agent on each seat, from 0, and what their games came to.
    seed : int
        Seed of the order of games.
    shared : bool
        Whether all but one share a win, so that results tell who lost.

    Returns
    -------
    list of Skill
        One an agent.

    Raises
    ------
    MissingExtraError
        If openskill is not installed.
    """
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
    """Ranks by seat, the least being best, and how many games ended so."""
    players = len(tally.wins)
    found: list[tuple[tuple[float, ...], int]] = [((1.0,) * players, tally.draws)]
    for seat in range(players):
        count = tally.losses(seat + 1) if shared else tally.wins[seat]
        alone, others = (2.0, 1.0) if shared else (1.0, 2.0)
        ranks = tuple(alone if other == seat else others for other in range(players))
        found.append((ranks, count))
    return found
