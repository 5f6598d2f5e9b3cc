"""One-line records: ``3^2:misere moves:4,0,8 result=1``.

::

    record   = game {" " field}            each field at most once, in any order
    field    = "setup=" position | moves | "result=" result | "resigned=" player
    moves    = "moves:" [cell {"," cell}]  or, when reading, cells joined by "-"
    position = one character per cell: "." free, "1".."8" stones, "#" blocked
    result   = "=" | player {"+" player}

A game without moves needs no field at all. Names of players, icons, tags and comments
are not carried. A file holds one record a line; empty lines and lines that begin with
``#`` and a blank are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable

from hyperoxo.errors import NotationError
from hyperoxo.notation.record import Record, read_each, read_game, rows_of


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
    moves = fields.get("moves", "")
    return Record(
        game,
        tuple(_number(word, f"move {at}") for at, word in enumerate(moves.split(","), 1))
        if moves
        else (),
        fields.get("setup"),
        result=fields.get("result"),
        resigned=_number(fields["resigned"], "resigned") if "resigned" in fields else None,
    )


def write_record(record: Record) -> str:
    """Write a record as one line."""
    words = [str(record.game)]
    if record.setup is not None:
        words.append(f"setup={record.setup}")
    words.append("moves:" + ",".join(map(str, record.moves)))
    if record.result is not None:
        words.append(f"result={record.result}")
    if record.resigned is not None:
        words.append(f"resigned={record.resigned}")
    return " ".join(words)


def read_records(text: str) -> list[Record]:
    """Read a file of one-line records."""
    return read_each("line", rows_of(text), read_record)


def write_records(records: Iterable[Record]) -> str:
    """Write records, one a line."""
    return "".join(write_record(record) + "\n" for record in records)


def _field(word: str) -> tuple[str, str]:
    if word.startswith("moves:"):
        return "moves", word[len("moves:") :].replace("-", ",")
    name, equals, value = word.partition("=")
    if equals and name in ("setup", "result", "resigned"):
        return name, value
    if word[0].isdigit() and "-" in word:
        return "moves", word.replace("-", ",")
    raise NotationError(
        f"unknown field {word[:40]!r}; fields are setup=, moves:, result= and resigned="
    )


def _number(word: str, what: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 9):
        raise NotationError(f"{what}: {word[:20]!r} is not a whole number")
    return int(word)
