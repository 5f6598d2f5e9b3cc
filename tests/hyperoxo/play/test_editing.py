from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from hyperoxo.game import Game, Position, owners_of, spelled
from hyperoxo.play.editing import set_up
from tests.strategies import games, positions


def words(spec: str, cells: str) -> str:
    game = Game(spec)
    found = set_up(game, owners_of(game, cells))
    assert (found.position is None) == bool(found.trouble)
    assert "\n" not in found.trouble
    assert "player 1" not in found.trouble
    return found.trouble


@pytest.mark.more
@given(positions(games(new_rules=True)))
def test_what_play_leads_to_is_no_trouble(position: Position) -> None:
    found = set_up(position.game, position.owners)
    assert (found.trouble, found.cells) == ("", ())
    assert found.position is not None
    assert found.text == spelled(position.owners) == position.text
    if not position.is_over:
        assert found.movers[position.to_move] == position.game.first


@pytest.mark.parametrize(
    ("spec", "cells", "said"),
    [
        (
            "3^2",
            "XX./X../..O",
            "Cross has 3 stones and Ring has 1 stone; if Cross began it would be 2 and 2.",
        ),
        (
            "3^2",
            "O../.../...",
            (
                "Cross has 0 stones and Ring has 1 stone; if Cross began it would be 1 and 0. "
                "Choose who is to move."
            ),
        ),
        (
            "3^2",
            "XXX/OOO/...",
            "Cross and Ring have a full line each, but the first would have ended the game.",
        ),
        (
            "3^2",
            "XXX/OO./O..",
            "Cross has a full line, but Ring moved last: the game was over before.",
        ),
        (
            "3^2:target=2",
            "XXX/OOO/XXX",
            "Cross has 6 stones and Ring has 3 stones; if Cross began it would be 5 and 4.",
        ),
        (
            "3,4,3",
            "XXX/OO./XXX/OO.",
            "Cross has 6 stones and Ring has 4 stones; if Cross began it would be 5 and 5.",
        ),
        (
            "4,4,3",
            "XXX./OO.O/XXX./OO..",
            "Cross has too many lines: no last stone completes all of them.",
        ),
        ("4,3,3:gravity", "..../XO../.O..", "The stone on cell a2 rests on nothing."),
        (
            "4,3,3:gravity",
            "X.../XOX./....",
            "The stones on cells a2, b2 and c2 rest on nothing.",
        ),
        (
            "7,6,4:gravity",
            "......./......./XOXOXOX/OX...../......./.......",
            ("The stones on cells a3, b3, c4, d4, e4, f4 and 1 more rest on nothing."),
        ),
    ],
)
def test_what_is_wrong_is_said_in_words(spec: str, cells: str, said: str) -> None:
    assert words(spec, cells) == said


def test_who_may_be_to_move() -> None:
    game = Game("3^2")
    assert set_up(game, game.start().owners).movers == {1: 1, 2: 2}
    assert set_up(game, owners_of(game, "X../.../...")).movers == {2: 1}
    assert set_up(game, owners_of(game, "O../.../...")).movers == {1: 2}
    assert set_up(game, owners_of(game, "XX./.../...")).movers == {}
    three = Game("3^2:players=3")
    assert set_up(three, owners_of(three, "OY./.../...")).movers == {1: 2}


@pytest.mark.more
@given(positions(games(new_rules=True)))
def test_each_of_them_is_to_move_where_that_player_began(position: Position) -> None:
    game = position.game
    for mover, first in set_up(game, position.owners).movers.items():
        assert replace(game.turns, first=first).mover(position.ply) == mover


def test_other_rules_have_the_words_of_the_error() -> None:
    assert words("3^2:opening=4", "X../.../...") == "Cross did not keep to the opening restriction."
