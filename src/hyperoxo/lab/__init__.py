"""The laboratory: matches, tournaments, sweeps, their statistics and their store."""

from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.compiled import Batch, play_batch, random_play
from hyperoxo.lab.match import MatchResult, match
from hyperoxo.lab.results import ResultStore
from hyperoxo.lab.sequential import SequentialTest

__all__ = [
    "Batch",
    "MatchResult",
    "ResultStore",
    "SequentialTest",
    "match",
    "play_batch",
    "random_play",
    "wilson_interval",
]
