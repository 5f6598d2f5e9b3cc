"""Records as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from hyperoxo.game import Game
from hyperoxo.notation import Record, record_from_dict, record_to_dict
from hyperoxo.notation.json_record import read_json, write_json
from tests.strategies import records

PLAIN: dict[str, Any] = {"format": "hyperoxo-record", "version": 1, "game": "3^2", "moves": [4, 0]}


@pytest.mark.more
@given(records())
def test_objects_and_spread_texts(record: Record) -> None:
    assert read_json(json.dumps(json.loads(write_json([record])), indent=2)) == [record]
    assert record_from_dict(record_to_dict(record)) == record


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
