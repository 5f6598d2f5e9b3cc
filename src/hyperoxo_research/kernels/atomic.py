"""Lock-free slots of a shared table: claimed by one thread, then published to all."""

from __future__ import annotations

from hyperoxo.jit import NO_REFCOUNT, Kernel, njit
from hyperoxo.kernels.arrays import Bytes

FREE, CLAIMED, PUBLISHED = range(3)
_CODE = "hyperoxo_research.kernels.emit_atomic"

claim = Kernel.of(_CODE, "_claim")
"""``claim(marks, at)``: take a free place for one thread; false if another has it."""

publish = Kernel.of(_CODE, "_publish")
"""``publish(marks, at)``: show what was written at a place that was claimed."""

_mark = Kernel.of(_CODE, "_mark")


@njit(**NO_REFCOUNT)
def is_published(marks: Bytes, at: int) -> bool:
    """Return whether a slot can be read; spin while another thread writes it."""
    mark = _mark(marks, at)
    while mark == CLAIMED:
        mark = _mark(marks, at)
    return bool(mark == PUBLISHED)
