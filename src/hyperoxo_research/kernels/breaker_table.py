"""The table of the search for a plan of Breaker's: states by an image that stands for all of them.

The symmetries that give Maker's keys their least image are remembered, and so is where states were
found last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes, Longs, Words, copy
from hyperoxo_research.kernels.atomic import PUBLISHED, claim, is_published, publish
from hyperoxo_research.kernels.breaker_rules import PlanBoard
from hyperoxo_research.kernels.breaker_states import (
    BREAKER,
    MAKER,
    NUMBERS,
    STATE,
    is_plain,
    make_normal,
    make_wide,
    move,
    stands_for,
)

NEVER = 254
"""Rounds of a state that no number of rounds wins."""
KEYS_ALONE = 255
"""Numbers in entries that are of the keys alone; see `PlanTable`."""

_LOW = np.uint64(255)
_GOLDEN, _SILVER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_FOLD, _HALF = np.uint64(29), np.uint64(32)


class Lookup(NamedTuple):
    """What each thread remembers for itself."""

    recent: Words
    """States asked for, in any image, and their places, ``[entries, STATE + 1]``."""
    cosets: Words
    """Maker's keys, their least image, and where `pool` lists the symmetries that give it."""
    pool: Longs
    """Symmetries from place 1 on; the length is at place 0."""
    image: Words
    """Room for a state."""


class PlanTable(NamedTuple):
    """States that were met, by an image that stands for all of them; threads share them."""

    states: Words
    """``[slots, STATE]``."""
    used: Bytes
    """`PUBLISHED` where there is a state."""
    won: Bytes
    lost: Bytes
    """Most rounds that do not win it plus one, or `NEVER`.

    With `KEYS_ALONE` for numbers, an entry is of all states with these keys: by numbers alone it is
    a leaf for fewer counted stones than `won`, and for `lost` or more it is none.
    """
    general: Bytes
    """A mark for each state that is listed as one that stands for others."""
    first: Longs
    """Of each wide state, the place of a state that stands for others of its keys, plus one."""
    after: Longs
    """Of each of those, the place of the next one, plus one."""
    size: Longs
    """How many states there are, or a few less where several threads enter them."""
    own: Lookup


@njit(**NO_REFCOUNT)
def _image(images: Words, symmetry: int, stones: np.uint64) -> np.uint64:
    """Return the image of some keys."""
    found = np.uint64(0)
    for eight in range(images.shape[0]):
        found |= images[eight, stones >> np.uint64(8 * eight) & _LOW, symmetry]
    return found


@njit(**NO_REFCOUNT)
def _coset(board: PlanBoard, maker: np.uint64, table: PlanTable) -> int:
    """Return the entry of `cosets` with the symmetries that give Maker's keys their least image."""
    cosets, pool, images = table.own.cosets, table.own.pool, board.images
    mixed = (maker ^ maker >> _HALF) * _GOLDEN
    at = int(np.int64(mixed >> _HALF) & np.int64(cosets.shape[0] - 1))
    if cosets[at, 0] == maker and cosets[at, 3]:
        return at
    count = images.shape[2]
    least_image = ~np.uint64(0)
    for symmetry in range(count):
        image = _image(images, symmetry, maker)
        least_image = min(least_image, image)
    if int(pool[0]) + count >= len(pool):
        # No more room: forget all of them.
        pool[0] = 1
        for entry in range(cosets.shape[0]):
            cosets[entry, 3] = 0
    first = int(pool[0])
    length = first
    for symmetry in range(count):
        image = _image(images, symmetry, maker)
        if image == least_image:
            pool[length] = symmetry
            length += 1
    pool[0] = length
    cosets[at, 0], cosets[at, 1] = maker, least_image
    cosets[at, 2], cosets[at, 3] = np.uint64(first), np.uint64(length)
    return int(at)


@njit(**NO_REFCOUNT)
def least(board: PlanBoard, state: Words, table: PlanTable, found: Words) -> None:
    """Write the least image of a normal state under the symmetries of the keys into `found`."""
    at = _coset(board, state[MAKER], table)
    images, image = board.images, table.own.image
    # Stones by regions are moved too; those alone stay what they are.
    alone = is_plain(state)
    found[MAKER], found[BREAKER] = table.own.cosets[at, 1], ~np.uint64(0)
    for part in range(NUMBERS, STATE):
        found[part] = state[part]
    for place in range(int(table.own.cosets[at, 2]), int(table.own.cosets[at, 3])):
        symmetry = table.own.pool[place]
        other = _image(images, symmetry, state[BREAKER])
        if other > found[BREAKER]:
            continue
        if not alone:
            move(board, state, symmetry, image)
            if other < found[BREAKER] or _is_less(image, found):
                for part in range(NUMBERS, STATE):
                    found[part] = image[part]
        found[BREAKER] = other


@njit(**NO_REFCOUNT)
def _is_less(one: Words, two: Words) -> bool:
    """Tell whether stones and warm lines come before others."""
    for part in range(NUMBERS, STATE):
        if one[part] != two[part]:
            return bool(one[part] < two[part])
    return False


