"""One analysis for all front ends: values where they are proved, estimates where not.

`analyse_position` tells what every move of a position is worth, `analyse_record` goes through a
whole game. Both give frozen plain values that can be pickled and written as JSON.
"""

from hyperoxo.play.analysis.findings import Analysis, MoveAnalysis, RecordAnalysis, short_value
from hyperoxo.play.analysis.position import analyse_position
from hyperoxo.play.analysis.record import analyse_record

__all__ = [
    "Analysis",
    "MoveAnalysis",
    "RecordAnalysis",
    "analyse_position",
    "analyse_record",
    "short_value",
]
