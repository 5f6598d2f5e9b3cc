"""Every game, of all rules, is played alike by all parts of the program."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import hyperoxo as ox
from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game, Position
from hyperoxo.solvers import conformance
from hyperoxo.solvers.conformance import check_game
from tests.strategies import games


@pytest.mark.more
@settings(max_examples=60)
@given(games(new_rules=True, most_players=4))
def test_all_parts_play_random_games_alike(game: Game) -> None:
    found = check_game(game, games=2)
    assert found.checked[0] == "spelling"
    assert "solving" not in found.refused
    assert "exact search" not in found.refused


@pytest.mark.parametrize(
    "spec",
    [
        "4^3",
        "4^3:convention=maker-breaker",
        pytest.param("5,5,4:convention=avoider-enforcer,bias=1+2", marks=pytest.mark.more),
        "7,6,4:gravity,bias=1+2,first=2",
        pytest.param("3^3:players=3,bias=2+1+1,first=3,target=2", marks=pytest.mark.more),
        "2^3:players=3,bias=2+1+1,first=3,target=2",
        "4^2:connect=3,wrap",
        pytest.param(
            "3^4:blocked=centre,target=9,convention=maker-breaker", marks=pytest.mark.more
        ),
    ],
)
def test_larger_games(spec: str) -> None:
    found = ox.check_game(spec, games=3, seed=1)
    assert found.positions > 10
    assert found.checked[-1] == "theorems"


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = vars(Position)["legal_moves"].func
    monkeypatch.setattr(Position, "legal_moves", property(lambda self: right(self)[:2]))
    with pytest.raises(CheckFailedError, match="compiled play differs"):
        check_game("4,4,3:gravity,first=2", games=3)


def test_a_wrong_value_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "_brute", lambda position, seat, known: 0)
    with pytest.raises(CheckFailedError, match="and brute force 0"):
        check_game("3^2:convention=maker-breaker")
