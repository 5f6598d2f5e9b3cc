from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.errors import NotationError, SpecError
from hyperoxo.game import Game, Position, Positions
from tests.strategies import games, play_at_random


@pytest.mark.more
@given(games(new_rules=True), st.lists(st.integers(0, 2**32), min_size=1, max_size=4))
def test_positions_are_those_that_went_in(game: Game, seeds: list[int]) -> None:
    given_ones = [play_at_random(game.start(), seed, seed % (game.cells + 1)) for seed in seeds]
    many = Positions.of(given_ones)
    assert list(many) == given_ones
    assert many.plies.tolist() == [position.ply for position in given_ones]
    assert list(many[1:]) == given_ones[1:]
    assert list(many[np.arange(len(many))[::-1]]) == given_ones[::-1]
    assert Positions.of(many) is many
    assert Positions.of("3^2")[0] == Game("3^2").start()


def test_positions_of_no_game_or_of_several_are_refused() -> None:
    with pytest.raises(SpecError, match="positions of one game are needed, not of 2"):
        Positions.of([Game("3^2").start(), Game("2^2").start()])
    with pytest.raises(SpecError, match="not of 0"):
        Positions.of([])
    with pytest.raises(SpecError, match=r"rows of 9 cells, not an array of shape \(1, 8\)"):
        Positions("3^2", [[0] * 8])


def test_an_illegal_position_is_refused_when_it_is_taken_out() -> None:
    many = Positions("3^2", [[2, 0, 0, 0, 0, 0, 0, 0, 0]])
    with pytest.raises(NotationError, match="player 1 has 0 of 1 stones"):
        many[0]
    with pytest.raises(ValueError, match="read-only"):
        many.owners[0, 0] = 1
    assert isinstance(Positions("3^2", np.zeros((1, 9)))[0], Position)
