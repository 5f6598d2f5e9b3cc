"""Threat search on middle games of 4^3."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hyperoxo.lab.bench.rows import Row, best_seconds
from hyperoxo.rules import Game

__all__ = ["middle_games", "threats"]

_GAMES = 60_000
_HARD = 200
_TARGET = 70.0


def middle_games(count: int, seed: int = 5) -> NDArray[np.uint64]:
    """Stones of the player to move and of the other, uint64 ``[K, 2]``.

    Random 4^3 positions of 10 to 30 plies in which nobody owns a line.
    """
    board = Game("4^3").board
    rng = random.Random(seed)
    lines = [sum(1 << int(cell) for cell in line) for line in board.lines]
    found = []
    for _ in range(count):
        cells = rng.sample(range(64), rng.randint(10, 30))
        sides = [sum(1 << cell for cell in cells[seat::2]) for seat in range(2)]
        if not any(line & side == line for line in lines for side in sides):
            mover = len(cells) % 2
            found.append((sides[mover], sides[1 - mover]))
    return np.array(found, dtype=np.uint64)


def threats(_peers: bool) -> Iterator[Row]:
    """Nanoseconds a node, where a search takes at least 200 nodes, with one memory for all."""
    from hyperoxo.kernels.threat_batch import count_wins
    from hyperoxo.kernels.threat_bits import new_bit_work
    from hyperoxo.solve.threats import bit_board_of

    board = bit_board_of(Game("4^3"))
    assert board is not None
    line = np.zeros(66, np.int32)

    def search(positions: NDArray[np.uint64], work: NDArray[np.uint64]) -> int:
        control = np.zeros(3, np.int64)
        own, other = (np.ascontiguousarray(column) for column in positions.T)
        count_wins(board, work, control, own, other, line)
        return int(control[0])

    memory = new_bit_work(board)
    positions = middle_games(_GAMES)
    nodes = np.array([search(position[None], memory) for position in positions])
    hard = positions[nodes >= _HARD]
    seconds = best_seconds(lambda: search(hard, new_bit_work(board)), 5)
    yield Row(
        "threat search 4^3, a node",
        seconds / search(hard, new_bit_work(board)) * 1e9,
        "ns",
        target=_TARGET,
    )
    seconds = best_seconds(lambda: search(positions, new_bit_work(board)))
    yield Row("threat search 4^3, any middle game", seconds / len(positions) * 1e9, "ns")
