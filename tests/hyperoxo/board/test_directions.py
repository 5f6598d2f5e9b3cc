"""Directions in which lines leave cells, and classes of cells."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.board.directions import cell_classes, cell_kind, inward, offset, rays, starts
from hyperoxo.errors import LimitError, SpecError
from tests.expect import message_of
from tests.marks import more


@given(st.sampled_from([(3, 2), (4, 2), (3, 3), (5, 3), (2, 3), (3, 4)]), st.data())
def test_rays_are_those_of_full_lines(size: tuple[int, int], data: st.DataObject) -> None:
    side, dim = size
    board = ox.hypercube(side, dim)
    cell = data.draw(st.integers(0, board.cell_count - 1))
    here = board.coordinates(cell)
    expected = set()
    for step in product((-1, 0, 1), repeat=dim):
        # A full line has one number along every axis that it moves on, counted from its start.
        moved = {(x if s > 0 else side - 1 - x) for x, s in zip(here, step, strict=True) if s}
        if len(moved) == 1 and moved != {side - 1}:
            expected.add(step)
    assert {ray.step for ray in rays(board, cell)} == expected


@pytest.mark.parametrize("size", [(3, 2), (3, 4), (4, 3), (2, 3), (5, 2)])
def test_starts_are_those_of_the_essay(size: tuple[int, int]) -> None:
    """A line starts at the far end of axes that it goes down, the near one of those it goes up."""
    side, dim = size
    board = ox.hypercube(side, dim)
    begins = {-1: (side - 1,), 0: range(side), 1: (0,)}
    lines = 0
    for step in product((-1, 0, 1), repeat=dim):
        if any(step):
            expected = [board.cell(place) for place in product(*(begins[s] for s in step))]
            assert starts(board, step) == tuple(expected)
            lines += len(expected)
    assert lines == 2 * board.line_count


def test_starts_on_other_boards() -> None:
    assert starts(ox.Game("3^2:blocked=centre").board, (1, 1)) == ()
    assert starts(ox.Game("5,4,3").board, (0, 1)) == (0, 1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17)


@given(st.sampled_from(["3^2", "3^3", "7,6,4", "3^4"]), st.data())
@settings(max_examples=25)
def test_the_offset_leads_to_the_next_cell(spec: str, data: st.DataObject) -> None:
    board = ox.Game(spec).board
    assert board.shape is not None
    step = data.draw(
        st.sampled_from([s for s in product((-1, 0, 1), repeat=len(board.shape)) if any(s)])
    )
    for cell in range(board.cell_count):
        if step in inward(board, cell):
            there = [x + s for x, s in zip(board.coordinates(cell), step, strict=True)]
            assert board.cell(there) == cell + offset(board, step)


@pytest.mark.parametrize("step", [(0, 0), (1,), (1, 2), (1, 0, 0)])
def test_no_direction(step: tuple[int, ...]) -> None:
    for function in (starts, offset):
        with pytest.raises(
            SpecError, match="a direction on this board is 2 numbers of -1, 0 and 1"
        ):
            function(ox.hypercube(3, 2), step)


def test_rays_end_where_lines_end() -> None:
    assert {ray.end for ray in rays(ox.hypercube(4, 3), 0)} == {3, 12, 15, 48, 51, 60, 63}


@pytest.mark.parametrize(
    "spec", more(["3^1", "4^2", "5^3", "3^4", "7,6,4", "3^3:blocked=centre"], ["3^4"])
)
def test_classes_share_out_the_cells(spec: str) -> None:
    board = ox.Game(spec).board
    classes = cell_classes(board)
    assert sum(one.cells for one in classes) == len(board.playable)
    assert all(one.kind == cell_kind(board, one.cell) for one in classes)
    assert all(one.lines <= len(one.rays) <= 2 * one.lines for one in classes if "^" in spec)


def test_what_has_no_directions_is_refused() -> None:
    assert "free hypergraph" in message_of(SpecError, cell_classes, ox.Game("6{0+1+2/3+4+5}").board)
    with pytest.raises(SpecError, match="up to 4 dimensions, and this one has 5"):
        rays(ox.hypercube(2, 5), 0)
    assert "40,000" in message_of(LimitError, cell_classes, ox.hypercube(200, 2))
    assert "there is no cell 9" in message_of(SpecError, rays, ox.hypercube(3, 2), 9)
