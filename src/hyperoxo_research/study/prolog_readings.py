"""Readings of the Prolog program's search, for the rows of its table that no agent here meets.

The program was not published with its report. Heuristic 1 values a square by the lines through it;
the report does not say what a deepest position is worth by it, nor whether a search goes on
after a win. This is plain minimax with both left open, in readable code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from hyperoxo.game import Game
from hyperoxo.task import ALONE, Task

_WIN = 10**6


@dataclass(frozen=True)
class Reading:
    """What a deepest position is worth, and whether a search ends once a win is found."""

    last: bool
    stops: bool

    @property
    def words(self) -> str:
        """The reading in words."""
        worth = "the square moved to" if self.last else "own squares less the rival's"
        return f"{worth}; {'ends at a win' if self.stops else 'every move'}"


READINGS = tuple(Reading(last, stops) for last, stops in product((False, True), repeat=2))


class ReadSearch:
    """A game between two searches of fixed depth that are read in the same way."""

    def __init__(self, game: Game, depths: Sequence[int], reading: Reading) -> None:
        board = game.board
        self._depths, self._reading = depths, reading
        self._through = [
            [board.line(line).tolist() for line in board.lines_through(cell)]
            for cell in range(board.cell_count)
        ]
        self._worth = board.degrees.tolist()
        self._below = [-1] * board.cell_count if game.below is None else game.below.tolist()
        self._owners = [0] * board.cell_count
        self._nodes = 0

    def play(self, rng: np.random.Generator) -> tuple[int, tuple[int, int]]:
        """Play a game; return who won, 0 for a draw, and the positions that each visited."""
        self._owners = [0] * len(self._owners)
        visited, player, winner = [0, 0], 1, 0
        while not winner and (moves := self._moves()):
            self._nodes = 0
            values: dict[int, int] = {}
            for cell in moves:
                values[cell] = self._value(cell, player, self._depths[player - 1])
                if self._reading.stops and values[cell] >= _WIN:
                    break
            visited[player - 1] += self._nodes
            most = max(values.values())
            best = [cell for cell, value in values.items() if value == most]
            cell = best[int(rng.integers(len(best)))]
            self._owners[cell] = player
            winner = player if self._wins(cell, player) else 0
            player = 3 - player
        return winner, (visited[0], visited[1])

    def _moves(self) -> list[int]:
        return [
            cell
            for cell, owner in enumerate(self._owners)
            if not owner and (self._below[cell] < 0 or self._owners[self._below[cell]])
        ]

    def _wins(self, cell: int, player: int) -> bool:
        return any(all(self._owners[at] == player for at in line) for line in self._through[cell])

    def _value(self, cell: int, player: int, depth: int) -> int:
        """Return what a move is worth to its player, nearer wins more."""
        self._nodes += 1
        self._owners[cell] = player
        if self._wins(cell, player):
            value = _WIN + depth
        elif depth == 1 or not (moves := self._moves()):
            value = self._static(cell, player)
        else:
            value = -_WIN * 2
            for reply in moves:
                value = max(value, self._value(reply, 3 - player, depth - 1))
                if self._reading.stops and value >= _WIN:
                    break
            value = -value
        self._owners[cell] = 0
        return value

    def _static(self, cell: int, player: int) -> int:
        if self._reading.last:
            return int(self._worth[cell])
        return sum(
            self._worth[at] if owner == player else -self._worth[at]
            for at, owner in enumerate(self._owners)
            if owner
        )


def games_of(
    game: Game,
    depths: Sequence[int],
    reading: Reading,
    games: int,
    seed: int,
    task: Task = ALONE,
) -> Iterator[tuple[int, tuple[int, int]]]:
    """Play games by a reading; yield who won, and the positions that each player visited."""
    search = ReadSearch(game, depths, reading)
    for number in range(games):
        yield search.play(np.random.default_rng([seed, number]))
        task.tell(number + 1, games)
