"""Agents that are watched while they think, and asked to move at once."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.agents.base import Thought
from hyperoxo.agents.minimax import MinimaxAgent
from hyperoxo.agents.scored import simpler_move
from hyperoxo.agents.spec import OfferedAgent
from hyperoxo.task import Task
from tests.strategies import play_at_random

LONG = [
    "minimax:depth=12",
    "minimax:seconds=1000",
    "mcts:simulations=100000000,nodes=100000",
    "mcts:seconds=1000,threats=on",
    "puct:simulations=100000000,nodes=100000",
    "alphazero:seconds=1000",
    "expert:seconds=1000",
]


class AfterFirstWord(threading.Event):
    """Asks for a move as soon as something was found."""

    def __init__(self) -> None:
        super().__init__()
        self.thoughts: list[Thought] = []

    def is_set(self) -> bool:
        return bool(self.thoughts)


@pytest.mark.parametrize("spec", LONG)
def test_asked_to_move_at_once_it_does_and_says_so(spec: str) -> None:
    position = ox.Game("4^3").position("moves:0,21,63")
    stop = AfterFirstWord()
    found = ox.agent(spec).think(position, 0, Task(stop=stop, on_report=stop.thoughts.append))
    assert found.hurried
    assert found.move in position.legal_moves
    assert "asked to move at once" in found.reason
    for thought in stop.thoughts:
        assert thought.best in position.legal_moves
        assert (thought.depth > 0) != (thought.games > 0)
    assert stop.thoughts


@pytest.mark.parametrize("spec", ["minimax", "minimax:depth=14", "expert:seconds=60"])
def test_the_search_to_the_end_of_a_game_is_stopped_too(spec: str) -> None:
    position, stop = ox.Game("4^2:misere").position("moves:0,1"), threading.Event()
    agent = ox.agent(spec)
    stop.set()
    assert agent.think(position, 0, Task(stop=stop)).hurried
    stop.clear()
    found = agent.think(position, 0, Task(stop=stop))
    assert not found.hurried
    assert "every line of play was searched" in found.reason


@pytest.mark.parametrize(
    "spec",
    [
        "greedy",
        "minimax:depth=3",
        "minimax:depth=2,concept=paranoid",
        "minimax:nodes=2000",
        "mcts:simulations=500",
        "mcts:simulations=500,rave=10,nodes=300",
        "puct:simulations=200",
        "puct:simulations=30,threats=on",
        pytest.param("alphazero", marks=pytest.mark.more),
        "level:2",
        "level:6",
        "expert:simulations=60",
    ],
)
def test_who_is_only_watched_plays_as_alone(spec: str) -> None:
    rng = np.random.default_rng(5)
    for played in ("4^3", "3^3"):
        position = ox.Game(played).start()
        for _ in range(4):
            for seed in range(2):
                alone = ox.agent(spec).choose(position, seed)
                watched = ox.agent(spec).think(position, seed, Task(stop=threading.Event()))
                assert (watched.move, watched.hurried) == (alone, False)
            position = play_at_random(position, rng, 3)
            if position.is_over:
                break


@pytest.mark.more
def test_a_search_to_a_depth_is_the_same_after_shallower_ones() -> None:
    rng = np.random.default_rng(3)
    for spec in ("3^3", "4^2", "3^3:players=3"):
        agent = MinimaxAgent(depth=4)
        position = ox.Game(spec).start()
        while position.ply < 8:
            whole = agent.search(position)
            deepened = agent.search(position, Task(stop=threading.Event()))
            assert list(deepened.best) == list(whole.best)
            assert deepened.values.max() == pytest.approx(whole.values.max())
            position = play_at_random(position, rng, 1)
            if position.is_over:
                break


def test_what_was_found_in_time_is_not_hurried(stop: threading.Event) -> None:
    task = Task(stop=stop)
    position = ox.Game("4^3").position("moves:0,21,1,22,2")
    assert not ox.agent("expert").think(position, 0, task).hurried  # a line to stop
    assert not ox.agent("random").think(position, 0, task).hurried
    assert not ox.agent("minimax").think(ox.Game("3^2").start(), 0, task).hurried


def test_wrappers_pass_it_on() -> None:
    position = ox.Game("4^3").start()
    for agent in (
        ox.agent("mcts:seconds=1000,threats=on"),
        OfferedAgent("deep", ox.agent(LONG[0])),
    ):
        stop = AfterFirstWord()
        assert agent.think(position, 0, Task(stop=stop, on_report=stop.thoughts.append)).hurried
        assert stop.thoughts


def test_a_simpler_move_names_who_chose_it() -> None:
    found = simpler_move(ox.Game("3^2").position("moves:0,4,1,8"), 0)
    assert (found.move, found.hurried) == (2, True)
    assert "greedy" in found.reason
    assert "random" in simpler_move(ox.Game("3^2:bias=1+2").start(), 0).reason
