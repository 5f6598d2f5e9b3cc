"""Boards: cells, lines, the tables between them, and the symmetry of all that.

Only code that draws, or that asks for coordinates, knows what a dimension is.
"""

from hyperoxo.board.board import Board
from hyperoxo.board.grid import hypercube, line_count, mnk
from hyperoxo.board.hypergraph import hypergraph, read_hypergraph, write_hypergraph
from hyperoxo.board.limits import board_bytes
from hyperoxo.board.neighbours import neighbour_pairs
from hyperoxo.board.symmetry import Symmetry

__all__ = [
    "Board",
    "Symmetry",
    "board_bytes",
    "hypercube",
    "hypergraph",
    "line_count",
    "mnk",
    "neighbour_pairs",
    "read_hypergraph",
    "write_hypergraph",
]
