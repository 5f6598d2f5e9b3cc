"""Hashing for tables of 64-bit keys: open addressing, and buckets of two-word keys."""

from __future__ import annotations

from typing import Any

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Words

HASH_1, HASH_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
"""Odd multipliers: 2^64 by the golden ratio, and a prime of xxHash."""

_ONE, _SHIFT, _HALF = np.uint64(1), np.uint64(20), np.uint64(32)


@njit(**NO_REFCOUNT)
def slot_of(keys: Words, key: np.uint64) -> np.uint64:
    """Return the first slot to probe for a key in a table of 2^k keys."""
    return (key * HASH_1) >> _SHIFT & np.uint64(len(keys) - 1)


@njit(**NO_REFCOUNT)
def find_slot(keys: Words, used: Any, key: np.uint64) -> int:
    """Return the slot of a key, or the gap where it belongs, in a table that is never full."""
    # Linear probing. Callers stop at three quarters, where chains are still short.
    mask = np.uint64(len(keys) - 1)
    place = slot_of(keys, key)
    while used[place] and keys[place] != key:
        place = (place + _ONE) & mask
    return int(place)


@njit(**NO_REFCOUNT)
def hash_of_two(first: np.uint64, second: np.uint64) -> np.uint64:
    """Return 32 well mixed bits of two products with `HASH_1` and `HASH_2`."""
    mixed = first ^ second
    mixed ^= mixed >> _HALF
    return (mixed * HASH_1) >> _HALF
