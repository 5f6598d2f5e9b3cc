"""A record to be analysed: it becomes a game, and the page of that game looks at every move."""

from __future__ import annotations

import asyncio
from typing import Any

from nicegui import Client, ui

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.words import as_sentence
from hyperoxo.server import Core, NewGame, SeatSpec
from hyperoxo.server.links import game_path
from hyperoxo.server.new_game import game_of
from hyperoxo.web.component import AnalyseElement
from hyperoxo.web.game_page import notations
from hyperoxo.web.reading import text
from hyperoxo.web.shell import frame

_EXAMPLE = "4^3 0-3-60-21-15-51-12-63-56-50-6-9-48-8"
_LONGEST = 500_000


def analyse_page(core: Core, client: Client) -> AnalyseElement:
    """Build the page."""
    with frame("/analyse", "Analyse"):
        element = AnalyseElement(notations=notations(), example=_EXAMPLE)

    async def read(value: dict[str, Any]) -> None:
        words = text(value, "text", _LONGEST) or ""
        game = text(value, "game")
        options = {} if game is None else {"game": game}
        address = client.ip or ""
        try:
            if game is not None:
                game_of(game, core.limits_of(address))
            record = await asyncio.to_thread(
                core.import_record, words, text(value, "notation"), **options
            )
            seats = [SeatSpec(holder="you") for _ in range(record.game.players)]
            made = await core.create(NewGame(record=record, seats=seats, listed=False), address)
        except HyperoxoError as problem:
            element.tell("failed", as_sentence(str(problem)))
            return
        path = game_path(made.live.room.id, made.tokens[0])
        with element:
            ui.navigate.to(f"{path}&host={made.host}&review=1")

    element.hears("read", read)
    return element
