"""Solving: what can be counted, forced or proved about a game."""

from hyperoxo.solvers.exact.perft import PerftResult, perft
from hyperoxo.solvers.solution import MoveValue, Solution
from hyperoxo.solvers.values import solve

__all__ = ["MoveValue", "PerftResult", "Solution", "perft", "solve"]
