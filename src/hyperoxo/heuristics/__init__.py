"""Heuristics: what lines are worth, as tables that kernels read."""

from hyperoxo.heuristics.ising import ising_heuristic, line_energy
from hyperoxo.heuristics.line import HeuristicTables, LineHeuristic, line_heuristic, tabulate
from hyperoxo.heuristics.named import (
    HEURISTICS,
    as_heuristic,
    heuristic_by_name,
    kutner_heuristic,
)
from hyperoxo.heuristics.position import PositionHeuristic, position_heuristic

__all__ = [
    "HEURISTICS",
    "HeuristicTables",
    "LineHeuristic",
    "PositionHeuristic",
    "as_heuristic",
    "heuristic_by_name",
    "ising_heuristic",
    "kutner_heuristic",
    "line_energy",
    "line_heuristic",
    "position_heuristic",
    "tabulate",
]
