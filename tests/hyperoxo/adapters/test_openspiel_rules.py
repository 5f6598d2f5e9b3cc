"""The rules against OpenSpiel's gomoku, with shorter and wrapped lines too."""

from __future__ import annotations

import random

import pyspiel
import pytest

from hyperoxo.game import Game

BOARDS = [
    *((side, dim, side, False) for side, dim in [(3, 2), (4, 2), (5, 2), (3, 3), (4, 3), (3, 4)]),
    *((side, dim, side, True) for side, dim in [(3, 2), (4, 2), (5, 2), (3, 3)]),
    *((5, 2, connect, wrap) for connect in (2, 3, 4) for wrap in (False, True)),
    (4, 3, 3, False),
    (4, 3, 3, True),
]


@pytest.mark.parametrize(("side", "dim", "connect", "wrap"), BOARDS)
@pytest.mark.parametrize("anti", [False, True])
def test_random_games_agree_move_by_move(
    side: int, dim: int, connect: int, wrap: bool, anti: bool
) -> None:
    theirs = pyspiel.load_game(
        "gomoku", {"size": side, "dims": dim, "connect": connect, "wrap": wrap, "anti": anti}
    )
    ours = Game(side=side, dim=dim, connect=connect, wrap=wrap, misere=anti)
    rng = random.Random(side * 100 + dim * 10 + anti)
    for _ in range(12 if side**dim < 30 else 4):
        state, position = theirs.new_initial_state(), ours.start()
        while not position.is_over:
            assert not state.is_terminal()
            assert state.legal_actions() == list(position.legal_moves)
            assert state.current_player() == position.to_move - 1
            cell = rng.choice(position.legal_moves)
            state.apply_action(cell)
            position = position.play(cell)
        assert state.is_terminal()
        assert position.outcome is not None
        returns = [0.0, 0.0]
        if position.outcome.winner is not None:
            returns = [1.0 if p == position.outcome.winner else -1.0 for p in (1, 2)]
        assert list(state.returns()) == returns


def test_random_games_reach_every_ending() -> None:
    """The games above are worth something only if they end in more than one way."""
    rng = random.Random(7)
    endings = set()
    for _ in range(60):
        position = Game("3^2").start()
        while not position.is_over:
            position = position.play(rng.choice(position.legal_moves))
        assert position.outcome is not None
        endings.add(position.outcome.winner)
    assert endings == {1, 2, None}
