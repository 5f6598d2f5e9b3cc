"""Setting up a position, and reading one from a text; what is looked at is kept nowhere."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any

from hyperoxo.errors import HyperoxoError
from hyperoxo.notation import Record, detect, read_board
from hyperoxo.play.editing import Setup, set_up, written
from hyperoxo.play.look import Look
from hyperoxo.play.words import as_sentence, result_sentence
from hyperoxo.position import BLOCKED, FREE, owners_of
from hyperoxo.rules import Game
from hyperoxo.server import Limits, NewGame, SeatSpec
from hyperoxo.server.new_game import game_of
from hyperoxo.server.view import game_path
from hyperoxo.web.component import Page
from hyperoxo.web.game_page import begin_at, notations
from hyperoxo.web.new_game_page import pictured, presets
from hyperoxo.web.previews import path_of
from hyperoxo.web.reading import text

_FIRST = "4^3"
_EXAMPLE = "4^3 0-3-60-21-15-51-12-63-56-50-6-9-48-8"
_LONGEST = 500_000
_SPEC = re.compile(r"\s*([0-9]+[\^,{]\S*)\s")
_ONE_LINE = re.compile(r"\s*(?:([0-9]+[\^,{]\S*)\s+)?([.#1-8]+)\s*")


class AnalysePage(Page):
    """One browser's board."""

    script = "analyse"
    styles = ("board", "table", "form", "analyse")

    def build(self, place: str = "") -> None:
        """Build the page with the board that its address names, legal or not."""
        found = placed(place, self.limits) if place else set_up(*empty(Game(_FIRST)))
        self.show(
            "/analyse",
            "Set up a position",
            geometry=pictured(found.game),
            cells=found.text,
            news=news(found),
            notations=notations(),
            presets=[{key: one[key] for key in ("name", "spec", "about")} for one in presets()],
            example=_EXAMPLE,
        )

    async def on_look(self, value: dict[str, Any]) -> None:
        """Say what these stones are on the board of a game."""
        spec, cells = text(value, "game", _LONGEST) or "", text(value, "cells", _LONGEST) or ""
        answer: dict[str, Any] = {"asked": [spec, cells]}
        try:
            game = await asyncio.to_thread(game_of, spec, self.limits)
            found = await asyncio.to_thread(set_up, game, fitted(game, cells))
            answer |= {"cells": found.text, **news(found)}
            if str(game) != value.get("known"):
                answer["geometry"] = await asyncio.to_thread(pictured, game)
        except HyperoxoError as problem:
            answer["error"] = as_sentence(str(problem))
        self.tell("looked", answer)

    async def on_read(self, value: dict[str, Any]) -> None:
        """Put what a text says on the board."""
        game, owners, moves = await asyncio.to_thread(self._read, value)
        cells = written(owners)
        self.tell("took", {"game": str(game), "cells": cells, "moves": moves})

    async def on_whole(self, value: dict[str, Any]) -> None:
        """Look at every move of a text; only what no address can hold becomes a game."""
        record = await asyncio.to_thread(self._record, value)
        if record == Record(record.game, record.moves):
            self.go_to(path_of(record.position) + "?review=1")
            return
        seats = [SeatSpec(holder="you") for _ in range(record.game.players)]
        made = await self.core.create(
            NewGame(record=record, seats=seats, listed=False), self.address
        )
        path = game_path(made.live.room.id, made.tokens[0])
        self.go_to(f"{path}&host={made.host}&review=1")

    async def on_begin(self, value: dict[str, Any]) -> None:
        """Begin a game at the position: the player to move against agents."""
        game = game_of(text(value, "game", _LONGEST) or "", self.limits)
        position = game.position(text(value, "cells", _LONGEST) or "")
        self.go_to(await begin_at(self.core, position, self.address))

    def _read(self, value: dict[str, Any]) -> tuple[Game, bytes, int]:
        """Return the game of a text, what lies on each cell, and how many moves led there."""
        words, notation = text(value, "text", _LONGEST) or "", text(value, "notation")
        kind, line = notation or detect(words), _ONE_LINE.fullmatch(words)
        if kind == "drawing" or (kind == "position" and line is not None):
            return (*self._stones(words, line, text(value, "game", _LONGEST)), 0)
        record = self._record(value)
        return record.game, record.position.owners, len(record.moves)

    def _stones(
        self, words: str, line: re.Match[str] | None, shown: str | None
    ) -> tuple[Game, bytes]:
        """Read one position, which need not be legal; if it names no game, of that shown."""
        if line is not None and "/" not in words:
            game = game_of(line[1] or shown or "", self.limits)
            return game, owners_of(game, line[2])
        if shown is not None and not _SPEC.match(words):
            with suppress(HyperoxoError):
                return read_board(words, shown)
        chosen, owners = read_board(words)
        return game_of(str(chosen), self.limits), owners

    def _record(self, value: dict[str, Any]) -> Record:
        """Read the one record of a text; if it names no game, of the game that is shown."""
        words, notation = text(value, "text", _LONGEST) or "", text(value, "notation")
        shown = text(value, "game", _LONGEST)
        try:
            record = self.core.import_record(words, notation, **({"game": shown} if shown else {}))
        except HyperoxoError:
            record = self.core.import_record(words, notation)
        game_of(str(record.game), self.limits)
        return record


def empty(game: Game) -> tuple[Game, bytes]:
    """Return a game and its board without stones."""
    return game, game.start().owners


def placed(place: str, limits: Limits) -> Setup:
    """Read the game and the stones of an address."""
    spec, stones = split_place(place)
    game = game_of(spec, limits)
    return set_up(game, owners_of(game, stones) if stones else game.start().owners)


def why_not(place: str, limits: Limits) -> str:
    """Say in words why an address names no position; empty where the error itself says it."""
    with suppress(HyperoxoError):
        return placed(place, limits).trouble
    return ""


def split_place(place: str) -> tuple[str, str]:
    """Split an address into the game, whose spelling may hold a slash, and what stands after it."""
    lines, brace, rest = place.rpartition("}")
    spec, _, stones = rest.partition("/")
    return lines + brace + spec, stones


def fitted(game: Game, cells: str) -> bytes:
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


def news(found: Setup) -> dict[str, Any]:
    """Return what the page says of the stones."""
    position = found.position
    said, mover = "", 0
    if position is not None:
        said = result_sentence(position, Look.of(found.game.players))
        mover = 0 if position.is_over else position.to_move
    return {
        "legal": position is not None,
        "trouble": found.trouble,
        "wrong": list(found.cells),
        "said": said,
        "mover": mover,
        "movers": {str(player): first for player, first in found.movers.items()},
    }
