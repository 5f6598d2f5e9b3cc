"""How many positions the networks that come along judge in a second."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.network import stored_network
from hyperoxo.game import Game
from hyperoxo_research.bench.rows import Row, best_seconds

_JUDGED = 500


def rows(_peers: bool) -> Iterator[Row]:
    """Judge positions of random games, to half of the board; seconds of processor time."""
    rng = np.random.default_rng(0)
    for spec in ("3^2", "3^3", "4^3"):
        found: list[NDArray[np.uint8]] = []
        position = Game(spec).start()
        while len(found) < _JUDGED:
            found.append(np.frombuffer(position.owners, np.uint8))
            position = position.play(int(rng.choice(position.legal_moves)))
            if position.is_over or 2 * position.ply > position.game.cells:
                position = position.game.start()
        work = partial(stored_network(spec).judge, position.game, np.stack(found))
        rate = _JUDGED / best_seconds(work, 20, time.process_time)
        yield Row(f"network judges {spec}", rate, "/s")
