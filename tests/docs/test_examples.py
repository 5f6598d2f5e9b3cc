"""Every Python example of the documentation runs, and every command in it is one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hyperoxo.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run(page: Path) -> None:
    names: dict[str, object] = {}
    for block in re.findall(
        r"^```python\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    ):
        exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_exist(page: Path) -> None:
    for name in re.findall(r"(?:^\$ |`)oxo ([a-z]+)", page.read_text("utf-8"), re.MULTILINE):
        assert name in COMMANDS, f"{page.name} names 'oxo {name}'"


def test_there_are_examples_to_run() -> None:
    assert sum("```python" in page.read_text("utf-8") for page in PAGES) >= 3
