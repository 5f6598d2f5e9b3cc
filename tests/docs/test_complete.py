"""The documentation leaves out no public name, no command, no notation and no game option."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hyperoxo
import hyperoxo.errors
from hyperoxo.agents.spec import agent_names
from hyperoxo.cli.main import commands
from hyperoxo.lab.study.registry import STUDIES
from hyperoxo.notation.formats import FORMATS
from hyperoxo.rules.spec import OPTIONS

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text("utf-8")


def test_api_names_every_public_name() -> None:
    listed = re.findall(r"^   ([A-Za-z_.]+)$", page("api"), re.MULTILINE)
    shown = {name.rpartition(".")[2] for name in listed} | {*hyperoxo.errors.__all__}
    assert {*hyperoxo.__all__} - shown == {"__version__"}


@pytest.mark.parametrize("command", commands())
def test_every_command_has_a_row(command: str) -> None:
    assert re.search(rf"^\| `oxo {command}\b", page("commands"), re.MULTILINE)


@pytest.mark.parametrize("name", FORMATS)
def test_every_notation_has_a_row(name: str) -> None:
    assert f"| `{name}` |" in page("notation")


@pytest.mark.parametrize("name", agent_names())
def test_every_agent_has_a_row(name: str) -> None:
    assert f"| `{name}` |" in page("agents")


@pytest.mark.parametrize("name", [option.name for option in OPTIONS])
def test_every_game_option_has_a_row(name: str) -> None:
    assert re.search(rf"^\| `{name}[`=]", page("games"), re.MULTILINE)


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_is_described(name: str) -> None:
    assert f"| `{name}` |" in page("studies")


@pytest.mark.parametrize("name", sorted({path.stem for path in DOCS.glob("*.md")} - {"index"}))
def test_every_page_is_in_the_contents(name: str) -> None:
    assert re.search(rf"^{name}$", page("index"), re.MULTILINE)
