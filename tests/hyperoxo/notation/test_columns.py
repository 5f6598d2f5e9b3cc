"""Columns and their scores, as in test sets of Connect Four."""

from __future__ import annotations

from hyperoxo.game import Game
from hyperoxo.notation import Record
from hyperoxo.notation.columns import read_columns, write_columns


def test_spelling() -> None:
    text = "44455554221 -15\n12,3,3:gravity 12,1,10 2\n12,3,3:gravity 12,\n4453\n"
    records = read_columns(f"# a remark\n\n{text}")
    assert [record.moves[:3] for record in records] == [(3, 10, 17), (11, 0, 9), (11,), (3, 10, 4)]
    assert [record.tag("Score") for record in records] == ["-15", "2", None, None]
    assert write_columns(records) == text
    start = Record(Game("7,6,4:gravity"), tags=(("Score", "1"),))
    assert read_columns(write_columns([start])) == [Record(start.game)]
    odd = Record(Game("7,6,4:gravity"), (3,), tags=(("Score", "high"),))
    assert write_columns([odd]) == "4\n"
