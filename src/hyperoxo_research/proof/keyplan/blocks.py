"""Blocks: sets of poor and rich lines that never bear more stones than they have spare cells."""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import njit_or_python as njit
from hyperoxo_research.proof.keyplan.board import Board, Longs
from hyperoxo_research.proof.keyplan.pairs import (
    max_elsewhere,
    max_in_regions,
    max_on_line,
    spare_of_pair,
)
from hyperoxo_research.proof.keyplan.states import State

_BIT = np.uint64(1)


@njit(nogil=True)
def block_spare(board: Board, block: int, maker: np.uint64) -> int:
    """Return f of a live block."""
    taken, found = board.blocks.keys[block] & maker, board.blocks.spare[block]
    while taken != 0:
        taken &= taken - _BIT
        found -= 1
    return int(found)


@njit(nogil=True)
def max_on_block(board: Board, row: Longs, block: int) -> int:
    """Return m(Π), the most stones on a block."""
    blocks, most = board.blocks, board.blocks.beside[block].copy()
    for region, members in enumerate(board.regions.members):
        for bit, line in enumerate(members):
            if blocks.rich[block, region] >> bit & 1:
                most[region] += max_on_line(board, row, line)
    away = min(blocks.elsewhere[block], max_elsewhere(board, row))
    return int(min(row[0], away + max_in_regions(row, most)))


@njit(nogil=True)
def is_block_at_risk(board: Board, state: State, block: int) -> bool:
    """Return whether a block is live and m(Π) > f(Π)."""
    if board.blocks.keys[block] & state.breaker != 0:
        return False
    spare = block_spare(board, block, state.maker)
    return bool(state.row[0] > spare and max_on_block(board, state.row, block) > spare)


@njit(nogil=True)
def blocks_at_risk(board: Board, state: State) -> Longs:
    """Return the blocks that may bear too many stones."""
    found, length = np.zeros(len(board.blocks.keys), np.int64), 0
    for block in range(len(found)):
        if is_block_at_risk(board, state, block):
            found[length] = block
            length += 1
    return found[:length]


@njit(nogil=True)
def are_blocks_safe(board: Board, earlier: np.uint64, state: State) -> bool:
    """R6: return whether no block is at risk that has a key that Maker had not `earlier`."""
    for block, keys in enumerate(board.blocks.keys):
        fresh = keys & state.maker & ~earlier
        if fresh != 0 and is_block_at_risk(board, state, block):
            return False
    return True


@njit(nogil=True)
def shared_with(board: Board, block: int, line: int) -> int:
    """Return |N₀(Π) ∩ N₀(l)|."""
    lines, found = board.lines, 0
    for at in range(lines.starts[line], lines.starts[line + 1]):
        found += board.blocks.cells[block, lines.cells[at]]
    return found


@njit(nogil=True)
def max_on_both(board: Board, block: int, region: int, some: int) -> int:
    """Return s(Π, A) for a set A of lines of a region."""
    regions, inside, found, own = board.regions, board.blocks.inside[block], 0, 0
    for bit, line in enumerate(regions.members[region]):
        if some >> bit & 1 and inside[line]:
            found += board.off[line] - 2
            own |= 1 << bit
    for cell in range(len(regions.of_cell)):
        if board.blocks.cells[block, cell] and regions.of_cell[cell] == region:
            found += regions.on_cell[cell] & some != 0 and regions.on_cell[cell] & own == 0
    return int(found)


@njit(nogil=True)
def are_blocks_apart_from_event(
    board: Board, maker: np.uint64, total: int, risky: Longs, event: int
) -> bool:
    """R7.4 in an event at a line: no block without it may be one too many at once."""
    for block in risky:
        both = block_spare(board, block, maker) + board.off[event]
        both -= shared_with(board, block, event)
        if not board.blocks.inside[block, event] and both <= total:
            return False
    return True


@njit(nogil=True)
def are_blocks_apart(
    board: Board,
    maker: np.uint64,
    total: int,
    risky: Longs,
    pairs: Longs,
    sets: Longs,
    region: int,
) -> bool:
    """R7.4 else: no two blocks, no block with a set, and none with a pair, are violated at once."""
    blocks = board.blocks
    for at, block in enumerate(risky):
        spare = block_spare(board, block, maker) + 2
        for other in risky[:at]:
            both = spare + block_spare(board, other, maker)
            if both - (blocks.cells[block] & blocks.cells[other]).sum() <= total:
                return False
        for some in sets:
            both = spare + board.regions.spare[region, some]
            if both - max_on_both(board, block, region, some) <= total:
                return False
        for poor, rich in pairs:
            both = spare + spare_of_pair(board, poor, rich)
            both -= shared_with(board, block, poor) + shared_with(board, block, rich)
            if not blocks.inside[block, rich] and both <= total:
                return False
    return True
