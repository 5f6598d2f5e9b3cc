"""Games in OpenSpiel: its tests and programs on them, its own games, bots as agents and back."""

from __future__ import annotations

import pickle
import random
import signal
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.python.algorithms import mcts, minimax
from open_spiel.python.bots.uniform_random import UniformRandomBot

from hyperoxo.adapters import openspiel
from hyperoxo.adapters.drawing import draw_text
from hyperoxo.adapters.running import rewards_of
from hyperoxo.agents import check_agent
from hyperoxo.errors import AgentError, HyperoxoError, IllegalMoveError, SpecError
from hyperoxo.game import Game
from hyperoxo.lab import match
from hyperoxo.solvers import solve
from tests.expect import message_of
from tests.hyperoxo.lab.test_match import Last
from tests.judge import planes
from tests.marks import more
from tests.processes import python
from tests.strategies import games, play_at_random

SPECS = (
    "3^2",
    "3^3:players=3,misere",
    "2^3:players=4,bias=1+2+1+1,first=2",
    "9{0+1+2/3+4}:players=3",
    "3^3:wrap=1+2,blocked=1+5,target=2",
    "7,6,4:gravity",
    "4^2:opening=0+4+7x2",
    "3^2:convention=avoider-enforcer",
)


def python_mcts(game: Any, player: int, rng: Any) -> Any:
    return mcts.MCTSBot(game, 2, 30, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)


def compiled_mcts(game: Any, player: int, rng: Any) -> Any:
    evaluator = pyspiel.RandomRolloutEvaluator(1, int(rng.randint(1 << 30)))
    seed = int(rng.randint(1 << 30))
    return pyspiel.MCTSBot(game, evaluator, 2.0, 100, 100, True, seed, False)


@pytest.mark.parametrize("spec", SPECS)
def test_the_official_test_passes(spec: str) -> None:
    game = openspiel.load(spec)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    begun = game.new_initial_state(Game(spec).start().text)
    begun.apply_action(begun.legal_actions()[0])
    pyspiel.random_sim_test_with_specific_initial_state(game, 1, begun)
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert again.rules == game.rules == Game(spec)


@pytest.mark.more
@settings(max_examples=30, deadline=None)
@given(games(new_rules=True), st.integers(0, 2**32))
def test_random_games_of_random_rules(rules: Game, seed: int) -> None:
    rng = random.Random(seed)
    game = pyspiel.load_game(str(openspiel.load(rules)))
    state, position, players = game.new_initial_state(), rules.start(), rules.players
    while not position.is_over:
        assert state.current_player() == position.to_move - 1
        assert tuple(state.legal_actions()) == position.legal_moves
        assert not state.legal_actions((state.current_player() + 1) % players)
        assert str(state) == draw_text(position)
        for player in range(players):
            tensor = np.reshape(state.observation_tensor(player), (-1, players))
            assert (tensor == planes(position, player)).all()
            assert state.observation_string(player) == position.text
        other = state.clone()
        other.apply_action(rng.choice(position.legal_moves))
        assert str(state) == draw_text(position) != str(other)
        other.undo_action(position.to_move - 1, other.history()[-1])
        assert_same(other, state)
        cell = rng.choice(position.legal_moves)
        state.apply_action(cell)
        position = position.play(cell)
    assert state.is_terminal()
    assert list(state.returns()) == rewards_of(position.outcome, players)
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert_same(again, state)
    for form in (state.to_json(), state.to_dict(), state.to_struct(), position):
        assert_same(game.new_initial_state(form), state)
    # What remembers no move before it goes on with those that follow.
    if position.ply > 1:
        middle = game.new_initial_state(position.undo().text)
        assert middle.history() == []
        middle.apply_action(position.last_move)
        assert_same(game.new_initial_state(middle.to_json()), middle)
    while position.history:
        position, last = position.undo(), position.last_move
        state.undo_action(position.to_move - 1, last)
        assert str(state) == draw_text(position)
        assert tuple(state.legal_actions()) == position.legal_moves
    assert_same(state, game.new_initial_state())


