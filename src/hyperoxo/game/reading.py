"""Reading of positions in the forms of people, programs and data sets.

A position is a string, bytes or an array; the first form that fits is taken.

==========================  ====================================================================
`moves:3,0,h8`              moves by number or name; under gravity the number of a cell of the
                            floor is its column
`columns:4453`              columns from 1, one digit per move or joined by commas
`h8h9i9`, `h8-h9`, `dd`     moves by name, with or without numbers of rounds
`8,-3, 6,-4, 5,-4`          moves by column and row, counted from the middle of a flat board, as
                            openings of Gomocup have them, with a minus sign somewhere
`X.O / .X. / ..O`           a drawn board (`drawn.py`)
`1.2.1...2`                 a sign a cell, in the order of cells; `12. .1. ..2` row by row
`x,x,o,b,...,positive`      a sign a cell; under gravity column by column from below, as the
                            connect-4 data of the UCI repository has them
`0,0,1,2,...`, an array     numbers, 0 a free cell and -1 the second player, in the order of cells
                            but from the top row down under gravity; in brackets also as text
`Position.owners`           bytes, in the order of cells
==========================  ====================================================================

R and Y, B and W, and emoji may be the stones of players 1 and 2, and free cells may have numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hyperoxo.display import number_of
from hyperoxo.errors import IllegalMoveError, NotationError, quoted
from hyperoxo.game.drawn import SIGNS, has_rings, is_drawn, parse, with_blanks, without_names
from hyperoxo.game.game import Game
from hyperoxo.game.names import feet_of, is_foot, is_name, landing_cell
from hyperoxo.game.position import Position
from hyperoxo.game.setup import BLOCKED, FREE
from hyperoxo.untrusted import parse_json

_MOVES, _COLUMNS = "moves:", "columns:"
_BETWEEN = re.compile(r"[,;\s]+")
_NAME = re.compile(r"[a-z]{1,2}[0-9]+|[a-z]", re.IGNORECASE)  # on flat boards
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_PAIR = r"-?[0-9]{1,3},-?[0-9]{1,3}"
OFFSETS = re.compile(rf"{_PAIR}(,?[ \t]+{_PAIR})+|(?=.*-){_PAIR}(,[ \t]*{_PAIR})*")
"""Offsets from the middle: pairs separated by blanks, or with a minus sign somewhere."""
_CLASSES = {"positive", "negative", "true", "false", "win", "loss", "draw"}
"""Labels in the last column of public data sets."""
_UNSEEN = re.compile("\x1b\\[[0-9;]*m|[\N{VARIATION SELECTOR-16}\N{COMBINING ENCLOSING KEYCAP}]")
_HOLES = {*"⚫⚪🔵⬜⬛◻🔳🔲🟦"}  # among red and yellow discs
_SIGN = re.compile(rf"[0-9]+|[{''.join(sign for sign in SIGNS if not sign.isdigit())}]")
_ROUND = re.compile(r"\b[0-9]+\.+(?![0-9])")
_REPR = re.compile(r"\A[\w.]+\((\[.*\])[^\]]*\)\Z", re.DOTALL)  # searching would be quadratic
_RUNS = re.compile(r"[A-Za-z0-9]+(/[A-Za-z0-9]+)+")
_SHOWN = 40


def read_position(game: Game, source: str | ArrayLike) -> Position:
    """Read a position in any of the forms above, and check that it is reachable."""
    if not isinstance(source, str):
        owners = source if isinstance(source, bytes) else _of_array(game, source)
        return Position.from_owners(game, owners)
    text = source.strip()
    if text.startswith(_MOVES):
        return read_moves(game.start(), text[len(_MOVES) :])
    if text.startswith(_COLUMNS):
        return _read_columns(game, text[len(_COLUMNS) :].strip())
    if names := names_of(game, text) or (offsets_of(game, text) if "-" in text else None):
        return read_moves(game.start(), ",".join(names))
    return Position.from_owners(game, owners_of(game, source))


def owners_of(game: Game, text: str) -> bytes:
    """Return the owners of the cells of a written position, legal or not."""
    drawing = in_letters(text)
    text = _REPR.sub(r"\1", drawing.strip())
    if text[:1] + text[-1:] == "[]":
        return _of_array(game, _listed(text))
    if is_drawn(text):
        return _of_drawing(game, drawing)
    separate = _BETWEEN.search(text) is not None
    words = [word for word in _BETWEEN.split(text) if word] if separate else list(text)
    count, width = game.board.cell_count, (game.board.shape or (1,))[-1]
    if {*map(len, words)} == {width} and 1 < width < count == len("".join(words)):
        return _of_drawing(game, "\n".join(words))
    if separate and len(words) == count + 1 and words[-1].lower() in _CLASSES:
        words.pop()
    if len(words) != count:
        what = number_of(len(words), "cell" if separate else "character")
        raise NotationError(f"position has {what}, the board {count} cells{_meant(game, text)}")
    if separate and all(_NUMBER.fullmatch(word) for word in words):
        return _of_array(game, list(map(int, words)))
    owners = _signs(game, words, blanks=separate)
    if separate and game.gravity is not None:
        owners = _by_columns(game, owners)
    return bytes(owners)


def read_moves(position: Position, text: str) -> Position:
    """Play the moves of a comma-separated list.

    Under gravity a number may be that of a column, counted from 0: it is the number of the cell at
    its foot.
    """
    return replay(position, text.split(",") if text else (), _landing)[-1]


def _landing(position: Position, word: str) -> int | str:
    """Return the landing cell of a column named by its foot; other words as they are."""
    game, number = position.game, int(word) if _NUMBER.fullmatch(word.strip()) else -1
    if is_foot(game, number) and position.owners[number] != FREE:
        return landing_cell(position, game.board.coordinates(number))
    return word


def _read_columns(game: Game, text: str) -> Position:
    """Play columns, counted from 1."""
    feet = feet_of(game)
    if not feet:
        raise NotationError(f"{_COLUMNS} stones do not fall on {game}; write {_MOVES}")

    def landing(position: Position, word: str) -> int:
        if not (word.isascii() and word.isdigit() and 1 <= int(word) <= len(feet)):
            columns = f"columns are 1 to {len(feet)}"
            raise IllegalMoveError(f"{quoted(word, 20)} is not a column; {columns}")
        return landing_cell(position, game.board.coordinates(feet[int(word) - 1]))

    words = filter(None, _BETWEEN.split(text)) if _BETWEEN.search(text) else text
    return replay(game.start(), words, landing)[-1]


def replay(
    start: Position, moves: Iterable[Any], cell_of: Callable[[Position, Any], int | str]
) -> list[Position]:
    """Return every position of a game, the start first; errors name the move."""
    found = [start]
    for number, move in enumerate(moves, start=1):
        try:
            found.append(found[-1].play(cell_of(found[-1], move)))
        except IllegalMoveError as error:
            raise NotationError(f"move {number}: {error}") from None
    return found


def names_of(game: Game, text: str) -> list[str] | None:
    """Split text into names of cells; None if it is something else."""
    words = re.findall(r"[^-,;\s]+", _ROUND.sub(" ", text))
    # As many signs as cells are a position, though each of them might be a name.
    fits = game.board.cell_count in (len(text), len([*filter(None, _BETWEEN.split(text))]))
    if len(game.board.shape or ()) == 2:  # elsewhere 3a41b2 may be two things
        flat = [name for word in words for name in _NAME.findall(word)]
        words = flat if "".join(flat) == "".join(words) else words
    # A letter and a number are a name beyond the board too, and refused when they are played.
    named = (is_name(game, word) or re.fullmatch("[a-zA-Z]{1,2}[0-9]+", word) for word in words)
    return words if words and not fits and all(named) else None


def offsets_of(game: Game, text: str) -> list[str] | None:
    """Return the cells of moves given as offsets from the middle; None for other texts."""
    shape, numbers = game.board.shape or (), _BETWEEN.split(text)
    if len(numbers) == game.board.cell_count or len(shape) != 2 or not OFFSETS.fullmatch(text):
        return None
    cells = []
    for column, row in zip(numbers[::2], numbers[1::2], strict=True):
        at = (shape[0] // 2 + int(row), shape[1] // 2 + int(column))
        if not all(0 <= here < length for here, length in zip(at, shape, strict=True)):
            raise NotationError(
                f"{column},{row} from the middle is beyond the {shape[1]} x {shape[0]} board"
            )
        cells.append(str(game.board.cell(at)))
    return cells


def _meant(game: Game, text: str) -> str:
    """Return the end of an error message: the correct form of a likely intention."""
    text = re.sub(r"(?<=[0-9]{4})\s+-?[0-9]{1,2}$", "", text)  # a score
    if OFFSETS.fullmatch(text):
        return "; pairs of numbers count from the middle and have a minus sign somewhere"
    if re.fullmatch(r"[0-9]+([-,;x\s]+[0-9]+)*", text) is None:
        return ""
    words, count = re.findall("[0-9]+", text[:_SHOWN]), game.board.cell_count
    digits = [*"".join(words)]
    moves = digits if count <= len("0123456789") else words
    by_column = {*digits} <= {*map(str, range(1, len(feet_of(game)) + 1))}
    columns = f"; columns are written {_COLUMNS}{''.join(digits)}" if by_column else ""
    fit = all(int(move) < count for move in moves)
    return columns + (f"; moves are written {_MOVES}{','.join(moves)}" if fit else "")


def in_letters(text: str) -> str:
    """Write red and yellow, or black and white, as X and O, and their holes as free cells."""
    letters = {*filter(str.isalpha, text.upper())}
    for pair in ("RY", "BW"):
        if letters & {"R", "W"} and letters <= {*pair}:
            text = text.translate(str.maketrans(pair + pair.lower(), "XOXO"))
    text = _UNSEEN.sub("", text)
    holes = sorted(_HOLES & {*text}) if "🔴" in text or "🟡" in text else []
    if len(holes) > 1:
        raise NotationError(f"{' and '.join(holes)} may be free or stones; write X, O and '.'")
    return text.replace(holes[0], ".") if holes else text


def _without_numbers(game: Game, words: Sequence[str]) -> Sequence[str]:
    """Free the cells that have their numbers as signs: from 0, from 1, or as on a keypad."""
    places = np.arange(game.board.cell_count).reshape(-1, (game.board.shape or (1,))[-1])
    for order in (places, places + 1, places[::-1] + 1):
        pairs = zip(words, map(str, order.flat), strict=False)
        freed = ["." if word == number else word for word, number in pairs]
        if len(words) == places.size and not any(map(str.isdecimal, freed)):
            return freed
    return words


def _of_drawing(game: Game, text: str) -> bytes:
    """Read a drawn board by the first of several readings that fits."""
    plain = text.replace("*", ".")
    with suppress(NotationError):
        return parse(plain).owners(game)
    bare = without_names(text)
    words = iter(_without_numbers(game, _SIGN.findall(text)))
    readings = [
        plain.replace("-", "."),
        re.sub("[,;]", "|", plain.replace("-1", "2")),
        *bare,
        _SIGN.sub(lambda _: next(words), text),
        with_blanks(game, text),
    ]
    if _RUNS.fullmatch(text.strip()):
        readings.append(re.sub("[0-9]{1,3}", lambda run: "." * int(run[0]), text))
    # Each reading takes its time, and no print takes more characters a cell.
    for reading in readings if len(text) < 100 * (game.board.cell_count + 10) else ():
        with suppress(NotationError):
            return parse(reading).owners(game)
    # Rows with names have a second bare reading, the likely intention: report its error.
    return parse(bare[1] if len(bare) > 1 else plain).owners(game)


def _listed(text: str) -> Any:
    """Return the array that JSON, Python or NumPy wrote."""
    commas = text if "," in text else re.sub(r"(?<=[\d.\]])\s+(?=[\[\d-])", ",", text)
    whole = re.sub(r"(?<=\d)\.(?=[\s,\]])", "", commas)
    try:
        return parse_json(whole.replace("'", '"').replace("None", "null"))
    except ValueError:
        raise NotationError("position: the brackets hold no list of numbers or signs") from None


def _signs(game: Game, words: Sequence[str], *, blanks: bool = False) -> list[int]:
    """Return the owners by their signs; in data sets `b` may be a blank."""
    words = _without_numbers(game, words) if any(map(str.isalpha, words)) else words
    signs = SIGNS | dict.fromkeys("-*", FREE)
    if has_rings(words):
        signs["0"] = 2
    elif {".", "-", "*", "_"} & {*words}:
        del signs["0"]
    if blanks and game.players < SIGNS["B"]:
        signs |= dict.fromkeys("bB", FREE)
    owners = []
    for cell, word in enumerate(words):
        owner = signs.get(word)
        if owner is None or (owner != BLOCKED and owner > game.players):
            raise NotationError(
                f"position: character {cell + 1} is {quoted(word, 20)}; "
                f"need '.', '#' or a player 1 to {game.players}"
            )
        owners.append(owner)
    return owners


def _by_columns(game: Game, owners: Sequence[int]) -> list[int]:
    """Order cells that are given column after column, each from below."""
    shape, axis = game.board.shape or (), game.gravity or 0
    rest = [length for at, length in enumerate(shape) if at != axis]
    # The axis of gravity runs fastest; transposing makes it the first, with the others in order.
    given = np.reshape(owners, (*reversed(rest), shape[axis]))
    return np.moveaxis(given.T, 0, axis).ravel().tolist()


def _of_array(game: Game, source: Any) -> bytes:
    """Read numbers of players, or their signs, from an array or from lists."""
    board = game.board
    try:
        array = np.asarray(source)
    except ValueError:
        raise NotationError("position: rows of the array differ in length") from None
    if not array.shape:
        what = type(source).__name__
        raise NotationError(f"position: need text, the owners of cells or an array, not {what}")
    if array.shape not in ((board.cell_count,), board.shape):
        if array.dtype.kind == "U" and array.ndim == 1:
            return _of_drawing(game, in_letters("\n".join(array)))
        shapes = f"({board.cell_count},)" + (f" or {board.shape}" if board.shape else "")
        meant = _meant(game, ",".join(map(str, array))) if array.ndim == 1 else ""
        raise NotationError(f"position: the array has shape {array.shape}; need {shapes}{meant}")
    if array.dtype.kind in "USO":
        words = [str(word or "").strip() or "." for word in array.ravel()]
        array = np.array(_signs(game, in_letters("\n".join(words)).split("\n")))
    if array.dtype.kind not in "biuf" or not (array == np.floor(array)).all():
        raise NotationError("position: the array must hold whole numbers")
    numbers = array.astype(np.int64)
    if game.players == 2:
        numbers = np.where(numbers == -1, 2, numbers)
    blocked = np.isin(np.arange(board.cell_count), game.blocked)
    numbers = numbers.reshape(board.shape or -1)
    numbers = (numbers if game.gravity is None else np.flip(numbers, game.gravity)).ravel()
    # Arrays of other programs have no number for a blocked cell, so 0 will do there.
    numbers = np.where(blocked & (numbers == FREE), BLOCKED, numbers)
    strange = numbers[(numbers != BLOCKED) & ((numbers < FREE) | (numbers > game.players))]
    if len(strange):
        others = ", or 1 and -1" if game.players == 2 else ""
        raise NotationError(
            f"position: the array has {strange[0]}; need 0 for free cells and players 1 to "
            f"{game.players}{others}"
        )
    return numbers.astype(np.uint8).tobytes()


Game._first, Game._read = Position, read_position  # games make positions
