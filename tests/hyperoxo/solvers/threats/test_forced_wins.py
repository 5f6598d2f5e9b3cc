"""The shortest forced win and all first moves, against the definition."""

from __future__ import annotations

import random

import pytest

from hyperoxo.errors import NotSupportedError, SpecError
from hyperoxo.game import Game
from hyperoxo.solvers.threats.forced_wins import forced_wins
from hyperoxo.solvers.threats.sequence import verify_sequence
from tests.marks import more
from tests.threat_oracle import ThreatOracle, compare, random_position

ROWS = [
    ("3^2", 3, 6, 60),
    ("4^2", 5, 12, 60),
    ("3^3", 2, 10, 30),
    ("5,5,4", 4, 12, 40),
    ("7,6,4:gravity", 4, 20, 40),
    ("4^3", 10, 18, 12),
    ("3^4", 3, 12, 12),
    ("3^3:first=2", 2, 10, 30),
    ("4^2:convention=maker-breaker", 4, 10, 60),
    ("4^3:convention=maker-breaker,first=2", 8, 16, 24),
    ("7,6,4:convention=maker-breaker,gravity", 4, 20, 40),
]


@pytest.mark.parametrize(
    ("spec", "least", "most", "count"),
    more(
        ROWS,
        [
            ("4^3", 10, 18, 12),
            ("3^4", 3, 12, 12),
            ("3^3:first=2", 2, 10, 30),
            ("4^3:convention=maker-breaker,first=2", 8, 16, 24),
        ],
    ),
)
def test_every_move_against_the_definition(spec: str, least: int, most: int, count: int) -> None:
    game = Game(spec)
    rng = random.Random(spec)
    oracle = ThreatOracle(game, most=200)
    wins = compared = 0
    for _ in range(count):
        position = random_position(game, rng.randint(least, most), rng)
        found = forced_wins(position)
        assert found.complete
        expected = compare(oracle, found)
        if expected is None:
            continue
        compared += 1
        wins += bool(expected)
        for move in found.moves:
            assert move.line[0] == move.cell
            assert len(move.line) == 2 * move.length + 1
            if move.length:
                assert verify_sequence(position, "x".join(map(str, move.line))).holds
    assert wins > 2
    assert compared > count // 2


def test_the_shortest_win_after_the_published_quiet_moves() -> None:
    found = forced_wins(Game("4^3").position("moves:0,3,60,21,15,51,12,63"))
    assert found.length == 5
    assert {move.cell: move.length for move in found.moves} == {
        4: 5, 5: 6, 8: 5, 10: 6, 13: 6, 14: 6, 20: 5, 28: 5, 30: 6, 40: 5, 44: 5, 45: 6
    }  # fmt: skip


def test_more_than_64_cells_and_names() -> None:
    found = forced_wins(Game("3^4").position("moves:40,0"))
    assert found.status == "win"
    assert found.complete
    assert forced_wins("4^3").status == "none"
    assert forced_wins(Game("5^3").start()).complete


def test_what_must_be_stopped() -> None:
    found = forced_wins(Game("3^2").position("moves:0,4,1"))
    assert (found.status, found.forced, found.moves) == ("none", (2,), ())
    two = forced_wins(Game("3^2").position("moves:4,1,0,8,6"))
    assert (two.status, two.forced) == ("none", (2, 3))


def test_limits_leave_moves_undecided() -> None:
    position = Game("4^3").position("moves:0,3,60,21,15,51,12,63")
    for nodes in (1, 50, 300, 2000, 4000):
        found = forced_wins(position, nodes=nodes)
        assert found.nodes <= nodes
        assert not found.complete
        assert found.status in ("win", "unknown")
        assert set(found.undecided) <= set(position.legal_moves)
        if found.status == "win":
            assert found.length is not None
            assert found.length >= 5
            assert (found.length == 5) or not found.shortest
            assert found.moves
    assert forced_wins(position, seconds=0).status in ("unknown", "win")
    assert forced_wins(position, nodes=100_000, seconds=60).complete


def test_opening_restrictions_leave_it_open() -> None:
    found = forced_wins(Game("3^3:opening=poorx3"))
    assert found.status == "unknown"
    assert not found.complete


def test_finished_games_and_what_is_refused() -> None:
    over = forced_wins(Game("3^2").position("moves:0,3,1,4,2"))
    assert (over.status, over.moves, over.complete) == ("none", (), True)
    with pytest.raises(NotSupportedError, match="misere"):
        forced_wins("3^3:misere")
    with pytest.raises(SpecError, match="must be a number"):
        forced_wins("3^3", seconds=float("nan"))
