"""Pages and their elements, which the browser draws and few small messages keep up to date."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from nicegui import Client, events, ui
from nicegui.elements.scene import scene  # noqa: F401  # makes the library of 3-D pictures known

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.words import as_sentence
from hyperoxo.server import Core, Limits
from hyperoxo.web.shell import STATIC, frame

Handler = Callable[[dict[str, Any]], Awaitable[None] | None]


class PageElement(ui.element, esm={"hyperoxo": str(STATIC / "lib")}):
    """An element whose events carry one object each; its properties are plain values for JSON."""

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
        """Remember what to give the element when its page is built again."""
        with self._props.suspend_updates():  # the page knows it already
            self._props[name] = value


class Page:
    """One browser's view of a page; a method `on_NAME` hears the event NAME of its element."""

    kind: ClassVar[type[PageElement]]
    element: PageElement

    def __init__(self, core: Core, client: Client) -> None:
        self.core = core
        self.client = client

    def show(self, here: str, title: str, spec: str = "", **props: Any) -> None:
        """Build the page around its element."""
        with frame(here, title, spec):
            self.element = self.kind(**props)
        for name in dir(self):
            if name.startswith("on_"):
                self.element.hears(name.removeprefix("on_"), self._guarded(getattr(self, name)))

    def _guarded(self, action: Callable[[dict[str, Any]], Awaitable[None]]) -> Handler:
        async def handle(value: dict[str, Any]) -> None:
            try:
                await action(value)
            except HyperoxoError as error:
                self.refuse(as_sentence(str(error)))

        return handle

    def refuse(self, words: str) -> None:
        """Say why something was not done."""
        self.element.tell("failed", words)

    def go_to(self, path: str) -> None:
        """Send the browser to another page."""
        with self.element:
            ui.navigate.to(path)

    @property
    def address(self) -> str:
        """Address of the browser."""
        return self.client.ip or ""

    @property
    def limits(self) -> Limits:
        """What this browser may ask of the server."""
        return self.core.limits_of(self.address)


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
