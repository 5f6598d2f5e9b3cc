"""Directions in which lines leave cells, and classes of cells."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.board.directions import cell_classes, cell_kind, rays
from hyperoxo.errors import LimitError, SpecError


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


def test_rays_end_where_lines_end() -> None:
    board = ox.hypercube(4, 3)
    assert {ray.end for ray in rays(board, 0)} == {3, 12, 15, 48, 51, 60, 63}


@pytest.mark.parametrize("spec", ["3^1", "4^2", "5^3", "3^4", "7,6,4", "3^3:blocked=centre"])
def test_classes_share_out_the_cells(spec: str) -> None:
    board = ox.Game(spec).board
    classes = cell_classes(board)
    assert sum(one.cells for one in classes) == len(board.playable)
    assert all(one.kind == cell_kind(board, one.cell) for one in classes)
    assert all(one.lines <= len(one.rays) <= 2 * one.lines for one in classes if "^" in spec)


def test_what_has_no_directions_is_refused() -> None:
    with pytest.raises(SpecError, match="free hypergraph"):
        cell_classes(ox.Game("6{0+1+2/3+4+5}").board)
    with pytest.raises(SpecError, match="up to 4 dimensions, and this one has 5"):
        rays(ox.hypercube(2, 5), 0)
    with pytest.raises(LimitError, match="40,000"):
        cell_classes(ox.hypercube(200, 2))
    with pytest.raises(SpecError, match="there is no cell 9"):
        rays(ox.hypercube(3, 2), 9)
