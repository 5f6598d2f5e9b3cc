"""Two instructions of the processor for the compiled loops of this room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import types
from numba.extending import intrinsic


def _bits_set(typing: Any, word: Any) -> Any:  # noqa: ARG001, Numba prescribes the parameters
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


def _lowest_bit(typing: Any, word: Any) -> Any:  # noqa: ARG001, as above
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), generate


bits_set: Callable[[np.uint64], int] = cast("Callable[[np.uint64], int]", intrinsic(_bits_set))
"""Number of bits set in a word, as int64."""

lowest_bit: Callable[[np.uint64], int] = cast("Callable[[np.uint64], int]", intrinsic(_lowest_bit))
"""Place of the lowest bit set in a word other than 0, as int64."""
