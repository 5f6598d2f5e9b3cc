"""Pairs of cells, against what they mean and all sets of lines (Hall)."""

from __future__ import annotations

import random
from itertools import combinations
from threading import Event

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hyperoxo.agents.expert import ExpertAgent
from hyperoxo.agents.tree_search import TreeSettings, grow_tree
from hyperoxo.game import FREE, Game, Position
from hyperoxo.heuristics import kutner_heuristic
from hyperoxo.solvers.draws.pairing import (
    crowded,
    crowded_lines,
    line_possible,
    may_pair,
    mirroring_move,
    mirroring_seat,
    open_lines,
    open_rows,
    pairs_of,
)
from hyperoxo.solvers.exact.minimax import MinimaxSearch
from hyperoxo.task import Task
from tests.expect import require
from tests.strategies import play_at_random, running_positions

MAKER = "convention=maker-breaker"


def drawn_position(rng: random.Random) -> Position:
    """A position on seven cells, one of which may be blocked."""
    lines = [rng.sample(range(7), rng.choice((2, 3, 3, 4))) for _ in range(rng.randrange(5))]
    kept = sorted({"+".join(map(str, sorted(line))) for line in lines})
    blocked = rng.choice(("", f":blocked={rng.randrange(7)}"))
    game = Game(f"7{{{'/'.join(kept)}}}{blocked}")
    return play_at_random(game.start(), rng, rng.randrange(4))


def lines_left(position: Position, maker: int) -> list[list[int]]:
    """Free cells of the lines that a player could complete, by the definition."""
    board = position.game.board
    rows = [board.line(number).tolist() for number in range(board.line_count)]
    able = [row for row in rows if {position.owners[cell] for cell in row} <= {FREE, maker}]
    return [[cell for cell in row if position.owners[cell] == FREE] for row in able]


def too_few(lines: list[list[int]]) -> bool:
    """True if some lines have fewer than two cells for each between them."""
    return any(
        len(set().union(*some)) < 2 * size
        for size in range(1, len(lines) + 1)
        for some in combinations(lines, size)
    )


@given(running_positions(), st.integers(0, 2**32))
def test_without_a_possible_line_all_games_end_alike(position: Position, seed: int) -> None:
    assume(not line_possible(position))
    ends = [
        play_at_random(position, random.Random(seed + one), position.game.cells) for one in range(3)
    ]
    assert len({end.outcome for end in ends}) == 1
    assert ends[0].is_over


def test_agents_move_at_once_where_no_line_is_possible() -> None:
    """With a clock; without one they do as much as elsewhere, watched or not."""
    position, watched = Game("5,5,5").position("XO.../..XO./O...X/.XO../...XO"), Task(stop=Event())
    assert not line_possible(position)
    assert grow_tree(position, TreeSettings(simulations=None, seconds=60.0), 0).simulations < 100
    counted = grow_tree(position, TreeSettings(simulations=500), 0, task=watched)
    assert counted.simulations == 500
    search = MinimaxSearch(position, kutner_heuristic())
    assert search.deepen(3, seconds=60.0).depth == 1
    assert search.deepen(3).depth == 3


def test_pairs_are_there_exactly_where_hall_says() -> None:
    rng = random.Random(4)
    found = [0, 0]
    for _ in range(400):
        position = drawn_position(rng)
        for seat in (1, 2):
            lines = lines_left(position, 3 - seat)
            assert [*open_lines(position, 3 - seat)] == lines
            pointers, cells = open_rows(position, 3 - seat)
            split = np.split(cells, pointers[1:-1]) if len(pointers) > 1 else []
            assert [row.tolist() for row in split] == lines
            pairs, between = pairs_of(position, seat), crowded_lines(position, seat)
            found[pairs is None] += 1
            assert (pairs is None) == too_few(lines) == (between is not None)
            if pairs is not None:
                used = [cell for pair in pairs for cell in pair]
                assert len(pairs) == len(lines)
                assert len(used) == len({*used})
                assert all({*pair} <= {*line} for pair, line in zip(pairs, lines, strict=True))
                assert all(one < two for one, two in pairs)
            if between is not None:
                some, on_them = between
                assert all(line in lines for line in some)
                assert sorted({cell for line in some for cell in line}) == on_them
                assert len(on_them) < 2 * len(some)
    assert min(found) > 100


def test_pairs_that_use_every_cell() -> None:
    assert pairs_of(Game("2{0+1}").start(), 2) == ((0, 1),)
    assert pairs_of(Game("4{0+1+2/1+2+3}").start(), 2) is not None


def test_crowded_lines_by_their_numbers() -> None:
    assert crowded([[0, 1], [2, 3]], 4) is None
    assert crowded([], 4) is None
    assert crowded([[0, 1], [3, 4], [1, 0]], 5) == ([0, 2], [0, 1])
    assert crowded([[4, 5], [], [0, 1]], 6) == ([1], [])


