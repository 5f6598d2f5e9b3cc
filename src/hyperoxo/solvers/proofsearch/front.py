"""How much a running proof search has still to do, read from the stack of a thread.

The root's own numbers are brought up to date only when the search comes back to it, which can
take minutes. The numbers along the path that is being searched are newer: they are folded here
from the deepest position to the root. The search goes on meanwhile, so that the figures are
those of about one moment: good enough to be shown, and for nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hyperoxo.kernels.proof_children import AND, FIRST_CHILD
from hyperoxo.kernels.proof_table import SOLVED

__all__ = ["Front", "front_of"]

# Where a frame of the stack holds its kind, number of children, and the child being searched.
_KIND, _COUNT, _CHOICE = 0, 3, 4


@dataclass(frozen=True)
class Front:
    """What a search has before it."""

    remaining: int | None = None
    replies: int = 0
    replies_proved: int = 0


def front_of(
    frames: NDArray[np.int64], keys: NDArray[np.uint64], numbers: NDArray[np.int64], size: int
) -> Front:
    """Read what a search has before it from its stack."""
    depth = _depth(frames, keys, size)
    left: int | None = None
    for level in range(depth, -1, -1):
        left = _proof(frames[level], numbers[level], left)
    # The defender moves at the root or one move after it.
    reply = 0 if frames[0, _KIND] == AND else 1
    if reply > depth:
        return Front(left)
    proofs = numbers[reply, : 4 * int(frames[reply, _COUNT]) : 4]
    return Front(left, len(proofs), int((proofs == 0).sum()))


def _depth(frames: NDArray[np.int64], keys: NDArray[np.uint64], size: int) -> int:
    """Return the deepest level that still belongs to the path from the root."""
    stride = len(keys) // len(frames)
    level = 0
    while level + 1 < len(frames) and frames[level + 1, _COUNT]:
        child = level * stride + (FIRST_CHILD + 2 * int(frames[level, _CHOICE])) * size
        below = (level + 1) * stride
        if not np.array_equal(keys[child : child + 2 * size], keys[below : below + 2 * size]):
            break
        level += 1
    return level


def _proof(frame: NDArray[np.int64], numbers: NDArray[np.int64], chosen: int | None) -> int | None:
    """Return the proof number of a position from those of its children."""
    proofs = numbers[: 4 * int(frame[_COUNT]) : 4].copy()
    if chosen is not None and frame[_CHOICE] < len(proofs):
        proofs[frame[_CHOICE]] = chosen
    if frame[_KIND] == AND:
        return int(proofs.sum()) if len(proofs) and (proofs < SOLVED).all() else None
    # Moves of the attacker that were not looked at have no number yet.
    tried = proofs[(proofs >= 0) & (proofs < SOLVED)]
    return int(tried.min()) if len(tried) else None
