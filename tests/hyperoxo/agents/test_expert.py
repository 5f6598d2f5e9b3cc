from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo import task
from hyperoxo.agents import expert, tree_search
from hyperoxo.agents.expert import ExpertAgent
from hyperoxo.agents.tree_search import SearchTree, TreeSettings, grow_tree
from hyperoxo.game import Game, Position
from hyperoxo.proof.coverage import coverages
from hyperoxo.solvers.threats.search import ThreatResult, ThreatSearch

QUICK = ExpertAgent(simulations=50)


def reason(position: Position) -> str:
    return QUICK.think(position, 0).reason


@pytest.mark.parametrize("spec", ["expert", "expert:seconds=0.2", "expert:simulations=50"])
def test_only_without_a_clock_it_is_repeatable(spec: str) -> None:
    assert ox.agent(spec).repeatable == ("simulations" in spec)


@pytest.mark.more
def test_stages_give_their_reasons() -> None:
    assert reason(Game("3^2").position("moves:0,3,1,4")) == "Cell c3 completes a line."
    assert reason(Game("3^2").position("moves:0,4,1")) == "Cell c3 stops a line."
    assert "begins a forced win in" in reason(Game("3^3").position("moves:13,0"))
    assert "table of all positions" in reason(Game("3^2").start())
    assert "every line of play" in reason(Game("4^2").start())
    assert "of 50 simulations" in reason(Game("4^3:players=3").start())
    assert "of 50 simulated games" in reason(Game("3^2:bias=1+2").start())
    assert "stored proof that player 1 wins 4^3" in reason(Game("4^3").start())
    assert reason(Game("3^2").position("moves:4,0,8,2,1,7,3,5")) == "Cell a1 is the only move."


def test_the_only_move_that_avoids_a_forced_win_is_found() -> None:
    """On 3^3 every other answer lets the first player take the centre and win by force."""
    assert QUICK.choose(Game("3^3").position("moves:0"), 0) == 13


@pytest.mark.more
def test_it_never_loses_small_games_that_are_not_lost() -> None:
    for spec in ("3^2", "3^2:misere", "3^2:gravity"):
        result = ox.match(spec, [QUICK, "random"], games=40, seed=1, swap=True)
        assert result.wins[1] == 0
    assert ox.match("3^3", [QUICK, "greedy"], games=10, seed=1).wins == (10, 0)


def test_it_follows_the_stored_proof_of_qubic_in_every_image() -> None:
    """Against random play: each move is a win, a block, a listed move or a forced win."""
    game = Game("4^3")
    rng = np.random.default_rng(3)
    for first in rng.choice(sorted({c for c in range(64) if game.board.degrees[c] == 7}), 4):
        position = game.start().play(int(first))
        while not position.is_over:
            if position.to_move == 2:
                position = position.play(int(rng.choice(position.legal_moves)))
                continue
            told = reason(position)
            assert "simulated" not in told
            move = QUICK.choose(position, 0)
            if "stored proof" in told:
                assert any(move in one.winning_moves(position) for one in coverages(game))
            position = position.play(move)
        assert position.outcome is not None
        assert position.outcome.winner == 1


@pytest.mark.parametrize("spec", ["4^3:opening=poor", "4^3:opening=rich", "4^3:opening=5"])
def test_it_follows_stored_proofs_from_any_first_move(spec: str) -> None:
    rng = np.random.default_rng(4)
    position = Game(spec).start()
    position = position.play(int(rng.choice(position.legal_moves)))
    position = position.play(int(rng.choice(position.legal_moves)))
    assert "stored proof" in reason(position)


@pytest.mark.more
def test_it_wins_as_second_player_where_that_is_proved() -> None:
    assert ox.match("4^3:opening=poorx5", ["greedy", "proof"], games=20, seed=1).wins == (0, 20)


def test_it_avoids_what_a_stored_proof_refutes() -> None:
    game = Game("4^3")
    position = game.position("moves:0,21,42")
    refuted = {
        cell
        for cell in position.legal_moves
        if any(one.wins(position.play(cell)) for one in coverages(game))
    }
    assert refuted
    assert all(QUICK.choose(position, seed) not in refuted for seed in range(3))


