"""Neighbour counting, both versions of the report, against counting on positions."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.agents.scored import move_values
from hyperoxo.board import Board, neighbour_pairs
from hyperoxo.game import Game, Position
from hyperoxo.heuristics import heuristic_by_name
from hyperoxo.solvers.exact.minimax import MinimaxSearch
from tests.judge import plain_minimax
from tests.strategies import games, running_positions


def pairs_by_hand(board: Board) -> set[tuple[int, int]]:
    found = set()
    for a, b in combinations([int(cell) for cell in board.playable], 2):
        if board.shape is not None:
            steps = zip(board.coordinates(a), board.coordinates(b), board.shape, strict=True)
            near = all(
                abs(x - y) <= 1 or (axis in board.wrap and abs(x - y) == length - 1)
                for axis, (x, y, length) in enumerate(steps)
            )
        else:
            near = bool(set(board.lines_through(a)) & set(board.lines_through(b)))
        if near:
            found.add((a, b))
    return found


@pytest.mark.more
@given(games())
def test_pairs_of_neighbours(game: Game) -> None:
    assert {tuple(pair) for pair in neighbour_pairs(game.board).lines.tolist()} == pairs_by_hand(
        game.board
    )


def count(position: Position, owners: list[int], player: int, own_too: bool) -> float:
    total = 0
    for a, b in pairs_by_hand(position.game.board):
        for here, there in ((a, b), (b, a)):
            beside = (0, player) if own_too else (0,)
            total += owners[here] == player and owners[there] in beside
    return total


@pytest.mark.more
@given(
    running_positions(games(most_players=3)),
    st.booleans(),
)
def test_greedy_counts_neighbours(position: Position, own_too: bool) -> None:
    heuristic = heuristic_by_name("neighbours" if own_too else "neighbours-empty")
    values = move_values(position, heuristic, 0.0)
    for cell, value in zip(position.legal_moves, values, strict=True):
        owners = list(position.owners)
        owners[cell] = position.to_move
        counted = count(position, owners, position.to_move, own_too)
        assert value == pytest.approx(-counted if position.game.misere else counted)


def difference(position: Position, own_too: bool) -> float:
    owners, mover = list(position.owners), position.ply % 2 + 1
    mine, theirs = (count(position, owners, p, own_too) for p in (mover, 3 - mover))
    return mine - theirs


@pytest.mark.more
@given(
    running_positions(st.sampled_from([Game("3^2"), Game("3^2:gravity"), Game("2^3:blocked=0")])),
    st.booleans(),
    st.integers(1, 3),
)
@settings(max_examples=40)
def test_minimax_counts_neighbours(position: Position, own_too: bool, depth: int) -> None:
    heuristic = heuristic_by_name("neighbours" if own_too else "neighbours-empty")
    found = MinimaxSearch(position, heuristic).run(depth)
    assert found is not None
    best = plain_minimax(position, depth, partial(difference, own_too=own_too))
    assert max(found.values) == pytest.approx(best)


def test_agents_by_neighbours_play_matches() -> None:
    agents = ["greedy:heuristic=neighbours", "minimax:depth=2,heuristic=neighbours-empty"]
    result = ox.match("3^2", agents, games=10, seed=1)
    assert not result.compiled
    assert sum(result.wins) + result.draws == 10
    multi = ["minimax:depth=2,heuristic=neighbours", "random", "greedy:heuristic=neighbours"]
    assert ox.match("3^2:players=3", multi, games=5, seed=1).games == 5


def test_pairs_of_a_grid_are_no_free_hypergraph() -> None:
    """They may have the same lines as one; mixed up in a cache, one would gain coordinates."""
    grid = neighbour_pairs(Game("2^1").board)
    free = ox.hypergraph(2, [(0, 1)])
    assert grid.lines.tolist() == free.lines.tolist()
    assert grid != free
    assert Game("2{0+1}").board.shape is None
