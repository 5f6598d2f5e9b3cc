"""The laboratory: matches and what they measure."""

from hyperoxo.lab.compiled import Batch, play_batch, random_play
from hyperoxo.lab.intervals import wilson_interval
from hyperoxo.lab.match import MatchResult, match

__all__ = ["Batch", "MatchResult", "match", "play_batch", "random_play", "wilson_interval"]
