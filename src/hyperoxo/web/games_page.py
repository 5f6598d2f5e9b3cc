"""The list of games that are kept."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hyperoxo.server import Core, Listing, RefusedError
from hyperoxo.server.links import game_path
from hyperoxo.server.times import now
from hyperoxo.web.component import GamesElement
from hyperoxo.web.reading import number, text
from hyperoxo.web.shell import frame

_PAGE = 50


async def games_page(core: Core) -> GamesElement:
    """Build the page."""
    first = await core.games(limit=_PAGE)
    with frame("/games", "Games"):
        element = GamesElement(games=[_entry(listing) for listing in first], now=now())

    async def find(value: dict[str, Any]) -> None:
        status = text(value, "status") or "all"
        if status not in ("all", "open", "over"):
            status = "all"
        query, offset = text(value, "query") or "", max(0, min(number(value, "offset"), 10**6))
        found = await core.games(query, status, _PAGE, offset)
        games = [_entry(listing) for listing in found]
        element.tell("found", {"games": games, "offset": offset, "now": now(), "query": query})

    async def delete(value: dict[str, Any]) -> None:
        game = text(value, "id") or ""
        with suppress(RefusedError):
            await core.delete(game, text(value, "host"))
            element.tell("gone", game)

    element.hears("find", find)
    element.hears("delete", delete)
    return element


def _entry(listing: Listing) -> dict[str, Any]:
    return {**vars(listing), "names": list(listing.names), "url": game_path(listing.id)}
