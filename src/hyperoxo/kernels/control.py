"""Control of a running search by its caller and other threads."""

from __future__ import annotations

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs

NODES, NODE_LIMIT, STOP = range(3)
"""First entries of every `control`, int64: positions visited, most of them or 0, and a flag that
any thread may set; a search may have more of its own."""


@njit(**NO_REFCOUNT)
def expired(control: Longs) -> bool:
    """Return whether a limit or the stop flag ends the search."""
    return bool((control[NODE_LIMIT] and control[NODES] > control[NODE_LIMIT]) or control[STOP])


@njit(**NO_REFCOUNT)
def visit(control: Longs) -> bool:
    """Count a position; return whether the search ends."""
    control[NODES] += 1
    return expired(control)
