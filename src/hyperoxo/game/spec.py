"""The grammar of game specs, as a table of options: text in, plain values out, and back.

::

    spec    = board [":" option {"," option}]
    board   = what a kind in `hyperoxo.board.registry` spells: SIDE "^" DIM  |  M "," N "," K
            | CELLS "{" line {"/" line} "}"  |  SIDE "x" SIDE {"x" SIDE}
    option  = an entry of `OPTIONS`: NAME  |  NAME "=" VALUE
    line, cells, axes = number {"+" number}

A new option is an entry of `OPTIONS`, with a new form in `FORMS` if none fits; parsing,
spelling, the forms of terminal and browser and the table in the documentation follow it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from hyperoxo.board.registry import KINDS, BoardSpec
from hyperoxo.display import as_data
from hyperoxo.errors import SpecError, meant, quoted
from hyperoxo.game.conventions import CONVENTIONS

MAX_PLAYERS = 8

_MAX_DIGITS = 9
_SIDES = re.compile(r"([1-4])[x×]\1|([0-9]+)(?:[x×]\2){2,}")  # 15x15 may be gomoku
_SIZES = re.compile(r"([0-9]+)[x×]([0-9]+)")


@dataclass(frozen=True)
class OpeningSpec:
    """An opening restriction as spelled: cells and number of moves."""

    cells: tuple[int, ...] | str
    moves: int


@dataclass(frozen=True)
class GameSpec:
    """A game as spelled; nothing is checked against the board yet."""

    board: BoardSpec
    players: int = 2
    target: int = 1
    misere: bool = False
    gravity: int | None = None
    blocked: tuple[int, ...] | str = ()
    opening: OpeningSpec | None = None
    convention: str | None = None
    bias: tuple[int, ...] | None = None
    first: int = 1
    first_turn: int | None = None

    def values(self) -> dict[str, Any]:
        """Values of all options by name."""
        holders = self, self.board
        return {one.name: getattr(holders[one.board], one.keyword) for one in OPTIONS}

    def keywords(self) -> dict[str, Any]:
        """Options as `Game` takes them beside a board of one's own."""
        found = {_BY_NAME[name].keyword: value for name, value in self.values().items()}
        given = self.opening
        return found | ({"opening": given.cells, "opening_moves": given.moves} if given else {})


@dataclass(frozen=True)
class Option:
    """One option of a game spec: syntax, choices in forms, meaning."""

    name: str
    form: str
    label: str
    about: str
    default: object = None
    low: int = 0
    high: int = 0
    """Numbers that forms offer; what a game takes is checked by `Game`."""
    whole: str = ""
    """Field of the board whose value is the greatest, and the one meant where none is given."""
    words: tuple[tuple[str, str], ...] = ()
    """Words that stand for values, and what each means."""
    examples: tuple[tuple[str, str], ...] = ()
    """Other values that forms suggest, and what each means."""
    board: bool = False
    """True if it says which lines the board has."""
    needs: bool = False
    """True if only those boards have it whose kind says so."""

    @property
    def keyword(self) -> str:
        """Its name in Python."""
        return self.name.replace("-", "_")


OPTIONS = (
    Option(
        "connect",
        "number",
        "In a row",
        "cells in a line, where they are fewer than the side",
        low=1,
        high=20,
        whole="side",
        board=True,
        needs=True,
    ),
    Option("wrap", "axes", "Wrap", "lines continue over the edge", board=True, needs=True),
    Option(
        "exact", "flag", "Exact rows", "longer rows do not count", False, board=True, needs=True
    ),
    Option("players", "number", "Players", "players, in turn order", 2, 2, MAX_PLAYERS),
    Option("target", "number", "Lines to win", "lines to complete", 1, 1, 99),
    Option("misere", "flag", "Misère", "completing a line loses", False),
    Option(
        "convention",
        "word",
        "Convention",
        "other goals than a race for lines",
        words=tuple(
            (one.name, one.rules.format(lines="a full line")) for one in CONVENTIONS.values()
        ),
    ),
    Option(
        "bias",
        "numbers",
        "Bias",
        "cells per turn, for each player",
        examples=(("1+2", "one cell and two cells"),),
    ),
    Option("first", "number", "Starts", "the player who starts", 1, 1, MAX_PLAYERS),
    Option(
        "first-turn",
        "count",
        "First turn",
        "cells of the first turn, fewer than by the bias",
        examples=(("1", "one cell, as in Connect6"),),
    ),
    Option("gravity", "axis", "Gravity", "stones fall along an axis", needs=True),
    Option(
        "blocked",
        "cells",
        "Blocked cells",
        "cells out of play, with all lines through them",
        (),
        words=(("centre", "the cell in the middle"),),
        examples=(("0+5+7", "these cells"),),
    ),
    Option(
        "opening",
        "opening",
        "First move",
        "where player 1 may begin",
        words=(("poor", "on a cell of few lines"), ("rich", "on a cell of many lines")),
        examples=(("poorx2", "the first two on such cells"),),
    ),
)
"""All options, in the order of the canonical spelling."""

