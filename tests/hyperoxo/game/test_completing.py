"""Where a player completes a line, against the line lists."""

from __future__ import annotations

import random

import pytest

from hyperoxo.game import Game, completing_cells
from hyperoxo.game.position import playable_cells
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
        assert position.landing_cells == position.legal_moves
    assert found > 10


def test_it_does_not_matter_whose_turn_it_is_or_whether_it_is_over() -> None:
    over = Game("3^2").position("moves:0,3,1,4,2")
    assert over.landing_cells == (5, 6, 7, 8)
    assert completing_cells(over, 2) == (5,)
    assert Game("3^2:opening=4").start().landing_cells == tuple(range(9))


def test_more_players() -> None:
    position = Game("3^2:players=3").position("moves:0,3,6,1,4,7")
    assert [completing_cells(position, player) for player in (1, 2, 3)] == [(2,), (5,), (8,)]


def test_an_opening_that_restricts_several_moves() -> None:
    game = Game("3,3,2:opening=0+8x2")
    first = game.start().play(0)
    assert (playable_cells(first, 1), completing_cells(first, 1)) == ((8,), ())
    assert completing_cells(first.play(1), 1) == immediate_wins(first.play(1)) == ()
    # The restriction lapses where no opening cell is left.
    lapsed = first.play(8)
    assert playable_cells(lapsed, 1) == lapsed.legal_moves
    assert completing_cells(lapsed, 1) == immediate_wins(lapsed) == (1, 3, 4)
    assert completing_cells(lapsed, 2) == immediate_wins(lapsed, 2) == (4, 5, 7)
