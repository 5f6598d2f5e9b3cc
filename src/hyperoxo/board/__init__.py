"""Boards: cells, lines, the tables between them, and the symmetry of all that.

Only code that draws, or that asks for coordinates, knows what a dimension is.
"""

from hyperoxo.board.board import Board
from hyperoxo.board.hypercube import hypercube, line_count
from hyperoxo.board.hypergraph import hypergraph, mnk, read_hypergraph, write_hypergraph
from hyperoxo.board.limits import board_bytes

__all__ = [
    "Board",
    "board_bytes",
    "hypercube",
    "hypergraph",
    "line_count",
    "mnk",
    "read_hypergraph",
    "write_hypergraph",
]
