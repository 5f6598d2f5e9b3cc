"""The list of games that are kept."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hyperoxo.play.changes import now
from hyperoxo_web.pages.component import Page, Text
from hyperoxo_web.server import RefusedError

_PAGE = 50


class GamesPage(Page):
    """One browser's list of games."""

    paths = ("/games",)
    script = "games"
    styles = ("list",)

    async def build(self, query: str = "", status: str = "") -> None:
        """Build the page, with the games that the address asks for."""
        asked = {"query": query[:200], "status": status if status in ("open", "over") else ""}
        games = await self._listed(asked["query"], asked["status"])
        self.show("/games", "Games", entries=games, now=now(), asked=asked)

    async def on_find(
        self, offset: int, query: Text = "", status: Text = "", asked: Any = None
    ) -> None:
        """List games that words find."""
        offset = max(0, min(offset, 10**6))
        games = await self._listed(query, status, offset)
        self.tell("found", {"entries": games, "offset": offset, "now": now(), "asked": asked})

    async def on_delete(self, id: Text, host: Text | None = None) -> None:  # noqa: A002
        """Delete a game, if this browser is its host."""
        with suppress(RefusedError):
            await self.core.delete(id, host)
            self.tell("gone", id)

    async def _listed(self, query: str, status: str, offset: int = 0) -> list[dict[str, Any]]:
        chosen = status if status in ("open", "over") else "all"
        found = await self.core.store.games(query, chosen, _PAGE, offset)
        return [listing.model_dump() for listing in found]
