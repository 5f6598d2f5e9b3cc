"""Work on boards that may take longer than the event loop can wait, for a worker process.

Functions take and return plain values for JSON; `CALLS` has them by the names that requests use.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board import Board
from hyperoxo.errors import HyperoxoError
from hyperoxo.game import BLOCKED, FREE, Game, owners_of
from hyperoxo.game.spec import OPTIONS, parse_game_spec
from hyperoxo.notation import Record, detect, read, read_board, record_to_dict, write
from hyperoxo.pictures import picture
from hyperoxo.play.editing import Setup, set_up, written
from hyperoxo.play.look import Look
from hyperoxo.play.words import result_sentence
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.view import as_json, geometry_of, pictured

_SPEC = re.compile(r"\s*([0-9]+[\^,{]\S*)\s")
_ONE_LINE = re.compile(r"\s*(?:([0-9]+[\^,{]\S*)\s+)?([.#1-8]+)\s*")
_PARTS = ("side", "dim", "shape", "spelling", "connect", "wrap", "blocked", "names")
_BOARDS = {"blocked", *(option.name for option in OPTIONS if option.board)}
"""Options that the tables of a board already follow."""


def packed(spec: str) -> dict[str, Any]:
    """Return a game with the tables of its board, from which `unpacked` makes it at once."""
    game = Game(spec)
    board = game.board
    options = parse_game_spec(spec).keywords()
    return {
        "spelling": str(game),
        "options": {name: value for name, value in options.items() if name not in _BOARDS},
        "cells": board.cell_count,
        "parts": {name: getattr(board, name) for name in _PARTS},
        "pointers": _to_text(board.line_ptr),
        "lines": _to_text(board.line_cells),
    }


def unpacked(plain: dict[str, Any]) -> Game:
    """Make the game that `packed` has returned."""
    parts: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in plain["parts"].items()
    }
    pointers = _to_array(plain["pointers"]).astype(np.int64)
    board = Board(plain["cells"], pointers, _to_array(plain["lines"]), **parts)
    game = Game(board=board, **plain["options"])
    game.__dict__["_spelling"] = plain["spelling"]
    return game


def _to_text(array: NDArray[Any]) -> str:
    return base64.b64encode(array.astype("<i4").tobytes()).decode()


def _to_array(text: str) -> NDArray[np.int32]:
    return np.frombuffer(base64.b64decode(text), "<i4")


def record(
    text: str, notation: str | None, options: dict[str, str], game: str | None = None
) -> dict[str, Any]:
    """Return the one record of a text; if it names no game, of `game`."""
    with suppress(HyperoxoError):
        if game is not None:
            return record_to_dict(_read(text, notation, {**options, "game": game}))
    return record_to_dict(_read(text, notation, options))


def _read(text: str, notation: str | None, options: dict[str, str]) -> Record:
    records = read(text, notation, **options)
    if len(records) != 1:
        raise RefusedError("bad-request", f"one game is wanted, not {len(records)}")
    return records[0]


def conversion(
    text: str, source: str | None, target: str, options: dict[str, str]
) -> dict[str, Any]:
    """Return the one record of a text in another notation, and as an object."""
    found = _read(text, source, options)
    return {"text": write([found], target, **options), "record": record_to_dict(found)}


def stones(text: str, notation: str | None, game: str | None) -> dict[str, Any]:
    """Return the game of a text, what lies on each cell, and how many moves led there."""
    kind, line = notation or detect(text), _ONE_LINE.fullmatch(text)
    if kind == "drawing" or (kind == "position" and line is not None):
        chosen, owners = _lying(text, line, game)
        return {"game": str(chosen), "cells": written(owners), "moves": 0}
    options = {} if game is None else {"game": game}
    try:
        found = _read(text, notation, options)
    except HyperoxoError:
        found = _read(text, notation, {})
    cells = written(found.position.owners)
    return {"game": str(found.game), "cells": cells, "moves": len(found.moves)}


def _lying(text: str, line: re.Match[str] | None, shown: str | None) -> tuple[Game, bytes]:
    """Read one position, which need not be legal; if it names no game, of that shown."""
    if line is not None and "/" not in text:
        game = Game(line[1] or shown or "")
        return game, owners_of(game, line[2])
    if shown is not None and not _SPEC.match(text):
        with suppress(HyperoxoError):
            return read_board(text, shown)
    return read_board(text)


def setup(game: str, cells: str) -> dict[str, Any]:
    """Return what stones are on the board of a game, where they fit."""
    chosen = Game(game)
    return _seen(set_up(chosen, _fitted(chosen, cells)))


def place(game: str, stones: str) -> dict[str, Any]:
    """Return the stones that an address names, legal or not."""
    return _seen(placed(game, stones))


def placed(game: str, stones: str) -> Setup:
    """Read the game and the stones of an address."""
    chosen = Game(game)
    return set_up(chosen, owners_of(chosen, stones) if stones else chosen.start().owners)


def _seen(found: Setup) -> dict[str, Any]:
    """Return the view of stones that were set up."""
    position = found.position
    said, mover = "", 0
    if position is not None:
        said = result_sentence(position, Look.of(found.game.players))
        mover = 0 if position.is_over else position.to_move
    return {
        "game": str(found.game),
        "cells": found.text,
        "news": {
            "legal": position is not None,
            "trouble": found.trouble,
            "wrong": list(found.cells),
            "said": said,
            "mover": mover,
            "movers": {str(player): first for player, first in found.movers.items()},
        },
    }


def _fitted(game: Game, cells: str) -> bytes:
    """Return the stones that the board of a game can hold, none if it has another size."""
    start = game.start().owners
    if len(cells) != len(start):
        return start
    owners = bytearray(start)
    for cell, sign in enumerate(cells):
        if owners[cell] != BLOCKED and sign in "12345678"[: game.players]:
            owners[cell] = int(sign)
        elif owners[cell] != BLOCKED:
            owners[cell] = FREE
    return bytes(owners)


def drawing(
    position: dict[str, Any], kind: str, theme: str | None, size: tuple[int, int] | None
) -> str:
    """Return a picture of a position, in base64."""
    shown = Game(position["game"]).start()
    if position["setup"] is not None:
        shown = shown.game.position(position["setup"])
    for cell in position["moves"]:
        shown = shown.play(cell)
    size = None if size is None else (size[0], size[1])
    return base64.b64encode(picture(shown, kind, theme=theme, size=size)).decode()


def geometry(spec: str) -> str:
    """Return the view of a board as the JSON that pages are sent."""
    return as_json(geometry_of(Game(spec))).decode()


def facts(spec: str) -> str:
    """Return the view of a board with facts about it as the JSON that pages are sent."""
    return as_json(pictured(Game(spec))).decode()


CALLS: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (packed, record, conversion, stones, setup, place, drawing, geometry, facts)
}
"""Calls to a worker process, by name."""
