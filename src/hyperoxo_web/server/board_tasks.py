"""Remote procedures on boards and records, too slow for the event loop."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from hyperoxo.errors import HyperoxoError
from hyperoxo.game import BLOCKED, FREE, Game, owners_of, spelled
from hyperoxo.notation import Record, detect, read, read_board, record_to_dict, write
from hyperoxo.pictures import picture  # noqa: F401 - called by name, as the functions below
from hyperoxo.play.board_style import BoardStyle
from hyperoxo.play.describe import result_sentence
from hyperoxo.play.editing import Setup, set_up
from hyperoxo_web.server.refusal import RefusedError

_SPEC = re.compile(r"\s*([0-9]+[\^,{]\S*)\s")
_ONE_LINE = re.compile(r"\s*(?:([0-9]+[\^,{]\S*)\s+)?([.#1-8]+)\s*")


def record(
    text: str,
    notation: str | None = None,
    options: dict[str, str] | None = None,
    game: str | None = None,
) -> Record:
    """Return the only record in some text; `game` is its game unless it names one."""
    with suppress(HyperoxoError):
        if game is not None:
            return record(text, notation, {**(options or {}), "game": game})
    records = read(text, notation, **(options or {}))
    if len(records) != 1:
        raise RefusedError("bad-request", f"expected one game, not {len(records)}")
    return records[0]


def conversion(
    text: str, source: str | None, target: str, options: dict[str, str]
) -> dict[str, Any]:
    """Return the only record in some text, in another notation and as an object."""
    found = record(text, source, options)
    return {"text": write([found], target, **options), "record": record_to_dict(found)}


def stones(text: str, notation: str | None, game: str | None) -> dict[str, Any]:
    """Return the game in some text, the stone on each cell, and the number of moves."""
    kind, line = notation or detect(text, game), _ONE_LINE.fullmatch(text)
    if kind == "drawing" or (kind == "position" and line is not None):
        chosen, owners = _lying(text, line, game)
        return {"game": str(chosen), "cells": spelled(owners), "moves": 0}
    found = record(text, notation, game=game)
    cells = spelled(found.position.owners)
    return {"game": str(found.game), "cells": cells, "moves": len(found.moves)}


def _lying(text: str, line: re.Match[str] | None, shown: str | None) -> tuple[Game, bytes]:
    """Read one position, legal or not; its game is the one shown unless it names one."""
    if line is not None and "/" not in text:
        game = Game(line[1] or shown or "")
        return game, owners_of(game, line[2])
    if shown is not None and not _SPEC.match(text):
        with suppress(HyperoxoError):
            return read_board(text, shown)
    return read_board(text)


def setup(game: str, cells: str) -> dict[str, Any]:
    """Return the view of stones on the board of a game; stones that do not fit are dropped."""
    chosen = Game(game)
    return _seen(set_up(chosen, _fitted(chosen, cells)))


def place(game: str, stones: str) -> dict[str, Any]:
    """Return the view of the stones in an address, legal or not."""
    chosen = Game(game)
    return _seen(set_up(chosen, owners_of(chosen, stones) if stones else chosen.start().owners))


def _seen(found: Setup) -> dict[str, Any]:
    """Return the view of a board that was set up."""
    position = found.position
    result, mover = "", 0
    if position is not None:
        result = result_sentence(position, BoardStyle.of(found.game.players))
        mover = 0 if position.is_over else position.to_move
    return {
        "game": str(found.game),
        "cells": found.text,
        "status": {
            "legal": position is not None,
            "trouble": found.trouble,
            "wrong": list(found.cells),
            "result_text": result,
            "mover": mover,
            "movers": {str(player): first for player, first in found.movers.items()},
        },
    }


def _fitted(game: Game, cells: str) -> bytes:
    """Return the stones that fit the board of a game; the empty board if sizes differ."""
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
