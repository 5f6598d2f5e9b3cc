"""Drawn boards: ``X.O / .X. / ..O``, rows of stones as people write them in a mail.

::

    board = {layer, layers apart by an empty line or "//"}
    layer = {row, rows apart by a new line or "/"}
    row   = cells side by side, or with blanks or "|" between them

Between bars, or in a frame, a free cell may be blank. Rows of nothing but ``-``, ``+``, ``=`` and
``|`` are rules and say nothing. Rows and layers come in the order of cells, except where stones
fall down the picture: there the top comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hyperoxo.display import number_of
from hyperoxo.errors import NotationError
from hyperoxo.game.game import Game
from hyperoxo.game.layout import layout_of
from hyperoxo.game.names import column_name
from hyperoxo.game.setup import BLOCKED, FREE

LETTERS = ("X", "O", "Y", "Z", "A", "B", "C", "D")
"""Stones of players 1 to 8 in letters."""

SHAPES = ("X", "O", "△", "□", "◇", "⬠", "⬡", "☆")
"""Stones of players 1 to 8 as shapes."""

_DIGITS = {str(player): player for player in range(1, 9)}
_PAIRS = ("✕◯", "×○", "●○", "✗○", "❌⭕", "✖⭕", "🔴🟡", "⚫⚪", "🟥🟨")
_STONES = (SHAPES, LETTERS, [*map(str.lower, LETTERS)], *_PAIRS)
SIGNS = {
    **dict.fromkeys(".·_0⬜⬛◻🔳🔲🟦➖", FREE),
    **dict.fromkeys("#▒", BLOCKED),
    **{sign: player for signs in _STONES for player, sign in enumerate(signs, start=1)},
    **_DIGITS,
}
"""Contents of a cell by their signs."""
_BARS = re.compile(r"[|│║┃]")
_RULE = re.compile(r"(?=.*[-=─═━])[-+=|\u2500-\u257f \t]+")
_MARK = re.compile(r"\[(\S)\]|\*(\S)\*")  # of the last move, and of full lines
_FRAME = re.compile(r"\s*[|│║┃]([^|│║┃]+)[|│║┃]\s*")
_SPACED = re.compile(r"(\S )*\S *")
_LAYER = re.compile(r"\d+(\.\d+)+")
_FORM = re.compile(r"[/|│║┃\n]")
_LONGEST = 1_000_000


@dataclass(frozen=True)
class Drawing:
    """The rows of a drawn board, with ambiguous widths (bars may be a frame or separators).

    `rows` has for each row its possible readings, `layers` the number of rows before each gap.
    """

    rows: list[list[list[int]]]
    layers: list[int]

    def fits(self, widths: Sequence[int]) -> list[int] | None:
        """Return all cells if the rows can have these widths."""
        cells: list[int] = []
        for row, width in zip(self.rows, widths, strict=False):
            fitting = next((cells for cells in row if len(cells) == width), None)
            if fitting is None:
                return None
            cells += fitting
        return cells if len(widths) == len(self.rows) else None

    def widths(self) -> list[int]:
        """Return the widths that all rows can have."""
        first = {len(cells) for cells in self.rows[0]}
        return sorted(width for width in first if self.fits([width] * len(self.rows)))

    def depth(self) -> int | None:
        """Return the number of rows of a layer: None without layers, 0 if they differ.

        Empty lines between all rows do not separate layers.
        """
        if len(self.layers) == 1 or set(self.layers) == {1}:
            return None
        return self.layers[0] if len(set(self.layers)) == 1 else 0

    def owners(self, game: Game) -> bytes:
        """Return the owners of the cells of a game's board, legal or not."""
        count, shape = game.board.cell_count, game.board.shape
        if shape is None:
            every = [owner for row in self.rows for owner in row[0]]
            if len(every) != count:
                has = number_of(len(every), "cell")
                raise NotationError(f"the drawing has {has}, the board {count}")
            return bytes(every)
        width, deep = shape[-1], shape[-2] if len(shape) > 1 else 1
        stacked = self.fits([width] * (count // width))
        widest = max(len(cells) for row in self.rows for cells in row)
        if stacked is None and len(shape) > 2 and widest * len(self.rows) >= count:
            # As in pictures, layers side by side: as many as make the widest row.
            widths, _ = _rows_of(game, 1)
            widths, order = _rows_of(game, max(1, widest // widths[0]))
            if cells := self.fits(widths):
                return np.array(cells, np.uint8)[np.argsort(order)].tobytes()
        for number, row in enumerate(self.rows, start=1):
            if all(len(cells) != width for cells in row):
                has = f"row {number} of the drawing has {number_of(len(row[0]), 'cell')}"
                raise NotationError(f"{has}, a row of the board {width}")
        if stacked is None:
            has = number_of(len(self.rows), "row")
            raise NotationError(f"the drawing has {has}, the board {count // width}")
        if self.depth() is not None and any(rows % deep for rows in self.layers):
            raise NotationError(f"a layer of the drawing does not have {deep} rows as on the board")
        return np.array(stacked, dtype=np.uint8).reshape(shape)[upright(game)].tobytes()


def _rows_of(game: Game, across: int) -> tuple[list[int], NDArray[np.int64]]:
    """Return the widths of rows in a picture, and its cells row by row."""
    corners = np.array(layout_of(game, across).corners)
    return np.unique(corners[:, 1], return_counts=True)[1].tolist(), np.lexsort(corners.T)


def upright(game: Game) -> tuple[slice, ...]:
    """Return the axes as pictures show them: reversed where stones fall down the picture."""
    shape = game.board.shape or ()
    down = game.gravity is not None and (len(shape) - game.gravity) % 2 == 0
    turned = game.gravity if down else -1
    return tuple(slice(None, None, -1 if axis == turned else 1) for axis in range(len(shape)))


def is_drawn(text: str) -> bool:
    """Return True if text has the form of a drawn board, with rows or bars."""
    return _FORM.search(text.strip()) is not None


def without_names(text: str) -> list[str]:
    """Leave out names of columns and layers, frames and marks, and then names of rows as well."""
    lines = (line for line in _MARK.sub(r" \1\2 ", text).split("\n") if not _RULE.fullmatch(line))
    lines = (line for line in lines if not _are_names(_BARS.sub(" ", line).split()))
    rows = [_BARS.sub("|" if len(_BARS.findall(line)) > 2 else " ", line).split() for line in lines]
    firsts = {words[0] for words in rows if words}
    named = _are_names(sorted(firsts, key=lambda name: (len(name), name)))
    return ["\n".join(" ".join(words[start:]) for words in rows) for start in range(1 + named)]


def _are_names(words: Sequence[str]) -> bool:
    """True for letters from a on, for numbers that count up, and for layers such as 1.2."""
    letters = [*dict.fromkeys(map(str.lower, words))]
    lettered = len(letters) > 1 and letters == [*map(column_name, range(len(letters)))]
    first = int(words[0]) if words and words[0].isdecimal() else 0
    counted = [*words] == [str(number) for number in range(first, first + len(words))]
    return bool(words) and (lettered or counted or all(map(_LAYER.fullmatch, words)))


# The look-behind anchors a run of blanks at its first one; matching from each of them would take
# quadratic time.
_LAYERS = re.compile(r"(?<![ \t])[ \t]*//[ \t]*")
_LINES = re.compile(r"(?<![ \t])[ \t]*/[ \t]*")


def parse(text: str) -> Drawing:
    """Read the rows of a drawing, whatever the board."""
    if len(text) > _LONGEST:
        raise NotationError(f"a drawing has at most {_LONGEST:,} characters")
    # One form first: one row per line, layers after an empty line. Then row by row, with
    # all possible readings of each; the board decides between them later (`Drawing.fits`).
    lines = _LAYERS.sub("\n\n", text.replace("\r\n", "\n"))
    lines = _LINES.sub("\n", lines)
    rows: list[list[list[str]]] = []
    layers: list[int] = []
    gap = True
    for line in lines.split("\n"):
        if _RULE.fullmatch(line):
            continue
        if not line.strip():
            gap = True
            continue
        rows.append(_row(line, len(rows) + 1))
        if gap:
            layers.append(0)
        layers[-1] += 1
        gap = False
    if not rows:
        raise NotationError("the drawing has no rows")
    # Refuse signs that may mean two things.
    used = {sign for readings in rows for reading in readings for sign in reading}
    for sign in sorted(used):
        if sign.lower() != sign and sign.lower() in used:
            raise NotationError(
                f"the drawing has both '{sign}' and '{sign.lower()}'; a free cell is '.'"
            )
    letters = {sign for sign in used if SIGNS[sign] not in (FREE, BLOCKED) and sign not in _DIGITS}
    digits = used & set(_DIGITS)
    signs = SIGNS | {"0": 2} if has_rings(used) else SIGNS
    if letters and "0" in used and not signs["0"]:
        raise NotationError("0 may be a free cell or a ring in the drawing; write '.' or 'O'")
    if letters and digits:
        raise NotationError(
            f"the drawing has both letters ('{min(letters)}') and digits ('{min(digits)}')"
        )
    return Drawing([[[signs[one] for one in reading] for reading in row] for row in rows], layers)


def has_rings(used: Iterable[str]) -> bool:
    """True if 0 is a stone of player 2: no other sign is, and free cells have one of their own."""
    contents = {SIGNS.get(sign) for sign in used}
    return 1 in contents and 2 not in contents and {"0"} < {*"0.·_-*"} & {*used}


def with_blanks(game: Game, text: str) -> str:
    """Write blanks as free cells in rows of the board's width."""
    width, lines = (game.board.shape or (1,))[-1], text.strip("\r\n").splitlines()
    rows = [line for line in lines if not _RULE.fullmatch(line)]
    spaced = all(map(_SPACED.fullmatch, rows)) and {*map(len, rows)} != {width}
    return "" if spaced else "\n".join(row.ljust(width) for row in rows).replace(" ", ".")


def _row(line: str, number: int) -> list[list[str]]:
    """Return the possible readings of a row: bars at both ends may be a frame."""
    if not _BARS.search(line):
        words = line.split()
        return [_signs(words if len(words) > 1 else list(words[0]), number)]
    if only := _FRAME.fullmatch(line):
        # Signs as wide as the board, or apart by blanks, or the middle one of three cells.
        inner = only[1]
        readings = [[*inner.replace(" ", ".")], inner.split(), [".", inner.strip() or ".", "."]]
        if known := [cells for cells in readings if cells and {*cells} <= SIGNS.keys()]:
            return known
    cells = _signs([piece.strip() or "." for piece in _BARS.split(line)], number)
    framed = len(cells) > 2 and _BARS.match(line.strip()) and _BARS.match(line.rstrip()[-1])
    return [cells[1:-1], cells] if framed else [cells]


def _signs(words: Sequence[str], number: int) -> list[str]:
    for word in words:
        wrong = ""
        if "-" in word:
            wrong = "'-' only draws rules; a free cell is '.'"
        elif len(word) > 1 and all(sign in SIGNS for sign in word):
            wrong = f"{word[:20]!r} is more than one cell; rows are apart by '/' or a new line"
        elif word not in SIGNS:
            known = "there are '.', '#', X, O, Y, Z, A to D, and 1 to 8"
            wrong = f"{word[:20]!r} is not a sign for a cell; {known}"
        if wrong:
            raise NotationError(f"row {number} of the drawing: {wrong}")
    return list(words)
