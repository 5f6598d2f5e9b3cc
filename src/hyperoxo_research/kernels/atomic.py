"""Marks in tables that several threads write: claimed by one of them, then published to all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes

FREE, CLAIMED, PUBLISHED = range(3)


def _address(context: Any, builder: Any, array: Any, values: Any) -> Any:
    block = context.make_array(array)(context, builder, values[0])
    return builder.gep(block.data, [values[1]])


def _emit_claim(_typing: Any, marks: Any, at: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _address(context, builder, signature.args[0], values)
        byte = ir.IntType(8)
        given = pointer, byte(FREE), byte(CLAIMED), "acq_rel", "acquire"
        return builder.extract_value(builder.cmpxchg(*given), 1)

    return types.boolean(marks, at), emit


def _emit_publish(_typing: Any, marks: Any, at: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _address(context, builder, signature.args[0], values)
        builder.store_atomic(ir.IntType(8)(PUBLISHED), pointer, "release", 1)
        return context.get_dummy_value()

    return types.void(marks, at), emit


def _emit_mark(_typing: Any, marks: Any, at: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _address(context, builder, signature.args[0], values)
        return builder.load_atomic(pointer, "acquire", 1)

    return types.uint8(marks, at), emit


claim = cast("Callable[[Bytes, int], bool]", intrinsic(_emit_claim))
"""``claim(marks, at)``: take a free place for one thread; false if another has it."""

publish = cast("Callable[[Bytes, int], None]", intrinsic(_emit_publish))
"""``publish(marks, at)``: show what was written at a place that was claimed."""

_mark = cast("Callable[[Bytes, int], int]", intrinsic(_emit_mark))


@njit(**NO_REFCOUNT)
def is_published(marks: Bytes, at: int) -> bool:
    """Tell whether a place has something to read; wait while another thread writes there."""
    mark = _mark(marks, at)
    while mark == CLAIMED:
        mark = _mark(marks, at)
    return bool(mark == PUBLISHED)
