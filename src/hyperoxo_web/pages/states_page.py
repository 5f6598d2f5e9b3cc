"""A walk through all positions of a small game."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import quote

from hyperoxo.game import Game, Value
from hyperoxo.game.sentences import DOES, enumerated, short
from hyperoxo.solvers.states.graph import StateGraph
from hyperoxo_web.pages.analyse_page import split_place
from hyperoxo_web.pages.component import Page, Text
from hyperoxo_web.server import RefusedError
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.preparing import STATES
from hyperoxo_web.server.view import geometry_of

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
            raise RefusedError("bad-request", f"all positions are known of {known}, not of {spec}")
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
            self.tell("set", await in_thread(graph_view, game))
