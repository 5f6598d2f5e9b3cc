"""The grammar of game specs: text in, plain values out.

::

    spec    = board [":" option {"," option}]
    board   = SIDE "^" DIM  |  M "," N "," K  |  CELLS "{" line {"/" line} "}"
    line    = cell {"+" cell}
    option  = "players=" Q | "target=" T | "misere" | "gravity" ["=" AXIS]
            | "convention=" NAME | "bias=" CELLS "+" CELLS {"+" CELLS} | "first=" PLAYER
            | "blocked=" ("centre" | cells) | "opening=" ("poor" | "rich" | cells) ["x" MOVES]
    cells   = cell {"+" cell}
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from hyperoxo.board.kinds import KINDS, BoardSpec
from hyperoxo.errors import SpecError, quoted

__all__ = ["BoardSpec", "GameSpec", "OpeningSpec", "parse_game_spec"]

_OPTIONS = (
    *("players", "target", "misere", "convention", "bias", "first"),
    *("gravity", "blocked", "opening"),
)
_MAX_DIGITS = 9


@dataclass(frozen=True)
class OpeningSpec:
    """An opening restriction as spelled: which cells, for how many moves."""

    cells: tuple[int, ...] | str
    moves: int


@dataclass(frozen=True)
class GameSpec:
    """A game as spelled; nothing is checked against the board yet."""

    board: BoardSpec | None
    players: int = 2
    target: int = 1
    misere: bool = False
    gravity: int | None = None
    blocked: tuple[int, ...] | str = ()
    opening: OpeningSpec | None = None
    convention: str | None = None
    bias: tuple[int, ...] | None = None
    first: int = 1


def parse_game_spec(text: str) -> GameSpec:
    """Read a game spec."""
    return _Reader(text).read()


class _Reader:
    """One pass over a spec; `at` is where the part being read starts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, what: str) -> NoReturn:
        raise SpecError(f"bad game {quoted(self.text)}: {what} (character {self.at + 1})")

    def read(self) -> GameSpec:
        if not isinstance(self.text, str):
            raise SpecError(f"a game spec is text, not {type(self.text).__name__}")
        head, colon, tail = self.text.partition(":")
        board = self.board(head)
        values: dict[str, object] = {}
        self.at = len(head) + 1
        if colon and not tail:
            self.fail("an option must follow ':'")
        for option in tail.split(",") if tail else ():
            name, equals, value = option.partition("=")
            if name not in _OPTIONS:
                self.fail(f"unknown option {quoted(name, 20)}; options are {', '.join(_OPTIONS)}")
            if name in values:
                self.fail(f"option '{name}' is given twice")
            if equals and not value:
                self.fail(f"option '{name}' has no value after '='")
            values[name] = self.option(name, value if equals else None)
            self.at += len(option) + 1
        return GameSpec(board, **values)  # type: ignore[arg-type]

    def board(self, head: str) -> BoardSpec:
        for name, kind in KINDS.items():
            if match := re.fullmatch(kind.pattern, head):
                rows = match.groupdict().get("lines")
                others = range(1, match.re.groups + 1 - len(match.groupdict()))
                sizes = [match[group] for group in others]
                lines = tuple(self.cells("line", row) for row in rows.split("/")) if rows else ()
                return BoardSpec(name, self.sizes(*sizes), lines)
        forms = [kind.form for kind in KINDS.values() if kind.form]
        return self.fail(f"a board is {', or '.join(forms)}")

    def sizes(self, *digits: str) -> tuple[int, ...]:
        return tuple(self.number("a size", text) for text in digits)

    def number(self, name: str, text: str | None) -> int:
        if text is None:
            self.fail(f"{name} needs a value, as in '{name}=2'")
        if not (text.isascii() and text.isdigit()):
            self.fail(f"{name} must be a whole number, not {quoted(text, 20)}")
        if len(text) > _MAX_DIGITS:
            self.fail(f"{name} is too large")
        return int(text)

    def cells(self, name: str, text: str) -> tuple[int, ...]:
        numbers = tuple(self.number(f"{name}: a cell", part) for part in text.split("+"))
        if len(set(numbers)) != len(numbers):
            self.fail(f"{name} names a cell twice")
        return tuple(sorted(numbers))

    def of_play(self, name: str, value: str | None) -> object:
        example = {"convention": "maker-breaker", "bias": "1+2"}[name]
        if value is None:
            self.fail(f"{name} needs a value, as in '{name}={example}'")
        if name == "convention":
            return value
        return tuple(self.number(name, part) for part in value.split("+"))

    def option(self, name: str, value: str | None) -> object:
        if name in ("players", "target", "first"):
            return self.number(name, value)
        if name in ("convention", "bias"):
            return self.of_play(name, value)
        if name == "gravity":
            return 0 if value is None else self.number(name, value)
        if name == "misere":
            if value is not None:
                self.fail("option 'misere' takes no value")
            return True
        if value is None:
            self.fail(f"{name} needs cells, as in '{name}=0+5'")
        if name == "blocked":
            return value if value == "centre" else self.cells(name, value)
        cells, times, moves = value.partition("x")
        count = self.number("opening: the number of moves", moves) if times else 1
        return OpeningSpec(cells if cells in ("poor", "rich") else self.cells(name, cells), count)
