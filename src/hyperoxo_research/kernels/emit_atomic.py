"""LLVM code of :mod:`hyperoxo_research.kernels.atomic`, loaded with the compiler."""
# Numba has no atomic operations on the processor's memory. The release store in `_publish` and the
# acquire load in `_mark` order the words of a slot before its mark: a reader that sees `PUBLISHED`
# sees all that was written before.

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from hyperoxo_research.kernels.atomic import CLAIMED, FREE, PUBLISHED


def _address(context: Any, builder: Any, array: Any, values: Any) -> Any:
    block = context.make_array(array)(context, builder, values[0])
    return builder.gep(block.data, [values[1]])


@intrinsic
def _claim(_typing: Any, marks: Any, at: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _address(context, builder, signature.args[0], values)
        byte = ir.IntType(8)
        given = pointer, byte(FREE), byte(CLAIMED), "acq_rel", "acquire"
        return builder.extract_value(builder.cmpxchg(*given), 1)

    return types.boolean(marks, at), emit


@intrinsic
def _publish(_typing: Any, marks: Any, at: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _address(context, builder, signature.args[0], values)
        builder.store_atomic(ir.IntType(8)(PUBLISHED), pointer, "release", 1)
        return context.get_dummy_value()

    return types.void(marks, at), emit


@intrinsic
def _mark(_typing: Any, marks: Any, at: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _address(context, builder, signature.args[0], values)
        return builder.load_atomic(pointer, "acquire", 1)

    return types.uint8(marks, at), emit
