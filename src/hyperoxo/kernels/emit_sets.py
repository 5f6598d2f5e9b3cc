"""LLVM code of :mod:`hyperoxo.kernels.cell_sets`, loaded with the compiler or for a wide set.

A wider set is an LLVM integer of 64 k bits, which the backend splits into words; it lives in
compiled code only. Python passes `CellWords` and gets back an int.
"""

# Why not a tuple or an array of words? LLVM keeps a wide integer in registers, and knows `and`,
# `shl`, `ctpop` and `cttz` for every width, so one source serves all boards and a uint64 costs
# nothing extra.

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import (
    NativeValue,
    box,
    intrinsic,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

_WORD = ir.IntType(64)
_intrinsic = cast("Callable[[Any], Any]", intrinsic)


class CellWords(tuple[np.uint64, ...]):
    """A set of more than 64 cells on its way into compiled code: its words, the lowest first."""

    __slots__ = ()


class WideSet(types.Type):
    """The type of a set of `words` words in compiled code."""

    def __init__(self, words: int) -> None:
        self.words = words
        super().__init__(f"WideSet({words})")


@register_model(WideSet)
class _WideModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: WideSet) -> None:
        super().__init__(manager, kind, ir.IntType(64 * kind.words))  # type: ignore[no-untyped-call]


@typeof_impl.register(CellWords)
def _typeof(value: CellWords, _context: Any) -> WideSet:
    return WideSet(len(value))


def _tuple_of(kind: WideSet) -> types.UniTuple:
    return types.UniTuple(types.uint64, kind.words)  # type: ignore[no-untyped-call]


@unbox(WideSet)  # type: ignore[no-untyped-call]
def _unbox(kind: WideSet, value: Any, context: Any) -> NativeValue:
    native = context.unbox(_tuple_of(kind), value)
    words = cgutils.unpack_tuple(context.builder, native.value)  # type: ignore[no-untyped-call]
    joined = _joined(context.builder, words)
    return NativeValue(joined, is_error=native.is_error)  # type: ignore[no-untyped-call]


@box(WideSet)  # type: ignore[no-untyped-call]
def _box(kind: WideSet, value: Any, context: Any) -> Any:
    """Make an int: the highest word, then shifted by 64 and or-ed with the next, and so on."""
    api = context.pyapi
    shift = api.long_from_longlong(_WORD(64))
    words = _split(context.builder, value, kind.words)
    total = api.long_from_ulonglong(words[-1])
    for word in words[-2::-1]:
        part = api.long_from_ulonglong(word)
        moved = api.number_lshift(total, shift)
        api.decref(total)
        total = api.number_or(moved, part)
        api.decref(moved)
        api.decref(part)
    api.decref(shift)
    return total


def _joined(builder: Any, words: list[Any]) -> Any:
    wide = ir.IntType(64 * len(words))
    total = wide(0)
    for i, word in enumerate(words):
        total = builder.or_(total, builder.shl(builder.zext(word, wide), wide(64 * i)))
    return total


def _split(builder: Any, value: Any, words: int) -> list[Any]:
    return [
        builder.trunc(builder.lshr(value, value.type(64 * i)), _WORD) if words > 1 else value
        for i in range(words)
    ]


def _is_set(kind: Any) -> bool:
    return isinstance(kind, WideSet) or kind == types.uint64


def _words_of(kind: Any) -> int:
    return kind.words if isinstance(kind, WideSet) else 1


def _width(kind: Any) -> Any:
    return ir.IntType(64 * _words_of(kind))


def _instruction(emit: Callable[..., Any], result: Any = None) -> Callable[[Any, Any], Any]:
    """Make an intrinsic of two wide sets from the instruction that `emit` builds."""

    def instruct(_typing: Any, first: Any, _second: Any) -> Any:
        signature = (result or first)(first, first)
        return signature, lambda _context, builder, _signature, values: emit(builder, *values)

    return cast("Callable[[Any, Any], Any]", intrinsic(instruct))


def _are_wide(first: Any, second: Any) -> bool:
    return isinstance(first, WideSet) and first == second


_and = _instruction(ir.IRBuilder.and_)
_or = _instruction(ir.IRBuilder.or_)
_xor = _instruction(ir.IRBuilder.xor)
_eq = _instruction(lambda builder, *sets: builder.icmp_unsigned("==", *sets), types.boolean)
_ne = _instruction(lambda builder, *sets: builder.icmp_unsigned("!=", *sets), types.boolean)

# Each operator has a function with a unique name: the linker tells functions of one name apart by a
# number that Numba counts from 1 in every process, so that code of two processes may clash.
# An overload is a plain function: Numba takes no intrinsic in its place.


@overload(operator.and_, strict=False)
@overload(operator.iand, strict=False)
def _overload_and(first: Any, second: Any) -> Any:
    return (lambda first, second: _and(first, second)) if _are_wide(first, second) else None  # noqa: PLW0108