@njit(**NO_REFCOUNT)
def _same(one: Words, two: Words) -> bool:
    same = True
    for part in range(STATE):
        same &= one[part] == two[part]
    return bool(same)


@njit(**NO_REFCOUNT)
def place(board: PlanBoard, state: Words, table: PlanTable, found: Words) -> int:
    """Return the place of a state in the table, or -1 if it is not there.

    Its least image is written into `found`, and the state made normal. Where states were found last
    is remembered.
    """
    # 1. A state that was asked for not long ago.
    if state[NUMBERS] != np.uint64(KEYS_ALONE):
        make_normal(board, state)
    kept = table.own.recent
    slot = np.int64(_mixed(state)) & np.int64(kept.shape[0] - 1)
    if _same(kept[slot], state):
        at = np.int64(kept[slot, STATE])
        copy(found, table.states[at])
        return int(at)
    # 2. By its least image.
    least(board, state, table, found)
    here = _gap(table, found)
    if here < 0:
        return -1
    for part in range(STATE):
        kept[slot, part] = state[part]
    kept[slot, STATE] = np.uint64(here)
    return int(here)


@njit(**NO_REFCOUNT)
def _gap(table: PlanTable, found: Words) -> int:
    """Return the place of a least image; if it is not there, -1 less that of the gap."""
    mask = np.int64(len(table.used) - 1)
    at = np.int64(_mixed(found)) & mask
    while is_published(table.used, int(at)):
        if _same(table.states[at], found):
            return int(at)
        at = (at + 1) & mask
    return -1 - int(at)


@njit(**NO_REFCOUNT)
def _mixed(state: Words) -> np.uint64:
    """Mix the words of a state, each bit into all others."""
    mixed = np.uint64(0)
    for part in range(STATE):
        mixed = (mixed ^ state[part] ^ mixed >> _HALF) * _GOLDEN
        mixed = (mixed ^ mixed >> _FOLD) * _SILVER
    return mixed ^ mixed >> _HALF


@njit(**NO_REFCOUNT)
def enter(table: PlanTable, found: Words, won: int, lost: int) -> int:
    """Enter a state, whose least image is `found`, and count it; return its place.

    Another thread may have entered it already.
    """
    at = _gap(table, found)
    while at < 0 and not claim(table.used, -1 - at):
        at = _gap(table, found)
    if at >= 0:
        return at
    at = -1 - at
    copy(table.states[at], found)
    table.won[at], table.lost[at] = won, lost
    publish(table.used, at)
    table.size[0] += 1
    return int(at)


@njit(**NO_REFCOUNT)
def list_general(table: PlanTable, at: int, wide: int) -> None:
    """List a state as one that stands for others of its keys, with the wide one of these.

    Where threads list two at a time, one may be lost, which costs no more than time.
    """
    if claim(table.general, at):
        table.after[at] = table.first[wide]
        table.first[wide] = at + 1


@njit(**NO_REFCOUNT)
def general_place(board: PlanBoard, state: Words, rounds: int, wide: int, table: PlanTable) -> int:
    """Return the place of a listed state that stands for some state and is won so soon, or -1."""
    if not table.first[wide]:
        return -1
    images, image = board.images, table.own.image
    make_normal(board, state)
    at = _coset(board, state[MAKER], table)
    for place in range(int(table.own.cosets[at, 2]), int(table.own.cosets[at, 3])):
        symmetry = table.own.pool[place]
        other = _image(images, symmetry, state[BREAKER])
        if other != table.states[wide, BREAKER]:
            continue
        move(board, state, symmetry, image)
        here = int(table.first[wide]) - 1
        while here >= 0:
            stands = stands_for(table.states[here], image, board.regions.moved.shape[1])
            if table.won[here] <= rounds and stands:
                return here
            here = int(table.after[here]) - 1
    return -1


@njit(**NO_REFCOUNT)
def table_is_full(table: PlanTable) -> bool:
    """Tell whether a table may have no room for all that one step of a search can add."""
    return bool(8 * (table.size[0] + 4096) > 5 * len(table.used))


@njit(**NO_REFCOUNT)
def move_over(old: PlanTable, new: PlanTable) -> None:
    """Copy all states into a larger table."""
    mask = np.int64(len(new.used) - 1)
    for slot in range(len(old.used)):
        if old.used[slot]:
            at = np.int64(_mixed(old.states[slot])) & mask
            while new.used[at]:
                at = (at + 1) & mask
            new.used[at] = PUBLISHED
            new.size[0] += 1
            copy(new.states[at], old.states[slot])
            new.won[at], new.lost[at] = old.won[slot], old.lost[slot]
            new.general[at] = old.general[slot]
    # Those that stand for others, with the wide states of their keys.
    wide = new.own.image
    for here in range(len(new.general)):
        if new.general[here]:
            make_wide(new.states[here], wide)
            keys = _gap(new, wide)
            if keys >= 0:
                new.after[here] = new.first[keys]
                new.first[keys] = here + 1
