"""Kingmakers by threats: two rivals are about to win, and the mover can stop only one of them.

The mover completes no line; at least two rivals each threaten to complete theirs in one cell, and
these cells differ. Whether a rival moves before the threatened win and blocks it plays no part.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.game import CLASSIC, FREE, Game, Requires, Trait

THREATS_WIN = Requires(
    "kingmakers by threats",
    CLASSIC
    - {
        Trait.MISERE,
        Trait.GRAVITY,
        Trait.SEVERAL_LINES,
        Trait.RESTRICTED_FIRST_MOVE,
        Trait.RESTRICTED_MOVES,
    },
)
"""The games in which a free cell that a line lacks is a threat to win."""

_CHUNK = 1 << 12


def torn(game: Game, owners: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Tell for positions, owners uint8 ``[K, N]``, whether their mover is such a kingmaker."""
    found = [_torn(game, owners[i : i + _CHUNK]) for i in range(0, len(owners), _CHUNK)]
    return np.concatenate(found) if found else np.zeros(0, dtype=bool)


def _torn(game: Game, owners: NDArray[np.uint8]) -> NDArray[np.bool_]:
    lines, sizes = game.board.lines, game.board.line_sizes
    real = lines >= 0
    there = owners[:, lines]
    rows = np.arange(len(owners))
    stones = ((owners > 0) & (owners <= game.players)).sum(axis=1)
    movers = stones % game.players + 1
    single = np.zeros((len(owners), game.players), dtype=np.int64)
    lacks = np.zeros(len(owners), dtype=bool)
    for player in range(1, game.players + 1):
        own = ((there == player) & real).sum(axis=2)
        ready = (own == sizes - 1)[..., None] & (there == FREE) & real
        cells = np.zeros(owners.shape, dtype=bool)
        where = np.nonzero(ready)
        cells[where[0], lines[where[1], where[2]]] = True
        count, cell = cells.sum(axis=1), cells.argmax(axis=1)
        mine = movers == player
        lacks |= mine & (count > 0)
        single[rows, player - 1] = np.where(mine | (count != 1), -1, cell)
    most = single.max(axis=1)
    other = np.where(single >= 0, single, most[:, None]).min(axis=1)
    found: NDArray[np.bool_] = ~lacks & (most >= 0) & (other != most)
    return found
