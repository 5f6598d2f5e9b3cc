"""Pairings: two free cells of its own for every line that a rival could complete."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hyperoxo.position import FREE, Position


def open_lines(position: Position, maker: int) -> Iterator[list[int]]:
    """Give the free cells of each line on which nobody but `maker` has stones."""
    owners, board = position.owners, position.game.board
    for number in range(board.line_count):
        cells = board.line(number).tolist()
        if all(owners[cell] in (FREE, maker) for cell in cells):
            yield [cell for cell in cells if owners[cell] == FREE]


def pairs_of(position: Position, seat: int) -> tuple[tuple[int, int], ...] | None:
    """Find pairs of free cells, one on each line that the rival of a seat could complete."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    lines = list(open_lines(position, 3 - seat))
    if any(len(free) < 2 for free in lines):
        return None
    rows = [free for free in lines for _ in range(2)]
    if not rows or len(rows) > position.game.cells - position.ply:
        return None if rows else ()
    pointers = np.cumsum([0, *map(len, rows)])
    cells = np.concatenate([np.asarray(free, np.int32) for free in rows])
    shape = (len(rows), position.game.board.cell_count)
    graph = csr_array((np.ones(len(cells), np.int8), cells, pointers), shape=shape)
    found = maximum_bipartite_matching(graph, perm_type="column")
    if (found < 0).any():
        return None
    return tuple((min(pair), max(pair)) for pair in found.reshape(-1, 2).tolist())
