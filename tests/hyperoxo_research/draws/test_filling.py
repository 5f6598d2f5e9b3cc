"""The bound of lines of one colour, against definitions and all fillings."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.board import Board
from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo_research.draws.filling import (
    few_lines,
    filling_bound,
    least_weights,
    lines_in_fillings,
)
from tests.hyperoxo_research.proof.split_fillings import FANO


def least_by_trying(board: Board) -> int:
    """Look at all fillings."""
    cells = [int(cell) for cell in board.playable]
    found = []
    for colours in product((0, 1), repeat=len(cells)):
        owner = dict(zip(cells, colours, strict=True))
        found.append(sum(len({owner[int(cell)] for cell in line}) == 1 for line in board.lines))
    return min(found)


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
    assert 0 <= bound <= least_by_trying(board)


def test_the_cube_has_lines_of_one_colour_in_every_filling() -> None:
    """Known: no draw on 3^3."""
    assert filling_bound(ox.Game("3^3").board, dict.fromkeys(range(27), 3)) > 2


def test_weights_that_prove_nothing_are_refused() -> None:
    board = ox.Game("3^2").board
    with pytest.raises(CheckFailedError, match="do not make the form semidefinite"):
        filling_bound(board, dict.fromkeys(range(9), 1))
    with pytest.raises(SpecError, match="each of the 9 playable cells"):
        filling_bound(board, {0: 3})
    with pytest.raises(SpecError, match="lines have three cells"):
        filling_bound(ox.Game("4^2").board, dict.fromkeys(range(16), 3))


triples = st.sets(st.sets(st.integers(0, 6), min_size=3, max_size=3).map(frozenset), max_size=14)


@pytest.mark.more
@settings(max_examples=60)
@given(triples)
def test_what_is_proved_holds_in_all_fillings(lines: set[frozenset[int]]) -> None:
    """Boards of seven cells with any lines of three."""
    listed = "/".join("+".join(map(str, sorted(line))) for line in lines)
    board = ox.Game(f"7{{{listed}}}").board
    least = least_by_trying(board)
    assert filling_bound(board, least_weights(board)) <= least <= few_lines(board, 3)
    for wanted in range(1, 5):
        proved = lines_in_fillings(board, wanted)
        assert proved is None or wanted <= proved <= least


def test_the_fano_plane_has_a_line_of_one_colour_in_every_filling() -> None:
    """Known: it is the least board whose lines have three cells and that has no draw."""
    board = ox.Game(FANO).board
    assert lines_in_fillings(board, 1) == least_by_trying(board) == 1
    assert lines_in_fillings(board, 2) is None


@pytest.mark.parametrize(
    ("spec", "wanted"), [("3^2", 1), ("4^2", 1), ("3^5", 1), ("3^3", 4), ("5{}", 1)]
)
def test_what_is_not_proved(spec: str, wanted: int) -> None:
    """No line of one colour at all, other lines, too large, too few lines, no line."""
    assert lines_in_fillings(ox.Game(spec).board, wanted) is None


def test_found_weights_are_nearly_those_of_the_essay() -> None:
    """Without its centre the tesseract has 122/7 by weights that were worked out by hand."""
    board = ox.Game("3^4:blocked=centre,target=9").board
    assert lines_in_fillings(board, 17) == 18
    assert lines_in_fillings(board, 19) is None


def test_weights_that_fail_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    board = ox.Game("3^3:blocked=26").board
    monkeypatch.setattr(
        "hyperoxo_research.draws.filling.least_weights",
        lambda board: {int(cell): Fraction(1) for cell in board.playable},
    )
    assert few_lines(board, 20) >= 2
    assert lines_in_fillings(board, 2) is None
