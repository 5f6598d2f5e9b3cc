"""The pages' own elements: drawn in the browser, told what to draw by few small messages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import events, ui
from nicegui.elements.scene import scene  # noqa: F401  # makes the library of 3-D pictures known

from hyperoxo.web.shell import STATIC

Handler = Callable[[dict[str, Any]], Awaitable[None] | None]


class PageElement(ui.element, esm={"hyperoxo": str(STATIC / "lib")}):
    """An element whose events carry one object each.

    Parameters
    ----------
    props : dict
        What it is given at first; plain values for JSON.
    """

    def __init__(self, **props: Any) -> None:
        super().__init__()
        self._props.update(props)

    def hears(self, event: str, handler: Handler) -> None:
        """Call `handler` with the object that comes with an event."""

        async def handle(arguments: events.GenericEventArguments) -> None:
            value = arguments.args if isinstance(arguments.args, dict) else {}
            answer = handler(value)
            if answer is not None:
                await answer

        self.on(event, handle)

    def tell(self, method: str, value: Any) -> None:
        """Call a method of the element in the browser; no answer is awaited."""
        self.run_method(method, value)

    def keep(self, name: str, value: Any) -> None:
        """Remember what the element is to be given when its page is built anew."""
        with self._props.suspend_updates():  # the page has been told already
            self._props[name] = value


class GameElement(PageElement, component=str(STATIC / "game.js")):
    """Both views of a game, with seats, advice, history and what one may do."""


class NewGameElement(PageElement, component=str(STATIC / "newgame.js")):
    """What is played, by whom, and how long."""


class GamesElement(PageElement, component=str(STATIC / "games.js")):
    """Games that are kept, with a search."""


class AnalyseElement(PageElement, component=str(STATIC / "analyse.js")):
    """A record to be looked at."""


class ProofElement(PageElement, component=str(STATIC / "proof.js")):
    """A game against the proof."""


class PuzzleElement(PageElement, component=str(STATIC / "puzzles.js")):
    """Puzzles, one at a time."""


class MatchElement(PageElement, component=str(STATIC / "matches.js")):
    """Matches between agents."""


class StatesElement(PageElement, component=str(STATIC / "states.js")):
    """A walk through all positions of a small game."""


class LabElement(PageElement, component=str(STATIC / "lab.js")):
    """Runs of the laboratory, and a form for a new one."""


class RunElement(PageElement, component=str(STATIC / "run.js")):
    """One run, as it goes on."""


class StudiesElement(PageElement, component=str(STATIC / "studies.js")):
    """Studies to be run, and reports of those that were."""


class ReportElement(PageElement, component=str(STATIC / "report.js")):
    """The report of a study."""
