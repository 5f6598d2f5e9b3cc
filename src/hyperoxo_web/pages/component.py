"""Base class of pages: rendered by a script in the browser, updated by small messages."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, ClassVar, TypeVar
from urllib.parse import urlsplit

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field, ValidationError, validate_call

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.describe import as_sentence
from hyperoxo_web.pages.browser_sessions import BrowserSession, Handler, begin
from hyperoxo_web.pages.previews import Preview
from hyperoxo_web.pages.static_files import NAMES, URL, imported, sheet
from hyperoxo_web.server import Core, Limits, RefusedError
from hyperoxo_web.server.api.replies import render
from hyperoxo_web.server.clients import is_home
from hyperoxo_web.server.limits import Client
from hyperoxo_web.server.view import as_json

Text = Annotated[str, Field(max_length=1_000)]
Model = TypeVar("Model", bound=BaseModel)


class Page(BrowserSession):
    """One page in one browser; methods `on_NAME` handle the event NAME, its values by name.

    `script` is the name of a file in `static` without its suffix. It exports a component whose
    properties are plain values for JSON, and whose events carry one object each.

    `build` makes the page from the parameters of its address. If it raises a `HyperoxoError`, a
    page with the heading `missing` is shown, with the text `why` or else the error's.
    """

    paths: ClassVar[tuple[str, ...]] = ()
    missing: ClassVar[str] = ""
    why: ClassVar[str] = ""
    build: Callable[..., Awaitable[None]]
    script: str
    styles: tuple[str, ...] = ()
    """Names of the sheets besides the theme: parts that pages share, then the page's own."""

    def __init__(self, core: Core, address: str = "", origin: str = "") -> None:
        super().__init__(address, origin)
        self.core = core
        self._beside: dict[str, asyncio.Task[Any]] = {}
        self._listening: list[tuple[set[Any], Callable[..., object]]] = []

    def beside(self, name: str, work: Coroutine[Any, Any, Any]) -> None:
        """Start a background task of the page, replacing the one of the same name."""
        self.end(name)
        self._beside[name] = begin(work, name=name)

    def end(self, name: str) -> None:
        """Cancel the background task of a name, if any."""
        if name in self._beside:
            self._beside.pop(name).cancel()

    def listen(self, listeners: set[Any], listener: Callable[..., object]) -> None:
        """Register a listener until the session ends."""
        listeners.add(listener)
        self._listening.append((listeners, listener))

    async def close(self) -> None:
        """End the session: cancel background tasks, unregister listeners."""
        await super().close()
        for name in list(self._beside):
            self.end(name)
        while self._listening:
            listeners, listener = self._listening.pop()
            listeners.discard(listener)

    def show(
        self, here: str, title: str, spec: str = "", preview: Preview | None = None, **props: Any
    ) -> None:
        """Build the page; `start.js` reads `data`."""
        events = [name.removeprefix("on_") for name in dir(self) if name.startswith("on_")]
        for event in events:
            self.handlers[event] = self._guarded(getattr(self, f"on_{event}"))
        data = {"kind": self.script, "client": self.id, "events": events, "props": props}
        self.markup = page(
            "scripted.html",
            here,
            title,
            self.styles,
            spec,
            imports=_IMPORTS,
            preloads=dict.fromkeys((*imported("start.js"), *imported(f"{self.script}.js"))),
            meta=(preview or Preview()).meta(self.origin),
            data=Markup(as_json(data).decode().replace("<", "\\u003c")),  # noqa: S704, JSON without "<"
        )

    def _guarded(self, action: Callable[..., Awaitable[None]]) -> Handler:
        read = read_for(action)

        # The page always learns of the end: by the handler's own messages, by a refusal, or by the
        # report of a cancellation, which is sent once the page is connected again.
        async def handle(value: dict[str, Any]) -> None:
            try:
                await read(value)
            except HyperoxoError as error:
                self.refuse(as_sentence(str(error)))
            except asyncio.CancelledError:
                self.refuse("The connection was lost before this was done. Please try again.")
                raise

        return handle

    def refuse(self, words: str) -> None:
        """Report a refused action to the page."""
        self.push("failed", words)

    @property
    def reach(self) -> dict[str, str]:
        """Origin of links for others, and their reach: `only` ``machine`` or ``network``."""
        if not is_home(urlsplit(self.origin).hostname or ""):
            return {"origin": self.origin, "only": ""}
        # Another machine cannot use the name localhost: links have the address in the network.
        if self.core.url is None:
            return {"origin": self.origin, "only": "machine"}
        return {"origin": self.core.url, "only": "network"}

    @property
    def client(self) -> Client:
        """The browser, with its limits."""
        return self.core.client(self.address)

    @property
    def limits(self) -> Limits:
        """Limits of the server for this browser."""
        return self.core.limits_of(self.address)


_IMPORTS = {"imports": {name: f"{URL}/{file}" for name, file in NAMES.items()}}


def page(
    template: str, here: str, title: str, styles: Iterable[str] = (), spec: str = "", **values: Any
) -> str:
    """Render a page; the navigation bar marks the address `here`, `spec` is the page's game."""
    sheets = sheet(("theme", *styles))
    return render(template, here=here, title=title, sheet=sheets, spec=spec, static=URL, **values)


def nothing(here: str, title: str, why: str) -> str:
    """Render the page of an address without content."""
    return page("nothing.html", here, title.rstrip("."), heading=title, why=why)


MISSING = nothing("", "There is no such page.", "Its address may be mistyped.")
"""The page of unknown addresses."""


# Input from browsers is untrusted: each value is validated.


def read_for(action: Callable[..., Awaitable[None]]) -> Callable[[dict[str, Any]], Awaitable[None]]:
    """Return a validating adapter: keys of an event's object become parameters of an action."""
    # A parameter `value` is the whole object.
    names = inspect.signature(action).parameters
    checked = validate_call(config=ConfigDict(strict=True))(action)

    async def read(value: dict[str, Any]) -> None:
        known = {**value, "value": value}
        with _refusing():
            await checked(**{name: known[name] for name in names if name in known})

    return read


@contextmanager
def _refusing() -> Iterator[None]:
    """Convert validation errors into refusals."""
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]
        said = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        said = said.replace(": Missing required argument", " must be given")
        raise RefusedError("bad-request", said.replace(": Input should be", " must be")) from None


def body(model: type[Model], value: dict[str, Any]) -> Model:
    """Validate an object as a request body of the HTTP interface, ignoring other keys."""
    with _refusing():
        known = {name: value[name] for name in model.model_fields if name in value}
        return model.model_validate(known)


@contextmanager
def with_error(answer: dict[str, Any], name: str = "error") -> Iterator[None]:
    """Put the message of an error into an answer."""
    try:
        yield
    except HyperoxoError as problem:
        answer[name] = as_sentence(str(problem))
