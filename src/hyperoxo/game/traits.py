"""Traits of games, and requirements of the parts that consume games.

A game has exactly one trait of each axis (`Game.traits`). Whatever holds only for some games
(a theorem, a kernel, a checker, an agent, a page) says which traits it accepts::

    STEALING = Requires("strategy stealing", {Trait.SEVERAL_LINES, Trait.ONE_LINE})
    STEALING.holds(game)  # bool
    STEALING.check(game)  # NotSupportedError unless it holds

- Of an axis that is mentioned, exactly the traits mentioned are accepted.
- Of an axis that is not mentioned, only its ordinary trait is: the first of the axis, that of
  plain tic-tac-toe. ``Requires("x")`` therefore accepts ordinary games only.
- An `Axis` stands for all its traits, also those that rules to come will add. Accept it only
  where the rules are left to `Position` or to `kernels.state`, and nothing of its own would
  become wrong. ``Requires("perft", Axis)`` accepts every game.

So a new rule that a consumer does not know is "not supported", never wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING

from hyperoxo.errors import NotSupportedError

if TYPE_CHECKING:
    from hyperoxo.game.game import Game


class Axis(Enum):
    """A dimension in which games differ."""

    CONVENTION = "convention"
    PLAYERS = "players"
    TURNS = "turns"
    START = "start"
    FIRST_TURN = "first turn"
    PLACEMENT = "placement"
    TARGET = "target"
    ROWS = "rows"
    OPENING = "opening"

    @property
    def traits(self) -> tuple[Trait, ...]:
        """The traits of the axis, the ordinary one first."""
        return tuple(trait for trait in Trait if trait.axis is self)


class Trait(Enum):
    """A value of one axis: the axis, and its words in messages."""

    STRONG = Axis.CONVENTION, "normal play"
    MISERE = Axis.CONVENTION, "misère play"
    MAKER_BREAKER = Axis.CONVENTION, "Maker-Breaker play"
    AVOIDER_ENFORCER = Axis.CONVENTION, "Avoider-Enforcer play"
    TWO_PLAYERS = Axis.PLAYERS, "two players"
    SEVERAL_PLAYERS = Axis.PLAYERS, "three or more players"
    ALTERNATE = Axis.TURNS, "one cell a turn"
    BIASED = Axis.TURNS, "a bias"
    PLAYER_ONE_STARTS = Axis.START, "player 1 to start"
    ANOTHER_STARTS = Axis.START, "another player than 1 to start"
    WHOLE_FIRST_TURN = Axis.FIRST_TURN, "a first turn like the others"
    SHORT_FIRST_TURN = Axis.FIRST_TURN, "a first turn of fewer cells"
    ANY_CELL = Axis.PLACEMENT, "no gravity"
    GRAVITY = Axis.PLACEMENT, "gravity"
    ONE_LINE = Axis.TARGET, "a target of one line"
    SEVERAL_LINES = Axis.TARGET, "a target of several lines"
    LONGER_ROWS = Axis.ROWS, "longer rows that count"
    EXACT_ROWS = Axis.ROWS, "rows of exact length"
    FREE_OPENING = Axis.OPENING, "no opening restriction"
    RESTRICTED_FIRST_MOVE = Axis.OPENING, "an opening restriction of one move"
    RESTRICTED_MOVES = Axis.OPENING, "an opening restriction of several moves"

    def __init__(self, axis: Axis, words: str) -> None:
        self.axis, self.words = axis, words


class Known:
    """Groups of traits for consumers; adding one requires a review of each consumer."""

    PLAYERS = (Trait.TWO_PLAYERS, Trait.SEVERAL_PLAYERS)
    BIASES = (Trait.ALTERNATE, Trait.BIASED)
    STARTS = (Trait.PLAYER_ONE_STARTS, Trait.ANOTHER_STARTS)
    FIRST_TURNS = (Trait.WHOLE_FIRST_TURN, Trait.SHORT_FIRST_TURN)
    PLACEMENTS = (Trait.ANY_CELL, Trait.GRAVITY)
    TARGETS = (Trait.ONE_LINE, Trait.SEVERAL_LINES)
    ROWS = (Trait.LONGER_ROWS, Trait.EXACT_ROWS)
    OPENINGS = (Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES)


CLASSIC = frozenset(
    {
        *(Trait.STRONG, Trait.MISERE, Trait.ALTERNATE, Trait.PLAYER_ONE_STARTS),
        *(Trait.WHOLE_FIRST_TURN, Trait.LONGER_ROWS),
        *(*Known.PLAYERS, *Known.PLACEMENTS, *Known.TARGETS, *Known.OPENINGS),
    }
)
"""Traits of the games whose players take a cell each in turn, player 1 first, and complete lines or
avoid that: what a part accepts that knows these rules and their options, and no others."""

ALL_RULES = CLASSIC | {
    *(Trait.MAKER_BREAKER, Trait.AVOIDER_ENFORCER),
    *(*Known.BIASES, *Known.STARTS, *Known.FIRST_TURNS, *Known.ROWS),
}
"""Traits of the games that consumers accept who know every rule there is."""


class Requires:
    """Requirement of a named consumer: the traits that it accepts."""

    def __init__(self, name: str, accepted: Iterable[Trait | Axis] = ()) -> None:
        self.name = name
        each = (one.traits if isinstance(one, Axis) else (one,) for one in accepted)
        mentioned = {trait for traits in each for trait in traits}
        axes = {trait.axis for trait in mentioned}
        ordinary = {axis.traits[0] for axis in Axis if axis not in axes}
        self.accepted = frozenset(mentioned | ordinary)

    def accepts(self, game: Game) -> bool:
        """Return True if every trait of the game is accepted."""
        return game.traits <= self.accepted

    def missing(self, game: Game) -> tuple[str, ...]:
        """The accepted traits in words, an entry for each axis where the game differs."""
        faults = {trait.axis for trait in game.traits - self.accepted}
        return tuple(
            " or ".join(trait.words for trait in axis.traits if trait in self.accepted)
            for axis in Axis
            if axis in faults
        )

    def check(self, game: Game) -> None:
        """Refuse a game that is not accepted."""
        if missing := self.missing(game):
            raise NotSupportedError(
                f"{self.name} is not supported for {game}: it needs {' and '.join(missing)}"
            )
