"""Tournaments: every seating of a number of agents, and ratings from what comes of them."""

from hyperoxo.lab.tournament.ratings import Estimate, RatingModel, rate
from hyperoxo.lab.tournament.round_robin import SeatingResult, TournamentResult, tournament
from hyperoxo.lab.tournament.skill import Skill, skills

__all__ = [
    "Estimate",
    "RatingModel",
    "SeatingResult",
    "Skill",
    "TournamentResult",
    "rate",
    "skills",
    "tournament",
]
