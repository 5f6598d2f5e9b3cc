"""The server behind the pages: games, classes, and matches that can be watched."""

from __future__ import annotations

from functools import cached_property

from hyperoxo_web.server.classroom import Classes
from hyperoxo_web.server.games import Games
from hyperoxo_web.server.match_room import Matches


class Core(Games):
    """All of a server but its interfaces."""

    @cached_property
    def classes(self) -> Classes:
        """Its classes."""
        return Classes(self)

    @cached_property
    def matches(self) -> Matches:
        """Its matches that can be watched."""
        return Matches(self)

    async def stop(self) -> None:
        """Stop all agents, matches, analyses and runs, and close the store; nothing is lost."""
        await self.matches.close()
        await super().stop()

    async def delete(self, game: str, token: str | None) -> None:
        """Forget a game, and its place in a class; host only."""
        await super().delete(game, token)
        await self.classes.forget(game)
