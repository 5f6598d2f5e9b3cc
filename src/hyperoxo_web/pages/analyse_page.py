"""Pages to set up or read a position, and of unstored positions."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from hyperoxo.errors import HyperoxoError, NotationError
from hyperoxo.game import Game, Value
from hyperoxo.game.messages import DOES, enumerated, short
from hyperoxo.game.spec import grammar
from hyperoxo.notation import Record
from hyperoxo.solvers.states.graph import StateGraph
from hyperoxo_web.pages.component import Page, Text, with_error
from hyperoxo_web.pages.game_page import GamePage, begin_at, notations
from hyperoxo_web.pages.new_game_page import presets
from hyperoxo_web.pages.previews import of_position, path_of
from hyperoxo_web.server import NewGame, RefusedError, SeatSpec
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.new_game import position_of
from hyperoxo_web.server.preparing import STATES
from hyperoxo_web.server.view import Written, geometry_of

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
        found = await self.core.boards.call("place", self.client, game=spec, stones=stones)
        self.show(
            "/analyse",
            "Set up a position",
            geometry=await self._geometry(found),
            cells=found["cells"],
            status=found["status"],
            notations=notations(),
            presets=[{key: one[key] for key in ("name", "spec", "about")} for one in presets()],
            example=_EXAMPLE,
            grammar=grammar(),
        )

    async def _geometry(self, found: dict[str, Any]) -> Written:
        boards = self.core.boards
        return await boards.view(
            "facts", await boards.game(found["game"], self.client), self.client
        )

    async def on_check(self, game: str, cells: str, known: str = "") -> None:
        """Validate stones on the board of a game."""
        answer: dict[str, Any] = {"asked": [game, cells]}
        with with_error(answer):
            found = await self.core.boards.call("setup", self.client, game=game, cells=cells)
            answer |= {"cells": found["cells"], **found["status"]}
            # Coordinates of a large board are long: the page keeps those that it has.
            if found["game"] != known:
                answer["geometry"] = await self._geometry(found)
        self.push("checked", answer)

    async def on_read(self, text: str, notation: str = "", game: str = "") -> None:
        """Put the position in some text on the board."""
        asked = {"text": text, "notation": notation or None, "game": game or None}
        self.push("took", await self.core.boards.call("stones", self.client, **asked))

    async def on_whole(self, text: str, notation: str = "", game: str = "") -> None:
        """Review the record in some text; it becomes a game only if no URL can hold it."""
        asked = {"text": text, "notation": notation or None, "game": game or None}
        record: Record = await self.core.boards.call("record", self.client, **asked)
        # Equal to its bare moves, the record has no names, times or result that a URL would lose.
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
        position = await self.core.boards.run(self.client, position_of, game, cells, self.limits)
        self.go_to(await begin_at(self.core, position, self.address))


class PositionPage(GamePage):
    """A position by its address, as a game that is kept nowhere."""

    paths = ("/p/{place:path}",)
    missing = "There is no such position."
    why = ""
    _view_only = True

    async def build(self, place: str, review: str | None = None) -> None:  # type: ignore[override]
        """Build the page of a position."""
        spec, stones = split_place(place)
        try:
            made = await self.core.unstored_game(spec, stones, self.address)
        except NotationError:
            why = ""
            with suppress(HyperoxoError):
                # The check of a board says which stones are impossible; the parser, that they are.
                found = await self.core.boards.call("place", self.client, game=spec, stones=stones)
                why = found["status"]["trouble"]
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


# A walk through all positions of a small game.

STATE_GAMES = (("3^2", "Classic"), ("3^2:misere", "Misère"), ("2^2", "Two by two"))
"""Games that can be walked through, all on square boards."""


@lru_cache(maxsize=len(STATE_GAMES))
def graph_view(spec: str) -> dict[str, Any]:
    """Return the graph of a game as plain values for JSON."""
    graph = StateGraph(spec)
    return {
        "geometry": geometry_of(graph.game),
        "nodes": [
            [
                node.text, node.ply, node.result, node.orbit, node.games, node.value,
                node.remoteness,
            ]
            for node in graph.nodes()
        ],
        "edges": [list(edge) for edge in graph.edges()],
        "words": {str(value): [short(value, None), DOES[value]] for value in Value},
    }  # fmt: skip


class StatesPage(Page):
    """One browser's walk."""

    paths = ("/states", "/states/{place:path}")
    missing = "There is no such position."
    script = "states"
    styles: tuple[str, ...] = ("board", "table", "states")

    async def build(self, place: str = "") -> None:
        """Build the page, of a position that some moves lead to."""
        spec, moves = split_place(place)
        spec = spec or STATE_GAMES[0][0]
        if spec not in dict(STATE_GAMES):
            known = enumerated([one for one, _ in STATE_GAMES])
            raise RefusedError("bad-request", f"positions are known for {known}, not for {spec}")
        if self.core.preparation.lacks(STATES):
            self.script, self.styles = "waiting", ()
            self.show("/states", "All positions", name="All positions")
            path = f"/states/{quote(spec)}/{moves}".removesuffix("/")
            self.beside("wait for a page", self._come_to(path))
            return
        walked = Game(spec).position(f"moves:{moves}").history
        self.show(
            "/states",
            "States",
            graph=await in_thread(graph_view, spec),
            games=[list(pair) for pair in STATE_GAMES],
            walked=list(walked),
        )

    async def _come_to(self, path: str) -> None:
        """Report the compilation that the page waits for, and reload it then."""
        await self.core.preparation.ready(STATES, self.prepares)
        self.go_to(path)

    async def on_choose(self, game: Text) -> None:
        """Show another game."""
        if game in dict(STATE_GAMES):
            self.push("set", await in_thread(graph_view, game))
