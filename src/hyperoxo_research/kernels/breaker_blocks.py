"""Blocks of plans of Breaker's: sets of lines that bear no more stones than they have spare cells.

On n^d they are hyperplanes. `docs/breaker.md` has the rules and their proofs.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Words
from hyperoxo_research.kernels.breaker_lines import borne_by, has_line, shared_by
from hyperoxo_research.kernels.breaker_rules import PlanBoard, bits
from hyperoxo_research.kernels.breaker_states import (
    BREAKER,
    MAKER,
    SEVERAL,
    all_stones,
    is_open,
    live_in,
    stones_in,
    undecided_in,
    warm_in,
)
from hyperoxo_research.kernels.breaker_stones import (
    NO_EVENT,
    Stones,
    event_of,
    is_set_at_risk,
    newly_warm,
    pairs_at_risk,
    region_of,
)

_ONE = np.uint64(1)
_NO_STONE = 15
"""A kind of stone in no region, with no line that becomes warm."""


@njit(**NO_REFCOUNT)
def block_spare(board: PlanBoard, state: Words, block: int) -> int:
    """Return how many cells a live block has to spare."""
    blocks = board.blocks
    return int(blocks.spare[block] - bits(blocks.keys[block] & state[MAKER]))


@njit(**NO_REFCOUNT)
def most_on_block(board: PlanBoard, state: Words, block: int, kind: int, total: int) -> int:
    """Return how many stones of some number may be on a live block, with one of some kind."""
    blocks, away, found = board.blocks, total, 0
    for region in range(board.regions.moved.shape[1]):
        near, warm = stones_in(state, region), warm_in(state, region)
        known = not is_open(state, region)
        if region == region_of(kind):
            near += known and near < SEVERAL
            warm |= newly_warm(kind)
        if known:
            away -= near
        borne = borne_by(board, region, blocks.rich[block, region], warm)
        borne += blocks.beside[block, region]
        found += min(borne, near) if near < SEVERAL else borne
    return int(min(total, found + min(away, blocks.poor[block], blocks.away[block])))


@njit(**NO_REFCOUNT)
def is_in_danger(board: PlanBoard, state: Words, block: int, kind: int, total: int) -> bool:
    """Tell whether a block is live and may bear too many of some number of stones."""
    if board.blocks.keys[block] & state[BREAKER]:
        return False
    spare = block_spare(board, state, block)
    return bool(total > spare and most_on_block(board, state, block, kind, total) > spare)


@njit(**NO_REFCOUNT)
def blocks_bear(board: PlanBoard, before: Words, after: Words) -> bool:
    """Tell whether live blocks with a key that Maker took bear the stones that may be on them."""
    for block in range(len(board.blocks.keys)):
        fresh = board.blocks.keys[block] & after[MAKER] & ~before[MAKER]
        if fresh and is_in_danger(board, after, block, _NO_STONE, all_stones(after)):
            return False
    return True


@njit(**NO_REFCOUNT)
def blocks_are_met(
    board: PlanBoard, state: Words, replies: np.uint64, kind: int, stones: Stones
) -> bool:
    """Tell whether replies to a kind of stone take care of all blocks.

    No block may be in danger with another one, a pair or a set, unless one key hits both.
    """
    blocks, regions, total = board.blocks, board.regions, all_stones(state) + 1
    region, event, length = region_of(kind), event_of(kind), -1
    for block in range(len(blocks.keys)):
        if not is_in_danger(board, state, block, kind, total):
            continue
        spare = block_spare(board, state, block)
        # 1. An event, which keys on its line answer.
        if event != NO_EVENT:
            line = regions.lines[region, event]
            shared = blocks.on_line[block, line]
            if not has_line(board, block, line) and spare + regions.off[line] - shared <= total:
                return False
            continue
        # 2. The block alone, and with another one.
        if not blocks.keys[block] & replies:
            return False
        for other in range(block):
            if is_in_danger(board, state, other, kind, total):
                both = spare + block_spare(board, state, other) - blocks.on_block[block, other]
                if both + 2 <= total:
                    return False
        # 3. With sets and pairs at risk.
        if region < regions.moved.shape[1] and _meets_a_set(
            board, state, block, region, spare + 2, total
        ):
            return False
        if length < 0 and total <= regions.limits[0] + 1:
            length = pairs_at_risk(board, state, ~np.uint64(0), kind, stones)
        for at in range(length):
            poor, rich = stones.pairs[0, at], stones.pairs[1, at]
            pair = regions.off[poor] + regions.off[rich] - shared_by(board, poor, rich) - 4
            shared = blocks.on_line[block, poor] + blocks.on_line[block, rich]
            if not has_line(board, block, rich) and spare + pair + 2 - shared <= total:
                return False
    return True


@njit(**NO_REFCOUNT)
def _meets_a_set(
    board: PlanBoard, state: Words, block: int, region: int, spare: int, total: int
) -> bool:
    """Tell whether a block and a set of lines of a region may be in danger together."""
    live, undecided = live_in(board, state, region), undecided_in(board, state, region)
    warm, near, lines = warm_in(state, region), stones_in(state, region), live
    around = near + 1 if near < SEVERAL else total
    while lines:
        if (
            is_set_at_risk(board, region, lines, undecided, warm, around)
            and spare + board.regions.spare[region, lines]
            <= total + board.blocks.on_set[block, region, lines]
        ):
            return True
        lines = (lines - 1) & live
    return False
