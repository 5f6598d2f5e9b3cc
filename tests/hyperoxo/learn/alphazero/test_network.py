"""The network in JAX is the one that plays without it."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from hyperoxo.adapters.jax import make
from hyperoxo.agents.network import Network
from hyperoxo.game import Game
from hyperoxo.learn.alphazero.network import Judge, first_parameters, in_turn

BOARDS = 16


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param("4,3,3:gravity,target=2,blocked=5", marks=pytest.mark.more),
        pytest.param("3^2:players=3,misere", marks=pytest.mark.slow),
        pytest.param("4^3", marks=pytest.mark.slow),
        pytest.param("5{0+1+2/2+3}", marks=pytest.mark.slow),
    ],
)
def test_both_say_the_same_through_whole_games(spec: str) -> None:
    game = Game(spec)
    rng = np.random.default_rng(3)
    drawn = first_parameters(0, 2, game.players)
    parameters = {
        name: jnp.asarray(rng.normal(0, 0.3, block.shape), jnp.float32)
        for name, block in sorted(drawn.items())
    }
    network = Network({name: np.asarray(block) for name, block in parameters.items()}, {})
    env, judge = make(game), jax.jit(Judge(game))
    step = jax.jit(jax.vmap(env.step))
    states = jax.vmap(env.init)(jax.random.split(jax.random.key(0), BOARDS))
    compared = 0
    while not np.all(states.terminated):
        owners = np.array(states.owners, dtype=np.uint8)
        owners[:, list(game.blocked)] = 255
        logits, values = network.judge(game, owners)
        going = ~np.asarray(states.terminated)
        found, worths = (np.asarray(array)[going] for array in judge(parameters, states))
        legal = np.isfinite(logits[going])
        assert np.array_equal(found > -1e8, legal)
        assert found[legal] == pytest.approx(logits[going][legal], rel=1e-3, abs=1e-3)
        assert worths[:, 0] == pytest.approx(values[going], abs=1e-3)
        assert worths.shape[1] == game.players
        assert worths.sum(1) == pytest.approx(0, abs=1e-5)
        compared += int(going.sum())
        chances = rng.random(owners.shape) * np.asarray(states.legal_action_mask)
        states = step(states, jnp.asarray(chances.argmax(1)))
    assert compared > 4 * BOARDS


@pytest.mark.more
def test_worths_go_round_from_the_mover() -> None:
    mover, following = jnp.array([0.5, -0.25]), jnp.array([0.125, 1.0])
    for players, expected in (
        (2, [[0.5, -0.5], [-0.25, 0.25]]),
        (3, [[0.5, 0.125, -0.625], [-0.25, 1, -0.75]]),
        (4, [[0.5, 0.125, -0.3125, -0.3125], [-0.25, 1, -0.375, -0.375]]),
    ):
        assert in_turn(mover, following, players).tolist() == expected


def test_weights_that_only_other_rules_need_begin_at_nothing() -> None:
    drawn = first_parameters(1, 1, 2)
    assert not drawn["cell.rules"].any()
    assert not drawn["cell.lines"].reshape(3, 21, -1)[:, 15:20].any()
    assert drawn["round0.kinds"][:15].all()
