"""Max^n to the end of the game, against a search by positions alone."""

from __future__ import annotations

import pytest

from hyperoxo.game import Game, Position
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.solvers.exact.minimax import ExactSearch, maxn_values


def by_positions(position: Position) -> tuple[float, ...]:
    """Each takes the first of the moves that are best for themselves."""
    if position.outcome is not None:
        worth = WIN - position.ply
        won, drawn = position.outcome.winners, position.outcome.draw
        return tuple(
            0.0 if drawn else worth if seat in won else -worth
            for seat in range(1, position.game.players + 1)
        )
    found = [by_positions(position.play(cell)) for cell in position.legal_moves]
    return max(found, key=lambda values: values[position.to_move - 1])


@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("2^2:players=3", ""),
        ("3,2,2:players=3", ""),
        ("3,2,2:players=3,misere", ""),
        ("3,2,2:players=4,gravity", ""),
        ("3^2:players=3", "0,4,8"),
        ("3^2:players=3,target=2", "0,1,2,3"),
    ],
)
def test_values_are_those_of_the_definition(spec: str, moves: str) -> None:
    position = Game(spec).position(f"moves:{moves}") if moves else Game(spec).start()
    assert maxn_values(ExactSearch(position.game), position) == by_positions(position)


@pytest.mark.parametrize(
    ("spec", "moves", "signs"),
    [
        ("2^2:players=3", "0,1,2,3", [1, -1, -1]),
        ("2^2:players=3,misere", "0,1,2,3", [-1, 1, 1]),
        ("3^1:players=3", "0,1,2", [0, 0, 0]),
    ],
)
def test_games_that_are_over(spec: str, moves: str, signs: list[int]) -> None:
    position = Game(spec).position(f"moves:{moves}")
    values = maxn_values(ExactSearch(position.game), position)
    assert values == by_positions(position)
    assert [(value > 0) - (value < 0) for value in values or ()] == signs


def test_a_limit_leaves_nothing() -> None:
    game = Game("3^2:players=3")
    assert maxn_values(ExactSearch(game, 5), game.start()) is None
