"""Records: replay, results, resignation, and what is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given

from hyperoxo.errors import NotationError
from hyperoxo.game import Game, Position
from hyperoxo.notation import Record
from tests.expect import message_of
from tests.strategies import positions, records

CLASSIC = Game("3^2")
WON = (4, 0, 3, 1, 5)


@pytest.mark.more
@given(positions())
def test_a_record_of_play_replays_it(position: Position) -> None:
    record = Record.of(position)
    assert record.position == position
    assert record.position.history == position.history
    assert record.result == (position.outcome and position.outcome.result)
    seen = record.positions()
    assert seen[0] == position.game.start()
    assert [earlier.ply for earlier in seen] == list(range(position.ply + 1))


@given(positions())
def test_a_record_from_a_setup(position: Position) -> None:
    again = Position.from_owners(position.game, position.owners)
    record = Record.of(again)
    assert record.moves == ()
    assert record.setup == (position.text if position.ply else None)
    assert record.position == position


@pytest.mark.more
@given(records())
def test_records_are_values(record: Record) -> None:
    again = pickle.loads(pickle.dumps(record))
    assert again == record
    assert hash(again) == hash(record)


def test_setup_and_later_moves() -> None:
    position = CLASSIC.position("1.2......").play(4).play(8)
    record = Record.of(position)
    assert (record.setup, record.moves) == ("1.2......", (4, 8))
    assert record.start.text == "1.2......"
    assert record.position == position


def test_numbers_of_numpy_become_plain() -> None:
    record = Record(CLASSIC, tuple(np.array([4, 0])))
    assert [type(cell) for cell in record.moves] == [int, int]


def test_results() -> None:
    assert Record(CLASSIC, WON).result == "1"
    assert Record(Game("3^2:misere"), WON).result == "2"
    assert Record(Game("3^2:misere,players=3"), (0, 3, 4, 1, 5, 7, 2)).result == "2+3"
    assert Record(CLASSIC, (4,)).result is None
    assert Record(CLASSIC, (4,), result="=").result == "="
    assert Record(CLASSIC, (0, 1, 2, 4, 3, 5, 7, 6, 8)).result == "="


def test_resigning() -> None:
    assert Record(CLASSIC, (4,), resigned=2).result == "1"
    assert Record(Game("3^2:players=4"), (4,), resigned=2).result == "1+3+4"
    assert Record(CLASSIC, resigned=1, result="2").result == "2"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"moves": (4, 4)}, "move 2: cell 4 is taken"),
        ({"moves": (*WON, 8)}, "move 6: the game is over"),
        ({"moves": (4, None)}, "move 2: a move is a cell number, a name or coordinates"),
        ({"moves": (True,)}, "move 1: a move is a cell number, not True"),
        ({"moves": WON, "result": "2"}, "result is '2', but the game ended in '1'"),
        ({"moves": WON, "resigned": 2}, "player 2 cannot resign; the game is over"),
        ({"resigned": 3}, "no player 3 can resign"),
        ({"resigned": True}, "no player True can resign"),
        ({"resigned": 1, "result": "="}, "result is '=', but the game ended in '2'"),
        ({"result": "1+2"}, "result '1+2' is neither"),
        ({"result": "2+1"}, "result '2+1' is neither"),
        ({"result": "3"}, "result '3' is neither"),
        ({"result": ""}, "result '' is neither"),
        ({"result": "11"}, "result '11' is neither"),
        ({"players": ("Ada",)}, "names for 1 of 2 players"),
        ({"players": ("Ada", 2)}, "a player's name must be text, not 2"),
        ({"icons": ("X",)}, "icons for 1 of 2 players"),
        ({"icons": ("X", "\ud800")}, "lone surrogate"),
        ({"setup": "11......."}, "setup: position: player 1 has 2"),
        ({"setup": "moves:4"}, "setup must be one character per cell"),
        ({"tags": (("Game", "4^3"),)}, "tag 'Game' is a field of the record itself"),
        ({"tags": (("Icon7", "x"),)}, "tag 'Icon7' is a field"),
        ({"tags": (("a b", "x"),)}, "tag name 'a b' is not one word"),
        ({"tags": (("A", "x"), ("A", "y"))}, "tag 'A' is given twice"),
        ({"comments": ((1, "x"),)}, "a comment follows move 1 of 0"),
        ({"comments": ((0, "x"), (0, "y"))}, "two comments follow move 0"),
    ],
)
def test_what_is_refused(fields: dict[str, object], message: str) -> None:
    assert message in message_of(NotationError, Record, CLASSIC, **fields)  # type: ignore[arg-type]


def test_texts_are_tidied() -> None:
    record = Record(CLASSIC, players=("", ""), comments=((0, "a\r\nb\rc"),))
    assert record.players == ()
    assert record.comments == ((0, "a\nb\nc"),)


def test_tags_by_name() -> None:
    record = Record(CLASSIC, tags=(("Event", "Club"), ("Date", "2026")))
    assert record.tag("Date") == "2026"
    assert record.tag("Round") is None
