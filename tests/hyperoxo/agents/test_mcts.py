"""The Monte-Carlo agent: options, contract, limits, reuse of trees, explanations."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.agents import agent
from hyperoxo.agents.alphazero import AlphazeroAgent
from hyperoxo.agents.mcts import MctsAgent, PuctAgent
from hyperoxo.agents.tree_search import SearchTree, TreeSettings, grow_tree
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.game import Game, cell_name
from hyperoxo.heuristics import heuristic_by_name


def test_defaults_are_left_out_of_the_spec() -> None:
    assert agent("mcts:simulations=10000,rave=0,playout=uniform").spec == "mcts"
    assert agent("mcts:seconds=0.5").spec == "mcts:seconds=0.5"
    assert agent("mcts:simulations=10000,seconds=1").spec == "mcts:simulations=10000,seconds=1"


def test_tree_too_small_for_the_moves() -> None:
    with pytest.raises(AgentError, match="9 moves do not fit into a tree of 9 nodes"):
        agent("mcts:nodes=9").choose(Game("3^2").start(), 0)


@pytest.mark.more
@pytest.mark.parametrize("spec", ["4^3", "5^4", "4^3:players=3,target=2"])
def test_seconds_are_kept(spec: str) -> None:
    timed = agent("mcts", seconds=0.3)
    start = Game(spec).start()
    timed.choose(start, 0)
    begin, worked = time.perf_counter(), time.process_time()
    timed.choose(start, 0)
    assert time.perf_counter() - begin > 0.25
    assert time.process_time() - worked < 20


def test_a_proof_ends_the_search_before_its_limits() -> None:
    worked = time.process_time()
    explanation = MctsAgent(seconds=600).explain(Game("3^3").start(), 0)
    assert time.process_time() - worked < 50
    assert (explanation.move, explanation.candidates[0]) == (13, (13, 1.0))
    assert "proved" in explanation.reason


@pytest.mark.parametrize(
    ("spec", "moves", "reason"),
    [
        ("3^2", "moves:0,1,4,2", "Cell c1 wins within 1 move: proved."),
        ("3^2", "moves:0,1,8,4", "Cell b1 draws: proved, and no move wins."),
        ("3^2", "moves:0,1,4", "Every move loses within 4 moves: proved."),
        ("3^2:players=3", "moves:0,8,1,3,6", "Cell c3 draws: proved, and no move wins."),
        ("3^2", "moves:0,2,8,6,5", "Cell b2 wins within 1 move: proved."),
    ],
)
def test_reasons_of_proofs(spec: str, moves: str, reason: str) -> None:
    position = Game(spec).position(moves)
    assert MctsAgent(ties="lowest").explain(position, 0).reason == reason


@pytest.mark.parametrize(
    ("spec", "options", "said"),
    [
        ("4^3", "mcts:simulations=500", "scored {} % in {} of 500 simulated games."),
        ("3^2", "puct:simulations=40", "is worth {} % after {} of 40 simulations."),
        ("4^3:gravity,misere", "puct:simulations=40", "is worth {} % after {} of 40 simulations."),
        ("3^3:players=3", "puct:simulations=40", "is worth {} % after {} of 40 simulations."),
    ],
)
def test_explanation_of_an_open_search(spec: str, options: str, said: str) -> None:
    position, player = Game(spec).start(), agent(options)
    assert isinstance(player, MctsAgent)
    explanation = player.explain(position, 3)
    seed = int(np.random.default_rng(3).integers(2**63))
    moves = grow_tree(position, player.settings, seed).moves()
    assert explanation.candidates == tuple((move.cell, move.value) for move in moves)
    share, name = round(100 * moves[0].value), cell_name(Game(spec), explanation.move)
    assert 0 < share < 100
    assert explanation.reason == f"Cell {name} {said.format(share, moves[0].visits)}"
    visits = [move.visits for move in moves]
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) == player.settings.simulations
    assert len(moves) == len(position.legal_moves)


@pytest.mark.parametrize("spec", ["puct:heuristic=td", "mcts:playout=td"])
def test_games_for_which_the_heuristic_has_no_table_are_refused_beforehand(spec: str) -> None:
    agent(spec).check(Game("3^2:players=3"))
    with pytest.raises(SpecError, match="no line table for lines of 3 cells among 5 players"):
        agent(spec).check(Game("3^2:players=5"))


def test_a_guided_tree_knows_the_values_of_small_games() -> None:
    assert ox.match("3^2", ["puct:simulations=500", "random"], games=20, swap=True).wins[1] == 0
    won = PuctAgent(simulations=100_000).explain(Game("3^3").start(), 0)
    assert (won.move, won.candidates[0]) == (13, (13, 1.0))


def test_a_guided_tree_with_few_simulations_beats_many_simulated_games() -> None:
    rivals = ["puct:simulations=100", "mcts:simulations=1000"]
    assert ox.match("4^3", rivals, games=10, swap=True, random_plies=4).wins[0] >= 8


@pytest.mark.more
@pytest.mark.parametrize("spec", ["puct:simulations=200", "expert:simulations=200"])
@pytest.mark.parametrize(
    ("played", "seen"),
    [("45,50,9,7,3,6,41,5,4", 10), ("60,18,63,40,51,54,3,59,15", 1)],
)
def test_a_lost_game_is_played_as_if_fewer_threats_were_seen(
    spec: str, played: str, seen: int
) -> None:
    position = Game("4^3").position(f"moves:{played}")
    explanation = agent(spec).think(position, 1)
    assert {value for _, value in explanation.candidates} == {0.0}
    seed = int(np.random.default_rng(1).integers(2**63))
    settings = PuctAgent(simulations=200).settings
    searched = [cell for cell, _ in explanation.candidates]
    for threats in (100, 10, 1):
        here = replace(settings, threats=threats)
        leading = grow_tree(position, here, seed, moves=searched).moves()[0]
        assert leading.proven == (threats > seen)
        if threats == 100:
            plies = leading.distance + 1
            assert explanation.reason.startswith(f"Every move loses within {plies} moves: proved.")
        if threats == seen:
            assert explanation.move == leading.cell != explanation.candidates[0][0]


@pytest.mark.more
def test_a_network_judges_a_lost_game_again() -> None:
    position = Game("4^3").position("moves:45,50,9,7,3,6,41,5,4")
    player = AlphazeroAgent(simulations=200)
    settings = player.settings_for(position.game)
    seed = int(np.random.default_rng(1).integers(2**63))
    for threats in (100, 10, 1, 0):
        here = replace(settings, threats=threats)
        leading = grow_tree(position, here, seed).moves()[0]
        if not leading.proven:
            break
    assert not leading.proven
    assert player.choose(position, 1) == leading.cell


def test_only_the_given_moves_are_searched() -> None:
    start = Game("3^3").start()
    tree = grow_tree(start, TreeSettings(simulations=500), 0, moves=[26, 3, 3])
    assert sorted(move.cell for move in tree.moves()) == [3, 26]


@pytest.mark.parametrize(
    "chosen",
    [
        TreeSettings(simulations=3000),
        TreeSettings(simulations=3000, rave=100.0),
        TreeSettings(simulations=3000, exploration=1.0, guide=heuristic_by_name("ising")),
    ],
)
def test_a_tree_is_carried_on(chosen: TreeSettings) -> None:
    start = Game("4^3").start()
    base = grow_tree(start, chosen, 1)
    reply = base.variation(base.moves()[0].cell)[1]
    position = start.play(base.moves()[0].cell).play(reply)
    node = base.node_of(position)
    assert node is not None
    below = SearchTree(position, base.nodes[:, :], base.control, base.guided)
    known = {m.cell: (m.visits, m.value) for m in below.moves(node)}
    carried = grow_tree(position, replace(chosen, simulations=1), 2, base=base)
    seen = {m.cell: (m.visits, m.value) for m in carried.moves()}
    differing = [cell for cell in known if known[cell] != seen[cell]]
    assert len(differing) == 1
    assert sum(visits for visits, _ in known.values()) + 1 == sum(v for v, _ in seen.values())
    elsewhere = Game("4^3").start().play(base.moves()[-1].cell)
    assert base.node_of(start) == 0
    assert base.node_of(elsewhere.play(reply)) is None or base.node_of(elsewhere) is not None
    assert base.node_of(Game("3^3").start()) is None


def test_reuse_is_the_same_for_the_same_calls() -> None:
    def play(asked: int, reuse: str = "on") -> list[object]:
        player = MctsAgent(simulations=400, reuse=reuse)
        position = Game("4^3").start()
        seen: list[object] = []
        for ply in range(6):
            for _ in range(asked):
                explanation = player.explain(position, np.random.default_rng(ply))
            seen.append((explanation.move, explanation.candidates))
            position = position.play(explanation.move)
        return seen

    once = play(1)
    assert once == play(1) == play(3)
    assert once != play(1, reuse="off")


def test_a_reason_counts_the_simulations_of_the_earlier_tree() -> None:
    player = MctsAgent(simulations=200, reuse="on")
    position = Game("4^3:gravity").start()
    for ply in range(3):
        found = player.explain(position, ply)
        visits, games = map(int, re.findall(r"\d+(?= of| simulated)", found.reason))
        assert visits <= games
        assert (games > 200) == (ply > 0)
        position = position.play(found.move)


def test_never_loses_a_drawn_game() -> None:
    for seats in (["mcts:simulations=3000", "random"], ["random", "mcts:simulations=3000"]):
        result = ox.match("3^2", seats, games=20, seed=2)
        assert result.wins[seats.index("random")] == 0


@pytest.mark.more
def test_more_simulations_are_stronger() -> None:
    result = ox.match("4^3", ["mcts:simulations=1000", "mcts:simulations=30"], games=30, swap=True)
    assert result.wins[0] >= 25
