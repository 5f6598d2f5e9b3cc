"""Heuristics: static evaluation by sums over lines, tabulated for the kernels."""

# `line`: weights of a line by the stones on it, and their tables; `named`: the built-in ones
# (traps, Erdős-Selfridge potential, ...); `ising`: a published line energy; `tables`: learned
# weights as files; `position`: any compiled function of the whole position.

from hyperoxo.heuristics.ising import ising_heuristic, line_energy
from hyperoxo.heuristics.line import (
    HeuristicTables,
    LineHeuristic,
    kinds_of,
    line_heuristic,
    side_by_side,
    tabulate,
)
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
    "kinds_of",
    "kutner_heuristic",
    "line_energy",
    "line_heuristic",
    "position_heuristic",
    "side_by_side",
    "tabulate",
]
