"""One-line records."""

from __future__ import annotations

import pytest

from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.notation import Record, detect, write_record
from hyperoxo.notation.oneline import read_record, write_records


def test_spelling() -> None:
    record = Record(Game("3^2"), (4, 8), setup="1.2......", resigned=1)
    assert write_record(record) == "3^2 setup=1.2...... moves:4,8 result=2 resigned=1"
    assert write_record(Record(Game("3^2:misere"))) == "3^2:misere moves:"


@pytest.mark.parametrize(
    "line",
    ["4^3 moves:0,3,60,21", "4^3 0-3-60-21", "4^3 moves:0-3-60-21", "  4^3   moves:0,3,60,21 \r"],
)
def test_human_forms(line: str) -> None:
    assert read_record(line) == Record(Game("4^3"), (0, 3, 60, 21))
    with pytest.raises(NotationError, match="an empty line is not a record"):
        read_record("")


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("4^3 moves:3a4,1D1,4", (32, 15, 4)),
        ("4^3 3a4-1d1-4", (32, 15, 4)),
        ("7,6,4:gravity d-D-d3", (3, 10, 17)),
        (f"7,6,4:gravity setup=1{'.' * 41} moves:d,a", (3, 7)),
        ("5^1 moves:a,c", (0, 2)),
        ("3^2 a3-b2-c1", (0, 4, 8)),
    ],
)
def test_cells_may_have_names(line: str, moves: tuple[int, ...]) -> None:
    assert read_record(line).moves == moves
    assert detect(line) == "record"


def test_names_are_written() -> None:
    played = {"7,6,4:gravity": (3, 10, 0), "3^4": (33, 51), "3{0+1+2}": (2, 0)}
    games = [Record(Game(spec), moves) for spec, moves in played.items()]
    lines = write_records(games, names=True)
    assert lines.splitlines() == [
        "7,6,4:gravity moves:d,d,a",
        "3^4 moves:2.1a1,2.3a1",
        "3{0+1+2} moves:2,0",
    ]
