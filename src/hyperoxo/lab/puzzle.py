"""Puzzles: a forced win of a given length with a unique first move.

Two players who complete and block lines, and otherwise build lines with some randomness, play
until one of them has a forced win. It is followed until the requested length is left; if exactly
one move then begins a forced win, the position is a puzzle.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from hyperoxo.agents.base import Randomness, generator
from hyperoxo.agents.scored import move_values
from hyperoxo.display import Drawn, number_of
from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import CLASSIC, Game, Position, Requires
from hyperoxo.heuristics import line_heuristic
from hyperoxo.solvers.threats.search import ThreatSearch, begun_by
from hyperoxo.solvers.values import solve
from hyperoxo.task import Progress, Task, in_order

__all__ = ["Puzzle", "daily_puzzle", "make_puzzle"]

_PUZZLES = Requires("making puzzles", CLASSIC)

_GAMES = 2_000
_DAILY_GAMES = 500
_NODES = 20_000
_STRICT_NODES = 100_000
# A building move is the best with this probability, and else the next best with the same, ...
_KEENNESS = (0.1, 0.3, 0.6)
# Greatest weight of the rival's lines in a building move, drawn for each player and game.
_MOST_RESPECT = 0.6
_BY_WEEKDAY = (2, 3, 3, 4, 4, 5, 6)  # threat moves, from Monday on
_BUILDING = line_heuristic(lambda own, rivals: 4.0**own if not rivals else 0.0)
"""Value of a line without rivals: four times as much for each stone more."""


@dataclass(frozen=True)
class Puzzle(Drawn):
    """A position whose player to move wins by force, with one first move.

    Attributes
    ----------
    position : Position
        The position, with the play that led to it as its history. No player can complete a line
        with the next stone.
    length : int
        Threat moves of the shortest forced win; the completing stone is not counted, and the
        last of them threatens two lines at once.
    solution : tuple of int
        One shortest win: attacker and defender in turn, ending with the completing stone.
    strict : bool
        Whether the first move was proved to be the only winning move of any kind; otherwise
        it is the only one that begins a forced win by threats.
    """

    position: Position
    length: int
    solution: tuple[int, ...]
    strict: bool

    def _repr_svg_(self) -> str | None:
        return self.position._repr_svg_()

    @property
    def game(self) -> Game:
        """The game."""
        return self.position.game

    @property
    def first(self) -> int:
        """The first move of every solution."""
        return self.solution[0]


def make_puzzle(
    game: Game | str,
    length: int,
    rng: Randomness = None,
    *,
    strict: bool = False,
    games: int = _GAMES,
    progress: Progress | None = None,
) -> Puzzle:
    """Make a puzzle.

    Parameters
    ----------
    game : Game or str
        A game for two that one line wins, with or without gravity.
    length : int
        Threat moves of the shortest forced win, at least 1.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or a seed.
    strict : bool
        Whether every other move must be proved not to win, by exact search of 100,000
        positions; possible on small boards, and late in a game.
    games : int
        Largest number of games played before giving up.
    progress : callable, optional
        Called with (games played, `games`).

    Returns
    -------
    Puzzle
        A puzzle; the same seed gives the same puzzle.

    Raises
    ------
    SpecError
        If the game has no forced wins of this kind, or `length` is not possible.
    LimitError
        If no puzzle came up.

    Examples
    --------
    >>> puzzle = make_puzzle("4^3", 3, 1)
    >>> puzzle.length, len(puzzle.solution)
    (3, 7)
    >>> make_puzzle("4^3", 3, 1) == puzzle
    True
    """
    game = Game(game) if isinstance(game, str) else game
    most = game.cells // 2
    if not 1 <= length <= most:
        raise SpecError(f"length must be 1 to {most} on {game}, not {length}")
    search = ThreatSearch(game)
    _PUZZLES.check(game)
    rng = generator(rng)
    task = Task(progress)
    for played in range(games):
        for position in _won_positions(search, rng):
            found = _puzzle_at(search, position, length)
            if found is not None and (not strict or _is_only_win(found)):
                return Puzzle(found.position, length, found.solution, strict)
        task.report_progress(played + 1, games)
    kind = "strict puzzle" if strict else "puzzle"
    raise LimitError(f"no {kind} of length {length} in {number_of(games, 'game')} of {game}")


def make_puzzles(
    game: Game | str,
    length: int,
    count: int,
    seed: int = 0,
    *,
    strict: bool = False,
    progress: Progress | None = None,
) -> list[Puzzle]:
    """Make puzzles with their own random streams, the same for any number of workers."""
    pieces = [(game, length, [seed, number], strict) for number in range(count)]
    return [*in_order(Task.of(progress).spread(_made, pieces))]


def _made(game: Game | str, length: int, seed: list[int], strict: bool, task: Task) -> Puzzle:
    return make_puzzle(game, length, np.random.default_rng(seed), strict=strict, progress=task)


def daily_puzzle(game: Game | str, date: dt.date, length: int | None = None) -> Puzzle:
    """Make the puzzle of a day: the same for everyone with the same version of the program.

    Parameters
    ----------
    game : Game or str
        As in `make_puzzle`.
    date : datetime.date
        The day.
    length : int, optional
        Threat moves; by default 2 on Mondays, rising to 6 on Sundays, or the largest smaller
        number for which a puzzle is found.

    Returns
    -------
    Puzzle
        The puzzle.

    Raises
    ------
    SpecError, LimitError
        As in `make_puzzle`.

    Examples
    --------
    >>> import datetime as dt
    >>> day = dt.date(2024, 2, 29)
    >>> daily_puzzle("4^3", day).length, day.strftime("%A")
    (4, 'Thursday')
    """
    game = Game(game) if isinstance(game, str) else game
    seed = [date.toordinal(), *str(game).encode()]
    most = min(_BY_WEEKDAY[date.weekday()], game.cells // 2)
    for asked in range(most, 0, -1) if length is None else [length]:
        with suppress(LimitError):
            return make_puzzle(game, asked, np.random.default_rng(seed), games=_DAILY_GAMES)
    which = "" if length is None else f" of length {length}"
    raise LimitError(f"no puzzle{which} came up for {game} on {date}")


def _won_positions(search: ThreatSearch, rng: np.random.Generator) -> Iterator[Position]:
    """Play one game; yield positions whose player to move overlooks a forced win."""
    # 1. End where a line can be completed, or two threats must be stopped: no puzzle follows.
    # 2. Block a single threat. 3. Otherwise, also in a won position, play a building move whose
    # rank is geometric: the keener a game, the more often the best.
    keenness = rng.choice(_KEENNESS)
    respect = _MOST_RESPECT * rng.random(2)
    position = search.game.start()
    while not position.is_over:
        found = search.forced_win(position, node_limit=_NODES)
        if found.immediate or len(found.forced) > 1:
            return
        if found.forced:
            blocks = [cell for cell in found.forced if cell in position.legal_moves]
            if not blocks:
                return
            position = position.play(blocks[0])
            continue
        if found.status == "win":
            yield position
        values = move_values(position, _BUILDING, float(respect[position.to_move - 1]))
        order = np.argsort(-values, kind="stable")
        rank = min(int(rng.geometric(keenness)), len(order)) - 1
        position = position.play(position.legal_moves[int(order[rank])])


def _puzzle_at(search: ThreatSearch, position: Position, length: int) -> Puzzle | None:
    """Follow a shortest win until `length` threats are left; return the puzzle there, if any."""
    # Rejected: no shortest win of this length here (it may be shorter off the line), a forced reply
    # that gives the move away, or another first move that wins or could not be excluded.
    found = search.forced_win(position, node_limit=_NODES, shortest=True)
    threats = len(found.line) // 2
    if found.status != "win" or threats < length:
        return None
    for cell in found.line[: 2 * (threats - length)]:
        position = position.play(cell)
    if threats > length:
        found = search.forced_win(position, node_limit=_NODES, shortest=True)
    if found.status != "win" or found.forced or len(found.line) // 2 != length:
        return None
    others = (cell for cell in position.legal_moves if cell != found.line[0])
    limited = partial(search.forced_win, node_limit=_NODES)
    if any(begun_by(position, cell, limited).status != "none" for cell in others):
        return None
    return Puzzle(position, length, found.line, strict=False)


def _is_only_win(puzzle: Puzzle) -> bool:
    """Return True if exact search proves that no other move wins."""
    solution = solve(puzzle.position, seconds=None, nodes=_STRICT_NODES, moves=True)
    if solution.interrupted:
        raise KeyboardInterrupt
    return all(
        move.value in ("draw", "loss") for move in solution.moves if move.cell != puzzle.first
    )