_NOTHING = {"cells": "", "opening": "", "word": "", "numbers": "", "count": ""}
"""Empty form values of options without a textual default."""

_NAMED = {
    **dict.fromkeys(("tictactoe", "noughtsandcrosses"), "3^2"),
    **dict.fromkeys(("connectfour", "connect4", "connectx"), "7,6,4:gravity"),
    **dict.fromkeys(("gomoku", "fiveinarow", "renju"), "15,15,5"),
    "qubic": "4^3",
    "scorefour": "4^3:gravity",
    "tesseract": "3^4",
    "connect6": "19,19,6:bias=2+2,first-turn=1",
}
"""Specs of well-known games by name, in letters and digits alone."""

_BY_NAME = {option.name: option for option in OPTIONS}


def parse_game_spec(text: str) -> GameSpec:
    """Read a game spec."""
    return _Reader(text).read()


def format_game_spec(head: str, values: Mapping[str, object]) -> str:
    """Spell a game: its board as in a spec, and the value of every option."""
    parts = []
    for option in OPTIONS:
        value = values[option.name]
        if value != option.default:
            text = FORMS[option.form][1](value)
            parts.append(f"{option.name}={text}" if text else option.name)
    return head + (":" + ",".join(parts) if parts else "")


def grammar() -> dict[str, Any]:
    """Return kinds of boards and options as plain values, for forms outside Python."""
    kinds = [
        {"name": name, **as_data(kind, "label pattern template fields")}
        for name, kind in KINDS.items()
        if kind.fields
    ]
    options = [
        {
            **as_data(option, "name form label about low high whole"),
            "default": _NOTHING.get(option.form, option.default),
            "suggestions": [*map(list, option.words + option.examples)],
            "boards": [
                name
                for name, kind in KINDS.items()
                if (option.name in kind.options if option.needs else kind.fields)
            ],
        }
        for option in OPTIONS
    ]
    return {"kinds": kinds, "options": options}


