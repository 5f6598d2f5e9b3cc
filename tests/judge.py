"""The truth about positions of small games, by the oracle's trying of every move."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from hyperoxo.game import Game, Position
from hyperoxo.solvers import Solution
from tests.oracle import Values


class Judge:
    """The truth about the positions of one game."""

    def __init__(self, game: Game) -> None:
        self.values = Values(str(game))

    def __call__(self, position: Position, seat: int | None = None) -> tuple[int, int]:
        """Value for a seat, by default of the player to move, and plies to the end."""
        stones = self.values.read(position.owners, self.values.players)
        if seat is None:
            seat = self.values.mover(stones) + 1
        value, end = self.values.value(stones, seat - 1)
        return value, end - position.ply

    def after(self, position: Position, cell: int) -> tuple[int, int]:
        """Value of a move for the one who makes it, and plies to the end from before it."""
        value, plies = self(position.play(cell), position.to_move)
        return value, plies + 1

    def best(self, position: Position) -> set[int]:
        """The moves of the best value, the quickest wins and the slowest losses."""
        here = self(position)
        return {cell for cell in position.legal_moves if self.after(position, cell) == here}


@lru_cache(maxsize=16)
def judge_of(game: Game) -> Judge:
    return Judge(game)


def forced(position: Position, seat: int) -> int:
    """Result that a seat forces against all others: 1 a win, 0 a draw, -1 nothing or a loss."""
    judge = judge_of(position.game)
    if position.game.players > 2:
        return judge(position, seat)[0]
    return (3 - 2 * seat) * judge.values.sign(judge.values.read(position.owners, 2))


def plain_minimax(position: Position, depth: int, leaf: Callable[[Position], float]) -> float:
    """Search to a depth by positions alone; `leaf` judges, for the mover, where it ends."""
    outcome = position.outcome
    if outcome is not None:
        if outcome.draw:
            return 0.0
        return (1e15 - position.ply) * (1 if outcome.winner == position.ply % 2 + 1 else -1)
    if depth == 0:
        return leaf(position)
    return max(
        -plain_minimax(position.play(cell), depth - 1, leaf) for cell in position.legal_moves
    )


def words(found: tuple[int, int], players: int) -> tuple[str, int]:
    value, plies = found
    return ("loss" if players == 2 else "nothing", "draw", "win")[value + 1], plies


def check(position: Position, found: Solution) -> None:
    """Compare everything that a solution says with the truth."""
    players, seat = position.game.players, position.to_move
    judge = judge_of(position.game)
    value, plies = judge(position)
    assert found.player == seat
    assert (found.value, found.remoteness) == words((value, plies), players)
    assert found.bounds == (found.value, found.value)
    expected = 0
    if value > 0:
        expected = seat
    elif value < 0 and players == 2:
        expected = 3 - seat
    assert found.winner == expected
    assert [move.cell for move in found.moves] == list(position.legal_moves)
    for move in found.moves:
        assert (move.value, move.remoteness) == words(judge.after(position, move.cell), players)
        assert move.bounds == (move.value, move.value)
    assert found.complete
    assert found.evidence


def planes(position: Position, player: int) -> np.ndarray:
    """Stones as planes, bool ``[N, q]``, as a player, from 0, sees them: their own first."""
    owners = np.frombuffer(position.owners, np.uint8)
    players = position.game.players
    seen: np.ndarray = owners[:, None] == (player + np.arange(players)) % players + 1
    return seen


def kutner(position: Position, player: int, attack: float = 1.0, defend: float = 1.0) -> float:
    """Kutner's score of a position for a player, line by line."""
    board, players, value = position.game.board, position.game.players, 0.0
    for line in range(board.line_count):
        stones = [position.owners[cell] for cell in board.line(line)]
        owners, free = {stone for stone in stones if stone}, stones.count(0)
        if owners == {player}:
            value += attack / free if free else 8.0 * max(int(board.degrees.max()), 1)
        elif len(owners) == 1 and free:
            value -= defend / (free * (players - 1))
    return value
