"""Names of cells for people: one table of cases for Python and JavaScript, and round trips."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.board import hypergraph
from hyperoxo.errors import IllegalMoveError, NotationError
from hyperoxo.game import Game
from hyperoxo.game.names import cell_name, column_name, is_name, layer_name, move_name, named_move

CASES = json.loads(Path(__file__).with_name("cell_names.json").read_text("utf-8"))


@pytest.mark.parametrize(("spec", "cell", "name"), CASES["names"])
def test_cells_have_names(spec: str, cell: int, name: str) -> None:
    assert cell_name(Game(spec), cell) == name


@pytest.mark.parametrize(("spec", "cell", "name"), CASES["moves"])
def test_moves_have_names(spec: str, cell: int, name: str) -> None:
    assert move_name(Game(spec), cell) == name


@pytest.mark.parametrize(("spec", "moves", "text", "cell"), CASES["read"])
def test_names_are_read(spec: str, moves: str, text: str, cell: int) -> None:
    position = Game(spec).position(f"moves:{moves}")
    assert named_move(position, text) == cell
    assert position.play(text).last_move == cell


@pytest.mark.parametrize(("spec", "text"), CASES["refused"])
def test_other_names_are_refused(spec: str, text: str) -> None:
    position = Game(spec).start()
    with pytest.raises(IllegalMoveError):
        position.play(text)
    with pytest.raises(NotationError, match=r"^move 1: "):
        Game(spec).position(f"moves:{text}")


def test_the_table_says_how_its_boards_look() -> None:
    for spec, board in CASES["boards"].items():
        game = Game(spec)
        assert board["shape"] == (game.board.shape and list(game.board.shape))
        assert (board["gravity"], tuple(board.get("blocked", ()))) == (game.gravity, game.blocked)


@pytest.mark.parametrize("kind", ["3^2", "4^3", "2^6", "5^1", "40,3,3", "3,40,3"])
@given(data=st.data())
def test_every_cell_is_read_back_from_its_name(kind: str, data: st.DataObject) -> None:
    shape = Game(kind).board.shape or ()
    axis = data.draw(st.none() | st.integers(0, len(shape) - 1), "gravity")
    game = Game(kind if axis is None else f"{kind}:gravity={axis}")
    names = [cell_name(game, cell) for cell in range(game.board.cell_count)]
    assert len({*names}) == len(names)
    for cell, name in enumerate(names):
        assert named_move(game.start(), name.upper()) == cell
        assert is_name(game, name)
        assert not name.isdigit()
    position = game.start()
    while not position.is_over:
        cell = data.draw(st.sampled_from(position.legal_moves))
        name = move_name(game, cell)
        assert named_move(position, name) == cell
        position = position.play(name)


def test_columns_go_on_after_z() -> None:
    named = [column_name(column) for column in (0, 25, 26, 51, 52, 701, 702)]
    assert named == ["a", "z", "aa", "az", "ba", "zz", "aaa"]


def test_layers_have_names() -> None:
    games = {"3^2": "", "4^3": "2", "3^4": "1.3"}
    assert {spec: layer_name(Game(spec), 20) for spec in games} == games


def test_a_move_is_a_number_a_name_or_coordinates() -> None:
    start = Game("4^3").start()
    for move in (32, "32", "3a4", " 3A4 ", (2, 0, 0), [2, 0, 0]):
        assert start.play(move).last_move == 32
    assert Game("4^3").position("moves:3a4,0,1b4").history == (32, 0, 1)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("3x3", r"there is no cell 3x3; cells are 1a1 to 4d4"),
        ("e", r"there is no cell e; cells are 1a1 to 4d4"),
        ("", r"'' is not a cell; cells are 1a1 to 4d4"),
        ((0, 0), r"\(0,0\) is not a cell; coordinates are 0..3 x 0..3 x 0..3"),
        ((0, 0, 4), r"\(0,0,4\) is not a cell"),
        ((0, 0, "1"), r"a move is a cell number, a name or coordinates"),
        ({1, 2}, r"a move is a cell number, a name or coordinates"),
        (64, r"there is no cell 64; cells are 0 to 63"),
    ],
)
def test_other_moves_are_refused(move: object, message: str) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        Game("4^3").start().play(move)  # type: ignore[arg-type]


def test_boards_with_names_of_their_own_keep_them() -> None:
    game = Game(board=hypergraph(3, [(0, 1), (1, 2)], names=["a1", "0", "c"]))
    assert [cell_name(game, cell) for cell in range(3)] == ["a1", "0", "c"]
    assert game.start().play("c").play("0").history == (2, 0)  # digits are a number
    assert named_move(game.start(), "0") == 1


def test_a_column_with_two_places_asks_for_the_cell() -> None:
    with pytest.raises(IllegalMoveError, match=r"^a stone may land on cells a1 and a3; name one"):
        Game("3,4,3:gravity,blocked=3").start().play("a")