def test_no_stage_gets_more_time_than_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a lost position: 0.9 of a second for the search for a win, the rest for one tree."""
    agent, clock, given = ExpertAgent(seconds=1), [0.0], list[float | None]()

    def late_win(position: Position, _: object) -> ThreatResult:
        clock[0], agent._search = 0.9, ThreatSearch(position.game)
        return ThreatResult("unknown", (), 0, (), ())

    def grown(root: Position, settings: TreeSettings, seed: int, **more: Any) -> SearchTree:
        given.append(settings.seconds)
        clock[0] = 1.0
        return grow_tree(root, replace(settings, simulations=1000, seconds=None), seed, **more)

    for module in (expert, task, tree_search):
        monkeypatch.setattr(module, "working_time", lambda: clock[0])
    for owner, stage in ((expert, "threats_after_moves"), (agent, "_by_exact_search")):
        monkeypatch.setattr(owner, stage, lambda _, __, limit: given.append(limit.left))
    for module in (expert, tree_search):
        monkeypatch.setattr(module, "grow_tree", grown)
    monkeypatch.setattr(agent, "_win", late_win)
    monkeypatch.setattr(expert, "_tree_after", lambda *_: None)
    agent.think(Game("4^3").position("moves:62,8,24,26,57,13,33,16,1,48,4,19"), 1)
    assert given == pytest.approx([0.1, 0.05, 0.1])


def test_with_a_clock_it_begins_with_the_tree_of_its_last_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without one, moves do not depend on earlier calls; of the tree its upper part is kept."""
    bases = list[SearchTree | None]()

    def grown(root: Position, settings: TreeSettings, seed: int, **more: Any) -> SearchTree:
        if settings.simulations != 0:
            bases.append(more["base"])
            settings = replace(settings, simulations=400, seconds=None)
        return grow_tree(root, settings, seed, **more)

    monkeypatch.setattr(expert, "grow_tree", grown)
    monkeypatch.setattr(expert, "_KEPT_NODES", 300)
    position = Game("4^3:gravity").position("moves:0,5")
    for agent in (ExpertAgent(seconds=0.02), ExpertAgent(simulations=50)):
        bases.clear()
        move = agent.choose(position, 1)
        later = position.play(move)
        later = later.play(next(cell for cell in later.legal_moves))
        agent.choose(later, 1)
        first, kept = bases
        assert first is None
        if agent.simulations is None:
            assert kept is not None
            assert kept.position == position.play(move)
            assert kept.node_of(later) is not None
            assert 17 <= kept.size <= 300
        else:
            assert kept is None
    wide = ExpertAgent(seconds=0.02)
    wide.choose(Game("30^2").start(), 1)
    assert wide._tree is None  # fewer visits than moves


@pytest.mark.more
@pytest.mark.parametrize("columns", ["27641414215731", "63352465665223", "22253636214172"])
def test_it_keeps_exact_values_under_gravity(columns: str) -> None:
    position = Game("7,6,4:gravity").position(f"columns:{columns}")
    found = ExpertAgent(simulations=10).explain(position, np.random.default_rng(1))
    values = ox.move_values([position]).values[0]
    assert values[found.move] == max(values[cell] for cell in position.legal_moves)


def test_an_unfinished_search_of_a_won_game_gives_a_move_that_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The distance of the win is not known; a tree prefers a move that gives it away."""
    monkeypatch.setattr(expert, "_COLUMN_NODES", 20_000)
    moves = "3,1,8,2,9,6,5,13,10,17,15,22,24,16,20,12,19,27"
    position = Game("7,6,4:gravity").position(f"moves:{moves}")
    found = ExpertAgent(simulations=20).think(position, 1)
    assert found.reason == "Cell b5 wins: proved."
    assert ox.move_values([position]).values[0, found.move] == 1


def test_moves_that_an_unfinished_search_proves_lost_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(expert, "_COLUMN_NODES", 20_000)
    position = Game("7,6,4:gravity").position("moves:5,6,0,7,1,4,11,2,9,12,8")
    found = ExpertAgent(simulations=20).think(position, 1)
    assert {cell for cell, _ in found.candidates} == {13, 19}
    assert found.reason.endswith("5 other moves would allow a forced win.")


@pytest.mark.parametrize(("seconds", "searched"), [(0.1, False), (0.7, True), (2.0, True)])
def test_exact_search_under_gravity_begins_when_the_time_suffices(
    seconds: float, searched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = Game("7,6,4:gravity").position("columns:444444333")
    calls: list[int] = []
    monkeypatch.setattr(ExpertAgent, "_by_columns", lambda _, known, *__: calls.append(known.free))
    agent = ExpertAgent(seconds=seconds)
    agent.simulations = 1
    agent.think(position, 1)
    assert calls == [33] * searched
