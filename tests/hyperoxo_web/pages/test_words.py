"""Words of the pages are plain or explained; their sheets have no idle class."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hyperoxo_web.pages import findings
from hyperoxo_web.pages.component import Page
from hyperoxo_web.pages.static_files import FOLDER
from tests.translated import translated

SOURCE = FOLDER.parents[2]
JARGON = re.compile(
    r"\b(pl(?:y|ies)|specs?|agents?|classes|class of|seatings?|kutner|df-pn|poor|rich|listed moves?"
    r"|deviance)\b",
    re.IGNORECASE,
)
STEMS = {"plies": "ply", "classes": "class", "class of": "class"}
PLAYERS = ("game", "newgame", "games", "analyse", "puzzles", "howto")
RESEARCHERS = ("lab", "run", "matches", "states")
SAID = ("title", "placeholder", "aria-label")


def texts(script: str) -> Iterator[str]:
    """Return what a script may show: the words of its templates, and strings of several words."""
    script = re.sub(r"^\s*//.*$|/\*[^*]*\*/", "", script, flags=re.MULTILINE)
    templates: list[str] = []

    def take(found: re.Match[str]) -> str:
        templates.append(found[1])
        return '""'

    rest = re.sub(r"`(\s*<.*?)`", take, script, flags=re.DOTALL)
    for template in templates:
        for name, value in re.findall(r'\s(:?[\w-]+)="([^"]*)"', template):
            if name in SAID:
                yield value
            elif name.removeprefix(":") in SAID:
                yield from re.findall(r"'([^']*)'", value)
        explained = re.sub(r"<Term .*?</Term>", "", template)
        bare = re.sub(r'<(?:[^>"]|"[^"]*")*>', " ", explained)
        for expression in re.findall(r"\{\{(.*?)\}\}", bare, re.DOTALL):
            yield from re.findall(r"'([^']*)'", expression)
        yield re.sub(r"\{\{.*?\}\}", " ", bare, flags=re.DOTALL)
    for plain, pattern in re.findall(r'"((?:[^"\\\n]|\\.)*)"|`([^`]*)`', rest):
        words = plain or re.sub(r"\$\{[^}]*\}", " ", pattern)
        if " " in words.strip():
            yield words


def named(script: str) -> set[str]:
    """Return what a script takes from the library: by name, or as a component of a template."""
    return {*re.findall(r"\boxo\.(\w+)", script), *re.findall(r"<([A-Z]\w+)", script)}


def script_of(page: str) -> str:
    """Return the script of a page; one of words alone has none."""
    path = FOLDER / f"{page}.js"
    return path.read_text("utf-8") if path.exists() else ""


def shared(page: str) -> set[Path]:
    """Return the files of the library whose parts a page takes, also in its parts."""
    made: dict[str, Path] = {}
    texts = {path: path.read_text("utf-8") for path in (FOLDER / "lib").glob("*.js")}
    for path, text in texts.items():
        exported = r"^export (?:async )?(?:const|class|function) (\w+)"
        made |= dict.fromkeys(re.findall(exported, text, re.MULTILINE), path)
    found: set[Path] = set()
    waiting = [script_of(page)]
    while waiting:
        new = {made[name] for name in named(waiting.pop()) & made.keys()} - found
        found |= new
        waiting += [texts[path] for path in new]
    return found


def jargon(path: Path) -> set[str]:
    found = {
        word.lower() for words in texts(path.read_text("utf-8")) for word in JARGON.findall(words)
    }
    return {STEMS.get(word, word.removesuffix("s")) for word in found}


def test_the_texts_of_scripts_are_found() -> None:
    script = """
    // An agent, in a comment.
    const x = "The agents wait."; const agent = `${n} more plies`; f("agent");
    template: `<p class="class" :title="a ? 'A spec' : b" title="Rich"><Term of="ply">Plies</Term>
      {{ seat.agent ? 'poor' : agent }} seatings</p>`
    """
    found = " / ".join(texts(script))
    assert [word.lower() for word in JARGON.findall(found)] == [
        "spec", "rich", "poor", "seatings", "agents", "plies",
    ]  # fmt: skip


def test_sentences_are_active() -> None:
    found = {
        path.stem: [one for words in texts(path.read_text("utf-8")) for one in translated(words)]
        for path in FOLDER.rglob("*.js")
    }
    assert {name: phrases for name, phrases in found.items() if phrases} == {}


@pytest.mark.parametrize("page", PLAYERS)
def test_pages_for_players_have_no_jargon(page: str) -> None:
    terms = FOLDER / "lib" / "terms.js"
    for path in {FOLDER / f"{page}.js", *shared(page)} - {terms}:
        assert jargon(path) == set(), path.name


@pytest.mark.parametrize("page", RESEARCHERS)
def test_pages_for_researchers_explain_it(page: str) -> None:
    path = FOLDER / f"{page}.js"
    script = path.read_text("utf-8")
    assert jargon(path) <= set(re.findall(r'<Term of="(\w+)"', script))
    terms = (FOLDER / "lib" / "terms.js").read_text("utf-8")
    for name in re.findall(r'<Term of="(\w+)"', script):
        assert f"\n  {name}:" in terms


def test_what_the_server_tells_players_has_no_jargon() -> None:
    """Refusals of moves and requests, results, and what is said about positions."""
    files = (
        "hyperoxo_web/server/actions.py", "hyperoxo_web/server/game_session.py",
        "hyperoxo_web/server/workers.py",
        "hyperoxo/play/changes.py", "hyperoxo/play/describe.py", "hyperoxo/play/game_in_play.py",
    )  # fmt: skip
    for name in files:
        tree = ast.parse((SOURCE / name).read_text("utf-8"))
        strings = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
        ]
        documented = [
            ast.get_docstring(node, clean=False)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        shown = [re.sub(r"<[^>]*>", "", words) for words in strings if words not in documented]
        assert [words for words in shown if JARGON.search(words)] == [], name


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
