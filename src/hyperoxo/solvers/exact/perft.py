"""Perft: the number of legal move sequences from a position, by length."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import SpecError
from hyperoxo.game import Position
from hyperoxo.kernels.perft import count_sequences
from hyperoxo.solvers.arrays import state_of, tables_of, wins_of
from hyperoxo.task import Progress, Task, slices

Counts = tuple[NDArray[np.int64], NDArray[np.int64]]

_BATCHES = 64
"""Batches of branches a worker, so that a slow one does not keep the others waiting."""


@dataclass(frozen=True)
class PerftResult:
    """Numbers of legal move sequences of exactly k plies, k = 0, 1, ...

    Finished games are not extended. Wins are those of sequences that end the game at ply k, by the
    player; a shared win counts for each. Not all are counted (`complete`) after an interrupt.
    """

    sequences_by_ply: tuple[int, ...]
    wins_by_ply: tuple[tuple[int, ...], ...]
    draws_by_ply: tuple[int, ...]
    complete: bool = True
    _data = "sequences_by_ply wins_by_ply draws_by_ply wins draws complete"

    @property
    def wins(self) -> tuple[int, ...]:
        """Finished games won by each player."""
        return tuple(sum(column) for column in zip(*self.wins_by_ply, strict=True))

    @property
    def draws(self) -> int:
        """Drawn games."""
        return sum(self.draws_by_ply)


def perft(
    position: Position,
    plies: int,
    progress: Progress | None = None,
    *,
    workers: int = 1,
    executor: Executor | None = None,
) -> PerftResult:
    """Count legal move sequences by length."""
    if plies < 0:
        raise SpecError(f"plies must be at least 0, not {plies}")
    plies = min(plies, position.game.cells - position.ply)
    players = position.game.players
    # The first two plies are counted here, and the branches below them are shared out to workers.
    # `below` and `ended` count plies from the branches, hence the shift by `split` at the end.
    split = min(plies, 2)
    sequences = np.zeros(plies + 1, dtype=np.int64)
    finished = np.zeros((plies + 1, 2 * players + 1), dtype=np.int64)
    complete = True
    below = np.zeros(plies + 1 - split, dtype=np.int64)
    ended = np.zeros((len(below), finished.shape[1]), dtype=np.int64)
    try:
        sequences[: split + 1], finished[: split + 1] = _counted([position], split, None, Task())
        if plies > split:
            branches = [second for first in _children(position) for second in _children(first)]
            with Task.shared(progress, workers, executor) as task:
                parts = slices(len(branches), max(1, len(branches) // (_BATCHES * task.width)))
                # Counts of this process go straight into the sums, and survive an interrupt.
                sums = None if task.is_spread else (below, ended)
                pieces = [(branches[part], plies - split, sums) for part in parts]
                for _, found in task.spread(_counted, pieces, parts):
                    if sums is None:
                        below += found[0]
                        ended += found[1]
    except KeyboardInterrupt:
        complete = False
    sequences[split + 1 :] += below[1:]
    finished[split + 1 :] += ended[1:]
    return PerftResult(
        tuple(int(count) for count in sequences),
        tuple(tuple(wins_of(row, players).tolist()) for row in finished),
        tuple(int(row[2 * players]) for row in finished),
        complete,
    )


def _counted(branches: Sequence[Position], plies: int, sums: Counts | None, task: Task) -> Counts:
    """Count below some positions: sequences and results of finished games, by ply."""
    stop = np.zeros(1, dtype=np.int64)
    if sums is None:
        players = branches[0].game.players
        sums = np.zeros(plies + 1, np.int64), np.zeros((plies + 1, 2 * players + 1), np.int64)

    def work() -> None:
        for branch in branches:
            tables, state = tables_of(branch.game), state_of(branch)
            count_sequences(tables, state, plies, *sums, stop)
            if stop[0]:
                return

    if not task.run(work, stop) or stop[0]:
        raise KeyboardInterrupt
    return sums


def _children(position: Position) -> list[Position]:
    return [position.play(cell) for cell in position.legal_moves]
