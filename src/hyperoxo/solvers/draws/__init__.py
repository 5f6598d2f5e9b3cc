"""Draws: pairings, mirroring, and full boards without lines."""

from hyperoxo.solvers.draws.full_boards import FullBoard, full_board
from hyperoxo.solvers.draws.pairing import crowded_lines, pairs_of

__all__ = ["FullBoard", "crowded_lines", "full_board", "pairs_of"]
