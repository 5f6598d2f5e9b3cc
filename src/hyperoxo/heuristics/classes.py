"""Classes of lines: those that a line heuristic may value differently."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board import Board
from hyperoxo.board.groups import merge_orbits
from hyperoxo.errors import SpecError


def line_orbits(board: Board) -> NDArray[np.int32]:
    """Return the orbit of each line under the symmetries of the board, numbered by first lines.

    On 3^2 class 0 are the four sides, 1 the two diagonals and 2 the two lines between sides.
    """
    count = board.line_count
    rows = np.sort(board.lines, axis=1)
    numbers = np.arange(count, dtype=np.int32)
    # A symmetry maps lines to lines: sorted, images and lines are the same rows.
    order = np.lexsort(rows.T[::-1]).astype(np.int32) if count else numbers
    moves = []
    for generator in board.symmetry.generators if count else ():
        images = np.sort(np.where(rows >= 0, generator[rows], -1), axis=1)
        found = np.empty(count, dtype=np.int32)
        found[np.lexsort(images.T[::-1])] = order
        moves.append((numbers, found))
    labels = np.unique(merge_orbits(numbers, moves), return_inverse=True)[1]
    return labels.astype(np.int32).ravel()


def line_axes(board: Board) -> NDArray[np.int32]:
    """Return for each line the number of axes along which it runs, less 1; 0 is along one axis."""
    if board.shape is None:
        raise SpecError("classes 'axes' need a board with coordinates")
    ends = board.lines[:, :2] if board.lines.shape[1] > 1 else board.lines[:, [0, 0]]
    places = np.array(np.unravel_index(ends, board.shape))
    axes: NDArray[np.int32] = (places[..., 0] != places[..., 1]).sum(axis=0).astype(np.int32)
    return np.maximum(axes - 1, 0).astype(np.int32)


CLASSES: dict[str, Callable[[Board], NDArray[np.int32]]] = {
    "orbits": line_orbits,
    "axes": line_axes,
}
"""Classes of lines by name: for each line of a board the number of its class, int32 ``[L]``."""
