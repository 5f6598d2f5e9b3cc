"""Drawn boards: read as people write them, written so that they read back, refused in one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.game import LETTERS, Game, Position
from hyperoxo.game.drawn import SHAPES
from hyperoxo.notation import detect, read, read_board, write
from hyperoxo.notation.drawing import draw
from tests.strategies import games, positions

MIDDLE = "1.2.1...2"


@pytest.mark.more
@given(
    positions(games(new_rules=True)),
    st.sampled_from(["lines", "slashes", "spaced", "bars", "frame"]),
    st.sampled_from(["".join(LETTERS), "".join(SHAPES), "12345678", "xoyzabcd"]),
    st.sampled_from([".", "·", "_"]),
)
def test_every_form_of_a_drawing(position: Position, form: str, signs: str, free: str) -> None:
    game, owners = position.game, position.owners
    text = draw(game, owners).translate(str.maketrans("XOYZABCD.", signs + free))
    if form == "slashes":
        text = text.replace("\n\n", " // ").replace("\n", " / ")
    elif form == "spaced":
        text = "\n".join(" ".join(row) for row in text.split("\n"))
    elif form in ("bars", "frame") and (game.board.shape or (1,))[-1] > 1:
        edge = "|" if form == "frame" else ""
        rows = [edge + "|".join(row) + edge if row else "" for row in text.split("\n")]
        text = "\n-+-\n".join(rows).replace("-+-\n\n-+-\n", "\n").replace(free, " ")
    assert read_board(f"{game}\n{text}")[1] == owners


@pytest.mark.parametrize(
    ("text", "game", "position"),
    [
        ("X.O / .X. / ..O", "3^2", MIDDLE),
        (" X |   | O\n---+---+---\n   | X |  \n---+---+---\n   |   | O", "3^2", MIDDLE),
        ("| X |   | O |\n|---|---|---|\n|   | X |   |\n|   |   | O |", "3^2", MIDDLE),
        ("X.O\n\n.X.\n\n..O", "3^2", MIDDLE),
        ("# from a mail\n3^2:misere X.O/.X./..O", "3^2:misere", MIDDLE),
        ("1.2\n.1.\n..2", "3^2", MIDDLE),
        ("XOY/.../...", "3^2:players=3", "123......"),
        ("X.O/.#./...", "3^2:blocked=centre", "1.2.#...."),
        ("XO/..\n\n../..", "2^3", "12......"),
        ("....\n" * 16, "4^3", "." * 64),
        ("4^2 X.../..../..../....", "4^2", "1" + "." * 15),
        ("3^2\n1,0,2\n0,1,0\n0,0,2", "3^2", MIDDLE),
        ("3^2\nX|2|O\n4|X|6\n7|8|O", "3^2", MIDDLE),
        ("R.Y/.R./..Y", "3^2", MIDDLE),
    ],
)
def test_a_drawing_and_its_game(text: str, game: str, position: str) -> None:
    assert detect(text) == "drawing"
    [record] = read(text)
    assert (str(record.game), record.position.text) == (game, position)


def test_where_stones_fall_down_the_picture_the_top_comes_first() -> None:
    text = "7,6,4:gravity\n" + ".......\n" * 4 + "...O...\n.X.XO.X\n"
    [record] = read(text)
    [flat] = read("7,6,4 " + "......./" * 4 + "...O.../.X.XO.X")
    assert record.position.text[:14] == ".1.12.1...2..."
    assert flat.position.text[-14:] == "...2....1.12.1"
    assert write([record], "drawing").split("\n", 1)[1].strip() == text.split("\n", 1)[1].strip()
    assert read("4^3:gravity X.../" + "..../" * 15)[0].position.text[0] == "1"


def test_bars_that_may_be_a_frame_need_a_game() -> None:
    text = "| |X| |\n" * 3 + "| | | |\n" * 2
    assert read_board("3,5,3\n" + text)[1] == bytes([0, 1, 0] * 3 + [0] * 6)
    assert read_board("5^2\n" + text)[1] == bytes([0, 0, 1, 0, 0] * 3 + [0] * 10)


def test_drawings_of_a_game_that_is_named_apart() -> None:
    assert read("X../.../...", game="3^2:misere")[0].game == Game("3^2:misere")
    for text in ("1,0,-1\n0,1,0\n0,0,-1", "X|2|O\n4|X|6\n7|8|O", "X,,O\n,X,\n,,O"):
        assert read(text, game="3^2")[0].position.text == MIDDLE
