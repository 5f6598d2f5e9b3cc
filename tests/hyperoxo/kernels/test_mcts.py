"""Trees of Monte-Carlo search: proofs against brute force, counts, golden statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.agents import tree_search
from hyperoxo.agents.network import Network, stored_network
from hyperoxo.agents.tree_search import SearchTree, TreeSettings, grow_tree
from hyperoxo.game import Game, Position, outcome_of
from hyperoxo.heuristics import heuristic_by_name
from hyperoxo.kernels import tree as fields
from hyperoxo.kernels.tree import points
from hyperoxo.task import ALONE, Task
from tests.strategies import games, positions, running_positions

Winners = frozenset[int]
ENOUGH = TreeSettings(simulations=1_000_000)
GUIDED = TreeSettings(exploration=1.0, guide=heuristic_by_name("ising"))
JUDGED = TreeSettings(exploration=1.0, guide=stored_network("4^3"))


def worth(winners: Winners, player: int) -> int:
    return 1 if not winners else 2 * (player in winners)


def max_n(position: Position, known: dict[bytes, set[Winners]]) -> set[Winners]:
    """Who wins in some max^n solution of a position."""
    if position.outcome is not None:
        return {frozenset(position.outcome.winners)}
    if position.owners not in known:
        mover = position.to_move
        after = [max_n(position.play(cell), known) for cell in position.legal_moves]
        sure = max(min(worth(winners, mover) for winners in some) for some in after)
        known[position.owners] = {
            winners for some in after for winners in some if worth(winners, mover) >= sure
        }
    return known[position.owners]


def winners_of(tree: SearchTree) -> Winners:
    assert tree.outcome is not None
    return frozenset(tree.outcome.winners)


@pytest.mark.parametrize(
    "spec",
    [
        "3^2",
        "3^2:misere",
        "3^2:gravity",
        "3^2:gravity,misere",
        pytest.param("3^2:target=2", marks=pytest.mark.more),
        "3^2:target=2,misere",
        "3^2:blocked=centre",
        "3^2:blocked=0,misere",
        "3^2:opening=poor",
        "3^2:opening=1x3",
        "3^2:opening=1+3x2,gravity",
        pytest.param("3^2:players=3", marks=pytest.mark.more),
        pytest.param("3^2:players=3,misere", marks=pytest.mark.more),
        pytest.param("3^2:players=4,target=2", marks=pytest.mark.more),
        "2^2",
        "2^3:players=3",
        "2^3:misere,players=3",
        "4,3,3:gravity",
        "4{0+1+2/2+3}",
        "3{0}",
        "5{0+1/0+2}:opening=0+3x2",
    ],
)
def test_proofs_from_the_start_agree_with_brute_force(spec: str) -> None:
    start = Game(spec).start()
    assert winners_of(grow_tree(start, ENOUGH, 1)) in max_n(start, {})


@pytest.mark.more
@settings(deadline=None)
@given(
    positions(games().filter(lambda game: game.cells <= 12)).filter(
        lambda position: not position.is_over and len(position.legal_moves) <= 6
    ),
    st.integers(0, 2**63 - 1),
    st.sampled_from(
        [TreeSettings(), TreeSettings(rave=100.0), GUIDED, replace(GUIDED, threats=0), JUDGED]
    ),
)
def test_proofs_agree_with_brute_force(position: Position, seed: int, chosen: TreeSettings) -> None:
    empty = position.game.cells - position.ply
    if empty > 6:
        return
    known: dict[bytes, set[Winners]] = {}
    tree = grow_tree(position, replace(chosen, simulations=100_000), seed)
    assert winners_of(tree) in max_n(position, known)
    for move in tree.moves():
        if move.proven:
            child = tree.child(0, move.cell)
            assert child is not None
            outcome = outcome_of(int(tree.nodes[fields.RESULT, child]), position.game.players)
            assert outcome is not None
            assert frozenset(outcome.winners) in max_n(position.play(move.cell), known)


def test_three_cubed_is_proved_a_first_player_win() -> None:
    tree = grow_tree(Game("3^3").start(), ENOUGH, 0)
    assert winners_of(tree) == {1}
    assert tree.moves()[0].cell == 13
    assert tree.simulations < 100_000


def counts_hold(tree: SearchTree, judged: bool) -> None:
    nodes = tree.nodes[:, : tree.size]
    for node in np.flatnonzero(nodes[fields.COUNT]):
        first, count = nodes[fields.FIRST, node], nodes[fields.COUNT, node]
        children = slice(first, first + count)
        tried = int(nodes[fields.VISITS, children].sum())
        # A node is visited once before it has children; a network judges the root too.
        assert nodes[fields.VISITS, node] == tried + (judged or node != 0)
        assert nodes[fields.OPEN, node] == (nodes[fields.RESULT, children] == 0).sum() or (
            nodes[fields.RESULT, node] != 0
        )
    scores = (nodes.view(np.float32) if tree.guided else nodes)[fields.SCORE]
    assert (scores <= 2.0001 * nodes[fields.VISITS]).all()
    assert (scores >= 0).all()


@pytest.mark.more
@pytest.mark.parametrize("chosen", [GUIDED, JUDGED])
def test_priors_sum_to_one(chosen: TreeSettings) -> None:
    tree = grow_tree(Game("4^3").start(), replace(chosen, simulations=300), 1)
    priors = tree.nodes.view(np.float32)[fields.PRIOR]
    for node in np.flatnonzero(tree.nodes[fields.COUNT, : tree.size]):
        first, count = tree.nodes[fields.FIRST, node], tree.nodes[fields.COUNT, node]
        assert abs(priors[first : first + count].sum() - 1) < 1e-5


@pytest.mark.parametrize(
    ("spec", "moves", "plies"),
    [
        ("4^3", "7,62,47,63,60,42,22,0,21,3,23,20,37,52", 7),
        ("4^3:gravity", "12,9,7,25,41,13,1,29,17,45,61,33,49,57", 11),
    ],
)
def test_guided_trees_see_wins_by_threats(spec: str, moves: str, plies: int) -> None:
    position = Game(spec).position(f"moves:{moves}")
    tree = grow_tree(position, replace(GUIDED, simulations=1), 0)
    assert winners_of(tree) == {1}
    assert tree.moves()[0].distance == plies - 1
    late = grow_tree(position, replace(GUIDED, simulations=None, seconds=0.0), 0)
    assert winners_of(late) == {1}
    blind = grow_tree(position, replace(GUIDED, simulations=1, threats=0), 0)
    assert blind.outcome is None
    # Before the defender's last move the win is at the leaves.
    before = Game(spec).position(f"moves:{moves.rpartition(',')[0]}")
    cell = position.history[-1]
    leaf = grow_tree(before, replace(GUIDED, simulations=1), 0, moves=[cell])
    assert winners_of(leaf) == {1}


@pytest.mark.parametrize("chosen", [GUIDED, JUDGED, TreeSettings(rave=100.0)])
@pytest.mark.parametrize("task", [ALONE, Task(on_report=lambda tree: None)])
def test_the_root_is_set_up_once(
    monkeypatch: pytest.MonkeyPatch, chosen: TreeSettings, task: Task
) -> None:
    """The order of its moves, which the seed decides with the rest, never changes again."""
    orders: list[list[int]] = []

    def watched(make: Callable[..., tree_search.Simulate]) -> Callable[..., tree_search.Simulate]:
        def made(*given: Any) -> tree_search.Simulate:
            simulate, nodes = make(*given), given[-2]

            def simulate_and_note(count: int) -> None:
                simulate(count)
                orders.append(nodes[fields.CELL, 1:65].tolist())

            return simulate_and_note

        return made

    for name in ("_guided", "_playouts"):
        monkeypatch.setattr(tree_search, name, watched(getattr(tree_search, name)))
    tree = grow_tree(Game("4^3").start(), replace(chosen, simulations=64), 1, task=task)
    assert tree.outcome is None
    assert (len(orders) == 1) == task.is_alone
    assert all(order == orders[0] for order in orders)


@pytest.mark.parametrize(
    "chosen",
    [
        TreeSettings(simulations=2000),
        TreeSettings(simulations=2000, rave=200.0),
        TreeSettings(simulations=300, playout=heuristic_by_name("kutner")),
        TreeSettings(simulations=2000, nodes=500),
        replace(GUIDED, simulations=300),
        replace(GUIDED, simulations=2000, nodes=500),
        replace(JUDGED, simulations=300),
        replace(JUDGED, simulations=300, nodes=500),
    ],
)
@pytest.mark.parametrize("spec", ["4^3", "4^3:gravity,misere", "3^3:players=3", "4^2:target=2"])
def test_visits_add_up_and_seeds_repeat(spec: str, chosen: TreeSettings) -> None:
    start = Game(spec).start()
    tree = grow_tree(start, chosen, 5)
    counts_hold(tree, isinstance(chosen.guide, Network))
    assert tree.size <= chosen.nodes
    if tree.outcome is None:
        assert tree.simulations == chosen.simulations
    again = grow_tree(start, chosen, 5)
    assert (again.nodes[:, : tree.size] == tree.nodes[:, : tree.size]).all()
    other = grow_tree(start, chosen, 6)
    tried = slice(1, 1 + len(tree.moves()))
    assert (other.nodes[fields.CELL, tried] != tree.nodes[fields.CELL, tried]).any()


@settings(deadline=None, max_examples=30)
@given(running_positions(), st.integers(0, 2**63 - 1))
def test_packed_and_plain_counters_grow_the_same_tree(position: Position, seed: int) -> None:
    chosen = TreeSettings(simulations=300)
    tree = grow_tree(position, chosen, seed)
    with pytest.MonkeyPatch.context() as patch:
        nothing = np.zeros((0, 1), dtype=np.uint64)
        patch.setattr(tree_search, "packed_increments", lambda game: nothing)
        plain = grow_tree(position, chosen, seed)
    assert tree.size == plain.size
    assert (tree.nodes[:, : tree.size] == plain.nodes[:, : tree.size]).all()


@pytest.mark.parametrize(
    ("spec", "visits"),
    [
        ("3^2", [6, 11, 22, 9, 50, 17, 42, 22, 21]),
        ("3^2:misere", [19, 56, 4, 20, 8, 66, 13, 4, 10]),
        ("4,4,3:gravity", [15, 69, 62, 54]),
        ("3^2:players=3", [51, 28, 15, 16, 22, 11, 10, 14, 33]),
        ("4^2:target=2", [10, 2, 16, 19, 17, 24, 8, 15, 23, 3, 11, 5, 8, 8, 17, 14]),
    ],
)
def test_golden_visits(spec: str, visits: list[int]) -> None:
    tree = grow_tree(Game(spec).start(), TreeSettings(simulations=200), 7)
    assert [move.visits for move in sorted(tree.moves(), key=lambda m: m.cell)] == visits


def test_half_points() -> None:
    assert [points(result, 0) for result in (1, 2, -1, -2, 99)] == [2, 0, 0, 2, 1]
