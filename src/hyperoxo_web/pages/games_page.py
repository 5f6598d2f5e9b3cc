"""The list of stored games, and matches between agents to start and watch."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from hyperoxo.agents import opponents
from hyperoxo.play.changes import now
from hyperoxo.play.presets import PRESETS
from hyperoxo_web.pages.component import Page, Text
from hyperoxo_web.pages.previews import page_state
from hyperoxo_web.server import RefusedError
from hyperoxo_web.server.game_session import GameSession
from hyperoxo_web.server.match_session import MatchSession
from hyperoxo_web.server.view import Written

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
        """List the games that match a query."""
        offset = max(0, min(offset, 10**6))
        games = await self._listed(query, status, offset)
        self.push("found", {"entries": games, "offset": offset, "now": now(), "asked": asked})

    async def on_delete(self, id: Text, host: Text | None = None) -> None:  # noqa: A002
        """Delete a game, if this browser is its host."""
        with suppress(RefusedError):
            await self.core.delete(id, host)
            self.push("gone", id)

    async def _listed(self, query: str, status: str, offset: int = 0) -> list[dict[str, Any]]:
        chosen = status if status in ("open", "over") else "all"
        found = await self.core.store.games(query, chosen, _PAGE, offset)
        return [listing.model_dump() for listing in found]


_BETWEEN = 0.04  # seconds between two states of a match


class MatchesPage(Page):
    """One browser's view of the matches."""

    paths = ("/matches",)
    missing = "There is no such match."
    why = "It lasted as long as the server."
    script = "matches"
    styles = ("board", "form", "list", "results", "matches")

    async def build(self, match: str = "") -> None:
        """Build the page, with one match first."""
        matches = self.core.matches
        if match and match not in matches.rooms:
            raise RefusedError("bad-request", f"there is no match {match}")
        self.watched: str | None = None
        self._live: GameSession | None = None
        self.show(
            "/lab",
            "Matches",
            matches=[self._seen(room) for room in reversed(matches.rooms.values())],
            agents=opponents(),
            presets=[{"name": entry.name, "spec": entry.spec} for entry in PRESETS],
            asked=match,
        )
        self.listen(matches.watchers, self._on_change)

    async def on_begin(
        self, game: Text, agents: list[Text], games: int, pace: float = 0.0, swap: bool = True
    ) -> None:
        """Start a match."""
        room = await self.core.matches.begin(
            game, agents, games, pace=pace, swap=swap, address=self.address
        )
        self.push("updated", self._seen(room))
        self.push("begun", room.id)

    async def on_follow(self, id: Text | None) -> None:  # noqa: A002
        """Show the games of a match as they are played."""
        self.watched = id
        # Forgotten even if it is the same game, which `_on_change` then sends anew.
        self._live = None
        room = self.core.matches.rooms.get(self.watched or "")
        if room is not None:
            self._on_change(room)

    async def on_stop(self, id: Text) -> None:  # noqa: A002
        """End a match."""
        self.core.matches.stop(id, self.address)

    def _seen(self, room: MatchSession) -> dict[str, Any]:
        """Return the view of a match, with this browser's right to stop it."""
        return {**room.view(), "stops": self.core.matches.may_stop(room, self.address)}

    def _on_change(self, room: MatchSession) -> None:
        self.push("updated", self._seen(room))
        if room.id == self.watched and room.current is not None and room.current != self._live:
            self._live = room.current
            self.beside("follow a match", self._follow(room.id, room.current))

    async def _follow(self, match: str, live: GameSession) -> None:
        geometry: Written | None
        geometry = await self.core.boards.view("geometry", live.room.game, self.client)
        async with live.subscribe(counted=False) as updates:
            async for update in updates:
                if update.room is not live.room and not update.room.is_over:
                    continue  # a quick game: only what is on the board now
                state = page_state(live)
                self.push("display", {"match": match, "geometry": geometry, "state": state})
                # The page keeps the board, so later states come without it.
                geometry = None
                if live.room.is_over:
                    return
                await asyncio.sleep(_BETWEEN)
