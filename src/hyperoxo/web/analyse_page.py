"""A record to be analysed: it becomes a game whose page analyses every move."""

from __future__ import annotations

import asyncio
from typing import Any

from hyperoxo.server import NewGame, SeatSpec
from hyperoxo.server.new_game import game_of
from hyperoxo.server.view import game_path
from hyperoxo.web.component import Page
from hyperoxo.web.game_page import notations
from hyperoxo.web.reading import text

_EXAMPLE = "4^3 0-3-60-21-15-51-12-63-56-50-6-9-48-8"
_LONGEST = 500_000


class AnalysePage(Page):
    """One browser's form for a record."""

    script = "analyse"

    def build(self) -> None:
        """Build the page."""
        self.show("/analyse", "Analyse", notations=notations(), example=_EXAMPLE)

    async def on_read(self, value: dict[str, Any]) -> None:
        """Make a game of a record, and go to its page."""
        words = text(value, "text", _LONGEST) or ""
        game = text(value, "game")
        options = {} if game is None else {"game": game}
        if game is not None:
            game_of(game, self.limits)
        record = await asyncio.to_thread(
            self.core.import_record, words, text(value, "notation"), **options
        )
        seats = [SeatSpec(holder="you") for _ in range(record.game.players)]
        new = NewGame(record=record, seats=seats, listed=False)
        made = await self.core.create(new, self.address)
        path = game_path(made.live.room.id, made.tokens[0])
        self.go_to(f"{path}&host={made.host}&review=1")
