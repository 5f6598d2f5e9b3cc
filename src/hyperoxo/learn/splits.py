"""Symmetry classes of positions, and their assignment to the splits of a data set.

The split is a hash of the class, so that a position and its images under all symmetries of the
game are in the same one: no test position was trained on in another orientation.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import SpecError, quoted
from hyperoxo.game import Positions
from hyperoxo.kernels.classes import canonical_keys
from hyperoxo.solvers.states.layers import GameCode

SPLITS = ("train", "validation", "test")
_SHARES = (0.8, 0.1, 0.1)


_code_of = lru_cache(maxsize=8)(GameCode)


def classes_of(positions: Positions) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the class key of each position, uint64 ``[K, W]``, and the class sizes."""
    # Owners are packed into bits, then replaced by the canonical image; `same` counts the
    # symmetries that fix a position, so its class has order / same members (orbit-stabiliser).
    code = _code_of(positions.game)
    keys = np.zeros((len(positions), code.words), dtype=np.uint64)
    for number, cell in enumerate(code.cells):
        owners = positions.owners[:, cell].astype(np.uint64)
        keys[:, code.where[number]] |= owners << code.shift[number]
    same = np.empty(len(keys), dtype=np.int64)
    canonical_keys(keys, code.arrays, same)
    return keys, code.order // same


def splits_of(positions: Positions) -> NDArray[np.int64]:
    """Return the split of each position as its index in `SPLITS`, int64 ``[K]``."""
    # Of ten classes eight are for training, one for validation and one for testing.
    keys, _ = classes_of(positions)
    drawn = [
        int.from_bytes(hashlib.blake2b(key.tobytes(), digest_size=4).digest(), "little") / 2**32
        for key in keys.astype("<u8")
    ]
    return np.searchsorted(np.cumsum(_SHARES)[:-1], drawn, side="right")


def split_number(split: str) -> int:
    """Return the index of a split in `SPLITS`."""
    if split not in SPLITS:
        raise SpecError(f"a split is {', '.join(SPLITS)}, not {quoted(split)}")
    return SPLITS.index(split)
