"""The rules in JAX against positions, on games of every kind."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Literal, get_args
from xml.etree import ElementTree as ET

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from hyperoxo.adapters.jax import Environment, State, auto_reset, make
from hyperoxo.adapters.running import rewards_of
from hyperoxo.errors import SpecError
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
@pytest.mark.parametrize(
    ("spec", "shape"),
    [("3^2", (3, 3, 2)), ("3^3:players=3", (3, 3, 9)), ("5^1", (1, 5, 2)), ("2^4", (2, 2, 8))],
)
def test_images_have_the_last_two_axes_as_rows_and_columns(
    spec: str, shape: tuple[int, ...]
) -> None:
    env = make(spec, observation="image")
    step = jax.jit(env.step)
    assert env.observation_shape == shape
    (rows, columns, _), players = shape, env.num_players
    position, state = env.game.position("moves:0,3,1"), env.init()
    for action in position.history:
        state = step(state, action)
    mover = int(state.current_player)
    for player, image in (
        (mover, state.observation),
        (mover, env.observe(state)),
        (1, env.observe(state, 1)),
    ):
        for cell, stones in enumerate(planes(position, player)):
            layer, row, column = np.unravel_index(cell, (env.num_actions, rows, columns))
            first = layer * players
            assert np.array_equal(image[row, column, first : first + players], stones)


def test_a_board_without_axes_is_no_image() -> None:
    with pytest.raises(SpecError, match="has no rows and columns"):
        make("5{0+1+2/2+3}", observation="image")
    with pytest.raises(SpecError, match="observation must be one of cells, image"):
        make("3^2", observation="pixels")


@pytest.mark.more
def test_states_are_drawn(tmp_path: Path) -> None:
    env = make("3^2:blocked=8,players=3")
    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), 5))
    states = jax.jit(jax.vmap(env.step))(states, np.arange(5))
    one = jax.tree.map(lambda array: array[3], states)
    for state, count in ((states, 5), (one, 1)):
        path = tmp_path / "state.svg"
        state.save_svg(path, color_theme="dark", scale=2)
        drawn = ET.parse(path).getroot()
        name = "{http://www.w3.org/2000/svg}"
        boards = drawn.findall(f"{name}svg")
        assert len(boards) == count
        stones = [one.get("href") for one in drawn.iter(f"{name}use") if one.get("href") == "#p1"]
        assert len(stones) == count
        corners = {(int(one.get("x", "")), int(one.get("y", ""))) for one in boards}
        assert len(corners) == count
        wide, high = (int(drawn.get(key, "")) for key in ("width", "height"))
        assert max(x for x, _ in corners) + 480 == wide
        assert max(y for _, y in corners) + 480 == high
        assert state._repr_html_().startswith("<svg")


@pytest.mark.more
def test_what_pgx_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    env = make("3^2:players=3")
    state = env.step(env.init(), 4)
    public = {name for name in vars(state) if not name.startswith("_")}
    assert public == {
        "current_player", "observation", "rewards", "terminated", "truncated", "legal_action_mask",
    }  # fmt: skip
    assert (state._step_count, env.version, env.num_players) == (1, "v0", 3)
    core = ModuleType("pgx.core")
    core.EnvId = Literal["go_9x9"]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pgx.core", core)
    assert env.id == state.env_id == env.id == "hyperoxo-3^2:players=3"
    assert get_args(core.EnvId) == ("go_9x9", env.id)


_PGX = """
import sys
import jax
import pgx
from pgx._src import api_test
from pgx.experimental import act_randomly, auto_reset
from hyperoxo.adapters.jax import make

def act(key, mask):
    # With JAX 0.10 theirs fails on a single game, of Pgx's own too.
    return act_randomly(key, mask[None])[0] if mask.ndim == 1 else act_randomly(key, mask)

api_test.act_randomly = act
env = make(sys.argv[1], observation=sys.argv[2])
pgx.api_test(env, 3)
states = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 8))
step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
ended = 0
for key in jax.random.split(jax.random.key(1), 40):
    states = step(states, act(key, states.legal_action_mask), jax.random.split(key, 8))
    ended += int(states.terminated.sum())
assert ended, "no game has ended"
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "form"),
    [("3^2", "image"), ("3^2:players=3,misere", "cells"), ("4,3,3:gravity", "image")],
)
def test_pgx_s_own_test_passes(spec: str, form: str) -> None:
    pytest.importorskip("pgx")
    subprocess.run([sys.executable, "-c", _PGX, spec, form], check=True)


@pytest.mark.more
def test_long_lines_are_counted() -> None:
    assert np.iinfo(make("140^1").init(jax.random.key(0)).counts.dtype).max >= 140


@pytest.mark.more
@pytest.mark.parametrize("spec", ["15,15,5", "7,6,4:gravity,blocked=3", "3^2:opening=1+4+7"])
def test_samples_are_legal_and_even(spec: str) -> None:
    env = make(spec)
    state = env.step(env.init(), int(Game(spec).start().legal_moves[1]))
    keys = jax.random.split(jax.random.key(5), 50_000)
    found = np.bincount(jax.jit(jax.vmap(lambda key: env.sample(state, key)))(keys))
    legal = np.flatnonzero(state.legal_action_mask)
    assert found[legal].sum() == len(keys)
    assert chisquare(found[legal]).pvalue > 0.001


@pytest.mark.more
def test_many_games_in_one_scan() -> None:
    env = make("3^2:players=3")
    step = auto_reset(env.step, env.init)
    boards = 32

    def turn(states: State, key: jax.Array) -> tuple[State, tuple[jax.Array, ...]]:
        keys = jax.random.split(key, boards)
        actions = jax.vmap(env.sample)(states, keys)
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
