"""Games that run in compiled loops from end to end.

Games are cut into chunks of fixed size with a random stream each, so that a range of games is the
same however the work is cut. A range that begins within a chunk is computed as a difference of
two prefixes of the chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
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

_SCORED = Requires("games of agents that score moves by lines", CLASSIC)

Part = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Results of one chunk by entry (see :func:`_tally`), and games by length."""
ChunkPlayer = Callable[[int, int, int], Part]
"""Plays the first games of a chunk: from seed, number of the chunk, number of games."""

_MOST_CELLS = np.iinfo(np.int16).max
# A chunk has at most so many steps of work, as a range that begins inside it plays a prefix twice.
_STEPS = 50_000_000
_LARGEST_CHUNK = 4096  # games


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

    @property
    def plies(self) -> int:
        """Plies of all games."""
        return int(self.lengths @ np.arange(len(self.lengths)))


def chunk_size(game: Game) -> int:
    """Games of one random stream: a power of two, fewer on larger boards."""
    # Each ply scans the cells; each of the s stones of a line changes the scores of its s cells.
    touched = int((game.board.line_sizes.astype(np.int64) ** 2).sum())
    steps = (game.cells**2 + 2 * touched) * game.players
    wanted = max(1, min(_LARGEST_CHUNK, _STEPS // max(steps, 1)))
    return 1 << (wanted.bit_length() - 1)


def random_play(game: Game, games: int, seed: int = 0) -> Batch:
    """Play random games."""
    return play_batch(game, [Seat(None)] * game.players, games, seed)


def play_batch(game: Game, seats: Sequence[Seat], games: int, seed: int = 0) -> Batch:
    """Play games among agents that score moves by lines, or play at random."""
    return play_chunks(game, chunk_player(game, seats), seed, 0, games)


def play_chunks(game: Game, player: ChunkPlayer, seed: int, first: int, last: int) -> Batch:
    """Play games `first` to `last` - 1, the same wherever the range is cut."""
    # A stream can only be read from its begin. So games a..b of a chunk are its first b games minus
    # its first a games: tallies are sums, and the same games cancel exactly.
    size = chunk_size(game)
    results = np.zeros(2 * game.players + 1, dtype=np.int64)  # by entry, as in `_tally`
    lengths = np.zeros(game.cells + 1, dtype=np.int64)
    for number in range(first // size, -(-last // size)):
        start = number * size
        pieces = [(1, min(last, start + size) - start)]
        if first > start:
            pieces.append((-1, first - start))
        for sign, games in pieces:
            part = player(seed, number, games)
            results += sign * part[0]
            lengths += sign * part[1]
    return Batch(wins_of(results, game.players), int(results[-1]), lengths)


@lru_cache(maxsize=16)
def _packed_tables(game: Game) -> tuple[int, tuple[NDArray[Any], ...]] | None:
    """Word width and arrays of the packed kernel, or None if it does not apply."""
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
            # The packed kernel counts who reached the target: in misère play, who lost alone.
            if game.misere:
                results[players : 2 * players] = results[:players]
                results[:players] = 0
        return results, lengths

    return chunk


def _word(seed: int) -> np.uint64:
    return np.uint64(seed % 2**64)


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
        raise SpecError(f"{game} has {game.players} players, not {len(seats)}")
    scored = last_cell_draws or random_plies or any(seat.heuristic is not None for seat in seats)
    if not scored:
        return _random_chunks(game)
    # The loop of scored games records each game, random ones too.
    _SCORED.check(game)
    tables, arrays = tables_of(game), seat_arrays(game, seats)
    opening = random_plies, _word(opening_seed)

    def chunk(seed: int, number: int, size: int) -> Part:
        out = np.zeros(size, dtype=np.int64)
        plies = np.zeros(size, dtype=np.int64)
        scored_games(tables, *arrays, size, _word(seed), number, *opening, out, plies)
        if last_cell_draws:
            out[plies == game.cells] = DRAW
        return _tally(out, game.players), np.bincount(plies, minlength=game.cells + 1)

    return chunk


def _tally(out: NDArray[np.int64], players: int) -> NDArray[np.int64]:
    """Count kernel results by entry: wins alone, losses alone, draws."""
    seats = range(1, players + 1)
    codes = [*seats, *(-seat for seat in seats), DRAW]
    return np.array([np.count_nonzero(out == code) for code in codes], dtype=np.int64)
