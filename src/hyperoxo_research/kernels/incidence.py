"""Incidence of lines (or walks) and cells in compressed sparse row form, both ways."""

from __future__ import annotations

from typing import NamedTuple

from hyperoxo.kernels.arrays import Ints, Longs


class Incidence(NamedTuple):
    """Cells of each line, and lines through each cell (CSR form)."""

    ptr: Longs
    """The cells of line i are those from ``ptr[i]`` to ``ptr[i + 1]``."""
    cells: Ints | Longs
    cell_ptr: Longs
    cell_lines: Ints | Longs
