"""Columns and their scores, as in test sets of Connect Four."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.game import Game, Position
from hyperoxo.notation import Record
from hyperoxo.notation.columns import read_columns, write_columns
from tests.strategies import positions

GAMES = st.sampled_from(
    ["7,6,4:gravity", "5,4,3:gravity", "3^3:gravity", "2^3:gravity=1", "12,2,3:gravity,misere"]
).map(Game)


@given(positions(GAMES).filter(lambda one: one.ply > 0), st.none() | st.integers(-999, 999))
def test_round_trip(position: Position, score: int | None) -> None:
    record = Record.of(position, tags={} if score is None else {"Score": str(score)})
    assert read_columns(write_columns([record, record])) == [record, record]


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
