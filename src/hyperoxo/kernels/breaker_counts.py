"""Counted stones by regions, packed into a word.

A *region* is a set of rich lines that hang together by cells off the keys. A word has four bits for
each region, the first lowest, and the number of stones elsewhere above them. Where regions are not
told apart there are none, and the word is the number of stones. A region all of whose live lines
are decided is *settled*, and its stones count as stones elsewhere.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.kernels.breaker_rules import PlanBoard
from hyperoxo.kernels.lean import lean

MOST_REGIONS = 14
MOST_STONES = 14
"""Most stones of one region."""

_DIGIT = np.uint64(15)


@lean
def stones_in(board: PlanBoard, counted: int, region: int) -> int:
    """Return the number of stones in a region, or elsewhere if it is their number."""
    if region == board.moved.shape[1]:
        return int(counted >> 4 * region)
    return int(counted >> 4 * region & 15)


@lean
def all_stones(board: PlanBoard, counted: int) -> int:
    """Return the number of all stones."""
    total = 0
    for region in range(board.moved.shape[1] + 1):
        total += stones_in(board, counted, region)
    return total


@lean
def one_stone_more(counted: int, region: int) -> int:
    """Count one more stone in a region."""
    return counted + (1 << 4 * region)


@lean
def stones_anywhere(board: PlanBoard, total: int) -> int:
    """Return the word of a number of stones in each region and elsewhere."""
    regions = board.moved.shape[1]
    word = total << 4 * regions
    for region in range(regions):
        word += min(total, 15) << 4 * region
    return int(word)


@lean
def open_regions(board: PlanBoard, maker: np.uint64, breaker: np.uint64) -> int:
    """Return the regions with a live line that has a free key, a bit each."""
    found, regions = 0, board.moved.shape[1]
    for line in range(len(board.kinds) if regions else 0):
        region = board.line_region[line]
        if region >= 0 and not board.masks[line] & breaker and board.masks[line] & ~maker:
            found |= 1 << region
    return found


@lean
def settled(board: PlanBoard, maker: np.uint64, breaker: np.uint64, counted: int) -> int:
    """Count the stones of settled regions as stones elsewhere."""
    regions = board.moved.shape[1]
    if not counted & (1 << 4 * regions) - 1:
        return counted
    opened = open_regions(board, maker, breaker)
    for region in range(regions):
        stones = counted >> 4 * region & 15
        if not opened >> region & 1:
            counted += (stones << 4 * regions) - (stones << 4 * region)
    return counted


@lean
def word_moved(board: PlanBoard, counted: np.uint64, symmetry: int) -> np.uint64:
    """Return the image of stones by regions under a symmetry."""
    regions = board.moved.shape[1]
    image = counted >> np.uint64(4 * regions) << np.uint64(4 * regions)
    for region in range(regions):
        digit = counted >> np.uint64(4 * region) & _DIGIT
        image |= digit << np.uint64(4 * board.moved[symmetry, region])
    return image
