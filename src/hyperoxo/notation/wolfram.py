"""Reading nested lists of numbers, rules and strings as the Wolfram Language spells them."""

from __future__ import annotations

import re
from typing import NoReturn

from hyperoxo.errors import NotationError

_NAMED = {"CenterDot": "·", "Rule": "\uf522", "Times": "×"}
_NUMBER = re.compile(r"[0-9]+")
_ARROW = re.compile(r"->|→|\uf522|\\\[Rule\]")
_PLAIN = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CHARACTER = re.compile(
    r"\\(?:(?P<plain>[\"\\ntrbf])|:(?P<four>[0-9A-Fa-f]{4})|\.(?P<two>[0-9A-Fa-f]{2})"
    r"|\[(?P<name>[A-Za-z]+)\])"
)


class Cursor:
    """A place in a text, moved on by reading; errors name the character, counted from 1."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, what: str) -> NoReturn:
        """Raise a NotationError that names the character."""
        raise NotationError(f"{what} at character {self.at + 1}")

    def skip(self) -> None:
        """Pass over white space."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def sees(self, symbol: str) -> bool:
        """Whether `symbol` comes next."""
        self.skip()
        return self.text.startswith(symbol, self.at)

    def symbol(self, symbol: str) -> None:
        """Pass over `symbol`."""
        if not self.sees(symbol):
            self.fail(f"expected '{symbol}'")
        self.at += len(symbol)

    def arrow(self) -> None:
        """Pass over an arrow, in any of its spellings."""
        self._take(_ARROW, "'->'")

    def number(self) -> int:
        """Read a whole number of up to nine digits."""
        number = self._take(_NUMBER, "a number")
        if len(number) > 9:
            self.at -= len(number)
            self.fail("a number is too large")
        return int(number)

    def _take(self, pattern: re.Pattern[str], what: str) -> str:
        self.skip()
        match = pattern.match(self.text, self.at)
        if match is None:
            self.fail(f"expected {what}")
        self.at = match.end()
        return match[0]

    def string(self) -> str:
        """Read a string in quotes and resolve its escapes."""
        self.symbol('"')
        found = []
        while not self.text.startswith('"', self.at):
            if self.at >= len(self.text):
                self.fail("a string does not end")
            if self.text[self.at] == "\\":
                found.append(self._escaped())
            else:
                found.append(self.text[self.at])
                self.at += 1
        self.at += 1
        return "".join(found)

    def _escaped(self) -> str:
        match = _CHARACTER.match(self.text, self.at)
        if match is None:
            self.fail("unknown escape")
        character = _PLAIN.get(match["plain"] or "")
        if match["four"] or match["two"]:
            character = chr(int(match["four"] or match["two"], 16))
        elif match["name"]:
            character = _NAMED.get(match["name"])
        if character is None:
            self.fail(f"unknown named character '{match[0][:20]}'")
        self.at = match.end()
        return character

    def end(self) -> None:
        """Check that nothing but white space follows."""
        self.skip()
        if self.at < len(self.text):
            self.fail("expected the end of the text")


def quote(text: str) -> str:
    r"""Return the text as a string in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\t", "\\t") + '"'
