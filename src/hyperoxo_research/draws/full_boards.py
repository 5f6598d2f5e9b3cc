"""Full boards without a line of one player: local search, or exhaustive search on small boards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board import Board
from hyperoxo.game import BLOCKED, FREE, Game, Requires, Trait
from hyperoxo.solvers.sources import FullBoard
from hyperoxo_research.draws.stored import stored_board
from hyperoxo_research.proof.cubes import cube_lines
from hyperoxo_research.proof.full_board import DrawnBoard

_DRAWS = Requires(
    "a search for full boards without a line",
    {Trait.STRONG, Trait.MISERE, Trait.TWO_PLAYERS, Trait.SEVERAL_PLAYERS},
)
_PARTNERS = 12
"""Candidates for an exchange with one stone."""
_NOISE = 0.05
_MOST_CELLS = 30
"""Most playable cells for exhaustive search."""
_MOST_FILLED = 200_000


def full_board(game: Game, *, exchanges: int = 20_000, seed: int = 0) -> FullBoard:
    """Look for a full board without a line, each player with their share of stones."""
    # Any such board ends a drawn game, for no part of it has a line either. Some are stored, of 4^5
    # and a few larger boards. Small boards are searched exhaustively, others by exchanges of
    # stones, which may miss a board.
    _DRAWS.check(game)
    if game.players == 2 and (stones := _stored(game.board)) is not None:
        # Player 1 has the odd stone.
        first = int(2 * stones.sum() > len(stones))
        return FullBoard(tuple(np.where(stones == first, 1, 2).tolist()), exhausted=False)
    if len(game.board.playable) <= _MOST_CELLS:
        found = _every(game)
        if found.owners or found.exhausted:
            return found
    return FullBoard(_Exchanging(game, seed).run(exchanges), exhausted=False)


def board_of(game: Game, owners: Sequence[int]) -> DrawnBoard:
    """Return a full board as a proof that a draw exists."""
    signs = ("#" if owner == BLOCKED else str(owner) for owner in owners)
    return DrawnBoard(str(game), "".join(signs))


def _stored(board: Board) -> NDArray[np.uint8] | None:
    """Return the stored stones of a plain n^d: all its cells, its lines and no others."""
    side, dim = board.side, board.dim
    if side is None or dim is None or board.line_count != cube_lines(side, dim):
        return None
    return None if board.blocked or board.wrap else stored_board(side, dim)


class Stones:
    """Stones on a board, with incremental counts by line and player."""

    def __init__(self, game: Game) -> None:
        board = game.board
        self.cells = [int(cell) for cell in board.playable]
        self.lines = [board.line(number).tolist() for number in range(board.line_count)]
        self.through = [board.lines_through(cell).tolist() for cell in range(board.cell_count)]
        self.counts = [[0] * (game.players + 1) for _ in self.lines]
        self.owners = [BLOCKED] * board.cell_count
        for cell in self.cells:
            self.owners[cell] = FREE
        shares = [0] * (game.players + 1)
        for turn in range(len(self.cells)):
            shares[turn % game.players + 1] += 1
        self.shares = shares
        # Lines of one player, in any order, with the place of each for removal in one step.
        self.full: list[int] = []
        self.full_of = [0] * (game.players + 1)
        self._place = dict[int, int]()

    def put(self, cell: int, player: int) -> None:
        """Put a stone on a cell, in place of any other; `FREE` takes it away."""
        before, self.owners[cell] = self.owners[cell], player
        for line in self.through[cell]:
            counts, size = self.counts[line], len(self.lines[line])
            if before and counts[before] == size:
                self._broken(line)
                self.full_of[before] -= 1
            counts[before] -= before != FREE
            counts[player] += player != FREE
            if player and counts[player] == size:
                self.full_of[player] += 1
                self._place[line] = len(self.full)
                self.full.append(line)

    def exchange(self, one: int, other: int) -> None:
        """Exchange two stones."""
        mine, theirs = self.owners[one], self.owners[other]
        self.put(one, theirs)
        self.put(other, mine)

    def _broken(self, line: int) -> None:
        """Remove a line from `full`; the last one takes its place."""
        place, last = self._place.pop(line), self.full.pop()
        if last != line:
            self.full[place] = last
            self._place[last] = place


class _Exchanging(Stones):
    """Min-conflicts local search: a stone of a full line is exchanged with the best partner."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game)
        self._rng = np.random.default_rng(seed)
        players = np.repeat(np.arange(len(self.shares)), self.shares)
        for cell, player in zip(self.cells, self._rng.permutation(players).tolist(), strict=True):
            self.put(cell, player)

    def run(self, exchanges: int) -> tuple[int, ...] | None:
        """Exchange stones until no line is full; return the owners, or None."""
        for _ in range(exchanges):
            if not self.full:
                return tuple(self.owners)
            line = self.lines[self.full[int(self._rng.integers(len(self.full)))]]
            cell = line[int(self._rng.integers(len(line)))]
            partners = [
                other
                for other in self._rng.choice(self.cells, _PARTNERS).tolist()
                if self.owners[other] != self.owners[cell]
            ]
            if self._rng.random() < _NOISE:
                partners = partners[:1]
            left = {other: self._left(cell, other) for other in partners}
            if left:
                self.exchange(cell, min(left, key=left.__getitem__))
        return None if self.full else tuple(self.owners)

    def _left(self, one: int, other: int) -> int:
        """Count the lines of one player that an exchange would leave."""
        self.exchange(one, other)
        left = len(self.full)
        self.exchange(one, other)
        return left


def _every(game: Game) -> FullBoard:
    """Search all fillings by backtracking, most constrained cell first."""
    stones = Stones(game)
    left, tried = list(stones.shares), 0

    def allowed(cell: int) -> list[int]:
        return [
            player
            for player in range(1, game.players + 1)
            if left[player]
            and all(
                stones.counts[line][player] < len(stones.lines[line]) - 1
                for line in stones.through[cell]
            )
        ]

    def fill() -> bool:
        nonlocal tried
        free = [cell for cell in stones.cells if stones.owners[cell] == FREE]
        if not free:
            return True
        tried += 1
        # A cell that no player may take ends the branch at once: its loop below is empty.
        choices = {cell: allowed(cell) for cell in free}
        cell = min(free, key=lambda at: (len(choices[at]), -len(stones.through[at])))
        for player in choices[cell]:
            stones.put(cell, player)
            left[player] -= 1
            if tried < _MOST_FILLED and fill():
                return True
            stones.put(cell, FREE)
            left[player] += 1
        return False

    found = fill()
    owners = tuple(stones.owners) if found else None
    return FullBoard(owners, exhausted=not found and tried < _MOST_FILLED)
