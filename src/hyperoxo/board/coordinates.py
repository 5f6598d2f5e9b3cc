"""Coordinates of a board: kinds of lines, and symmetries axis by axis.

The symmetries of n^d, n >= 3 and d >= 2, are those of the cube, which turn and mirror it, times the
*inner* ones, which rename the coordinates on every axis alike: lines stay lines when the renaming
commutes with reversal. On 4^3 these exchange the two cells in each half of every line, or the two
middle cells of every line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board.automorphisms import Structure
from hyperoxo.board.board import Board, with_longer_rows
from hyperoxo.board.groups import value_maps

MOST_SIDE = 8
"""Largest side with listed inner symmetries; beyond it there are thousands."""

MOST_CELLS = 5000
"""Largest number of cells of boards with described symmetries."""

_CHUNK = 1 << 20
_MOST_CYCLES = 6


def lines_by_kind(board: Board) -> dict[int, int] | None:
    """Count lines by the number of coordinates that change along them; None without coordinates.

    One changes along an axis, two on a diagonal of a plane, three on one of space.
    """
    if board.shape is None or not board.line_count:
        return None if board.shape is None else {}
    counts = np.zeros(len(board.shape) + 1, np.int64)
    # A straight line changes the same coordinates at each step: two cells of it suffice.
    width = board.lines.shape[1] if board.wrap else min(2, board.lines.shape[1])
    for start in range(0, board.line_count, _CHUNK):
        cells = board.lines[start : start + _CHUNK, :width]
        changing = np.zeros(len(cells), np.int64)
        for length in reversed(board.shape):
            cells, here = np.divmod(cells, np.int32(length))
            changing += (here != here[:, :1]).any(axis=1)
        counts += np.bincount(changing, minlength=len(counts))
    return {kind: count for kind, count in enumerate(counts.tolist()) if count}


@dataclass(frozen=True)
class Motion:
    """A symmetry axis by axis.

    The image of a cell x has ``values[a][x[axes[a]]]`` as its coordinate along axis a.
    """

    axes: tuple[int, ...]
    values: tuple[tuple[int, ...], ...]

    @property
    def turns_or_mirrors(self) -> bool:
        """True if the board is only turned or mirrored: axes exchanged and reversed."""
        return all(_is_still(one) or _is_reversal(one) for one in self.values)

    @property
    def text(self) -> str:
        """The symmetry in words, with cycles of axes and of coordinates."""
        parts = []
        if not _is_still(self.axes):
            places = np.argsort(self.axes).tolist()
            parts.append(f"axes {_cycles(places)}")
        moved = [axis for axis, one in enumerate(self.values) if not _is_still(one)]
        every = len(moved) == len(self.values) > 1 and len({*self.values}) == 1
        if moved and all(_is_reversal(self.values[axis]) for axis in moved):
            names = f"axes {', '.join(map(str, moved))}" if moved[1:] else f"axis {moved[0]}"
            parts.append(f"{'every axis' if every else names} reversed")
        elif every:
            parts.append(f"coordinates {_cycles(self.values[0])} on every axis")
        else:
            parts += [f"coordinates {_cycles(self.values[a])} on axis {a}" for a in moved]
        return ", ".join(parts) or "nothing moves"


def motion(board: Board, image: NDArray[np.int32]) -> Motion | None:
    """Describe a symmetry, given by the images of all cells; None if it is not axis by axis."""
    # For each axis of the images, the first unused axis of the cells that determines it: if
    # `known[here] = there` reproduces all values, the coordinate there is a function of that here.
    if board.shape is None:
        return None
    playable = board.playable
    before = np.unravel_index(playable, board.shape)
    after = np.unravel_index(image[playable], board.shape)
    axes, values = [], []
    for there, length in zip(after, board.shape, strict=True):
        for axis, here in enumerate(before):
            known = np.arange(max(length, int(here.max()) + 1))
            known[here] = there
            if axis not in axes and np.array_equal(known[here], there):
                axes.append(axis)
                values.append(tuple(known[: board.shape[axis]].tolist()))
                break
        else:
            return None
    return Motion(tuple(axes), tuple(values))


def inner_symmetries(board: Board, below: NDArray[np.int32] | None = None) -> tuple[Motion, ...]:
    """Return the inner symmetries that are not reversals, one for each pair that differs by it.

    `below` is that of a game's gravity. Of each pair the one with the fewest coordinates renamed
    stands for both.
    """
    shape = board.shape or ()
    if len({*shape}) != 1 or len(shape) < 2 or shape[0] > MOST_SIDE:
        return ()
    kinds = np.isin(np.arange(board.cell_count), board.blocked).astype(np.int64)
    structure = Structure(with_longer_rows(board), kinds, below)
    found: dict[tuple[int, ...], Motion] = {}
    places = np.unravel_index(np.arange(board.cell_count), shape)
    for values in value_maps(shape[0]):
        pair = [tuple(values.tolist()), tuple(values[::-1].tolist())]
        least = min(pair, key=lambda one: (sum(v != i for i, v in enumerate(one)), one))
        if least in found or _is_still(least):
            continue
        image = np.ravel_multi_index([np.array(least)[x] for x in places], shape)
        if structure.is_automorphism(image.astype(np.int32)):
            found[least] = Motion(tuple(range(len(shape))), (least,) * len(shape))
    return tuple(found[values] for values in sorted(found))


def symmetry_text(board: Board, image: NDArray[np.int32]) -> str:
    """Return a symmetry in words: axis by axis, or else as cycles of cells."""
    found = motion(board, image)
    return f"cells {_cycles(image.tolist())}" if found is None else found.text


def _is_still(values: tuple[int, ...]) -> bool:
    return values == tuple(range(len(values)))


def _is_reversal(values: tuple[int, ...]) -> bool:
    return values == tuple(reversed(range(len(values))))


def _cycles(images: tuple[int, ...] | list[int]) -> str:
    """Return a permutation as cycles: ``(0 3)(1 2)``."""
    done: set[int] = set()
    cycles = []
    for first, image in enumerate(images):
        if first in done or image == first:
            continue
        cycle = [first]
        while images[cycle[-1]] != first:
            cycle.append(images[cycle[-1]])
        done |= {*cycle}
        cycles.append(f"({' '.join(map(str, cycle))})")
    more = f" and {len(cycles) - _MOST_CYCLES} more" if len(cycles) > _MOST_CYCLES else ""
    return "".join(cycles[:_MOST_CYCLES]) + more
