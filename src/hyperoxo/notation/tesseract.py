"""Export strings of the Wolfram Language program for naughts and crosses on a tesseract.

The string is a list: number of players, icons by player (0 is a free cell), lines needed
to win, and the history as one number in base 62, digits ``0-9a-zA-Z``::

    {3, {0 -> "·", 1 -> "X", 2 -> "O", 3 -> "Y", 4 -> "Z"}, 9, "MAwGGFIa...rHY2PRj"}

The game is 3^4 with its centre blocked. The essay that presents the program [1]_ gives one
such string but not the code that makes it, and the string does not settle how moves are
numbered. Checked facts: written in base 81 the number of the essay's example has 48
digits, all different, 0 not among them, and the most significant one is 40, the blocked
centre when cells count from 0. That 80 and 41 occur excludes numbers 0 to 79 without the
centre, and 1 to 81 with it. These readings stay open, each an option:

- ``numbering="marker"``: cells count from 0 to 80, and the leading 40 is a marker that
  keeps moves on cell 0 from vanishing as leading zeros (47 moves); or ``"skip"``: cells
  count from 1 to 80 without the centre, and there is no marker (48 moves).
- ``moves="forward"``: the most significant digit (after the marker) is the first move; or
  ``"backward"``: it is the last.
- ``cells="array"``: cells count in the order of the array g_ijkl; or ``"picture"``: row by row
  through the picture, a 3 x 3 grid (i, j) of 3 x 3 grids (k, l).

Under each of the eight combinations the example reads as a legal, unfinished game of
three players in which no player has nine lines, so it does not decide between them. The
defaults are the first ones named.

References
----------
.. [1] "Naughts and crosses on a tesseract, or the four-dimensional tic-tac-toe",
   Wolfram Community, staff picks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import NoReturn

from hyperoxo.errors import NotationError
from hyperoxo.notation.record import Record, check_only_moves, ordered_icons, read_game

_NAMED = {"CenterDot": "·", "Rule": "\uf522", "Times": "×"}
_NUMBER = re.compile(r"[0-9]+")
_ARROW = re.compile(r"->|→|\uf522|\\\[Rule\]")
_PLAIN = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_PIECE = re.compile(
    r"(?P<as_it_is>[^\"\\]+)|\\(?:(?P<plain>[\"\\ntrbf])|:(?P<four>[0-9A-Fa-f]{4})"
    r"|\.(?P<two>[0-9A-Fa-f]{2})|\[(?P<name>[A-Za-z]+)\])"
)
"""Part of a string: characters that stand for themselves, or an escape."""


class Cursor:
    """Parser state: a place in the text; errors name the character, counted from 1."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, what: str) -> NoReturn:
        """Raise a NotationError that names the character."""
        raise NotationError(f"{what} at character {self.at + 1}")

    def sees(self, symbol: str) -> bool:
        """Return True if `symbol` comes next, after white space that is passed over."""
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1
        return self.text.startswith(symbol, self.at)

    def symbol(self, *symbols: str) -> None:
        """Consume the given symbols, in order."""
        for symbol in symbols:
            self.take(re.compile(re.escape(symbol)), f"'{symbol}'")

    def take(self, pattern: re.Pattern[str], what: str) -> str:
        """Consume the text that matches a pattern, and return it."""
        self.sees("")
        match = pattern.match(self.text, self.at)
        if match is None:
            self.fail(f"expected {what}")
        self.at = match.end()
        return match[0]

    def number(self) -> int:
        """Read a whole number of up to nine digits."""
        number = self.take(_NUMBER, "a number")
        if len(number) > 9:
            self.at -= len(number)
            self.fail("a number is too large")
        return int(number)

    def string(self) -> str:
        """Read a string in quotes and resolve its escapes."""
        self.symbol('"')
        found = []
        while match := _PIECE.match(self.text, self.at):
            found.append(self._resolved(match))
            self.at = match.end()
        if not self.text.startswith('"', self.at):
            self.fail("unknown escape" if self.at < len(self.text) else "a string does not end")
        self.at += 1
        return "".join(found)

    def _resolved(self, piece: re.Match[str]) -> str:
        if code := piece["four"] or piece["two"]:
            return chr(int(code, 16))
        if piece["name"] and piece["name"] not in _NAMED:
            self.fail(f"unknown named character '{piece[0][:20]}'")
        return piece["as_it_is"] or _PLAIN.get(piece["plain"]) or _NAMED[piece["name"]]

    def end(self, symbol: str) -> None:
        """Pass over `symbol`, and check that nothing but white space follows."""
        self.symbol(symbol)
        self.take(re.compile(r"\Z"), "the end of the text")


