"""Boards for the checkers' compiled loops: incidence tables, and stone counts per line.

A line is alive for a player while the other has no stone on it. The counts of both players are
updated as stones are placed and lifted, so that boards may have any number of cells.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError
from hyperoxo.game import Game, Known, Requires
from hyperoxo.jit import njit_or_python as njit

MOST_CELLS = 2_000
THREATS = Requires(
    "proving wins by threats",
    Known.OPENINGS,
)
ATTACKER, DEFENDER = 0, 1
"""The two sides."""

FREE, BLOCKED = 0, 3
"""Codes of cells without a stone; a stone has ``side + 1``."""

STONES = (1 << 32) - 1
"""Mask of the stone counts of both sides in a line's word."""

AT_SUM = 32
"""Lowest bit of the sum of free cells in a line's word."""

_STONE = (1, 1 << 16)

Words = NDArray[np.uint64]
Rows = NDArray[np.uint8]


_Function = TypeVar("_Function", bound=Callable[..., Any])


def loop(function: _Function) -> _Function:
    """Compile a function that makes no array, without counting references to those it takes."""
    return njit(nogil=True, _nrt=False)(function)


class Tables(NamedTuple):
    """The lines of a board, for compiled loops.

    Line k holds the cells ``cells[ends[k]:ends[k + 1]]``; the lines through cell c are
    ``through[starts[c]:starts[c + 1]]``. The keys are random numbers, for each cell and side.
    """

    # L lines, N cells, I incidences of both: ``[L]``, ``[L]``, ``[L + 1]``, ``[I]``, ``[N + 1]``,
    # ``[I]``, ``[N, 2]``. `sums` adds up the numbers of a line's cells.
    sizes: NDArray[np.int64]
    sums: NDArray[np.int64]
    ends: NDArray[np.int64]
    cells: NDArray[np.int64]
    starts: NDArray[np.int64]
    through: NDArray[np.int64]
    keys: Words


class Stones(NamedTuple):
    """A position: owner of each cell, int8 ``[N]``, and a packed word for each line, int64 ``[L]``.

    A word has the attacker's stones in bits 0-15, the defender's in bits 16-31, and above them the
    sum of the free cells: the cell itself where one is missing. The trail, int16 ``[N]``, is for
    moves that are made and taken back.
    """

    owners: NDArray[np.int8]
    lines: NDArray[np.int64]
    trail: NDArray[np.int16]


@lru_cache(maxsize=16)
def tables_of(game: Game) -> Tables:
    """Return the tables of a game's board."""
    THREATS.check(game)
    board = game.board
    if board.cell_count > MOST_CELLS:
        raise LimitError(
            f"wins by threats are proved on at most {MOST_CELLS:,} cells, unlike {game}"
        )
    sizes = np.diff(board.line_ptr).astype(np.int64)
    return Tables(
        sizes,
        np.array([board.line(k).sum() for k in range(board.line_count)], np.int64),
        board.line_ptr.astype(np.int64),
        board.line_cells.astype(np.int64),
        board.cell_ptr.astype(np.int64),
        board.cell_lines.astype(np.int64),
        np.random.default_rng(0).integers(0, 2**64, (board.cell_count, 2), np.uint64),
    )


def stones_of(tables: Tables, owners: bytes, attacker: int) -> Stones:
    """Convert the owners of a position for the loops."""
    cells, lines = len(owners), len(tables.sizes)
    stones = Stones(np.zeros(cells, np.int8), np.zeros(lines, np.int64), np.zeros(cells, np.int16))
    fill(tables, stones, np.frombuffer(owners, np.uint8), attacker)
    return stones


@loop
def fill(t: Tables, s: Stones, owners: Rows, attacker: int) -> None:
    """Write a position, over another one."""
    # Empty lines first, then a `place` for each stone.
    for line in range(len(t.sizes)):
        s.lines[line] = t.sums[line] << AT_SUM
    for cell in range(len(owners)):
        owner = owners[cell]
        s.owners[cell] = FREE
        if owner in (1, 2):
            place(t, s, cell, ATTACKER if owner == attacker else DEFENDER)
        elif owner != 0:
            s.owners[cell] = BLOCKED


@loop
def place(t: Tables, s: Stones, cell: int, side: int) -> None:
    """Place a stone on a free cell."""
    # One addition updates count and sum of a line: fields of a word never borrow from each other.
    change = _STONE[side] - (cell << AT_SUM)
    s.owners[cell] = side + 1
    for at in range(t.starts[cell], t.starts[cell + 1]):
        s.lines[t.through[at]] += change


@loop
def lift(t: Tables, s: Stones, cell: int, side: int) -> None:
    """Take a stone off again."""
    change = _STONE[side] - (cell << AT_SUM)
    s.owners[cell] = FREE
    for at in range(t.starts[cell], t.starts[cell + 1]):
        s.lines[t.through[at]] -= change
