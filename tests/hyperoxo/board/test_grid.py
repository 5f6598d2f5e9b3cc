"""The n^d board: counts, lines, incidence, limits, degenerate sizes."""

from __future__ import annotations

import pickle
import tracemalloc

import numpy as np
import pytest

from hyperoxo.board import Board, hypercube, limits
from hyperoxo.board.registry import _built
from hyperoxo.errors import HyperoxoError, LimitError, SpecError
from hyperoxo.game import Game
from tests.oracle import grid

SMALL = [(side, dim) for side in range(1, 7) for dim in range(1, 5) if side**dim <= 130]
WIDE = [(2, 8), (3, 6), (4, 5), (5, 4), (7, 3), (10, 3), (30, 2), (1000, 1)]


def check_incidence(board: Board) -> None:
    """Both tables say the same, each in its order."""
    pairs = [
        (int(cell), line) for line in range(board.line_count) for cell in board.line(line).tolist()
    ]
    from_cells = [
        (cell, line)
        for cell in range(board.cell_count)
        for line in board.lines_through(cell).tolist()
    ]
    assert sorted(pairs) == from_cells
    assert board.degrees.tolist() == [
        len(board.lines_through(cell)) for cell in range(board.cell_count)
    ]
    assert int(board.line_sizes.sum()) == int(board.degrees.sum()) == len(board.line_cells)


@pytest.mark.parametrize(("side", "dim"), SMALL + WIDE)
def test_number_of_lines(side: int, dim: int) -> None:
    board = hypercube(side, dim)
    expected = ((side + 2) ** dim - side**dim) // 2 if side > 1 else 1
    assert board.line_count == expected
    assert board.cell_count == side**dim
    assert board.lines.shape == (expected, side)
    assert (board.side, board.dim, board.shape) == (side, dim, (side,) * dim)


@pytest.mark.parametrize(("side", "dim"), SMALL)
def test_lines_are_those_found_by_walking(side: int, dim: int) -> None:
    board = hypercube(side, dim)
    _, lines = grid((side,) * dim, side)
    assert board.lines.tolist() == [sorted(line) for line in lines]
    check_incidence(board)


@pytest.mark.parametrize(
    "spec", ["5,1,2:exact", "4,3,3:exact", "4^3:connect=3,exact", "3^4:connect=2,exact,blocked=7"]
)
def test_what_is_beyond_a_line_makes_the_rows_of_one_cell_more(spec: str) -> None:
    board = Game(spec).board
    assert board.shape is not None
    _, longer = grid(board.shape, board.lines.shape[1] + 1)
    made = [
        frozenset((*line, cell))
        for line, beyond in zip(board.lines.tolist(), board.beyond.tolist(), strict=True)
        for cell in beyond
        if cell >= 0
    ]
    # A row with a blocked cell has one line or none; all others have one at each end.
    assert {*made} <= {*longer}
    assert all(made.count(row) == 2 for row in longer if row.isdisjoint(board.blocked))


@pytest.mark.parametrize(("side", "dim"), WIDE)
def test_lines_are_straight_distinct_and_sorted(side: int, dim: int) -> None:
    board = hypercube(side, dim)
    lines = board.lines
    assert (np.diff(lines, axis=1) > 0).all()
    assert len(np.unique(lines, axis=0)) == len(lines)
    assert (np.lexsort(lines.T[::-1]) == np.arange(len(lines))).all()
    points = np.stack(np.unravel_index(lines, (side,) * dim), axis=-1)
    steps = np.diff(points, axis=1)
    assert (steps == steps[:, :1]).all()
    assert (np.abs(steps).max(axis=(1, 2)) == 1).all()


def test_wide_incidence() -> None:
    check_incidence(hypercube(3, 5))


@pytest.mark.parametrize(("side", "dim"), SMALL)
def test_coordinates(side: int, dim: int) -> None:
    board = hypercube(side, dim)
    for cell in range(board.cell_count):
        coordinates = board.coordinates(cell)
        assert cell == int(np.ravel_multi_index(coordinates, (side,) * dim))
        assert board.cell(coordinates) == cell


@pytest.mark.parametrize("cell", [-1, 27, 10**9])
def test_no_such_cell(cell: int) -> None:
    with pytest.raises(SpecError, match=f"there is no cell {cell}; cells are 0 to 26"):
        hypercube(3, 3).coordinates(cell)
    with pytest.raises(SpecError, match=f"there is no cell {cell}; cells are 0 to 26"):
        hypercube(3, 3).without([cell])


