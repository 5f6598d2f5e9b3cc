"""Positions that plain minimax of fixed depth visits in whole games, and bounds of their number."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.minimax import MinimaxAgent
from hyperoxo.lab.study.parts import SURPRISING, Finding
from hyperoxo.rules import Game
from hyperoxo.task import Progress, Task

__all__ = ["five_games", "most_visited", "visited"]

_DRAWS = 20_000


def visited(
    game: Game,
    players: tuple[MinimaxAgent, MinimaxAgent],
    games: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> NDArray[np.int64]:
    """Count the positions that each player's searches visit in whole games."""
    counts = np.zeros((games, 2), dtype=np.int64)
    task = Task(progress)
    for number in range(games):
        rng = np.random.default_rng([seed, number])
        position = game.start()
        while not position.is_over:
            seat = position.to_move - 1
            counts[number, seat] += players[seat].search(position).nodes
            position = position.play(players[seat].choose(position, rng))
        task.tell(number + 1, games)
    return counts


def most_visited(squares: int, depth: int, seat: int = 1) -> int:
    """Bound the positions one player's searches visit in a game, those on the way included."""
    return sum(
        math.perm(free, plies)
        for free in range(squares + 1 - seat, 0, -2)
        for plies in range(1, depth + 1)
    )


def five_games(
    quantity: str, published: int | None, counts: NDArray[np.int64], remark: str = ""
) -> Finding:
    """Compare a published total of five games with five times our mean."""
    mean = 5 * float(counts.mean())
    error = 5 * 1.96 * float(counts.std(ddof=1)) / math.sqrt(len(counts))
    agrees = None
    if published is not None:
        totals = np.random.default_rng(0).choice(counts, size=(_DRAWS, 5)).sum(axis=1)
        rarer = min((totals <= published).mean(), (totals >= published).mean())
        agrees = bool(2 * rarer >= SURPRISING)
    interval = (round(mean - error, 1), round(mean + error, 1))
    return Finding(
        quantity, published, round(mean, 1), len(counts), interval, agrees, remark=remark
    )
