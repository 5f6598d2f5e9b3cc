"""Lines of one colour on the tesseract: a bound for every filling, fillings by chance, games."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents import Agent
from hyperoxo.rules import Game
from hyperoxo.solvers.draws.filling import filling_bound
from hyperoxo.task import Progress, Task

__all__ = [
    "GAME", "WEIGHTS", "cell_types", "fewest_lines", "final_lines", "random_fillings",
]  # fmt: skip

GAME = "3^4:blocked=centre,target=9"
WEIGHTS = {1: Fraction(32, 7), 2: Fraction(4), 3: Fraction(4), 4: Fraction(4)}
"""Weight of a cell by the number of its coordinates that are off the centre."""

_CHUNK = 2000


def cell_types(game: Game) -> dict[int, int]:
    """Return for each playable cell how many of its coordinates are off the centre."""
    board = game.board
    return {
        int(cell): sum(at != 1 for at in board.coordinates(int(cell))) for cell in board.playable
    }


def fewest_lines() -> Fraction:
    """Prove how many lines of one colour each filling of the tesseract by two colours has."""
    game = Game(GAME)
    types = cell_types(game)
    return filling_bound(game.board, {cell: WEIGHTS[off] for cell, off in types.items()})


def random_fillings(players: int, fillings: int, seed: int = 0) -> NDArray[np.int64]:
    """Count the lines of each player when the board is filled at random, all taking turns."""
    board = Game(GAME).board
    rng = np.random.default_rng(seed)
    turns = (np.arange(len(board.playable)) % players + 1).astype(np.int8)
    found = []
    for start in range(0, fillings, _CHUNK):
        games = min(_CHUNK, fillings - start)
        owners = np.zeros((games, board.cell_count), dtype=np.int8)
        owners[:, board.playable] = rng.permuted(np.tile(turns, (games, 1)), axis=1)
        stones = owners[:, board.lines]
        full = (stones == stones[:, :, :1]).all(axis=2) * stones[:, :, 0]
        found.append(np.stack([(full == p + 1).sum(axis=1) for p in range(players)], axis=1))
    return np.concatenate(found)


def final_lines(
    game: Game,
    agents: Sequence[Agent],
    games: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> NDArray[np.int64]:
    """Play games and count the lines of each player at their end."""
    lines = np.zeros((games, game.players), dtype=np.int64)
    task = Task(progress)
    for number in range(games):
        rng = np.random.default_rng([seed, number])
        position = game.start()
        while not position.is_over:
            position = position.play(agents[position.to_move - 1].choose(position, rng))
        lines[number] = [len(position.owned_lines(p + 1)) for p in range(game.players)]
        task.tell(number + 1, games)
    return lines
