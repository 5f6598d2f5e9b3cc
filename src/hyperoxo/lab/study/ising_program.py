"""Games of the published program itself, by its own idea of a line.

The program doubles the step of its scans, those for wins included, so with a side above 3 it plays
another game than n^d; its printed figures for such boards can only be compared with that game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hyperoxo.errors import SpecError
from hyperoxo.heuristics.ising_walks import energy_walks, line_walks, win_walks
from hyperoxo.lab.runs import Progress
from hyperoxo.rules import Game

__all__ = ["ProgramResult", "known_lines", "program_command", "program_games"]

_CHUNK = 100
"""Games of one random stream, and between two reports of progress."""

Player = str | float
"""``"random"``, or the bias of an Ising player."""


@dataclass(frozen=True)
class ProgramResult:
    """What games of the program came to, counted as it counts.

    Attributes
    ----------
    wins : tuple of int
        Wins of the first and of the second player.
    draws : int
        Drawn games, wins on the last free cell among them.
    plies : float
        Mean length.
    """

    wins: tuple[int, int]
    draws: int
    plies: float

    @property
    def games(self) -> int:
        """Games played."""
        return sum(self.wins) + self.draws


def program_games(
    game: str,
    first: Player,
    second: Player,
    games: int,
    seed: int = 0,
    *,
    wins: str = "program",
    doubled: bool = True,
    progress: Progress | None = None,
) -> ProgramResult:
    """Play games as the published program does.

    Parameters
    ----------
    game : str
        A board n^d, n at least 2.
    first, second : str or float
        ``"random"``, or the bias of an Ising player.
    games : int
        How many.
    seed : int
        Seed of all random choices.
    wins : {"program", "rules"}
        What wins: a scan of the program with n stones, or a line.
    doubled : bool
        Whether the steps of the scans for energies double, as they do in the program.
    progress : callable, optional
        Called with (games played, games wanted).

    Returns
    -------
    ProgramResult
        Wins and draws; a win on the last free cell is a draw.

    Raises
    ------
    SpecError
        If the game is none of n^d with the plain rules, or a number is out of range.

    Examples
    --------
    >>> result = program_games("5^2", "random", 0.647, 100)
    >>> result.games, result.wins[0] > 3
    (100, True)
    """
    from hyperoxo.kernels.ising_walks import walk_games

    side, dim = _size_of(game)
    if games < 1 or seed < 0 or wins not in ("program", "rules"):
        raise SpecError("games must be at least 1, seed at least 0, wins 'program' or 'rules'")
    scans = energy_walks(side, dim, doubled=doubled)
    board = Game(game).board
    won = win_walks(side, dim) if wins == "program" else line_walks(board.lines, board.cell_count)
    biases = np.array([-1.0 if player == "random" else float(player) for player in (first, second)])
    results, lengths = np.zeros(games, dtype=np.int64), np.zeros(games, dtype=np.int64)
    for number, start in enumerate(range(0, games, _CHUNK)):
        size = min(_CHUNK, games - start)
        walk_games(
            *scans.arrays, *won.arrays, side, scans.energies(side), biases, size,
            np.uint64(seed), number, results[start:], lengths[start:],
        )  # fmt: skip
        if progress is not None:
            progress(start + size, games)
    results[lengths == board.cell_count] = 0
    counts = np.bincount(results, minlength=3).tolist()
    return ProgramResult((counts[1], counts[2]), counts[0], float(lengths.mean()))


def program_command(
    game: str, players: Sequence[Player], games: int, seed: int, *, wins: str = "program"
) -> str:
    """Return the command that plays the same games.

    Examples
    --------
    >>> print(program_command("4^3", (0.647, 0.8), 100, 0))
    python -c "from hyperoxo.lab.study.ising_program import program_games as p; \
print(p('4^3', 0.647, 0.8, 100, 0))"
    """
    rules = "" if wins == "program" else f", wins={wins!r}"
    call = f"p({game!r}, {players[0]!r}, {players[1]!r}, {games}, {seed}{rules})"
    return (
        'python -c "from hyperoxo.lab.study.ising_program import program_games as p; '
        f'print({call})"'
    )


def known_lines(game: str) -> tuple[int, int, int]:
    """Count the lines of a board, those on which the program sees a win, and its other scans.

    Examples
    --------
    >>> known_lines("3^3"), known_lines("4^2")
    ((49, 49, 0), (10, 0, 8))
    """
    side, dim = _size_of(game)
    board = Game(game).board
    lines = {tuple(line) for line in board.lines.tolist()}
    walks = win_walks(side, dim)
    scans = [tuple(sorted(walks.walk(i)[:side])) for i in range(len(walks.ptr) - 1)]
    return len(lines), len(lines & set(scans)), sum(scan not in lines for scan in scans)


def _size_of(spec: str) -> tuple[int, int]:
    board = Game(spec).board
    if board.side is None or board.dim is None or board.side < 2 or spec != board.spelling:
        raise SpecError(f"the program plays n^d with n of at least 2, not {spec}")
    return board.side, board.dim
