"""Games of the published program by its own rules for lines.

The program doubles the step of its scans, those for wins included, so with a side above 3 it plays
another game than n^d; its printed figures for such boards can only be compared with that game.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from hyperoxo.agents import agent
from hyperoxo.errors import SpecError
from hyperoxo.game import Game
from hyperoxo.jit import working_time
from hyperoxo.lab.games import OwnSeating, Tally
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.runs import Run
from hyperoxo_research.ising_walks import (
    cells_of_walks,
    energies_of,
    energy_walks,
    walks_of,
    win_walks,
)
from hyperoxo_research.kernels.incidence import Incidence

_CHUNK = 100
"""Games of one random stream."""
_LARGE = 300
"""Most cells of a board for chunks of more than one game."""

Player = str | float
"""``"random"``, or the bias of an Ising player."""


@dataclass(frozen=True)
class ProgramResult:
    """Results of the program's games, counted as the program counts them."""

    wins: tuple[int, int]
    draws: int
    plies: float

    @property
    def counts(self) -> tuple[int, int, int]:
        """Games that the first player won, drew and lost."""
        return self.wins[0], self.draws, self.wins[1]


@dataclass(frozen=True)
class ProgramSeating(OwnSeating):
    """A seating of two players of the program."""

    biases: tuple[float, float] = (-1.0, -1.0)
    wins: str = "program"

    @classmethod
    def of(
        cls, game: str, players: Sequence[Player], seed: int, *, wins: str = "program"
    ) -> ProgramSeating:
        """Seat two players."""
        _size_of(game)
        if seed < 0 or wins not in ("program", "rules"):
            raise SpecError("the seed must be at least 0, and wins 'program' or 'rules'")
        first, second = (-1.0 if player == "random" else float(player) for player in players)
        specs = tuple(map(_spec, players))
        return cls(game, specs, seed, "report", biases=(first, second), wins=wins)

    @property
    def chunk(self) -> int:
        """Games of a range: those of a random stream, or one if games are slow."""
        return _CHUNK if Game(self.game).cells <= _LARGE else 1

    def play(self, first: int, last: int) -> Tally:
        """Play games `first` to `last` - 1."""
        # The program's random stream runs on from game to game, so a range that begins within a
        # chunk must skip the plies of the games before it.
        tables = _tables(self.game, self.wins)
        total = Tally.none(2)
        for number in range(first // _CHUNK, -(-last // _CHUNK)):
            start = number * _CHUNK
            low, high = max(first, start) - start, min(last, start + _CHUNK) - start
            passed = self._plies_before(tables, number, low)
            begin = working_time()
            played = tables.play(self, number, passed, high - low)
            tally = Tally(
                played.games, played.wins, played.draws, played.plies, working_time() - begin
            )
            _note(self, number, high, passed + tally.plies)
            total += tally
        return total

    def _plies_before(self, tables: _Tables, number: int, games: int) -> int:
        """Return the plies of the first games of a chunk; they are replayed if not cached."""
        known, plies = _passed.get((self, number), (0, 0))
        if known != games:
            plies = tables.play(self, number, 0, games).plies if games else 0
        return plies


_passed: OrderedDict[tuple[ProgramSeating, int], tuple[int, int]] = OrderedDict()
"""Cache by chunk: the number of games played last, and their plies."""
_REMEMBERED = 64


def _note(seating: ProgramSeating, number: int, games: int, plies: int) -> None:
    # The next range begins a new chunk, with its own stream.
    if games % _CHUNK == 0:
        _passed.pop((seating, number), None)
        return
    _passed[seating, number] = (games, plies)
    while len(_passed) > _REMEMBERED:
        _passed.popitem(last=False)


@dataclass(frozen=True, eq=False)
class _Tables:
    """The program's scans on a board."""

    side: int
    cells: int
    scans: Incidence
    won: Incidence

    def play(self, seating: ProgramSeating, number: int, passed: int, games: int) -> Tally:
        """Play games of a chunk; their time is not measured."""
        from hyperoxo_research.kernels.ising_walks import walk_games

        results, lengths = np.zeros(games, dtype=np.int64), np.zeros(games, dtype=np.int64)
        walk_games(
            self.scans, self.won, self.side, energies_of(self.scans, self.side),
            np.array(seating.biases), games, np.uint64(seating.seed), number, passed, results,
            lengths,
        )  # fmt: skip
        # As the report counts, a win on the last free cell is a draw.
        results[lengths == self.cells] = 0
        draws, first, second = np.bincount(results, minlength=3).tolist()
        return Tally(games, (first, second), draws, int(lengths.sum()))


@lru_cache(maxsize=32)
def _tables(game: str, wins: str) -> _Tables:
    side, dim = _size_of(game)
    board = Game(game).board
    lines = walks_of(board.lines.tolist(), board.cell_count)
    won = win_walks(side, dim) if wins == "program" else lines
    tables = _Tables(side, board.cell_count, energy_walks(side, dim), won)
    # Compiles, so that the clock measures play alone.
    tables.play(ProgramSeating(game, (), 0), 0, 0, 0)
    return tables


def _spec(player: Player) -> str:
    if player == "random":
        return "random"
    return agent(f"ising:bias={float(player):.10g},reading=doubled").spec


def program_games(
    game: str,
    first: Player,
    second: Player,
    games: int,
    seed: int = 0,
    *,
    wins: str = "program",
    **means: Any,
) -> ProgramResult:
    """Play games as the published program does; `means` are the keywords of a run."""
    if games < 1:
        raise SpecError(f"the number of games must be at least 1, not {games}")
    seating = ProgramSeating.of(game, (first, second), seed, wins=wins)
    asked = {"agents": list(seating.agents), "games": games, "wins": wins, "doubled": True}
    with Run(RunRequest("program", game, asked, seed), **means) as run:
        (tally,) = run.play([(seating, games)])
    return ProgramResult((tally.wins[0], tally.wins[1]), tally.draws, tally.plies / games)


def program_losses(
    game: str,
    biases: Sequence[float],
    seeds: Sequence[int],
    games: int,
    **means: Any,
) -> list[int]:
    """Return the games that the program's Ising loses as second player, by bias."""
    seatings = [
        ProgramSeating.of(game, ("random", bias), seed)
        for bias, seed in zip(biases, seeds, strict=True)
    ]
    asked = {
        "agents": ["random", _spec(0.647)],
        "vary": f"bias={','.join(f'{bias:.10g}' for bias in biases[:2])}..{biases[-1]:.10g}",
        "games": games,
        "wins": "program",
        "doubled": True,
    }
    with Run(RunRequest("program", game, asked, seeds[0]), **means) as run:
        tallies = run.play([(seating, games) for seating in seatings])
    return [tally.wins[0] for tally in tallies]


def known_lines(game: str) -> tuple[int, int, int]:
    """Return the numbers of lines, of those that the program sees, and of its other scans."""
    side, dim = _size_of(game)
    board = Game(game).board
    lines = {tuple(line) for line in board.lines.tolist()}
    scans = [tuple(sorted(walk[:side])) for walk in cells_of_walks(win_walks(side, dim))]
    return len(lines), len(lines & set(scans)), sum(scan not in lines for scan in scans)


def _size_of(spec: str) -> tuple[int, int]:
    board = Game(spec).board
    if board.side is None or board.dim is None or board.side < 2 or spec != board.spelling:
        raise SpecError(f"the program plays n^d with n of at least 2, not {spec}")
    return board.side, board.dim
