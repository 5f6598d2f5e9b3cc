"""Drawn boards as a notation: ``3^2`` and then ``X.O / .X. / ..O``.

A game, if one is named, is alone on the line before its rows, or before the first row. Without
one the rows must make a board that only one well-known game has: n by n with n up to 4, or n by n
by n, and so on, for as many players as there are kinds of stones, and at least two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from hyperoxo.errors import NotationError
from hyperoxo.game import BLOCKED, FREE, LETTERS, Game, Position, owners_of
from hyperoxo.game.drawn import SIGNS, Drawing, is_drawn, parse, upright, without_names
from hyperoxo.game.layout import sides_of
from hyperoxo.game.reading import in_letters
from hyperoxo.notation.record import SPEC, Record, read_game, read_parts, taken_game

_SPEC = re.compile(rf"{SPEC.pattern}\S*")
_ROWS = re.compile(rf"[{''.join(SIGNS)}|/+=\-\u2500-\u257f \t\r\n]+")
_NUMBERS = re.compile(r"[.#1-8]+")
_STONE = re.compile(rf"(?![0-9])[{''.join(sign for sign in SIGNS if 0 < SIGNS[sign] < BLOCKED)}]")
_SHOWN_WHOLE = 4


def is_drawing(text: str) -> bool:
    """Return True if text draws a board, optionally after a game; digits must make a square."""
    words = text.split()
    square = len({*map(len, words)}) == 1 and _power(len(words), len(words[0]))
    if _NUMBERS.fullmatch("".join(words)) and not square:
        return False
    _, rows = _split(text.split("\n\n", maxsplit=1)[0])
    if _ROWS.fullmatch(rows) is None and _ROWS.fullmatch(without_names(rows)[-1]) is None:
        return False
    if _STONE.search(rows) is None:
        return is_drawn(rows) and "0" not in rows
    return is_drawn(rows) or len(rows.split()) != 2


def read_drawings(text: str, *, game: Game | str | None = None) -> list[Record]:
    """Read one drawn board, or several, each after its game."""
    return read_parts(
        "drawing",
        _parts(text),
        lambda part: Record.of(Position.from_owners(*read_board(part, game))),
    )


def read_board(text: str, game: Game | str | None = None) -> tuple[Game, bytes]:
    """Return the game of a drawing and the owners of its cells, legal or not."""
    spec, rows = _split(text)
    chosen = taken_game([spec], game) or _guess(parse(rows))
    return chosen, owners_of(chosen, rows)


def write_drawings(records: Iterable[Record]) -> str:
    """Write the last position of each record as a drawing after its game."""
    drawn = (f"{one.game}\n{draw(one.game, one.position.owners)}\n" for one in records)
    return "\n".join(drawn)


def draw(game: Game, owners: bytes) -> str:
    """Draw a board in letters, one row per line and an empty line between layers."""
    drawn = np.array(["#" if owner == BLOCKED else (".", *LETTERS)[owner] for owner in owners])
    shape = game.board.shape
    if shape is None:
        width = sides_of(game)[-1]
        return "\n".join("".join(drawn[at : at + width]) for at in range(0, len(drawn), width))
    shown = drawn.reshape(shape)[upright(game)]
    layers = shown.reshape(-1, *(1, *shape)[-2:])
    return "\n\n".join("\n".join("".join(row) for row in layer) for layer in layers)


def _parts(text: str) -> list[str]:
    """Split text before every line that begins with a game; remarks are left out."""
    parts: list[list[str]] = [[]]
    for line in text.replace("\r\n", "\n").split("\n"):
        if line.startswith("# ") and _ROWS.fullmatch(line) is None:
            continue
        if _SPEC.match(line) and any(row.strip() for row in parts[-1]):
            parts.append([])
        parts[-1].append(line)
    return ["\n".join(part) for part in parts]


def _split(text: str) -> tuple[str, str]:
    """Split a drawing into its game spec, if any, and its rows."""
    spec = _SPEC.match(text.lstrip())
    rows = text.lstrip()[spec.end() :].lstrip(" \t") if spec else text
    return spec[0] if spec else "", in_letters(rows.strip("\r\n"))


def _guess(drawing: Drawing) -> Game:
    """Return the only game whose board fits a drawing, or refuse."""
    found = [(width, dim) for width in drawing.widths() if (dim := _dimension(drawing, width))]
    if len(found) > 1:
        raise NotationError(
            "bars at both ends of each row may be a frame or not; name the game before the drawing"
        )
    rows, layers = len(drawing.rows), len(drawing.layers)
    if not found:
        width = len(drawing.rows[0][0])
        size = f"{rows} {'row' if rows == 1 else 'rows'} of {width}"
        where = f" in {layers} layers" if drawing.depth() is not None else ""
        raise NotationError(
            f"a drawing of {size}{where} does not tell the game; name it before the drawing, "
            "as in '7,6,4:gravity'"
        )
    [(width, dim)] = found
    if dim == 2 and width > _SHOWN_WHOLE:
        raise NotationError(
            f"a drawing of {width} rows of {width} may be several games; name one before it, as in "
            f"'{width}^2' or '{width},{width},{_SHOWN_WHOLE if width == 5 else 5}'"
        )
    cells = drawing.fits([width] * rows)
    assert cells is not None
    players = max(2, *(owner for owner in (FREE, *cells) if owner != BLOCKED))
    blocked = [cell for cell, owner in enumerate(cells) if owner == BLOCKED]
    return read_game(side=width, dim=dim, players=players, blocked=blocked)


def _dimension(drawing: Drawing, width: int) -> int:
    """Return the dimension of the board n^d that rows of this width make, 0 for none from 2 on."""
    rows, depth = len(drawing.rows), drawing.depth()
    if depth is not None and (depth < width or not _power(depth, width)):
        return 0
    return _power(rows, width)


def _power(rows: int, width: int) -> int:
    """Return d where `rows` is width^(d - 1), or 0 for one row or column and for no power."""
    dim = 1
    while 1 < width <= rows and rows % width == 0:
        rows //= width
        dim += 1
    return dim if rows == 1 and dim > 1 else 0
