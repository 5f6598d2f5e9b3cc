"""What all pages have in common: the head, the bar above and the line below."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from hyperoxo import __version__

STATIC = Path(__file__).parent / "static"
STATIC_URL = f"/static/{__version__}"

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
_THEME = """
<script>
document.documentElement.lang = "en";
(() => {
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
    return theme;
  };
})();
</script>
"""


MISSING = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>No such page · hyperoxo</title><link rel="stylesheet" href="{STATIC_URL}/theme.css"></head>
<body><header class="topbar"><a class="name" href="/">hyper<i>oxo</i></a></header>
<main class="page"><h1>There is no such page</h1><p class="lead">Its address may be mistyped.</p>
<p class="tools"><a class="go" href="/">Play</a> <a href="/games">Games</a>
<a href="/puzzles">Puzzles</a></p></main></body></html>
"""
"""What is shown at an address without a page."""


class Words(TextElement):
    """An element of any kind that holds plain text, and no markup."""

    def __init__(self, tag: str, words: str) -> None:
        super().__init__(tag=tag, text=words)


@contextmanager
def frame(here: str, title: str, spec: str = "") -> Iterator[None]:
    """Set a page up; what is made inside comes between the bar and the line below."""
    ui.page_title(f"{title} · hyperoxo" if title else "hyperoxo")
    styles = ("theme", "board", "game", "pages", "lab")
    links = "".join(f'<link rel="stylesheet" href="{STATIC_URL}/{name}.css">' for name in styles)
    ui.add_head_html(links + _THEME)
    Words("a", "Skip to the page").classes("skip").props('href="#page"')
    with ui.element("header").classes("topbar"):
        with ui.element("a").classes("name").props('href="/"'):
            ui.html("hyper<i>oxo</i>", sanitize=False)
        with ui.element("nav").props('aria-label="Pages"'):
            for path, name in _PAGES:
                link = Words("a", name).props(f'href="{path}"')
                if path == here:
                    link.classes("on").props('aria-current="page"')
        if spec:
            pill = Words("a", spec).classes("spec")
            pill.props(f'href="/?game={quote(spec)}" title="A new game of this kind"')
        theme = Words("button", "◐").classes("theme")
        theme.props('type="button" aria-label="Light, dark or as the system" title="Light or dark"')
        theme.on("click", js_handler="() => window.oxoTheme()")
    with ui.element("main").props('id="page" tabindex="-1"'):
        yield
