"""Values of positions and moves, bounds on them, and the reasons why they hold.

A value belongs to a player and says what that player can force. With two players it is a loss, a
draw or a win. With more it is what the player can force against all others together, and the least
is nothing rather than a loss: a player who can force nothing need not lose to a particular other
player. The two scales are never mixed, and nothing has no opposite.

:mod:`hyperoxo.game.messages` turns all of this into words.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import Any

from hyperoxo.display import Words


class Value(StrEnum):
    """Game value for a player: the result they can force; ordered, as text the word in JSON."""

    LOSS = "loss"
    NOTHING = "nothing"
    DRAW = "draw"
    WIN = "win"

    @classmethod
    def of(cls, number: float, *, least: Value | None = None) -> Value:
        """Return the value with the sign of a number; `least` is that of negative ones."""
        return cls.WIN if number > 0 else cls.DRAW if number == 0 else least or cls.LOSS

    @classmethod
    def least(cls, players: int) -> Value:
        """Return the least value, by the number of players."""
        return cls.LOSS if players == 2 else cls.NOTHING

    @property
    def sign(self) -> int:
        """1 for a win, 0 for a draw, else -1."""
        return _SIGNS[self]

    @property
    def points(self) -> float:
        """Points of the player, a draw half."""
        return (self.sign + 1) / 2

    def __repr__(self) -> str:
        return repr(str(self))

    __hash__ = str.__hash__  # that of an Enum is a function in Python

    def __neg__(self) -> Value:
        """Return the same value for the other of two players."""
        if self is Value.NOTHING:
            raise ValueError("a game of two players has no value 'nothing'")
        return Value.of(-self.sign)

    def __lt__(self, other: str) -> bool:
        return _SIGNS[self] < self._sign_of(other)

    def __le__(self, other: str) -> bool:
        return _SIGNS[self] <= self._sign_of(other)

    def __gt__(self, other: str) -> bool:
        return _SIGNS[self] > self._sign_of(other)

    def __ge__(self, other: str) -> bool:
        return _SIGNS[self] >= self._sign_of(other)

    def _sign_of(self, other: str) -> int:
        sign = _SIGNS[other]
        if sign < 0 and _SIGNS[self] < 0 and self != other:
            raise ValueError("a loss and nothing are values of different games")
        return sign


_SIGNS: dict[str, int] = {Value.LOSS: -1, Value.NOTHING: -1, Value.DRAW: 0, Value.WIN: 1}


class Code(Enum):
    """Codes of reasons; each value is a sentence with the names of facts in braces."""

    def __call__(self, **facts: Any) -> Reason:
        """Return a reason of this kind."""
        return Reason(self, facts)


@dataclass(frozen=True)
class Reason:
    """Reason for a value: a code, and the facts of its sentence."""

    code: Code
    facts: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return Words().vformat(self.code.value, (), self.facts)


@dataclass(frozen=True)
class Bounds:
    """Lower and upper bound of a value, with reasons that comparison ignores.

    `drawless` excludes the draw between a loss and a win, so that {loss, win} has its own bounds.
    """

    low: Value = Value.LOSS
    high: Value = Value.WIN
    reasons: tuple[Reason, ...] = field(default=(), compare=False, repr=False)
    drawless: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        if not self.drawless:
            return
        if self.low == self.high == Value.DRAW:
            raise AssertionError("a draw contradicts that none is possible")
        low = self.high if self.low is Value.DRAW else self.low
        high = self.low if self.high is Value.DRAW else self.high
        for name, value in (("low", low), ("high", high), ("drawless", low < Value.DRAW < high)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, values: Collection[Value], reasons: tuple[Reason, ...] = ()) -> Bounds:
        """Return the bounds of a set of possible values."""
        if not values:
            raise AssertionError("no value is possible: bounds contradict each other")
        return cls(min(values), max(values), reasons, Value.DRAW not in values)

    @classmethod
    def exactly(cls, value: Value, *reasons: Reason) -> Bounds:
        """Return the bounds of a value that is known."""
        return cls(value, value, reasons)

    @property
    def values(self) -> tuple[Value, ...]:
        """Every possible value, the least first."""
        if self.low is self.high:
            return (self.low,)
        between = self.low < Value.DRAW < self.high and not self.drawless
        return (self.low, Value.DRAW, self.high) if between else (self.low, self.high)

    @property
    def decided(self) -> bool:
        """True if the bounds meet."""
        return self.low == self.high

    @property
    def value(self) -> Value | None:
        """The value, None while it is open."""
        return self.low if self.decided else None

    @property
    def word(self) -> str:
        """The value in JSON: its word, or ``"unknown"``."""
        return str(self.low) if self.decided else "unknown"

    @property
    def pair(self) -> tuple[str, str]:
        """Lowest and highest possible value, as words for JSON."""
        return str(self.low), str(self.high)

    def winner(self, player: int, players: int) -> int | None:
        """Return the winner by the bounds of `player`: 0 without one, None if open."""
        if not self.decided:
            return None
        if self.low is Value.WIN:
            return player
        return 3 - player if players == 2 and self.low is Value.LOSS else 0

    def __neg__(self) -> Bounds:
        """Return the same bounds for the other of two players."""
        return Bounds(-self.high, -self.low, self.reasons, self.drawless)

    def __and__(self, other: Bounds) -> Bounds:
        """Intersect two bounds; reasons that add nothing are dropped."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low > high:
            raise AssertionError(f"{self.pair} and {other.pair} contradict each other")
        # The other bounds are wider on both sides, so their reasons explain nothing.
        if other.low < low and other.high > high and not other.drawless:
            return self
        reasons = self.reasons + other.reasons
        return Bounds(low, high, reasons, self.drawless or other.drawless)


def propagate(
    own: Bounds, moves: Sequence[Bounds], *, drawless: bool = False
) -> tuple[Bounds, list[Bounds]]:
    """Propagate bounds between a position and all its moves; return the tightest consistent ones.

    All bounds are for the player to move, with any number of players: the value of the position is
    the maximum of its moves. So no move exceeds it, and if only one move can reach it, that move
    does. Equivalent moves count once. `drawless` says that no play from here ends in a draw, which
    concerns every move.
    """
    if not moves:
        return own, []
    if drawless:
        moves = [replace(one, drawless=True) for one in moves]
    # 1. Values of the position: at least the greatest lower bound of a move, and such that some
    #    move can have them. `reached[v]` counts the moves that can have v.
    given = [one.values for one in moves]
    reached = {v: sum(v in values for values in given) for v in own.values}
    least = max(values[0] for values in given)
    best = [v for v, count in reached.items() if count and v >= least]
    bounds = []
    for values, one in zip(given, moves, strict=True):
        # 2. A value of a move stays if for some value v of the position it is v, or it is less and
        #    another move can be v.
        left = [
            w for w in values if any(w == v or (w < v and reached[v] > (v in values)) for v in best)
        ]
        bounds.append(one if len(left) == len(values) else Bounds.of(left, one.reasons))
    return Bounds.of(best, own.reasons), bounds
