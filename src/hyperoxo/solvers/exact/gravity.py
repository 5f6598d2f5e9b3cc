"""Exact search of two-player games under gravity, on bitboards of one word a colour."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError
from hyperoxo.game import Game, Position, Requires, Trait
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.kernels.gravity import REST_BITS, UNKNOWN, Grid, Keys, Levels, best_score, image
from hyperoxo.untrusted import memory_limit

_GRAVITY = Requires("exact search by columns", {Trait.STRONG, Trait.MISERE, Trait.GRAVITY})
_WORD = 64
_MOST_SYMMETRIES = 48
_TABLE_BITS, _GROWTH = 16, 4
"""Entries of a new table as a power of two, and the factor by which it grows."""
_VISITS = 4
"""Positions visited for each entry when a table grows: later, too many would be overwritten."""
_TABLE_SHARE = 2
"""Part of the memory budget for a table."""


def searches_columns(game: Game) -> bool:
    """True if this search supports a game."""
    return _GRAVITY.accepts(game) and _layout(game) is not None


class ColumnSearch:
    """Exact search of positions of one game, with one table for all of them."""

    def __init__(self, game: Game, control: NDArray[np.int64]) -> None:
        _GRAVITY.check(game)
        found = _layout(game)
        if found is None:
            raise LimitError(f"{game} has more cells than a word has bits")
        self.game = game
        self._grid, self._keys, bits, least_bits = found
        self._masks = np.uint64(1) << bits.astype(np.uint64)
        self._control = control
        rows, columns = game.cells + 1, len(self._grid.columns)
        self._levels = Levels(
            keys=np.zeros((rows, 2), np.uint64),
            bests=np.zeros(rows, np.int64),
            counts=np.zeros(rows, np.int64),
            nexts=np.zeros(rows, np.int64),
            turned=np.zeros(rows, np.int64),
            stones=np.zeros((rows, columns, 2), np.uint64),
            child_keys=np.zeros((rows, columns, 2), np.uint64),
            safe=np.zeros((rows, columns), np.uint64),
            free=np.zeros((rows, columns), np.int64),
            order=np.zeros((rows, columns), np.int64),
            worth=np.zeros(columns, np.int64),
        )
        self._table = np.zeros(1 << max(_TABLE_BITS, least_bits), np.uint64)

    def value(
        self,
        position: Position,
        low: float = -math.inf,
        high: float = math.inf,
        depth: int | None = None,
    ) -> float:
        """Return the value of a running position to the player to move: `WIN` less plies.

        Fail-soft: at most `low` it is an upper bound, from `high` a lower one. NaN at a limit. With
        a depth it is 0 if neither player wins within that many plies.
        """
        if depth is None:
            return self._between(position, low, high)
        # Two searches with a narrow window: a win within `depth`, then a loss within it.
        soon = WIN - position.ply - depth - 0.5
        if high > soon:
            value = self._between(position, max(low, soon), high)
            if not value <= max(low, soon):  # a win, or NaN
                return value
        if low < -soon:
            value = self._between(position, low, min(high, -soon))
            if not value >= min(high, -soon):
                return value
        return 0.0

    def _between(self, position: Position, low: float, high: float) -> float:
        free = self.game.cells - position.ply
        own, rival = self._stones(position)
        keys, window = self._keys_at(own, rival), self._window(low, high, free)
        control, limit = self._control, int(self._control[NODE_LIMIT])
        largest = memory_limit() // (_TABLE_SHARE * self._table.itemsize)
        while True:
            # The search ends when the table has to grow, and is resumed by what the table holds.
            grows = len(self._table) * _GROWTH <= largest
            pause = int(control[NODES]) + _VISITS * len(self._table)
            control[NODE_LIMIT] = limit if not grows or 0 < limit < pause else pause
            score = best_score(
                self._grid, keys, own, rival, free, *window, self._levels, self._table, control
            )
            control[NODE_LIMIT] = limit
            if score != UNKNOWN:
                return self._value(score, position.ply)
            if control[STOP] or 0 < limit < control[NODES]:
                return math.nan
            # The slot of a key has more bits now: that of an entry's key has one of its copies, and
            # no key with the same low bits has its slot at another (`_slot`).
            self._table = np.tile(self._table, _GROWTH)

    def _window(self, low: float, high: float, free: int) -> tuple[int, int]:
        """Return the greatest score of a value <= `low`, and the least of a value >= `high`."""
        # Values of scores of one sign are 2 apart; those of 1 and -1 tell who makes the last move.
        # `won` and `lost` are the magnitudes of the values of scores 1 and -1, the latest ends: the
        # parity of the last ply tells which player can complete a line on it.
        least, most = WIN - self.game.cells, (free + 1) // 2
        won = least + (free % 2 == self.game.misere)
        lost = least + (free % 2 != self.game.misere)
        low, high = (max(-WIN, min(WIN, value)) for value in (low, high))
        under = (low - won) // 2 + 1 if low >= won else 0 if low >= 0 else -_steps(-low - lost)
        over = (
            -((-high - lost) // 2 + 1) if -high >= lost else 0 if high <= 0 else _steps(high - won)
        )
        return int(max(-most, min(under, most))), int(max(-most, min(over, most)))

    def _stones(self, position: Position) -> tuple[np.uint64, np.uint64]:
        owners, mover = np.frombuffer(position.owners, np.uint8), position.to_move
        words = np.bitwise_or.reduce
        return words(self._masks[owners == mover]), words(self._masks[owners == 3 - mover])

    def _value(self, score: int, ply: int) -> float:
        """Return `WIN` less the ply of the end; score and winner's turn determine it."""
        if score == 0:
            return 0.0
        end = self.game.cells - 2 * (abs(score) - 1)
        # The player to move completes a line with an odd number of stones more.
        odd = (score > 0) != self.game.misere
        end -= (end - ply) % 2 != odd
        return math.copysign(WIN - end, score)

    def _keys_at(self, own: np.uint64, rival: np.uint64) -> Keys:
        """Return keys with the symmetries that can map a position below to another."""
        # If two positions below are images, one of them has the stones here and their images: no
        # cell may then have two owners.
        keys = self._keys
        possible = [
            not (image(keys, g, own) & rival or image(keys, g, rival) & own)
            for g in range(len(keys.images))
        ]
        return keys._replace(images=keys.images[np.array(possible, bool)])


