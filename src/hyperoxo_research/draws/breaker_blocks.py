"""Blocks of the search for plans of Breaker's, as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board import Board
from hyperoxo_research.kernels.breaker_rules import MAIN, POOR, RICH, Blocks, Regions
from hyperoxo_research.kernels.breaker_states import MOST_LINES


def hyperplanes(board: Board, rows: list[list[int]], kinds: list[int]) -> list[list[int]]:
    """Return the lines in each hyperplane of n^d without a main line, by their places.

    Those of 2^d are left out: its symmetries do not keep them.
    """
    if board.side is None or board.dim is None or board.side < 3:
        return []
    points = np.indices((board.side,) * board.dim).reshape(board.dim, -1)
    found = []
    for axis in points:
        for value in range(board.side):
            own = [at for at, row in enumerate(rows) if (axis[row] == value).all()]
            if own and all(kinds[at] != MAIN for at in own):
                found.append(own)
    return found


def blocks_told(
    chosen: list[list[int]],
    rows: list[list[int]],
    kinds: list[int],
    masks: list[int],
    off: list[set[int]],
    regions: Regions,
    words: int,
) -> Blocks:
    """Return the tables of some sets of lines, those off the keys of each line given."""
    count, number = regions.moved.shape[1], len(chosen)
    made = Blocks(
        lines=np.zeros((number, words), np.uint64),
        size=np.array([len(own) for own in chosen], np.int64),
        keys=np.zeros(number, np.uint64),
        spare=np.zeros(number, np.int64),
        poor=np.zeros(number, np.int64),
        away=np.zeros(number, np.int64),
        rich=np.zeros((number, count), np.int64),
        beside=np.zeros((number, count), np.int64),
        on_line=np.zeros((number, len(rows)), np.int64),
        on_set=np.zeros((number, count, regions.spare.shape[1]), np.int64),
        on_block=np.zeros((number, number), np.int64),
    )
    cells = [set().union(*(off[at] for at in own)) for own in chosen]
    for block, own in enumerate(chosen):
        poor = [at for at in own if kinds[at] == POOR]
        rich = [at for at in own if kinds[at] == RICH]
        for at in own:
            made.lines[block, at >> 6] |= np.uint64(1 << (at & 63))
            made.keys[block] |= np.uint64(masks[at])
        for at in rich:
            made.rich[block, regions.home[at]] |= 1 << int(regions.bit[at])
        poor_cells = set().union(*(off[at] for at in poor))
        apart = poor_cells.difference(*(off[at] for at in rich))
        made.spare[block] = len(set().union(*(rows[at] for at in own))) - 2 * len(own)
        made.poor[block] = len(poor_cells) - 2 * len(poor)
        made.away[block] = len(apart)
        for region in range(count):
            made.beside[block, region] = sum(
                int(regions.cell_home[cell] == region) for cell in apart
            )
            made.on_set[block, region] = _on_sets(
                regions, region, made.rich[block, region], cells[block]
            )
        made.on_line[block] = [len(cells[block] & one) for one in off]
        made.on_block[block] = [len(cells[block] & one) for one in cells]
    return made


def _on_sets(regions: Regions, region: int, inner: int, cells: set[int]) -> NDArray[np.int64]:
    """Return how many stones may be on a block and on each set of lines of a region.

    That is what the lines in both bear, and the other cells that both have.
    """
    sets = np.arange(regions.spare.shape[1])
    found = np.zeros(len(sets), np.int64)
    for place in range(MOST_LINES):
        if inner >> place & 1:
            found += (sets >> place & 1) * (regions.off[regions.lines[region, place]] - 2)
    for cell in cells:
        if regions.cell_home[cell] == region:
            on = int(regions.on_cell[cell])
            found += (sets & on != 0) & (sets & on & inner == 0)
    return found
