"""Plain byte tables: the usual way to canonical forms of 4^3 positions.

A position is two sets of 64 bits. Every symmetry has eight tables, one a byte of a set, whose
entries are or-ed into the image; the greatest pair of images is the canonical form. The second
set is mapped only where the first one is not already smaller, so the comparison is a fair one.

    >>> import numpy as np
    >>> tables = byte_tables(np.array([range(64), range(63, -1, -1)]))
    >>> canonical_pairs(np.array([[1, 2]], np.uint64), tables).tolist() == [[1 << 63, 1 << 62]]
    True
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import NO_REFCOUNT, njit


def byte_tables(permutations: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Tables uint64 ``[G, 8, 256]`` of permutations of 64 cells, int ``[G, 64]``."""
    bits = np.uint64(1) << permutations.astype(np.uint64).reshape(-1, 8, 8)
    values = np.arange(256)
    tables = np.zeros((len(permutations), 8, 256), np.uint64)
    for bit in range(8):
        tables |= np.where(values >> bit & 1, bits[:, :, bit, None], np.uint64(0))
    return tables


def pairs_of(owners: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Bits of both players, uint64 ``[B, 2]``, of positions uint8 ``[B, 64]``."""
    weights = np.uint64(1) << np.arange(64, dtype=np.uint64)
    return np.stack([((owners == player) * weights).sum(axis=1) for player in (1, 2)], axis=1)


@njit(**NO_REFCOUNT)
def _image(bits: np.uint64, table: NDArray[np.uint64]) -> np.uint64:
    image = np.uint64(0)
    for byte in range(8):
        image |= table[byte, (bits >> np.uint64(8 * byte)) & np.uint64(255)]
    return image


@njit(nogil=True)
def canonical_pairs(pairs: NDArray[np.uint64], tables: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Greatest images of pairs of sets, uint64 ``[B, 2]``."""
    result = np.zeros_like(pairs)
    for b in range(len(pairs)):
        for g in range(len(tables)):
            first = _image(pairs[b, 0], tables[g])
            if first >= result[b, 0]:
                second = _image(pairs[b, 1], tables[g])
                if first > result[b, 0] or second > result[b, 1]:
                    result[b, 0] = first
                    result[b, 1] = second
    return result
