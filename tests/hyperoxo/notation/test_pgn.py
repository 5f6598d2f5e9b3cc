"""Records in the manner of PGN."""

from __future__ import annotations

from hyperoxo.game import Game
from hyperoxo.notation import Record
from hyperoxo.notation.pgn import read_pgn, write_pgn


def test_no_records() -> None:
    assert read_pgn(write_pgn([])) == []
    assert read_pgn(" \n ") == []


def test_spelling() -> None:
    record = Record(
        Game("3^2:players=3"),
        (4, 5, 8),
        setup="12.......",
        players=("Ada", 'B "b"', "C\\"),
        icons=("X", "O", "Y"),
        free_icon="·",
        resigned=2,
        tags=(("Event", "two\nlines"),),
        comments=((0, "set up"), (1, "a } b"), (3, "end")),
    )
    assert write_pgn([record]) == (
        '[Game "3^2:players=3"]\n'
        '[Player1 "Ada"]\n[Player2 "B \\"b\\""]\n[Player3 "C\\\\"]\n'
        '[Icon0 "·"]\n[Icon1 "X"]\n[Icon2 "O"]\n[Icon3 "Y"]\n'
        '[Setup "12......."]\n[Result "1+3"]\n[Resigned "2"]\n[Event "two\\nlines"]\n\n'
        "{set up} 1... 4 {a \\} b} 2. 5 8 {end} 1+3\n"
    )


def test_rows_stay_short() -> None:
    moves = tuple(range(0, 250, 2)) + tuple(range(1, 250, 2))
    text = write_pgn([Record(Game("5^4:target=99"), moves)])
    assert len(text.splitlines()) > 8
    assert max(map(len, text.splitlines())) <= 80


def test_what_people_write() -> None:
    text = """
    [Game "3^2"] [Player2 "Bob"]

    1.4 0 {a} {b}
    2. 3 1 3. 5
    1
    """
    assert read_pgn(text) == [
        Record(Game("3^2"), (4, 0, 3, 1, 5), players=("", "Bob"), comments=((2, "a\nb"),))
    ]


def test_a_move_that_looks_like_a_result() -> None:
    record = Record(Game("3^2"), (0, 4, 2, 1), result="1")
    assert write_pgn([record]).endswith("1. 0 4 2. 2 1 1\n")
    assert read_pgn(write_pgn([record])) == [record]
