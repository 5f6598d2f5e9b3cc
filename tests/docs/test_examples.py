"""Examples run, commands exist, and print what the pages show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hyperoxo.cli.commands import registered
from tests.docs.test_documents import load
from tests.marks import more

ROOT = Path(__file__).parents[2]
RESULTS = load(ROOT / "docs" / "_ext" / "results.py")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


PROGRAMS = [page for page in PAGES if "```python" in page.read_text("utf-8")]
COSTLY = {
    *("api-http", "key-plans", "draws", "environments", "heuristics", "proofs", "serve"),
    *("solving", "teaching"),
}


@pytest.mark.parametrize(
    "page",
    more(PROGRAMS, [page for page in PROGRAMS if page.stem in COSTLY]),
    ids=lambda page: page.name,
)
def test_python_examples_run(page: Path) -> None:
    names: dict[str, object] = {}
    for block in re.findall(
        r"^```python\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    ):
        exec(compile(block, str(page), "exec"), names)


OTHERS = {"MaskablePPO": "sb3_contrib"}
"""Libraries that programs of the page on environments need, and the tests do not."""


def _training() -> Iterator[Any]:
    """Programs of the page on environments that train, by their headings."""
    page = (ROOT / "docs" / "environments.md").read_text("utf-8")
    found = r"^### (\S+).*?^```\{code-block\} python\n(.*?)^```"
    for name, program in re.findall(found, page, re.MULTILINE | re.DOTALL):
        mark = pytest.mark.slow if name in OTHERS else pytest.mark.more
        yield pytest.param(name, program, id=name, marks=mark)


@pytest.mark.parametrize(("name", "program"), [*_training()])
def test_training_examples_run(name: str, program: str, tmp_path: Path) -> None:
    if name in OTHERS:
        pytest.importorskip(OTHERS[name])
    # Libraries log into folders of their own. Few games show that a program runs.
    flags = {"TMPDIR": str(tmp_path), "XLA_FLAGS": "--xla_backend_optimization_level=0"}
    env = {**os.environ, **flags}
    command = [sys.executable, "-c", re.sub(r"range\(\d{4}\)", "range(50)", program)]
    found = subprocess.run(command, check=True, capture_output=True, env=env)
    assert re.search(rb"\d", found.stdout)


def test_each_library_has_a_training_example() -> None:
    names = [one.id for one in _training()]
    assert names == ["MaskablePPO", "PettingZoo", "Pgx", "OpenSpiel"]


@pytest.mark.text
def test_commands_exist() -> None:
    wrong = [
        f"{page.name} names 'oxo {name}'"
        for page in PAGES
        for name in re.findall(
            r"(?:^\$ |`)oxo ((?:prove |draw )?[a-z][a-z-]*)", page.read_text("utf-8"), re.MULTILINE
        )
        if name not in registered()
    ]
    assert wrong == []


def test_there_are_examples_to_run() -> None:
    assert len(PROGRAMS) >= 3


ANY = ("…", "...")
LONG = {"serve": "it serves until it is stopped"}
SLOW = ("solve 7^3", "classify 12^8", "classify 3^4", "classify 5^7")


def _shown() -> Iterator[Any]:
    """Blocks of commands in which a page shows what they print."""
    for page in PAGES:
        for block in re.findall(
            r"^```console\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
        ):
            commands = re.findall(r"^\$ oxo (.*)", block, re.MULTILINE)
            if not commands or not re.search(r"^(?!\$ ).", block, re.MULTILINE):
                continue
            if any(command.startswith(tuple(LONG)) for command in commands):
                continue
            slow = any(command.startswith(SLOW) for command in commands)
            mark = pytest.mark.slow if slow else pytest.mark.more
            yield pytest.param(block, id=f"{page.name}: {commands[0]}", marks=mark)


@pytest.mark.parametrize("block", [*_shown()])
def test_commands_print_what_is_shown(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        if not command.startswith("oxo "):
            if command.startswith("echo "):
                subprocess.run(command, shell=True, check=True)
            continue
        found = RESULTS.printed(command, all_of_it=True)
        if shown.strip():
            assert _fits(_settled(shown), _settled(found)), found


def _settled(text: str) -> list[str]:
    """Return lines in which no time is told."""
    timeless = re.sub(r"\b[\d.]+ s\b", "0 s", text.rstrip())
    return [line.rstrip() for line in timeless.splitlines()]


def _fits(shown: list[str], found: list[str]) -> bool:
    """True if lines are as shown, where three dots are any number of lines."""
    pattern = "".join("(?:.*\n)*" if line in ANY else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in found)) is not None


def test_dots_are_any_lines() -> None:
    assert _fits(["a", "...", "d"], ["a", "b", "c", "d"])
    assert _fits(["a", "…"], ["a"])
    assert not _fits(["a", "d"], ["a", "b", "d"])
    assert _settled("b (9 positions, 0.21 s)\n") == ["b (9 positions, 0 s)"]
