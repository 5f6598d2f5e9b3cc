"""The rules in JAX against positions, on games of every kind."""

from __future__ import annotations

import random

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.adapters.jax import Environment, State, auto_reset, make
from hyperoxo.adapters.running import rewards_of
from hyperoxo.game import Game, Position
from tests.judge import planes
from tests.strategies import games

ILLEGAL = -1


def agree(state: State, position: Position) -> None:
    game = position.game
    mover = game.turns.mover(position.ply) - 1
    assert int(state.current_player) == mover
    assert (np.asarray(state.observation) == planes(position, mover)).all()
    assert bool(state.terminated) == position.is_over
    assert not bool(state.truncated)
    assert int(state.ply) == position.ply
    assert tuple(state.lines_owned.tolist()) == position.lines_owned
    legal = np.zeros(game.board.cell_count, bool)
    legal[list(position.legal_moves)] = True
    assert (np.asarray(state.legal_action_mask) == (legal | position.is_over)).all()
    rewards = rewards_of(position.outcome, game.players)
    assert np.allclose(state.rewards, rewards, atol=1e-6)
    assert state.rewards.dtype == np.float32


def play_beside(game: Game, seed: int) -> None:
    env, rng = Environment(game), random.Random(seed)
    step = jax.jit(env.step)
    position, state = game.start(), env.init(jax.random.key(0))
    agree(state, position)
    while not position.is_over:
        # 1. Now and then an illegal action, from which play does not go on.
        forbidden = {ILLEGAL, game.board.cell_count, *range(game.board.cell_count)}
        action = rng.choice(sorted(forbidden - {*position.legal_moves}))
        lost = step(state, action)
        assert bool(lost.terminated)
        assert int(lost.current_player) == int(state.current_player)
        assert (lost.owners == state.owners).all()
        assert float(lost.rewards[state.current_player]) == -1
        assert np.isclose(lost.rewards.sum(), 0, atol=1e-6)
        assert len({*lost.rewards.tolist()}) == 2
        # 2. A legal one.
        action = rng.choice(position.legal_moves)
        position, state = position.play(action), step(state, action)
        agree(state, position)
    observe = jax.jit(env.observe)
    for player in range(game.players):
        assert (np.asarray(observe(state, player)) == planes(position, player)).all()
    after = step(state, rng.randrange(game.board.cell_count))
    assert (after.owners == state.owners).all()
    assert int(after.ply) == int(state.ply)
    assert bool(after.terminated)
    assert not after.rewards.any()


@pytest.mark.more
@pytest.mark.parametrize(
    "spec",
    [
        "3^2:players=3,misere",
        "2^3:gravity=1,target=2,opening=0+4+1x2,first=2",
        "6{0+1/1+2+3/4/0+5}:convention=avoider-enforcer,target=2,bias=2+1,blocked=3",
    ],
)
def test_plays_as_positions_do(spec: str) -> None:
    play_beside(Game(spec), 1)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(games(new_rules=True), st.integers(0, 2**32))
def test_random_games_of_all_rules(game: Game, seed: int) -> None:
    play_beside(game, seed)


@pytest.mark.more
def test_long_lines_are_counted() -> None:
    state = make("140^1").init(jax.random.key(0))
    assert np.iinfo(state.counts.dtype).max >= 140


@pytest.mark.more
def test_many_games_in_one_scan() -> None:
    env = make("3^2:players=3")
    step = auto_reset(env.step, env.init)
    boards = 32

    def turn(states: State, key: jax.Array) -> tuple[State, tuple[jax.Array, ...]]:
        keys = jax.random.split(key, boards)
        chance = jax.random.uniform(key, (boards, 9)) * states.legal_action_mask
        actions = chance.argmax(1)
        after = jax.vmap(step)(states, actions, keys)
        return after, (actions, after.terminated, after.rewards, after.ply)

    start = jax.vmap(env.init)(jax.random.split(jax.random.key(1), boards))
    run = jax.jit(lambda states, keys: jax.lax.scan(turn, states, keys))
    _, kept = run(start, jax.random.split(jax.random.key(2), 20))
    actions, over, rewards, plies = map(np.asarray, kept)
    for board in range(boards):
        position = Game("3^2:players=3").start()
        for turn_number in range(20):
            position = position.play(int(actions[turn_number, board]))
            assert over[turn_number, board] == position.is_over
            expected = rewards_of(position.outcome, 3)
            assert np.allclose(rewards[turn_number, board], expected)
            if position.is_over:
                position = position.game.start()
            assert plies[turn_number, board] == position.ply
    assert over.any()
