"""What all pages have in common: the head, the bar above, and what starts its script."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from typing import Any
from urllib.parse import quote

from hyperoxo_web.pages.static_files import NAMES, URL, imported, sheet
from hyperoxo_web.server.view import as_json

_PAGES = (
    ("/", "Play"),
    ("/games", "Games"),
    ("/analyse", "Analyse"),
    ("/puzzles", "Puzzles"),
    ("/lab", "Lab"),
    ("/proof", "Proof"),
    ("/states", "States"),
    ("/about", "About"),
)
_THEME = """(() => {
  const order = ["system", "light", "dark"];
  const apply = (theme) => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    window.dispatchEvent(new Event("oxo-theme"));
  };
  let theme = "system";
  try { theme = localStorage.getItem("oxo:theme") ?? "system"; } catch {}
  apply(theme);
  window.oxoTheme = () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    try { localStorage.setItem("oxo:theme", theme); } catch {}
    apply(theme);
  };
})();"""
_NAMED = json.dumps({"imports": {name: f"{URL}/{file}" for name, file in NAMES.items()}})


def document(
    here: str,
    title: str,
    main: str,
    *,
    spec: str = "",
    head: str = "",
    styles: Iterable[str] = (),
) -> str:
    """Return a page: `here` is the address that the bar marks, `main` what comes below the bar."""
    links = "".join(
        f'<a href="{path}"' + (' class="on" aria-current="page"' if path == here else "") + ">"
        f"{name}</a>"
        for path, name in _PAGES
    )
    pill = (
        f'<a class="spec" href="/?game={escape(quote(spec))}" title="A new game of this kind">'
        f"{escape(spec)}</a>"
        if spec
        else ""
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(f"{title} · hyperoxo" if title else "hyperoxo")}</title>
<link rel="icon" href="{URL}/icon.svg"><link rel="stylesheet" href="{sheet(("theme", *styles))}">
<script>{_THEME}</script>{head}</head>
<body><a class="skip" href="#page">Skip to the page</a>
<header class="topbar"><a class="name" href="/">hyper<i>oxo</i></a>
<nav aria-label="Pages">{links}</nav>{pill}
<button class="icon theme" type="button" aria-label="Light, dark or as the system"
 title="Light or dark" onclick="oxoTheme()">◐</button></header>
{main}</body></html>
"""


def words(here: str, title: str, content: str, styles: Iterable[str] = ()) -> str:
    """Return a page of words alone, which needs no script."""
    main = f'<main id="page" tabindex="-1">{content}</main>'
    return document(here, title, main, styles=styles)


def scripted(
    here: str,
    title: str,
    data: dict[str, Any],
    *,
    spec: str = "",
    head: str = "",
    styles: Iterable[str] = (),
) -> str:
    """Return a page that a script draws; `data` is what `start.js` reads."""
    files = dict.fromkeys((*imported("start.js"), *imported(f"{data['kind']}.js")))
    preloads = "".join(f'<link rel="modulepreload" href="{URL}/{file}">' for file in files)
    shown = as_json(data).decode().replace("<", "\\u003c")
    main = f"""<main id="page" tabindex="-1"></main>
<p id="preparing" role="status"></p>
<p id="lost" role="status" hidden>Connection lost. Trying to reconnect…</p>
<script type="application/json" id="page-data">{shown}</script>
<script type="module" src="{URL}/start.js"></script>"""
    named = f'<script type="importmap">{_NAMED}</script>{preloads}{head}'
    return document(here, title, main, spec=spec, head=named, styles=styles)


_ELSEWHERE = (
    '<p class="tools"><a class="go" href="/">Play</a> <a href="/games">Games</a> '
    '<a href="/puzzles">Puzzles</a> <a href="/analyse">Analyse</a></p>'
)


def nothing(here: str, title: str, why: str) -> str:
    """Return a page that says that there is nothing at an address."""
    return words(
        here,
        title.rstrip("."),
        f'<div class="page"><h1>{escape(title)}</h1><p class="lead">{escape(why)}</p>'
        f"{_ELSEWHERE}</div>",
    )


MISSING = nothing("", "There is no such page.", "Its address may be mistyped.")
"""What is shown at an address without a page."""