@pytest.mark.parametrize("coordinates", [(), (1, 1), (1, 1, 3), (0, -1, 0), (0, 0, 0, 0)])
def test_no_such_coordinates(coordinates: tuple[int, ...]) -> None:
    with pytest.raises(SpecError, match=r"is not a cell; coordinates are 0\.\.2 x 0\.\.2 x 0\.\.2"):
        hypercube(3, 3).cell(coordinates)


def test_blocking() -> None:
    board = hypercube(3, 4)
    smaller = board.without([40])
    assert smaller.line_count == 272 - 40
    assert smaller.blocked == (40,)
    assert smaller.cell_count == 81
    assert 40 not in smaller.playable
    assert len(smaller.lines_through(40)) == 0
    assert smaller.without([0, 40]) == board.without([40, 0]) == board.without([0]).without([40])
    check_incidence(board.without([0, 1, 40]))
    with pytest.raises(SpecError, match="every cell is blocked"):
        hypercube(2, 1).without([0, 1])


def test_boards_are_frozen_values() -> None:
    board = hypercube(3, 2)
    assert board == hypercube(3, 2) != hypercube(3, 3)
    assert hash(board) == hash(hypercube(3, 2))
    assert pickle.loads(pickle.dumps(board)) == board
    assert pickle.loads(pickle.dumps(board.without([4]))).blocked == (4,)
    with pytest.raises(AttributeError, match="cannot assign"):
        board.cell_count = 10  # type: ignore[misc]
    for array in (board.lines, board.line_cells, board.line_ptr, board.cell_lines, board.cell_ptr):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_cells_as_far_as_memory_allows() -> None:
    board = hypercube(1000, 2)
    assert (board.cell_count, board.line_count) == (10**6, 2002)
    assert hypercube(10**6, 1).line_count == 1
    assert hypercube(1001, 2).cell_count == 1_002_001
    with pytest.raises(LimitError, match=r"6\^10 would need about 94,\d+ MiB to build \(3,039,"):
        hypercube(6, 10)


@pytest.mark.parametrize(
    ("side", "dim"), [(2, 20), (3, 13), (10, 7), (2, 10**9), (10**9, 10**9), (1, 10**9), (1, 32)]
)
def test_too_large(side: int, dim: int) -> None:
    with pytest.raises(LimitError, match=r"the limit is|would need about"):
        hypercube(side, dim)


def test_memory_budget() -> None:
    needed = 32 * (76 * 4 + 64)
    assert hypercube(4, 3, memory_budget=needed).line_count == 76
    with pytest.raises(LimitError, match=r"4\^3 would need about 0 MiB to build \(304 cells on"):
        hypercube(4, 3, memory_budget=needed - 1)
    with pytest.raises(LimitError, match=r"2\^15 would need about 32,768 MiB"):
        hypercube(2, 15)


def test_memory_budget_of_the_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPEROXO_MEMORY", "1000")
    with pytest.raises(LimitError, match="HYPEROXO_MEMORY sets it"):
        hypercube(3, 3)
    monkeypatch.setenv("HYPEROXO_MEMORY", "much")
    with pytest.raises(LimitError, match="must be a number of bytes, not 'much'"):
        hypercube(3, 3)
    monkeypatch.setenv("HYPEROXO_MEMORY", "")
    assert hypercube(3, 3).line_count == 49


@pytest.mark.parametrize(
    "spec",
    [
        *["2000^1", "2000^1:wrap", "2,2000,2000:wrap", "60,61,3660:wrap", "1,2000,2000:wrap=1"],
        *["150^2:wrap", "7^4", "200,50,3:wrap=0", "2^12:connect=1", "20^3:wrap,connect=4"],
        *["150^2:opening=poor", "300,7,2100:opening=richx2"],
    ],
)
def test_building_takes_no_more_memory_than_estimated(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spared = 2 << 20  # what is imported and compiled on the way
    needed = []
    monkeypatch.setattr(limits, "check_bytes", lambda _, size, *_more: needed.append(size))
    _built.cache_clear()
    tracemalloc.start()
    try:
        Game(spec)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < max(needed) * 1.1 + spared


@pytest.mark.parametrize(("side", "dim"), [(0, 2), (3, 0), (-1, 2), (True, 2), (3, 2.0), ("3", 2)])
def test_sizes_that_are_none(side: object, dim: object) -> None:
    with pytest.raises(HyperoxoError, match="must be a positive integer"):
        hypercube(side, dim)  # type: ignore[arg-type]
