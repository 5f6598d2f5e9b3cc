"""Greedy and Ising play against their definitions, written out on positions."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.agents.scored import move_values
from hyperoxo.errors import AgentError
from hyperoxo.game import Game, Position
from hyperoxo.heuristics import ising_heuristic
from hyperoxo.lab.compiled import play_batch
from tests.judge import kutner
from tests.strategies import games, running_positions

Energy = Callable[[list[int], int], float]


def formula(stones: list[int], player: int) -> float:
    n = len(stones)
    if any(stone not in (0, player) for stone in stones):
        return 0.0
    k = stones.count(player)
    return math.factorial(k) * float((n + 1) ** (k / n))


def one_scan(stones: list[int], player: int) -> float:
    n, k = len(stones), 0
    for place, stone in enumerate(stones):
        if stone == player:
            k += 1
        elif stone:
            return 0.0
        elif place:
            break
    return math.factorial(k) * float((n + 1) ** (k / n))


def scan(stones: list[int], player: int) -> float:
    return one_scan(stones, player) + one_scan(stones[::-1], player)


def total(position: Position, owners: list[int], player: int, energy: Energy) -> float:
    board = position.game.board
    return sum(
        energy([owners[cell] for cell in board.line(line)], player)
        for line in range(board.line_count)
    )


def by_definition(position: Position, bias: float, energy: Energy) -> list[float]:
    values = []
    for cell in position.legal_moves:
        value = 0.0
        for player in range(1, position.game.players + 1):
            owners = list(position.owners)
            owners[cell] = player
            weight = 1.0 if player == position.to_move else bias
            value += weight * total(position, owners, player, energy)
        values.append(-value if position.game.misere else value)
    return values


def listed(agent: ox.Agent, position: Position) -> dict[int, float]:
    return dict(agent.think(position, 0).candidates)


GAMES = ["3^2", "3^2:misere", "2^3:players=3", "4^2:blocked=0,target=2", "3^3:players=4"]


@pytest.mark.parametrize("bias", [1.0, -0.647, 3.0])
@given(running_positions(st.builds(Game, st.sampled_from(GAMES))))
@settings(max_examples=25)
def test_own_energy_plus_that_of_the_rivals_after_the_move(bias: float, position: Position) -> None:
    game, agent = position.game, ox.agent("ising", bias=bias, rivals="after")
    found = listed(agent, position)
    for cell in position.legal_moves:
        owners = list(position.play(cell).owners)
        energies = [total(position, owners, who, formula) for who in range(1, game.players + 1)]
        own = energies[position.to_move - 1]
        value = own + bias * (sum(energies) - own)
        assert found[cell] == pytest.approx(-value if game.misere else value, rel=1e-9, abs=1e-9)


@pytest.mark.more
@given(running_positions(st.just(Game("3^3"))))
def test_the_field_counts_the_spins_after_the_move(position: Position) -> None:
    plain, field = (
        listed(ox.agent("ising", bias=2, rivals="after", field=h), position) for h in (0, 1)
    )
    for cell in position.legal_moves:
        spins = ox.energy(position.play(cell)).spins
        spin = spins[position.to_move - 1] + 2 * spins[2 - position.to_move]
        assert field[cell] - plain[cell] == pytest.approx(spin)


def test_another_energy_of_rivals_is_for_two_players() -> None:
    agent = ox.agent("ising:heuristic=lines,rivals=after")
    agent.check(Game("3^2"))
    with pytest.raises(AgentError, match="for two players"):
        agent.check(Game("3^2:players=3"))


@pytest.mark.more
@given(running_positions(), st.floats(-2, 3), st.sampled_from(["formula", "scan"]))
def test_ising_values_are_the_energies_of_the_report(
    position: Position, bias: float, reading: str
) -> None:
    energy = formula if reading == "formula" else scan
    values = move_values(position, ising_heuristic(reading), bias)
    assert values.tolist() == pytest.approx(
        by_definition(position, bias, energy), rel=1e-9, abs=1e-6
    )


def test_the_scan_stops_at_the_first_gap() -> None:
    # X . X scanned from either end sees one stone; . X X from the right sees two.
    c = 4 ** (1 / 3)
    assert scan([1, 0, 1], 1) == pytest.approx(2 * c)
    assert scan([0, 1, 1], 1) == pytest.approx(2 * 2 * c * c)
    assert scan([1, 0, 2], 1) == pytest.approx(c + 0.0)
    assert scan([0, 0, 2], 1) == pytest.approx(1.0)


@pytest.mark.more
@given(running_positions(), st.floats(0, 1), st.floats(0, 1))
def test_greedy_maximises_the_score_of_the_draft(
    position: Position, attack: float, defend: float
) -> None:
    mover = position.to_move
    after = [kutner(position.play(cell), mover, attack, defend) for cell in position.legal_moves]
    best = min(after) if position.game.misere else max(after)
    chosen = ox.agent("greedy", attack=attack, defend=defend).choose(position, 1)
    value = after[position.legal_moves.index(chosen)]
    assert value == pytest.approx(best, rel=1e-9, abs=1e-9)


def test_greedy_with_a_sight_completes_then_stops_lines_and_else_plays_where_most_are() -> None:
    newcomer = ox.agent("greedy:heuristic=lines,sight=1,ties=lowest")
    game = Game("3^2")
    assert newcomer.choose(game.start()) == 4
    assert newcomer.choose(game.position("moves:0,4,8")) != 5
    assert newcomer.choose(game.position("moves:0,3,1,4")) == 2
    assert newcomer.choose(game.position("moves:0,3,8,4")) == 5
    assert newcomer.think(game.position("moves:0,3,8,4")).reason == "Cell c2 stops a line."
    avoiding = Game("3^2:misere").position("moves:0,3,1,5")
    assert newcomer.choose(avoiding) == 7  # at cell 2 it would complete a line, and lose
    half = ox.agent("greedy:heuristic=lines,sight=0.5")
    moves = [half.choose(game.position("moves:0,3,1,5"), seed) for seed in range(200)]
    assert 80 < moves.count(2) < 120
    assert 30 < moves.count(4) < 70
    assert str(half.spec) == "greedy:heuristic=lines,sight=0.5"


def test_kutner_scores_sum_to_zero() -> None:
    position = Game("3^2:players=3").position("moves:0,4,8,1")
    assert sum(kutner(position, p, 1, 1) for p in (1, 2, 3)) == pytest.approx(0)


@pytest.mark.more
@given(games(most_players=4), st.sampled_from(["ising", "ising:reading=scan", "greedy"]))
@example(Game("3^3:players=4,misere,blocked=0+1+12"), "greedy")  # the best value is 0
def test_compiled_games_play_as_the_agent_does(game: Game, spec: str) -> None:
    """With ties to the lowest cell nothing is random, so whole games must coincide."""
    lowest = ox.agent(spec + ("," if ":" in spec else ":") + "ties=lowest")
    position = game.start()
    while not position.is_over:
        position = position.play(lowest.choose(position))
    seat = lowest.seat(game)
    assert seat is not None
    batch = play_batch(game, [seat] * game.players, 1)
    assert position.outcome is not None
    winners = tuple(np.flatnonzero(batch.wins) + 1)
    assert winners == position.outcome.winners
    assert int(np.flatnonzero(batch.lengths)[0]) == position.ply


def test_ties_are_broken_at_random_or_lowest() -> None:
    corners = {ox.agent("ising").choose(Game("3^2").position("moves:4"), i) for i in range(40)}
    assert corners == {0, 2, 6, 8}
    assert ox.agent("ising:ties=lowest").choose(Game("3^2").position("moves:4"), 5) == 0


def test_explanations_say_why() -> None:
    winning = ox.agent("greedy").think(Game("3^2").position("moves:0,3,1,4"), 0)
    assert winning.move == 2
    assert winning.reason == "Cell c3 completes 1 line."
    assert winning.candidates[0][0] == 2
    tied = ox.agent("ising:ties=lowest").think(Game("3^2").position("moves:4"), 0)
    assert tied.reason == "Cell a3 scores highest by ising, as 3 others do."
    pair = ox.agent("ising:ties=lowest").think(Game("3^2").position("moves:4,0"), 0)
    assert pair.reason == "Cell c3 scores highest by ising, as 1 other does."


def test_greedy_takes_any_heuristic() -> None:
    blocking = ox.line_heuristic(lambda own, rivals: 0.0 if own else -(9.0**rivals))
    position = Game("3^2").position("moves:0,4,1")
    assert ox.agent("greedy", heuristic=blocking).choose(position, 0) == 2
    assert ox.agent("greedy:heuristic=traps").spec == "greedy:heuristic=traps"


def test_temperature_draws_moves_by_their_energy() -> None:
    position = Game("3^2").start()
    values = move_values(position, ising_heuristic(), 0.647)
    weights = np.exp(values - values.max())
    agent = ox.agent("ising:temperature=1")
    rng = np.random.default_rng(5)
    counts = np.bincount([agent.choose(position, rng) for _ in range(2000)], minlength=9)
    expected = 2000 * weights / weights.sum()
    assert (abs(counts - expected) < 5 * np.sqrt(expected + 1)).all()


def test_compiled_temperature_is_random_when_hot_and_best_when_cold() -> None:
    hot = ox.match("3^2", ["ising:temperature=1000000", "random"], games=20_000, seed=0)
    assert abs(hot.wins[0] / 20_000 - 737 / 1260) < 0.02
    cold = ox.match("3^2", ["ising:temperature=0.001", "random"], games=4000, seed=0)
    assert cold.wins[0] > 3900
    warm = ox.match("3^2", ["ising:temperature=3", "random"], games=4000, seed=0)
    assert hot.wins[0] / 20_000 < warm.wins[0] / 4000 < cold.wins[0] / 4000


def test_the_constant_of_the_hamiltonian() -> None:
    assert ox.agent("ising:c=1.5").spec == "ising:c=1.5"
    table = ising_heuristic("formula", 1.5).table(3, 2)
    assert table[:, 0].tolist() == [1.0, 1.5, 2 * 1.5**2, 6 * 1.5**3]
