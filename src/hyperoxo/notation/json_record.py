"""Records as JSON: one object, or an array of objects.

=============  =======================================================================
``format``     ``"hyperoxo-record"``, required
``version``    1, required
``game``       game spec, required
``moves``      array of cell numbers, required
``setup``      position the game started from, one character per cell, or null
``players``    array of names, one per player, or empty
``icons``      array of icons, at least one per player, or empty
``free_icon``  icon of a free cell, or null
``result``     ``"1"``, ``"1+3"``, ``"="``, or null while the game goes on
``resigned``   number of the player who resigned, or null
``tags``       object of texts, in order
``comments``   object of texts; each key is the number of moves before the remark
=============  =======================================================================

Everything a `Record` holds is carried. Unknown keys are refused, so that a slip in a key
does not lose a field in silence; a later version will count up ``version``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, TypeVar

from hyperoxo.errors import NotationError
from hyperoxo.notation.record import Record, read_each, read_game
from hyperoxo.untrusted import parse_json

FORMAT = "hyperoxo-record"
VERSION = 1

_REQUIRED = ("format", "version", "game", "moves")
_KNOWN = {"format", "version", *(field.name for field in fields(Record))}
_KINDS = {str: "text", int: "a whole number", list: "an array", dict: "an object"}
_Value = TypeVar("_Value")


def record_to_dict(record: Record) -> dict[str, Any]:
    """Return the record as the plain object that JSON holds."""
    return {
        "format": FORMAT,
        "version": VERSION,
        **{field.name: getattr(record, field.name) for field in fields(record)},
        "game": str(record.game),
        "moves": list(record.moves),
        "players": list(record.players),
        "icons": list(record.icons),
        "tags": dict(record.tags),
        "comments": {str(ply): text for ply, text in record.comments},
    }


def record_from_dict(data: object) -> Record:
    """Make a record from the plain object that JSON holds."""
    if not isinstance(data, dict):
        raise NotationError("a record must be an object")
    for key in _REQUIRED:
        if key not in data:
            raise NotationError(f"key '{key}' is missing")
    for key in data:
        if key not in _KNOWN:
            raise NotationError(f"unknown key {str(key)[:40]!r}")
    if data["format"] != FORMAT:
        raise NotationError(f"format must be '{FORMAT}'")
    if type(data["version"]) is not int or data["version"] != VERSION:
        raise NotationError(f"version {data['version']!r:.40} is not known; this is {VERSION}")

    def each(key: str, kind: type[_Value]) -> tuple[_Value, ...]:
        values = _checked(data.get(key, []), list, key)
        return tuple(_checked(one, kind, f"{key}[{at}]") for at, one in enumerate(values))

    def maybe(key: str, kind: type[_Value]) -> _Value | None:
        return None if data.get(key) is None else _checked(data[key], kind, key)

    def texts(key: str) -> dict[str, str]:
        values = _checked(data.get(key, {}), dict, key)
        return {name: _checked(one, str, f"{key}[{name!r:.40}]") for name, one in values.items()}

    return Record(
        read_game(_checked(data["game"], str, "game"), "game: "),
        each("moves", int),
        maybe("setup", str),
        each("players", str),
        each("icons", str),
        maybe("free_icon", str),
        maybe("result", str),
        maybe("resigned", int),
        tuple(texts("tags").items()),
        tuple((_ply(key), text) for key, text in texts("comments").items()),
    )


def read_json(text: str) -> list[Record]:
    """Read one record, or an array of them."""
    data = parse_json(text, pairs=_object)
    if not isinstance(data, list):
        return [record_from_dict(data)]
    return read_each("record", enumerate(data, start=1), record_from_dict)


def write_json(records: Iterable[Record]) -> str:
    """Write one record as an object, any other number of them as an array."""
    data = [record_to_dict(record) for record in records]
    plain = data[0] if len(data) == 1 else data
    return json.dumps(plain, ensure_ascii=False, allow_nan=False) + "\n"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise NotationError(f"key {key[:40]!r} appears twice")
        found[key] = value
    return found


def _checked(value: object, kind: type[_Value], where: str) -> _Value:
    """Check the type of a value; a bool is not a number."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise NotationError(f"{where} must be {_KINDS[kind]}, not {value!r:.40}")
    if isinstance(value, int) and abs(value) >= 10**9:
        raise NotationError(f"{where} is too large")
    return value


def _ply(key: str) -> int:
    if not (key.isascii() and key.isdigit() and len(key) <= 9 and str(int(key)) == key):
        raise NotationError(f"comments: {key!r:.40} is not a number of moves")
    return int(key)
