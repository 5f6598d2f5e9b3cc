"""Lines, or walks, as arrays: their cells one after the other, and those over each cell."""

from __future__ import annotations

from typing import NamedTuple

from hyperoxo.kernels.arrays import Ints, Longs


class Incidence(NamedTuple):
    """The cells of each line, and the lines over each cell."""

    ptr: Longs
    """The cells of line i are those from ``ptr[i]`` to ``ptr[i + 1]``."""
    cells: Ints | Longs
    cell_ptr: Longs
    cell_lines: Ints | Longs
