"""Positions in the texts and arrays of the field."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.errors import NotationError
from hyperoxo.game import BLOCKED, Game, Position, cell_name
from tests.expect import message_of
from tests.strategies import play_at_random

FOUR = Game("7,6,4:gravity")
GAMES = ("3^2", "7,6,4:gravity", "5^3:gravity", "3^4:players=3", "3^2:gravity,blocked=8", "15,15,5")


@st.composite
def positions(draw: st.DrawFn) -> Position:
    game = Game(draw(st.sampled_from(GAMES)))
    return play_at_random(game.start(), draw(st.integers(0, 10**6)), draw(st.integers(0, 30)))


def top_down(position: Position) -> np.ndarray[Any, Any]:
    """Return who owns what as programs of the field hold it: rows from the top, 0 free."""
    game = position.game
    numbers = np.frombuffer(position.owners, np.uint8).astype(int)
    board = np.where(numbers == BLOCKED, 0, numbers).reshape(game.board.shape or -1)
    return np.flip(board, game.gravity) if game.gravity is not None else board


@given(positions())
def test_arrays_rows_of_numbers_and_prints_are_read_as_they_are_written(position: Position) -> None:
    game, board = position.game, top_down(position)
    flat = board.ravel().tolist()
    signed = np.where(board == 2, -1, board) if game.players == 2 else board
    for source in (board, board.astype(float), board.tolist(), flat, signed, str(position)):
        assert game.position(source).owners == position.owners
    for row in (",".join(map(str, flat)), " ".join(map(str, flat))):
        assert game.position(row).owners == position.owners


@given(
    positions(), st.sampled_from([".", "-", "*", "_", "⬜"]), st.sampled_from(["XO", "12", "🔴🟡"])
)
def test_signs_a_cell(position: Position, free: str, stones: str) -> None:
    if not position.game.blocked:
        signs = (free, *stones, "3" if stones == "12" else "Y")
        text = "".join(signs[owner] for owner in position.owners)
        assert position.game.position(text).owners == position.owners
        if position.ply and position.game.gravity is None:
            rows = np.array([*text]).reshape(-1, (position.game.board.shape or (1,))[-1])
            drawn = "\n".join("".join(row) for row in rows)
            assert position.game.position(drawn).owners == position.owners


@given(positions(), st.sampled_from([".", "-", "*", "_", "⬜"]))
def test_rows_as_other_programs_print_them(position: Position, free: str) -> None:
    game, shape, board = position.game, position.game.board.shape or (), top_down(position)
    if len(shape) != 2 or game.blocked or not position.ply:
        return
    number = np.arange(board.size).reshape(shape)
    letters = np.array([*" XO"])[board]
    discs = np.array([free, *"RY"])[board]
    rows = ["".join(row) for row in letters]
    forms: list[Any] = [
        rows,
        "\n".join(f"|{row}|" for row in rows),
        "\n".join(",".join(row).replace(" ", "") for row in letters),
        "\n".join(" ".join(row) for row in discs),
        " ".join("".join(row) for row in discs),
        "\n".join(",".join(map(str, row)) for row in np.where(board == 2, -1, board)),
    ]
    for names in (number, number + 1, number[::-1] + 1):
        named = np.where(board == 0, names.astype(str), letters)
        forms += ["\n-----\n".join(" | ".join(row) for row in named), named]
    for form in forms:
        assert game.position(form).owners == position.owners


@given(positions())
def test_columns_and_names_play_what_numbers_play(position: Position) -> None:
    game = position.game
    moves = position.history
    assert game.position(position.owners).owners == position.owners
    if game.gravity is not None and not game.blocked:
        feet = [cell for cell in range(game.board.cell_count) if not at(game, cell)]
        columns = [feet.index(foot(game, cell)) for cell in moves]
        lone = "," if len(columns) == 1 else ""  # 12 is two columns, 12, is one
        spoken = ",".join(str(column + 1) for column in columns) + lone
        assert game.position(f"columns:{spoken}").history == moves
        assert game.position(f"moves:{','.join(map(str, [feet[c] for c in columns]))}") == position
        if max(columns, default=0) < 9:
            assert game.position(f"columns:{spoken.replace(',', '')}").history == moves
    if moves:
        names = [cell_name(game, cell) for cell in moves]
        if len(names) != game.board.cell_count:
            for text in (" ".join(names), ",".join(names), f"moves:{','.join(names)}"):
                assert game.position(text).history == moves
            if len(game.board.shape or ()) == 2 and len("".join(names)) != game.board.cell_count:
                assert game.position("".join(names)).history == moves


def at(game: Game, cell: int) -> int:
    assert game.gravity is not None
    return game.board.coordinates(cell)[game.gravity]


def foot(game: Game, cell: int) -> int:
    assert game.gravity is not None
    where = list(game.board.coordinates(cell))
    where[game.gravity] = 0
    return game.board.cell(where)


@pytest.mark.parametrize(
    ("game", "source", "text"),
    [
        ("3^2", "x,x,x,x,o,o,x,o,o,positive", "111122122"),
        ("3^2", "x,o,b,b,x,b,b,b,o,negative", "12..1...2"),
        ("3^2", "❌⭕⬜⬜❌⬜⬜⬜⭕", "12..1...2"),
        ("3^2", "❌⭕⬜/⬜❌⬜/⬜⬜⭕", "12..1...2"),
        ("3^2", "X-O\n---\n-X-", "1.2....1."),
        ("3^2", [["X", "O", " "], ["", "X", ""], [" ", " ", "O"]], "12..1...2"),
        ("3^2", [1, -1, 0, 0, 1, 0, 0, 0, -1], "12..1...2"),
        ("3^2", "[1, -1, 0, 0, 1, 0, 0, 0, -1]", "12..1...2"),
        ("3^2", "[[ 1. -1.  0.]\n [ 0.  1.  0.]\n [ 0.  0. -1.]]", "12..1...2"),
        ("3^2", "['X', 'O', ' ', None, 'X', ' ', ' ', ' ', 'O']", "12..1...2"),
        ("3^2", "  1 2 3\nA X O .\nB . X .\nC . . O", "12..1...2"),
        ("3,2,3:gravity", "+-------+\n| 0 0 0 |\n| 1 2 0 |\n+-------+\n  1 2 3", "12...."),
        ("5,5,4", "⚫⚪" + "⬜" * 23, "12" + "." * 23),
        ("5,5,4", "BW3/5/5/5/5", "12" + "." * 23),
        ("3^2", "X 0 .\n. X .\n. . 0", "12..1...2"),
        ("3^2", "1. a3 b3 2. b2-c1", "12..1...2"),
        ("3^2", "array([[1, 2, 0],\n [0, 0, 0], [0, 0, 0]], dtype=int8)", "12......."),
        ("3^2", "┌─┬─┬─┐\n│X│O│ │\n├─┼─┼─┤\n│ │ │ │\n│ │ │ │\n└─┴─┴─┘", "12......."),
        ("4,4,4:gravity", "⚪⚪⚪⚪\n⚪⚪⚪⚪\n⚪🔴⚪⚪\n⚪🟡🔴⚪", ".21." + ".1.." + "." * 8),
    ],
)
def test_forms_of_the_field(game: str, source: Any, text: str) -> None:
    assert Game(game).position(source).text == text


def test_the_connect_4_data_of_uci_go_up_column_by_column() -> None:
    row = ["b"] * 42
    for name, sign in (("a1", "x"), ("a2", "o"), ("d1", "x"), ("g1", "o")):
        row["abcdefg".index(name[0]) * 6 + int(name[1]) - 1] = sign
    assert FOUR.position(",".join([*row, "win"])) == FOUR.position("moves:a,a,d,g")
    assert FOUR.position(",".join(["b"] * 42)) == FOUR.start()


@pytest.mark.parametrize(
    ("game", "source", "said"),
    [
        ("7,6,4:gravity", "4453", "columns are written columns:4453"),
        ("7,6,4:gravity", "columns:4483", "move 3: '8' is not a column; columns are 1 to 7"),
        ("7,6,4:gravity", "columns:4444444", "move 7: this column is full"),
        ("7,6,4:gravity", "moves:3,24", "move 2"),
        ("3^2", "columns:12", "stones do not fall on 3^2; write moves:"),
        ("3^2", "4,0,2", "moves are written moves:4,0,2"),
        ("3^2", "4-0 2", "moves are written moves:4,0,2"),
        ("7,6,4:gravity", "4445 -15", "columns are written columns:4445"),
        ("15,15,5", "7,7 6,7", "pairs of numbers count from the middle and have a minus sign"),
        ("3^2", "🔴🔵⚪/⚪⚪⚪/⚪⚪⚪", "⚪ and 🔵 may be free or stones; write X, O and '.'"),
        ("3^2", "e5", "there is no cell e5; cells are a1 to c3"),
        ("3^2", [1, 0, 2], "shape (3,); need (9,) or (3, 3); moves are written moves:1,0,2"),
        ("3^2", [0, 5] + [0] * 7, "the array has 5; need 0 for free cells and players 1 to 2"),
        ("3^2", [0, -2] + [0] * 7, "the array has -2"),
        ("3^2", [[0], [0, 1]], "differ in length"),
        ("3^2", [0.5] * 9, "must hold whole numbers"),
        ("3^2", {4: 1}, "need text, the owners of cells or an array, not dict"),
        ("3^2", b"abc", "position has 3 cells, the board 9"),
        ("3^2", "  a b c\n2 X . O\n1 . . .", "the drawing has 2 rows, the board 3"),
        ("3^2", "[[0, 1], [2]", "the brackets hold no list of numbers or signs"),
        ("3^2", ["?"] * 9, "character 1 is '?'"),
        ("3^2:players=3", [0, -1] + [0] * 7, "the array has -1"),
        ("3^2", "1.2.....", "position has 8 characters, the board 9 cells"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(game: str, source: Any, said: str) -> None:
    assert said in message_of(NotationError, Game(game).position, source)


@given(st.sampled_from(GAMES), st.text("0123456789abcdefgxoXO.,-*#: /\n_moves", max_size=60))
def test_any_text_is_read_or_refused(game: str, text: str) -> None:
    try:
        position = Game(game).position(text)
    except NotationError:
        return
    assert Game(game).position(position.text).owners == position.owners
