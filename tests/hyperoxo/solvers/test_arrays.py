"""Increments of packed line counters, by their definition."""

from __future__ import annotations

import pytest

from hyperoxo.game import Game
from hyperoxo.solvers.arrays import packed_increments

OFFSET = 8


@pytest.mark.parametrize(
    "spec", ["1^1", "3^2", "2^3", "4^3", "3^3:blocked=centre", "5,4,3", "6{0+1+2/0+3/4}", "5{}"]
)
def test_every_stone_counts_in_each_of_its_lines(spec: str) -> None:
    """A line has four bits, and the last row is the offset that makes a full line 8."""
    board = Game(spec).board
    increments = packed_increments(Game(spec))
    assert increments.shape == (board.cell_count + 1, max(1, -(-board.line_count // 16)))
    assert increments.dtype == "uint64"
    fields = [[int(word) >> 4 * place & 15 for word in row for place in range(16)]
              for row in increments]  # fmt: skip
    for line in range(board.line_count):
        cells = {int(cell) for cell in board.line(line)}
        assert {cell for cell in range(board.cell_count) if fields[cell][line]} == cells
        assert sum(fields[cell][line] for cell in cells) + fields[-1][line] == OFFSET
    for row in fields:
        assert not any(row[board.line_count :])


@pytest.mark.parametrize("spec", ["3^2:target=2", "8^2", "3^5", "4^4"])
def test_where_they_do_not_serve(spec: str) -> None:
    """More lines to win, lines of over seven cells, over 384 lines."""
    assert packed_increments(Game(spec)).shape == (0, 1)
