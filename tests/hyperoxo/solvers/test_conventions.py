"""Conventions, biases and who starts: every search against brute force over positions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings

from hyperoxo.agents import agent
from hyperoxo.agents.tree_search import TreeSettings, grow_tree
from hyperoxo.errors import NotSupportedError
from hyperoxo.game import Game, Value
from hyperoxo.lab.compiled import random_play
from hyperoxo.solvers import solve
from hyperoxo.solvers.exact.perft import perft
from hyperoxo.solvers.states.enumerate import enumerate_states
from hyperoxo.solvers.theorems import bounds_by_theorems
from tests.judge import forced
from tests.states_oracle import finals, walk
from tests.strategies import games, play_at_random

SMALL = games(hypercubes=("1^1", "2^2", "3^1", "3^2"), most_players=3, new_rules=True)
FEW = 8


@pytest.mark.more
@settings(max_examples=80)
@given(SMALL)
def test_positions_are_listed_and_sequences_counted(game: Game) -> None:
    assume(game.cells <= FEW)
    found = walk(game)
    states = enumerate_states(game, symmetry=False)
    assert list(states.positions_by_ply) == [len(layer) for layer in found.layers]
    assert (states.finals.wins, states.finals.draws) == finals(found, game.players, by_games=False)
    assert enumerate_states(game).positions_by_ply == states.positions_by_ply
    counted = perft(game.start(), game.cells)
    reached = [sum(layer.values()) for layer in found.games]
    assert list(counted.sequences_by_ply[: len(reached)]) == reached
    assert (counted.wins, counted.draws) == finals(found, game.players, by_games=True)


@pytest.mark.more
@settings(max_examples=40)
@given(SMALL)
def test_tree_search_finds_what_it_proves(game: Game) -> None:
    start = game.start()
    assume(game.cells <= FEW and not start.is_over)
    for move in grow_tree(start, TreeSettings(simulations=3000), 1).moves():
        if move.proven and game.players == 2:
            assert move.value == (forced(start.play(move.cell), start.to_move) + 1) / 2


@pytest.mark.parametrize(
    ("spec", "value", "remoteness"),
    [
        ("3^2:convention=maker-breaker", "win", 7),
        ("3^2:convention=maker-breaker,first=2", "win", 9),
        ("4^2:convention=maker-breaker", "loss", 16),
        ("3^2:convention=avoider-enforcer", "loss", 9),
        ("2^2:convention=maker-breaker", "win", 3),
        ("2^2:convention=maker-breaker,bias=1+2", "win", 4),
        ("3^2:bias=2+1", "win", 5),
        ("3^2:bias=1+2", "loss", 6),
    ],
)
def test_known_values(spec: str, value: str, remoteness: int) -> None:
    found = solve(spec)
    assert (found.value, found.remoteness) == (value, remoteness)


@pytest.mark.parametrize(
    "spec",
    ["3^3:convention=maker-breaker", "3^3:bias=1+2", "3^2:first=2,convention=avoider-enforcer"],
)
def test_random_games_are_those_of_the_reference(spec: str) -> None:
    game, rng = Game(spec), np.random.default_rng(1)
    wins, lengths, games = np.zeros(2), 0, 400
    for _ in range(games):
        position = play_at_random(game.start(), rng)
        lengths += position.ply
        for winner in position.outcome.winners if position.outcome else ():
            wins[winner - 1] += 1
    batch = random_play(game, 20_000, seed=1)
    assert np.abs(batch.wins / batch.games - wins / games).max() < 0.1
    mean = batch.lengths @ np.arange(game.cells + 1) / batch.games
    assert abs(mean - lengths / games) < 1


def test_no_certificate_is_claimed() -> None:
    found = solve("4^2:convention=avoider-enforcer", nodes=10, proof="never-written.json")
    assert found.strategy is None
    assert any("No proof was written" in line for line in found.evidence)


@pytest.mark.parametrize("spec", ["3^2:convention=maker-breaker", "3^2:bias=1+2", "3^2:first=2"])
@pytest.mark.parametrize("name", ["minimax", "ising", "greedy"])
def test_agents_that_do_not_know_the_rule_refuse_it(spec: str, name: str) -> None:
    with pytest.raises(NotSupportedError):
        agent(name).choose(Game(spec).start(), 1)


@pytest.mark.parametrize(
    ("spec", "winner", "theorem"),
    [
        ("6^2:convention=maker-breaker", 2, "Erdős–Selfridge"),
        ("8^3:convention=maker-breaker", 2, "Pairing"),
        ("8{0+1/2+3/4+5/6+7}:convention=maker-breaker", 2, "Pairing"),
        ("8{0+1/2+3/4+5/6+7}:convention=maker-breaker,bias=1+2,first=2", 2, "Pairing"),
        ("5^2:convention=maker-breaker,bias=1+2", 2, "Beck's biased potential"),
        ("5^2:convention=maker-breaker,bias=2+3,first=2", 2, "Beck's biased potential"),
        ("3^3:convention=maker-breaker", 1, "No draw exists"),
        ("6^2:convention=avoider-enforcer", 1, "The Avoider's potential"),
        ("6^2:convention=avoider-enforcer,bias=1+3", 1, "The Avoider's potential"),
    ],
)
def test_theorems_decide_large_boards(spec: str, winner: int, theorem: str) -> None:
    start = Game(spec).start()
    bound = bounds_by_theorems(start)
    assert bound.winner(start.to_move, 2) == winner
    said = [str(why) for why in bound.reasons]
    assert any(line.startswith(theorem) for line in said)
    assert not any("never loses" in line for line in said)


@pytest.mark.parametrize(
    ("spec", "theorem"),
    [("4^3:first=2", "Strategy stealing"), ("5^2:bias=1+2", "Beck's biased potential")],
)
def test_theorems_bound_races(spec: str, theorem: str) -> None:
    bound = bounds_by_theorems(Game(spec).start())
    assert str(bound.reasons[0]).startswith(theorem)
    assert Value.DRAW in (bound.low, bound.high)


@pytest.mark.parametrize(
    "spec",
    [
        "3^3:convention=maker-breaker,bias=1+2",
        "3^3:convention=avoider-enforcer,opening=rich",
        "3^2:convention=maker-breaker,gravity",
        "4^3:bias=2+1,gravity",
        "4^3:misere,bias=1+2",
        "3^3:convention=maker-breaker,first=2",
    ],
)
def test_theorems_say_nothing_where_they_do_not_hold(spec: str) -> None:
    assert bounds_by_theorems(Game(spec).start()).reasons == ()
