"""Moves as people type them: names and numbers of cells, coordinates, columns."""

from __future__ import annotations

import re

from hyperoxo.errors import IllegalMoveError
from hyperoxo.game import Game, Position
from hyperoxo.game.names import is_foot, is_name, landing_cell, move_name, named_move

_NUMBER = re.compile(r"[0-9]{1,9}")
_SEPARATORS = re.compile(r"[\s,;]+")
_SIGN = re.compile(r"[0-9(#-]|[A-Za-z]{1,6}[0-9]")


def is_move_text(game: Game, text: str) -> bool:
    """Return True for a typed move, rather than a command; a column's name is a move."""
    return _SIGN.match(text) is not None or is_name(game, text)


def read_typed_move(position: Position, text: str) -> int:
    """Read a move, and check that it is legal."""
    word = text.strip()
    try:
        named = named_move(position, word)
        cell = _numbered(position, word) if named is None else named
        position.play(cell)  # refuses illegal moves
    except IllegalMoveError as error:
        said = str(error)
        raise IllegalMoveError(said[:1].upper() + said[1:].removesuffix(".") + ".") from None
    return cell


def _numbered(position: Position, word: str) -> int:
    """Read a number or coordinates."""
    game = position.game
    numbers = _numbers(game, word.removeprefix("#"))
    if len(numbers) > 1:
        return _from_coordinates(position, numbers)
    if not word.startswith("#"):
        compact = _compact(game, word)
        if compact is not None:
            return game.board.cell(compact)
        if is_foot(game, numbers[0]) and numbers[0] not in position.legal_moves:
            return landing_cell(position, game.board.coordinates(numbers[0]))
    return numbers[0]


def move_hint(game: Game) -> str:
    """Describe the typing of moves in this game."""
    board = game.board
    example = int(board.playable[min(1, len(board.playable) - 1)])
    if board.shape is None:
        what = "the name of a cell" if board.names is not None else "the number of a cell"
    elif game.gravity == 0 and len(board.shape) == 2:
        what = "a column"
    else:
        what = "a cell"
    return f"Type {what}, such as {move_name(game, example)}."


def _numbers(game: Game, word: str) -> list[int]:
    inner = word[1:-1] if word.startswith("(") and word.endswith(")") else word
    parts = [part for part in _SEPARATORS.split(inner.strip()) if part]
    if not parts or not all(map(_NUMBER.fullmatch, parts)):
        raise IllegalMoveError(f"'{word[:40]}' is not a move. {move_hint(game)}")
    return [int(part) for part in parts]


def _compact(game: Game, word: str) -> tuple[int, ...] | None:
    """Read ``111`` as (1,1,1) where it cannot be a cell number."""
    shape = game.board.shape or ()
    one_digit_each = len(shape) > 1 and max(shape) <= 10 and word.isdigit()
    # With d axes a text of d digits is a cell's number where there are cells of d digits.
    number = len(word) != len(shape) or game.board.cell_count > 10 ** (len(shape) - 1)
    if number or not one_digit_each:
        return None
    digits = tuple(int(digit) for digit in word)
    return digits if all(x < length for x, length in zip(digits, shape, strict=True)) else None


def _from_coordinates(position: Position, numbers: list[int]) -> int:
    game = position.game
    shape = game.board.shape
    if shape is None:
        raise IllegalMoveError(f"This board has no coordinates. {move_hint(game)}")
    column = game.gravity is not None and len(numbers) == len(shape) - 1
    if column:
        numbers = [*numbers[: game.gravity], 0, *numbers[game.gravity :]]
    if len(numbers) != len(shape):
        raise IllegalMoveError(f"A cell of this board has {len(shape)} coordinates.")
    for number, (x, length) in enumerate(zip(numbers, shape, strict=True), start=1):
        if x >= length:
            raise IllegalMoveError(
                f"Coordinate {number} is {x}; coordinates here are 0 to {length - 1}."
            )
    return landing_cell(position, numbers) if column else game.board.cell(numbers)
