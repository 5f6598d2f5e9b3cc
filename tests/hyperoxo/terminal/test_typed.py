"""Moves as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.board import hypergraph
from hyperoxo.errors import IllegalMoveError
from hyperoxo.game import Game
from hyperoxo.terminal.typed import is_move_text, move_hint, read_typed_move

NAMED = Game(board=hypergraph(3, [(0, 1), (1, 2)], names=["a", "b", "undo"]))


@pytest.mark.parametrize(
    ("spec", "text", "cell"),
    [
        ("3^2", "5", 5),
        ("3^2", "1,2", 5),
        ("3^2", "(1, 2)", 5),
        ("3^2", "1 2", 5),
        ("3^2", "12", 5),
        ("3^2", "00", 0),
        ("4^3", "27", 27),
        ("4^3", "123", 27),
        ("4^3", "012", 6),
        ("4^3", "#12", 12),
        ("5^3", "111", 111),
        ("5^3", "012", 12),
        ("3^4", "0222", 26),
        ("10^2", "11", 11),
        ("4^2", "11", 11),
        ("12^2", "1,11", 23),
        ("5^1", "3", 3),
        ("5^1", "d", 3),
        ("4^3", "2D2", 27),
        ("7,6,4:gravity", "d", 3),
        ("7,6,4:gravity", "d1", 3),
        ("4^3:gravity", "d2", 11),
        ("4^3:gravity", "2,3", 11),
        ("4^3:gravity", "0,2,3", 11),
        ("4^3:gravity=2", "2,3", 44),
        ("3^2:gravity=1", "3", 3),
    ],
)
def test_spellings(spec: str, text: str, cell: int) -> None:
    assert is_move_text(Game(spec), text)
    assert read_typed_move(Game(spec).start(), text) == cell


def test_a_column_takes_the_stone_on_top() -> None:
    position = Game("7,6,4:gravity").start()
    for height in range(6):
        cell = read_typed_move(position, "3")
        assert cell == 3 + 7 * height
        position = position.play(cell)
    with pytest.raises(IllegalMoveError, match=r"^This column is full\.$"):
        read_typed_move(position, "3")


def test_a_column_with_a_blocked_cell_may_have_two_places() -> None:
    position = Game("3,4,3:gravity,blocked=3").start()
    assert read_typed_move(position, "0") == 0
    position = position.play(6).play(9)
    assert read_typed_move(position, "0") == 0
    three = Game("4^3:gravity,blocked=16").start().play(0)
    assert read_typed_move(three, "0,0") == 32
    assert read_typed_move(three, "0") == 32
    four = Game("4^3:gravity,blocked=16").start()
    with pytest.raises(
        IllegalMoveError, match=r"^A stone may land on cells 1a4 and 3a4; name one of them\.$"
    ):
        read_typed_move(four, "0,0")


@pytest.mark.parametrize(
    ("spec", "moves", "text", "message"),
    [
        ("3^2", "4", "4", "Cell 4 is taken."),
        ("3^3:blocked=centre", "0", "13", "Cell 13 is blocked."),
        ("3^2", "", "9", "There is no cell 9; cells are 0 to 8."),
        ("3^2", "", "1,3", "Coordinate 2 is 3; coordinates here are 0 to 2."),
        ("3^2", "", "1,1,1", "A cell of this board has 2 coordinates."),
        ("3^2", "4,0,3,1,5", "8", "The game is over."),
        (
            "4^3:gravity",
            "",
            "21",
            "A stone on cell 21 would fall; the cell under it is free.",
        ),
        ("3^2:opening=poor", "", "0", "Cell 0 is not allowed by the opening restriction."),
        (
            "3^2:gravity,opening=1",
            "",
            "0",
            "The opening restriction does not allow this column.",
        ),
        (
            "4{0+1/2+3}",
            "",
            "1,1",
            "This board has no coordinates. Type the number of a cell, such as 1.",
        ),
        ("4^3", "", "a1", "There is no cell a1; cells are 1a1 to 4d4."),
        ("3^1", "", "-1", "'-1' is not a move. Type a cell, such as b."),
        ("3^1", "", "()", "'()' is not a move. Type a cell, such as b."),
    ],
)
def test_refusals_are_sentences(spec: str, moves: str, text: str, message: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        read_typed_move(Game(spec).position(f"moves:{moves}"), text)
    assert str(caught.value) == message


def test_names_of_cells() -> None:
    assert read_typed_move(NAMED.start(), "b") == 1
    assert is_move_text(NAMED, "undo")
    assert not is_move_text(NAMED, "redo")
    assert read_typed_move(NAMED.start(), "1") == 1


@pytest.mark.more
@given(
    spec=st.sampled_from(["3^2", "4^3:gravity", "7,6,4:gravity", "3^4:blocked=centre", "3{0+1+2}"]),
    text=st.text("0123456789 ,()#-²३xab.", max_size=8) | st.text(max_size=5),
)
def test_any_text_is_a_legal_move_or_refused(spec: str, text: str) -> None:
    position = Game(spec).start()
    try:
        cell = read_typed_move(position, text)
    except IllegalMoveError:
        return
    assert cell in position.legal_moves


@pytest.mark.parametrize("spec", ["3^2", "2^2", "1^1", "4^3", "4^3:gravity", "7,6,4:gravity"])
def test_the_hint_names_moves_that_can_be_typed(spec: str) -> None:
    hint = move_hint(Game(spec))
    assert hint.endswith(".")
    assert hint.startswith("Type a ")