def quote(text: str) -> str:
    r"""Return the text as a string in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\t", "\\t") + '"'


DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
DEFAULT_ICONS = ("X", "O", "Y", "Z")
DEFAULT_FREE_ICON = "·"

_BASE = 81
_CENTRE = 40
# A game has at most 81 digits in base 81, marker included: 87 digits in base 62.
_MAX_DIGITS = 90
_game = partial(read_game, side=3, dim=4, blocked="centre")
_CHOICES = {
    "numbering": ("marker", "skip"),
    "moves": ("forward", "backward"),
    "cells": ("array", "picture"),
}


def read_tesseract(
    text: str, *, numbering: str = "marker", moves: str = "forward", cells: str = "array"
) -> Record:
    """Read an export string."""
    _check_choices(numbering=numbering, moves=moves, cells=cells)
    cursor = Cursor(_unwrapped(text))
    cursor.symbol("{")
    players = cursor.number()
    cursor.symbol(",")
    icons = _read_icons(cursor)
    cursor.symbol(",")
    target = cursor.number()
    cursor.symbol(",")
    cursor.sees('"')
    begin = cursor.at
    history = cursor.string()
    cursor.end("}")
    if len(history) > _MAX_DIGITS:
        raise NotationError(f"the history at character {begin + 2} is too long")
    if strange := re.search("[^0-9a-zA-Z]", history):
        at = begin + strange.start() + 2
        raise NotationError(f"{strange[0]!r} in the history is not a digit at character {at}")
    numbers = _rebased(map(DIGITS.index, history), len(DIGITS), _BASE)
    if numbering == "marker":
        if numbers[:1] != [_CENTRE]:
            raise NotationError(
                f"the history does not begin with its marker at character {begin + 2}"
            )
        numbers = numbers[1:]
    if moves == "backward":
        numbers = numbers[::-1]
    game = _game(players=players, target=target)
    played = tuple(_to_cell(number, numbering, cells) for number in numbers)
    named, free = ordered_icons(icons)
    return Record(game, played, icons=named, free_icon=free)


def write_tesseract(
    record: Record, *, numbering: str = "marker", moves: str = "forward", cells: str = "array"
) -> str:
    """Write an export string; `read_tesseract` with the same options gives the record back.

    Names of players, tags and comments are not carried. If the record has no icons,
    those of the program are used.
    """
    _check_choices(numbering=numbering, moves=moves, cells=cells)
    game = record.game
    plain = _game(players=game.players, target=game.target)
    if game != plain:
        raise NotationError(f"a tesseract string holds games such as {plain}, not {str(game)[:60]}")
    check_only_moves(record, "a tesseract string")
    numbers = [_from_cell(cell, numbering, cells) for cell in record.moves]
    if moves == "backward":
        numbers.reverse()
    if numbering == "marker":
        numbers.insert(0, _CENTRE)
    history = "".join(DIGITS[digit] for digit in _rebased(numbers, _BASE, len(DIGITS))) or "0"
    free = DEFAULT_FREE_ICON if record.free_icon is None else record.free_icon
    icons = record.icons or (*DEFAULT_ICONS, *map(str, range(5, game.players + 1)))
    rules = (f"{number} -> {quote(icon)}" for number, icon in enumerate((free, *icons)))
    return f'{{{game.players}, {{{", ".join(rules)}}}, {game.target}, "{history}"}}'


def _unwrapped(text: str) -> str:
    """Return the argument of a call of ``NC4loadGame``, with escapes resolved."""
    # In an export string no quote that begins a string can be escaped; where the first is, the text
    # is an argument of `NC4loadGame`, with its own quotes or without. Other text stays as it is.
    if text.startswith("NC4loadGame"):
        cursor = Cursor(text)
        cursor.symbol("NC4loadGame", "[")
        inner = cursor.string()
        cursor.end("]")
        return inner
    inside = text.strip().removeprefix('"')
    quotes = inside.find('"')
    if quotes < 1 or inside[quotes - 1] != "\\":
        return text
    cursor = Cursor(f'"{inside}' if inside.endswith('"') else f'"{inside}"')
    inner = cursor.string()
    if cursor.at < len(cursor.text):
        at = text.index(inside) + cursor.at - 1
        raise NotationError(
            'some quotes are escaped, as in NC4loadGame["..."], and others are not, as in an '
            f"export string: the first of these is at character {at}"
        )
    return inner


def _check_choices(**chosen: str) -> None:
    for name, value in chosen.items():
        if value not in _CHOICES[name]:
            words = " or ".join(f"'{choice}'" for choice in _CHOICES[name])
            raise NotationError(f"{name} must be {words}, not {value!r}")


def _read_icons(cursor: Cursor) -> dict[int, str]:
    icons: dict[int, str] = {}
    cursor.symbol("{")
    while not cursor.sees("}"):
        if icons:
            cursor.symbol(",")
        cursor.sees("")
        begin = cursor.at
        number = cursor.number()
        if number in icons:
            cursor.at = begin
            cursor.fail(f"icon {number} is given twice")
        cursor.take(_ARROW, "'->'")
        icons[number] = cursor.string()
    cursor.symbol("}")
    return icons


def _rebased(numbers: Iterable[int], before: int, base: int) -> list[int]:
    """Digits of a number in another base, the most significant first."""
    value = 0
    for number in numbers:
        value = value * before + number
    digits = []
    while value:
        value, digit = divmod(value, base)
        digits.append(digit)
    return digits[::-1]


def _to_cell(number: int, numbering: str, cells: str) -> int:
    if numbering == "skip":
        if number == 0:
            raise NotationError("the history holds a 0, and cells count from 1 to 80")
        # 1 to 40 are cells 0 to 39, and 41 to 80 are themselves: the centre, 40, has no number.
        number -= number <= _CENTRE
    return _transposed(number) if cells == "picture" else number


def _from_cell(cell: int, numbering: str, cells: str) -> int:
    number = _transposed(cell) if cells == "picture" else cell
    return number + (number < _CENTRE) if numbering == "skip" else number


def _transposed(number: int) -> int:
    """Swap the middle base-3 digits: array order (i, j, k, l) and picture order (i, k, j, l)."""
    i, j, k, m = number // 27, number // 9 % 3, number // 3 % 3, number % 3
    return 27 * i + 9 * k + 3 * j + m
