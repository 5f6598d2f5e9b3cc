from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hyperoxo.board import Board, hypercube, hypergraph, mnk
from hyperoxo.board.automorphisms import automorphism_group
from hyperoxo.board.board import Symmetry
from hyperoxo.board.groups import Group, multiply
from hyperoxo.errors import LimitError
from hyperoxo.game import Game

Below = NDArray[np.int32]

FANO = [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)]


def search(board: Board, below: Below | None = None, work_limit: int = 4 * 10**9) -> Group:
    return automorphism_group(board, below, work_limit=work_limit)


def is_symmetry(perm: tuple[int, ...], board: Board, below: Below | None) -> bool:
    lines = {frozenset(board.line(number).tolist()) for number in range(board.line_count)}
    if any(perm[cell] != cell for cell in board.blocked):
        return False
    if {frozenset(perm[cell] for cell in line) for line in lines} != lines:
        return False
    under = (-1,) * board.cell_count if below is None else below.tolist()
    return all(under[perm[c]] == (perm[under[c]] if under[c] >= 0 else -1) for c in board.playable)


def columns(order: list[int], heights: list[int]) -> Below:
    """Cells taken in some order and piled up in columns."""
    below = np.full(len(order), -1, np.int32)
    start = 0
    for height in heights:
        column = order[start : start + height]
        below[column[1:]] = column[:-1]
        start += height
    return below


@st.composite
def boards(draw: st.DrawFn) -> tuple[Board, Below | None]:
    size = draw(st.integers(1, 6))
    cells = st.frozensets(st.integers(0, size - 1), min_size=1)
    lines = draw(st.frozensets(cells, max_size=6))
    blocked = draw(st.frozensets(st.integers(0, size - 1), max_size=size - 1))
    board = hypergraph(size, sorted(map(sorted, lines)), blocked=sorted(blocked))
    if not draw(st.booleans()):
        return board, None
    below = columns(draw(st.permutations(range(size))), draw(st.lists(st.integers(1, 3))))
    for cell in blocked:
        below[below == cell] = -1
        below[cell] = -1
    return board, below


@pytest.mark.more
@given(boards())
@settings(max_examples=120, deadline=None)
def test_group_is_what_trying_all_permutations_finds(case: tuple[Board, Below | None]) -> None:
    board, below = case
    everything = itertools.permutations(range(board.cell_count))
    truth = {perm for perm in everything if is_symmetry(perm, board, below)}
    group = search(board, below)
    assert group.order() == len(truth)
    elements = multiply(board.cell_count, group.factors())
    assert set(map(tuple, elements.tolist())) == truth
    orbits = sorted({tuple(sorted({perm[c] for perm in truth})) for c in board.playable.tolist()})
    assert Symmetry(board, below).orbits() == orbits


STANDARD = ["3^2", "4^2", "5^2", "6^2", "3^3", "4^3", "5^3", "3^4", "4^4", "3^5", "2^3", "7^1"]
FALLING = [
    "3^2:gravity",
    "4^2:gravity=1",
    "4^3:gravity=2",
    "3^4:gravity",
    "2^3:gravity",
    "5^1:gravity",
]


@pytest.mark.parametrize("spec", STANDARD + FALLING)
def test_search_agrees_with_what_is_known(spec: str) -> None:
    game = Game(spec)
    assert search(game.board, game.below).order() == game.symmetry.order


@pytest.mark.parametrize(
    "spec",
    [
        *STANDARD,
        *FALLING,
        "4^3:blocked=0+1",
        "3^4:blocked=centre",
        "4^3:gravity=1,blocked=22",
        "2^3:blocked=0,gravity",
        "3^3:blocked=0+2+4+6+8+10+12+14+16+18+20+22+24+26",
    ],
)
def test_generators_are_symmetries(spec: str) -> None:
    game = Game(spec)
    for generator in game.symmetry.generators:
        assert is_symmetry(tuple(generator.tolist()), game.board, game.below)


@pytest.mark.parametrize(
    ("board", "order"),
    [
        (hypercube(3, 4).without([40]), 384),
        (hypercube(3, 6).without([364]), 46_080),
        (hypercube(5, 2).without([12]), 2 * 24 * 24),
        (mnk(15, 15, 5), 8),
        (mnk(7, 6, 4), 4),
        (hypergraph(7, FANO), 168),
        (hypergraph(40, [(i, (i + 1) % 40) for i in range(40)]), 80),
        (hypergraph(30, [range(i, i + 3) for i in range(0, 30, 3)]), math.factorial(10) * 6**10),
        (hypergraph(40, itertools.combinations(range(40), 2)), math.factorial(40)),
        (hypergraph(500, []), math.factorial(500)),
        (hypergraph(500, [range(400)]), math.factorial(400) * math.factorial(100)),
    ],
)  # fmt: skip
def test_known_groups(board: Board, order: int) -> None:
    assert search(board).order() == order


def test_regular_structures_without_symmetric_cells_are_told_apart() -> None:
    # Two triangles and a hexagon look alike to refinement; no symmetry mixes them.
    triangles = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
    hexagon = [(6 + i, 6 + (i + 1) % 6) for i in range(6)]
    symmetry = hypergraph(12, [*triangles, *(tuple(sorted(edge)) for edge in hexagon)]).symmetry
    assert symmetry.order == 6 * 6 * 2 * 12
    assert symmetry.orbits() == [(0, 1, 2, 3, 4, 5), (6, 7, 8, 9, 10, 11)]


def test_work_limit_is_a_sentence() -> None:
    with pytest.raises(LimitError, match="too hard to find: more than 10,000 steps"):
        search(hypercube(4, 3).without([0]), work_limit=10_000)
