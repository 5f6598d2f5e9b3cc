"""LLVM code of `fill` and `copy` of :mod:`hyperoxo.kernels.arrays`, loaded with the compiler."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _is_block(kind: Any) -> bool:
    """True for a C-contiguous array."""
    return isinstance(kind, types.Array) and kind.layout == "C"


@intrinsic
def _fill(_typing: Any, array: Any, value: Any) -> Any:
    if not _is_block(array):
        return None

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        block = context.make_array(array)(context, builder, values[0])
        one = context.cast(builder, values[1], signature.args[1], array.dtype)
        with cgutils.for_range(builder, block.nitems) as loop:
            place = builder.gep(block.data, [loop.index])
            context.pack_value(builder, array.dtype, one, place)
        return context.get_dummy_value()

    return types.void(array, value), emit


@intrinsic
def _copy(_typing: Any, into: Any, source: Any) -> Any:
    if not _is_block(into) or not _is_block(source) or into.dtype != source.dtype:
        return None

    def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        first = context.make_array(into)(context, builder, values[0])
        second = context.make_array(source)(context, builder, values[1])
        given = first.data, second.data, first.nitems, first.itemsize
        cgutils.raw_memcpy(builder, *given)  # type: ignore[no-untyped-call]
        return context.get_dummy_value()

    return types.void(into, source), emit
