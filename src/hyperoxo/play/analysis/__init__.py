"""Analysis for all front ends: proved values, and estimates where nothing is proved.

`analyse_position` evaluates every move of a position, `analyse_record` a whole game. Both return
frozen plain values that can be pickled and written as JSON.
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
