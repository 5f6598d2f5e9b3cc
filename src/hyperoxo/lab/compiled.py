"""Batches of games that run in compiled loops from end to end.

Games are cut into chunks of fixed size with a random stream each; threads only share
out the chunks, so the results depend on the seed alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.base import Seat
from hyperoxo.agents.scored import seat_arrays
from hyperoxo.errors import SpecError
from hyperoxo.game import CLASSIC, Game, Requires
from hyperoxo.kernels.playout import PACKED_WIDTHS, packed_games, random_games
from hyperoxo.kernels.scored import scored_games
from hyperoxo.kernels.state import DRAW
from hyperoxo.solvers.arrays import above_of, packed_increments, tables_of, wins_of
from hyperoxo.task import ALONE, Task

_SCORED = Requires("games of agents that score moves by lines", CLASSIC)

CHUNK = 4096
"""Games of one random stream."""

Floats = NDArray[np.float64]
Part = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Results of one chunk by entry (see :func:`_tally`), and games by length."""
ChunkPlayer = Callable[[int, int, int], Part]
"""Plays the first games of a chunk: from seed, number of the chunk, and how many games."""

_MOST_CELLS = np.iinfo(np.int16).max


@dataclass(frozen=True)
class Batch:
    """Results of a batch of games."""

    wins: NDArray[np.int64]
    """Games each seat won, ``[q]``; where several share a win, each has it."""
    draws: int
    lengths: NDArray[np.int64]
    """Games by number of plies, ``[M + 1]``."""

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.lengths.sum())


def batch_of(found: list[Part], players: int) -> Batch:
    """Sum up parts of a batch."""
    results = np.stack([part[0] for part in found]).sum(axis=0)
    lengths = np.stack([part[1] for part in found]).sum(axis=0)
    return Batch(wins_of(results, players), int(results[2 * players]), lengths)


@lru_cache(maxsize=16)
def _packed_tables(game: Game) -> tuple[int, tuple[NDArray[Any], ...]] | None:
    """Word width and arrays of the packed kernel, or None where it does not apply."""
    rows = packed_increments(game)
    if not len(rows) or game.board.cell_count > _MOST_CELLS:
        return None
    words = rows.shape[1]
    width = next(width for width in PACKED_WIDTHS if width >= words)
    padded = np.zeros((len(rows), width), dtype=np.uint64)
    padded[:, :words] = rows
    increments, start = padded[:-1], padded[-1]
    above = above_of(game).astype(np.int16)
    landing = game.first_landing_cells.astype(np.int16)
    return width, (increments.ravel(), start, landing, above)


def random_play(
    game: Game, games: int, seed: int = 0, threads: int = 1, task: Task = ALONE
) -> Batch:
    """Play random games."""
    return _batch(game, _random_chunks(game), games, seed, threads, task)


def _random_chunks(game: Game) -> ChunkPlayer:
    tables = tables_of(game)
    packed = _packed_tables(game)
    players = game.players

    def chunk(seed: int, number: int, size: int) -> Part:
        results = np.zeros(2 * players + 1, dtype=np.int64)
        lengths = np.zeros(game.cells + 1, dtype=np.int64)
        if packed is None:
            random_games(tables, size, _word(seed), number, results, lengths)
        else:
            width, arrays = packed
            kernel = packed_games(width)
            kernel(*arrays, game.cells, players, size, _word(seed), number, results, lengths)
            if game.misere:
                results[players : 2 * players] = results[:players]
                results[:players] = 0
        return results, lengths

    return chunk


def _word(seed: int) -> np.uint64:
    return np.uint64(seed % 2**64)


def _batch(
    game: Game, player: ChunkPlayer, games: int, seed: int, threads: int, task: Task
) -> Batch:
    """Share the chunks of a batch among threads."""
    if games < 0:
        raise SpecError(f"the number of games must not be negative, not {games}")
    if threads < 1:
        raise SpecError(f"threads must be at least 1, not {threads}")
    sizes = [min(CHUNK, games - first) for first in range(0, games, CHUNK)] or [0]
    found = []
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        try:
            chunks = pool.map(partial(player, seed), range(len(sizes)), sizes)
            for part, size in zip(chunks, sizes, strict=True):
                found.append(part)
                done += size
                task.tell(done, games)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return batch_of(found, game.players)


def play_batch(
    game: Game,
    seats: Sequence[Seat],
    games: int,
    seed: int = 0,
    threads: int = 1,
    task: Task = ALONE,
) -> Batch:
    """Play games among agents that score moves by lines, or play at random."""
    return _batch(game, chunk_player(game, seats), games, seed, threads, task)


def chunk_player(
    game: Game,
    seats: Sequence[Seat],
    *,
    last_cell_draws: bool = False,
    random_plies: int = 0,
    opening_seed: int = 0,
) -> ChunkPlayer:
    """Make the function that plays games of these seats chunk by chunk."""
    if len(seats) != game.players:
        raise SpecError(f"{game} has {game.players} players, and {len(seats)} seats are given")
    scored = last_cell_draws or random_plies or any(seat.heuristic is not None for seat in seats)
    if not scored:
        return _random_chunks(game)
    # The loop of scored games records each game, random ones too.
    return _scored_chunks(game, seats, last_cell_draws, random_plies, _word(opening_seed))


def _scored_chunks(
    game: Game,
    seats: Sequence[Seat],
    last_cell_draws: bool,
    random_plies: int,
    opening_seed: np.uint64,
) -> ChunkPlayer:
    _SCORED.check(game)
    tables = tables_of(game)
    arrays = seat_arrays(game, seats)

    def chunk(seed: int, number: int, size: int) -> Part:
        out = np.zeros(size, dtype=np.int64)
        plies = np.zeros(size, dtype=np.int64)
        opening = random_plies, opening_seed
        scored_games(tables, *arrays, size, _word(seed), number, *opening, out, plies)
        if last_cell_draws:
            out[plies == game.cells] = DRAW
        return _tally(out, game.players), np.bincount(plies, minlength=game.cells + 1)

    return chunk


def _tally(out: NDArray[np.int64], players: int) -> NDArray[np.int64]:
    """Count kernel results by entry: wins alone, losses alone, draws."""
    results = np.zeros(2 * players + 1, dtype=np.int64)
    for player in range(players):
        results[player] = np.count_nonzero(out == player + 1)
        results[players + player] = np.count_nonzero(out == -(player + 1))
    results[2 * players] = np.count_nonzero(out == DRAW)
    return results
