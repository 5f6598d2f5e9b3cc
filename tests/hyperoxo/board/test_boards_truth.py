"""Replays the table of boards: counts, group orders, orbits, classes of positions."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hyperoxo.game import Game

TABLE = tomllib.loads((Path(__file__).parents[2] / "truth" / "boards.toml").read_text("utf-8"))
BOARDS: list[dict[str, Any]] = TABLE["board"]


@pytest.mark.parametrize("truth", BOARDS, ids=lambda truth: str(truth["game"]))
def test_counts_orders_and_orbits(truth: dict[str, Any]) -> None:
    game = Game(truth["game"])
    board, symmetry = game.board, game.symmetry
    orders = (symmetry.order_text, symmetry.order)
    assert len(board.playable) == truth["cells"]
    assert board.line_count == truth["lines"]
    assert truth["automorphisms"] in orders
    orbits = symmetry.orbits()
    assert [
        {"size": len(orbit), "lines_per_cell": board.degrees[orbit[0]], "representative": orbit[0]}
        for orbit in orbits
    ] == truth["orbits"]
    assert all(len(set(board.degrees[list(orbit)].tolist())) == 1 for orbit in orbits)


@pytest.mark.parametrize(
    "truth",
    [truth for truth in BOARDS if "classes" in truth],
    ids=lambda truth: str(truth["game"]),
)
def test_classes_of_reachable_positions(truth: dict[str, Any]) -> None:
    game = Game(truth["game"])
    lines = game.board.lines
    layer = np.zeros((1, game.board.cell_count), np.uint8)
    classes = 1
    for ply in range(game.cells):
        last = 2 - ply % 2
        alive = layer[~(layer[:, lines] == last).all(axis=2).any(axis=1)]
        following = []
        for cell in game.board.playable:
            moved = alive[alive[:, cell] == 0].copy()
            moved[:, cell] = ply % 2 + 1
            following.append(moved)
        layer = np.unique(game.symmetry.canonical(np.concatenate(following)), axis=0)
        classes += len(layer)
    assert classes == truth["classes"]
