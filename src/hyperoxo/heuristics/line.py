"""Line heuristics: what a line is worth, as a table of the stones on it.

A line heuristic gives the value, to a player, of a line on which they have `own` stones
and one single rival has `rivals`. A line with stones of two different rivals is dead
for them and counts nothing. The value of a position to a player is the sum over lines;
a full own line counts +infinity unless the heuristic says what it is worth.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board import Board, neighbour_pairs
from hyperoxo.errors import LimitError, SpecError, quoted

MAX_TABLED_SIZE = 1_000
"""Longest line for which a heuristic is tabulated."""

Weight = Callable[[int, int, int, int], float]


@dataclass(frozen=True)
class LineHeuristic:
    """A value for every (own, rivals) content of a line.

    Attributes
    ----------
    name : str
        Its name in messages.
    weight : callable
        Function of (own, rivals, n, q) with n the cells on the line and q the players.
    full_is_infinite : bool
        Whether a full own line beats everything; otherwise its weight counts.
    by_ends : bool
        Whether `own` is counted from each end of the line in turn, by the scan rule of
        :func:`hyperoxo.heuristics.ising.ising_heuristic`.
    on_neighbours : bool
        Whether the table weighs pairs of neighbouring cells instead of lines.

    Examples
    --------
    >>> doubling = line_heuristic(lambda own, rivals: 2.0**own if not rivals else 0.0)
    >>> doubling.table(3, 2)[:3, 0].tolist()
    [1.0, 2.0, 4.0]
    """

    name: str
    weight: Weight
    full_is_infinite: bool = True
    by_ends: bool = False
    on_neighbours: bool = False

    def table(self, size: int, players: int) -> NDArray[np.float64]:
        """Tabulate the weights of a line of `size` cells among `players` players.

        Returns
        -------
        ndarray of float64, shape ``[size + 1, size + 1]``
            Entry ``[own, rivals]``; 0 where both do not fit on the line; +inf for the
            full own line where that is infinite.

        Raises
        ------
        SpecError
            If the function fails or returns something other than a finite number.
        LimitError
            If the line is longer than 1,000 cells.
        """
        if size > MAX_TABLED_SIZE:
            raise LimitError(
                f"heuristic '{self.name}': lines of {size:,} cells are too long to tabulate; "
                f"the limit is {MAX_TABLED_SIZE:,}"
            )
        table = np.zeros((size + 1, size + 1))
        for own in range(size + 1):
            for rivals in range(size + 1 - own):
                if self.full_is_infinite and own == size:
                    table[own, rivals] = np.inf
                elif self.full_is_infinite and rivals == size:
                    table[own, rivals] = 0.0
                else:
                    table[own, rivals] = self._value(own, rivals, size, players)
        return table

    def _value(self, own: int, rivals: int, size: int, players: int) -> float:
        where = f"heuristic '{self.name}' at own={own}, rivals={rivals}, n={size}, q={players}"
        try:
            value = float(self.weight(own, rivals, size, players))
        except OverflowError:
            raise SpecError(f"{where}: the value is too large") from None
        except Exception as error:
            raise SpecError(f"{where}: {type(error).__name__}: {error}") from None
        if not np.isfinite(value):
            raise SpecError(f"{where}: the value is {value}; it must be finite")
        return value


def line_heuristic(
    function: Callable[..., float], *, name: str | None = None, full: str = "infinite"
) -> LineHeuristic:
    """Make a line heuristic from a Python function.

    Parameters
    ----------
    function : callable
        Function of ``(own, rivals)``, ``(own, rivals, n)`` or ``(own, rivals, n, q)``. It
        is called once per entry of a small table, which then runs at native speed.
    name : str, optional
        Name for messages; default the function's.
    full : {"infinite", "weight"}
        Whether a full own line beats everything or counts the function's value.

    Returns
    -------
    LineHeuristic
        For greedy play, minimax and everything else that takes a heuristic.

    Raises
    ------
    SpecError
        If the function takes other arguments.

    Examples
    --------
    >>> threes = line_heuristic(lambda own, rivals: 3.0**own if not rivals else 0.0)
    >>> threes.table(3, 2)[2].tolist()
    [9.0, 0.0, 0.0, 0.0]
    """
    if full not in ("infinite", "weight"):
        raise SpecError(f"full must be 'infinite' or 'weight', not {quoted(full)}")
    try:
        arity = len(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        arity = 2
    if arity not in (2, 3, 4):
        raise SpecError(f"a line heuristic takes (own, rivals[, n[, q]]), not {arity} arguments")

    def weight(own: int, rivals: int, size: int, players: int) -> float:
        return function(*(own, rivals, size, players)[:arity])

    called = name or getattr(function, "__name__", "heuristic").replace("<lambda>", "heuristic")
    return LineHeuristic(called, weight, full == "infinite")


@dataclass(frozen=True, eq=False)
class HeuristicTables:
    """A heuristic tabulated for the lines of `structure`: the board or its pairs of neighbours.

    `weights` are finite, by kind of line, own and rivals' stones; a kind is a line size. `big`
    stands for infinity: more than all other gains of one move together.
    """

    weights: NDArray[np.float64]
    kinds: NDArray[np.int32]
    big: float
    by_ends: bool
    structure: Board


@lru_cache(maxsize=64)
def tabulate(heuristic: LineHeuristic, board: Board, players: int) -> HeuristicTables:
    """Tabulate a heuristic for a board."""
    if heuristic.on_neighbours:
        board = neighbour_pairs(board)
    sizes, kinds = np.unique(board.line_sizes, return_inverse=True)
    width = int(sizes.max(initial=1)) + 1
    weights = np.zeros((max(len(sizes), 1), width, width))
    for kind, size in enumerate(sizes):
        weights[kind, : size + 1, : size + 1] = heuristic.table(int(size), players)
    finite = np.abs(weights[np.isfinite(weights)]).max(initial=0.0)
    big = float(4.0 * (1.0 + finite) * max(int(board.degrees.max()), 1))
    return HeuristicTables(
        np.where(np.isfinite(weights), weights, big),
        kinds.astype(np.int32).ravel(),
        big,
        heuristic.by_ends,
        board,
    )
