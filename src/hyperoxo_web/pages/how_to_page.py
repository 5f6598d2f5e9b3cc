"""How to play: the rules, each with a small board that moves."""

from __future__ import annotations

from hyperoxo import __version__
from hyperoxo.game import Game
from hyperoxo_web.pages.component import Page

_BOARDS = {"cube": "4^3", "gravity": "7,6,4:gravity", "misere": "3^2:misere", "three": "3^3:players=3"}


class HowToPage(Page):
    """One browser's view of the rules."""

    paths = ("/how-to-play", "/about")
    script = "howto"
    styles = ("board", "howto")

    async def build(self) -> None:
        """Build the page."""
        boards, asker = self.core.boards, self.asker
        made = {key: await boards.view("geometry", Game(spec), asker) for key, spec in _BOARDS.items()}
        self.show("/how-to-play", "How to play", geometries=made, version=__version__)
