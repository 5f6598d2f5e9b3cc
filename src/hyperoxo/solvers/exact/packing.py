"""The rows of packed line counters: four bits a line, sixteen lines a word."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.rules import Game, Requires, Trait

__all__ = ["packed_increments"]

_PACKED = Requires(
    "packed line counters",
    {
        Trait.STRONG,
        Trait.MISERE,
        Trait.TWO_PLAYERS,
        Trait.SEVERAL_PLAYERS,
        Trait.ANY_CELL,
        Trait.GRAVITY,
    },
)

_FIELDS_PER_WORD = 16
_LARGEST_FIELD = 7
_MOST_WORDS = 24


@lru_cache(maxsize=16)
def packed_increments(game: Game) -> NDArray[np.uint64]:
    """Return the increments of packed line counters, without rows where they do not serve."""
    board = game.board
    words = max(1, -(-board.line_count // _FIELDS_PER_WORD))
    longest = int(board.line_sizes.max(initial=0))
    if not _PACKED.holds(game) or words > _MOST_WORDS or longest > _LARGEST_FIELD:
        return np.zeros((0, 1), dtype=np.uint64)
    increments = np.zeros((board.cell_count + 1, words), dtype=np.uint64)
    for line in range(board.line_count):
        word, place = divmod(line, _FIELDS_PER_WORD)
        increments[board.line(line), word] += np.uint64(1 << (4 * place))
        increments[-1, word] += np.uint64((8 - int(board.line_sizes[line])) << (4 * place))
    return increments
