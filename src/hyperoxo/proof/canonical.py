"""Canonical forms of positions in proofs, under verified symmetries of the game.

A proof lists each position once, in the greatest of its images (bytes in cell order). The
permutations are those that the board gives, but nothing is taken on trust: each must map
cells to cells, lines to lines, blocked cells, columns and the opening restriction to
themselves, or no form is made at all. A group that is too small merges fewer positions; only a
wrong permutation would make proofs unsound.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError, LimitError
from hyperoxo.game import Game

_MOST_CELLS = 255
_MOST_SYMMETRIES = 100_000
_CHUNK = 1 << 22


@dataclass(frozen=True)
class CanonicalForms:
    """Canonical forms of the positions of a game in proofs.

    `inverses` has, for each symmetry used, the cell that it moves to cell 0, 1, ...; it is empty
    where positions are listed as they are.
    """

    inverses: tuple[bytes, ...]

    @property
    def count(self) -> int:
        """Number of symmetries used, the identity included."""
        return max(len(self.inverses), 1)

    def of(self, owners: bytes) -> bytes:
        """Return the form of a position."""
        return self.locate(owners)[0]

    def locate(self, owners: bytes) -> tuple[bytes, bytes | range]:
        """Return the form of a position, and the cell of the position under each of its cells."""
        if not self.inverses:
            return owners, range(len(owners))
        # `translate` gathers: byte i of an image is the owner of cell inverse[i]. Among symmetries
        # with the same greatest image take the first, as the compiled loop of `images` does.
        table = owners.ljust(256, b"\0")
        images = [inverse.translate(table) for inverse in self.inverses]
        form = max(images)
        return form, self.inverses[images.index(form)]


@lru_cache(maxsize=16)
def canonical_forms_of(game: Game) -> CanonicalForms:
    """Return the forms of a game's positions in proofs."""
    if game.board.cell_count > _MOST_CELLS:
        return CanonicalForms(())
    try:
        if game.symmetry.order > _MOST_SYMMETRIES:
            return CanonicalForms(())
        rows = game.symmetry.permutations()
    except LimitError:
        return CanonicalForms(())
    # Symmetries of the board may move the cells of a restricted opening: then use none at all.
    if game.opening is not None:
        opening = sorted(game.opening)
        if (np.sort(rows[:, opening], axis=1) != opening).any():
            return CanonicalForms(())
    check_symmetries(game, rows)
    inverses = np.argsort(rows, axis=1).astype(np.uint8)
    return CanonicalForms(tuple(row.tobytes() for row in inverses))


def check_symmetries(game: Game, rows: NDArray[np.int32]) -> None:
    """Check that every row is a symmetry of the game's lines, blocked cells and columns."""
    cells = np.arange(game.board.cell_count)
    if rows.ndim != 2 or rows.shape[1] != len(cells) or (np.sort(rows, axis=1) != cells).any():
        raise CheckFailedError(f"a row is not a permutation of the cells of {game}")
    blocked = list(game.blocked)
    if (np.sort(rows[:, blocked], axis=1) != blocked).any():
        raise CheckFailedError(f"a permutation moves a blocked cell of {game}")
    # A last column sends "no cell", written -1, to itself.
    full = np.column_stack([rows, np.full(len(rows), -1, rows.dtype)])
    if game.below is not None and (full[:, game.below] != game.below[rows]).any():
        raise CheckFailedError(f"a permutation moves a column of {game} off the columns")
    if moves_a_line(full, game.board.lines):
        raise CheckFailedError(f"a permutation moves a line of {game} to cells that are not a line")


def moves_a_line(rows: NDArray[np.integer], lines: NDArray[np.integer]) -> bool:
    """Return whether a permutation sends one of `lines` to a set of cells that is not a line.

    The last column of `rows` is -1, where -1 in `lines`, "no cell", is sent.
    """
    if not lines.size:
        return False
    # A permutation keeps the multiset of lines: compare sorted lists, a chunk of rows at a time.
    expected = _sorted_lines(lines[None])
    step = max(1, _CHUNK // lines.size)
    return any(
        (_sorted_lines(rows[first : first + step][:, lines]) != expected).any()
        for first in range(0, len(rows), step)
    )


def _sorted_lines(lines: NDArray[np.integer]) -> NDArray[np.bytes_]:
    """Each line as a word of its cells plus one, in descending order; the words sorted."""
    words = np.ascontiguousarray(-np.sort(-(lines + 1), axis=2), dtype=">u2")
    return np.sort(words.view(f"S{2 * words.shape[2]}")[..., 0], axis=1)
