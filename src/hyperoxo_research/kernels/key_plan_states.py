"""States of the key-plan search, packed into words.

A state is five words: Maker's keys and Breaker's, one bit each; the numbers of counted stones; and
two words with the warm lines, sixteen bits for each region. The numbers have eight bits for all
counted stones, the lowest, and above them two bits for each region, 3 for three stones or more.
If regions are not distinguished, the last three are the number of stones and zeros.

An *open* region has any number of stones anywhere, and all its live lines are warm; the numbers
have a bit for each open region. In a *wide* state all regions are open. Tables hold it *folded*, as
the number of all stones and a mark; rules that read regions and lines *unfold* it.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Words, copy
from hyperoxo_research.kernels.key_plan_rules import PlanBoard

MAKER, BREAKER, NUMBERS, WARM = range(4)
STATE = 5
"""Words of a state."""
MOST_REGIONS, MOST_LINES = 8, 16
MOST_STONES = 250
SEVERAL = 3
"""Stones of a region: three or more."""
# state[NUMBERS]: bits 0-7 all stones, 8-23 two for each region, 32-39 the open regions, 63 wide.
# state[WARM] has the warm lines of regions 0 to 3, state[WARM + 1] those of regions 4 to 7.
_ALL, _TWO, _LINES = np.uint64(255), np.uint64(3), np.uint64(0xFFFF)
_WIDE, _OPEN = np.uint64(1 << 63), np.uint64(1 << 32)


@njit(**NO_REFCOUNT)
def all_stones(state: Words) -> int:
    """Return the number of all counted stones."""
    return int(np.int64(state[NUMBERS] & _ALL))


@njit(**NO_REFCOUNT)
def is_wide(state: Words) -> bool:
    """Return whether all regions are open."""
    return bool(state[NUMBERS] & _WIDE)


@njit(**NO_REFCOUNT)
def is_open(state: Words, region: int) -> bool:
    """Return whether a region is open."""
    return bool(state[NUMBERS] & _OPEN << np.uint64(region))


@njit(**NO_REFCOUNT)
def is_plain(state: Words) -> bool:
    """Return whether symmetries of a normal state move its keys alone."""
    return not (state[NUMBERS] & ~(_ALL | _WIDE) or state[WARM] or state[WARM + 1])


@njit(**NO_REFCOUNT)
def stones_in(state: Words, region: int) -> int:
    """Return z of a region: its stones, `SEVERAL` for three or more or an open region."""
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
    # A state that is equal in the rules must be equal in its words, or tables hold it twice.
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
    """Open a region; return whether that changed the state."""
    live = live_in(board, state, region)
    if not live or is_open(state, region):
        return False
    state[NUMBERS] |= _OPEN << np.uint64(region) | _TWO << np.uint64(8 + 2 * region)
    add_warm(state, region, live)
    return True


@njit(**NO_REFCOUNT)
def stands_for(general: Words, state: Words, regions: int) -> bool:
    """Return whether a state stands for another with the same keys and as many stones."""
    # Its invariants must follow from those of the other, region by region. With fewer than three
    # stones the warm lines are the full ones and must agree; from there on more may be warm.
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
    """Write the open regions and warm lines of a wide state into its words."""
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
