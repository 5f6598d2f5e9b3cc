"""The laboratory: matches, tournaments, sweeps, their statistics and their store."""

from hyperoxo.lab.compiled import random_play
from hyperoxo.lab.match import MatchResult, match
from hyperoxo.lab.results import ResultStore
from hyperoxo.lab.sequential import SequentialTest

__all__ = [
    "MatchResult",
    "ResultStore",
    "SequentialTest",
    "match",
    "random_play",
]
