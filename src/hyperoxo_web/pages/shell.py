"""The templates of pages: with a script that draws them, or of words alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from markupsafe import Markup

from hyperoxo_web.pages.previews import Preview
from hyperoxo_web.pages.static_files import NAMES, URL, imported, sheet
from hyperoxo_web.server.templates import render
from hyperoxo_web.server.view import as_json

_IMPORTS = {"imports": {name: f"{URL}/{file}" for name, file in NAMES.items()}}


def page(
    template: str, here: str, title: str, styles: Iterable[str] = (), spec: str = "", **values: Any
) -> str:
    """Return a page: `here` is the address that the bar marks, `spec` the game that is shown."""
    sheets = sheet(("theme", *styles))
    return render(template, here=here, title=title, sheet=sheets, spec=spec, static=URL, **values)


def scripted(
    here: str,
    title: str,
    data: dict[str, Any],
    styles: Iterable[str] = (),
    spec: str = "",
    preview: Preview | None = None,
    origin: str = "",
) -> str:
    """Return a page that a script draws; `data` is what `start.js` reads."""
    return page(
        "scripted.html",
        here,
        title,
        styles,
        spec,
        imports=_IMPORTS,
        preloads=dict.fromkeys((*imported("start.js"), *imported(f"{data['kind']}.js"))),
        meta=(preview or Preview()).meta(origin),
        data=Markup(as_json(data).decode().replace("<", "\\u003c")),  # noqa: S704, JSON without "<"
    )


def nothing(here: str, title: str, why: str) -> str:
    """Return a page that says that there is nothing at an address."""
    return page("nothing.html", here, title.rstrip("."), heading=title, why=why)


MISSING = nothing("", "There is no such page.", "Its address may be mistyped.")
"""What is shown at an address without a page."""
