"""Classes of lines are orbits under all symmetries, and heuristics may tell them apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.agents.scored import move_values
from hyperoxo.errors import SpecError
from hyperoxo.heuristics import kinds_of, side_by_side, tabulate
from hyperoxo.heuristics.classes import CLASSES


@pytest.mark.parametrize("spec", ["3^2", "4^2", "3^3", "5,4,3", "4^2:blocked=0", "3^2:connect=2"])
def test_orbits_are_those_under_every_symmetry(spec: str) -> None:
    board = ox.Game(spec).board
    lines = [frozenset(board.line(i).tolist()) for i in range(board.line_count)]
    found = CLASSES["orbits"](board).tolist()
    for i, line in enumerate(lines):
        images = {frozenset(p[list(line)].tolist()) for p in board.symmetry.permutations()}
        assert {found[lines.index(image)] for image in images} == {found[i]}
        assert {j for j in range(len(lines)) if found[j] == found[i]} == {
            lines.index(image) for image in images
        }
    assert list(dict.fromkeys(found)) == sorted(set(found))


def test_axes_along_which_lines_run() -> None:
    assert np.bincount(CLASSES["axes"](ox.Game("4^3").board)).tolist() == [48, 24, 4]
    with pytest.raises(SpecError, match="coordinates"):
        CLASSES["axes"](ox.hypergraph(3, [(0, 1, 2)]))


def test_kinds_are_sizes_and_classes() -> None:
    board = ox.hypergraph(6, [(0, 1), (1, 2), (2, 3, 4), (3, 4, 5)])
    assert kinds_of(board)[0] == [(2, 0), (3, 0)]
    pairs, kinds = kinds_of(board, "orbits")
    assert [pairs[kind] for kind in kinds] == [(2, 0), (2, 1), (3, 2), (3, 3)]


def _by_class(own: int, rivals: int, n: int, q: int, c: int) -> float:
    return (1.0 + c) * own - 0.5 * rivals * (n + q)


@given(st.lists(st.integers(0, 8), max_size=7, unique=True))
def test_moves_and_energies_count_each_line_by_its_class(cells: list[int]) -> None:
    position = ox.Game("3^2").start()
    for cell in cells:
        if not position.is_over:
            position = position.play(cell)
    if position.is_over:
        return
    heuristic = ox.line_heuristic(_by_class, classes="orbits", full="weight")
    classes = CLASSES["orbits"](position.game.board)
    mover, board = position.to_move, position.game.board

    def worth(owners: bytes) -> float:
        held = [[owners[c] for c in board.line(i)] for i in range(board.line_count)]
        counts = [(row.count(mover), 3 - row.count(0) - row.count(mover)) for row in held]
        pairs = zip(counts, classes, strict=True)
        return sum(_by_class(own, rivals, 3, 2, c) for (own, rivals), c in pairs)

    expected = [worth(position.play(cell).owners) for cell in position.legal_moves]
    assert move_values(position, heuristic, 0.0) == pytest.approx(expected)
    energy = ox.energy(position, heuristic).players[mover - 1]
    assert energy == pytest.approx(worth(position.owners))


def test_heuristics_with_and_without_classes_play_one_compiled_match() -> None:
    board = ox.Game("3^2").board
    plain, by_class = ox.agent("ising"), ox.line_heuristic(_by_class, classes="orbits")
    tables = [tabulate(ox.line_heuristic(_plain), board, 2), tabulate(by_class, board, 2)]
    weights, kinds = side_by_side(tables)
    for i, table in enumerate(tables):
        assert np.array_equal(weights[i][kinds], table.weights[table.kinds])
    agents = [ox.agent("greedy", heuristic=by_class), plain]
    result = ox.match("3^2", agents, games=20, seed=1)
    assert result.compiled
    assert sum(result.wins) + result.draws == 20


def _plain(own: int, rivals: int) -> float:
    return 2.0 * own - rivals


def test_bad_classes_are_one_line() -> None:
    with pytest.raises(SpecError, match="classes must be one of orbits, axes, not 'rings'"):
        ox.line_heuristic(_plain, classes="rings")
    with pytest.raises(SpecError, match="5 arguments"):
        ox.line_heuristic(_by_class)
