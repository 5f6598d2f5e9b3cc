"""The section on directions of lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.board.directions import inward, limit_cells
from hyperoxo_research.study.ising_network import cells_to_lines, directions
from tests.command import answer, oxo


@pytest.mark.more
def test_lines_and_directions_by_class() -> None:
    section = directions()
    rows = [row for row in section.tables[0].as_data()["rows"] if row["board"] in ("3^3", "4^3")]
    assert [(row["lines"], row["directions"]) for row in rows] == [
        (13, 26), (5, 9), (4, 5), (7, 7),
        (7, 14), (4, 7), (4, 5), (7, 7),
    ]  # fmt: skip
    assert {one.name for one in section.pictures} == {
        "directions-3-2", "directions-3-3", "directions-4-3", "directions-3-4",
    }  # fmt: skip
    cuts = section.tables[1].as_data()["rows"]
    assert [row["ours"] for row in cuts] == [
        26, 17, 11, 7, 1, 0, "0, 2, 3, 5, 6, 8", "0, 1, 2, 6, 7, 8",
    ]  # fmt: skip
    assert all(row["agrees"] and row["read in"] for row in cuts)


@given(st.integers(2, 4), st.integers(1, 3))
def test_limit_numbers_are_those_of_the_congruence(side: int, dim: int) -> None:
    board = ox.hypercube(side, dim)
    for axis in range(dim):
        digit = dim - 1 - axis
        low = range(side**digit)
        high = range(side ** (digit + 1) - side**digit, side ** (digit + 1))
        by_number = [
            cell for cell in range(board.cell_count) if cell % side ** (digit + 1) in (*low, *high)
        ]
        assert list(limit_cells(board, axis)) == by_number


@given(st.integers(2, 4), st.integers(1, 3), st.data())
def test_directions_with_a_line_ahead_are_lines_that_end_here(
    side: int, dim: int, data: st.DataObject
) -> None:
    board = ox.hypercube(side, dim)
    cell = data.draw(st.integers(0, board.cell_count - 1))
    ends = 0
    for number in board.lines_through(cell).tolist():
        cells = board.line(number).tolist()
        ends += cell in (cells[0], cells[-1])
    assert len(inward(board, cell, side)) == ends


def test_cells_and_lines() -> None:
    said, rows = (table.as_data()["rows"] for table in cells_to_lines().tables)
    for row in rows:
        board = ox.Game(row["board"]).board
        assert (row["cells"], row["lines"]) == (board.cell_count, board.line_count)
    assert said[0]["agrees"] is False


def test_the_published_pictures_are_drawn() -> None:
    words = ["board", "3^3", "--draw", "--all-directions"]
    text = oxo(*words).stdout
    assert "face cell 4 (0,1,1): 5 lines, 17 directions" in text
    assert "edge cell 1 (0,0,1): 4 lines, 11 directions" in text
    picture = oxo(*words, "--cell", "4", "--out", "-").stdout
    assert "5 lines, 17 directions" in picture
    assert oxo("board", "3^3", "--all-directions").exit_code == 2


def test_the_command_has_limit_cells_and_directions_ahead() -> None:
    found = answer("board", "3^3", "--draw", "--cell", "4")
    assert [len(cells) for cells in found["limit_cells"]] == [18, 18, 18]
    (one,) = found["directions"]
    assert (len(one["directions"]), len(one["inward"]), one["ahead"]) == (9, 17, [[1, 0, 0]])