@overload(operator.or_, strict=False)
@overload(operator.ior, strict=False)
def _overload_or(first: Any, second: Any) -> Any:
    return (lambda first, second: _or(first, second)) if _are_wide(first, second) else None  # noqa: PLW0108


@overload(operator.xor, strict=False)
@overload(operator.ixor, strict=False)
def _overload_xor(first: Any, second: Any) -> Any:
    return (lambda first, second: _xor(first, second)) if _are_wide(first, second) else None  # noqa: PLW0108


@overload(operator.eq, strict=False)
def _overload_eq(first: Any, second: Any) -> Any:
    return (lambda first, second: _eq(first, second)) if _are_wide(first, second) else None  # noqa: PLW0108


@overload(operator.ne, strict=False)
def _overload_ne(first: Any, second: Any) -> Any:
    return (lambda first, second: _ne(first, second)) if _are_wide(first, second) else None  # noqa: PLW0108


@_intrinsic
def _invert(_typing: Any, cells: Any) -> Any:
    return cells(cells), lambda _context, builder, _signature, values: builder.not_(values[0])


@overload(operator.invert, strict=False)
def _overload_invert(cells: Any) -> Any:
    return (lambda cells: _invert(cells)) if isinstance(cells, WideSet) else None  # noqa: PLW0108


@overload(bool, strict=False)
def _overload_bool(cells: Any) -> Any:
    return (lambda cells: cells != _nothing(cells)) if isinstance(cells, WideSet) else None


@overload(operator.not_, strict=False)
def _overload_not(cells: Any) -> Any:
    return (lambda cells: cells == _nothing(cells)) if isinstance(cells, WideSet) else None


@_intrinsic
def _nothing(_typing: Any, like: Any) -> Any:
    if not _is_set(like):
        return None
    return like(like), lambda _context, _builder, _signature, values: values[0].type(0)


@_intrinsic
def _single(_typing: Any, cell: Any, like: Any) -> Any:
    if not isinstance(cell, types.Integer) or not _is_set(like):
        return None

    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        wide = values[1].type
        shift = values[0]
        if shift.type.width < wide.width:
            shift = builder.zext(shift, wide)
        return builder.shl(wide(1), shift)

    return like(cell, like), emit


@_intrinsic
def _lowest(_typing: Any, cells: Any) -> Any:
    if not _is_set(cells):
        return None

    # x & -x keeps the lowest bit; of 0 it is 0.
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.and_(values[0], builder.neg(values[0]))

    return cells(cells), emit


@_intrinsic
def _words_in(_typing: Any, like: Any) -> Any:
    if not _is_set(like):
        return None
    return types.int64(like), lambda *_: _WORD(_words_of(like))


@_intrinsic
def _word_of(_typing: Any, cells: Any, _index: Any) -> Any:
    if not _is_set(cells):
        return None

    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        wide, place = values
        if wide.type.width == 64:
            return wide
        shift = builder.shl(builder.zext(place, wide.type), wide.type(6))
        return builder.trunc(builder.lshr(wide, shift), _WORD)

    return types.uint64(cells, types.int64), emit


@_intrinsic
def _hashed(_typing: Any, cells: Any, _salt: Any) -> Any:
    if not _is_set(cells):
        return None

    # A product moves bits upwards only, so between words the upper half is folded down.
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        words = _split(builder, values[0], _words_of(cells))
        total = builder.mul(words[0], values[1])
        for word in words[1:]:
            folded = builder.xor(total, builder.lshr(total, _WORD(32)))
            total = builder.mul(builder.xor(folded, word), values[1])
        return total

    return types.uint64(cells, types.uint64), emit


# A load of 64 k bits from memory has the first word lowest on little-endian processors. Arrays of
# words are aligned to 8 bytes only, which `align` says; bounds are not checked.
def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any, wide: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), wide.as_pointer())


@_intrinsic
def _get(_typing: Any, array: Any, _index: Any, like: Any) -> Any:
    if not isinstance(array, types.Array) or not _is_set(like):
        return None

    def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        place = _place(context, builder, array, values[0], values[1], _width(like))
        return builder.load(place, align=8)

    return like(array, types.int64, like), emit


@_intrinsic
def _put(_typing: Any, array: Any, _index: Any, cells: Any) -> Any:
    if not isinstance(array, types.Array) or not _is_set(cells):
        return None

    def emit(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        place = _place(context, builder, array, values[0], values[1], _width(cells))
        builder.store(values[2], place, align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, cells), emit


@_intrinsic
def _popcount(_typing: Any, cells: Any) -> Any:
    # The count is as wide as the set; its lowest word holds it all.
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return _split(builder, builder.ctpop(values[0]), _words_of(cells))[0]

    return types.uint64(cells if isinstance(cells, WideSet) else types.uint64), emit


@_intrinsic
def _trailing_zeros(_typing: Any, cells: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        # With 1, LLVM may assume that the set is not empty.
        zeros = builder.cttz(values[0], ir.IntType(1)(1))
        return _split(builder, zeros, _words_of(cells))[0]

    return types.int64(cells if isinstance(cells, WideSet) else types.uint64), emit
