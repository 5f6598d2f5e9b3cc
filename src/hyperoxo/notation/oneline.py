"""One-line records: ``3^2:misere moves:4,0,8 result=1``.

::

    record   = game {" " field}            each field at most once, in any order
    field    = "setup=" position | moves | "result=" result | "resigned=" player
    moves    = "moves:" [cell {"," cell}]  or, when reading, cells joined by "-"
    cell     = number | name               names for people, as in `hyperoxo.game.names`
    position = one character per cell: "." free, "1".."8" stones, "#" blocked
    result   = "=" | player {"+" player}

A game without moves needs no field at all. Names of players, icons, tags and comments
are not carried. A file holds one record per line; empty lines and lines that begin with
``#`` and a blank are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hyperoxo.errors import NotationError
from hyperoxo.game import Game, move_name
from hyperoxo.game.reading import read_moves
from hyperoxo.notation.record import Record, read_each, read_game, rows_of

_NUMBER = re.compile("[0-9]{1,9}")
MOVES = re.compile(r"[0-9A-Za-z.]+(-[0-9A-Za-z.]*)+")
"""Cells joined by dashes."""


def read_record(text: str) -> Record:
    """Read a one-line record."""
    words = text.split()
    if not words:
        raise NotationError("an empty line is not a record")
    game = read_game(words[0])
    fields: dict[str, str] = {}
    for word in words[1:]:
        name, value = _field(word)
        if name in fields:
            raise NotationError(f"'{name}' is given twice (at {word[:40]!r})")
        fields[name] = value
    setup, resigned = fields.get("setup"), fields.get("resigned")
    moves = _cells(game, setup, fields.get("moves", ""))
    if resigned is not None and not _NUMBER.fullmatch(resigned):
        raise NotationError(f"resigned: {resigned[:20]!r} is not a whole number")
    gave_up = None if resigned is None else int(resigned)
    return Record(game, moves, setup, result=fields.get("result"), resigned=gave_up)


def _cells(game: Game, setup: str | None, moves: str) -> tuple[int, ...]:
    """Read cells by number, or play those that have a name: it may be that of a column."""
    words = moves.split(",") if moves else []
    if all(_NUMBER.fullmatch(word) for word in words):
        return tuple(map(int, words))
    start = game.start() if setup is None else game.position(setup)
    return read_moves(start, moves).history


def write_record(record: Record, *, names: bool = False) -> str:
    """Write a record as one line, with cells by number or by name."""
    words = [str(record.game)]
    if record.setup is not None:
        words.append(f"setup={record.setup}")
    named = names and record.game.board.shape is not None
    cells = (move_name(record.game, cell) if named else str(cell) for cell in record.moves)
    words.append(f"moves:{','.join(cells)}")
    if record.result is not None:
        words.append(f"result={record.result}")
    if record.resigned is not None:
        words.append(f"resigned={record.resigned}")
    return " ".join(words)


def read_records(text: str) -> list[Record]:
    """Read a file of one-line records."""
    return read_each("line", rows_of(text), read_record)


def write_records(records: Iterable[Record], *, names: bool = False) -> str:
    """Write records, one per line."""
    return "".join(write_record(record, names=names) + "\n" for record in records)


def _field(word: str) -> tuple[str, str]:
    moves = word.removeprefix("moves:")
    if moves != word or MOVES.fullmatch(word):
        return "moves", moves.replace("-", ",")
    name, equals, value = word.partition("=")
    if equals and name in ("setup", "result", "resigned"):
        return name, value
    raise NotationError(
        f"unknown field {word[:40]!r}; fields are setup=, moves:, result= and resigned="
    )
