from __future__ import annotations

import random

import pytest

from hyperoxo.agents.expert import ExpertAgent
from hyperoxo.game import Game, Position
from hyperoxo.solvers.draws.pairing import mirroring_move, mirroring_seat


@pytest.mark.parametrize(
    "spec",
    [
        "3^2:misere",
        "3^3:misere",
        "4^2:misere",
        "4^3:misere",
        "5^2:misere",
        "3^3:misere,blocked=0+26",
    ],
)
def test_whoever_mirrors_never_loses(spec: str) -> None:
    game = Game(spec)
    seat = mirroring_seat(game)
    assert seat == (2 if game.side == 4 else 1)
    rng = random.Random(3)
    for _ in range(60):
        position = game.start()
        while not position.is_over:
            if position.to_move == seat:
                move = mirroring_move(position)
                assert move is not None
            else:
                assert mirroring_move(position) is None
                move = rng.choice(position.legal_moves)
            position = position.play(move)
        assert position.outcome is not None
        assert position.outcome.loser != seat


def test_every_play_of_three_squared_misere() -> None:
    def walk(position: Position) -> int:
        if position.outcome is not None:
            assert position.outcome.loser != 1
            return 1
        if position.to_move == 1:
            move = mirroring_move(position)
            assert move is not None
            return walk(position.play(move))
        return sum(walk(position.play(cell)) for cell in position.legal_moves)

    assert walk(Game("3^2:misere").start()) > 100


@pytest.mark.parametrize(
    "spec",
    [
        "3^2",
        "3^2:misere,players=3",
        "3^2:misere,gravity",
        "3^2:misere,target=2",
        "3^2:misere,blocked=centre",
        "3^2:misere,blocked=0",
        "3^2:misere,opening=poor",
        "7,6,4:misere",
        "1^2:misere",
    ],
)
def test_where_mirroring_proves_nothing(spec: str) -> None:
    assert mirroring_seat(Game(spec)) is None
    assert mirroring_move(Game(spec).start()) is None


def test_stones_that_are_not_mirrored() -> None:
    game = Game("3^2:misere")
    assert mirroring_move(game.position("moves:0,4")) is None
    assert mirroring_move(game.position("moves:4,0,1,8")) is None


def test_the_expert_mirrors() -> None:
    expert = ExpertAgent(simulations=10)
    explanation = expert.explain(Game("5^3:misere").start(), 0)
    assert explanation.move == 62
    assert "mirror" in explanation.reason.lower()
