"""Histories with branches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.play.game_in_play import MoveTree


def test_what_was_taken_back_can_be_played_again() -> None:
    tree = MoveTree().play(4).play(0).play(8).go(1)
    assert (tree.moves, tree.undone) == ((4,), (2, 3))
    assert tree.play(0).undone == (3,)
    assert len(tree.play(0).nodes) == len(tree.nodes)


def test_another_move_begins_a_branch_and_keeps_the_first() -> None:
    tree = MoveTree().play(4).play(0).go(1).play(8).play(2)
    assert tree.children(1) == (2, 3)
    assert tree.go(2).moves == (4, 0)
    assert tree.go(1).undone == (2,) or tree.go(1).undone == (3, 4)


def test_going_to_a_branch_follows_its_newest_moves() -> None:
    tree = MoveTree().play(4).play(0).play(1).go(2).play(5).go(1).play(8)
    assert tree.go(2).line == (0, 1, 2, 4)


def test_there_is_no_other_node() -> None:
    with pytest.raises(KeyError):
        MoveTree().play(4).go(2)


@given(st.lists(st.one_of(st.integers(0, 5), st.integers(-10, -1)), max_size=30))
def test_every_walk_keeps_all_nodes_and_one_line(steps: list[int]) -> None:
    tree = MoveTree()
    for step in steps:
        before = tree.nodes
        tree = tree.play(step) if step >= 0 else tree.go(-step % len(tree.nodes))
        assert tree.nodes[: len(before)] == before
        assert tree.path_to(tree.node) == tree.path
        assert all(
            tree.nodes[b].parent == a for a, b in zip(tree.line, tree.line[1:], strict=False)
        )
        assert not tree.children(tree.line[-1])
        pairs = [(node.parent, node.cell) for node in tree.nodes]
        assert len(set(pairs)) == len(pairs)
