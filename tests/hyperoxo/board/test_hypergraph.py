"""Boards given as lists of cells, (m,n,k) boards, and the text form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.board import hypercube, hypergraph, mnk, read_hypergraph, write_hypergraph
from hyperoxo.errors import HyperoxoError, LimitError, NotationError, SpecError
from hyperoxo.game import Game
from tests.expect import message_of
from tests.oracle import grid
from tests.strategies import games, hypergraph_specs


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))
def test_lines_of_a_grid(columns: int, rows: int, length: int) -> None:
    board = mnk(columns, rows, length)
    _, lines = grid((rows, columns), length)
    assert [board.line(number).tolist() for number in range(board.line_count)] == [
        sorted(line) for line in lines
    ]
    assert board.cell_count == columns * rows
    assert board.shape == (rows, columns)
    assert board.spelling == f"{columns},{rows},{length}"


def test_well_known_grids() -> None:
    assert mnk(7, 6, 4).line_count == 69
    assert mnk(15, 15, 5).line_count == 572
    assert mnk(3, 3, 3).lines.tolist() == hypercube(3, 2).lines.tolist()
    assert mnk(7, 6, 4).coordinates(8) == (1, 1)


@pytest.mark.parametrize("sizes", [(0, 3, 3), (3, 0, 3), (3, 3, 0), (3, -3, 3)])
def test_grids_that_are_none(sizes: tuple[int, int, int]) -> None:
    assert "all three must be positive" in message_of(SpecError, mnk, *sizes)


def test_limits() -> None:
    with pytest.raises(LimitError, match="10,000,000,000 cells; the limit is 2,147,483,647"):
        mnk(100_000, 100_000, 5)
    assert "would need about 16,003 MiB" in message_of(LimitError, mnk, 5000, 5000, 5)
    assert "would need about" in message_of(LimitError, mnk, 1000, 1000, 900)
    assert "board has 1,000,001 cells" in message_of(LimitError, hypergraph, 1_000_001, [])


@given(hypergraph_specs())
def test_lines_are_kept_sorted(spec: str) -> None:
    board = Game(spec).board
    rows = [board.line(number).tolist() for number in range(board.line_count)]
    assert rows == sorted(sorted(row) for row in rows)
    again = hypergraph(board.cell_count, [row[::-1] for row in rows[::-1]])
    assert again == board
    padded = [[cell for cell in row if cell >= 0] for row in board.lines.tolist()]
    assert padded == rows


@pytest.mark.parametrize(
    ("cells", "lines", "message"),
    [
        (0, [], "a board needs at least one cell"),
        (3, [(0, 1), ()], "line 1 has no cell"),
        (3, [(0, 1, 0)], "line 0 names a cell twice"),
        (3, [(0, 3)], "line 0: there is no cell 3"),
        (3, [(-1, 0)], "line 0: there is no cell -1"),
        (3, [(0, 1), (1, 2), (1, 0)], "line 2 repeats line 0"),
    ],
)
def test_lines_that_are_refused(cells: int, lines: list[tuple[int, ...]], message: str) -> None:
    assert message_of(SpecError, hypergraph, cells, lines) == message


def test_names_must_be_distinct() -> None:
    assert hypergraph(2, [(0, 1)], names=["a", "b"]).names == ("a", "b")
    for names in (["a"], ["a", "a"]):
        with pytest.raises(SpecError, match="names must be 2 distinct words"):
            hypergraph(2, [(0, 1)], names=names)


@pytest.mark.more
@given(games())
def test_text_round_trip(game: Game) -> None:
    board = game.board
    again = read_hypergraph(write_hypergraph(board))
    assert again.cell_count == board.cell_count
    assert again.blocked == board.blocked
    assert again.lines.tolist() == board.lines.tolist()
    assert write_hypergraph(again) == write_hypergraph(board)


def test_names_survive_the_text() -> None:
    text = "#cells\nd c b a\n#blocked\nb\n#lines\nd a\nd c a\n"
    board = read_hypergraph(text)
    assert board.names == ("d", "c", "b", "a")
    assert board.blocked == (2,)
    assert write_hypergraph(board) == "#cells\nd c b a\n#blocked\nb\n#lines\nd c a\nd a\n"


@pytest.mark.parametrize(
    "text",
    [
        "a b c\nc d",
        "# no sections\na b c # all of them\n\nc d\n",
        "#positions\na b c d\n#blackwins\na b c\nc d\n#whitewins\nc d\na b c\n",
        "#LINES\na b c\r\nc d\r\n#cells a b\nc d\n",
        "#version 1\n#times\n3\n#blackturns\n0 2\n#cells\na b c d\n#lines\na b c\nc d\n",
    ],
)
def test_spellings_of_one_board(text: str) -> None:
    board = read_hypergraph(text)
    assert board.names == ("a", "b", "c", "d")
    assert board.lines.tolist() == [[0, 1, 2], [2, 3, -1]]


def test_numbers_stand_for_themselves() -> None:
    assert read_hypergraph("0 5\n3 05\n").lines.tolist() == [[0, 5], [3, 5]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no cells and no lines"),
        ("#cells\na b a", "row 2: cell 'a' is listed twice"),
        ("#cells\na b\n#lines\na c", "row 4: unknown cell 'c'"),
        ("a b\nc c\n", "row 2: a cell appears twice"),
        ("a b\n\nb a\n", "row 3 repeats the line of row 1"),
        ("#lines\na b\n#whitewins\na b\n#whitewins\nb", "row 4: both players must have the same"),
        ("#lines\na b\n#blackinitials\na\n", "row 4: stones on the board at the start"),
        ("0 1000000\n", "cell 1000000 is beyond the limit"),
        ("#cells\na\n#blocked\na\n", "not a board: every cell is blocked"),
    ],
)
def test_texts_that_are_refused(text: str, message: str) -> None:
    assert message in message_of(NotationError, read_hypergraph, text)


def test_a_free_hypergraph_has_no_coordinates() -> None:
    board = hypergraph(3, [(0, 1)])
    assert board.shape is None
    for ask in (lambda: board.coordinates(0), lambda: board.cell((0,))):
        assert "has no coordinates" in message_of(HyperoxoError, ask)
