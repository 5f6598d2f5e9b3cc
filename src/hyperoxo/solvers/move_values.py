"""Exact values of many positions and of their moves: from a table of the game, or by search."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import Game, Position, Positions, Value, spelled
from hyperoxo.kernels.control import NODE_LIMIT, NODES
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.solvers.coalition.search import COALITIONS
from hyperoxo.solvers.coalition.table import ForcedTable
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.states.layers import VALUES, has_at_most
from hyperoxo.solvers.states.tables import ABSENT, ValueTable, table_of
from hyperoxo.solvers.values import solve
from hyperoxo.task import ALONE, Progress, Stop, Task, slices

__all__ = ["MoveValues", "move_values", "solve_many"]

NO_MOVE = -2
"""The value of a cell that is not a legal move."""

_ENTRIES_A_POSITION = 100
"""A table is built if it has at most this many entries for each requested position."""
_ALWAYS = 20_000
_MOST_NODES = 20_000_000
_CHUNK = 1 << 12
_ANSWER = np.dtype([("value", "U7"), ("remoteness", np.int16)])
_PIECES, _LARGEST_PIECE = 4, 64
"""Pieces of searched positions for each worker, and the largest size of a piece."""


@dataclass(frozen=True)
class MoveValues:
    """Exact values of all moves of many positions.

    With two players a move is a win, a draw or a loss for the player who makes it. With more its
    value is what that player can force with it against all others together: a win, a draw (at
    least), or nothing.

    Attributes
    ----------
    positions : Positions
        The positions.
    values : numpy.ndarray
        int8 ``[K, N]``: 1 for a win, 0 for a draw, -1 for a loss or nothing; -2 where the cell is
        not a legal move.
    remoteness : numpy.ndarray
        int16 ``[K, N]``: plies to the end of the game under best play, the move included: winners
        hasten, losers delay, drawn games run to the full board. -1 where the cell is not a legal
        move, and with three or more players.

    Examples
    --------
    >>> found = move_values(Positions("3^2", [[1, 1, 0, 2, 2, 0, 0, 0, 0]]))
    >>> found.of(0)[2]
    ('win', 1)
    >>> found.best[0].nonzero()[0].tolist()
    [2]
    """

    positions: Positions
    values: NDArray[np.int8]
    remoteness: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.positions)

    def of(self, number: int) -> dict[int, tuple[Value, int | None]]:
        """Return value and remoteness of each legal move of one position, by cell.

        Parameters
        ----------
        number : int
            Number of the position, from 0.

        Returns
        -------
        dict
            Value and remoteness by cell; the remoteness is None if it is not known.
        """
        least = Value.least(self.positions.game.players)
        values, plies = self.values[number].tolist(), self.remoteness[number].tolist()
        return {
            cell: (Value.of(value, least=least), plies[cell] if plies[cell] >= 0 else None)
            for cell, value in enumerate(values)
            if value != NO_MOVE
        }

    @cached_property
    def value(self) -> NDArray[np.int8]:
        """The value of each position to its mover, int8 ``[K]``; -2 where the game is over."""
        found: NDArray[np.int8] = self.values.max(axis=1)
        return found

    @cached_property
    def keeps(self) -> NDArray[np.bool_]:
        """True if a move keeps the value of its position, bool ``[K, N]``."""
        found: NDArray[np.bool_] = (self.values == self.value[:, None]) & self.legal
        return found

    @property
    def legal(self) -> NDArray[np.bool_]:
        """True if a cell is a legal move, bool ``[K, N]``."""
        found: NDArray[np.bool_] = self.values != NO_MOVE
        return found

    @property
    def matters(self) -> NDArray[np.bool_]:
        """True if some move of a position does not keep its value, bool ``[K]``."""
        found: NDArray[np.bool_] = (self.keeps != self.legal).any(axis=1)
        return found

    @property
    def best(self) -> NDArray[np.bool_]:
        """True if a move keeps the value, and wins soonest or loses latest, bool ``[K, N]``."""
        # Pace: minus the remoteness for a win, plus it for a loss; all draws are equal.
        sign = -self.value[:, None].astype(np.int64)
        pace = np.where(self.keeps, sign * self.remoteness, np.iinfo(np.int64).min)
        found: NDArray[np.bool_] = self.keeps & (pace == pace.max(axis=1, keepdims=True))
        return found


def solve_many(
    positions: Iterable[Position | Game | str] | Position | Game | str,
    *,
    seconds: float | None = 30.0,
    value_only: bool = False,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> np.recarray[Any, Any]:
    """Solve many positions of one game.

    One compiled loop looks them up in the table of the game if it exists, or is worth building for
    this many positions; `solve` answers for the others, one by one.

    Parameters
    ----------
    positions : Positions, Position, Game or str, or iterable of these
        The positions.
    seconds, value_only
        Passed to `solve`.
    progress : callable, optional
        Called with (positions done, all positions).
    stop : Stop, optional
        An event that any thread may set to end the work early.

    Returns
    -------
    numpy.recarray
        A record for each position, whose fields are also columns: `value` as in `Solution`, and
        `remoteness`, -1 where it is not established.

    Raises
    ------
    SpecError
        If the positions are of several games.
    NotSupportedError
        If the game has a rule that no search supports.
    KeyboardInterrupt
        After Ctrl-C, or when `stop` was set.

    Examples
    --------
    >>> found = solve_many(Positions("3^2", [[1, 1, 0, 2, 2, 0, 0, 0, 0], [0] * 9]))
    >>> found[0].value, found.value.tolist(), found.remoteness.tolist()
    (np.str_('win'), ['win', 'draw'], [1, 9])
    """
    if isinstance(positions, Sequence) and not len(positions):
        return np.recarray(0, dtype=_ANSWER)
    given, task = Positions.of(positions), Task.of(progress, stop)
    found = np.recarray(len(given), dtype=_ANSWER)
    table = _table(given.game, len(given))
    words = np.array([Value.least(given.game.players), Value.DRAW, Value.WIN])
    for part in slices(len(given), _CHUNK):
        # 1. The table, if any. It has the positions that play can reach; with several players, only
        #    unfinished ones.
        owners = given.owners[part]
        signs, found.remoteness[part] = np.full(len(owners), NO_MOVE), -1
        if isinstance(table, ValueTable):
            values = table.values_of(owners)
            known = values != ABSENT
            signs[known] = (values[known] & 3).astype(np.int64) - 1
            found.remoteness[part][known] = values[known] >> 2
        elif table is not None:
            moves = np.full(owners.shape, NO_MOVE, np.int8)
            table.move_values(owners, moves, np.empty((0, 0), np.int16))
            signs = moves.max(axis=1)
        found.value[part] = words[signs + 1]
        # 2. The others.
        for number in part.start + np.flatnonzero(signs == NO_MOVE):
            task.report_progress(int(number), len(given))
            one = solve(given[number], seconds=seconds, value_only=value_only, stop=task.stop)
            if one.interrupted or task.stopped:
                raise KeyboardInterrupt
            left = -1 if one.remoteness is None else one.remoteness
            found[number] = one.value, left
        if task.stopped:
            raise KeyboardInterrupt
        task.report_progress(part.stop, len(given))
    return found


def move_values(
    positions: Iterable[Position | Game | str] | Position | Game | str,
    *,
    remoteness: bool = True,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> MoveValues:
    """Return the exact values of all moves of many positions of one game.

    They are looked up in the table of the game if it exists, or is worth building for this many
    positions; else each move is searched.

    Parameters
    ----------
    positions : Positions, Position, Game or str, or iterable of these
        The positions; finished games have no moves.
    remoteness : bool
        Whether to find the remoteness where that takes a separate search.
    progress : callable, optional
        Called with (positions done, all positions).
    stop : Stop, optional
        An event that any thread may set to end the work early.

    Returns
    -------
    MoveValues
        Values and remoteness by position and cell.

    Raises
    ------
    SpecError
        If the positions are of several games, or one is not a position of the game.
    LimitError
        If the value of a move is not found within 20 million positions.
    NotSupportedError
        If no search supports the game.
    KeyboardInterrupt
        After Ctrl-C, or when `stop` was set.

    Examples
    --------
    >>> found = move_values([Game("3^2").position("1...2....")])
    >>> found.values.tolist(), found.remoteness[0, 1]
    ([[-2, 0, 0, 0, -2, 0, 0, 0, 0]], np.int16(7))
    """
    given = Positions.of(positions)
    source = _source(given.game, len(given))
    return _values(given, source, remoteness, Task.of(progress, stop))


# Searches keep their transposition tables and are not thread-safe: one piece of work at a time.
_ONE = threading.Lock()


def values_of_some(
    some: Positions, count: int, task: Task = ALONE, remoteness: bool = True
) -> MoveValues:
    """Return the values of some of `count` positions; tables and searches are kept for the rest."""
    with _ONE:
        source = _kept_source(some.game, count)
        return _values(some, source, remoteness, replace(task, progress=None))


def _table(game: Game, positions: int) -> ValueTable | ForcedTable | None:
    """Return the table of a game if it exists or is worth building."""
    # A table on disk costs nothing to use. Building one visits all positions of the game, which
    # pays for many positions or a small game.
    found = table_of(game) if VALUES.accepts(game) else None
    if found is None and has_at_most(game, max(_ALWAYS, _ENTRIES_A_POSITION * positions)):
        if VALUES.accepts(game):
            return table_of(game, build=True)
        if game.players > 2 and COALITIONS.accepts(game):
            with suppress(LimitError):
                return _kept_table(game)
    return found


def _source(game: Game, positions: int) -> ValueTable | ForcedTable | ExactSearch:
    found = _table(game, positions)
    return ExactSearch(game) if found is None else found


_kept_table = lru_cache(maxsize=2)(ForcedTable)
_kept_source = lru_cache(maxsize=2)(_source)


def _values(
    positions: Positions,
    source: ValueTable | ForcedTable | ExactSearch,
    remoteness: bool,
    task: Task,
) -> MoveValues:
    shape = positions.owners.shape
    found = MoveValues(
        positions, np.full(shape, NO_MOVE, dtype=np.int8), np.full(shape, -1, dtype=np.int16)
    )
    if isinstance(source, ExactSearch):
        if not task.is_spread:
            _search_all(source, found, remoteness, task)
            return found
        # Each worker keeps its search between pieces, so small pieces balance the load at no cost.
        size = max(1, min(_LARGEST_PIECE, len(found) // (_PIECES * task.width)))
        parts = slices(len(found), size)
        pieces = [(positions[part], remoteness) for part in parts]
        for number, one in task.spread(_searched, pieces, parts):
            found.values[parts[number]] = one.values
            found.remoteness[parts[number]] = one.remoteness
        return found
    for part in slices(len(positions), _CHUNK):
        owners = positions.owners[part]
        lacking = source.move_values(owners, found.values[part], found.remoteness[part])
        if lacking >= 0:
            text = spelled(positions.owners[part.start + lacking].tobytes())
            raise SpecError(f"no play of {positions.game} leads to {text}")
        if task.stopped:
            raise KeyboardInterrupt
        task.report_progress(part.stop, len(positions))
    return found


def _searched(positions: Positions, remoteness: bool, task: Task) -> MoveValues:
    return values_of_some(positions, 0, task, remoteness)


def _search_all(search: ExactSearch, found: MoveValues, remoteness: bool, task: Task) -> None:
    """Search every move, seat by seat, because each seat has its own transposition table."""
    # A `Knowledge` record for each position would double the time of small ones.
    game = found.positions.game
    search.stop_flag[0] = 0
    movers = np.array([game.turns.mover(int(ply)) for ply in found.positions.plies])

    def run() -> None:
        for done, number in enumerate(np.argsort(movers, kind="stable")):
            if task.stopped or search.stop_flag[0]:
                return
            _search_one(search, found, int(number), remoteness and game.players == 2)
            task.report_progress(done + 1, len(movers))

    if not task.run(run, search.stop_flag) or task.stopped:
        raise KeyboardInterrupt


def _search_one(search: ExactSearch, found: MoveValues, number: int, remoteness: bool) -> None:
    position = found.positions[number]
    seat = position.to_move
    search.control[NODE_LIMIT] = search.control[NODES] + _MOST_NODES
    for cell in position.legal_moves:
        after = position.play(cell)
        # The sign first, within a narrow window; then the distance, on the side that is left.
        value = search.value(after, seat, low=-0.5, high=0.5)
        if remoteness and value and not math.isnan(value):
            ends = (0.0, math.inf) if value > 0 else (-math.inf, 0.0)
            value = search.value(after, seat, low=ends[0], high=ends[1])
        if math.isnan(value):
            if search.stop_flag[0]:
                return
            raise LimitError(
                f"the values of {position.text} in {position.game} were not found within "
                f"{_MOST_NODES:,} positions"
            )
        found.values[number, cell] = (value > 0) - (value < 0)
        if remoteness:
            plies = WIN - abs(value) - position.ply if value else position.game.cells - position.ply
            found.remoteness[number, cell] = int(plies)
