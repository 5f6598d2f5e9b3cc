"""The bound of lines of one colour, against definitions and all fillings."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.solve.filling import filling_bound, is_semidefinite

entries = st.lists(st.lists(st.integers(-3, 3), min_size=4, max_size=4), min_size=1, max_size=5)


@given(entries)
def test_squares_are_semidefinite(rows: list[list[int]]) -> None:
    factor = np.array(rows)
    square = factor.T @ factor
    assert is_semidefinite(square.tolist())
    shifted = square - np.eye(4, dtype=int)
    exact = bool(np.linalg.eigvalsh(shifted)[0] > -1e-9)
    assert is_semidefinite(shifted.tolist()) == exact


@given(st.lists(st.integers(-3, 3), min_size=6, max_size=6))
def test_forms_of_three_are_judged_by_their_minors(values: list[int]) -> None:
    a, b, c, d, e, f = values
    matrix = np.array([[a, d, e], [d, b, f], [e, f, c]])
    chosen = ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2])
    minors = [round(np.linalg.det(matrix[np.ix_(rows, rows)])) for rows in chosen]
    assert is_semidefinite(matrix.tolist()) == (min(minors) >= 0)


@pytest.mark.parametrize("game", ["3^2", "3^2:blocked=0", "3^2:blocked=centre"])
def test_no_filling_is_below_the_bound(game: str) -> None:
    """With the least equal weights that are allowed, to a tenth."""
    board = ox.Game(game).board
    cells = [int(cell) for cell in board.playable]
    bound = None
    for tenths in range(60):
        try:
            bound = filling_bound(board, dict.fromkeys(cells, Fraction(tenths, 10)))
        except CheckFailedError:
            continue
        break
    assert bound is not None
    least = board.line_count
    for colours in product((0, 1), repeat=len(cells)):
        owner = dict(zip(cells, colours, strict=True))
        of_one = sum(len({owner[int(cell)] for cell in line}) == 1 for line in board.lines)
        least = min(least, of_one)
    assert 0 <= bound <= least


def test_the_cube_has_lines_of_one_colour_in_every_filling() -> None:
    """Known: no draw on 3^3."""
    board = ox.Game("3^3").board
    assert filling_bound(board, dict.fromkeys(range(27), 3)) > 2


def test_weights_that_prove_nothing_are_refused() -> None:
    board = ox.Game("3^2").board
    with pytest.raises(CheckFailedError, match="do not make the form semidefinite"):
        filling_bound(board, dict.fromkeys(range(9), 1))
    with pytest.raises(SpecError, match="each of the 9 playable cells"):
        filling_bound(board, {0: 3})
    with pytest.raises(SpecError, match="lines have three cells"):
        filling_bound(ox.Game("4^2").board, dict.fromkeys(range(16), 3))
