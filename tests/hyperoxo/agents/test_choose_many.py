"""Agents that choose for many positions at once, against choosing one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.errors import AgentError, NotSupportedError
from hyperoxo.game import Game, Positions
from tests.strategies import games, play_at_random

LOWEST = (
    "ising:ties=lowest", "ising:reading=scan,bias=1.5,ties=lowest", "greedy:ties=lowest",
    "greedy:heuristic=traps,ties=lowest",
)  # fmt: skip


@pytest.mark.more
@settings(max_examples=60)
@given(games(), st.sampled_from(LOWEST), st.integers(0, 2**32))
def test_without_chance_the_moves_are_those_of_choose(game: Game, spec: str, seed: int) -> None:
    drawn = [play_at_random(game.start(), seed + ply, ply) for ply in range(game.cells)]
    positions = [position for position in drawn if not position.is_over]
    agent = ox.agent(spec)
    expected = [agent.choose(position) for position in positions]
    assert agent.choose_many(positions).tolist() == expected
    assert agent.choose_many(Positions.of(positions), 1).tolist() == expected


@pytest.mark.more
@pytest.mark.parametrize("spec", ["random", "greedy", "ising:temperature=3"])
def test_chance_has_the_same_shares(spec: str) -> None:
    position = Game("3^2").position("moves:0,4,8")
    agent, games, rng = ox.agent(spec), 4_000, np.random.default_rng(7)
    one_by_one = Counter(agent.choose(position, rng) for _ in range(games))
    together = Counter(agent.choose_many([position] * games, 7).tolist())
    assert set(one_by_one) == set(together)
    for cell, count in one_by_one.items():
        # Five standard deviations of a difference of two counts.
        assert abs(count - together[cell]) < 5 * np.sqrt(games / 2)
    assert together == Counter(agent.choose_many([position] * games, 7).tolist())
    assert together != Counter(agent.choose_many([position] * games, 8).tolist())


@pytest.mark.parametrize("spec", ["minimax:depth=2", "ising:reading=doubled", "greedy:threats=on"])
def test_other_agents_choose_one_by_one_from_one_stream(spec: str) -> None:
    positions = [Game("3^2").position(f"moves:{cell}") for cell in range(9)]
    agent, rng = ox.agent(spec), np.random.default_rng(3)
    assert agent.choose_many(positions, 3).tolist() == [agent.choose(p, rng) for p in positions]


@pytest.mark.parametrize("spec", ["random", "greedy", "minimax"])
def test_finished_games_have_no_move(spec: str) -> None:
    over = Game("3^2").position("moves:0,3,1,4,2")
    with pytest.raises(AgentError, match="the game is over"):
        ox.agent(spec).choose_many([Game("3^2").start(), over])


def test_games_that_an_agent_does_not_play_are_refused() -> None:
    start = Game("3^2:bias=2+1").start()
    assert ox.agent("random").choose_many([start], 0)[0] in range(9)
    with pytest.raises(NotSupportedError):
        ox.agent("greedy").choose_many([start])
