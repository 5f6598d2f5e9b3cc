"""Colour refinement of cells and lines, and the exact test whether a map is an automorphism."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError

Colours = NDArray[np.uint64]
"""One colour a cell. Cells that a symmetry could exchange have equal colours."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def _mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    values = (values ^ (values >> _SHIFT)) * _ODD
    return (values ^ (values >> _SHIFT)) * np.uint64(0xBF58476D1CE4E5B9)


class Structure:
    """Coloured cells, lines on them and what rests on what: all that an automorphism must keep."""

    def __init__(
        self,
        cell_count: int,
        line_ptr: NDArray[np.int64],
        line_cells: NDArray[np.int32],
        kinds: NDArray[np.int64],
        below: NDArray[np.int32] | None = None,
        *,
        work_limit: int = 4 * 10**9,
    ) -> None:
        self.cell_count = cell_count
        self._cells = line_cells
        self._starts = line_ptr[:-1]
        sizes = np.diff(line_ptr)
        self._line_of = np.repeat(np.arange(len(sizes)), sizes)
        order = np.argsort(line_cells, kind="stable")
        self._lines = self._line_of[order]
        degrees = np.bincount(line_cells, minlength=cell_count)
        self._touched = np.flatnonzero(degrees)
        self._cell_starts = (np.cumsum(degrees) - degrees)[self._touched]
        self._kinds = kinds
        self._below = below
        self._resting = np.flatnonzero(below >= 0) if below is not None else np.arange(0)
        self._support = below[self._resting] if below is not None else np.arange(0)
        self._incidence = self._line_of * np.int64(cell_count) + line_cells
        self._work_left = work_limit
        self._work_limit = work_limit
        self._step = cell_count + 2 * len(line_cells)
        self._weights, self._keys, self._key_order = self._line_keys()

    def _line_keys(self) -> tuple[Colours, Colours, NDArray[np.intp]]:
        """Random weights of the cells, chosen so that no two lines have the same sum."""
        for seed in range(100):
            rng = np.random.default_rng(seed)
            weights = rng.integers(0, 2**64, self.cell_count, dtype=np.uint64)
            keys = self._line_sums(weights)
            order = np.argsort(keys)
            keys = keys[order]
            if not (keys[1:] == keys[:-1]).any():
                return weights, keys, order
        raise AssertionError("two lines are equal")

    def _line_sums(self, values: NDArray[np.uint64]) -> NDArray[np.uint64]:
        if not len(self._starts):
            return np.zeros(0, np.uint64)
        return np.add.reduceat(values[self._cells], self._starts)

    def spend(self, steps: int) -> None:
        """Count elementary steps of the search."""
        self._work_left -= steps
        if self._work_left < 0:
            raise LimitError(
                f"the symmetry of this board is too hard to find: more than {self._work_limit:,} "
                f"steps on {self.cell_count:,} kinds of cells"
            )

    def first_colours(self) -> Colours:
        """Colours by kind alone."""
        return _mix(self._kinds.astype(np.uint64) + _ODD)

    def single_out(self, colours: Colours, cell: int) -> Colours:
        """Copy of `colours` in which `cell` has a colour of its own, made from its old one."""
        result = colours.copy()
        result[cell] = _mix(result[cell : cell + 1] + np.uint64(1))[0]
        return result

    def refine(self, colours: Colours) -> tuple[Colours, int]:
        """Split colours by the colours found on lines, above and below until nothing splits."""
        classes = len(np.unique(colours))
        while True:
            self.spend(self._step)
            finer = self._refine_once(colours)
            count = len(np.unique(finer))
            if count <= classes:
                return finer, count
            colours, classes = finer, count

    def _refine_once(self, colours: Colours) -> Colours:
        mixed = _mix(colours)
        result = colours * _ODD
        if len(self._starts):
            line_colours = _mix(self._line_sums(mixed))
            result[self._touched] += np.add.reduceat(line_colours[self._lines], self._cell_starts)
        if len(self._resting):
            result[self._resting] += _mix(mixed[self._support] + np.uint64(2))
            np.add.at(result, self._support, _mix(mixed[self._resting] + np.uint64(3)))
        return _mix(result)

    def is_automorphism(self, images: NDArray[np.int32]) -> bool:
        """Tell, exactly, whether a permutation of the cells keeps kinds, lines and what rests."""
        self.spend(self._step)
        if not np.array_equal(self._kinds[images], self._kinds):
            return False
        if self._below is not None:
            under = self._below[images]
            if not np.array_equal(under[self._resting], images[self._support]):
                return False
            if np.count_nonzero(under >= 0) != len(self._resting):
                return False
        if not len(self._keys):
            return True
        keys = self._line_sums(self._weights[images])
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        if not np.array_equal(self._keys[places], keys):
            return False
        # Sums may agree by chance, so the images of the lines are compared cell by cell.
        lines = self._key_order[places][self._line_of]
        return np.array_equal(
            np.sort(lines * np.int64(self.cell_count) + images[self._cells]), self._incidence
        )
