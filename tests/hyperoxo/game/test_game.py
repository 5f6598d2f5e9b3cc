"""Games made from arguments, and what follows from the rules."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given

from hyperoxo.board import hypercube, hypergraph, mnk
from hyperoxo.errors import SpecError
from hyperoxo.game import Game
from tests.expect import message_of
from tests.oracle import Oracle
from tests.strategies import games


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        (Game(side=3, dim=2), "3^2"),
        (Game("3^2:players=3", misere=True, wrap=[0]), "3^2:wrap=0,players=3,misere"),
        (Game(side=3, dim=4, blocked="centre", target=9), "3^4:blocked=centre,target=9"),
        (Game(side=4, dim=3, gravity=True), "4^3:gravity"),
        (Game(side=4, dim=3, gravity=False), "4^3"),
        (Game(side=4, dim=3, gravity=2), "4^3:gravity=2"),
        (Game(board=hypercube(3, 2), players=3, misere=True), "3^2:players=3,misere"),
        (Game(side=5, dim=2, connect=4), "5^2:connect=4"),
        (Game(side=4, dim=2, connect=3, wrap=True), "4^2:connect=3,wrap"),
        (
            Game(board=hypercube(4, 2, connect=3, wrap=[1]), gravity=0),
            "4^2:connect=3,wrap=1,gravity",
        ),
        (Game(board=mnk(7, 6, 4, wrap=[1]), gravity=True), "7,6,4:wrap=1,gravity"),
        (Game(board=hypergraph(3, [(2, 1)])), "3{1+2}"),
        (Game(board=hypercube(3, 2).without([0]), blocked=[8]), "3^2:blocked=0+8"),
        (Game(side=3, dim=2, blocked=[8, 0, 8]), "3^2:blocked=0+8"),
        (Game(side=3, dim=2, opening="poor", opening_moves=2), "3^2:opening=poorx2"),
        (Game(side=3, dim=2, opening={4}), "3^2:opening=4"),
        (Game("3^2", opening=4, blocked=0), "3^2:opening=4,blocked=0"),
        (Game(Game("3^2:misere"), players=3), "3^2:players=3,misere"),
        (Game("4^2", wrap=0, bias=np.array([1, 2])), "4^2:wrap=0,bias=1+2"),
    ],
)
def test_two_ways_to_name_a_game(game: Game, spec: str) -> None:
    assert game == Game(spec)
    assert str(game) == str(Game(spec))
    assert game.board == Game(spec).board


def test_blocking_a_hypergraph_in_the_board_or_in_the_game() -> None:
    lines = [(0, 1), (1, 2)]
    assert Game(board=hypergraph(3, lines, blocked=[0])) == Game(
        board=hypergraph(3, [(1, 2)]), blocked=[0]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "a game needs one of these: a spec, side and dim, or a board"),
        ({"side": 3}, "a game needs one of these: a spec, side and dim, or a board"),
        ({"spec": "3^2", "side": 3}, "needs one of these"),
        ({"spec": "3^2:misere", "misere": True}, "option 'misere' is given twice"),
        ({"board": hypercube(3, 2), "side": 3}, "needs one of these"),
        ({"board": hypercube(3, 2), "connect": 2}, "connect needs a board SIDE^DIM"),
        ({"board": hypercube(3, 2), "wrap": True}, "wrap needs a board SIDE^DIM"),
        ({"board": hypercube(3, 2), "exact": True}, "exact needs a board SIDE^DIM"),
        ({"board": hypercube(3, 2), "gravity": -1}, "gravity axis must be 0 to 1, not -1"),
        ({"board": mnk(3, 3, 3), "blocked": "corner"}, "blocked must be 'centre' or cell numbers"),
        ({"board": hypercube(3, 2), "blocked": [-1]}, "there is no cell -1"),
        ({"board": hypercube(3, 2), "opening": "corner"}, "opening must be 'poor', 'rich' or"),
        ({"board": hypercube(3, 2), "opening": [-1]}, "opening: there is no cell -1"),
        ({"board": hypercube(3, 2), "opening": []}, "opening leaves player 1 no legal first move"),
        ({"spec": 32}, "bad game '32'"),
        ({"side": 3, "dim": 2, "players": 2.5}, "players must be a whole number, not '2.5'"),
        ({"side": 3, "dim": 2, "bias": 2}, "bias must give 2 numbers, one per player, not 1"),
        ({"side": 3, "dim": 2, "bias": [1, 1.5]}, "bias takes whole numbers, not '[1, 1.5]'"),
        ({"spec": "3^2", "blocked": ["b2"]}, "blocked takes whole numbers"),
    ],
)
def test_what_is_refused(arguments: dict[str, object], message: str) -> None:
    assert message in message_of(SpecError, Game, **arguments)  # type: ignore[arg-type]


def test_games_are_frozen_values() -> None:
    game = Game("3^2:misere")
    with pytest.raises(AttributeError, match="cannot be changed"):
        game.misere = False
    assert pickle.loads(pickle.dumps(game)) == game
    assert game != "3^2:misere"
    assert len({game, Game("3^2:misere"), Game("3^2")}) == 2


@given(games())
def test_what_a_game_knows(game: Game) -> None:
    oracle = Oracle(str(game))
    assert game.cells == len(oracle.free)
    assert set(game.blocked) == oracle.blocked
    assert game.board.line_count == len(oracle.lines)
    assert set(game.first_landing_cells.tolist()) == {
        cell for cell in oracle.free if oracle.lands(cell)
    }
    if game.opening is not None:
        assert set(game.opening) == oracle.opening
        assert game.opening_moves == oracle.opening_moves


@pytest.mark.parametrize(
    ("spec", "order", "left"),
    [
        ("5^2:bias=2+2,first-turn=1", "122112211", "121212121"),
        ("5^2:bias=3+1,first-turn=2", "112111211", "211321132"),
        ("5^2:bias=1+2,first=2,first-turn=1", "212212212", "112112112"),
        ("5^2:players=3,bias=2+1+2,first-turn=1", "123311233", "112121121"),
    ],
)
def test_a_first_turn_of_fewer_cells(spec: str, order: str, left: str) -> None:
    turns = Game(spec).turns
    movers = [turns.mover(ply) for ply in range(25)]
    assert "".join(map(str, movers[:9])) == order
    assert "".join(str(turns.left(ply)) for ply in range(9)) == left
    for player in range(1, Game(spec).players + 1):
        made = [turns.made(player, ply) for ply in range(25)]
        assert made == [movers[:ply].count(player) for ply in range(25)]
    own = [ply for ply, mover in enumerate(movers) if mover == turns.first]
    assert [turns.ply_of(moves) for moves in range(8)] == own[:8]


@pytest.mark.parametrize(("axis", "below"), [(0, -3), (1, -1)])
def test_cells_below(axis: int, below: int) -> None:
    game = Game(f"3^2:gravity={axis},blocked=4")
    assert game.below is not None
    for cell in range(9):
        floor = game.board.coordinates(cell)[axis] == 0
        rests = floor or cell == 4 or cell + below == 4
        assert game.below[cell] == (-1 if rests else cell + below)
    assert Game("3^2").below is None


def test_symmetry_respects_gravity_and_blocked_cells_but_no_opening() -> None:
    assert Game("3^2").symmetry.order == Game("3^2:opening=0").symmetry.order == 8
    assert Game("3^2:gravity").symmetry.order == 2
    assert Game("3^2:blocked=0").symmetry.order < Game("3^2:blocked=centre").symmetry.order
