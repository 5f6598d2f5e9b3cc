"""The words of the documentation and of the help: no phrase that a native writer would avoid."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from hyperoxo.cli.commands import commands
from hyperoxo.cli.main import main
from hyperoxo.game import Why
from tests.translated import translated

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]
PAGES += sorted((DOCS / "notebooks").glob("*.md"))

AVOIDED = re.compile(
    r"\b(go(es|ne)? on with|had better|(is|are|was|were) told|told of|looked at anew|so many"
    r"|who (at least )?(wins|loses|draws) (shortens|prolongs|where)|[Ww]hoever|of its own accord"
    r"|somebody|everybody|nobody|anew|counts? nothing|some thousand|plans? of Breaker's"
    r"|(?<!there )(is|are) no (array|cell|name|number|table)s?|he|him|his|himself)\b"
)
pytestmark = pytest.mark.text

MEN = re.compile(r"\b([Hh]e|[Hh]im|[Hh]is|[Hh]imself|[Ww]hoever)\b")


def help_texts(command: click.Command, name: str) -> list[str]:
    context = click.Context(command, info_name=name, **command.context_settings)
    names = command.list_commands(context) if isinstance(command, click.Group) else ()
    inner = [command.get_command(context, one) for one in names]  # type: ignore[attr-defined]
    return [command.get_help(context), *(text for one in inner for text in help_texts(one, name))]


def avoided(text: str) -> list[str]:
    return [found[0] for found in AVOIDED.finditer(text)]


def test_pages_avoid_translated_phrases() -> None:
    code = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
    found = {path.name: avoided(code.sub("", path.read_text("utf-8"))) for path in PAGES}
    assert {name: phrases for name, phrases in found.items() if phrases} == {}


def test_a_notebook_is_whole_where_it_is_downloaded_alone() -> None:
    """Find roles, shown raw, links without a text, files beside it here, folders that it leaves."""
    books = [path.read_text("utf-8") for path in PAGES if path.parent.name == "notebooks"]
    assert len(books) >= 7
    assert [
        part for text in books for part in re.findall(r"\{[a-z-]+\}`|\[\]\(|\"\.\./|mkdtemp", text)
    ] == []


def test_nobody_is_a_man() -> None:
    files = [path for room in ("src", "tests", "tools") for path in (ROOT / room).rglob("*.py")]
    found = {path for path in files if MEN.search(path.read_text("utf-8"))}
    assert found == {Path(__file__)}


def test_help_avoids_translated_phrases() -> None:
    """Find listed phrases, passives without an agent, and noun clauses."""
    found = {}
    for name in commands():
        command = main.get_command(click.Context(main), name)
        assert command is not None, name
        told = {re.sub(r"\s+", " ", text) for text in help_texts(command, name)}
        found[name] = [one for text in told for one in (*avoided(text), *translated(text))]
    assert {name: phrases for name, phrases in found.items() if phrases} == {}


def test_reasons_avoid_translated_phrases() -> None:
    assert [why for why in Why if avoided(why.value)] == []


def test_a_phrase_to_avoid_is_found() -> None:
    assert avoided("What is no cell can be gone on with.") == ["is no cell", "gone on with"]
    assert not avoided("The run can be resumed; this is the best, and there is no cell left.")
    assert translated("Not clear. What follows") == [". What"]
    assert translated("It is said once, and has been carefully kept.") == [
        *("is said", "been carefully kept"),
    ]
    assert not translated("What is your name? The class is closed. Settled by a pairing.")
