"""Sets of up to 64 cells as one uint64 word: bit c stands for cell c."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = ["popcount", "signed", "trailing_zeros"]


def _emit_popcount(_typing: Any, _word: Any) -> tuple[Any, Callable[..., Any]]:
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.ctpop(values[0])

    return types.uint64(types.uint64), emit


def _emit_trailing_zeros(_typing: Any, _word: Any) -> tuple[Any, Callable[..., Any]]:
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), emit


popcount = cast("Callable[[Any], Any]", intrinsic(_emit_popcount))
"""How many bits of a uint64 are set, as a uint64; for compiled code."""

trailing_zeros = cast("Callable[[Any], int]", intrinsic(_emit_trailing_zeros))
"""The number of the lowest set bit of a uint64 that is not 0; for compiled code."""

signed = cast("Callable[[Any], int]", np.int64)
"""An unsigned number as a signed one: the two kinds mixed would make a float."""
