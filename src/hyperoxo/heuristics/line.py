"""Line heuristics: weights of a line by the stones on it.

A line heuristic gives the value, to a player, of a line on which they have `own` stones
and one single rival has `rivals`. A line with stones of two different rivals is dead
for them and counts 0. The value of a position to a player is the sum over lines;
a full own line counts +infinity unless the heuristic gives it a weight. Lines of
different classes, such as the orbits of lines under symmetry, may be valued differently, and so
may lines at different stages of the game.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board import Board, neighbour_pairs
from hyperoxo.board.groups import merge_orbits
from hyperoxo.errors import LimitError, SpecError, quoted

MAX_TABLED_SIZE = 1_000
"""Longest line of a tabulated heuristic."""

MOST_STAGES = 9
"""Most stages of a game that a heuristic distinguishes."""

Weight = Callable[..., float]


def line_orbits(board: Board) -> NDArray[np.int32]:
    """Return the orbit of each line under the symmetries of the board, numbered by first lines.

    On 3^2 class 0 are the four sides, 1 the two diagonals and 2 the two lines between sides.
    """
    count = board.line_count
    rows = np.sort(board.lines, axis=1)
    numbers = np.arange(count, dtype=np.int32)
    # A symmetry permutes the lines, so lines and images, each a sorted row, are the same rows in
    # another order: the k-th image in lexicographic order is the k-th line in that order.
    order = np.lexsort(rows.T[::-1]).astype(np.int32) if count else numbers
    moves = []
    for generator in board.symmetry.generators if count else ():
        images = np.sort(np.where(rows >= 0, generator[rows], -1), axis=1)
        found = np.empty(count, dtype=np.int32)
        found[np.lexsort(images.T[::-1])] = order
        moves.append((numbers, found))
    labels = np.unique(merge_orbits(numbers, moves), return_inverse=True)[1]
    return labels.astype(np.int32).ravel()


def line_axes(board: Board) -> NDArray[np.int32]:
    """Return for each line the number of axes along which it runs, less 1; 0 is along one axis."""
    if board.shape is None:
        raise SpecError("classes 'axes' need a board with coordinates")
    ends = board.lines[:, :2] if board.lines.shape[1] > 1 else board.lines[:, [0, 0]]
    places = np.array(np.unravel_index(ends, board.shape))
    axes: NDArray[np.int32] = (places[..., 0] != places[..., 1]).sum(axis=0).astype(np.int32)
    return np.maximum(axes - 1, 0).astype(np.int32)


CLASSES: dict[str, Callable[[Board], NDArray[np.int32]]] = {
    "orbits": line_orbits,
    "axes": line_axes,
}
"""Classes of lines by name: for each line of a board the number of its class, int32 ``[L]``."""


@dataclass(frozen=True)
class LineHeuristic:
    """A value for every (own, rivals) content of a line.

    Attributes
    ----------
    name : str
        Its name in messages.
    weight : callable
        Function of (own, rivals, n, q) with n the cells on the line and q the players; with
        `classes`, of (own, rivals, n, q, c) with the number of the line's class; with `stages`, of
        (own, rivals, n, q, c, stage).
    full_is_infinite : bool
        Whether a full own line outweighs everything; otherwise its weight counts.
    by_ends : bool
        Whether `own` is counted from each end of the line in turn, by the scan rule of
        :func:`hyperoxo.heuristics.ising.ising_heuristic`.
    on_neighbours : bool
        Whether the table weighs pairs of neighbouring cells instead of lines.
    classes : str
        Lines that may be valued differently, a name of ``CLASSES``; "" for one class for each
        size.
    stages : int
        Parts of the game in which lines may be valued differently. With s of N cells taken it is
        part floor(s * stages / N), counted from 0; moves are judged by the part in which they are
        made.

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
    classes: str = ""
    stages: int = 1

    def table(
        self, size: int, players: int, line_class: int = 0, stage: int = 0
    ) -> NDArray[np.float64]:
        """Tabulate the weights of a line of `size` cells among `players` players.

        Parameters
        ----------
        size : int
            Number of cells of the line.
        players : int
            Number of players.
        line_class : int, default 0
            Class of the line, where weights differ by class.
        stage : int, default 0
            Stage of the game, where weights differ by stage.

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
                    table[own, rivals] = self._value(own, rivals, size, players, line_class, stage)
        return table

    def _value(self, *arguments: int) -> float:
        own, rivals, size, players, _, _ = arguments
        where = f"heuristic '{self.name}' at own={own}, rivals={rivals}, n={size}, q={players}"
        taken = 6 if self.stages > 1 else 5 if self.classes else 4
        try:
            value = float(self.weight(*arguments[:taken]))
        except SpecError:
            raise
        except OverflowError:
            raise SpecError(f"{where}: the value is too large") from None
        except Exception as error:
            raise SpecError(f"{where}: {type(error).__name__}: {error}") from None
        if not np.isfinite(value):
            raise SpecError(f"{where}: the value is {value}; it must be finite")
        return value


def line_heuristic(
    function: Callable[..., float],
    *,
    name: str | None = None,
    full: str = "infinite",
    classes: str = "",
    stages: int = 1,
) -> LineHeuristic:
    """Make a line heuristic from a Python function.

    Parameters
    ----------
    function : callable
        Function of ``(own, rivals)``, ``(own, rivals, n)``, ``(own, rivals, n, q)``, with
        `classes` of ``(own, rivals, n, q, c)`` and with `stages` of ``(own, rivals, n, q, c, g)``.
        It is called once per entry of a small table, which then runs at native speed.
    name : str, optional
        Name for messages; default the function's.
    full : {"infinite", "weight"}
        Whether a full own line outweighs everything or counts the function's value.
    classes : {"", "orbits", "axes"}
        Meaning of `c`: the orbit of the line under the board's symmetries, in the order of their
        first lines, or the number of axes along which it runs, less 1.
    stages : int
        1 to 9 parts of the game of as many plies, which `g` counts from 0.

    Returns
    -------
    LineHeuristic
        For greedy play, minimax and everything else that takes a heuristic.

    Raises
    ------
    SpecError
        If the function takes other arguments, or there are no such classes or stages.

    Examples
    --------
    >>> threes = line_heuristic(lambda own, rivals: 3.0**own if not rivals else 0.0)
    >>> threes.table(3, 2)[2].tolist()
    [9.0, 0.0, 0.0, 0.0]

    On 3^2 the orbits are the sides, the diagonals, and the two lines between sides:

    >>> import hyperoxo as ox
    >>> weight = lambda own, rivals, n, q, c: (1.0, 3.0, 2.0)[c] * own
    >>> diagonals = line_heuristic(weight, classes="orbits")
    >>> ox.energy(ox.Game("3^2").position("moves:0"), diagonals).players
    (5.0, 0.0)
    """
    if full not in ("infinite", "weight"):
        raise SpecError(f"full must be 'infinite' or 'weight', not {quoted(full)}")
    try:
        arity = len(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        arity = 2
    if classes and classes not in CLASSES:
        raise SpecError(f"classes must be one of {', '.join(CLASSES)}, not {quoted(classes)}")
    if not 1 <= stages <= MOST_STAGES:
        raise SpecError(f"stages must be 1 to {MOST_STAGES}, not {quoted(stages)}")
    most = 6 if stages > 1 else 5 if classes else 4
    if not 2 <= arity <= most:
        names = ("own", "rivals", "n", "q", "c", "g")[:most]
        taken = f"({', '.join(names[:2])}[, {'[, '.join(names[2:])}{']' * (most - 2)})"
        raise SpecError(f"a line heuristic takes {taken}, not {arity} arguments")

    weight = partial(_of_the_first, function, arity)
    called = name or getattr(function, "__name__", "heuristic").replace("<lambda>", "heuristic")
    return LineHeuristic(called, weight, full == "infinite", classes=classes, stages=stages)


def _of_the_first(function: Weight, arity: int, *arguments: int) -> float:
    return function(*arguments[:arity])


@dataclass(frozen=True, eq=False)
class HeuristicTables:
    """A heuristic tabulated for the lines of `structure`: the board or its pairs of neighbours.

    `weights` are finite, by kind of line, own and rivals' stones; a kind is a stage, a line size
    and a class. `kinds` has a row for each stage, the kinds of the lines in it. `big` replaces
    infinity: more than all other gains of one move together. If longer rows do not count, a full
    line that did not end the game is worth nothing instead.
    """

    weights: NDArray[np.float64]  # ``[K, W, W]``, W one more than the longest line
    kinds: NDArray[np.int32]  # ``[stages, L]``
    big: float
    by_ends: bool
    structure: Board


@lru_cache(maxsize=64)
def tabulate(heuristic: LineHeuristic, board: Board, players: int) -> HeuristicTables:
    """Tabulate a heuristic for a board."""
    if heuristic.on_neighbours:
        board = neighbour_pairs(board)
    known, kinds = kinds_of(board, heuristic.classes, heuristic.stages)
    width = int(board.line_sizes.max(initial=1)) + 1
    weights = np.zeros((max(len(known), 1), width, width))
    for kind, (stage, size, line_class) in enumerate(known):
        weights[kind, : size + 1, : size + 1] = heuristic.table(size, players, line_class, stage)
    # A move changes at most `degree` lines, each by at most twice the largest finite weight, for
    # the player and for a rival.
    finite = np.abs(weights[np.isfinite(weights)]).max(initial=0.0)
    big = float(4.0 * (1.0 + finite) * max(int(board.degrees.max()), 1))
    full = 0.0 if board.exact else big  # in a game that goes on such a line is part of a longer row
    return HeuristicTables(
        np.where(np.isfinite(weights), weights, full), kinds, big, heuristic.by_ends, board
    )


@lru_cache(maxsize=64)
def kinds_of(
    board: Board, classes: str = "", stages: int = 1
) -> tuple[list[tuple[int, int, int]], NDArray[np.int32]]:
    """Return (stage, size, class) of each kind of line, and kinds of lines ``[stages, L]``."""
    numbers = CLASSES[classes](board) if classes else np.zeros(board.line_count, dtype=np.int32)
    pairs, kinds = np.unique(
        np.stack([board.line_sizes, numbers], axis=1), axis=0, return_inverse=True
    )
    known = [(stage, int(size), int(number)) for stage in range(stages) for size, number in pairs]
    first = len(pairs) * np.arange(stages, dtype=np.int32)
    return known, (first[:, None] + kinds.ravel()).astype(np.int32)


def side_by_side(
    tables: Sequence[HeuristicTables],
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the weights of several heuristics, ``[S, K, W, W]``, by common kinds of lines."""
    # Refine: the stages to their least common multiple, and a kind to each combination of the kinds
    # that the heuristics give to a line.
    stages = math.lcm(*(len(table.kinds) for table in tables))
    shape = stages, tables[0].kinds.shape[1]
    stacked = np.stack(
        [np.repeat(table.kinds, stages // len(table.kinds), axis=0).ravel() for table in tables],
        axis=1,
    )
    rows, kinds = np.unique(stacked, axis=0, return_inverse=True)
    # A board without lines: one kind that no line has, as the kernels expect at least one.
    if not len(rows):
        rows = np.zeros((1, len(tables)), dtype=np.int32)
    weights = np.stack([table.weights[rows[:, i]] for i, table in enumerate(tables)])
    return weights, kinds.astype(np.int32).reshape(shape)
