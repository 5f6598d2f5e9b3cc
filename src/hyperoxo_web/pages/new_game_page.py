"""The first page, a new game, and the page with the rules."""

from __future__ import annotations

import inspect
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any

from hyperoxo import __version__
from hyperoxo.agents import LEVELS, opponents, registered, title
from hyperoxo.display import as_data
from hyperoxo.game import Game
from hyperoxo.game.spec import grammar
from hyperoxo.play.presets import PRESETS
from hyperoxo_web.pages.component import Page, body, with_error
from hyperoxo_web.pages.previews import of_new_game
from hyperoxo_web.server import RefusedError
from hyperoxo_web.server.answer import Spec
from hyperoxo_web.server.api.models import GameRequest
from hyperoxo_web.server.new_game import agent_options
from hyperoxo_web.server.view import miniature, winning_lines

_FIRST = "4^3"
"""The game first shown."""
_SAMPLE = "4^2:blocked=5"
"""The board on the tile for custom rules."""
_RULES = {"cube": _FIRST, "drop": "7,6,4:gravity", "avoid": "3^2:misere", "three": "3^3:players=3"}
"""The boards of the page with the rules."""


@lru_cache(maxsize=1)
def presets() -> list[dict[str, Any]]:
    """Return the preset games with the data of their small pictures."""
    games = [(entry, Game(entry.spec)) for entry in PRESETS]
    return [
        {
            **as_data(entry, "name spec about"),
            "geometry": miniature(game),
            **_example(game, entry.example),
        }
        for entry, game in games
    ]


def _example(game: Game, moves: str) -> dict[str, Any]:
    """Return the moves of an example, the owners of the cells afterwards, and the winning lines."""
    position = game.position(f"moves:{moves}") if moves else game.start()
    return {
        "moves": list(position.history),
        "owner": [owner if owner <= game.players else 0 for owner in position.owners],
        "won": winning_lines(position),
    }


def levels() -> list[dict[str, str]]:
    """Return the strengths that a person chooses among, the weakest first."""
    return [{"name": one.title, "spec": one.spec, "about": one.about} for one in LEVELS]


@lru_cache(maxsize=1)
def agents() -> list[dict[str, str]]:
    """Return the agents for researchers, the strongest first, with their options."""
    # The initial options keep moves within seconds on all boards of the page.
    factories, known = registered(), agent_options()
    usual: dict[str, str] = {}
    for _, spec in opponents():
        name, _, options = spec.partition(":")
        usual.setdefault(name, options)
    return [
        {
            "name": name,
            "label": title(name, factories[name]),
            "about": (inspect.getdoc(factories[name]) or "").partition("\n")[0],
            "usual": usual.get(name, ""),
            "options": ",".join(
                f"{key}={'' if one is None else one}" for key, one in known[name].items()
            ),
        }
        for name in dict.fromkeys([*usual, *factories])
        if name in known and name != "level"
    ]


class NewGamePage(Page):
    """One browser's form for a new game."""

    paths = ("/",)
    script = "newgame"
    styles = ("board", "table", "form", "newgame")
    _pushed: dict[str, int] | None

    async def build(self, game: str | None = None) -> None:
        """Build the page, with the game that the address names, if any."""
        shown, wrong = Game(_FIRST), dict[str, str]()
        with with_error(wrong):
            shown = await self.core.boards.game(game or _FIRST, self.client)
        self._game, self._pushed = str(shown), None
        self.listen(self.core.preparation.listeners, self._push_preparing)
        self.show(
            "/",
            "New game",
            preview=None if game is None or wrong else of_new_game(shown),
            geometry=await self.core.boards.view("facts", shown, self.client),
            presets=presets(),
            sample=miniature(Game(_SAMPLE)),
            levels=levels(),
            agents=agents(),
            grammar=grammar(),
            asked=game is not None,
        )
        if wrong:
            self.refuse(wrong["error"])
        self._push_preparing()

    def _push_preparing(self) -> None:
        """Send the progress of compiling the displayed game."""
        found = self.core.preparation.view(self._game)
        if found != self._pushed:
            self._pushed = found
            self.prepares(found)

    async def on_preview(self, spec: Spec = "") -> None:
        """Send the board of a spec, or its error."""
        spec = spec.strip()
        answer: dict[str, Any] = {"asked": spec}
        with with_error(answer):
            game = await self.core.boards.game(spec, self.client)
            answer["geometry"] = await self.core.boards.view("facts", game, self.client)
            self._game = str(game)
            self.core.preparation.prefer(self._game)
            self._push_preparing()
        self.push("previewed", answer)

    async def on_begin(self, value: dict[str, Any]) -> None:
        """Make the game, and go to its page."""
        new = body(GameRequest, {"game": "", **value}).new_game()
        made = await self.core.create(new, self.address)
        seats = zip(made.tokens, new.seats, strict=False)
        own = [token for token, seat in seats if token and seat.holder == "you"]
        mover = made.tokens[made.live.room.to_move - 1]
        # A first stone put on the board of the form; the game begins without it if it is refused.
        if isinstance(first := value.get("first"), int) and mover in own:
            with suppress(RefusedError):
                await made.live.play(mover, first)
        invite = "&invite=yes" if value.get("invite") is True else ""
        self.go_to(made.path(own[0] if own else None) + invite)


class HowToPage(Page):
    """One browser's view of the rules, each with a small board that moves."""

    paths = ("/how-to-play", "/about")
    script = "howto"
    styles = ("board", "howto")

    async def build(self) -> None:
        """Build the page."""
        view = partial(self.core.boards.view, "geometry", client=self.client)
        made = {name: await view(Game(spec)) for name, spec in _RULES.items()}
        self.show("/how-to-play", "How to play", geometries=made, version=__version__)
