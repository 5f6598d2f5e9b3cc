"""Boards: cells, lines, the tables that link them, and symmetry.

Only code that draws boards or handles coordinates knows dimensions.
"""

from hyperoxo.board.board import Board, Symmetry, cells_beyond, full_lines, line_owners
from hyperoxo.board.grid import hypercube, mnk
from hyperoxo.board.hypergraph import hypergraph, read_hypergraph, write_hypergraph
from hyperoxo.board.neighbours import neighbour_pairs

__all__ = [
    "Board",
    "Symmetry",
    "cells_beyond",
    "full_lines",
    "hypercube",
    "hypergraph",
    "line_owners",
    "mnk",
    "neighbour_pairs",
    "read_hypergraph",
    "write_hypergraph",
]
