"""Pages to set up or read a position, and of unstored positions."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hyperoxo.errors import HyperoxoError, NotationError
from hyperoxo.game.spec import grammar
from hyperoxo.notation import Record
from hyperoxo_web.pages.component import Page, told_in
from hyperoxo_web.pages.game_page import GamePage, begin_at, notations
from hyperoxo_web.pages.new_game_page import presets
from hyperoxo_web.pages.previews import of_position, path_of
from hyperoxo_web.server import NewGame, RefusedError, SeatSpec
from hyperoxo_web.server.new_game import position_of
from hyperoxo_web.server.view import Written

_FIRST = "4^3"
_EXAMPLE = "4^3 0-3-60-21-15-51-12-63-56-50-6-9-48-8"


class AnalysePage(Page):
    """One browser's board."""

    paths = ("/analyse", "/analyse/{place:path}")
    missing = "There is no such board."
    script = "analyse"
    styles = ("board", "table", "form", "analyse")

    async def build(self, place: str = "") -> None:
        """Build the page with the board that its address names, legal or not."""
        spec, stones = split_place(place) if place else (_FIRST, "")
        found = await self.core.boards.call("place", self.asker, game=spec, stones=stones)
        self.show(
            "/analyse",
            "Set up a position",
            geometry=await self._geometry(found),
            cells=found["cells"],
            news=found["news"],
            notations=notations(),
            presets=[{key: one[key] for key in ("name", "spec", "about")} for one in presets()],
            example=_EXAMPLE,
            grammar=grammar(),
        )

    async def _geometry(self, found: dict[str, Any]) -> Written:
        boards = self.core.boards
        return await boards.view("facts", await boards.game(found["game"], self.asker), self.asker)

    async def on_look(self, game: str, cells: str, known: str = "") -> None:
        """Validate stones on the board of a game."""
        answer: dict[str, Any] = {"asked": [game, cells]}
        with told_in(answer):
            found = await self.core.boards.call("setup", self.asker, game=game, cells=cells)
            answer |= {"cells": found["cells"], **found["news"]}
            if found["game"] != known:
                answer["geometry"] = await self._geometry(found)
        self.tell("looked", answer)

    async def on_read(self, text: str, notation: str = "", game: str = "") -> None:
        """Put the position of a text on the board."""
        asked = {"text": text, "notation": notation or None, "game": game or None}
        self.tell("took", await self.core.boards.call("stones", self.asker, **asked))

    async def on_whole(self, text: str, notation: str = "", game: str = "") -> None:
        """Review the record of a text; only one that no address can hold becomes a game."""
        asked = {"text": text, "notation": notation or None, "game": game or None}
        record: Record = await self.core.boards.call("record", self.asker, **asked)
        if record == Record(record.game, record.moves):
            self.go_to(path_of(record.position) + "?review=1")
            return
        seats = [SeatSpec(holder="you") for _ in range(record.game.players)]
        made = await self.core.create(
            NewGame(record=record, seats=seats, listed=False), self.address
        )
        self.go_to(f"{made.path(made.tokens[0])}&review=1")

    async def on_begin(self, game: str, cells: str) -> None:
        """Begin a game at the position: the player to move against agents."""
        position = await self.core.boards.run(self.asker, position_of, game, cells, self.limits)
        self.go_to(await begin_at(self.core, position, self.address))


class PositionPage(GamePage):
    """A position by its address, as a game that is kept nowhere."""

    paths = ("/p/{place:path}",)
    missing = "There is no such position."
    why = ""
    _look = True

    async def build(self, place: str, review: str | None = None) -> None:  # type: ignore[override]
        """Build the page of a position."""
        spec, stones = split_place(place)
        try:
            made = await self.core.look(spec, stones, self.address)
        except NotationError:
            why = ""
            with suppress(HyperoxoError):
                asked = {"game": spec, "stones": stones}
                why = (await self.core.boards.call("place", self.asker, **asked))["news"]["trouble"]
            if not why:  # the error itself says it
                raise
            raise RefusedError("bad-request", why) from None
        self.token, self.host = made.tokens[0], made.host
        await self._show(made.live, of_position(made.live.room.position), review)


def split_place(place: str) -> tuple[str, str]:
    """Split an address into the game, whose spec may contain slashes, and the rest."""
    lines, brace, rest = place.rpartition("}")
    spec, _, stones = rest.partition("/")
    return lines + brace + spec, stones
