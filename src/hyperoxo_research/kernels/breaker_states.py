"""States of a search for a plan of Breaker's, as words.

A state is five words: Maker's keys and Breaker's, a bit each; the numbers of counted stones; and
two words with the warm lines, sixteen bits for each region. The numbers have eight bits for all
counted stones, the lowest, and above them two bits for each region, 3 for three stones or more.
Where regions are not told apart, the last three are the number of stones and zeros.

Of an *open* region nothing is said of where its stones are: there may be any number, and all live
lines are warm; a bit for each of these is in the numbers too. In a *wide* state all regions are
open. In tables it is the number of all stones and a mark; it is *unfolded* where rules look at
regions and lines.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Words, copy
from hyperoxo_research.kernels.breaker_rules import PlanBoard

MAKER, BREAKER, NUMBERS, WARM = range(4)
STATE = 5
"""Words of a state."""
MOST_REGIONS, MOST_LINES = 8, 16
MOST_STONES = 250
SEVERAL = 3
"""Stones of a region that may be more."""
_ALL, _TWO, _LINES = np.uint64(255), np.uint64(3), np.uint64(0xFFFF)
_WIDE, _OPEN = np.uint64(1 << 63), np.uint64(1 << 32)


@njit(**NO_REFCOUNT)
def all_stones(state: Words) -> int:
    """Return the number of all counted stones."""
    return int(np.int64(state[NUMBERS] & _ALL))


@njit(**NO_REFCOUNT)
def is_wide(state: Words) -> bool:
    """Tell whether nothing is said of where stones are."""
    return bool(state[NUMBERS] & _WIDE)


@njit(**NO_REFCOUNT)
def is_open(state: Words, region: int) -> bool:
    """Tell whether nothing is said of where the stones of a region are."""
    return bool(state[NUMBERS] & _OPEN << np.uint64(region))


@njit(**NO_REFCOUNT)
def is_plain(state: Words) -> bool:
    """Tell whether a state in normal form is the same in all places that stones may have."""
    return not (state[NUMBERS] & ~(_ALL | _WIDE) or state[WARM] or state[WARM + 1])


@njit(**NO_REFCOUNT)
def stones_in(state: Words, region: int) -> int:
    """Return the number of stones in a region, `SEVERAL` if there may be more."""
    return int(np.int64(state[NUMBERS] >> np.uint64(8 + 2 * region) & _TWO))


@njit(**NO_REFCOUNT)
def warm_in(state: Words, region: int) -> int:
    """Return the warm lines of a region."""
    return int(np.int64(state[WARM + (region >> 2)] >> np.uint64(16 * (region & 3)) & _LINES))


@njit(**NO_REFCOUNT)
def add_warm(state: Words, region: int, lines: int) -> None:
    """Make some lines of a region warm."""
    state[WARM + (region >> 2)] |= np.uint64(lines) << np.uint64(16 * (region & 3))


@njit(**NO_REFCOUNT)
def one_stone_more(state: Words, region: int) -> None:
    """Count a stone in a region, or elsewhere if it is below 0."""
    state[NUMBERS] += np.uint64(1)
    if region >= 0 and stones_in(state, region) < SEVERAL:
        state[NUMBERS] += np.uint64(1 << 8 + 2 * region)


@njit(**NO_REFCOUNT)
def answer_key(state: Words, key: np.uint64, reply: np.uint64, child: Words) -> None:
    """Write the state after Maker took a key and Breaker another."""
    copy(child, state)
    child[MAKER] |= key
    child[BREAKER] |= reply


@njit(**NO_REFCOUNT)
def lines_in(board: PlanBoard, region: int, none_of: np.uint64, some_of: np.uint64) -> int:
    """Return the lines of a region with none of some keys and at least one of others."""
    found, at = 0, 0
    while at < MOST_LINES and board.regions.lines[region, at] >= 0:
        mask = board.masks[board.regions.lines[region, at]]
        if not mask & none_of and mask & some_of:
            found |= 1 << at
        at += 1
    return found


@njit(**NO_REFCOUNT)
def live_in(board: PlanBoard, state: Words, region: int) -> int:
    """Return the live lines of a region."""
    return int(lines_in(board, region, state[BREAKER], ~np.uint64(0)))


@njit(**NO_REFCOUNT)
def undecided_in(board: PlanBoard, state: Words, region: int) -> int:
    """Return the live lines of a region that have a free key."""
    return int(lines_in(board, region, state[BREAKER], ~state[MAKER]))


@njit(**NO_REFCOUNT)
def make_normal(board: PlanBoard, state: Words) -> None:
    """Forget regions without live lines, and warm lines that are not live; fold a wide state."""
    if is_wide(state):
        state[NUMBERS] &= _ALL | _WIDE
        state[WARM] = state[WARM + 1] = np.uint64(0)
    if is_plain(state):
        return
    for region in range(board.regions.moved.shape[1]):
        word, shift = WARM + (region >> 2), np.uint64(16 * (region & 3))
        live = live_in(board, state, region)
        if not live:
            state[NUMBERS] &= ~(_OPEN << np.uint64(region) | _TWO << np.uint64(8 + 2 * region))
        state[word] &= ~(_LINES << shift) | np.uint64(live) << shift


@njit(**NO_REFCOUNT)
def make_wide(state: Words, wide: Words) -> None:
    """Write the wide state with as many stones."""
    wide[MAKER], wide[BREAKER] = state[MAKER], state[BREAKER]
    wide[NUMBERS] = state[NUMBERS] & _ALL | _WIDE
    wide[WARM] = wide[WARM + 1] = np.uint64(0)


@njit(**NO_REFCOUNT)
def forget(board: PlanBoard, state: Words, region: int) -> bool:
    """Say no more of where the stones of a region are; return whether something was said."""
    live = live_in(board, state, region)
    if not live or is_open(state, region):
        return False
    state[NUMBERS] |= _OPEN << np.uint64(region) | _TWO << np.uint64(8 + 2 * region)
    add_warm(state, region, live)
    return True


@njit(**NO_REFCOUNT)
def stands_for(general: Words, state: Words, regions: int) -> bool:
    """Tell whether a state says no more than another of the same keys and as many stones."""
    for region in range(regions):
        if is_open(general, region):
            continue
        near, lines = stones_in(general, region), warm_in(general, region)
        if is_open(state, region) or near != stones_in(state, region):
            return False
        more = lines ^ warm_in(state, region)
        if more and (near < SEVERAL or more & ~lines):
            return False
    return True


@njit(**NO_REFCOUNT)
def unfold(board: PlanBoard, state: Words) -> None:
    """Write into a state that is wide which stones and warm lines its regions may have."""
    if not is_wide(state):
        return
    for region in range(board.regions.moved.shape[1]):
        live = live_in(board, state, region)
        if live:
            state[NUMBERS] |= _OPEN << np.uint64(region) | _TWO << np.uint64(8 + 2 * region)
            add_warm(state, region, live)


@njit(**NO_REFCOUNT)
def move(board: PlanBoard, state: Words, symmetry: int, image: Words) -> None:
    """Write the image of stones and warm lines under a symmetry."""
    regions = board.regions
    image[NUMBERS] = state[NUMBERS] & _ALL
    image[WARM] = image[WARM + 1] = np.uint64(0)
    for region in range(regions.moved.shape[1]):
        there = regions.moved[symmetry, region]
        image[NUMBERS] |= np.uint64(stones_in(state, region)) << np.uint64(8 + 2 * there)
        if is_open(state, region):
            image[NUMBERS] |= _OPEN << np.uint64(there)
        lines = warm_in(state, region)
        if lines:
            moved = regions.moved_lines[symmetry, region, 0, lines & 255]
            moved |= regions.moved_lines[symmetry, region, 1, lines >> 8]
            add_warm(image, there, moved)
