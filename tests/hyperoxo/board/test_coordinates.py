"""Kinds of lines, and symmetries axis by axis."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from hyperoxo.board.coordinates import inner_symmetries, lines_by_kind, motion, symmetry_text
from hyperoxo.game import Game
from tests.expect import require


@pytest.mark.parametrize(("side", "dim"), [(1, 1), (2, 2), (3, 2), (4, 3), (3, 4), (5, 3)])
def test_lines_of_whole_boards_by_kind(side: int, dim: int) -> None:
    expected = {
        kind: math.comb(dim, kind) * 2 ** (kind - 1) * side ** (dim - kind)
        for kind in range(1, dim + 1)
    }
    assert lines_by_kind(Game(f"{side}^{dim}").board) == (expected if side > 1 else {0: 1})


@pytest.mark.parametrize("spec", ["3^3:blocked=0+5", "4^2:connect=3", "5,4,3", "3^2:wrap"])
def test_lines_of_other_boards_by_kind(spec: str) -> None:
    board = Game(spec).board
    changing = [
        sum(len({*along}) > 1 for along in zip(*map(board.coordinates, line), strict=True))
        for line in board.lines.tolist()
    ]
    assert lines_by_kind(board) == {kind: changing.count(kind) for kind in sorted({*changing})}


def test_boards_without_coordinates_and_without_lines() -> None:
    assert lines_by_kind(Game("6{0+1+2/3+4+5}").board) is None
    assert lines_by_kind(Game("2,2,3").board) == {}


@pytest.mark.parametrize(
    "spec", ["3^2", "4^2", "4^3", "5^2", "3^4:blocked=centre", "4^3:blocked=1"]
)
def test_every_symmetry_is_what_its_motion_says(spec: str) -> None:
    board = Game(spec).board
    for image in board.symmetry.permutations():
        one = require(motion(board, image))
        for cell in board.playable.tolist():
            here = board.coordinates(cell)
            there = [values[here[axis]] for values, axis in zip(one.values, one.axes, strict=True)]
            assert board.cell(there) == image[cell]


def test_turns_and_mirrors_times_the_inner_ones_are_all_symmetries() -> None:
    for spec, turns in (("3^3", 48), ("4^3", 48), ("5^2", 8), ("6^2", 8)):
        board = Game(spec).board
        moves = [motion(board, image) for image in board.symmetry.permutations()]
        assert sum(one is not None and one.turns_or_mirrors for one in moves) == turns
        inner = inner_symmetries(board)
        assert turns * (1 + len(inner)) == board.symmetry.order
        assert {one.text for one in inner} <= {one.text for one in moves if one is not None}
        assert not any(one.turns_or_mirrors for one in inner)


@pytest.mark.parametrize("spec", ["4^2:blocked=0", "4^3:blocked=1", "4^2:blocked=0+15", "4,4,4"])
def test_inner_symmetries_of_other_boards(spec: str) -> None:
    board = Game(spec).board
    kept = {row[board.playable].tobytes() for row in board.symmetry.permutations()}
    cells = [board.coordinates(cell) for cell in range(board.cell_count)]
    reversal = (3, 2, 1, 0)
    found = []
    for values in itertools.permutations(range(4)):
        image = np.array([board.cell([values[x] for x in here]) for here in cells], np.int32)
        renames = all(values[3 - v] == 3 - values[v] for v in range(4))
        if renames and image[board.playable].tobytes() in kept:
            found.append(values)
    # Each of the inner ones stands for itself and the one reversed.
    assert {one.values[0] for one in inner_symmetries(board)} < {*found}
    both = 2 if reversal in found else 1
    assert both * (1 + len(inner_symmetries(board))) == len(found)


def test_gravity_and_short_boards_have_no_inner_symmetries() -> None:
    for spec in ("4^3:gravity", "3^3", "2^3", "4^1", "6{0+1+2/3+4+5}", "7,6,4"):
        game = Game(spec)
        assert inner_symmetries(game.board, game.below) == ()


def test_words() -> None:
    texts = [symmetry_text(Game("4^3").board, row) for row in Game("4^3").symmetry.generators]
    assert texts == [
        "axes (0 1)",
        "axes (0 2 1)",
        "axis 0 reversed",
        "coordinates (0 3) on every axis",
        "coordinates (0 1)(2 3) on every axis",
    ]
    board = Game("3^3").board
    assert symmetry_text(board, np.arange(27, dtype=np.int32)) == "nothing moves"
    assert symmetry_text(board, np.arange(27, dtype=np.int32)[::-1]) == "every axis reversed"
    shifted = np.roll(np.arange(8, dtype=np.int32), 1)
    assert symmetry_text(Game("2^3").board, shifted) == "cells (0 7 6 5 4 3 2 1)"
    pairs = np.arange(16, dtype=np.int32) ^ 1
    pairs[:2] = 0, 1
    free = Game("16{0+1+2}").board
    assert symmetry_text(free, pairs).endswith("(12 13) and 1 more")
    one = require(motion(Game("4^3:blocked=1").board, Game("4^3:blocked=1").symmetry.generators[0]))
    assert one.text.endswith("coordinates (0 3) on axis 2")
