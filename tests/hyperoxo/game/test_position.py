"""Positions against a second reading of the rules, and what they refuse."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import IllegalMoveError, NotationError
from hyperoxo.game import Game, Outcome, Position
from tests.expect import message_of, require
from tests.oracle import Oracle
from tests.strategies import games, positions

CLASSIC = Game("3^2")
ANY = games(new_rules=True)


@pytest.mark.more
@settings(max_examples=500)
@given(positions(ANY, finished=True))
def test_whole_games_agree_with_a_second_reading_of_the_rules(final: Position) -> None:
    oracle, position = Oracle(str(final.game)), final.game.start()
    for cell in (*final.history, None):
        assert set(position.legal_moves) == oracle.legal()
        assert list(position.legal_moves) == sorted(position.legal_moves)
        assert list(position.lines_owned) == oracle.scores()
        assert position.ply == oracle.ply
        result = oracle.result()
        assert position.is_over == (result is not None)
        assert position.to_move == (0 if result else oracle.mover())
        if cell is not None:
            oracle.play(cell)
            position = position.play(cell)
    winners, loser = oracle.result() or (frozenset(), 0)
    outcome = require(final.outcome)
    assert outcome.winners == tuple(sorted(winners))
    assert outcome.loser == loser
    assert outcome.winner == (min(winners) if len(winners) == 1 else None)
    assert outcome.draw == (not winners)


@pytest.mark.more
@given(positions(ANY), st.data())
def test_every_other_cell_is_illegal(position: Position, data: st.DataObject) -> None:
    cell = data.draw(st.integers(-2, position.game.board.cell_count + 1))
    if cell in position.legal_moves:
        assert position.play(cell).owners[cell] == position.to_move
    else:
        with pytest.raises(IllegalMoveError):
            position.play(cell)


@given(positions(ANY), st.integers(0, 30))
def test_undo(position: Position, plies: int) -> None:
    if plies > len(position.history):
        assert "cannot take back" in message_of(IllegalMoveError, position.undo, plies)
        return
    earlier = position.undo(plies)
    assert earlier.history == position.history[: len(position.history) - plies]
    for cell in position.history[len(earlier.history) :]:
        earlier = earlier.play(cell)
    assert (earlier, earlier.history, earlier.outcome) == (
        position,
        position.history,
        position.outcome,
    )


@pytest.mark.more
@given(positions(ANY))
def test_both_texts_lead_back(position: Position) -> None:
    game = position.game
    by_moves = game.position("moves:" + ",".join(map(str, position.history)))
    by_cells = game.position(position.text)
    assert by_moves == by_cells == position
    assert hash(by_moves) == hash(by_cells)
    assert by_moves.history == position.history
    assert by_cells.history == ()
    assert by_cells.setup == (position.owners if position.ply else None)
    assert by_cells.outcome == by_moves.outcome
    assert by_cells.legal_moves == by_moves.legal_moves
    assert by_cells.lines_owned == by_moves.lines_owned
    assert pickle.loads(pickle.dumps(position)) == position


def test_a_game_that_is_sent_to_another_process_makes_positions_and_pictures() -> None:
    program = """
