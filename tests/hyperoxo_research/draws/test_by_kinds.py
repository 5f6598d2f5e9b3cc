"""Full boards by kinds of cells: what is found is a board, and what cannot be is not found."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from hyperoxo.errors import LimitError
from hyperoxo.proof import check_proof, verify
from hyperoxo.task import Task
from hyperoxo_research.draws.classify import classify
from hyperoxo_research.draws.no_draw import board_by_cell_kinds
from hyperoxo_research.draws.stored import lines_of_one_colour
from hyperoxo_research.proof.full_board import kinds_of_cells
from tests.marks import more


@pytest.mark.parametrize(
    ("side", "dim", "groups"),
    more(
        [(4, 3, (2, 1)), (5, 7, (7,)), (6, 8, (7, 1)), (7, 9, (9,)), (7, 12, (12,))],
        [(7, 12, (12,))],
    ),
)
@pytest.mark.parametrize("seed", [0, 1])
def test_boards_are_found_and_shared(
    side: int, dim: int, groups: tuple[int, ...], seed: int
) -> None:
    found = board_by_cell_kinds(side, dim, groups, Task(), seed)
    assert found is not None
    assert found.groups == groups
    assert check_proof(found).proved


@pytest.mark.parametrize(
    ("side", "dim", "there"),
    [(2, 2, False), (3, 2, True), (4, 2, True), (3, 3, False), (2, 3, False)],
)
def test_small_boards_against_all_boards_of_the_form(side: int, dim: int, there: bool) -> None:
    kinds = list(kinds_of_cells(side, (dim,)))
    place = {kind: at for at, kind in enumerate(kinds)}
    cells = itertools.product(range(side), repeat=dim)
    of_cell = np.array([place[(tuple(sorted(cell)),)] for cell in cells])
    free = False
    for owners in itertools.product((0, 1), repeat=len(kinds)):
        stones = np.array(owners, np.uint8)[of_cell]
        shared = abs(2 * int(stones.sum()) - side**dim) <= 1
        free = free or (shared and not lines_of_one_colour(stones, side, dim))
    assert free == there
    assert free or board_by_cell_kinds(side, dim, (dim,), Task()) is None


def test_too_many_kinds_of_lines_are_refused() -> None:
    with pytest.raises(LimitError, match="kinds of lines are more than"):
        board_by_cell_kinds(7, 40, (40,), Task())


def test_a_search_ends_with_its_time() -> None:
    assert board_by_cell_kinds(7, 12, (12,), Task(end=0.0)) is None


@pytest.mark.more
@pytest.mark.parametrize("spec", ["6^9", "7^16"])
def test_boards_of_many_dimensions(spec: str) -> None:
    found = classify(spec, seconds=600)
    assert found.regions == (3, 4)
    boards = [one.part for one in found.evidence if one.theorem.startswith("a full board")]
    assert [verify(board).claim for board in boards] == [
        f"there is a full board of {spec} on which no player has won"
    ]
