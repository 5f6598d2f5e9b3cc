"""Transposition table of the key-plan search: states by canonical form, shared by threads.

Each thread caches the symmetries that minimise Maker's keys, and its latest look-ups.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes, Longs, Words, copy
from hyperoxo_research.kernels.atomic import PUBLISHED, claim, is_published, publish
from hyperoxo_research.kernels.key_plan_rules import PlanBoard
from hyperoxo_research.kernels.key_plan_states import (
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
    """Caches of one thread."""

    recent: Words
    """Normal states not in canonical form, with their indices, ``[entries, STATE + 1]``."""
    # Entry: Maker's keys, their least image, and begin and end in `pool` of the symmetries that
    # give it; an end of 0 marks an empty entry.
    cosets: Words
    """Symmetries that minimise Maker's keys, ``[entries, 4]``."""
    pool: Longs
    """Symmetries from index 1 on; the length is at index 0."""
    image: Words
    """Scratch state."""


class PlanTable(NamedTuple):
    """Open addressing with linear probing; the number of slots is a power of two."""

    states: Words
    """Canonical forms, ``[slots, STATE]``."""
    # Threads write `won` and `lost` without a lock: each value is true by itself, so one that
    # another thread overwrites costs a repetition and nothing else.
    used: Bytes
    """`PUBLISHED` where there is a state."""
    # Fewest rounds known to win it, or OPEN.
    won: Bytes
    lost: Bytes
    """Most rounds that do not win it plus one, or `NEVER`.

    With `KEYS_ALONE` for numbers, an entry is of all states with these keys: by numbers alone it is
    a leaf for fewer counted stones than `won`, and for `lost` or more it is none.
    """
    general: Bytes
    """Mark of each state that is in the list of its wide state."""
    # A linked list for each wide state: its won states with open regions, which stand for others
    # with the same keys and as many stones. Links are indices plus one, 0 ends a list.
    first: Longs
    """Head of the list of each wide state."""
    after: Longs
    """Next entry of the list."""
    size: Longs
    """Number of states, or a few less where several threads enter them."""
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
    # They are a coset of the keys' stabiliser, usually far smaller than the group. Canonical forms
    # of all states with these keys minimise over it alone.
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
    """Write the canonical form of a normal state, its lexicographically least image."""
    # 1. Maker's keys come first, so only symmetries of their coset can give the least image.
    at = _coset(board, state[MAKER], table)
    images, image = board.images, table.own.image
    # 2. A plain state has no regions or lines to move: Breaker's keys alone decide.
    alone = is_plain(state)
    found[MAKER], found[BREAKER] = table.own.cosets[at, 1], ~np.uint64(0)
    for part in range(NUMBERS, STATE):
        found[part] = state[part]
    for place in range(int(table.own.cosets[at, 2]), int(table.own.cosets[at, 3])):
        symmetry = table.own.pool[place]
        other = _image(images, symmetry, state[BREAKER])
        if other > found[BREAKER]:
            continue
        # 3. With equal keys the numbers and warm lines decide.
        if not alone:
            move(board, state, symmetry, image)
            if other < found[BREAKER] or _is_less(image, found):
                for part in range(NUMBERS, STATE):
                    found[part] = image[part]
        found[BREAKER] = other


@njit(**NO_REFCOUNT)
def _is_less(one: Words, two: Words) -> bool:
    """Return whether the stones and warm lines of a state come first in lexicographic order."""
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
    """Return the index of a state in the table, or -1.

    Its canonical form is written into `found`, and the state made normal.
    """
    # 1. The cache of latest look-ups, by the normal state itself.
    if state[NUMBERS] != np.uint64(KEYS_ALONE):
        make_normal(board, state)
    recent = table.own.recent
    slot = np.int64(_mixed(state)) & np.int64(recent.shape[0] - 1)
    if _same(recent[slot], state):
        at = np.int64(recent[slot, STATE])
        copy(found, table.states[at])
        return int(at)
    # 2. By canonical form. A state that is absent is not cached: it may be entered soon.
    least(board, state, table, found)
    here = _gap(table, found)
    if here < 0:
        return -1
    for part in range(STATE):
        recent[slot, part] = state[part]
    recent[slot, STATE] = np.uint64(here)
    return int(here)


@njit(**NO_REFCOUNT)
def _gap(table: PlanTable, found: Words) -> int:
    """Return the place of a canonical form, or ``-1 - gap`` for the first free slot."""
    mask = np.int64(len(table.used) - 1)
    at = np.int64(_mixed(found)) & mask
    while is_published(table.used, int(at)):
        if _same(table.states[at], found):
            return int(at)
        at = (at + 1) & mask
    return -1 - int(at)


@njit(**NO_REFCOUNT)
def _mixed(state: Words) -> np.uint64:
    """Hash a state."""
    mixed = np.uint64(0)
    for part in range(STATE):
        mixed = (mixed ^ state[part] ^ mixed >> _HALF) * _GOLDEN
        mixed = (mixed ^ mixed >> _FOLD) * _SILVER
    return mixed ^ mixed >> _HALF


@njit(**NO_REFCOUNT)
def enter(table: PlanTable, found: Words, won: int, lost: int) -> int:
    """Enter a canonical form and return its place; another thread may have entered it already."""
    # 1. Claim the gap. If another thread was faster, probe again: it may have entered this state.
    at = _gap(table, found)
    while at < 0 and not claim(table.used, -1 - at):
        at = _gap(table, found)
    if at >= 0:
        return at
    # 2. Write, then publish: readers wait at a claimed slot until its words are complete.
    at = -1 - at
    copy(table.states[at], found)
    table.won[at], table.lost[at] = won, lost
    publish(table.used, at)
    table.size[0] += 1
    return int(at)


@njit(**NO_REFCOUNT)
def list_general(table: PlanTable, at: int, wide: int) -> None:
    """Add a state to the list of its wide state."""
    # Two threads that add at a time may lose one entry, which costs time but is sound.
    if claim(table.general, at):
        table.after[at] = table.first[wide]
        table.first[wide] = at + 1


@njit(**NO_REFCOUNT)
def general_place(board: PlanBoard, state: Words, rounds: int, wide: int, table: PlanTable) -> int:
    """Return the index of a listed state that stands for a state and wins in `rounds`, or -1."""
    if not table.first[wide]:
        return -1
    # Listed states have the canonical keys of the wide state, and as many stones. So the state is
    # compared under each symmetry that gives its keys this form; any one may make an entry fit.
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
    """Return whether a table is within 4,096 states, more than a step adds, of 5/8 full."""
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
    # Links are places of the old table: build the lists again.
    wide = new.own.image
    for here in range(len(new.general)):
        if new.general[here]:
            make_wide(new.states[here], wide)
            keys = _gap(new, wide)
            if keys >= 0:
                new.after[here] = new.first[keys]
                new.first[keys] = here + 1
