"""Pairs of neighbouring cells, as a board whose lines they are."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np

from hyperoxo.board.board import Board
from hyperoxo.board.limits import check_memory


@lru_cache(maxsize=32)
def neighbour_pairs(board: Board) -> Board:
    """Return the board whose lines are the pairs of neighbouring playable cells."""
    pairs = _touching(board) if board.shape is not None else _sharing(board)
    playable = np.zeros(board.cell_count, dtype=bool)
    playable[board.playable] = True
    pairs = pairs[playable[pairs].all(axis=1)]
    cells = np.unique(np.sort(pairs, axis=1), axis=0).astype(np.int32).ravel()
    pointers = np.arange(0, cells.size + 1, 2, dtype=np.int64)
    return Board(board.cell_count, pointers, cells, shape=board.shape, blocked=board.blocked)


def _touching(board: Board) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    shape = board.shape or ()
    steps = [step for step in product((-1, 0, 1), repeat=len(shape)) if step > (0,) * len(shape)]
    check_memory("of neighbours", 4 * len(steps) * board.cell_count, board.cell_count)
    numbers = np.arange(board.cell_count, dtype=np.int64).reshape(shape)
    found = [np.empty((0, 2), dtype=np.int64)]
    for step in steps:
        there = np.roll(numbers, [-move for move in step], range(len(shape)))
        # Without wrap the last cells of an axis have no neighbours beyond it.
        inside = tuple(
            slice(None) if axis in board.wrap else slice(max(0, -move), length - max(0, move))
            for axis, (move, length) in enumerate(zip(step, shape, strict=True))
        )
        pairs = np.stack([numbers[inside].ravel(), there[inside].ravel()], axis=1)
        found.append(pairs[pairs[:, 0] != pairs[:, 1]])
    return np.concatenate(found)


def _sharing(board: Board) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    sizes = board.line_sizes.astype(np.int64)
    check_memory("of neighbours", int((sizes * (sizes - 1)).sum()), board.cell_count)
    found = [np.empty((0, 2), dtype=np.int64)]
    for number in range(board.line_count):
        cells = board.line(number).astype(np.int64)
        first, second = np.triu_indices(len(cells), 1)
        found.append(np.stack([cells[first], cells[second]], axis=1))
    return np.concatenate(found)
