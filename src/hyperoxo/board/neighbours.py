"""Pairs of neighbouring cells, as a board whose lines they are."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from hyperoxo.board.board import Board
from hyperoxo.board.grid import grid
from hyperoxo.board.limits import check_memory


@lru_cache(maxsize=32)
def neighbour_pairs(board: Board) -> Board:
    """Return the board whose lines are the pairs of neighbouring playable cells."""
    if board.shape is None:
        sizes = board.line_sizes.astype(np.int64)
        check_memory("of neighbours", int((sizes * (sizes - 1)).sum()), board.cell_count)
        found = [np.empty((0, 2), dtype=np.int64)]
        for number in range(board.line_count):
            line = board.line(number).astype(np.int64)
            first, second = np.triu_indices(len(line), 1)
            found.append(np.stack([line[first], line[second]], axis=1))
        pairs = np.concatenate(found)
    else:
        pairs = grid(board.shape, 2, board.wrap, spelling="of neighbours").lines.astype(np.int64)
    playable = np.zeros(board.cell_count, dtype=bool)
    playable[board.playable] = True
    pairs = pairs[playable[pairs].all(axis=1)]
    cells = np.unique(np.sort(pairs, axis=1), axis=0).astype(np.int32).ravel()
    pointers = np.arange(0, cells.size + 1, 2, dtype=np.int64)
    return Board(board.cell_count, pointers, cells, shape=board.shape, blocked=board.blocked)
