"""Full boards without a line."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import NotSupportedError
from hyperoxo.game import Game, Position
from hyperoxo_research.draws.full_boards import full_board


@pytest.mark.parametrize(
    "spec", ["3^2", "4^2", "4^3", "4^4", "5^3:blocked=centre", "3^3:players=3", "4,3,3:misere"]
)
def test_a_full_board_ends_a_drawn_game(spec: str) -> None:
    game = Game(spec)
    found = full_board(game)
    assert found.owners is not None
    end = Position.from_owners(game, bytes(found.owners))
    assert end.outcome is not None
    assert end.outcome.draw
    shares = [found.owners.count(player + 1) for player in range(game.players)]
    assert max(shares) - min(shares) <= 1
    assert shares == sorted(shares, reverse=True)


@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=4), max_size=8))
@settings(max_examples=60, deadline=None)
def test_small_boards_are_decided(lines: list[frozenset[int]]) -> None:
    text = "/".join("+".join(map(str, sorted(line))) for line in {*lines})
    game = Game(f"7{{{text}}}")
    crosses = [set(some) for some in combinations(range(7), 4)]
    exists = any(not any(line <= some or not line & some for line in lines) for some in crosses)
    found = full_board(game)
    assert (found.owners is not None) == exists
    assert found.exhausted == (not exists)


def test_where_there_is_none() -> None:
    assert full_board(Game("3^3")).exhausted
    assert not full_board(Game("3^4"), exchanges=50).exhausted
    with pytest.raises(NotSupportedError, match="gravity"):
        full_board(Game("3^2:gravity"))


def test_searches_that_are_cut_off_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperoxo_research.draws.full_boards._MOST_FILLED", 5)
    found = full_board(Game("3^3"), exchanges=50)
    assert (found.owners, found.exhausted) == (None, False)