def assert_same(state: Any, other: Any) -> None:
    assert str(state) == str(other)
    assert state.history() == other.history()
    assert state.history_str() == other.history_str()
    assert state.move_number() == other.move_number()
    assert state.is_initial_state() == other.is_initial_state()
    assert state.to_json() == other.to_json()
    steps = [[(one.player, one.action) for one in each.full_history()] for each in (state, other)]
    assert steps[0] == steps[1]
    assert [action for _, action in steps[0]] == state.history()


def test_undone_actions_are_those_that_were_made() -> None:
    state = openspiel.load("3^2").new_initial_state("moves:4,0")
    assert str(state) == "O · ·\n· X ·\n· · ·\nCross to move"
    for player, action in ((0, 0), (1, 4)):
        with pytest.raises(IllegalMoveError, match=r"did not play \d last, 0 was played"):
            state.undo_action(player, action)
    assert state.history() == [4, 0]
    state.undo_action(1, 0)
    state.apply_action(8)
    assert (state.history_str(), state.move_number()) == ("4, 8", 2)
    with pytest.raises(IllegalMoveError, match="cannot take back 1 of 0"):
        openspiel.load("3^2").new_initial_state().undo_action(0, 0)


@pytest.mark.parametrize("given", ["moves:4,4", "1.2", '{"format": 1}', "{", {"game": "3^2"}, 7])
def test_states_that_make_no_sense_are_refused_in_one_line(given: Any) -> None:
    assert message_of(HyperoxoError, openspiel.load("3^2").new_initial_state, given)


def test_what_is_kept_of_a_state_is_small() -> None:
    state = openspiel.load("4^3").new_initial_state()
    state.apply_action(0)
    assert len(pickle.dumps(state.running)) < 200


def test_illegal_actions_and_bad_specs() -> None:
    state = openspiel.load("3^2").new_initial_state()
    state.apply_action(4)
    for action in (4, 9):
        assert message_of(IllegalMoveError, state.apply_action, action)
    assert state.history() == [4]
    assert message_of(SpecError, pyspiel.load_game, "python_hyperoxo", {"spec": "3^^2"})
    assert message_of(SpecError, openspiel.load, "3^2:players=9")


@pytest.mark.parametrize("spec", more(["3^2", "2^2:misere", "3^2:gravity"], ["3^2"]))
def test_its_minimax_finds_our_values(spec: str) -> None:
    value, _ = minimax.alpha_beta_search(openspiel.load(spec))
    assert {1: "win", 0: "draw", -1: "loss"}[value] == solve(spec).value


@pytest.mark.more
def test_its_playthrough_is_the_same_again() -> None:
    from open_spiel.python.algorithms import generate_playthrough  # imports SciPy's statistics

    name = str(openspiel.load("3^2:players=3"))
    lines = generate_playthrough.playthrough(name, action_sequence=[4, 0, 8, 2, 1, 7, 6, 3, 5])
    assert "ObservationTensorShape() = [9, 3]" in lines
    assert generate_playthrough.playthrough(name, action_sequence=None, seed=1).count("# State") > 5


def test_our_agents_are_its_bots() -> None:
    game = openspiel.load("3^2")
    bots = [openspiel.bot("minimax:ties=lowest", 0), openspiel.bot("minimax:ties=lowest", 0)]
    for bot in bots:
        bot.restart()
    assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 0) == [0.0, 0.0]
    assert openspiel.bot("greedy").step(game.new_initial_state()) == 4
    against = [openspiel.bot("minimax", 1), UniformRandomBot(1, np.random.RandomState(0))]
    scores = [pyspiel.evaluate_bots(game.new_initial_state(), against, n)[0] for n in range(5)]
    assert min(scores) >= 0
    assert max(scores) == 1
    with pytest.raises(SpecError, match="greedy plays python_hyperoxo, not tic_tac_toe"):
        openspiel.bot("greedy").step(pyspiel.load_game("tic_tac_toe").new_initial_state())


