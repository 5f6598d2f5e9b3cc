"""Compiled loops of the checker of plans by lines: blocks.

They are sets of poor and rich lines that never bear more stones than they have spare cells, see
``docs/breaker.md``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import njit_or_python as njit
from hyperoxo_research.proof.breaker_line_forms import Blocks, Regions
from hyperoxo_research.proof.breaker_line_loops import most_of_places, most_on
from hyperoxo_research.proof.breaker_loops import POOR, RICH, Longs, PlanLines

_BIT = np.uint64(1)


def blocks_of(
    chosen: Sequence[Sequence[int]],
    rows: Sequence[Sequence[int]],
    lines: PlanLines,
    members: Sequence[Sequence[int]],
) -> Blocks:
    """Return blocks by their lines as arrays; `members` are the rich lines of each region."""
    keys = set(lines.keys.tolist())
    off = [set(row) - keys for row in rows]
    inside = np.zeros((len(chosen), len(rows)), np.bool_)
    for block, own in enumerate(chosen):
        inside[block, list(own)] = True
    cells = [set().union(*(off[line] for line in own)) for own in chosen]
    every = [set().union(*(rows[line] for line in own)) for own in chosen]
    width = max(map(len, members), default=0)
    common = np.zeros((len(chosen), len(members), 1 << width), np.int64)
    for block, own in enumerate(chosen):
        for region, some in enumerate(members):
            common[block, region] = _common(set(own), cells[block], some, off, width)
    return Blocks(
        inside=inside,
        keys=np.array(
            [sum(1 << at for at, key in enumerate(lines.keys) if key in one) for one in every],
            np.uint64,
        ),
        spare=np.array(
            [len(one) - 2 * len(own) for one, own in zip(every, chosen, strict=True)], np.int64
        ),
        shared=np.array([[len(one & two) for two in off] for one in cells], np.int64).reshape(
            len(chosen), len(rows)
        ),
        common=common,
        between=np.array([[len(one & two) for two in cells] for one in cells], np.int64).reshape(
            len(chosen), len(chosen)
        ),
    )


def _common(
    own: set[int], cells: set[int], some: Sequence[int], off: list[set[int]], width: int
) -> NDArray[np.int64]:
    """Return how many stones may be on a block and each set of lines of a region.

    A line of both bears all but two of its cells; other cells that both share are counted.
    """
    sets = np.arange(1 << width)
    found = np.zeros(len(sets), np.int64)
    has = [(sets >> at & 1).astype(np.bool_) for at in range(len(some))]
    for at, line in enumerate(some):
        if line in own:
            found += has[at] * (len(off[line]) - 2)
    for cell in cells:
        on = [at for at, line in enumerate(some) if cell in off[line]]
        held, by_own = np.zeros((2, len(sets)), np.bool_)
        for at in on:
            held |= has[at]
            by_own |= has[at] & (some[at] in own)
        found += held & ~by_own
    return found


@njit(nogil=True)
def spare_of(regions: Regions, block: int, maker: np.uint64) -> int:
    """Return how many cells a live block has to spare."""
    taken, found = regions.blocks.keys[block] & maker, regions.blocks.spare[block]
    while taken != 0:
        taken &= taken - _BIT
        found -= 1
    return int(found)


@njit(nogil=True)
def most_on_block(lines: PlanLines, regions: Regions, row: Longs, block: int) -> int:
    """Return how many stones there are on a block at most."""
    inside = regions.blocks.inside[block]
    # 1. What its rich lines bear, and the cells of its poor ones on none of them.
    most = np.zeros(len(regions.members), np.int64)
    marks = np.zeros(len(regions.is_key), np.int64)
    for line in range(len(inside)):
        if inside[line] and lines.kinds[line] == RICH:
            most[regions.of_line[line]] += most_on(regions, row, line)
            for at in range(lines.starts[line], lines.starts[line + 1]):
                marks[lines.cells[at]] = 1
    spare = apart = 0
    for line in range(len(inside)):
        if not inside[line] or lines.kinds[line] != POOR:
            continue
        spare -= 2
        for at in range(lines.starts[line], lines.starts[line + 1]):
            cell = lines.cells[at]
            spare += marks[cell] < 2
            if marks[cell] == 0:
                apart += 1
                if regions.of_cell[cell] >= 0:
                    most[regions.of_cell[cell]] += 1
            marks[cell] |= 2
    # 2. No more than there are in each region, and elsewhere.
    return int(min(row[0], most_of_places(row, most, min(spare, apart))))


@njit(nogil=True)
def in_danger(
    lines: PlanLines,
    regions: Regions,
    maker: np.uint64,
    breaker: np.uint64,
    row: Longs,
    block: int,
) -> bool:
    """Tell whether a block is live and may bear more stones than it has spare cells."""
    if regions.blocks.keys[block] & breaker != 0:
        return False
    spare = spare_of(regions, block, maker)
    return bool(row[0] > spare and most_on_block(lines, regions, row, block) > spare)


@njit(nogil=True)
def blocks_hold(
    lines: PlanLines,
    regions: Regions,
    earlier: np.uint64,
    maker: np.uint64,
    breaker: np.uint64,
    row: Longs,
) -> bool:
    """Check the blocks with a key that Maker had not `earlier`."""
    for block in range(len(regions.blocks.keys)):
        fresh = regions.blocks.keys[block] & maker & ~earlier
        if fresh != 0 and in_danger(lines, regions, maker, breaker, row, block):
            return False
    return True


@njit(nogil=True)
def blocks_in_danger(
    lines: PlanLines, regions: Regions, maker: np.uint64, breaker: np.uint64, row: Longs
) -> Longs:
    """Return the blocks that may bear too many stones."""
    found, length = np.zeros(len(regions.blocks.keys), np.int64), 0
    for block in range(len(found)):
        if in_danger(lines, regions, maker, breaker, row, block):
            found[length] = block
            length += 1
    return found[:length]


@njit(nogil=True)
def blocks_are_met(
    regions: Regions,
    maker: np.uint64,
    replies: np.uint64,
    total: int,
    danger: Longs,
    pairs: Longs,
    full: int,
) -> bool:
    """Check replies to a stone that may be one too many on some blocks; sets are not looked at.

    In an event `full` is its line, else -1. There are `total` stones with it.
    """
    blocks = regions.blocks
    for at, block in enumerate(danger):
        spare = spare_of(regions, block, maker)
        # 1. An event is answered on its line.
        if full >= 0:
            both = spare + regions.off[full] - blocks.shared[block, full]
            if not blocks.inside[block, full] and both <= total:
                return False
            continue
        # 2. Others on the block; no two of them, or one with a pair, are in danger at once.
        if blocks.keys[block] & replies == 0:
            return False
        for other in danger[:at]:
            both = spare + spare_of(regions, other, maker) + 2
            if both - blocks.between[block, other] <= total:
                return False
        for poor, rich in pairs:
            both = spare + regions.off[poor] + regions.off[rich] - 2
            both -= blocks.shared[block, poor] + blocks.shared[block, rich]
            if not blocks.inside[block, rich] and both - crossing_at(regions, poor, rich) <= total:
                return False
    return True


@njit(nogil=True)
def crossing_at(regions: Regions, poor: int, rich: int) -> int:
    """Return how many cells a poor and a rich line share."""
    for one, two, shared in regions.crossing:
        if one == poor and two == rich:
            return int(shared)
    return 0


@njit(nogil=True)
def block_with_a_set(
    regions: Regions, maker: np.uint64, total: int, danger: Longs, region: int, some: int
) -> bool:
    """Tell whether a block and a set of lines of a region may both have a stone too many."""
    for block in danger:
        both = spare_of(regions, block, maker) + regions.spare[region, some] + 2
        if both - regions.blocks.common[block, region, some] <= total:
            return True
    return False
