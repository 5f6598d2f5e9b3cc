"""Draws: pairings and mirroring."""

from hyperoxo.solvers.draws.pairing import crowded_lines, pairs_of

__all__ = ["crowded_lines", "pairs_of"]
