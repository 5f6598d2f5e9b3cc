"""Sets of cells in compiled code: one uint64 for up to 64 cells, a wider integer beyond.

Bit c stands for cell c. Kernels written with the operators ``& | ^ ~ ==``, with truth values and
with the functions below work for every width, and Numba compiles each for the widths it is
called with: a uint64 stays what it is, and costs nothing.

Arrays hold a set as k words in a row, the lowest first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np

from hyperoxo.jit import Kernel

CellSet: TypeAlias = Any
"""A uint64 or a wider set, as compiled functions take it."""

_CODE = "hyperoxo.kernels.emit_sets"

nothing = Kernel.of(_CODE, "_nothing")
"""The empty set, as wide as another."""

single = Kernel.of(_CODE, "_single")
"""``single(cell, like)``: the set of one cell, as wide as `like`."""

lowest = Kernel.of(_CODE, "_lowest")
"""The set of the lowest cell of a set; empty if the set is."""

popcount = Kernel.of(_CODE, "_popcount")
"""The number of cells of a set, as a uint64."""

trailing_zeros = cast("Callable[[Any], int]", Kernel.of(_CODE, "_trailing_zeros"))
"""The number of the lowest cell of a set that is not empty."""

signed = cast("Callable[[Any], int]", np.int64)
"""An unsigned number as a signed one: the two kinds mixed would make a float."""

words_in = cast("Callable[[CellSet], int]", Kernel.of(_CODE, "_words_in"))
"""The number of words of a set, a constant at compile time."""

word_of = Kernel.of(_CODE, "_word_of")
"""``word_of(cells, i)``: word i of a set; a uint64 is its own only word."""

hashed = Kernel.of(_CODE, "_hashed")
"""``hashed(cells, salt)``: a uint64 made of all words; of one word, its product with `salt`."""

get = Kernel.of(_CODE, "_get")
"""``get(words, at, like)``: the set as wide as `like` that begins at ``words[at]``, unchecked."""

put = Kernel.of(_CODE, "_put")
"""``put(words, at, cells)``: write a set where ``words[at]`` begins, unchecked."""


def words_for(cells: int) -> int:
    """Return the number of words of a set on a board of `cells` cells."""
    return max(1, -(-cells // 64))


def cells_of(number: int, cells: int) -> Any:
    """Return a set, given as an int, as compiled functions take it on a board of `cells` cells."""
    words = words_for(cells)
    if words == 1:
        return np.uint64(number)
    from hyperoxo.kernels.emit_sets import CellWords

    mask = (1 << 64) - 1
    return CellWords(np.uint64(number >> 64 * i & mask) for i in range(words))