@lru_cache(maxsize=32)
def _layout(game: Game) -> tuple[Grid, Keys, NDArray[np.int64], int] | None:
    """Return a game's grid and keys, the bit of each cell, and the least log2 size of a table."""
    # None if it has more cells than bits, or lines that are not straight in bits.
    board, shape, axis = game.board, game.board.shape, game.gravity
    if shape is None or axis is None or board.cell_count > _WORD or game.below is None:
        return None
    # 1. Column by column; with a guard above each, where they have room.
    height = shape[axis]
    count = board.cell_count // height
    width = height + (count * (height + 1) <= _WORD)
    numbers = np.moveaxis(np.arange(board.cell_count).reshape(shape), axis, -1).reshape(-1, height)
    bits = np.zeros(board.cell_count, np.int64)
    bits[numbers] = np.arange(count)[:, None] * width + np.arange(height)
    playable = board.playable
    field = _word(bits[playable])
    # A blocked cell parts a column into stacks, each with its own move. `above` counts the
    # cells of the stack above each cell. Without room for a guard bit the top bit of a column has
    # to be told apart by other means (`tops`).
    guards, tops = 0, []
    stacks: list[tuple[int, int]] = []
    above = np.zeros(board.cell_count, np.int64)
    for column in range(count):
        stack = 0
        for row in range(height):
            bit = column * width + row
            stack |= field & 1 << bit
            if not field >> bit & 1 or (row + 1 < height and field >> (bit + 1) & 1):
                continue
            stacks.append((-int(board.degrees[numbers[column]].sum()), stack))
            depth = stack.bit_count()
            above[numbers[column, row - depth + 1 : row + 1]] = np.arange(depth)[::-1]
            stack = 0
            if row + 1 < width:
                guards |= 1 << (bit + 1)
            else:
                tops.append(bit)
    # 2. Lines by the distance of neighbours: all of one distance are tested by the same shifts of a
    # word. A line with unequal distances rules this search out. `starts` has the lowest cell of
    # each line, `rises` only those of lines off the floor.
    starts: dict[int, int] = {}
    rises: dict[int, int] = {}
    floor = np.uint64(_word(bits[game.first_landing_cells]))
    for line in range(board.line_count):
        cells = np.sort(bits[board.line(line)])
        distances = np.unique(np.diff(cells))
        if len(distances) > 1:
            return None
        step = int(distances[0]) if len(distances) else 1
        starts[step] = starts.get(step, 0) | 1 << int(cells[0])
        rises[step] = rises.get(step, 0) | (not int(floor) & _word(cells)) << int(cells[0])
    # 3. Columns on most lines come first: they are the most promising.
    masks = [((1 << width) - 1) << column * width for column in range(count)]
    grid = Grid(
        np.array([(low, step) for step, low in starts.items()], np.uint64).reshape(-1, 2),
        int(board.line_sizes.max(initial=1)),
        np.array([stack for _, stack in sorted(stacks)], np.uint64),
        np.uint64(field),
        floor,
        int(game.misere),
        np.uint64(_word(bits[playable[above[playable] % 2 == 0]])),
        np.array([*rises.values()], np.uint64),
        np.array(
            [
                _word(bits[playable[above[playable] >= 2 * k - 2]])
                for k in range(board.cell_count + 1)
            ],
            np.uint64,
        ),
    )
    keys = Keys(
        floor,
        np.uint64(field | guards),
        np.array(tops, np.int64),
        np.array(masks, np.uint64),
        _images(game, numbers, width),
    )
    return grid, keys, bits, max(0, count * width + len(tops) - REST_BITS)


def _steps(above: float) -> float:
    """Return the score of a value so far above that of score 1, or of the next one."""
    return max(1, -(-above // 2) + 1)


def _word(bits: NDArray[np.int64]) -> int:
    return sum(1 << int(bit) for bit in bits)


def _images(game: Game, numbers: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Return column shifts in bits, ``[G, columns]``, of symmetries that permute whole columns."""
    count = len(numbers)
    if game.symmetry.order > _MOST_SYMMETRIES:
        return np.zeros((0, count), np.int64)
    shifts = []
    column_of = np.empty(numbers.size, np.int64)
    column_of[numbers] = np.arange(count)[:, None]
    for row in game.symmetry.permutations():
        images = column_of[row[numbers[:, 0]]]
        if (row[numbers] == numbers[images]).all() and (images != np.arange(count)).any():
            shifts.append((images - np.arange(count)) * width)
    return np.array(shifts, np.int64).reshape(-1, count)
