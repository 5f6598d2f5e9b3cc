"""Each page loads the theme, parts that pages share, and its own sheet; no class is idle."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from hyperoxo_web.pages import findings
from hyperoxo_web.pages.component import Page
from hyperoxo_web.pages.static_files import FOLDER
from tests.hyperoxo_web.pages.test_words import script_of, shared

TEMPLATES = FOLDER.parents[1] / "templates"
SHEETS = {path.stem: path for path in FOLDER.glob("*.css")}
# Classes with a number or a kind at the end are put together: "p" + player, "k-" + value.
COMPOSED = re.compile(r"(k-|[a-z]+?)(\d+|win|loss|draw|unknown)")


def pages() -> dict[str, tuple[str, ...]]:
    """Return the sheets of every page with a script, in their order."""
    found: dict[str, tuple[str, ...]] = {}
    waiting = [Page]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind is not Page:
            found[kind.script] = kind.styles
    return found


PAGES = pages()
PARTS = {name for styles in PAGES.values() for name in styles[:-1]} | {"list"}


def reached(path: Path, seen: set[Path]) -> set[Path]:
    """Return a file of the library and those that it imports."""
    if path not in seen:
        seen.add(path)
        text = path.read_text("utf-8")
        for name in re.findall(r'(?:from |import\()"\./([\w.]+)"', text):
            reached(FOLDER / "lib" / name, seen)
    return seen


def source(script: str) -> str:
    """Return all that may name a class on a page."""
    files: set[Path] = set()
    for path in shared(script):
        reached(path, files)
    texts = [path.read_text("utf-8") for path in (*files, *TEMPLATES.glob("*.html"))]
    return "".join([script_of(script), inspect.getsource(findings), *texts])


def classes(sheet: str) -> set[str]:
    """Return the classes that a sheet speaks of."""
    rules = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", SHEETS[sheet].read_text("utf-8"), flags=re.DOTALL)
    return set(re.findall(r"\.([a-z][\w-]*)", rules))


def names(text: str, name: str) -> bool:
    """Tell whether a text may give something a class."""
    if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text):
        return True
    composed = COMPOSED.fullmatch(name)
    return composed is not None and bool(
        re.search(rf"""(?<![\w-]){composed[1]}(?:['"] ?\+|\$\{{)""", text)
    )


@pytest.mark.parametrize("script", sorted(PAGES))
def test_a_page_uses_every_class_of_its_own_sheet(script: str) -> None:
    text = source(script)
    own = [name for name in PAGES[script] if name not in PARTS]
    assert own in ([], [script], ["class"])
    if own == [script] != ["class"]:
        assert {name for name in classes(script) if not names(text, name)} == set()


@pytest.mark.parametrize("sheet", sorted({*PARTS, "theme", "class"}))
def test_every_class_of_a_shared_sheet_is_used(sheet: str) -> None:
    texts = [source(script) for script, styles in PAGES.items() if sheet in ("theme", *styles)]
    assert len(texts) > 1
    idle = {name for name in classes(sheet) if not any(names(text, name) for text in texts)}
    assert idle == set()


def test_every_sheet_has_a_page() -> None:
    assert set(SHEETS) == {"theme", *(name for styles in PAGES.values() for name in styles)}


def test_a_class_that_nobody_uses_is_found() -> None:
    text = """<i class="seat" :class="'p' + player"></i> x.seats"""
    assert [names(text, name) for name in ("seat", "p3", "seats", "a3", "eat")] == [
        True, True, False, False, False,
    ]  # fmt: skip
