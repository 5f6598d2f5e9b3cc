"""Traits: one of each axis, and requirements that refuse what they do not name."""

from __future__ import annotations

import pytest
from hypothesis import given

from hyperoxo.errors import HyperoxoError, NotSupportedError
from hyperoxo.game import Axis, Game, Requires, Trait
from tests.strategies import games

ORDINARY = Requires("x")
ALL = Requires("y", Axis)


def test_the_first_of_each_axis_is_ordinary() -> None:
    assert Game("3^2").traits == ORDINARY.accepted
    assert len(ORDINARY.accepted) == len(Axis)


@given(games())
def test_a_game_has_one_trait_of_each_axis(game: Game) -> None:
    assert sorted(t.axis.value for t in game.traits) == sorted(axis.value for axis in Axis)
    assert ALL.accepts(game)
    assert ORDINARY.accepts(game) == (game.traits == Game("3^2").traits)


@pytest.mark.parametrize(
    ("spec", "trait"),
    [
        ("3^2:misere", Trait.MISERE),
        ("3^2:players=3", Trait.SEVERAL_PLAYERS),
        ("3^2:gravity", Trait.GRAVITY),
        ("3^2:target=2", Trait.SEVERAL_LINES),
        ("4,4,3:exact", Trait.EXACT_ROWS),
        ("3^2:opening=poor", Trait.RESTRICTED_FIRST_MOVE),
        ("3^2:opening=poorx2", Trait.RESTRICTED_MOVES),
        ("3^2:opening=poorx3", Trait.RESTRICTED_MOVES),
    ],
)
def test_an_option_changes_one_trait(spec: str, trait: Trait) -> None:
    assert Game(spec).traits - ORDINARY.accepted == {trait}
    with pytest.raises(NotSupportedError):
        ORDINARY.check(Game(spec))
    assert Requires("z", {trait}).accepts(Game(spec))
    assert not Requires("z", {trait}).accepts(Game("3^2"))
    assert Requires("z", {trait.axis}).accepts(Game(spec))


def test_a_shorter_first_turn_is_a_trait_of_its_own() -> None:
    biased = Requires("x", {Trait.BIASED})
    assert biased.accepts(Game("3^2:bias=2+2"))
    assert biased.missing(Game("3^2:bias=2+2,first-turn=1")) == ("a first turn like the others",)


def test_a_refusal_says_what_is_missing() -> None:
    needs = Requires("threat search", {Trait.ANY_CELL, Trait.GRAVITY})
    needs.check(Game("3^2:gravity"))
    with pytest.raises(NotSupportedError) as caught:
        needs.check(Game("3^2:players=3,misere,gravity"))
    assert str(caught.value) == (
        "threat search is not supported for 3^2:players=3,misere,gravity: "
        "it needs normal play and two players"
    )
    assert isinstance(caught.value, HyperoxoError)
    assert caught.value.exit_code == 2


def test_an_axis_may_offer_a_choice() -> None:
    needs = Requires("mirroring", {Trait.MISERE, Trait.AVOIDER_ENFORCER})
    assert needs.missing(Game("3^2")) == ("misère play or Avoider-Enforcer play",)
    assert needs.missing(Game("3^2:misere")) == ()
