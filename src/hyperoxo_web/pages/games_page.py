"""The list of games that are kept."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hyperoxo.play.changes import now
from hyperoxo_web.pages.component import Page
from hyperoxo_web.pages.reading import number, text
from hyperoxo_web.server import RefusedError

_PAGE = 50
_STATUS = ("all", "open", "over")


class GamesPage(Page):
    """One browser's list of games."""

    paths = ("/games",)
    script = "games"
    styles = ("list",)

    async def build(self, query: str = "", status: str = "all") -> None:
        """Build the page, with the games that the address asks for."""
        query, status = query[:200], status if status in _STATUS else "all"
        asked = {"query": query, "status": status}
        games = await self._listed(query, status)
        self.show("/games", "Games", games=games, now=now(), asked=asked)

    async def on_find(self, value: dict[str, Any]) -> None:
        """List games that words find."""
        status = text(value, "status") or "all"
        if status not in _STATUS:
            status = "all"
        query, offset = text(value, "query") or "", max(0, min(number(value, "offset"), 10**6))
        games = await self._listed(query, status, offset)
        self.tell("found", {"games": games, "offset": offset, "now": now(), "query": query})

    async def on_delete(self, value: dict[str, Any]) -> None:
        """Delete a game, if this browser is its host."""
        game = text(value, "id") or ""
        with suppress(RefusedError):
            await self.core.delete(game, text(value, "host"))
            self.tell("gone", game)

    async def _listed(self, query: str, status: str, offset: int = 0) -> list[dict[str, Any]]:
        found = await self.core.store.games(query, status, _PAGE, offset)
        return [listing.model_dump() for listing in found]
