"""The lines and symmetries of a Breaker's plan as arrays."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError, LimitError
from hyperoxo.game import BLOCKED, Position
from hyperoxo.proof.forms import moves_a_line
from hyperoxo_research.proof import breaker_loops as loops

MOST_KEYS = 56
_MOST_CELLS = 60_000
_MOST_SYMMETRIES = 100_000


class Tables:
    """The lines of a plan that Breaker has no stone on off the keys, and where it begins."""

    def __init__(self, position: Position, maker: int, keys: tuple[int, ...]) -> None:
        board, owners = position.game.board, position.owners
        self.board = board
        places = {cell: place for place, cell in enumerate(keys)}
        if list(keys) != sorted(places) or not 0 < len(keys) <= MOST_KEYS:
            raise CheckFailedError(f"there are not 1 to {MOST_KEYS} keys that ascend")
        if keys[-1] >= len(owners) or any(owners[cell] == BLOCKED for cell in keys):
            raise CheckFailedError("a key is not a cell that can be played on")
        if len(owners) > _MOST_CELLS:
            raise CheckFailedError(f"plans are for boards of at most {_MOST_CELLS:,} cells")
        self.stopped = sorted(
            cell for cell, owner in enumerate(owners) if owner == 3 - maker and cell not in places
        )
        self.counted = sorted(
            cell for cell, owner in enumerate(owners) if owner == maker and cell not in places
        )
        dead = set(self.stopped)
        every = [board.line(at).tolist() for at in range(board.line_count)]
        self.numbers = [at for at, line in enumerate(every) if not dead & set(line)]
        self.rows = [every[at] for at in self.numbers]
        on = [sum(1 << places[cell] for cell in line if cell in places) for line in self.rows]
        kinds = [
            loops.POOR if not bits else loops.MAIN if bits.bit_count() == len(row) else loops.RICH
            for bits, row in zip(on, self.rows, strict=True)
        ]
        self.lines = loops.PlanLines(
            np.cumsum([0, *map(len, self.rows)]),
            np.array([cell for row in self.rows for cell in row], np.int64),
            np.array(kinds, np.int64),
            np.array(on, np.uint64),
            np.array(keys, np.int64),
        )
        self.maker = _word(owners[cell] == maker for cell in keys)
        self.breaker = _word(owners[cell] == 3 - maker for cell in keys)
        self._position, self._keys = position, keys

    def room(self) -> loops.Room:
        """Return room for matchings, which no two threads may share."""
        return loops.room_for(len(self._position.owners))

    def begins_well(self) -> bool:
        """Check the invariants where it begins.

        Every set of live rich lines needs two cells for each line off the keys and without Maker's
        stones, and so does every set of lines that have no free key.
        """
        live = (self.lines.keys_on & self.breaker) == 0
        decided = (self.lines.keys_on & ~self.maker) == 0
        rich, others = self.lines.kinds == loops.RICH, self.lines.kinds != loops.MAIN
        room = self.room()
        for wanted in (live & rich, others & decided):
            loops.close(self.lines, ~np.uint64(0), room)
            room.holder[self.counted] = loops.CLOSED
            if not loops.two_each(self.lines, wanted, room):
                return False
        return True

    @cached_property
    def images(self) -> NDArray[np.uint64]:
        """Images of every eight keys under the symmetries that keep keys and lines."""
        return self.images_with_lines([])[0]

    def images_with_lines(self, some: list[int]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Images of every eight keys, and of some lines, under the same symmetries."""
        width = len(self._keys)
        rows = self._symmetries()
        place = {frozenset(row): at for at, row in enumerate(self.rows if some else [])}
        images = [
            [place[frozenset(image)] for image in rows[:, self.rows[line]].tolist()]
            for line in some
        ]
        moved = np.column_stack([rows[:, list(self._keys)], *images])
        moved = np.unique(moved, axis=0)
        identity = (moved == [*self._keys, *some]).all(axis=1)
        moved = np.concatenate([moved[identity], moved[~identity]])
        places = np.searchsorted(self._keys, moved[:, :width]).astype(np.uint64)
        count = len(places)
        ones = np.zeros((count, -(-width // 8) * 8), np.uint64)
        ones[:, :width] = np.uint64(1) << places
        bits = (np.arange(256)[None] >> np.arange(8)[:, None] & 1).astype(np.uint64)
        table: NDArray[np.uint64] = ones.reshape(count, -1, 8) @ bits
        return table, np.ascontiguousarray(moved[:, width:])

    def _symmetries(self) -> NDArray[np.int64]:
        """Permutations of the cells, each of them looked at."""
        identity = np.arange(len(self._position.owners))[None]
        symmetry = self._position.game.board.symmetry
        try:
            if symmetry.order > _MOST_SYMMETRIES:
                return identity
            rows: NDArray[np.int64] = symmetry.permutations().astype(np.int64)
        except LimitError:
            return identity
        for kept in (list(self._keys), self.stopped):
            rows = rows[(np.sort(rows[:, kept], axis=1) == kept).all(axis=1)]
        if (np.sort(rows, axis=1) != identity).any():
            raise CheckFailedError("a symmetry is no permutation of the cells")
        longest = max(map(len, self.rows), default=0)
        padded = np.array([row + [-1] * (longest - len(row)) for row in self.rows], np.int64)
        if moves_a_line(np.column_stack([rows, np.full(len(rows), -1)]), padded):
            raise CheckFailedError("a symmetry moves a line to where none is")
        return rows


@lru_cache(maxsize=8)
def tables_of(position: Position, maker: int, keys: tuple[int, ...]) -> Tables:
    """Return the lines of a plan; they take a while where there are many symmetries."""
    return Tables(position, maker, keys)


def _word(chosen: Iterable[bool]) -> np.uint64:
    return np.uint64(sum(1 << place for place, one in enumerate(chosen) if one))