@pytest.mark.parametrize(
    ("spec", "seats"),
    [
        ("5^2", [1, 2]),
        (f"5^2:{MAKER}", [2]),
        (f"5^2:{MAKER},first=2", [2]),
        ("5^2:bias=2+1", [1]),
        ("5^2:bias=1+2", [2]),
        ("5^2:target=2", [1, 2]),
        ("5^2:opening=poor", [1, 2]),
        ("5^2:opening=poorx2,first=2", [1, 2]),
        ("5^2:misere", []),
        ("5^2:gravity", []),
        ("5^2:players=3", []),
        ("5^2:convention=avoider-enforcer", []),
    ],
)
def test_who_may_use_pairs(spec: str, seats: list[int]) -> None:
    assert [seat for seat in (1, 2) if may_pair(Game(spec), seat)] == seats


@pytest.mark.parametrize(
    ("spec", "seat"),
    [
        ("3^2:misere", 1),
        ("4^2:misere", 2),
        ("2^2:misere", 2),
        ("3^2:misere,blocked=centre", None),
        ("3^2:misere,blocked=0", None),
        ("3^2:misere,blocked=0+8", 1),
        ("4^2:misere,blocked=0+15", 2),
        ("1^2:misere", None),
        ("7,6,4:misere", None),
        ("3^2", None),
        ("3^2:misere,target=2", None),
        ("3^2:misere,gravity", None),
    ],
)
def test_who_mirrors(spec: str, seat: int | None) -> None:
    assert mirroring_seat(Game(spec)) == seat


@pytest.mark.parametrize(
    ("spec", "moves", "move"),
    [
        ("3^2:misere", "", 4),
        ("3^2:misere", "4,0", 8),
        ("3^2:misere", "4,0,8", None),
        ("3^2:misere", "4,0,8,1", 7),
        ("3^2:misere", "0,4", None),
        ("3^2:misere", "4,0,1,2", None),
        ("3^2:misere", "0,8,1,7", None),
        ("4^2:misere", "", None),
        ("4^2:misere", "5", 10),
        ("4^2:misere", "5,10,0", 15),
        ("4^2:misere", "5,0,10", None),
        ("4^2:misere", "5,0,15", 10),
        ("3^2:misere,blocked=0+8", "4,1", 7),
        ("3^2", "", None),
    ],
)
def test_mirrored_moves(spec: str, moves: str, move: int | None) -> None:
    assert mirroring_move(Game(spec).position(f"moves:{moves}")) == move


@pytest.mark.parametrize(
    "spec",
    [
        "3^2:misere",
        "3^3:misere",
        "4^2:misere",
        "4^3:misere",
        "5^2:misere",
        "3^3:misere,blocked=0+26",
    ],
)
def test_whoever_mirrors_never_loses(spec: str) -> None:
    game = Game(spec)
    seat = mirroring_seat(game)
    assert seat == (2 if game.side == 4 else 1)
    rng = random.Random(3)
    for _ in range(60):
        position = game.start()
        while not position.is_over:
            if position.to_move == seat:
                move = require(mirroring_move(position))
            else:
                assert mirroring_move(position) is None
                move = rng.choice(position.legal_moves)
            position = position.play(move)
        assert require(position.outcome).loser != seat


def test_every_play_of_three_squared_misere() -> None:
    def walk(position: Position) -> int:
        if position.outcome is not None:
            assert position.outcome.loser != 1
            return 1
        if position.to_move == 1:
            move = require(mirroring_move(position))
            return walk(position.play(move))
        return sum(walk(position.play(cell)) for cell in position.legal_moves)

    assert walk(Game("3^2:misere").start()) > 100


@pytest.mark.parametrize(
    "spec",
    [
        "3^2",
        "3^2:misere,players=3",
        "3^2:misere,gravity",
        "3^2:misere,target=2",
        "3^2:misere,blocked=centre",
        "3^2:misere,blocked=0",
        "3^2:misere,opening=poor",
        "7,6,4:misere",
        "1^2:misere",
    ],
)
def test_where_mirroring_proves_nothing(spec: str) -> None:
    assert mirroring_seat(Game(spec)) is None
    assert mirroring_move(Game(spec).start()) is None


def test_stones_that_are_not_mirrored() -> None:
    game = Game("3^2:misere")
    assert mirroring_move(game.position("moves:0,4")) is None
    assert mirroring_move(game.position("moves:4,0,1,8")) is None


def test_the_expert_mirrors() -> None:
    expert = ExpertAgent(simulations=10)
    explanation = expert.explain(Game("5^3:misere").start(), 0)
    assert explanation.move == 62
    assert "mirror" in explanation.reason.lower()