class _Reader:
    """One pass over a spec; `at` is where the part being read starts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, what: str) -> NoReturn:
        raise SpecError(f"bad game {quoted(self.text)}: {what} (character {self.at + 1})")

    def read(self) -> GameSpec:
        head, colon, tail = self.text.strip().partition(":")
        board = self.board(head)
        values: dict[str, Any] = {}
        self.at = len(head) + 1
        if colon and not tail:
            self.fail("an option must follow ':'")
        for text in tail.split(",") if tail else ():
            name, equals, value = text.partition("=")
            if name not in _BY_NAME:
                listed = meant(name, _BY_NAME) or f"options are {', '.join(_BY_NAME)}"
                self.fail(f"unknown option {quoted(name, 20)}; {listed}")
            if _BY_NAME[name].keyword in values:
                self.fail(f"option '{name}' is given twice")
            if equals and not value:
                self.fail(f"option '{name}' has no value after '='")
            option = _BY_NAME[name]
            values[option.keyword] = FORMS[option.form][0](self, option, value if equals else None)
            self.at += len(text) + 1
        lines = {
            one.name: values.pop(one.name) for one in OPTIONS if one.board and one.name in values
        }
        return GameSpec(replace(board, **lines), **values)

    def board(self, head: str) -> BoardSpec:
        if sides := _SIDES.fullmatch(head):
            head = f"{sides[1] or sides[2]}^{len(re.split('[x×]', head))}"
        for name, kind in KINDS.items():
            if match := re.fullmatch(kind.pattern, head):
                rows = match.groupdict().get("lines")
                # Groups without a name are sizes, and come first.
                others = range(1, match.re.groups + 1 - len(match.groupdict()))
                sizes = tuple(self.number("a size", match[group]) for group in others)
                lines = tuple(self.numbers("line", row) for row in rows.split("/")) if rows else ()
                return BoardSpec(name, sizes, lines)
        if sides := _SIZES.fullmatch(head):
            self.fail(f"how many in a row? Write {sides[1]},{sides[2]},K")
        numbers = re.findall("[0-9]+", head)
        named = _NAMED.get(re.sub("[^a-z0-9]|v[0-9]+$", "", head.lower()))
        if game := named or (",".join(numbers) if len(numbers) == 3 else ""):
            self.fail(f"did you mean '{game}'?")
        forms = [kind.form for kind in KINDS.values() if kind.form]
        return self.fail(f"a board is {', or '.join(forms)}")

    def number(self, name: str, text: str | None) -> int:
        if text is None:
            self.fail(f"{name} needs a value, as in '{name}=2'")
        if not (text.isascii() and text.isdigit()):
            self.fail(f"{name} must be a whole number, not {quoted(text, 20)}")
        if len(text) > _MAX_DIGITS:
            self.fail(f"{name} is too large")
        return int(text)

    def numbers(self, name: str, text: str, what: str = "a cell") -> tuple[int, ...]:
        found = tuple(self.number(f"{name}: {what}", part) for part in text.split("+"))
        if len(set(found)) != len(found):
            self.fail(f"{name} names {what} twice")
        return tuple(sorted(found))


def _flag(reader: _Reader, option: Option, value: str | None) -> bool:
    if value is not None:
        reader.fail(f"option '{option.name}' takes no value")
    return True


def _cells(reader: _Reader, option: Option, value: str | None) -> tuple[int, ...] | str:
    if value is None:
        reader.fail(f"{option.name} needs cells, as in '{option.name}=0+5'")
    words = [word for word, _ in option.words]
    return value if value in words else reader.numbers(option.name, value)


def _text(reader: _Reader, option: Option, value: str | None) -> str:
    if value is None:
        example = (*option.words, *option.examples)[0][0]
        reader.fail(f"{option.name} needs a value, as in '{option.name}={example}'")
    return value


def _numbers(reader: _Reader, option: Option, value: str | None) -> tuple[int, ...]:
    parts = _text(reader, option, value).split("+")
    return tuple(reader.number(option.name, part) for part in parts)


def _opening(reader: _Reader, option: Option, value: str | None) -> OpeningSpec:
    cells, times, moves = (value or "").partition("x")
    count = reader.number("opening: the number of moves", moves) if times else 1
    return OpeningSpec(_cells(reader, option, value and cells), count)


def _sum(value: Any) -> str:
    return value if isinstance(value, str) else "+".join(map(str, value))


FORMS: dict[str, tuple[Callable[[_Reader, Option, str | None], Any], Callable[[Any], str]]] = {
    "flag": (_flag, lambda _: ""),
    "number": (lambda reader, option, value: reader.number(option.name, value), str),
    "count": (lambda reader, option, value: reader.number(option.name, value), str),
    "axis": (
        lambda reader, option, value: 0 if value is None else reader.number(option.name, value),
        lambda axis: str(axis or ""),
    ),
    "axes": (
        lambda reader, option, value: (
            () if value is None else reader.numbers(option.name, value, "an axis")
        ),
        _sum,
    ),
    "word": (_text, str),
    "numbers": (_numbers, _sum),
    "cells": (_cells, _sum),
    "opening": (_opening, lambda one: _sum(one.cells) + f"x{one.moves}" * (one.moves != 1)),
}
"""Reader (of None for an option without value) and writer ("" for the bare name) by form."""
