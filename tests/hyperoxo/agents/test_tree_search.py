"""The ranking of the moves at the root of a tree, and the room for its nodes."""

from __future__ import annotations

import numpy as np

from hyperoxo.agents.tree_search import SearchTree, TreeSettings, grow_tree
from hyperoxo.game import Game
from hyperoxo.kernels import tree
from hyperoxo.kernels.state import DRAW

WON, LOST = 1, 2
"""Results as in states: the number of the winner."""


def cells_in_order(*children: tuple[int, int, int, int]) -> list[int]:
    """Rank moves, each a cell with visits, half points and a proven result or 0."""
    nodes = np.zeros((tree.FIELDS, 1 + len(children)), np.int32)
    nodes[tree.FIRST, 0], nodes[tree.COUNT, 0] = 1, len(children)
    for node, (cell, visits, score, result) in enumerate(children, start=1):
        nodes[tree.CELL, node], nodes[tree.RESULT, node] = cell, result
        nodes[tree.VISITS, node], nodes[tree.SCORE, node] = visits, score
    found = SearchTree(Game("3^2").start(), nodes, np.zeros(3, np.int64)).moves()
    return [move.cell for move in found]


def test_a_proven_draw_comes_after_open_moves_that_score_more() -> None:
    """The open move with most visits counts; a lost move comes last."""
    for half_points, order in ((101, [4, 0, 8]), (100, [0, 4, 8]), (99, [0, 4, 8])):
        ranked = cells_in_order((8, 9, 0, LOST), (0, 5, 5, DRAW), (4, 100, half_points, 0))
        assert ranked == order


def test_the_open_move_with_most_visits_tells() -> None:
    ranked = cells_in_order((0, 5, 5, DRAW), (4, 100, 80, 0), (5, 10, 20, 0))
    assert ranked == [0, 4, 5]
    ranked = cells_in_order((0, 5, 5, DRAW), (4, 100, 120, 0), (5, 10, 0, 0))
    assert ranked == [4, 5, 0]


def test_a_proven_win_comes_first_and_without_open_moves_a_draw_beats_a_loss() -> None:
    assert cells_in_order((0, 9, 18, 0), (1, 1, 2, WON), (2, 0, 0, DRAW))[0] == 1
    assert cells_in_order((0, 1, 0, LOST), (2, 1, 1, DRAW)) == [2, 0]


def test_a_tree_of_few_root_moves_has_room_for_all_simulations() -> None:
    for spec, moves in (("4^3", [0, 1]), ("4^3:opening=0", None)):
        found = grow_tree(Game(spec).start(), TreeSettings(simulations=300), 0, moves=moves)
        assert found.nodes.shape[1] - found.size >= 64