@pytest.mark.more
@pytest.mark.parametrize("make", [python_mcts, compiled_mcts])
def test_its_bots_are_our_agents(make: Any) -> None:
    player = openspiel.agent(make, "theirs")
    assert check_agent(player, ["3^2", "2^3:players=3", "3^2:gravity"]) == 3
    result = match("3^2", [player, "random"], games=12, swap=True, seed=1)
    assert result.agents == ("theirs", "random")
    assert result.wins[0] > result.wins[1]
    assert match("3^2", [player, "random"], games=12, swap=True, seed=1).wins == result.wins


def test_its_bots_finish_a_line_where_only_the_stones_are_known() -> None:
    position = Game("3^2").position("11.22....")
    assert openspiel.agent(compiled_mcts).choose(position, 0) == 2
    assert openspiel.agent(python_mcts).choose(position, 0) == 2


def test_what_is_no_bot_is_refused() -> None:
    with pytest.raises(AgentError, match="'none' makes 'None', which is not a pyspiel"):
        openspiel.agent(lambda *_: None, "none").choose(Game("3^2").start(), 0)
    with pytest.raises(AgentError, match="the game is over"):
        openspiel.agent(python_mcts).choose(Game("3^2").position("11122...."), 0)


def test_a_bot_hears_the_position_and_its_seat() -> None:
    heard = []

    def make(game: Any, player: int, rng: Any) -> Any:
        heard.append((str(game), player))
        return openspiel.bot(Last())

    assert openspiel.agent(make).choose(Game("3^2:players=3").position("moves:8")) == 7
    assert heard == [("python_hyperoxo(spec=3^2:players%3D3)", 1)]


@pytest.mark.more
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_only_one_call_of_its_compiled_search_ends_the_process() -> None:
    """What the documentation warns of; the first is what the adapter calls."""
    program = """
import faulthandler, sys, pyspiel
from open_spiel.python.games import tic_tac_toe
game = pyspiel.load_game("python_tic_tac_toe")
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 0), 2.0, 9, 9, True, 0, False)
call = getattr(bot, sys.argv[1])
call(game.new_initial_state())
"""
    ended = [python("-c", program, call).returncode for call in ("step_with_policy", "step")]
    assert ended == [0, -signal.SIGSEGV]


BOARDS = [
    *((side, dim, side, False) for side, dim in [(3, 2), (4, 2), (5, 2), (3, 3), (4, 3), (3, 4)]),
    *((side, dim, side, True) for side, dim in [(3, 2), (4, 2), (5, 2), (3, 3)]),
    *((5, 2, connect, wrap) for connect in (2, 3, 4) for wrap in (False, True)),
    (4, 3, 3, False),
    (4, 3, 3, True),
]


@pytest.mark.parametrize(("side", "dim", "connect", "wrap"), BOARDS)
@pytest.mark.parametrize("anti", [False, True])
def test_random_games_agree_move_by_move(
    side: int, dim: int, connect: int, wrap: bool, anti: bool
) -> None:
    theirs = pyspiel.load_game(
        "gomoku", {"size": side, "dims": dim, "connect": connect, "wrap": wrap, "anti": anti}
    )
    ours = Game(side=side, dim=dim, connect=connect, wrap=wrap, misere=anti)
    rng = random.Random(side * 100 + dim * 10 + anti)
    for _ in range(12 if side**dim < 30 else 4):
        state, position = theirs.new_initial_state(), ours.start()
        while not position.is_over:
            assert not state.is_terminal()
            assert state.legal_actions() == list(position.legal_moves)
            assert state.current_player() == position.to_move - 1
            cell = rng.choice(position.legal_moves)
            state.apply_action(cell)
            position = position.play(cell)
        assert state.is_terminal()
        assert list(state.returns()) == rewards_of(position.outcome, 2)


def test_random_games_reach_every_ending() -> None:
    """The games above are worth something only if they end in more than one way."""
    ends = [play_at_random(Game("3^2").start(), seed, 9).outcome for seed in range(60)]
    assert {end and end.winner for end in ends} == {1, 2, None}
    assert None not in ends
