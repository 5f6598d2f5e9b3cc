"""Games in progress: against positions, on random games of random rules."""

from __future__ import annotations

import copy
import json
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.adapters.running import Running, rewards_of, start_of
from hyperoxo.errors import HyperoxoError, IllegalMoveError, SpecError
from hyperoxo.game import Game, Outcome, Position
from hyperoxo.notation import Record, record_to_dict
from tests.expect import message_of
from tests.judge import planes
from tests.strategies import games


def check(running: Running, position: Position) -> None:
    """Compare all that a running game says with what the position says."""
    game = position.game
    assert running.is_over == position.is_over
    assert running.mover == position.to_move - 1
    assert running.rewards == rewards_of(position.outcome, game.players)
    for observer in range(game.players):
        stones, mask = running.observe(observer)
        assert (stones == planes(position, observer)).all()
        legal = position.legal_moves if observer == position.to_move - 1 else ()
        assert tuple(np.flatnonzero(mask)) == legal


@pytest.mark.more
@settings(max_examples=60, deadline=None)
@given(games(new_rules=True), st.integers(0, 2**32))
def test_random_games_agree_with_positions(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    position = game.start()
    running = Running(position)
    while not position.is_over:
        check(running, position)
        for cell in rng.sample(range(-1, game.board.cell_count + 1), 3):
            if cell not in position.legal_moves:
                ours = message_of(IllegalMoveError, running.play, cell, strict=True)
                assert ours == message_of(IllegalMoveError, position.play, cell)
        cell = rng.choice(position.legal_moves)
        position = position.play(cell)
        assert running.play(cell)
        if rng.random() < 0.3:
            assert running.position == position
            assert running.position.history == position.history
        if rng.random() < 0.2:
            assert running.undo() == cell
            check(running, position.undo())
            running.play(cell)
        if rng.random() < 0.2:
            running = rng.choice([copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])(
                running
            )
    check(running, position)
    assert running.position == position


def test_a_copy_goes_its_own_way() -> None:
    running = Running(Game("3^2").start())
    other = copy.deepcopy(running)
    other.play(4)
    assert (running.position.text, other.position.text) == (".........", "....1....")


def test_illegal_moves() -> None:
    running = Running(Game("3^2:players=3,blocked=8").start())
    assert running.play("b2")
    before = running.position
    assert not running.play(4)
    assert not running.play(np.int32(8))
    for action, message in ((9, "no cell 9"), (-1, "no cell -1"), (None, "a cell number")):
        with pytest.raises(IllegalMoveError, match=message):
            running.play(action)
    assert running.position == before
    running.forfeit()
    assert running.is_over
    assert running.rewards == [0.5, -1.0, 0.5]
    assert not any(running.observe(observer)[1].any() for observer in range(3))


def test_starts() -> None:
    game = Game("3^2")
    assert start_of(game, None) == start_of(game, {"other": 1}) == game.start()
    position = start_of(game, {"position": "moves:4,0"})
    record = record_to_dict(Record.of(position))
    for other in (position, record, json.dumps(record)):
        assert position == start_of(game, {"position": other})
    running = Running(position)
    check(running, position)
    for given_start in ("12", "moves:4,4", 7, Game("3^3").start()):
        assert message_of(HyperoxoError, start_of, game, {"position": given_start})
    assert "end of a game" in message_of(SpecError, running.restart, game.position("11122...."))


@pytest.mark.parametrize(
    ("outcome", "players", "rewards"),
    [
        (None, 3, [0, 0, 0]),
        (Outcome(None, None, ()), 3, [0, 0, 0]),
        (Outcome(2, 1, (2,)), 2, [-1, 1]),
        (Outcome(2, None, (2,)), 3, [-0.5, 1, -0.5]),
        (Outcome(None, 3, (1, 2, 4)), 4, [1 / 3, 1 / 3, -1, 1 / 3]),
    ],
)
def test_winners_share_what_the_others_lose(
    outcome: Outcome | None, players: int, rewards: list[float]
) -> None:
    assert rewards_of(outcome, players) == pytest.approx(rewards)
