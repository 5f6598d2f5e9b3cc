"""The tree of a Smart Game Format file, as far as its main line: text in, nodes out."""

from __future__ import annotations

import re

from hyperoxo.errors import NotationError

Node = dict[str, list[str]]
"""Properties of one node: identifier and values, escapes resolved."""

_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"[A-Za-z]+")
_VALUE = re.compile(r"\s*\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def main_lines(text: str) -> list[list[Node]]:
    r"""Return the nodes of the first variation of every game in the file.

    Lower-case letters in identifiers are dropped, as old files need it. A backslash before
    the end of a line joins the lines; other white space is kept as it is.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    at = text.find("(")
    if at < 0:
        raise NotationError("not SGF: no '(' opens a game")
    games: list[list[Node]] = []
    depth = 0
    closed = False
    while True:
        at = _skip(text, at)
        if at == len(text):
            break
        character = text[at]
        if character == "(":
            if depth == 0:
                games.append([])
                closed = False
            depth += 1
            at += 1
        elif character == ")" and depth > 0:
            depth -= 1
            closed = True
            at += 1
        elif character == ";" and depth > 0:
            node, at = _node(text, at + 1)
            if not closed:
                games[-1].append(node)
        elif depth == 0 and games:
            break  # mail programs and web pages leave text after the last game
        else:
            raise NotationError(f"not SGF: {character!r} at character {at + 1} belongs nowhere")
    if depth:
        raise NotationError("not SGF: the file ends inside a game")
    return games


def escape(text: str) -> str:
    r"""Return the text as it stands between brackets."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def _node(text: str, at: int) -> tuple[Node, int]:
    node: Node = {}
    while True:
        at = _skip(text, at)
        match = _NAME.match(text, at)
        if match is None:
            return node, at
        name = "".join(letter for letter in match[0] if letter.isupper())
        values: list[str] = []
        at = match.end()
        while value := _VALUE.match(text, at):
            values.append(_ESCAPED.sub(_resolve, value[1]))
            at = value.end()
        if not values:
            raise NotationError(
                f"not SGF: property {match[0][:20]} at character {match.start() + 1} "
                "has no value in brackets"
            )
        node.setdefault(name, []).extend(values)


def _resolve(match: re.Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]
