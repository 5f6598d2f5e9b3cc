"""Changes of a game in play (events): frozen values that are stored, sent and replayed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import ClassVar, dataclass_transform


def now() -> int:
    """Return the wall-clock time in milliseconds since 1970; it may be set."""
    return time.time_ns() // 1_000_000


def ticks() -> int:
    """Return the monotonic time in milliseconds, for the clocks of games."""
    # It may stop while the machine sleeps, and is meaningless in another process.
    return time.monotonic_ns() // 1_000_000


@dataclass_transform(kw_only_default=True, frozen_default=True)
@dataclass(frozen=True, kw_only=True)
class Change:
    """One change of a game, with its monotonic time `at` and its wall-clock time `made`.

    Its `kind` in files is the name of its class in lower case.
    """

    kind: ClassVar[str] = "change"
    at: int
    made: int = field(default_factory=now, compare=False)

    def __init_subclass__(cls) -> None:
        cls.kind = cls.__name__.lower()
        dataclass(frozen=True, kw_only=True)(cls)


class Created(Change):
    """The game is created; always the first change."""

    game: str
    seats: tuple[tuple[str, str | None, str | None], ...]
    id: str = ""
    host: str = ""
    setup: str | None = None
    moves: tuple[int, ...] = ()
    title: str = ""
    listed: bool = True
    pace: float = 0.0
    seed: int = 0
    clock: tuple[float, float] | None = None
    ended: tuple[str, int | None] | None = None
    analysis: str = "always"
    guest: bool = False
    """True if it was made from another machine than the server's."""


class Moved(Change):
    """A stone is put on `cell` by the player to move."""

    player: int
    cell: int
    node: int
    reason: str = ""


class Went(Change):
    """The game jumps to another position of its history."""

    node: int
    by: int = 0


class Ended(Change):
    """A player resigned (`how` is ``"resigned"``) or ran out of time (``"time"``)."""

    how: str
    player: int


class Asked(Change):
    """A player requests consent; see `Request`."""

    request: str
    by: int
    node: int | None = None


class Answered(Change):
    """A player accepts or declines; the last acceptance grants the request."""

    by: int
    yes: bool


class Swapped(Change):
    """The players rotate by one seat: the first becomes the second."""

    by: int = 0


class Seated(Change):
    """A seat gets another name, another agent, or changes between person and agent."""

    player: int
    name: str
    agent: str | None = None
    token: str | None = None


class Titled(Change):
    """The game gets another title, or is shown in lists or not."""

    title: str
    listed: bool = True


class Paused(Change):
    """Agents stop moving, and clocks stop."""

    reason: str


class Resumed(Change):
    """Agents and clocks go on; with `restart`, after a stored game was loaded."""

    restart: bool = False
