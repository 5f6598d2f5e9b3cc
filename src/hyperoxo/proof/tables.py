"""Boards as the compiled loops of this room take them: cells are bits of two words.

Bit c of word 0 is cell c, bit c of word 1 cell 64 + c. A *stones* array, uint64 ``[4]``, holds
the attacker's stones (words 0 and 1) and the defender's (words 2 and 3).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError
from hyperoxo.rules import Game, Requires, Trait

MOST_CELLS = 128
THREATS = Requires(
    "proving wins by threats",
    {Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES},
)
Words = NDArray[np.uint64]


class Tables(NamedTuple):
    """The lines of a board, for compiled loops."""

    lines: Words
    sizes: NDArray[np.int64]
    bits: Words
    starts: NDArray[np.int64]
    through: NDArray[np.int64]
    playable: Words
    weights: Words


@lru_cache(maxsize=16)
def tables_of(game: Game) -> Tables:
    """Return the tables of a game's board."""
    THREATS.check(game)
    if game.board.cell_count > MOST_CELLS:
        raise LimitError(f"wins by threats are proved on at most {MOST_CELLS} cells, unlike {game}")
    board = game.board
    bits = np.zeros((board.cell_count, 2), np.uint64)
    for cell in range(board.cell_count):
        bits[cell, cell // 64] = 1 << cell % 64
    sizes = np.diff(board.line_ptr)
    lines = np.zeros((board.line_count, 2), np.uint64)
    for number in range(board.line_count):
        lines[number] = np.bitwise_or.reduce(bits[board.line(number)], axis=0)
    longest = int(sizes.max(initial=1)) + 1
    return Tables(
        lines,
        sizes.astype(np.int64),
        bits,
        board.cell_ptr.astype(np.int64),
        board.cell_lines.astype(np.int64),
        np.bitwise_or.reduce(bits[board.playable], axis=0),
        np.random.default_rng(0).integers(0, 2**64, (longest,) * 3, np.uint64),
    )


def stones_of(owners: bytes, attacker: int) -> Words:
    """Return the stones of a position, the attacker's first."""
    cells = np.zeros((2, 8 * 16), np.uint8)
    cells[0, : len(owners)] = np.frombuffer(owners, np.uint8) == attacker
    cells[1, : len(owners)] = np.frombuffer(owners, np.uint8) == 3 - attacker
    packed = np.packbits(cells, axis=1, bitorder="little").view("<u8")
    return packed.astype(np.uint64).ravel()
