"""The PettingZoo environment: the official tests, and every rule against positions."""

from __future__ import annotations

import copy
import random
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test as official
from pettingzoo.test import render_test, seed_test
from pettingzoo.test.state_test import test_state as state_test
from pettingzoo.test.state_test import test_state_space as state_space_test

from hyperoxo.adapters import pettingzoo
from hyperoxo.adapters.running import rewards_of
from hyperoxo.errors import IllegalMoveError, SpecError
from hyperoxo.game import Game
from tests.expect import message_of
from tests.judge import planes
from tests.strategies import games

SPECS = (
    "3^2",
    "3^2:misere",
    "3^2:players=3",
    "3^3:players=3,misere",
    "3^3:gravity",
    "2^3:players=4,bias=1+2+1+2,first=3",
    "3^2:blocked=centre,target=2,opening=poorx2",
    "3^2:convention=maker-breaker",
)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.raw_env])
def test_official_tests_pass_without_a_warning_on_arrays(spec: str, make: Any) -> None:
    official(make(spec, observation="array"), num_cycles=30)
    seed_test(lambda: make(spec, observation="array"), num_cycles=30)


@pytest.mark.parametrize("spec", SPECS)
def test_official_tests_warn_only_of_the_form_that_masks_have(spec: str) -> None:
    """PettingZoo's games with masks give the same warnings, but for names that it lists."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        official(pettingzoo.env(spec), num_cycles=30)
        seed_test(lambda: pettingzoo.env(spec), num_cycles=30)
    allowed = (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "Observation numpy array is all zeros",
        "Action mask numpy array is all zeros",
    )
    assert all(str(one.message).startswith(allowed) for one in caught)


@pytest.mark.parametrize("spec", ["3^2", "3^3:players=3"])
def test_rendering_and_state(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: pettingzoo.env(spec, render_mode=render_mode))
    assert "to move" in capsys.readouterr().out
    turns = pettingzoo.env(spec)
    state_space_test(turns.unwrapped)
    turns.reset()
    turns.step(1)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="State numpy array is all zeros")
        state_test(pettingzoo.env(spec), 3)


@settings(max_examples=40, deadline=None)
@given(games(new_rules=True), st.integers(0, 2**32), st.sampled_from(["dict", "array"]))
def test_random_games_of_random_rules(game: Game, seed: int, form: str) -> None:
    rng = random.Random(seed)
    turns = pettingzoo.env(game, observation=form)
    turns.reset(seed=1)
    position, players = game.start(), game.players
    gains: dict[str, float] = {}
    for agent in turns.agent_iter():
        seen, reward, terminated, truncated, info = turns.last()
        me = int(agent.removeprefix("player_")) - 1
        stones = seen["observation"] if form == "dict" else seen[:, :-1]
        mask = seen["action_mask"] if form == "dict" else seen[:, -1]
        assert (stones == planes(position, me)).all()
        assert tuple(np.flatnonzero(mask)) == position.legal_moves
        assert terminated == position.is_over
        assert not truncated
        if terminated:
            gains[agent] = reward
            turns.step(None)
            continue
        assert me == position.to_move - 1
        assert reward == 0
        if form == "array":
            assert (info["action_mask"] == mask).all()
        cell = rng.choice(position.legal_moves)
        position = position.play(cell)
        turns.step(cell)
    expected = rewards_of(position.outcome, players)
    assert [gains[f"player_{player + 1}"] for player in range(players)] == expected
    assert abs(sum(gains.values())) < 1e-6


def finish(turns: Any) -> dict[str, float]:
    rewards = {}
    for agent in turns.agent_iter():
        rewards[agent] = turns.last()[1]
        turns.step(None)
    return rewards


def test_an_illegal_move_loses() -> None:
    for form in ("dict", "array"):
        turns = pettingzoo.env("3^2:players=3", observation=form)
        turns.reset()
        turns.step(4)
        turns.step(np.int64(4))
        assert all(turns.terminations.values())
        assert turns.infos["player_2"]["illegal_move"] == 4
        assert not turns.observe("player_2")["action_mask"].any() if form == "dict" else True
        assert finish(turns) == {"player_1": 0.5, "player_2": -1.0, "player_3": 0.5}
        turns.reset()
        turns.step(4)
        assert not any(turns.terminations.values())


@pytest.mark.parametrize(
    ("illegal", "action", "message"),
    [
        ("raise", 4, "cell 4 is taken"),
        *(("lose", cell, f"there is no cell {cell}") for cell in (9, -1)),
        *(("lose", other, "a move is a cell number") for other in (None, 1.5)),
    ],
)
def test_illegal_moves_that_raise(illegal: str, action: Any, message: str) -> None:
    turns = pettingzoo.env("3^2", illegal=illegal)
    turns.reset()
    turns.step(4)
    with pytest.raises(IllegalMoveError, match=message):
        turns.step(action)
    turns.step(3)
    assert turns.agent_selection == "player_1"


def test_a_game_begins_where_it_is_asked_to() -> None:
    turns = pettingzoo.env("3^2", render_mode="ansi")
    turns.reset(options={"position": "moves:0,3,1,4"})
    turns.step(2)
    assert turns.render().endswith("Cross wins")
    assert finish(turns) == {"player_1": 1.0, "player_2": -1.0}
    turns.reset()
    assert turns.render().endswith("Cross to move")


def test_copies_are_independent() -> None:
    turns = pettingzoo.raw_env("3^2")
    turns.reset()
    other = copy.deepcopy(turns)
    other.step(4)
    assert turns.agent_selection == "player_1"
    assert not turns.state().any()


@pytest.mark.parametrize(
    "options",
    [{"spec": "3^^2"}, {"illegal": "skip"}, {"observation": "text"}, {"render_mode": "video"}],
)
def test_bad_options_are_refused_in_one_line(options: dict[str, str]) -> None:
    assert message_of(SpecError, pettingzoo.env, **options)
