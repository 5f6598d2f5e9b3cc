"""Seats, undo and redo, branches, resigning, records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from hyperoxo.agents import AGENTS, Agent
from hyperoxo.errors import AgentError, IllegalMoveError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.notation import Record
from hyperoxo.play.session import Session, seats_for
from tests.expect import message_of


def session(spec: str, seats: Sequence[str], moves: str = "") -> Session:
    return Session(Game(spec).position(f"moves:{moves}"), seats, np.random.default_rng(0))


def test_undo_goes_back_to_the_last_turn_of_a_person() -> None:
    game = session("3^2", ["human", "random"], "4,0,8,2")
    assert game.undo() == 2
    assert game.position.text == "2...1...."
    assert game.undo(5) == 2
    assert game.position.text == "........."
    assert "no move of yours" in message_of(IllegalMoveError, game.undo)


def test_undo_among_people_is_one_move() -> None:
    game = session("3^2", ["human", "human"], "4,0,8")
    assert game.undo() == 1
    assert game.undo(2) == 2


def test_undo_does_not_take_back_an_opening_move_of_an_agent() -> None:
    game = session("3^2:players=3", ["random", "human", "random"], "4,0,8,2")
    assert game.undo() == 3
    assert game.position.history == (4,)
    assert message_of(IllegalMoveError, game.undo)


def test_redo_follows_until_another_move_is_played() -> None:
    game = session("3^2", ["human", "random"], "4,0,8,2")
    game.undo(2)
    assert game.redo() == 2
    assert game.redo(9) == 2
    assert game.position.history == (4, 0, 8, 2)
    game.undo(2)
    game.play(4)
    game.play(1)
    assert "play again" in message_of(IllegalMoveError, game.redo)


def test_undo_of_a_setup_stops_at_the_setup() -> None:
    game = Session(Game("3^2").position("12......."), ["human", "human"], np.random.default_rng(0))
    game.play(4)
    assert game.undo(3) == 1
    assert game.position.text == "12......."
    assert game.summary()["setup"] == "12......."


def test_resigning_and_changing_ones_mind() -> None:
    game = session("3^2:players=3", ["human"] * 3, "4")
    game.resign()
    assert (game.state.is_over, game.state.winners, game.state.result) == (True, (1, 3), "1+3")
    assert game.record().resigned == 2
    assert message_of(IllegalMoveError, game.play, 0)
    assert message_of(IllegalMoveError, game.resign)
    assert game.undo() == 0
    assert (game.state.is_over, game.state.result) == (False, "*")
    game.resign()
    assert game.undo(2) == 1
    assert game.position.ply == 0


def test_agents_play_to_the_end() -> None:
    game = session("3^2", ["random", "greedy"])
    while not game.state.is_over:
        cell, why = game.think(explain=game.position.to_move == 2)
        assert game.position.last_move == cell
        assert (why is None) == ((game.position.ply - 1) % 2 == 0)
    assert game.state.result in ("1", "2", "=")
    assert game.summary()["moves"] == list(game.position.history)


def test_answers_are_the_moves_since_a_person_moved() -> None:
    assert session("3^2:players=3", ["human", "random", "random"], "4,0,8").answers == (0, 8)
    assert session("3^2:players=3", ["human", "random", "random"], "4").answers == (4,)
    assert session("3^2", ["random", "random"], "4,0").answers == (0,)
    assert session("3^2", ["human", "human"]).answers == ()


class Cheat(Agent):
    name = "cheat"

    @property
    def spec(self) -> str:
        return "cheat"

    def choose(self, position: Position, rng: object = None) -> int:
        return position.history[0] if position.history else 0


def test_an_agent_that_breaks_the_rules_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "cheat", Cheat)
    game = session("3^2", ["cheat", "cheat"])
    game.think()
    assert "agent 'cheat' broke the rules: cell 0 is taken" in message_of(AgentError, game.think)


def test_seats() -> None:
    assert seats_for(Game("3^2"))[0] == "human"
    assert seats_for(Game("3^2"), ["random", "human"]) == ["random", "human"]
    with pytest.raises(SpecError, match="2 seats, one agent each; 1 named"):
        seats_for(Game("3^2"), ["random"])
    assert "2 seats, not 3" in message_of(SpecError, session, "3^2", ["human"] * 3)
    assert "nobody" in message_of(SpecError, session, "3^2", ["human", "nobody"])


def test_swap_and_restart() -> None:
    game = session("3^2", ["human", "random"], "4")
    game.swap()
    assert game.seats == ("random", "human")
    assert game.agent_to_move is None
    game.restart()
    assert game.position.ply == 0
    assert game.agent_to_move is not None


def test_branches_are_kept() -> None:
    game = session("3^2", ["human", "human"], "4,0,8")
    game.undo()
    game.play(2)
    assert game.position.history == (4, 0, 2)
    nodes = game.branches(game.tree.node)
    assert [game.tree.nodes[node].cell for node in nodes] == [8, 2]
    game.go(nodes[0])
    assert game.position.history == (4, 0, 8)
    game.undo()
    game.redo()
    assert game.position.history == (4, 0, 8)
    assert "play again" in message_of(IllegalMoveError, game.redo)


def test_agents_alone_go_back_move_by_move_and_wait_there() -> None:
    game = session("3^2", ["random", "random"], "4,0,8")
    assert (game.undo(), game.undo(2)) == (1, 2)
    assert game.state.paused == "history"
    assert "no move to take back" in message_of(IllegalMoveError, game.undo)
    assert game.redo() == 1
    game.resume()
    assert game.state.paused is None


def test_a_record_goes_on_in_its_seats() -> None:
    record = Record(Game("3^2"), (4, 0), players=("human", "greedy"), resigned=1)
    game = Session.of_record(record)
    assert (game.seats, game.resigned, game.state.is_over) == (("human", "greedy"), 1, True)
    assert game.record() == record


@pytest.mark.parametrize(
    ("names", "seats"),
    [
        ((), ("human", "human")),
        (("Ada", "Bob"), ("human", "human")),
        (("Ada", "greedy"), ("human", "greedy")),
        (("ising:bias=2e9", "random"), ("human", "random")),
    ],
)
def test_seats_without_an_agent_wait(names: tuple[str, ...], seats: tuple[str, ...]) -> None:
    assert Session.of_record(Record(Game("3^2"), (4,), players=names)).seats == seats
