"""Counting the legal move sequences from a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import SpecError
from hyperoxo.game import Position
from hyperoxo.kernels.perft import count_sequences
from hyperoxo.solvers.arrays import state_of, tables_of, wins_of
from hyperoxo.task import Progress, Task
from hyperoxo.workers import Call, Workers, share_out

_BATCHES = 16
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
        raise SpecError(f"plies must not be negative, not {plies}")
    plies = min(plies, position.game.cells - position.ply)
    players = position.game.players
    split, task = min(plies, 2), Task(progress)
    sequences = np.zeros(plies + 1, dtype=np.int64)
    finished = np.zeros((plies + 1, 2 * players + 1), dtype=np.int64)
    complete = _count([position], sequences[: split + 1], finished[: split + 1], Task())
    if plies > split:
        branches = [second for first in _children(position) for second in _children(first)]
        below = np.zeros(plies - split + 1, dtype=np.int64)
        ended = np.zeros((plies - split + 1, 2 * players + 1), dtype=np.int64)
        with Workers(workers, processes=True, executor=executor) as crew:
            if crew.given or crew.count > 1:
                complete = complete and _share(branches, crew, below, ended, task)
            else:
                complete = complete and _count(branches, below, ended, task)
        sequences[split + 1 :] = below[1:]
        finished[split + 1 :] = ended[1:]
    return PerftResult(
        tuple(int(count) for count in sequences),
        tuple(tuple(wins_of(row, players).tolist()) for row in finished),
        tuple(int(row[2 * players]) for row in finished),
        complete,
    )


Sums = NDArray[np.int64]


def _count(branches: Sequence[Position], below: Sums, ended: Sums, task: Task) -> bool:
    """Add the counts below all branches; return whether they are complete."""
    stop = np.zeros(1, dtype=np.int64)

    def work() -> None:
        for done, branch in enumerate(branches, start=1):
            tables, state = tables_of(branch.game), state_of(branch)
            count_sequences(tables, state, len(below) - 1, below, ended, stop)
            if stop[0]:
                return
            task.tell(done, len(branches))

    return Task().run(work, stop)


def _share(
    branches: Sequence[Position],
    crew: Workers,
    below: Sums,
    ended: Sums,
    task: Task,
) -> bool:
    """Do the same with many workers, some branches at a time."""
    size = max(1, len(branches) // (_BATCHES * crew.count))

    def call(part: slice) -> Call:
        return _counted, (branches[part], below.shape, ended.shape)

    try:
        for here, there in share_slices(crew, len(branches), size, call, task):
            below += here
            ended += there
    except KeyboardInterrupt:
        return False
    return True


def share_slices(
    crew: Workers, count: int, size: int, call: Callable[[slice], Call], task: Task
) -> Iterator[Any]:
    """Run a call for each slice of so many things; yield results, and tell how much is done."""
    firsts = iter(range(0, count, size))
    done = 0
    results = share_out(
        crew, lambda: next(firsts, None), lambda first: call(slice(first, first + size))
    )
    with closing(results):
        for first, result in results:
            yield result
            done += min(size, count - first)
            task.tell(done, count)


def _counted(
    branches: Sequence[Position], below: tuple[int, ...], ended: tuple[int, ...]
) -> tuple[Sums, Sums]:
    """Count below some positions, in whichever process that is."""
    sums = np.zeros(below, dtype=np.int64), np.zeros(ended, dtype=np.int64)
    _count(branches, *sums, Task())
    return sums


def _children(position: Position) -> list[Position]:
    return [position.play(cell) for cell in position.legal_moves]