import pickle, sys
game = pickle.load(sys.stdin.buffer)
assert "hyperoxo.pictures" not in sys.modules
print(game.start().play(0).text, game.position("moves:1").text, game._repr_svg_()[:4])
"""
    given = pickle.dumps(Game("2^2"))
    found = subprocess.check_output([sys.executable, "-c", program], input=given)
    assert found.split() == [b"1...", b".1..", b"<svg"]


@given(positions(ANY))
def test_owned_lines(position: Position) -> None:
    board = position.game.board
    for player in range(1, position.game.players + 1):
        owned = position.owned_lines(player)
        assert len(owned) == position.lines_owned[player - 1]
        assert all(position.owners[cell] == player for line in owned for cell in board.line(line))
    scores = position.lines_owned
    counted = scores[:1] if "convention" in str(position.game) else scores
    reached = max(counted) >= position.game.target
    assert bool(position.winning_lines) == reached


@given(ANY)
def test_the_start(game: Game) -> None:
    start = game.start()
    assert start.ply == 0
    assert start.last_move is None
    assert set(start.text) <= {".", "#"}
    assert [cell for cell, mark in enumerate(start.text) if mark == "#"] == list(game.blocked)


@pytest.mark.parametrize(
    ("spec", "moves", "outcome"),
    [
        ("3^2", (4, 0, 3, 1, 5), Outcome(1, 2, (1,))),
        ("3^2:misere", (4, 0, 3, 1, 5), Outcome(2, 1, (2,))),
        ("3^2:players=3", (4, 0, 8, 3, 1, 7, 5), Outcome(1, None, (1,))),
        ("3^2:players=3,misere", (4, 0, 8, 3, 1, 7, 5), Outcome(None, 1, (2, 3))),
        ("3^2", (0, 1, 2, 4, 3, 5, 7, 6, 8), Outcome(None, None, ())),
        ("3^2:target=2", (0, 3, 1, 4, 2, 6, 5, 7, 8), Outcome(1, 2, (1,))),
        ("3^2:target=3", (0, 3, 1, 4, 2, 6, 5, 7, 8), Outcome(1, 2, (1,))),
        ("3^2:target=3,misere", (0, 3, 1, 4, 2, 6, 5, 7, 8), Outcome(2, 1, (2,))),
        ("2{}", (0, 1), Outcome(None, None, ())),
        ("1^1", (0,), Outcome(1, 2, (1,))),
    ],
)
def test_outcomes(spec: str, moves: tuple[int, ...], outcome: Outcome) -> None:
    position = Game(spec).start()
    for cell in moves:
        assert position.outcome is None
        position = position.play(cell)
    assert position.outcome == outcome
    assert "the game is over" in message_of(IllegalMoveError, position.play, 0)


def test_a_stone_may_lie_under_a_blocked_cell() -> None:
    start = Game("3^2:gravity,blocked=3").start()
    assert start.legal_moves == (0, 1, 2, 6)
    assert start.play(6).legal_moves == (0, 1, 2)


def test_an_opening_that_cannot_be_kept_lapses() -> None:
    start = Game("3^2:opening=4x3").start()
    assert start.legal_moves == (4,)
    assert start.opening_restricts
    later = start.play(4).play(0)
    assert later.opening_restricts
    assert later.legal_moves == (1, 2, 3, 5, 6, 7, 8)
    kept = Game("3^2:opening=4+5x3").start().play(4).play(0)
    assert kept.legal_moves == (5,)


@pytest.mark.parametrize(
    ("spec", "text", "cell", "message"),
    [
        ("3^2", "....1....", 4, "cell 4 is taken"),
        ("3^2", "....1....", 9, "there is no cell 9; cells are 0 to 8"),
        ("3^2", "....1....", -1, "there is no cell -1"),
        ("3^2:blocked=4", "....#....", 4, "cell 4 is blocked"),
        ("3^2:gravity", ".........", 3, "a stone on cell 3 would fall"),
        ("3^2:opening=4", ".........", 3, "cell 3 is not allowed by the opening restriction"),
        ("3^2", "11122....", 8, "the game is over"),
        ("3^2", ".........", 1.0, "a move is a cell number, a name or coordinates, not 1.0"),
        ("3^2", ".........", True, "a move is a cell number, not True"),
        ("3^2", ".........", None, "a move is a cell number, a name or coordinates, not None"),
    ],
)
def test_illegal_moves_say_why(spec: str, text: str, cell: int, message: str) -> None:
    assert message in message_of(IllegalMoveError, Game(spec).position(text).play, cell)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "position has 0 characters, the board 9 cells"),
        ("?........", "position: character 1 is '?'; need '.', '#' or a player 1 to 2"),
        ("3........", "position: character 1 is '3'"),
        ("#........", "position: cell 0 is not blocked in this game"),
        ("moves:4,", "move 2: '' is not a cell; cells are a1 to c3"),
        ("moves:4,4", "move 2: cell 4 is taken"),
        ("moves:٤", "move 1: '٤' is not a cell"),
        ("moves:9999999999", "move 1: '9999999999' is not a cell"),
    ],
)
def test_texts_that_are_refused(text: str, message: str) -> None:
    assert message in message_of(NotationError, CLASSIC.position, text)


def test_positions_are_frozen_values() -> None:
    position = CLASSIC.start().play(np.int32(4))  # type: ignore[arg-type]
    assert position.history == (4,)
    assert type(position.history[0]) is int
    with pytest.raises(AttributeError, match="cannot be changed"):
        position.ply = 3
    assert position == CLASSIC.position("....1....")
    assert position != Game("3^2:misere").position("....1....")
    assert position != "....1...."
