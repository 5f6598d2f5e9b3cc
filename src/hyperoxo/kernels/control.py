"""Control of a running search by its caller and other threads, and its set of keys."""

from __future__ import annotations

from typing import Any

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs, Words

NODES, NODE_LIMIT, STOP = range(3)
"""First entries of every `control`, int64: positions visited, most of them or 0, and a flag that
any thread may set; a search may have more of its own."""

_GOLDEN, _SHIFT, _ONE = np.uint64(0x9E3779B97F4A7C15), np.uint64(20), np.uint64(1)


@njit(**NO_REFCOUNT)
def expired(control: Longs) -> bool:
    """Whether a search is to end."""
    return bool((control[NODE_LIMIT] and control[NODES] > control[NODE_LIMIT]) or control[STOP])


@njit(**NO_REFCOUNT)
def visit(control: Longs) -> bool:
    """Count a position; return whether the search is to end."""
    control[NODES] += 1
    return expired(control)


@njit(**NO_REFCOUNT)
def slot_of(keys: Words, key: np.uint64) -> np.uint64:
    """Return where the search for a key begins in a table of 2^k keys."""
    return (key * _GOLDEN) >> _SHIFT & np.uint64(len(keys) - 1)


@njit(**NO_REFCOUNT)
def place_of(keys: Words, used: Any, key: np.uint64) -> int:
    """Return the place of a key in a table that is never full, or of the gap where it belongs."""
    mask = np.uint64(len(keys) - 1)
    place = slot_of(keys, key)
    while used[place] and keys[place] != key:
        place = (place + _ONE) & mask
    return int(place)
