"""Names for the kinds of array that kernels take, and how kernels fill and copy them.

``row[:] = 0`` in compiled code takes Numba half a second to compile: it covers overlaps, shapes
that are stretched, and the text of an error. These two are a loop and a block copy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]


def _is_block(kind: Any) -> bool:
    """Whether the elements of an array lie one after the other."""
    return isinstance(kind, types.Array) and kind.layout == "C"


def _emit_fill(_typing: Any, array: Any, value: Any) -> Any:
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


def _emit_copy(_typing: Any, into: Any, source: Any) -> Any:
    if not _is_block(into) or not _is_block(source) or into.dtype != source.dtype:
        return None

    def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        first = context.make_array(into)(context, builder, values[0])
        second = context.make_array(source)(context, builder, values[1])
        given = first.data, second.data, first.nitems, first.itemsize
        cgutils.raw_memcpy(builder, *given)  # type: ignore[no-untyped-call]
        return context.get_dummy_value()

    return types.void(into, source), emit


fill = cast("Callable[[Any, Any], None]", intrinsic(_emit_fill))
"""``fill(array, value)``: set all elements of an array or of a row."""

copy = cast("Callable[[Any, Any], None]", intrinsic(_emit_copy))
"""``copy(into, source)``: copy all elements between arrays of one size, unchecked."""
