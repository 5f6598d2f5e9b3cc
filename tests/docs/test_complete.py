"""The documentation leaves out no public name, no command, no notation and no game option."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import hyperoxo
import hyperoxo.errors
from hyperoxo.agents.spec import agent_names
from hyperoxo.cli.commands import headings, registered
from hyperoxo.game.spec import OPTIONS
from hyperoxo.notation.formats import FORMATS
from hyperoxo_research.study.registry import study_titles

DOCS = Path(__file__).parents[2] / "docs"

pytestmark = pytest.mark.text


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text("utf-8")


def test_api_names_every_public_name() -> None:
    listed = re.findall(r"^   ([A-Za-z_.]+)$", page("api"), re.MULTILINE)
    shown = {name.rpartition(".")[2] for name in listed} | {*hyperoxo.errors.__all__}
    assert {*hyperoxo.__all__} - shown == {"__version__"}


def missing(name: str, rows: Iterable[str]) -> list[str]:
    """Patterns at the beginning of a line of which a page has none."""
    text = page(name)
    return [row for row in rows if not re.search(f"^{row}", text, re.MULTILINE)]


def test_the_page_of_commands_is_that_of_the_table() -> None:
    flags = re.MULTILINE | re.DOTALL
    sections = re.findall(r"^## (\w+)\n\n\| command(.*?)(?=^## )", page("commands"), flags)
    rows = {
        heading: sorted(re.findall(r"^\| `oxo ([a-z -]+[a-z])", text, re.MULTILINE))
        for heading, text in sections
    }
    listed = {name: one for name, one in registered().items() if one.heading and one.place}
    assert rows == {
        heading: sorted(name for name, one in listed.items() if one.heading == heading)
        for heading, _ in headings()
    }


def test_every_notation_has_a_row() -> None:
    assert missing("notation", (rf".*\| `{name}` \|" for name in FORMATS)) == []


def test_every_agent_has_a_row() -> None:
    assert missing("agents", (rf".*\| `{name}` \|" for name in agent_names())) == []


def test_every_game_option_has_a_row() -> None:
    assert missing("games", (rf"\| `{option.name}[`=]" for option in OPTIONS)) == []


def test_every_study_is_described() -> None:
    assert missing("studies", (rf".*\| `{name}` \|" for name in study_titles())) == []


def test_every_page_is_in_the_contents() -> None:
    pages = sorted({path.stem for path in DOCS.glob("*.md")} - {"index"})
    assert missing("index", (f"{name}$" for name in pages)) == []


def test_a_missing_row_is_found() -> None:
    assert missing("commands", [r"\| `oxo fly\b"]) != []
