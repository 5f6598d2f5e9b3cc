"""Solving: what can be counted, forced or proved about a game."""

from hyperoxo.solve.perft import PerftResult, perft

__all__ = ["PerftResult", "perft"]
