"""Counting in sets of cells: bit c stands for cell c (`hyperoxo.kernels.cell_sets`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from hyperoxo.kernels.cell_sets import WideSet

_WORD = ir.IntType(64)


def _short(builder: Any, value: Any) -> Any:
    return builder.trunc(value, _WORD) if value.type.width > 64 else value


def _emit_popcount(_typing: Any, cells: Any) -> tuple[Any, Callable[..., Any]]:
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return _short(builder, builder.ctpop(values[0]))

    return types.uint64(cells if isinstance(cells, WideSet) else types.uint64), emit


def _emit_trailing_zeros(_typing: Any, cells: Any) -> tuple[Any, Callable[..., Any]]:
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return _short(builder, builder.cttz(values[0], ir.Constant(ir.IntType(1), 1)))

    return types.int64(cells if isinstance(cells, WideSet) else types.uint64), emit


popcount = cast("Callable[[Any], Any]", intrinsic(_emit_popcount))
"""How many bits of a set are set, as a uint64; for compiled code."""

trailing_zeros = cast("Callable[[Any], int]", intrinsic(_emit_trailing_zeros))
"""The number of the lowest set bit of a set that is not 0; for compiled code."""

signed = cast("Callable[[Any], int]", np.int64)
"""An unsigned number as a signed one: the two kinds mixed would make a float."""
