"""Figures in the text are those of `docs/results.json`, and commands still print them."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from hyperoxo.cli.commands import commands
from tests.docs.test_documents import load

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
RESULTS = load(DOCS / "_ext" / "results.py")
ENTRIES = RESULTS.read()
IN_README = r"([\d.,%]+)\s<!-- result: (.+?) -->"


def _asked() -> set[str]:
    pages = (page.read_text("utf-8") for page in DOCS.glob("*.md"))
    readme = (ROOT / "README.md").read_text("utf-8")
    return {
        *(one for page in pages for one in re.findall(r"(?<!`` ){result}`([^`]+)`", page)),
        *(one for _, one in re.findall(IN_README, readme)),
    }


def test_pages_and_file_name_the_same_figures() -> None:
    known = {f"{name}: {figure}" for name, entry in ENTRIES.items() for figure in entry["figures"]}
    assert _asked() == known


def test_the_readme_agrees() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    found = re.findall(IN_README, text)
    assert len(found) == text.count("<!-- result:") > 0
    for figure, asked in found:
        assert figure == RESULTS.said(ENTRIES, asked)


def test_a_figure_that_is_not_there() -> None:
    for wrong in ("truth 3^2: nobody", "nothing: td", "td"):
        with pytest.raises(ValueError, match="has no figure"):
            RESULTS.said(ENTRIES, wrong)


@pytest.mark.parametrize("name", ENTRIES)
def test_entries_are_of_commands(name: str) -> None:
    entry = ENTRIES[name]
    assert entry["when"] in ("test", "more", "slow")
    for command in entry["commands"]:
        program, first, *_ = shlex.split(command)
        assert program == "oxo"
        assert first in commands()


def _marked(name: str) -> Any:
    when = ENTRIES[name]["when"]
    return pytest.param(name, marks=() if when == "test" else getattr(pytest.mark, when))


@pytest.mark.parametrize("name", [*map(_marked, ENTRIES)])
def test_commands_still_print_it(name: str) -> None:
    """After a change run `make figures ARGS='"NAME"'`, and read the sentences around them."""
    assert RESULTS.measured(ENTRIES[name]) == ENTRIES[name]["figures"]


def test_a_stale_figure_is_found() -> None:
    stale = {
        "commands": ["oxo board 3^2 --format json", "oxo board 3^3 --format json"],
        "figures": {"cells": ["{0[cells]} and {1[cells]:.1f}", "9 and 26.0"]},
    }
    assert RESULTS.measured(stale) == {"cells": ["{0[cells]} and {1[cells]:.1f}", "9 and 27.0"]}


def test_refreshing_writes_what_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RESULTS, "FILE", tmp_path / "results.json")
    entry = {"commands": ["oxo board 3^2 --format json"], "figures": {"cells": ["{0[cells]}", "?"]}}
    content = {"one": entry, "two": entry}
    RESULTS.FILE.write_text(json.dumps(content), "utf-8")
    RESULTS.refresh(["two"])
    assert [RESULTS.said(RESULTS.read(), f"{name}: cells") for name in content] == ["?", "9"]
    RESULTS.refresh([])
    assert RESULTS.said(RESULTS.read(), "one: cells") == "9"
