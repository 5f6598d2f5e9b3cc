"""Names of cells for people: `b2` on a square, `3a4` in a cube, `2.3a1` in four dimensions.

::

    name   = [number {"." number}] column [row]
    column = letter {letter}                        a to z from the left, then aa, ab, ...

All count from 1. The row counts from below, as boards are drawn. Before the column comes a number
for each further axis: the layer, also from below, before it the cube, and so on.
A single row of cells has letters alone. Under gravity a name without the axis along which stones
fall is a column; on a flat board its letter names the move. Boards without coordinates have names
of their own, or numbers.

Names of cells of a grid have a letter, and digits alone are numbers of cells: no text is both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from hyperoxo.errors import IllegalMoveError, quoted
from hyperoxo.game.game import Game

if TYPE_CHECKING:
    from hyperoxo.game.position import Position

_NUMBER = "[1-9][0-9]{0,8}"
_NAME = re.compile(rf"((?:{_NUMBER}\.)*{_NUMBER})?([A-Za-z]{{1,6}})({_NUMBER})?")
_DIGITS = re.compile("[0-9]{1,9}")


def cell_name(game: Game, cell: int) -> str:
    """Name a cell."""
    board = game.board
    if board.names is not None:
        return board.names[cell]
    if board.shape is None:
        return str(cell)
    *layers, column = board.coordinates(cell)
    row = str(_counted(game, layers.pop()) + 1) if layers else ""
    return ".".join(str(at + 1) for at in layers) + column_name(column) + row


def move_name(game: Game, cell: int) -> str:
    """Name a move: the column alone where stones fall down a flat board, else the cell."""
    flat = game.gravity == 0 and len(game.board.shape or ()) == 2 and not game.blocked
    return column_name(game.board.coordinates(cell)[1]) if flat else cell_name(game, cell)


def layer_name(game: Game, cell: int) -> str:
    """Name the layer of a cell, `3` or `2.3`; empty on flat boards."""
    shape = game.board.shape or ()
    return ".".join(str(at + 1) for at in game.board.coordinates(cell)[:-2]) if shape[2:] else ""


def column_name(column: int) -> str:
    """Name a column in letters: a to z, aa to zz, and so on."""
    # Bijective base 26: the digits are 1 to 26, since "a" and "aa" are different columns.
    letters, left = "", column + 1
    while left:
        left, letter = divmod(left - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def row_name(game: Game, row: int) -> str:
    """Name a row, counted from below."""
    return str(_counted(game, row) + 1)


def _counted(game: Game, row: int) -> int:
    """Count a row from below: from the last, or under gravity along rows from the first."""
    shape = game.board.shape or ()
    return row if game.gravity == len(shape) - 2 else shape[-2] - 1 - row


def read_move(position: Position, text: str) -> int:
    """Return the cell of a move that is written as a number or a name.

    Digits alone are a number, also where a board has names of its own.
    """
    word = text.strip()
    if _DIGITS.fullmatch(word):
        return int(word)
    cell = named_move(position, word)
    if cell is None:
        cells = _range(position.game)
        raise IllegalMoveError(f"{quoted(text, 20)} is not a cell; cells are {cells}")
    return cell


def is_name(game: Game, text: str) -> bool:
    """Return True if text is the name of a cell or a column."""
    if game.board.names is not None:
        return text in game.board.names
    with suppress(IllegalMoveError):
        return _coordinates(game, text) is not None
    return False


def named_move(position: Position, text: str) -> int | None:
    """Return the cell of a move by its name; None if the text is not a name."""
    game, names = position.game, position.game.board.names
    if names is not None:
        return names.index(text) if text in names else None
    coordinates = _coordinates(game, text)
    if coordinates is None:
        return None
    if None not in coordinates:
        return game.board.cell([at for at in coordinates if at is not None])
    return landing_cell(position, coordinates)


def is_foot(game: Game, cell: int) -> bool:
    """Return True for a cell at the foot of a column, under gravity."""
    board, gravity = game.board, game.gravity
    within = gravity is not None and 0 <= cell < board.cell_count
    return within and board.coordinates(cell)[gravity or 0] == 0


def feet_of(game: Game) -> list[int]:
    """Return the cells at the feet of the columns; empty without gravity."""
    return [cell for cell in range(game.board.cell_count) if is_foot(game, cell)]


def landing_cell(position: Position, coordinates: Sequence[int | None]) -> int:
    """Return the landing cell of the column through some coordinates."""
    game = position.game
    across = [axis for axis in range(len(coordinates)) if axis != game.gravity]
    places = {cell: game.board.coordinates(cell) for cell in position.legal_moves}
    landing = [cell for cell, at in places.items() if all(at[i] == coordinates[i] for i in across)]
    if len(landing) == 1:
        return landing[0]
    if landing:
        cells = " and ".join(cell_name(game, cell) for cell in landing)
        raise IllegalMoveError(f"a stone may land on cells {cells}; name one of them")
    if position.is_over:
        raise IllegalMoveError("the game is over")
    if position.opening_restricts:
        raise IllegalMoveError("the opening restriction does not allow this column")
    raise IllegalMoveError("this column is full")


def _coordinates(game: Game, text: str) -> list[int | None] | None:
    """Parse a name into coordinates, with None for the axis of gravity if it names a column."""
    match = _NAME.fullmatch(text)
    shape = game.board.shape
    if match is None or shape is None:
        return None
    before, letters, row = match.groups()
    upright = game.gravity == len(shape) - 2
    result: list[int | None] = [int(number) - 1 for number in before.split(".")] if before else []
    if row:
        result.append(_counted(game, int(row) - 1) if len(shape) > 1 else -1)
    places = enumerate(reversed(letters.lower()))
    result.append(sum(26**place * (ord(letter) - ord("a") + 1) for place, letter in places) - 1)
    axis = game.gravity
    # A column has one coordinate less: the row if stones fall along rows, else one of the prefix.
    if axis is not None and len(result) == len(shape) - 1 and bool(row) != upright:
        result.insert(axis, None)
    named = None in result or bool(row) == (len(shape) > 1)
    inside = len(result) == len(shape) and all(
        at is None or 0 <= at < length for at, length in zip(result, shape, strict=True)
    )
    if not (named and inside):
        raise IllegalMoveError(f"there is no cell {text}; cells are {_range(game)}")
    return result


def _range(game: Game) -> str:
    """Return the first and the last name of the cells of a board."""
    shape = game.board.shape
    last = game.board.cell_count - 1
    if shape is None or game.board.names is not None:
        return f"0 to {last}"
    # Rows are named from below, so the first name may be in the last row of the first layer.
    upright = len(shape) < 2 or game.gravity == len(shape) - 2
    step = 0 if upright else (shape[-2] - 1) * shape[-1]
    return " to ".join(cell_name(game, cell) for cell in (step, last - step))
