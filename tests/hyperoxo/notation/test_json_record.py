"""Records as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.notation import Record, record_from_dict, record_to_dict
from hyperoxo.notation.json_record import read_json, write_json
from tests.strategies import records

PLAIN: dict[str, Any] = {"format": "hyperoxo-record", "version": 1, "game": "3^2", "moves": [4, 0]}


@pytest.mark.more
@given(records(), records())
def test_round_trip(first: Record, second: Record) -> None:
    assert read_json(write_json([first])) == [first]
    assert read_json(write_json([first, second])) == [first, second]
    assert read_json(json.dumps(json.loads(write_json([first])), indent=2)) == [first]
    assert record_from_dict(record_to_dict(first)) == first


def test_no_records() -> None:
    assert write_json([]) == "[]\n"
    assert read_json("[]") == []


def test_the_schema() -> None:
    record = Record(Game("3^2"), (4, 0), resigned=2, comments=((2, "no"),), tags=(("A", "b"),))
    assert json.loads(write_json([record])) == {
        **PLAIN,
        "setup": None,
        "players": [],
        "icons": [],
        "free_icon": None,
        "result": "1",
        "resigned": 2,
        "tags": {"A": "b"},
        "comments": {"2": "no"},
    }


def test_four_keys_are_enough() -> None:
    assert record_from_dict(PLAIN) == Record(Game("3^2"), (4, 0))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "pgn"}, "format must be 'hyperoxo-record'"),
        ({"version": 2}, "version 2 is not known; this is 1"),
        ({"version": True}, "version True is not known"),
        ({"version": 1.0}, "version 1.0 is not known"),
        ({"game": 3}, "game must be text, not 3"),
        ({"game": "3^"}, "game: bad game"),
        ({"moves": "4,0"}, "moves must be an array, not '4,0'"),
        ({"moves": [4, 0.0]}, "moves[1] must be a whole number, not 0.0"),
        ({"moves": [4, True]}, "moves[1] must be a whole number, not True"),
        ({"moves": [10**9]}, "moves[0] is too large"),
        ({"moves": [4, 4]}, "move 2: cell 4 is taken"),
        ({"players": ["Ada", None]}, "players[1] must be text, not None"),
        ({"resigned": "2"}, "resigned must be a whole number"),
        ({"tags": []}, "tags must be an object"),
        ({"tags": {"A": 1}}, "tags['A'] must be text, not 1"),
        ({"comments": {"01": "x"}}, "comments: '01' is not a number of moves"),
        ({"commments": {}}, "unknown key 'commments'"),
    ],
)
def test_what_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_json(json.dumps({**PLAIN, **changes}))
    assert message in str(caught.value)


@pytest.mark.parametrize("key", PLAIN)
def test_keys_that_must_be_there(key: str) -> None:
    with pytest.raises(NotationError, match=f"key '{key}' is missing"):
        record_from_dict({name: value for name, value in PLAIN.items() if name != key})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes at line 1, column 2"),
        ("3", "a record must be an object"),
        ("[3]", "record 1: a record must be an object"),
        ('{"a": 1, "a": 2}', "key 'a' appears twice"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "too many digits"),
    ],
)
def test_texts_that_are_no_record(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_json(text)
    assert message in str(caught.value)
