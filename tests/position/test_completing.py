"""Where a player completes a line, against the line lists."""

from __future__ import annotations

import random

import pytest

from hyperoxo.position import completing_cells, landing_cells
from hyperoxo.rules import Game
from hyperoxo.solvers.threats.search import immediate_wins
from tests.threat_oracle import ThreatOracle, random_position

SPECS = ["3^2", "4^3", "5,5,4", "7,6,4:gravity", "3^3:gravity", "3^3:blocked=centre", "3^2:gravity"]


@pytest.mark.parametrize("spec", SPECS)
def test_against_definition_and_compiled_search(spec: str) -> None:
    game = Game(spec)
    rng = random.Random(spec)
    oracle = ThreatOracle(game)
    found = 0
    for _ in range(30):
        position = random_position(game, rng.randint(3, game.cells // 2 + 2), rng)
        for player in (1, 2):
            cells = completing_cells(position, player)
            found += len(cells)
            assert list(cells) == oracle.completing(position, player)
            assert cells == immediate_wins(position, player)
        assert landing_cells(position) == position.legal_moves
    assert found > 10


def test_it_does_not_matter_whose_turn_it_is_or_whether_it_is_over() -> None:
    over = Game("3^2").position("moves:0,3,1,4,2")
    assert landing_cells(over) == (5, 6, 7, 8)
    assert completing_cells(over, 2) == (5,)
    assert landing_cells(Game("3^2:opening=4").start()) == tuple(range(9))


def test_more_players() -> None:
    position = Game("3^2:players=3").position("moves:0,3,6,1,4,7")
    assert [completing_cells(position, player) for player in (1, 2, 3)] == [(2,), (5,), (8,)]
